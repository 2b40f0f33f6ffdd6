package main

import (
	"context"
	"flag"
	"fmt"
	"runtime/debug"
	"strings"
)

func versionCommand() command {
	return command{
		name:  "version",
		usage: "[-v]",
		short: "print the version of modelcheck",
		prepare: func(fs *flag.FlagSet) action {
			verbose := fs.Bool("v", false, "print also the Go version and the commit")
			return func(_ context.Context, std stdio, args, _ []string) (int, error) {
				if len(args) > 0 {
					return 0, fmt.Errorf("want no arguments, found %q", args)
				}
				info, ok := debug.ReadBuildInfo()
				if !ok {
					return 0, fmt.Errorf("this binary holds no build information: build it with go build or go install")
				}
				fmt.Fprintf(std.out, "modelcheck %s\n", info.Main.Version)
				if *verbose {
					fmt.Fprintln(std.out, info.GoVersion)
					for _, s := range info.Settings {
						if strings.HasPrefix(s.Key, "vcs") {
							fmt.Fprintf(std.out, "%s %s\n", s.Key, s.Value)
						}
					}
				}
				return exitOK, nil
			}
		},
	}
}
