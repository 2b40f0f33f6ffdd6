package report_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/explore"
	"github.com/modelcheck-go/modelcheck/internal/report"
	"github.com/modelcheck-go/modelcheck/model"
)

// checks is a script that a page of the tests runs in addition to its own: it looks
// at the page as a reader does and leaves what it saw in the document's title.
const checks = `
(async () => {
  const seen = {};
  const box = document.getElementById('lanes');
  const key = (k) => box.dispatchEvent(new KeyboardEvent('keydown', { key: k, bubbles: true, cancelable: true }));
  const at = () => document.getElementById('position').textContent + ' | ' + (box.querySelector('[aria-selected=true]')?.getAttribute('aria-label') ?? 'nothing');
  seen.start = at();
  key('Home'); seen.home = at();
  key('ArrowDown'); seen.down = at();
  key('j'); seen.j = at();
  key('ArrowUp'); seen.up = at();
  key('p'); seen.preemption = at();
  document.getElementById('next').click(); seen.next = at();
  document.getElementById('first').click(); seen.first = at();
  box.querySelector('#row2').dispatchEvent(new MouseEvent('click', { bubbles: true })); seen.click = at();
  seen.title = document.getElementById('step-title').textContent;
  key('End'); seen.end = at();
  key('ArrowDown'); seen.beyond = at();
  seen.source = [...document.querySelectorAll('#step .here')].map((e) => e.textContent.trim());
  seen.scripts = document.scripts.length;
  seen.images = document.images.length;
  seen.handlers = [...document.querySelectorAll('*')].filter((e) => e.getAttributeNames().some((n) => n.startsWith('on'))).length;
  seen.loaded = performance.getEntriesByType('resource').map((e) => e.name);
  seen.policy = window.broken || [];
  const words = [...document.querySelectorAll('#graph .halo')].map((e) => e.getBoundingClientRect());
  seen.labels = words.length;
  seen.overlaps = words.filter((a, i) => words.slice(0, i).some((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)).length;
  seen.ms = Math.round(performance.now());
  document.title = JSON.stringify(seen);
})();
`

type seen struct {
	Start, Home, Down, J, Up, Preemption, Next, First, Click, Title, End, Beyond string
	Source, Loaded, Policy                                                       []string
	Scripts, Images, Handlers, Labels, Overlaps, MS                              int
}

var chromium = func() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}()

// browse opens a page in a browser that cannot reach any network, and returns what
// checks saw and what the console said.
func browse(t *testing.T, page []byte) (s seen, console string) {
	t.Helper()
	if chromium == "" {
		t.Skip("there is no chromium: apt-get install chromium")
	}
	// The script of the test is one more that the policy has to allow.
	sum := sha256.Sum256([]byte(checks))
	text := strings.Replace(string(page), "script-src ", "script-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"' ", 1)
	text = strings.Replace(text, "</body>", "<script>"+checks+"</script></body>", 1)
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	dom, console := dump(t, file)
	title := regexp.MustCompile(`(?s)<title>(.*?)</title>`).FindStringSubmatch(dom)
	if title == nil {
		t.Fatalf("no title in the page; the console says:\n%s", console)
	}
	saw := strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&nbsp;", "\u00a0").Replace(title[1])
	if err := json.Unmarshal([]byte(saw), &s); err != nil {
		t.Fatalf("%v: %s\nthe console says:\n%s", err, saw, console)
	}
	return s, console
}

// dump returns the page as it is once its scripts have run, and the lines of the
// browser's console.
func dump(t *testing.T, file string) (dom, console string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--proxy-server=127.0.0.1:1", "--user-data-dir="+t.TempDir(), "--enable-logging=stderr", "--log-level=0", "--window-size=1200,900",
		"--virtual-time-budget=2000", "--dump-dom", "file://"+file)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		t.Fatalf("chromium: %v\n%s", err, errs.String())
	}
	for line := range strings.Lines(errs.String()) {
		if strings.Contains(line, "CONSOLE") {
			console += line
		}
	}
	return out.String(), console
}

func htmlOf(t *testing.T, d *report.Doc) []byte {
	t.Helper()
	return export(t, d, (*report.Doc).HTML)
}

// withSources is the document as the command line shows it.
func withSources(t *testing.T, name string) *report.Doc {
	t.Helper()
	d, err := report.ReadDoc(export(t, docOf(t, name), (*report.Doc).JSON))
	if err != nil {
		t.Fatal(err)
	}
	d.AddSources(os.ReadFile)
	return d
}

func TestHTMLPage(t *testing.T) {
	s, console := browse(t, htmlOf(t, withSources(t, "deadlock")))
	s.MS = 0
	d := docOf(t, "deadlock")
	at := func(i int) string { return d.Steps[i].At.String() }
	end := func(i int) string { return d.Findings[i].At.String() }
	want := seen{
		Start: "4 of 5 | main ✗ lock b at " + end(0),
		Home:  "1 of 5 | step 1: main go other at " + at(0),
		Down:  "2 of 5 | step 2: other (main.1) lock b at " + at(1) + ", preemption",
		J:     "3 of 5 | step 3: main lock a at " + at(2) + ", preemption",
		Up:    "2 of 5 | step 2: other (main.1) lock b at " + at(1) + ", preemption",
		Click: "3 of 5 | step 3: main lock a at " + at(2) + ", preemption",
		Title: "Step 3",
	}
	want.Preemption, want.Next, want.First = want.J, "4 of 5 | main ✗ lock b at "+end(0), want.Home
	want.End = "5 of 5 | other (main.1) ✗ lock a at " + end(1)
	want.Beyond = want.End
	want.Source = []string{fmt.Sprintf("%d ▸ \t\ta.Lock()", d.Findings[1].At.Line)}
	want.Loaded, want.Policy, want.Scripts, want.Labels = []string{}, []string{}, 3, 4
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("the reader sees (-want +got):\n%s", diff)
	}
	if console != "" {
		t.Errorf("the console says:\n%s", console)
	}
}

