package explore

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcheck-go/modelcheck/sched"
)

// watch looks after workers that are busy. Nothing can stop a goroutine from outside,
// so one in which a schedule stands still for the watchdog's time is given up.
type watch struct {
	limit int // ticks without progress, not time: none come while the whole process waits for a processor
	tick  *time.Ticker
	posts []post
}

// post is what was last seen of a worker.
type post struct {
	worker   *worker
	progress uint64
	still    int // ticks in a row that have seen no progress
}

// newWatch returns a watch that gives up after limit. Its ticks come at least every
// part, unless that is 0.
func newWatch(limit, part time.Duration) *watch {
	if part == 0 {
		part = limit
	}
	interval := max(time.Millisecond, min(limit/4, part, time.Second/4))
	return &watch{limit: int(max(1, limit/interval)), tick: time.NewTicker(interval)}
}

func (v *watch) stop() { v.tick.Stop() }

// post begins to look after w.
func (v *watch) post(w *worker) {
	v.posts = append(v.posts, post{worker: w, progress: w.engine.Progress()})
}

// dismiss stops looking after w.
func (v *watch) dismiss(w *worker) {
	v.posts = slices.DeleteFunc(v.posts, func(p post) bool { return p.worker == w })
}

// stuck is called at each tick. It returns the workers that have stood still for too
// long, and dismisses them.
func (v *watch) stuck() []*worker {
	var list []*worker
	for i := range v.posts {
		p := &v.posts[i]
		if at := p.worker.engine.Progress(); at != p.progress || p.worker.thinking.Load() {
			p.progress, p.still = at, 0
		} else if p.still++; p.still >= v.limit {
			list = append(list, p.worker)
		}
	}
	for _, w := range list {
		v.dismiss(w)
	}
	return list
}

// supervise runs f on the worker's goroutine and returns what it returns. When the
// worker is stuck it is given up, and the finding says in what. At the deadline,
// unless it is zero, the worker is told to halt.
func supervise[T any](w *worker, deadline time.Time, f func() T) (T, *Finding) {
	result := make(chan T, 1)
	v := newWatch(w.set.watchdog, 0)
	defer v.stop()
	v.post(w)
	w.jobs <- func() { result <- f() }
	for {
		select {
		case r := <-result:
			return r, nil
		case now := <-v.tick.C:
			if !deadline.IsZero() && now.After(deadline) {
				w.halt.Store(true)
			}
			if len(v.stuck()) > 0 {
				var zero T
				return zero, w.giveUp()
			}
		}
	}
}

// giveUp says what the worker is stuck in and leaves it behind. Should it ever
// come free it ends.
func (w *worker) giveUp() *Finding {
	f := diagnose(parseStacks(allStacks()), w.goid, w.set.watchdog)
	w.lost = true
	w.halt.Store(true)
	close(w.jobs)
	return &f
}

// stack is one goroutine of a stack dump.
type stack struct {
	id, creator int64
	state       string // "running", "chan receive", "coroutine", ...
	frames      []sched.Site
	createdBy   string // function
}

// diagnose finds the modelled goroutine that does not stand where the scheduler
// parked it and says what it does instead.
func diagnose(stacks []stack, worker int64, waited time.Duration) Finding {
	s, ok := culprit(stacks, worker)
	f := Finding{Kind: OutsideModel, Op: "unknown"}
	what := "no goroutine of the program is to be seen outside the scheduler: this is an error in modelcheck, or a strategy that does not return"
	if ok {
		f.Op, f.Site = s.state, programFrame(s)
		what = fmt.Sprintf("a goroutine waits in %s (%s) for something that the scheduler does not control: %s", funcName(f.Site.Func), s.state, instead())
		if s.state == "running" || s.state == "runnable" {
			f.Kind = EndlessLoop
			what = fmt.Sprintf("a goroutine runs in %s without reaching an operation of %s in a loop that waits", funcName(f.Site.Func), pausing())
		}
	}
	f.Message = fmt.Sprintf("one schedule stood still for %v: %s; the schedule could not be ended and was left behind with its goroutines", waited, what)
	return f
}

// instead says what to use instead of what the scheduler does not control. Programs
// that are under control without using package model know nothing of it.
func instead() string {
	if os.Getenv(driverVariable) != "" {
		return "replace it in the test by something that waits for channels, locks or time"
	}
	return "use package model's channels, locks and time, and start every goroutine with model.Go"
}

// adviceOnForeigners says what to do about goroutines that the scheduler does not know.
func adviceOnForeigners() string {
	if os.Getenv(driverVariable) != "" {
		return "it was started by a package that is not under control: give -with and the path of its module, or let the test do without"
	}
	return ""
}

