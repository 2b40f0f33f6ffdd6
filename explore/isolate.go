package explore

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/modelcheck-go/modelcheck/sched"
)

// A program that keeps something in package-level variables from one run to the next is
// not the same program twice. With MODELCHECK_ISOLATE=1 a check has every run made in a
// process of its own: it starts its test binary again, for the same test, with a task,
// and the first Check that finds the task there makes that one run and answers. Everything
// else stays in the first process: the same seeds give the same schedules.

// taskVariable names the file that holds the task of such a process; the answer goes into
// the file beside it.
const taskVariable = "MODELCHECK_TASK"

const answerExt = ".answer"

// task is one run, and who chooses in it.
type task struct {
	Test        string
	Kind        taskKind
	Seed, Index uint64         // byStrategy and scouting
	Lesson      *lesson        // byStrategy: what it has learnt
	Choices     []sched.Choice // repeating
	Schedule    string         // following
	Capture     bool
}

type taskKind int

const (
	byStrategy taskKind = iota
	scouting            // the random walk of schedule 0
	repeating           // as repeater
	following           // as follower
	willingly           // as willing
)

// answer is what became of a task.
type answer struct {
	Result   sched.Result // without Log and Misuse
	Misuse   string
	Schedule string
	Stale    *staleAnswer
	Lesson   *lesson  // of a scout
	Stuck    *Finding // the run never ended
}

type staleAnswer struct {
	StaleError
	After string
	Op    int
}

func (s *settings) isolated() bool { return s.test != "" }

// isolable reports why the campaign's runs cannot be made in processes of their own.
func (s *settings) isolable() error {
	switch {
	case s.whole || s.unseeded || s.own:
		return fmt.Errorf("MODELCHECK_ISOLATE=1 needs a strategy that samples, found %s", s.strategy)
	case s.stats:
		return errors.New("MODELCHECK_ISOLATE=1 and MODELCHECK_STATS=1 exclude each other")
	}
	return nil
}

// delegate has a run made in another process. What the picker would know afterwards it
// is told.
func (w *worker) delegate(p sched.Picker, o sched.RunOptions) *sched.Result {
	w.thinking.Store(true) // the other process has a watch of its own
	defer w.thinking.Store(false)
	t := w.taskOf(p)
	t.Test, t.Capture = w.set.test, o.Capture
	a, err := t.send()
	if err != nil {
		return &sched.Result{Outcome: sched.Misuse, Misuse: err}
	}
	r := &a.Result
	if a.Misuse != "" {
		r.Misuse = errors.New(a.Misuse)
	}
	if a.Stuck != nil {
		r.Failed, r.Findings = true, []Finding{*a.Stuck}
	}
	inform(p, a)
	return r
}

// taskOf says who p is.
func (w *worker) taskOf(p sched.Picker) task {
	switch p := p.(type) {
	case *recorder:
		return w.taskOf(p.Picker)
	case *scout:
		return task{Kind: scouting, Seed: w.seed}
	case *repeater:
		return task{Kind: repeating, Choices: p.choices}
	case *follower:
		return task{Kind: following, Schedule: p.order.String()}
	case *willing:
		return task{Kind: willingly, Schedule: p.order.String()}
	}
	return task{Kind: byStrategy, Seed: w.seed, Index: w.index.Load(), Lesson: w.lesson}
}

// inform tells p what it would have noticed.
func inform(p sched.Picker, a answer) {
	switch p := p.(type) {
	case *recorder:
		p.schedule, _ = parseSchedule(a.Schedule)
		p.lost = a.Stuck != nil
		inform(p.Picker, a)
	case *scout:
		p.learned = a.Lesson
	case *follower:
		p.order, p.stale = nil, nil
		if s := a.Stale; s != nil {
			p.stale = &s.StaleError
			p.stale.after = place{s.After, s.Op}
		}
	}
}

// send starts a process for the task and waits for its answer.
func (t task) send() (answer, error) {
	var a answer
	dir, err := os.MkdirTemp("", "modelcheck")
	if err != nil {
		return a, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "task")
	if err := store(file, t); err != nil {
		return a, err
	}
	binary, err := os.Executable()
	if err != nil {
		return a, err
	}
	cmd := exec.Command(binary, t.arguments()...)
	cmd.Env = append(os.Environ(), taskVariable+"="+file)
	output, failed := cmd.CombinedOutput()
	if err := load(file+answerExt, &a); err != nil {
		return a, fmt.Errorf("a process that was to run one schedule of %s ended without: %v\n%s", t.Test, cmp.Or(failed, err), excerptOf(output))
	}
	return a, nil
}

