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
	{"environment", "the variables that tests read", `Every setting of a check is a variable too, so that plain go test obeys it.
A flag of modelcheck sets its variable for the tests that it runs.

MODELCHECK_SEED=N         start of the random choices              -seed
MODELCHECK_SCHEDULES=N    schedules of each check                  -schedules
MODELCHECK_STEPS=N        steps after which a schedule is ended    -steps
MODELCHECK_STRATEGY=NAME  how schedules are chosen                 -strategy
MODELCHECK_WORKERS=N      schedules explored at the same time      -workers
MODELCHECK_REPLAY=mc1:…   run this one schedule                    replay
MODELCHECK_WATCHDOG=10s   how long one schedule may stand still
MODELCHECK_NOSAVE=1       save no failing schedules
MODELCHECK_EVENTS=FILE    append verdicts to FILE, one JSON object a line;
                          modelcheck sets it to learn what was found
NO_COLOR=1                no colours, unless -color=always
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
