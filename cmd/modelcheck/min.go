package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"

	"github.com/modelcheck-go/modelcheck/internal/report"
)

func minCommand() command {
	return command{
		name:  "min",
		usage: "[flags] (FILE | -run TEST PACKAGE SCHEDULE)",
		short: "make a failing schedule simpler",
		long: `The schedule is given as for replay. The test is run under it and under others
until one is found that shows the same with as few preemptions as possible, which
is printed. It is called minimal if there is certainly none with fewer.

Failing checks do this by themselves; min is for schedules from elsewhere, or for
more runs than a check spends.
`,
		prepare: func(fs *flag.FlagSet) action {
			var s settings
			var w rewriting
			s.declare(fs)
			w.declare(fs)
			runs := 10_000
			fs.Func("runs", "run the test at most `number` times, 10000 unless given", func(value string) (err error) {
				if runs, err = strconv.Atoi(value); err != nil || runs < 1 {
					return fmt.Errorf("want a number of at least 1")
				}
				return nil
			})
			output := fs.String("o", "", "write the schedule to `file`, which replay reads")
			return func(ctx context.Context, std stdio, args, passed []string) (int, error) {
				t, err := replayTarget(std.in, s.run, args)
				if err == nil {
					err = writable(*output)
				}
				if err != nil {
					return 0, err
				}
				s.env = append(s.env, "MODELCHECK_MINIMIZE="+strconv.Itoa(runs))
				doc, err := t.look(ctx, std, s, w, passed)
				if err != nil {
					return 0, err
				}
				if len(doc.Findings) == 0 {
					return 0, errors.New("there is nothing to make simpler: nothing is wrong under this schedule")
				}
				style := report.Style{Width: terminalWidth(std.out), Color: s.color.enabled(std.out)}
				fmt.Fprintf(std.out, "%s%s\nschedule: %s\nTo reproduce: %s\n", doc.Text(style), doc.Minimised, doc.Schedule, doc.Replay)
				if *output != "" {
					return exitOK, writeFile(*output, func(out io.Writer) error { return writeSaved(out, doc, t, cmp.Or(s.value(timersVariable), t.timers)) })
				}
				return exitOK, nil
			}
		},
	}
}

// writeSaved writes the schedule of a run in the form of a saved one. Timers is the rule
// for timers, "" for the test's own.
func writeSaved(w io.Writer, d *report.Doc, t target, timers string) error {
	text := fmt.Sprintf("# modelcheck schedule v1\n# test: %s\n# package: %s\n", d.Test, d.Package)
	if t.ordinary != nil {
		text += "# driver: " + t.ordinary.driver() + "\n"
	}
	for _, f := range d.Findings {
		text += "# finding: " + f.Text + "\n"
	}
	if timers != "" {
		text += "# timers: " + timers + "\n"
	}
	if t.workload != "" {
		text += "# drawn: " + t.workload + "\n"
	}
	_, err := io.WriteString(w, text+d.Schedule+"\n")
	return err
}