// arguments are those of this process, but for the test to run and what would be written
// many times.
func (t task) arguments() []string {
	parts := strings.Split(t.Test, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	args := []string{"-test.run=" + strings.Join(parts, "/")}
	rest := os.Args[1:]
	for i := 0; i < len(rest); i++ {
		name, _, joined := strings.Cut(strings.TrimLeft(rest[i], "-"), "=")
		if !slices.Contains(droppedFlags, name) {
			args = append(args, rest[i])
		} else if !joined && name != "test.v" {
			i++ // and its value
		}
	}
	return args
}

var droppedFlags = []string{
	"test.run", "test.v", "test.count", "test.bench", "test.list", "test.shuffle", "test.coverprofile", "test.gocoverdir", "test.cpuprofile",
	"test.memprofile", "test.blockprofile", "test.mutexprofile", "test.trace", "test.testlogfile",
}

// excerptOf is the end of what a process has printed.
func excerptOf(output []byte) string {
	const limit = 4 << 10
	output = bytes.TrimSpace(output)
	return string(output[max(0, len(output)-limit):])
}

func store(file string, v any) error {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o600)
}

func load(file string, v any) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return gob.NewDecoder(bytes.NewReader(data)).Decode(v)
}

// taskFile returns the file with this process's task, if it has one.
func taskFile() (name string, ok bool) {
	name = os.Getenv(taskVariable)
	return name, name != ""
}

// answer makes the run that the task in the file is about, if it is about this test.
func (c *campaign) answer(test, file string) error {
	var t task
	if err := load(file, &t); err != nil || t.Test != test {
		return err
	}
	a, stuck := supervise(c.worker, c.deadline, func() answer { return c.worker.carryOut(t) })
	a.Stuck = stuck
	return store(file+answerExt, a)
}

// carryOut makes the run.
func (w *worker) carryOut(t task) answer {
	var a answer
	s, err := parseSchedule(t.Schedule)
	if err != nil && (t.Kind == following || t.Kind == willingly) {
		return answer{Misuse: err.Error(), Result: sched.Result{Outcome: sched.Misuse}}
	}
	walk, follow := newScout(t.Seed), newFollower(s)
	rec := &recorder{}
	switch t.Kind {
	case scouting:
		rec.Picker = walk
	case repeating:
		rec.Picker = &repeater{choices: t.Choices}
	case following:
		rec.Picker = follow
	case willingly:
		rec.Picker = &willing{follow}
	default:
		strategy := w.set.start(Setup{Seed: t.Seed, Steps: w.set.steps})
		if l, ok := strategy.(learner); ok && t.Lesson != nil {
			l.learn(t.Lesson.profile())
		}
		strategy.Begin(t.Index)
		rec.Picker = strategy
	}
	r := w.perform(rec, sched.RunOptions{Capture: t.Capture, Log: t.Kind == scouting})
	if t.Kind == scouting {
		a.Lesson = lessonOf(walk.profile(r))
	}
	if e := follow.staleness(); t.Kind == following && e != nil {
		a.Stale = &staleAnswer{*e, e.after.goroutine, e.after.op}
	}
	a.Schedule = rec.schedule.String()
	a.Result = *r
	a.Result.Log, a.Result.Misuse = nil, nil
	if r.Misuse != nil {
		a.Misuse = r.Misuse.Error()
	}
	return a
}

// lesson is a profile on its way to another process.
type lesson struct {
	Decisions int
	Routines  []lessonRoutine
	ByPath    map[uint64]int32
	Shared    [][2]int32
	Flips     [][6]int32
}

type lessonRoutine struct {
	Parent  int32
	Born    int
	Objects []int32
}

func lessonOf(p *profile) *lesson {
	l := &lesson{Decisions: p.decisions, ByPath: p.byPath}
	for _, r := range p.routines {
		l.Routines = append(l.Routines, lessonRoutine{r.parent, r.born, r.objects})
	}
	for _, u := range p.shared {
		l.Shared = append(l.Shared, [2]int32{u.routine, u.object})
	}
	for _, f := range p.flips {
		l.Flips = append(l.Flips, [6]int32{int32(f.kind), f.routine, f.op, f.choice, f.other, f.otherOp})
	}
	return l
}

func (l *lesson) profile() *profile {
	p := &profile{decisions: l.Decisions, byPath: l.ByPath}
	for _, r := range l.Routines {
		p.routines = append(p.routines, routine{r.Parent, r.Born, r.Objects})
	}
	for _, u := range l.Shared {
		p.shared = append(p.shared, use{u[0], u[1]})
	}
	for _, f := range l.Flips {
		p.flips = append(p.flips, flip{flipKind(f[0]), f[1], f[2], f[3], f[4], f[5]})
	}
	return p
}
