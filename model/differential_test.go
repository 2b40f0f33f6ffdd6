package model_test

import (
	"flag"
	"hash/fnv"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcheck-go/modelcheck/model"
	"github.com/modelcheck-go/modelcheck/sched"
	"pgregory.net/rapid"
)

// TestDifferential draws programs over the whole API and compares the worlds: what a
// program comes to natively, in many runs with random pauses, is among what it comes
// to under control, in all schedules. It takes 120 programs, or 24 with -short. Which ones
// depends on the sources of the semantics: whoever changes them gets others, and whoever
// runs the test again gets the same. Every night it should be more, and others:
//
//	MODELCHECK_LONG=20000 go test -timeout 2h -v -run '^TestDifferential$' ./model -rapid.seed=$(date +%s)
func TestDifferential(t *testing.T) {
	if kind := os.Getenv(theatreKey); kind != "" {
		serve(t, kind)
	}
	d := newComparison(t)
	seed := rapidSettings(t, programs(t))
	rapid.Check(t, func(rt *rapid.T) {
		s := scripts.Draw(rt, "script")
		missing, ok := d.compare(s)
		if !ok {
			d.tooBig++
			rt.Skip("too many schedules")
		}
		if len(missing) > 0 {
			rt.Logf("%v\nonly natively: %q\nunder control: %q", s, missing, d.controlled)
			rt.Fatalf("natively the program comes to something that no schedule gives")
		}
		if d.compared%1000 == 0 {
			t.Logf("%d programs", d.compared)
		}
	})
	t.Logf("seed %s: %d programs, %d more were too big; %d native runs; of %d outcomes under control, crashes apart, %d were seen natively",
		seed, d.compared, d.tooBig, d.runs, d.outcomes, d.seen)
}

// TestDifferences has the programs for which the worlds have differed, made smaller,
// those that settle a rule, and what they come to natively: that is explored.
func TestDifferences(t *testing.T) {
	d := newComparison(t)
	for _, c := range append([]settled{
		{"what is due at once may happen before others go on", "0 0: aftertime(0,0) addvar(0,0) | addvar(0,0)",
			"0:began, ended; 0.0:began, 1, ended; 1:began, 2, ended; 0 0 "},
		{"a Wait that was woken finds the counter below zero", "0 1: wait(0,2) | add(0,2) done(1,0) done(1,3)",
			"0:began, panics: sync: WaitGroup is reused before previous Wait has returned; 1:began, panics: sync: negative WaitGroup counter; 0 0 "},
		{"of two Waits one was asleep when the counter became zero", "0 2: add(1,0) done(0,0) add(1,3) | wait(1,1) | wait(0,3) | done(1,1)",
			"0:began, ended; 1:began, panics: sync: WaitGroup is reused before previous Wait has returned; 2:began, blocked at wait; 3:began, ended; 0 0 something is left"},
		{"a function that a deadline calls is called when nobody is left", "0 0: timelimit(0,1) after(0,3)",
			"0:began, ended; 0.1:began, ended; 0 0 "},
		{"a timer that is due and nobody waits for is not the end", "0 0: aftertime(0,2) reset(0,0) aftertime(0,1) reset(0,0) | reset(0,0)",
			"0:began, ended; 0.0:began, true, ended; 0.1:began, true, ended; 1:began, true, ended; 0 0 "},
		{"a writer's Unlock lets readers in first", "0 0: wlock(0,0) wunlock(0,0) | rlock(0,0) runlock(0,0) trywlock(0,0)",
			"0:began, ended; 1:began, false, ended; 0 0 "},
		{"a later Wait takes the token of one that was about to sleep",
			"0 1: wait(1,1) wait(0,1) | done(0,3) done(1,3) | add(1,0) wait(1,1) | add(0,2) wait(1,1) done(0,0)",
			"0:began, ended; 1:began, panics: sync: negative WaitGroup counter; 2:began, panics: sync: WaitGroup is reused before previous Wait has returned; 3:began, blocked at wait; 0 0 something is left"},
		{"a try fails behind a Lock that does not keep readers out yet", "0 0: wlock(0,0) | trywlock(0,0) rlock(0,0)",
			"0:began, blocked at wlock; 1:began, false, ended; 0 0 something is left"},
		{"a try fails behind one that has failed because of a reader", "0 0: rlock(0,0) runlock(0,0) trywlock(0,0) | trywlock(0,0)",
			"0:began, false, ended; 1:began, false, ended; 0 0 "},
		{"Signal wakes the one that has waited longest", "0 0: cwait(0,0) | cwait(0,0) | notify(0,0)",
			"0:began, 1, woken 1, ended; 1:began, 2, blocked at cwait; 2:began, of 2, ended; 0 0 something is left"},
	}, rules...) {
		t.Run(c.says, func(t *testing.T) {
			s, err := parseScript(c.script)
			if err != nil {
				t.Fatal(err)
			}
			if raceEnabled && slices.ContainsFunc(slices.Concat(s.parts...), func(in instr) bool { return misused(in.verb) }) {
				t.Skip("to the race detector this misuse is a race, which ends the process: it is compared without the detector")
			}
			missing, ok := d.compare(s)
			if !ok {
				t.Fatalf("more than %d schedules", maxSchedules)
			}
			if len(missing) > 0 {
				t.Errorf("%v: only natively: %q", s, missing)
			}
			if !slices.Contains(d.native, c.natively) {
				t.Logf("not seen in %d native runs", nativeRuns)
			}
			if !slices.Contains(d.controlled, c.natively) && !d.crashesWith(s, c.natively) {
				t.Errorf("%v: not explored: %q; but %q", s, c.natively, d.controlled)
			}
		})
	}
}

