// Command modelcheck runs the tests that explore schedules and shows what they
// found. Everything it does can be done with go test and environment variables
// too; it adds one table over many packages and exit codes that tell a finding
// from a broken build.
//
// Run "modelcheck help" for its commands.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/modelcheck-go/modelcheck/internal/environment"
)

// Exit codes. When several apply, the highest does.
const (
	exitOK         = 0 // nothing found, or all that was expected
	exitFinding    = 1 // something found, or a test failed
	exitError      = 2 // wrong usage, a build that fails, a check that could not be carried out
	exitIncomplete = 3 // nothing found, but a search that was to be complete is not
)

// stdio is what a command reads and writes.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// A command is one subcommand. prepare declares its flags and returns what to
// do once they are parsed; args are the other arguments, passed on those
// after "--".
type command struct {
	name    string
	usage   string // the arguments
	short   string // one line
	long    string // what help shows besides the flags
	prepare func(fs *flag.FlagSet) action
}

type action func(ctx context.Context, std stdio, args, passed []string) (exit int, err error)

// commands is in the order in which help lists it.
func commands() []command {
	return []command{runCommand(), testCommand(), replayCommand(), minCommand(), showCommand(), mergeCommand(), statsCommand(), newCommand(), versionCommand(), completionCommand(), helpCommand()}
}

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run executes one command line and returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	exit, err := dispatch(ctx, stdio{stdin, stdout, stderr}, args)
	if err != nil {
		fmt.Fprintf(stderr, "modelcheck: %v\n", err)
		return exitError
	}
	return exit
}

func dispatch(ctx context.Context, std stdio, args []string) (int, error) {
	if len(args) == 0 {
		return 0, errors.New("want a command: modelcheck help lists them")
	}
	name, args := args[0], args[1:]
	if name == "-h" || name == "-help" || name == "--help" {
		name = helpCommand().name
	}
	for _, c := range commands() {
		if c.name == name {
			return c.execute(ctx, std, args)
		}
	}
	return 0, unknown("command", name, commandNames())
}

func (c command) execute(ctx context.Context, std stdio, args []string) (int, error) {
	fs, do := c.flags()
	args, passed, err := parse(fs, args)
	if errors.Is(err, flag.ErrHelp) {
		c.help(std.out)
		return exitOK, nil
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w%s; modelcheck help %s lists the flags", c.name, err, nearFlag(fs, err), c.name)
	}
	exit, err := do(ctx, std, args, passed)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", c.name, err)
	}
	return exit, nil
}

func (c command) flags() (*flag.FlagSet, action) {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	return fs, c.prepare(fs)
}

// parse lets flags stand before, between and after the other arguments, as
// users of go test expect; what follows "--" is passed on.
func parse(fs *flag.FlagSet, args []string) (rest, passed []string, err error) {
	for i, arg := range args {
		if arg == "--" {
			args, passed = args[:i], args[i+1:]
			break
		}
	}
	for {
		if err := fs.Parse(args); err != nil {
			return nil, nil, err
		}
		if fs.NArg() == 0 {
			return rest, passed, nil
		}
		rest = append(rest, fs.Arg(0))
		args = fs.Args()[1:]
	}
}

func commandNames() []string {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return names
}

// nearFlag names the flag that was meant, if err is about one that there is not.
func nearFlag(fs *flag.FlagSet, err error) string {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return ""
	}
	var names []string
	fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	if near := environment.Nearest(name, names); near != "" {
		return fmt.Sprintf(" (did you mean -%s?)", near)
	}
	return ""
}

// unknown is the error for a name that is not among names.
func unknown(what, name string, names []string) error {
	if near := environment.Nearest(name, names); near != "" {
		return fmt.Errorf("unknown %s %q: did you mean %q?", what, name, near)
	}
	return fmt.Errorf("unknown %s %q: want one of %s", what, name, strings.Join(names, ", "))
}
