// Command native performs programs of package racing natively, for a parent that has
// built it with -race. Each line of the standard input is a number of runs and a script,
// or a number of runs, "litmus" and the name of a row. Before each it writes that line to
// the standard error, after "== ", where the reports of the race detector go too.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/modelcheck-go/modelcheck/internal/racing"
	"github.com/sasha-s/go-deadlock"
)

func main() {
	deadlock.Opts.Disable = true // its bookkeeping has a lock that would order everything
	lines := bufio.NewScanner(os.Stdin)
	for seed := uint64(1); lines.Scan(); seed++ {
		fmt.Fprintf(os.Stderr, "== %s\n", lines.Text())
		if err := perform(lines.Text(), seed); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
}

func perform(line string, seed uint64) error {
	number, text, _ := strings.Cut(line, " ")
	runs, err := strconv.Atoi(number)
	if err != nil {
		return err
	}
	once, err := program(text)
	if err != nil {
		return err
	}
	for i := range runs {
		once(seed<<20 + uint64(i))
	}
	return nil
}

func program(text string) (func(seed uint64), error) {
	if name, ok := strings.CutPrefix(text, "litmus "); ok {
		row, err := racing.Find(name)
		return func(uint64) { row.Natively() }, err
	}
	s, err := racing.Parse(text)
	return s.Perform, err
}
