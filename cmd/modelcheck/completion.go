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

// eachFlag calls do for the flags of a command, in the order of their names.
func (c command) eachFlag(do func(name, usage string, takesValue bool)) {
	fs, _ := c.flags()
	fs.VisitAll(func(f *flag.Flag) {
		_, usage := flag.UnquoteUsage(f)
		b, isBool := f.Value.(interface{ IsBoolFlag() bool })
		do(f.Name, usage, !isBool || !b.IsBoolFlag())
	})
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
	}
	return nil
}

func completeBash(w io.Writer) {
	fmt.Fprintf(w, `_modelcheck() {
	local word=${COMP_WORDS[COMP_CWORD]} words
	if ((COMP_CWORD == 1)); then
		words=%q
	else
		case ${COMP_WORDS[1]} in
`, strings.Join(commandNames(), " "))
	for _, c := range commands() {
		words := c.words()
		c.eachFlag(func(name, _ string, _ bool) { words = append(words, "-"+name) })
		fmt.Fprintf(w, "\t\t%s) words=%q ;;\n", c.name, strings.Join(words, " "))
	}
	io.WriteString(w, `		esac
	fi
	COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _modelcheck modelcheck
`)
}

func completeZsh(w io.Writer) {
	io.WriteString(w, "#compdef modelcheck\n_modelcheck() {\n\tlocal -a words\n\tif ((CURRENT == 2)); then\n\t\twords=(")
	for _, c := range commands() {
		fmt.Fprintf(w, " %s", zshWord(c.name, c.short))
	}
	io.WriteString(w, " )\n\telse\n\t\tcase $words[2] in\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "\t\t%s) words=(", c.name)
		for _, word := range c.words() {
			fmt.Fprintf(w, " %s", zshWord(word, ""))
		}
		c.eachFlag(func(name, usage string, _ bool) { fmt.Fprintf(w, " %s", zshWord("-"+name, usage)) })
		io.WriteString(w, " ) ;;\n")
	}
	io.WriteString(w, "\t\tesac\n\tfi\n\t_describe modelcheck words\n\t_files\n}\ncompdef _modelcheck modelcheck\n")
}

// zshWord is a word with what it means, as _describe takes it.
func zshWord(word, meaning string) string {
	if meaning != "" {
		word += ":" + strings.ReplaceAll(meaning, ":", `\:`)
	}
	return quoteShell(word)
}

func completeFish(w io.Writer) {
	fmt.Fprintf(w, "complete -c modelcheck -n __fish_use_subcommand -f\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "complete -c modelcheck -n __fish_use_subcommand -a %s -d %s\n", c.name, quoteShell(c.short))
		in := quoteShell("__fish_seen_subcommand_from " + c.name)
		for _, word := range c.words() {
			fmt.Fprintf(w, "complete -c modelcheck -n %s -f -a %s\n", in, word)
		}
		c.eachFlag(func(name, usage string, takesValue bool) {
			value := ""
			if takesValue {
				value = " -r"
			}
			fmt.Fprintf(w, "complete -c modelcheck -n %s -o %s%s -d %s\n", in, name, value, quoteShell(usage))
		})
	}
}

func quoteShell(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