// pausing says the same of a loop.
func pausing() string {
	if os.Getenv(driverVariable) != "" {
		return "the scheduler: call runtime.Gosched"
	}
	return "package model: call model.Gosched"
}

// culprit returns the goroutine of worker's program that is not parked. The
// program's goroutines are those that the scheduler created on the worker's
// goroutine or on one of the program's.
func culprit(stacks []stack, worker int64) (stack, bool) {
	byID := map[int64]stack{}
	for _, s := range stacks {
		byID[s.id] = s
	}
	for _, s := range stacks {
		if !isToolFunc(s.createdBy) || s.parked() {
			continue
		}
		for c, ok := s, true; ok; c, ok = byID[c.creator] {
			if c.creator == worker {
				return s, true
			}
		}
	}
	return stack{}, false
}

// parked reports whether the goroutine is where the scheduler put it.
func (s stack) parked() bool {
	for _, f := range s.frames {
		if !strings.HasPrefix(f.Func, "runtime.") {
			return isToolFunc(f.Func)
		}
	}
	return true
}

// programFrame returns the innermost frame that belongs to the program under
// test.
func programFrame(s stack) sched.Site {
	for _, f := range s.frames {
		if !isToolFunc(f.Func) && !isStandard(f.Func) {
			return f
		}
	}
	return sched.Site{}
}

// isToolFunc reports whether the function is one that parks goroutines or
// creates modelled ones.
func isToolFunc(name string) bool {
	const module = "github.com/modelcheck-go/modelcheck/"
	return strings.HasPrefix(name, "iter.Pull") || strings.HasPrefix(name, module+"sched.") || strings.HasPrefix(name, module+"model.") ||
		strings.HasPrefix(name, module+"model/")
}

// isStandard reports whether the function belongs to a package of the standard
// library in which goroutines wait.
func isStandard(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	first, _, _ = strings.Cut(first, ".")
	switch first {
	case "runtime", "internal", "sync", "time", "iter", "os", "io", "bufio", "net", "syscall", "context", "reflect", "testing":
		return true
	}
	return false
}

// funcName shortens a function's name to what follows the last slash.
func funcName(name string) string {
	if name == "" {
		return "an unknown function"
	}
	return name[strings.LastIndexByte(name, '/')+1:]
}

// allStacks returns the stacks of all goroutines as text.
func allStacks() string {
	for size := 1 << 20; ; size *= 2 {
		buf := make([]byte, size)
		if n := runtime.Stack(buf, true); n < size || size >= 1<<28 {
			return string(buf[:n])
		}
	}
}

// goroutineNumber returns the calling goroutine's number in stack dumps.
func goroutineNumber() int64 {
	var buf [64]byte
	id, _, _ := parseHeader(string(buf[:runtime.Stack(buf[:], false)]))
	return id
}

// parseHeader reads "goroutine 7 [chan receive, 2 minutes]:".
func parseHeader(line string) (id int64, state string, ok bool) {
	rest, ok := strings.CutPrefix(line, "goroutine ")
	if !ok {
		return 0, "", false
	}
	number, rest, _ := strings.Cut(rest, " ")
	id, err := strconv.ParseInt(number, 10, 64)
	_, state, _ = strings.Cut(rest, "[")
	state, _, _ = strings.Cut(state, "]")
	state, _, _ = strings.Cut(state, ",")
	return id, state, err == nil
}

// parseStacks reads the text form of runtime.Stack.
func parseStacks(dump string) []stack {
	var out []stack
	for _, block := range strings.Split(dump, "\n\n") {
		lines := strings.Split(strings.TrimSpace(block), "\n")
		id, state, ok := parseHeader(lines[0])
		if !ok {
			continue
		}
		s := stack{id: id, state: state}
		for i := 1; i+1 < len(lines); i += 2 {
			if strings.HasPrefix(lines[i], "...") { // frames left out, on a line of its own
				i--
				continue
			}
			name, place := lines[i], parsePlace(lines[i+1])
			if by, ok := strings.CutPrefix(name, "created by "); ok {
				by, creator, _ := strings.Cut(by, " in goroutine ")
				s.createdBy = by
				s.creator, _ = strconv.ParseInt(creator, 10, 64)
				continue
			}
			if cut := strings.LastIndexByte(name, '('); cut > 0 {
				name = name[:cut]
			}
			place.Func = name
			s.frames = append(s.frames, place)
		}
		out = append(out, s)
	}
	return out
}

// parsePlace reads "\t/dir/file.go:12 +0x1d".
func parsePlace(line string) sched.Site {
	file, _, _ := strings.Cut(strings.TrimSpace(line), " +0x")
	cut := strings.LastIndexByte(file, ':')
	if cut < 0 {
		return sched.Site{}
	}
	n, _ := strconv.Atoi(file[cut+1:])
	return sched.Site{File: file[:cut], Line: n}
}