// rapidSettings sets how many programs to draw, and from which seed, which it returns.
func rapidSettings(t *testing.T, checks int) (seed string) {
	set := func(name, value string) {
		before := flag.Lookup(name).Value.String()
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = flag.Set(name, before) })
	}
	set("rapid.checks", strconv.Itoa(checks))
	if seed = flag.Lookup("rapid.seed").Value.String(); seed == "0" {
		seed = strconv.FormatUint(seedOfSources(t), 10)
	}
	set("rapid.seed", seed)
	set("rapid.nofailfile", "true") // what fails is logged as a script
	return seed
}

// seedOfSources returns a number that only a change of the packages in which the
// semantics are changes.
func seedOfSources(t *testing.T) uint64 {
	h := fnv.New64a()
	for _, dir := range []string{".", "../sched"} {
		files, err := filepath.Glob(dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			h.Write(text)
		}
	}
	return h.Sum64()
}

const (
	nativeRuns   = 30
	maxSchedules = 5000
)

// comparison compares the worlds.
type comparison struct {
	t          testing.TB
	engine     *sched.Engine
	stage      func(script) *stage // how to make the objects under control
	most       int                 // schedules of a program
	theatres   map[bool]*theatre
	controlled []string         // what the latest program came to, sorted, where it did not crash
	crashes    [][]sched.Choice // the schedules in which it did
	native     []string         // what it came to natively
	// Once there was a mismatch: what programs come to natively. To make the program
	// smaller rapid performs others like it, and some again, and has to see the same.
	natively map[string][]string

	compared, tooBig, runs, outcomes, seen int
}

func newComparison(t testing.TB) *comparison {
	d := &comparison{t: t, engine: sched.New(sched.Config{MaxSteps: 1000}), stage: newStage, most: maxSchedules, theatres: map[bool]*theatre{
		false: {kind: "free"}, true: {kind: "bubble"},
	}}
	t.Cleanup(func() {
		d.engine.Close()
		for _, th := range d.theatres {
			if err := th.close(); err != nil {
				t.Error(err)
			}
		}
	})
	return d
}

// programs is how many to draw.
func programs(t *testing.T) int {
	text := os.Getenv("MODELCHECK_LONG")
	if text == "" {
		return 120 // rapid takes fewer with -short
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("MODELCHECK_LONG=%q: want a number of programs", text)
	}
	return n
}

