package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
)

func helpCommand() command {
	return command{
		name:  "help",
		usage: "[COMMAND or TOPIC]",
		short: "explain a command or topic",
		prepare: func(*flag.FlagSet) action {
			return func(_ context.Context, std stdio, args, _ []string) (int, error) {
				return exitOK, help(std.out, strings.Join(args, "-"))
			}
		},
	}
}

// A topic is a help text about no single command.
type topic struct{ name, short, text string }

var topics = []topic{
	{"exit-codes", "what the exit code says", `0  nothing was found, or exactly what the tests expect
1  something was found that should not be, an expected finding was missed,
   or a test failed for another reason
2  wrong usage, tests that do not build, crash or run out of time, or a
   check that could not be carried out
3  nothing was found, but a search that was to be complete (explore.Exhaust)
   did not come to its end

When several apply, 2 goes before 1 and 1 before 3. For replay, 1 means that the finding
appeared again, 0 that it no longer does, and 2 that the schedule no longer
fits the program.
`},
	{"races", "what -race looks at in ordinary tests", `modelcheck test -race finds data races on ordinary variables: two accesses by different
goroutines, at least one a write, that no chain of synchronisations orders, as the Go
memory model has them. A race is a finding like any other: with the steps that show it,
a schedule that replays it, and the same verdict each time. It is looked for in every
schedule that is run, also where the two accesses do not follow each other.

Looked at are the variables of the packages under control, variables that a function
literal takes from around it and that are assigned to, fields behind pointers, elements
of slices and arrays, and maps, each of which is one variable, as it is for Go's detector.
None of the races found is a false alarm, unless code that is not under control orders
the accesses, with a lock of its own for example: -with puts a module under control.
Missed are races on

  - what append and copy do, what a loop over a slice reads, and what a pointer to no
    struct points to;
  - fields and elements, where one is written from a call's result as x.y.z = f(), in
    the header of an if, for or switch, in a loop variable, or through a variable that
    others reach;
  - variables in code that is not under control, and in package initialisation.

For those, go test -race sees more, in the schedules that happen.
`},
	{"environment", "the variables that tests read", `Every setting of a check is a variable too, so that plain go test obeys it.
A flag of modelcheck sets its variable for the tests that it runs.

MODELCHECK_SEED=N         start of the random choices              -seed
MODELCHECK_SCHEDULES=N    schedules of each check                  -schedules
MODELCHECK_STEPS=N        steps after which a schedule is ended    -steps
MODELCHECK_STRATEGY=NAME  how schedules are chosen                 -strategy
MODELCHECK_WORKERS=N      schedules explored at the same time      -workers
MODELCHECK_TIMERS=RULE    anytime, quiescence, hasty or either:     -timers
                          when timeouts fire
MODELCHECK_RACES=RULE     report or ignore: data races on model.Shared -races
MODELCHECK_REPLAY=mc1:…   run this one schedule                    replay
MODELCHECK_WORKLOAD=…     with this workload, if it is a property  replay
MODELCHECK_MINIMIZE=N     runs that making a failing schedule simpler may take,
                          0 for none; with MODELCHECK_REPLAY, on that one
                                                                   -minimize, min
MODELCHECK_WATCHDOG=10s   how long one schedule may stand still
MODELCHECK_CHECKPOINT=DIR go on there with a proof that was cut short
MODELCHECK_STATS=1        statistics in the log of each check
MODELCHECK_NOSAVE=1       save no failing schedules
MODELCHECK_ISOLATE=1      run every schedule of a check in a process of its own
MODELCHECK_WIDTH=100      columns of the steps in reports
MODELCHECK_PROVE=1        prove designs where that takes long too;
                          modelcheck run sets it unless -short is given
MODELCHECK_EVENTS=FILE    append verdicts to FILE, one JSON object a line;
                          modelcheck sets it to learn what was found
NO_COLOR=1                no colours, unless -color=always

Other variables whose names begin with MODELCHECK_ have no effect; modelcheck and
the logs of tests point them out.
`},
	{"schedule", "what is in mc1:... and in a saved file", `mc1:m-3=m.2_receive@m.1,m.1-7=m_select/1@m.2/0:89abcdef

mc1         version of the format
m-3=...     once goroutine main has run and executed 3 operations, do
            not go on as by default (with the goroutine that ran, or when it is
            blocked with the first that can), but:
m.2         goroutine main.2, the second that main started, goes on
_receive    with this operation
@m.1        meeting main.1
/1          by case 1 of its select; after @m.2 that of the partner's select
%           by the default of its select
+2          with value 2 of a model.Choose
:89abcdef   checksum of all before

A schedule is a list of such deviations; every part of one is a schedule too, which
is how schedules are made smaller. No character means anything to a shell.

A check saves failing ones as testdata/modelcheck/TEST/HASH.schedule: lines that
begin with #, of which "# test:", "# package:" and "# timers:" (the rule for timers,
if there are any) count, and the schedule. Every later run of the test begins with
them, under that rule. Delete the file when the bug is mended.
`},
}

func help(w io.Writer, name string) error {
	if name == "" {
		overview(w)
		return nil
	}
	for _, c := range commands() {
		if c.name == name {
			c.help(w)
			return nil
		}
	}
	names := commandNames()
	for _, t := range topics {
		if t.name == name {
			io.WriteString(w, t.text)
			return nil
		}
		names = append(names, t.name)
	}
	return unknown("command or topic", name, names)
}

func overview(w io.Writer) {
	io.WriteString(w, `modelcheck runs tests that explore the interleavings of goroutines and shows
what they found.

Usage: modelcheck COMMAND [arguments]

Commands:
`)
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-12s %s\n", c.name, c.short)
	}
	io.WriteString(w, "\nTopics:\n")
	for _, t := range topics {
		fmt.Fprintf(w, "  %-12s %s\n", t.name, t.short)
	}
	io.WriteString(w, "\nmodelcheck help NAME explains one of them.\n")
}

func (c command) help(w io.Writer) {
	fmt.Fprintf(w, "Usage: modelcheck %s %s\n", c.name, c.usage)
	if c.long != "" {
		fmt.Fprintf(w, "\n%s", c.long)
	}
	fs, _ := c.flags()
	begin := "\nFlags:\n"
	fs.VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		fmt.Fprintf(w, "%s  %-20s %s\n", begin, strings.TrimSpace("-"+f.Name+" "+value), usage)
		begin = ""
	})
}
