package explore

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
	"pgregory.net/rapid"
)

var sameSchedule = cmp.AllowUnexported(deviation{}, place{}, action{})

// everyOp is the words of all operations.
var everyOp = func() []string {
	var out []string
	for k := sched.OpGo; k <= sched.OpWrite; k++ {
		out = append(out, word(k))
	}
	return out
}()

var paths = rapid.Custom(func(t *rapid.T) string {
	s := "main"
	for _, n := range rapid.SliceOfN(rapid.IntRange(1, 120), 0, 3).Draw(t, "children") {
		s += fmt.Sprintf(".%d", n)
	}
	return s
})

var schedules = rapid.Custom(func(t *rapid.T) schedule {
	s := schedule{}
	seen := map[place]bool{}
	for range rapid.IntRange(0, 12).Draw(t, "deviations") {
		d := deviation{
			place{paths.Draw(t, "running"), rapid.IntRange(0, 1e6).Draw(t, "op index")},
			action{goroutine: paths.Draw(t, "next"), op: rapid.SampledFrom(everyOp).Draw(t, "op"), number: -1, partnerCase: -1, value: -1},
		}
		a := &d.action
		switch rapid.SampledFrom([]string{"plain", "case", "default", "value"}).Draw(t, "form") {
		case "case":
			a.number = rapid.Int32Range(0, 9).Draw(t, "case")
		case "default":
			a.isDefault = true
		case "value":
			a.value = rapid.Int32Range(0, 999).Draw(t, "value")
		}
		if rapid.Bool().Draw(t, "partner") {
			a.partner = paths.Draw(t, "partner")
			a.partnerCase = rapid.Int32Range(-1, 9).Draw(t, "partner's case")
		}
		if !seen[d.place] {
			seen[d.place] = true
			s = append(s, d)
		}
	}
	return s
})

func TestScheduleTextComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := schedules.Draw(t, "schedule")
		text := want.String()
		got, err := parseSchedule(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got, sameSchedule); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", text, diff)
		}
		if i := strings.IndexFunc(text, isNotShellSafe); i >= 0 {
			t.Fatalf("%s has %q, which a shell may not take as it is", text, text[i])
		}
	})
}

func isNotShellSafe(r rune) bool {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	return !strings.ContainsRune(letters+"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:,_-/=+@%", r)
}

// damages are the ways in which a text can be damaged that have to be noticed.
func damages(text string) []string {
	var out []string
	for i := range len(text) {
		out = append(out, text[:i], text[:i]+text[i+1:])
		if i > 0 {
			out = append(out, text[i:])
		}
		for bit := range 8 {
			out = append(out, text[:i]+string([]byte{text[i] ^ 1<<bit})+text[i+1:])
		}
	}
	return out
}

