package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// asking has, for each shell, a program that loads the script "completion" and prints
// what the shell offers for a command line, which it is given as $1.
var asking = map[string][]string{
	"bash": {"bash", "--norc", "--noprofile", "-c", `
		source ./completion
		read -ra COMP_WORDS <<<"${1//=/ = }" # "=" is a word to bash
		[[ $1 == *[\ =] ]] && COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_modelcheck
		printf '%s\n' "${COMPREPLY[@]}"
		((${#COMPREPLY[@]})) || compgen -f -- "${COMP_WORDS[COMP_CWORD]}" # as -o default does
	`, "ask"},
	"zsh": {"zsh", "-f", "-c", `
		zmodload zsh/zpty
		zpty z zsh -f -i
		zpty -w z "PROMPT=; autoload -Uz compinit; compinit -D -u; source ./completion; bindkey '^I' list-choices; LISTMAX=1000; stty cols 120 rows 100; print RE''ADY"
		zpty -r -m z seen '*READY*' || exit
		zpty -n -w z "$1"$'\t'
		zpty -r -m z seen "*$2*"
		print -r -- "$seen"
	`, "ask"},
	"fish": {"fish", "--no-config", "-c", `source ./completion; complete -C $argv[1]`},
}

// What each shell itself offers once it has loaded its script.
func TestShellsComplete(t *testing.T) {
	if testing.Short() {
		t.Skip("starting shells takes longer than a short test may")
	}
	cases := []struct {
		line  string
		want  []string
		wrong string
	}{
		{"modelcheck re", []string{"replay"}, "run"},
		{"modelcheck run -se", []string{"-seed"}, "-schedules"},
		{"modelcheck run -s", []string{"-sarif", "-seed", "-strategy"}, "-color"},
		{"modelcheck run -color ", []string{"always", "auto", "never"}, "-color=never"},
		{"modelcheck run -color=al", []string{"always"}, "never"},
		{"modelcheck run -strategy pre", []string{"preempt1", "preempt2"}, "pos"},
		{"modelcheck completion ", []string{"bash", "fish", "zsh"}, "-h"},
		{"modelcheck help exit", []string{"exit-codes"}, "environment"},
		{"modelcheck new l", []string{"lifecycle"}, "run"},
		{"modelcheck replay sav", []string{"saved.schedule"}, "other.schedule"},
		{"modelcheck show -o pag", []string{"page.html"}, "saved.schedule"},
	}
	for shell, program := range asking {
		t.Run(shell, func(t *testing.T) {
			if _, err := exec.LookPath(shell); err != nil {
				t.Skipf("there is no %s: apt-get install %s", shell, shell)
			}
			var script bytes.Buffer
			if exit := run([]string{"completion", shell}, nil, &script, os.Stderr); exit != exitOK {
				t.Fatalf("exit %d", exit)
			}
			t.Chdir(t.TempDir())
			put(t, "completion", script.String())
			for _, name := range []string{"saved.schedule", "other.schedule", "page.html"} {
				put(t, name, "")
			}
			for _, c := range cases {
				offered := ask(t, program, c.line, c.want[len(c.want)-1])
				for _, want := range c.want {
					if !offered[want] {
						t.Errorf("%s: want %s among %v", c.line, want, offered)
					}
				}
				if offered[c.wrong] {
					t.Errorf("%s: %s does not belong there", c.line, c.wrong)
				}
			}
		})
	}
}

// control is what a terminal does not show.
var control = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]|\r`)

// ask returns the words that a shell offers. The last of them is how a program that
// looks at a screen knows that all are there.
func ask(t *testing.T, program []string, line, last string) map[string]bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program[0], append(program[1:len(program):len(program)], line, last)...)
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(), "TERM=xterm", "HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	words := map[string]bool{}
	for text := range strings.Lines(control.ReplaceAllString(string(out), " ")) {
		text, _, _ = strings.Cut(strings.ReplaceAll(text, line, " "), "\t") // what fish says of a word
		text, _, _ = strings.Cut(text, " -- ")                              // and zsh
		for _, word := range strings.Fields(text) {
			words[strings.TrimPrefix(word, "-color=")] = true
		}
	}
	return words
}
