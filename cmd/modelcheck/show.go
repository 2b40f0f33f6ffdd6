package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/modelcheck-go/modelcheck/internal/gotest"
	"github.com/modelcheck-go/modelcheck/internal/report"
)

func showCommand() command {
	return command{
		name:  "show",
		usage: "[flags] (FILE | -run TEST PACKAGE SCHEDULE)",
		short: "show what a schedule leads to, as text, a page or a diagram",
		long: `The schedule is given as for replay, and the test is run under it; or FILE is a
report that show -json wrote, which needs neither the program nor Go. A schedule
under which nothing is wrong is shown as well.

Without -html, -mermaid, -dot, -chrome or -json it prints text: the steps in
lanes, one for each goroutine, or as a list where lanes do not fit the width.
`,
		prepare: func(fs *flag.FlagSet) action {
			var s settings
			var w rewriting
			var v view
			s.declare(fs)
			w.declare(fs)
			v.declare(fs)
			return func(ctx context.Context, std stdio, args, passed []string) (int, error) {
				return show(ctx, std, s, w, v, args, passed)
			}
		},
	}
}

// A view is how a run is to be shown.
type view struct {
	formats map[string]*bool
	list    bool
	width   int
	output  string
}

// formats are the ways to show a run besides text, by the flag that asks for them.
var formats = []struct {
	name, usage string
	write       func(*report.Doc, io.Writer) error
}{
	{"html", "write a page of HTML that needs nothing else", (*report.Doc).HTML},
	{"mermaid", "write a sequence diagram for mermaid.js", (*report.Doc).Mermaid},
	{"dot", "write the wait-for graph for Graphviz", (*report.Doc).DOT},
	{"chrome", "write a trace for ui.perfetto.dev or chrome://tracing", (*report.Doc).Chrome},
	{"json", "write the report as JSON (doc/report-format.md)", (*report.Doc).JSON},
}

func (v *view) declare(fs *flag.FlagSet) {
	v.formats = map[string]*bool{}
	for _, f := range formats {
		v.formats[f.name] = fs.Bool(f.name, false, f.usage)
	}
	fs.BoolVar(&v.list, "list", false, "list the steps one below the other, even where lanes would fit")
	fs.StringVar(&v.output, "o", "", "write to `file` instead of standard output")
	fs.Func("width", "columns of the text; that of the terminal, or 100, unless given as a `number`", func(value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < minWidth {
			return fmt.Errorf("want a number of at least %d", minWidth)
		}
		v.width = n
		return nil
	})
}

// writer is what writes the format that is asked for, nil for text.
func (v *view) writer() (func(*report.Doc, io.Writer) error, error) {
	var write func(*report.Doc, io.Writer) error
	var asked []string
	for _, f := range formats {
		if *v.formats[f.name] {
			asked = append(asked, "-"+f.name)
			write = f.write
		}
	}
	if v.list {
		asked = append(asked, "-list")
	}
	if len(asked) > 1 {
		return nil, fmt.Errorf("want one way to show it, found %s", strings.Join(asked, " and "))
	}
	return write, nil
}

func show(ctx context.Context, std stdio, s settings, w rewriting, v view, args, passed []string) (int, error) {
	write, err := v.writer()
	if err == nil {
		err = writable(v.output)
	}
	if err != nil {
		return 0, err
	}
	doc, err := shown(ctx, std, s, w, args, passed)
	if err != nil {
		return 0, err
	}
	if write == nil {
		style := report.Style{Width: v.width, List: v.list, Color: v.output == "" && s.color.enabled(std.out)}
		if style.Width == 0 && v.output == "" {
			style.Width = terminalWidth(std.out)
		}
		write = func(d *report.Doc, w io.Writer) error {
			_, err := io.WriteString(w, d.Text(style))
			return err
		}
	}
	if v.output == "" {
		return exitOK, write(doc, std.out)
	}
	return exitOK, writeFile(v.output, func(w io.Writer) error { return write(doc, w) })
}

// writable reports whether files can be written, so that nobody waits for results that
// cannot be kept. Names may be "".
func writable(names ...string) error {
	for _, name := range names {
		if name == "" {
			continue
		}
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("cannot write %s: its directory does not exist: make it first, or name another file", name)
		}
		if err != nil {
			return fmt.Errorf("cannot write %s: %w: name another file", name, errors.Unwrap(err))
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// writeFile creates a file; one that could not be written in full is an error.
func writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	err = write(f)
	return errors.Join(err, f.Close())
}

// shown is the run that the arguments of show name: that of a saved report, or one
// that is run now.
func shown(ctx context.Context, std stdio, s settings, w rewriting, args, passed []string) (*report.Doc, error) {
	if len(args) == 1 && filepath.Ext(args[0]) == ".json" {
		data, err := readInput(std.in, args[0], "modelcheck show -json writes such reports")
		if err != nil {
			return nil, err
		}
		doc, err := report.ReadDoc(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", args[0], err)
		}
		return doc, nil
	}
	t, err := replayTarget(std.in, s.run, args)
	if err != nil {
		return nil, err
	}
	return t.look(ctx, std, s, w, passed)
}

// look runs the target and returns the run that shows something.
func (t *target) look(ctx context.Context, std stdio, s settings, w rewriting, passed []string) (*report.Doc, error) {
	results, err := t.execute(ctx, std, s, w, passed)
	if err != nil {
		return nil, err
	}
	if e := firstEvent(results); e != nil && e.Stale != "" {
		fmt.Fprintf(std.err, "note: %s\n", e.Stale)
	}
	return firstRun(results)
}

// firstRun is the first run among results, with the source around the places in it.
func firstRun(results []gotest.Result) (*report.Doc, error) {
	for _, r := range results {
		for _, e := range r.Events {
			if e.Run == nil {
				continue
			}
			e.Run.AddSources(func(file string) ([]byte, error) {
				return os.ReadFile(filepath.Join(r.Package.Dir, filepath.FromSlash(file)))
			})
			return e.Run, nil
		}
		for _, p := range r.Problems {
			return nil, fmt.Errorf("%s: %s", where(r.Package, p.Test), p.What)
		}
	}
	return nil, errors.New("there is nothing to show: no check ran this schedule")
}