// However many lines the wait-for graph has, no words in it cover others.
func TestHTMLGraphCanBeRead(t *testing.T) {
	if testing.Short() {
		t.Skip("one page in a browser is enough for a short test")
	}
	for _, name := range []string{"40", "crossed", "shim"} {
		t.Run(name, func(t *testing.T) {
			if s, console := browse(t, htmlOf(t, docOf(t, name))); s.Labels == 0 || s.Overlaps > 0 || console != "" {
				t.Errorf("want words of which none covers another, found %d, %d covered; the console says:\n%s", s.Labels, s.Overlaps, console)
			}
		})
	}
}

// The script runs under the policy that the page really has, too.
func TestHTMLPolicyAllowsItsScript(t *testing.T) {
	if chromium == "" {
		t.Skip("there is no chromium: apt-get install chromium")
	}
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, htmlOf(t, docOf(t, "timeout")), 0o644); err != nil {
		t.Fatal(err)
	}
	dom, console := dump(t, file)
	if !strings.Contains(dom, `aria-selected="true"`) || console != "" {
		t.Errorf("no step is selected; the console says:\n%s", console)
	}
}

// Names that try to be markup or script stay names.
func TestHTMLIsNotInjected(t *testing.T) {
	page := string(htmlOf(t, hostile))
	if n := strings.Count(page, "<script"); n != 2 {
		t.Errorf("want 2 scripts, found %d", n)
	}
	s, console := browse(t, []byte(page))
	if s.Scripts != 3 || s.Images+s.Handlers != 0 || len(s.Loaded) > 0 || console != "" {
		t.Errorf("%+v\nthe console says:\n%s", s, console)
	}
}

// A page for 5,000 steps opens in under a second. The browser's own start does not
// count; the time is only printed unless it is far off, because machines differ.
func TestHTMLPageOfALongRun(t *testing.T) {
	if testing.Short() {
		t.Skip("one page in a browser is enough for a short test")
	}
	r := explore.Run(func() {
		ping, pong := model.NewChan[int](0), model.NewChan[int](0)
		model.GoNamed("echo", func() {
			for v := range ping.All() {
				pong.Send(v)
			}
		})
		var mu model.Mutex
		for range 1250 {
			mu.Lock()
			ping.Send(1)
			pong.Recv()
			mu.Unlock()
		}
	}, explore.Schedules(1))
	if r.Findings[0].Goroutine != "main.1" || len(r.Trace) < 5000 {
		t.Fatalf("want 5,000 steps, found %d", len(r.Trace))
	}
	d := report.New(report.Run{Findings: r.Findings, Trace: r.Trace, Final: r.Final, Dir: here})
	page := htmlOf(t, d)
	s, console := browse(t, page)
	t.Logf("%d bytes, %d ms from the start of loading to the end of all checks", len(page), s.MS)
	if want := fmt.Sprintf("%d of %d", len(r.Trace)+1, len(r.Trace)+1); !strings.HasPrefix(s.End, want) || console != "" {
		t.Errorf("want %s, found %s; the console says:\n%s", want, s.End, console)
	}
}

func TestScriptIsSmall(t *testing.T) {
	script, err := os.ReadFile("page/page.js")
	if err != nil {
		t.Fatal(err)
	}
	if len(script) > 30_000 {
		t.Errorf("want at most 30,000 bytes, found %d", len(script))
	}
}

// Words can be read on every ground that they stand on, by day and by night: a
// contrast of at least 4.5 to 1, as WCAG asks for.
func TestContrast(t *testing.T) {
	style, err := os.ReadFile("page/page.css")
	if err != nil {
		t.Fatal(err)
	}
	sets := regexp.MustCompile(`(?s):root \{(.*?)\}`).FindAllStringSubmatch(string(style), -1)
	if len(sets) != 2 {
		t.Fatalf("want colours for day and night, found %d sets", len(sets))
	}
	for _, set := range sets {
		light := map[string]float64{}
		for _, m := range regexp.MustCompile(`--([a-z]+): #([0-9a-f]{6})`).FindAllStringSubmatch(set[1], -1) {
			light[m[1]] = luminance(m[2])
		}
		for _, words := range []string{"fore", "dim", "bad", "mark", "link"} {
			for _, ground := range []string{"back", "soft", "pick"} {
				a, b := light[words], light[ground]
				if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < 4.5 {
					t.Errorf("%s on %s: contrast %.2f", words, ground, ratio)
				}
			}
		}
	}
}

// luminance is the relative luminance of a colour, as WCAG 2 defines it.
func luminance(hex string) float64 {
	n, _ := strconv.ParseUint(hex, 16, 32)
	part := func(shift uint) float64 {
		c := float64(n>>shift&0xff) / 255
		if c <= 0.03928 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*part(16) + 0.7152*part(8) + 0.0722*part(0)
}