// compare performs s in both worlds and returns the outcomes that are seen natively
// only. It reports false if s has too many schedules.
func (d *comparison) compare(s script) (missing []string, ok bool) {
	var got []string
	var err error
	hung := d.theatre(s).hung
	done := make(chan struct{})
	go func() {
		defer close(done)
		got, err = d.perform(s)
	}()
	ok = d.explore(s)
	<-done
	if err != nil {
		d.t.Fatalf("%v: %v", s, err)
	}
	if !ok {
		return nil, false
	}
	if d.theatre(s).hung > hung && len(d.crashes) == 0 {
		d.t.Fatalf("%v: does not come to rest natively", s)
	}
	d.native = got
	d.compared++
	d.outcomes += len(d.controlled)
	for _, o := range got {
		if _, found := slices.BinarySearch(d.controlled, o); found {
			d.seen++
		} else if !d.crashesWith(s, o) && !d.unnoticed(s) {
			missing = append(missing, o)
		}
	}
	if len(missing) > 0 && d.natively == nil {
		d.natively = map[string][]string{s.String(): got}
	}
	return missing, true
}

func (d *comparison) theatre(s script) *theatre { return d.theatres[s.needs(timed)] }

// perform returns what s comes to natively.
func (d *comparison) perform(s script) (outcomes []string, err error) {
	runs := nativeRuns
	if d.natively != nil {
		runs *= 20
	}
	known, found := d.natively[s.String()]
	if found {
		return known, nil
	}
	d.runs += runs
	outcomes, err = d.theatre(s).perform(s, runs, 1)
	if d.natively != nil {
		d.natively[s.String()] = outcomes
	}
	return outcomes, err
}

// crashesWith reports whether the latest program, s, can crash with the outcome.
func (d *comparison) crashesWith(s script, outcome string) bool {
	return slices.ContainsFunc(d.crashes, func(choices []sched.Choice) bool {
		opts := asInBubble
		opts.Capture = true
		return d.engine.Run(d.scripted(s, new(string)), &tape{choices}, opts).Findings[0].Message == outcome
	})
}

// unnoticed reports whether the latest program, s, can unlock an RWMutex that is not
// locked. Go finds that out only if nobody waits for it at that moment, and else
// anything may come of it.
func (d *comparison) unnoticed(s script) bool {
	return d.crashesWith(s, "fatal error: sync: RUnlock of unlocked RWMutex") ||
		d.crashesWith(s, "fatal error: sync: Unlock of unlocked RWMutex")
}

// asInBubble are the options of controlled runs.
var asInBubble = sched.RunOptions{Pace: sched.Calm}

// explore performs s under every schedule. It reports false if there are too many.
func (d *comparison) explore(s script) (ok bool) {
	found := map[string]bool{}
	d.crashes = nil
	var outcome string
	perform := d.scripted(s, &outcome)
	all := &starting{parts: len(s.parts)}
	for range d.most {
		switch r := d.engine.Run(perform, all, asInBubble); {
		case r.Outcome == sched.Crashed:
			d.crashes = append(d.crashes, slices.Clone(r.Choices))
		case r.Outcome != sched.Quiescent:
			d.t.Fatalf("%v: outcome %v, misuse %v", s, r.Outcome, r.Misuse)
		case r.Failed:
			found[outcome+left] = true
		default:
			found[outcome] = true
		}
		if !all.next() {
			d.controlled = slices.Sorted(maps.Keys(found))
			return true
		}
	}
	return false
}

// scripted returns the script as a body that tells its outcome when it comes to rest.
func (d *comparison) scripted(s script, outcome *string) func() {
	return func() {
		st := d.stage(s)
		model.AtEnd("outcome", func() error { *outcome = st.outcome(); return nil })
		st.perform()
	}
}

// starting is brute force that starts all parts of a script before one of them makes
// its first step: when a part starts makes no difference to others.
type starting struct {
	bruteForce
	parts int
}

func (s *starting) Pick(p *sched.Point) sched.Choice {
	if p.Goroutines() < s.parts && p.Enabled(0) && p.Op(0).Kind == sched.OpGo {
		return sched.Choice{G: 0}
	}
	return s.bruteForce.Pick(p)
}
