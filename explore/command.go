package explore

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// longSchedule is the length beyond which a command names the schedule's file
// instead: terminals and shells have limits.
const longSchedule = 4096

// driverVariable names the environment variable with the command that runs the tests,
// where plain go test does not: "modelcheck test".
const driverVariable = "MODELCHECK_DRIVER"

// replayCommand returns the shell command that runs one test under one schedule,
// and with one workload if it is a property.
func replayCommand(test, schedule string, drawn []uint64) string {
	if schedule == "" {
		return ""
	}
	workload, verbose := "", ""
	if len(drawn) > 0 { // go test -v shows what it stands for
		workload, verbose = workloadVariable+"="+quote(drawnText(drawn))+" ", "-v "
	}
	dir, driver := packageDir(startDir), os.Getenv(driverVariable)
	if len(schedule)+len(workload) > longSchedule {
		schedule, workload = filepath.ToSlash(fileOf(test, schedule, drawn)), ""
		if driver != "" { // it is not the test that looks for the file
			schedule = "./" + path.Join(dir, schedule)
		}
	}
	if strings.Trim(dir, plain) != "" {
		dir = quote(dir)
	}
	parts := strings.Split(test, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	rule := ""
	if name := os.Getenv(timersVariable); name != "" {
		rule = timersVariable + "=" + quote(name) + " "
	}
	run := "-run=" + quote(strings.Join(parts, "/"))
	if driver != "" {
		return workload + rule + driver + " " + verbose + run + " -replay=" + quote(schedule) + " " + dir
	}
	return workload + rule + "MODELCHECK_REPLAY=" + quote(schedule) + " go test " + verbose + run + " " + dir
}

// plain is what a shell takes as it is, as far as names of directories go.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./"

// quote quotes s for a POSIX shell.
func quote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// packageDir names the package in dir as go test takes it from the module's
// root, "." when dir is no part of a module. Go runs tests in the package's
// directory.
func packageDir(dir string) string {
	for root := dir; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			rel, err := filepath.Rel(root, dir)
			if err != nil || rel == "." {
				return "."
			}
			return "./" + path.Clean(filepath.ToSlash(rel))
		}
		if root == filepath.Dir(root) {
			return "."
		}
	}
}

// variantOf returns the subtest's part of a test's name.
func variantOf(test string) string {
	_, variant, _ := strings.Cut(test, "/")
	return variant
}
