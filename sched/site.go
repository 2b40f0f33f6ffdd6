package sched

import (
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// Site is a place in the source of the program under test.
type Site struct {
	// File is absolute, as the compiler recorded it.
	File string
	Line int
	// Func is the function's name with its package path.
	Func string
}

// String returns file:line with the file's base name, or "unknown place".
func (s Site) String() string { return s.short() }

func (s Site) short() string {
	if s.Line == 0 {
		return "unknown place"
	}
	return path.Base(s.File) + ":" + strconv.Itoa(s.Line)
}

// schedDir and modelDir hold the files that are skipped when looking for the program's
// own frame, modelDir in its subdirectories too, tests excepted. A function's name would
// not do: a closure that was inlined into the program has the program's name.
var schedDir, modelDir = toolDirs()

func toolDirs() (sched, model string) {
	_, file, _, _ := runtime.Caller(0)
	root := path.Dir(path.Dir(file))
	return path.Dir(file) + "/", root + "/model/"
}

// toolPackages are the packages that run the program, or that package model panics in.
var toolPackages = []string{"runtime.", "internal/runtime/", "iter.", "testing.", "sync/atomic.", "hash/maphash."}

func isTool(f runtime.Frame) bool {
	if strings.HasSuffix(f.File, "_test.go") {
		return false
	}
	dir := path.Dir(f.File) + "/"
	return dir == schedDir || strings.HasPrefix(dir, modelDir) ||
		slices.ContainsFunc(toolPackages, func(p string) bool { return strings.HasPrefix(f.Function, p) })
}

// callSite returns the innermost frame of the program on the calling stack.
func callSite() Site {
	return siteAfter("")
}

// callSite is callSite for g, which runs. Of a goroutine that began with a call of the
// tool's or the runtime's, as in model.Go(mu.Lock), no frame is the program's: then it
// is where g was started.
func (g *G) callSite() Site {
	if s := callSite(); s.Line != 0 {
		return s
	}
	return g.born
}

// birthplace returns where a child of g is started, or the timer that starts it was
// made.
func birthplace(g *G) Site {
	switch {
	case g == nil:
		return callSite()
	case g.timer != nil:
		return g.born
	}
	return g.callSite()
}

// panicSite returns the innermost frame of the program below the panic that is
// being recovered; the caller is a deferred function.
func panicSite() Site {
	return siteAfter("runtime.gopanic")
}

// siteAfter returns the first frame of the program after the innermost frame of
// function start.
func siteAfter(start string) Site {
	var pcs [64]uintptr
	n := runtime.Callers(3, pcs[:])
	frames := runtime.CallersFrames(pcs[:n])
	seen := start == ""
	for {
		f, more := frames.Next()
		switch {
		case !seen:
			seen = f.Function == start || strings.HasPrefix(f.Function, "runtime.panic")
		case !isTool(f):
			return Site{File: f.File, Line: f.Line, Func: f.Function}
		}
		if !more {
			return Site{}
		}
	}
}
