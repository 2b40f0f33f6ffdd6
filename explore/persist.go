package explore

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/modelcheck-go/modelcheck/internal/report"
)

// Failing schedules are kept in files below the package's directory, one per
// schedule, named after a hash of what they hold:
//
//	testdata/modelcheck/TestX/sub/0123456789abcdef.schedule
//
// They are meant to be committed until the bug is fixed.
const (
	scheduleDir  = "testdata/modelcheck"
	scheduleExt  = ".schedule"
	fileVersion  = "v1"
	fileTitle    = "# modelcheck schedule "
	hashedPrefix = 16 // hexadecimal digits
)

// savedSchedule is what a schedule file holds. Only test, timers, drawn and schedule are
// used again by the test; the rest is for people and for the modelcheck command.
type savedSchedule struct {
	test     string
	pkg      string
	driver   string // the command that runs the test, "" for go test
	strategy string
	seed     uint64
	index    uint64
	timers   TimerRule // "" if the run started none
	findings []string
	workload []string // of a property, as rapid shows it
	drawn    []uint64 // and what rapid draws it from
	steps    int      // of the run
	hash     uint64   // of its operations; 0 if it is not known
	schedule string
}

func (s savedSchedule) text() string {
	var b strings.Builder
	b.WriteString(fileTitle + fileVersion + "\n")
	fmt.Fprintf(&b, "# test: %s\n", s.test)
	fmt.Fprintf(&b, "# package: %s\n", s.pkg)
	if s.driver != "" {
		fmt.Fprintf(&b, "# driver: %s\n", s.driver)
	}
	for _, f := range s.findings {
		fmt.Fprintf(&b, "# finding: %s\n", f)
	}
	for _, w := range s.workload {
		fmt.Fprintf(&b, "# workload: %s\n", w)
	}
	if s.timers != "" {
		fmt.Fprintf(&b, "# timers: %s\n", s.timers.name())
	}
	if len(s.drawn) > 0 {
		fmt.Fprintf(&b, "# drawn: %s\n", drawnText(s.drawn))
	}
	fmt.Fprintf(&b, "# seed: %d schedule: %d strategy: %s\n", s.seed, s.index, s.strategy)
	if s.hash != 0 {
		fmt.Fprintf(&b, "# operations: %d, hash %016x\n", s.steps, s.hash)
	}
	b.WriteString(s.schedule + "\n")
	return b.String()
}

// parseFile reads a schedule file.
func parseFile(data []byte) (savedSchedule, error) {
	var s savedSchedule
	lines := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	version, ok := strings.CutPrefix(lines[0], fileTitle)
	if !ok {
		return s, fmt.Errorf("not a schedule file: wanted its first line to be %q, found %q", fileTitle+fileVersion, excerpt(lines[0]))
	}
	if version != fileVersion {
		return s, fmt.Errorf("schedule file of unknown version %q: this version of modelcheck reads %s", version, fileVersion)
	}
	for _, line := range lines[1:] {
		if name, ok := strings.CutPrefix(line, "# test: "); ok {
			s.test = name
		}
		if rule, ok := strings.CutPrefix(line, "# timers: "); ok {
			var err error
			if s.timers, err = namedRule(rule); err != nil {
				return s, fmt.Errorf("wanted \"# timers: \" and %s: %w", ruleNames, err)
			}
		}
		if w, ok := strings.CutPrefix(line, "# workload: "); ok {
			s.workload = append(s.workload, w)
		}
		if d, ok := strings.CutPrefix(line, "# drawn: "); ok {
			var err error
			if s.drawn, err = parseDrawn(d); err != nil {
				return s, err
			}
		}
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if s.schedule != "" {
			return s, errors.New("wanted one schedule, found a second line without #")
		}
		s.schedule = line
	}
	if s.schedule == "" {
		return s, errors.New("there is no schedule in it")
	}
	return s, nil
}

// save writes a failing schedule below dir and returns the file's name relative
// to dir. A schedule that is there already is not written again.
func save(dir string, s savedSchedule) (string, error) {
	name := fileOf(s.test, s.schedule, s.drawn)
	full := filepath.Join(dir, name)
	if _, err := os.Stat(full); err == nil {
		return name, nil
	}
	if err := writeAtomically(full, s.text()); err != nil {
		return "", fmt.Errorf("cannot save the failing schedule: %w", err)
	}
	return name, nil
}

// writeAtomically sees to it that nobody ever reads half a file.
func writeAtomically(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".schedule-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// savedFile is a schedule file as found: either what it holds or why it cannot
// be read.
type savedFile struct {
	name string // relative to the package's directory
	savedSchedule
	err error
}

// saved returns the schedule files of a test, in the order of their names. On a
// file system that does not tell upper from lower case another test's files may
// be there too: those are left out.
func saved(dir, test string) ([]savedFile, error) {
	entries, err := os.ReadDir(filepath.Join(dir, dirOf(test)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var files []savedFile
	for _, e := range entries {
		if e.IsDir() || !strings.HasSuffix(e.Name(), scheduleExt) {
			continue
		}
		f := savedFile{name: filepath.Join(dirOf(test), e.Name())}
		data, err := os.ReadFile(filepath.Join(dir, f.name))
		if err == nil {
			f.savedSchedule, err = parseFile(data)
		}
		f.err = err
		if err == nil && f.test != test {
			continue
		}
		files = append(files, f)
	}
	return files, nil
}

// fileOf returns the name of the file for a test's schedule, and its workload.
func fileOf(test, schedule string, drawn []uint64) string {
	if len(drawn) > 0 {
		schedule += " " + drawnText(drawn)
	}
	return filepath.Join(dirOf(test), hashed(schedule)+scheduleExt)
}

func hashed(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])[:hashedPrefix]
}

// dirOf returns the directory of a test's schedule files. Each part of the
// test's name is a directory of its own, with what some file system does not
// take written as %XX.
func dirOf(test string) string {
	parts := strings.Split(test, "/")
	for i, p := range parts {
		parts[i] = escape(p)
	}
	return filepath.Join(filepath.FromSlash(scheduleDir), filepath.Join(parts...))
}

// maxPart bounds the length of a file name; most file systems take 255 bytes.
const maxPart = 200

// escape writes a part of a test's name as a file name that every file system
// takes. It can be undone, except that a very long name is cut; the file's header
// has it in full.
func escape(part string) string {
	if part == "" {
		return "%"
	}
	var b strings.Builder
	for i := range len(part) {
		c := part[i]
		edge := i == 0 || i == len(part)-1
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-', c == '=', c == '+', c == ',', c == '.' && !edge:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	s := b.String()
	if isDeviceName(part) {
		s = fmt.Sprintf("%%%02X%s", part[0], s[1:])
	}
	if len(s) > maxPart {
		s = s[:maxPart-hashedPrefix-1] + "%" + hashed(part)
	}
	return s
}

// isDeviceName reports whether Windows would open a device instead of a file.
func isDeviceName(part string) bool {
	stem, _, _ := strings.Cut(strings.ToUpper(part), ".")
	switch stem {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	if len(stem) == 4 && (strings.HasPrefix(stem, "COM") || strings.HasPrefix(stem, "LPT")) {
		_, err := strconv.Atoi(stem[3:])
		return err == nil
	}
	return false
}

// lines describes findings, one line each.
func lines(fs []Finding) []string {
	out := make([]string, len(fs))
	for i, f := range fs {
		out[i] = report.Line(f, startDir)
	}
	return out
}
