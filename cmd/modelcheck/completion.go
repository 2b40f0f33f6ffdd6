package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
)

func completionCommand() command {
	return command{
		name:  "completion",
		usage: "(bash | zsh | fish)",
		short: "print a script that completes commands and flags in a shell",
		long: `For bash:  source <(modelcheck completion bash)
For zsh:   source <(modelcheck completion zsh)
For fish:  modelcheck completion fish | source
`,
		prepare: func(*flag.FlagSet) action {
			return func(_ context.Context, std stdio, args, _ []string) (int, error) {
				if len(args) != 1 {
					return 0, fmt.Errorf("want one shell, found %s", plural(len(args), "argument"))
				}
				switch args[0] {
				case "bash":
					completeBash(std.out)
				case "zsh":
					completeZsh(std.out)
				case "fish":
					completeFish(std.out)
				default:
					return 0, unknown("shell", args[0], shells)
				}
				return exitOK, nil
			}
		},
	}
}

var shells = []string{"bash", "zsh", "fish"}

// A completion is a flag as shells complete it.
type completion struct {
	name, usage string
	value       string   // what its value is, "" if it takes none
	words       []string // that the value can be, where they are few
}

// files reports whether the value is the name of a file.
func (c completion) files() bool { return c.value == "file" || c.value == "schedule" }

// flagWords are the values that flags take.
var flagWords = map[string][]string{
	"color":    {"auto", "always", "never"},
	"timers":   {"anytime", "quiescence"},
	"strategy": {"random", "pct2", "pct3", "pos", "urw", "surw", "directed", "portfolio", "preempt1", "preempt2", "delay1", "delay2"},
}

// completions are the flags of a command, in the order of their names.
func (c command) completions() []completion {
	var list []completion
	fs, _ := c.flags()
	fs.VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		if b, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
			value = ""
		}
		list = append(list, completion{f.Name, usage, value, flagWords[f.Name]})
	})
	return list
}

// words are what may follow a command besides flags and files.
func (c command) words() []string {
	switch c.name {
	case "help":
		names := commandNames()
		for _, t := range topics {
			names = append(names, t.name)
		}
		return names
	case "completion":
		return shells
	case "new":
		return templateNames()
	}
	return nil
}

// completeBash offers flags where a word begins with "-", and where it has nothing to
// offer the shell offers files. Bash takes "=" as a word.
func completeBash(w io.Writer) {
	fmt.Fprintf(w, `_modelcheck() {
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=
	if ((COMP_CWORD == 1)); then
		COMPREPLY=($(compgen -W %q -- "$word"))
		return
	fi
	if [[ $word == = ]]; then
		word=
	elif [[ $before == = ]]; then
		before=${COMP_WORDS[COMP_CWORD-2]}
	fi
	case ${COMP_WORDS[1]}$before in
`, strings.Join(commandNames(), " "))
	for _, c := range commands() {
		for _, f := range c.completions() {
			if f.value != "" {
				fmt.Fprintf(w, "\t%s-%s) words=%q ;;\n", c.name, f.name, strings.Join(f.words, " "))
			}
		}
	}
	io.WriteString(w, "\t*)\n\t\tcase ${COMP_WORDS[1]}$word in\n")
	for _, c := range commands() {
		var flags []string
		for _, f := range c.completions() {
			flags = append(flags, "-"+f.name)
		}
		fmt.Fprintf(w, "\t\t%s-*) words=%q ;;\n", c.name, strings.Join(flags, " "))
		if words := c.words(); len(words) > 0 {
			fmt.Fprintf(w, "\t\t%s*) words=%q ;;\n", c.name, strings.Join(words, " "))
		}
	}
	io.WriteString(w, `		esac ;;
	esac
	COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _modelcheck modelcheck
`)
}

func completeZsh(w io.Writer) {
	io.WriteString(w, "#compdef modelcheck\n_modelcheck() {\n\tif ((CURRENT == 2)); then\n\t\tlocal -a names\n\t\tnames=(")
	for _, c := range commands() {
		fmt.Fprintf(w, " %s", quoteShell(c.name+":"+strings.ReplaceAll(c.short, ":", `\:`)))
	}
	io.WriteString(w, " )\n\t\t_describe command names\n\t\treturn\n\tfi\n\tlocal name=$words[2]\n\tshift words\n\t((CURRENT--))\n\tcase $name in\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "\t%s) _arguments", c.name)
		for _, f := range c.completions() {
			fmt.Fprintf(w, " %s", quoteShell(f.zsh()))
		}
		rest := "*:file:_files"
		if words := c.words(); len(words) > 0 {
			rest = "*:name:(" + strings.Join(words, " ") + ")"
		}
		fmt.Fprintf(w, " %s ;;\n", quoteShell(rest))
	}
	io.WriteString(w, "\tesac\n}\ncompdef _modelcheck modelcheck\n")
}

// zsh is the flag as the function _arguments takes it.
func (c completion) zsh() string {
	usage := strings.NewReplacer("[", `\[`, "]", `\]`, ":", `\:`).Replace(c.usage)
	switch {
	case c.value == "":
		return "-" + c.name + "[" + usage + "]"
	case len(c.words) > 0:
		return "-" + c.name + "=[" + usage + "]:" + c.value + ":(" + strings.Join(c.words, " ") + ")"
	case c.files():
		return "-" + c.name + "=[" + usage + "]:" + c.value + ":_files"
	}
	return "-" + c.name + "=[" + usage + "]:" + c.value + ": "
}

func completeFish(w io.Writer) {
	fmt.Fprintf(w, "complete -c modelcheck -n __fish_use_subcommand -f\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "complete -c modelcheck -n __fish_use_subcommand -a %s -d %s\n", c.name, quoteShell(c.short))
		in := quoteShell("__fish_seen_subcommand_from " + c.name)
		if words := c.words(); len(words) > 0 {
			fmt.Fprintf(w, "complete -c modelcheck -n %s -f -a %s\n", in, quoteShell(strings.Join(words, " ")))
		}
		for _, f := range c.completions() {
			value := ""
			switch {
			case f.files():
				value = " -r"
			case f.value != "":
				value = " -x -a " + quoteShell(strings.Join(f.words, " "))
			}
			fmt.Fprintf(w, "complete -c modelcheck -n %s -o %s%s -d %s\n", in, f.name, value, quoteShell(f.usage))
		}
	}
}

func quoteShell(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
