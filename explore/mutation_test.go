package explore

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/modelcheck-go/modelcheck/sched"
	"pgregory.net/rapid"
)

// rulesFile has, for every rule of the dependency relation, a program that shows that
// the rule is needed: "rule: goroutine | goroutine | ...".
const rulesFile = "testdata/rules.txt"

// TestEveryRuleIsNeeded takes away one rule of the dependency relation after the
// other: each time exhaustive search misses something that brute force finds in the
// program that rulesFile has for the rule. MODELCHECK_LONG=n looks for such a program
// among n, for the rules that have none.
func TestEveryRuleIsNeeded(t *testing.T) {
	witnesses := readWitnesses(t)
	lacking := map[string]sched.Rule{}
	for _, rule := range sched.Dependencies.Rules() {
		p, ok := witnesses[rule.String()]
		if !ok {
			lacking[rule.String()] = rule
			continue
		}
		delete(witnesses, rule.String())
		if missed := newReference(p).missedWithout(rule); missed == "" {
			t.Errorf("without the rule %q the search misses nothing in %v", rule, p)
		}
	}
	for rule := range witnesses {
		t.Errorf("%s has the rule %q, which the relation has not", rulesFile, rule)
	}
	for _, rule := range unwitnessed {
		if _, ok := lacking[rule]; !ok {
			t.Errorf("the rule %q is there no more, or has a witness", rule)
		}
		delete(lacking, rule)
	}
	lookForWitnesses(t, lacking, oracleChecks(t, 0))
	for rule := range lacking {
		t.Errorf("no program shows that the rule %q is needed", rule)
	}
}

// unwitnessed are rules that are true and of which no program is known that shows that
// the search needs them. Whether there is one is open.
var unwitnessed = []string{"close takes from close", "unhold -> close", "done too often ~ done too often"}

func readWitnesses(t *testing.T) map[string]oracleProgram {
	t.Helper()
	text, err := os.ReadFile(rulesFile)
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]oracleProgram{}
	for line := range strings.Lines(string(text)) {
		rule, program, _ := strings.Cut(strings.TrimSpace(line), ": ")
		p, err := parseOracleProgram(program)
		if err != nil {
			t.Fatalf("%s: %q: %v", rulesFile, line, err)
		}
		list[rule] = p
	}
	return list
}

// opsOf has the operations whose accesses are of one class or another: of those up to
// last that are not in an entry before.
var opsOf = []struct {
	last sched.Class
	ops  []string
}{
	{sched.AccWatch, []string{"send", "recv", "close", "len", "select", "try", "risksend", "riskclose"}},
	{sched.AccUnhold, []string{"cancel", "cancelled", "err", "derive", "ctxtimeout"}},
	{sched.AccTryFail, []string{"lock", "unlock", "trylock", "locked", "spinlock"}},
	{sched.AccTryRFail, []string{"rlock", "runlock", "rlocked", "wlock", "wunlock", "wlocked", "tryrlock", "trywlock", "spinlock"}},
	{sched.AccWait, []string{"add", "done", "wait", "riskdone"}},
	{sched.AccOnceExit, []string{"once"}},
	{sched.AccBroadcast, []string{"cwait", "signal", "broadcast", "rwait", "rsignal", "rbroadcast"}},
	{sched.AccFire, []string{"store", "cas", "stop", "reset", "timeout", "sleep", "now", "watch", "send", "tick", "poll", "await"}},
}

// opsFor lists the operations that have to do with rule, and a few to see what
// happened.
func opsFor(rule sched.Rule) []string {
	ops := []string{"load", "store", "swap"}
	for _, class := range []sched.Class{rule.First, rule.Later} {
		for _, group := range opsOf {
			if class <= group.last {
				ops = append(ops, group.ops...)
				break
			}
		}
	}
	return ops
}

// lookForWitnesses tries n programs for each of the rules and takes away from rules
// those that one of them shows to be needed.
func lookForWitnesses(t *testing.T, rules map[string]sched.Rule, n int) {
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		seeds := rapid.Custom(func(t *rapid.T) oracleProgram { return drawProgramOver(t, opsFor(rules[name])) })
		for seed := range n {
			p := seeds.Example(seed)
			if why := newReference(p).missedWithout(rules[name]); why != "" {
				p = shrunk(p, rules[name])
				t.Logf("%s: %v\n\t%s", name, p, newReference(p).missedWithout(rules[name]))
				delete(rules, name)
				break
			}
		}
	}
}

// shrunk leaves out steps and goroutines of p as long as the rule is still needed.
func shrunk(p oracleProgram, rule sched.Rule) oracleProgram {
	for i := range p {
		for k := range p[i] {
			less := append(oracleProgram(nil), p...)
			less[i] = append(append([]step(nil), p[i][:k]...), p[i][k+1:]...)
			if len(less[i]) == 0 && i > 0 {
				less = append(less[:i], less[i+1:]...)
			}
			if newReference(less).missedWithout(rule) != "" {
				return shrunk(less, rule)
			}
		}
	}
	return p
}

// reference is what brute force finds in a program.
type reference struct {
	program oracleProgram
	subject
	classes
	unreduced bool // it did not come to its end, or the relation does not cover it
	seen      map[[2]sched.Class]bool
}

func newReference(p oracleProgram) *reference {
	r := &reference{program: p, subject: p.subject(), seen: map[[2]sched.Class]bool{}}
	if r.unreduced = r.eager; r.unreduced {
		return r
	}
	r.subject.findings = true
	var ok bool
	r.classes, ok = bruteAll(oracleLimit, r.subject, func(l *sched.Log) { noteClasses(r.seen, l) })
	if r.unreduced = !ok; ok {
		got, err := searchWith(sched.Dependencies, 4*oracleLimit, r.subject)
		r.unreduced = err != nil || got.gaveUp != ""
	}
	return r
}

// noteClasses adds the pairs of classes of accesses to the same object in one run.
func noteClasses(seen map[[2]sched.Class]bool, l *sched.Log) {
	all := map[int32]map[sched.Class]bool{}
	note := func(a sched.Access) {
		if all[a.Object] == nil {
			all[a.Object] = map[sched.Class]bool{}
		}
		all[a.Object][a.Class] = true
	}
	for i := range l.Events {
		for _, a := range l.Accesses(i) {
			note(a)
		}
	}
	for _, at := range l.Attempts {
		note(at.Access)
	}
	for _, classes := range all {
		for a := range classes {
			for b := range classes {
				seen[[2]sched.Class{a, b}] = true
			}
		}
	}
}

// missedWithout says what is wrong without rule, "" if nothing: what the search then
// misses, or else which events it takes for independent that are not.
func (r *reference) missedWithout(rule sched.Rule) string {
	if !r.unreduced && !r.seen[[2]sched.Class{rule.First, rule.Later}] {
		return ""
	}
	table := sched.Dependencies.Without(rule)
	if !r.unreduced {
		got, err := searchWith(table, 4*oracleLimit, r.subject)
		if err != nil {
			return err.Error()
		}
		if got.gaveUp != "" {
			return "the search gives up its reduction: " + got.gaveUp
		}
		for o := range r.outcomes {
			if !got.outcomes[o] {
				return "the search misses " + o
			}
		}
	}
	const runs = 50
	if _, wrong := trySwaps(sched.Dependencies, r.program, 0, runs, r.unreduced); wrong != "" {
		return ""
	}
	_, wrong := trySwaps(table, r.program, 0, runs, r.unreduced)
	return wrong
}