func TestDamagedScheduleTextIsRefused(t *testing.T) {
	for _, text := range []string{
		schedule{}.String(),
		schedule{
			{place{"main", 3}, action{goroutine: "main.2", op: "receive", partner: "main.1", number: -1, partnerCase: -1, value: -1}},
			{place{"main.1", 7}, action{goroutine: "main", op: "select", number: 1, partner: "main.2", partnerCase: 0, value: -1}},
			{place{"main.1", 9}, action{goroutine: "main.1", op: "try_select", number: -1, partnerCase: -1, isDefault: true, value: -1}},
			{place{"main.2", 0}, action{goroutine: "main.2", op: "choose", number: -1, partnerCase: -1, value: 3}},
		}.String(),
	} {
		if _, err := parseSchedule(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for _, bad := range damages(text) {
			if s, err := parseSchedule(bad); err == nil {
				t.Errorf("%q was read as %v", bad, s)
			}
			if r := Replay(func() {}, bad); r.Verdict() != "error" {
				t.Errorf("%q was replayed: %v", bad, r)
			}
		}
	}
}

func TestScheduleErrorsSayWhatIsWrong(t *testing.T) {
	const good = "mc1:m-3=m.2_receive@m.1:"
	sum := checksum(strings.TrimSuffix(good, ":"))
	for _, test := range []struct{ text, want string }{
		{"", `not a schedule: wanted text that begins with mc1:, found ""`},
		{"hello", `not a schedule: wanted text that begins with mc1:, found "hello"`},
		{"mc2:x:00000000", `schedule of unknown version "mc2": this version of modelcheck reads mc1`},
		{"mc1:", `schedule cut short or altered: wanted a colon and 8 hexadecimal digits at its end, found "mc1:"`},
		{good + sum[:7], `schedule cut short or altered: wanted a colon and 8 hexadecimal digits at its end, found "..._receive@m.1:` + sum[:7] + `"`},
		{strings.Replace(good, "3", "4", 1) + sum, `schedule altered: its checksum is "` + sum + `", that of its text "` + checksum("mc1:m-4=m.2_receive@m.1") + `": copy it again, all of it`},
		{"mc1:nonsense:" + checksum("mc1:nonsense"), `schedule: deviation 1 is "nonsense": wanted something like m-3=m.2_receive@m.1`},
		{"mc1:m-0=m_lock,m-0=m_lock:" + checksum("mc1:m-0=m_lock,m-0=m_lock"), `schedule: deviation 2, "m-0=m_lock", is the second for the same place`},
	} {
		_, err := parseSchedule(test.text)
		if err == nil || err.Error() != test.want {
			t.Errorf("parseSchedule(%q):\n got %v\nwant %s", test.text, err, test.want)
		}
	}
}

// races is a program with many ways to go, none of them wrong: every schedule
// fits it.
func races() {
	c, d := model.NewChan[int](0), model.NewChan[int](1)
	var mu model.Mutex
	for i := range 2 {
		model.Go(func() { c.Send(i); mu.Lock(); mu.Unlock() })
		model.Go(func() { d.Send(i) })
	}
	for range 4 {
		model.Select(c.RecvCase(nil), d.RecvCase(nil))
		model.Choose(3)
	}
}

// Every part of a schedule is a schedule: followed as far as it goes it ends in
// a run whose own schedule, followed again, gives the same run.
func TestEveryPartOfAScheduleCanBeFollowed(t *testing.T) {
	set, err := settingsOf(races, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorker(races, &set)
	defer w.close()
	rapid.Check(t, func(rt *rapid.T) {
		walk := NewRandom(rapid.Uint64().Draw(rt, "seed"))
		walk.Begin(0)
		full, _ := parseSchedule(w.capture(walk).schedule)
		var part schedule
		for _, d := range full {
			if rapid.Bool().Draw(rt, "keep") {
				part = append(part, d)
			}
		}
		first := w.follow(part)
		s, err := parseSchedule(first.schedule)
		if err != nil {
			rt.Fatal(err)
		}
		second := w.follow(s)
		if second.stale != nil || second.fingerprint != first.fingerprint || second.schedule != first.schedule {
			rt.Fatalf("following %s gave the run %s; following that gave %s (%v)", part, first.schedule, second.schedule, second.stale)
		}
	})
}

// A rendezvous is the same event from either side, and so no deviation when it is
// the default one.
func TestSideOfARendezvousIsNoDeviation(t *testing.T) {
	body := func() {
		c := model.NewChan[int](0)
		model.Go(func() { c.Recv() })
		model.Go(func() { c.Send(2) })
		c.Send(1)
	}
	for side := range 2 {
		set := mustSettings(t)
		w := newWorker(body, &set)
		if s := w.capture(chooser{side}).schedule; s != "mc1::a2c85bbb" {
			t.Errorf("side %d has the schedule %s", side, s)
		}
		w.close()
	}
}

// chooser follows the default policy, but of a rendezvous it names the sender or
// the receiver.
type chooser struct{ side int }

func (c chooser) Pick(p *sched.Point) sched.Choice {
	d := p.Default()
	for i := range p.Len() {
		for alt := range int32(p.Alternatives(p.At(i))) {
			other := sched.Choice{G: p.At(i), Alt: alt}
			if other != d && p.Same(other, d) && c.side == 1 {
				return other
			}
		}
	}
	return d
}
func TestStaleScheduleSaysWhereItStops(t *testing.T) {
	two := func() {
		c := model.NewChan[int](0)
		for range 2 {
			model.Go(func() { c.Send(1) })
		}
		c.Recv()
		c.Recv()
	}
	lock := action{goroutine: "main.2", op: "lock", number: -1, partnerCase: -1, value: -1}
	for _, test := range []struct {
		name string
		at   place
		want StaleError
	}{
		{"other operation", place{"main", 2}, StaleError{Step: 3, Wanted: "main.2 lock",
			Enabled: []string{"main receive with main.1", "main receive with main.2", "main.1 send with main", "main.2 send with main"}}},
		{"no such decision", place{"main", 77}, StaleError{Wanted: "main.2 lock", after: place{"main", 77}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := Replay(two, schedule{{test.at, lock}}.String())
			got, ok := r.Err.(*StaleError)
			if !ok {
				t.Fatalf("wanted a *StaleError, found %v", r)
			}
			if diff := cmp.Diff(test.want, *got, cmp.AllowUnexported(StaleError{}, place{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// What can be read is written the same, even where the checksum was made to fit.
func FuzzDeviations(f *testing.F) {
	for _, s := range []string{
		"", "m-3=m.2_receive@m.1", "m.1-7=m_select/1@m.2/0,m-9=m.1_try_select%", "m.2-0=m.2_choose+3",
		"m-03=m_lock", "m.0-1=m_lock", "main-1=m_lock", "m-1=m_lock/", "m-1=m_", ",", "m-1=m_lock,", "m-9999999999=m_lock", "m-1=m_lock@/1",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, deviations string) {
		text := "mc1:" + deviations
		text += ":" + checksum(text)
		if s, err := parseSchedule(text); err == nil && s.String() != text {
			t.Errorf("%q is written %q", text, s)
		}
	})
}
