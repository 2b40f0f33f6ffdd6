package model_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/sasha-s/go-deadlock"
)

// Scripts run natively in a process of their own: goroutines that are blocked for
// ever cannot be ended, and a fatal error ends the process. That process, which is
// this test binary again, reads requests line by line and answers each with lines of
// a number and a word: the number of a run and an outcome that it is the first to come
// to, and at last how many runs there were and "done", or "full" if it ends.

// theatreKey tells the process what it is: "free" or "bubble".
const theatreKey = "MODEL_TEST_THEATRE"

// These are how many goroutines may be left blocked before the process is replaced: they
// make it slow to see that all is quiet; in a bubble they only take memory.
const (
	maxLeft         = 150
	maxLeftInBubble = 5000
)

// patience is how long the process may take to answer. When a panic and a fatal error end
// it at the same time the runtime may hang: each waits for a lock that the other holds
// while it prints.
const patience = time.Minute

// theatre performs scripts natively. It is made for one goroutine.
type theatre struct {
	kind   string
	hung   int // how often the process hung
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	errors *bytes.Buffer
}

// perform performs the script natively a number of times, each with other pauses,
// and returns the different outcomes.
func (th *theatre) perform(s script, runs int, seed uint64) (found []string, err error) {
	for first, deaths := 0, 0; first < runs && deaths < 2; deaths++ { // more deaths would cost too much
		if err := th.open(); err != nil {
			return nil, err
		}
		fmt.Fprintf(th.in, "%d %d %d %v\n", first, runs, seed, s)
		last, err := th.listen(&found)
		if err != nil {
			return nil, err
		}
		first = last + 1
	}
	return found, nil
}

// listen adds the answers to found and returns the number of the last run. The
// process may have died in it, which is an outcome too.
func (th *theatre) listen(found *[]string) (last int, err error) {
	var hung atomic.Bool
	process := th.cmd.Process
	alarm := time.AfterFunc(patience, func() { hung.Store(true); _ = process.Kill() })
	defer alarm.Stop()
	for {
		line, err := th.out.ReadString('\n')
		if err != nil {
			outcome, err := th.died()
			switch {
			case hung.Load():
				th.hung++
				return last, nil
			case err == nil:
				th.add(found, outcome)
			}
			return last, err
		}
		first, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if last, err = strconv.Atoi(first); err != nil {
			return last, fmt.Errorf("the native process answers %q", line)
		}
		switch rest {
		case "full":
			return last, th.close()
		case "done":
			return last, nil
		default:
			th.add(found, rest)
		}
	}
}

func (*theatre) add(found *[]string, outcome string) {
	if !slices.Contains(*found, outcome) {
		*found = append(*found, outcome)
	}
}

// crash is what the runtime says of a panic or fatal error that ends the process.
var crash = regexp.MustCompile(`(?m)^(?:panic: )?((?:fatal error: )?sync: .*)$`)

// died says what the process died of.
func (th *theatre) died() (outcome string, err error) {
	th.in.Close()
	_ = th.cmd.Wait()
	th.cmd = nil
	if m := crash.FindStringSubmatch(th.errors.String()); m != nil {
		return m[1], nil
	}
	return "", fmt.Errorf("the native process died:\n%s", th.errors)
}

// open starts the process unless it runs.
func (th *theatre) open() (err error) {
	if th.cmd != nil {
		return nil
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestDifferential$")
	cmd.Env = append(os.Environ(), theatreKey+"="+th.kind)
	th.errors = new(bytes.Buffer)
	cmd.Stderr = th.errors
	if th.in, err = cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	th.cmd, th.out = cmd, bufio.NewReader(out)
	return cmd.Start()
}

// close ends the process.
func (th *theatre) close() error {
	if th.cmd == nil {
		return nil
	}
	th.in.Close()
	_, _ = io.Copy(io.Discard, th.out)
	err := th.cmd.Wait()
	th.cmd = nil
	if err != nil {
		return fmt.Errorf("the native process: %w\n%s", err, th.errors)
	}
	return nil
}

// serve is the native process. It does not return.
func serve(t *testing.T, kind string) {
	deadlock.Opts.Disable = true // it would end the process; what is judged is package sync
	house := &house{in: bufio.NewReader(os.Stdin), out: bufio.NewWriter(os.Stdout), room: maxLeft}
	if kind == "bubble" {
		house.room = maxLeftInBubble
		synctest.Test(t, func(*testing.T) { house.serve(house.inBubble) })
	}
	house.serve(house.free)
}

type house struct {
	in    *bufio.Reader
	out   *bufio.Writer
	watch watch
	left  int // goroutines that are blocked for ever
	room  int // for how many
}

// serve answers requests until there are no more, and ends the process.
func (h *house) serve(run func(*stage)) {
	for {
		line, err := h.in.ReadString('\n')
		if err != nil {
			os.Exit(0)
		}
		if err := h.answer(line, run); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func (h *house) answer(line string, run func(*stage)) error {
	var first, runs int
	var seed uint64
	if _, err := fmt.Sscan(line, &first, &runs, &seed); err != nil {
		return fmt.Errorf("request %q: %w", line, err)
	}
	s, err := parseScript(strings.TrimSuffix(strings.SplitN(line, " ", 4)[3], "\n"))
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for n := first; n < runs; n++ {
		st := newStage(s)
		st.seed = seed<<16 + uint64(n)
		run(st)
		outcome := st.outcome() + st.held()
		if !seen[outcome] {
			seen[outcome] = true
			h.say(n, outcome)
		}
	}
	if h.left > h.room {
		h.say(runs, "full")
		os.Exit(0)
	}
	h.say(runs, "done")
	return nil
}

// say answers that something came of run n.
func (h *house) say(n int, what string) {
	fmt.Fprintln(h.out, n, what)
	h.out.Flush()
}

// free performs without a bubble, until nothing can happen any more.
func (h *house) free(st *stage) {
	go st.perform()
	for {
		for range 100 {
			if st.busy.Load() == 0 {
				return
			}
			runtime.Gosched()
		}
		if quiet, n := h.watch.quiet(); quiet {
			h.left = n
			return
		}
	}
}

// horizon is later than everything that a script may wait for.
const horizon = time.Second

// inBubble performs in a bubble.
func (h *house) inBubble(st *stage) {
	go st.perform()
	time.Sleep(horizon)
	synctest.Wait()
	if st.ticker != nil {
		st.ticker.Stop()
	}
	h.left += int(st.busy.Load())
}

// held says whether something is left: a goroutine that is blocked, or a lock. Nothing
// moves any more, so what is locked stays so.
func (st *stage) held() string {
	for _, mu := range []*model.Mutex{&st.mus[0], &st.mus[1]} {
		if !mu.TryLock() {
			return left
		}
	}
	if !st.rw.TryLock() {
		return left
	}
	for _, a := range st.actors {
		if a.at != "" && !a.daemon {
			return left
		}
	}
	return ""
}

const left = "something is left"
