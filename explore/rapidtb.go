package explore

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// rapidTB is what rapid sees of the test. Its FailNow returns, so that the check can
// add its report when rapid is done; the test fails all the same.
type rapidTB struct {
	TB
	failed bool

	drawn []string // what rapid has logged about the draws of the last case

	// Rapid's way to reproduce a failure is kept back: there is a better one if a
	// schedule was found. The file is one that it has written for this failure, or "".
	hint, failFile string
}

const drawPrefix = "[rapid] draw "

var (
	hintForm = regexp.MustCompile(`\nTo reproduce, specify [^\n]*`)
	// Rapid names the seed too if it has just found the failure and written the file.
	newFileForm = regexp.MustCompile(`-rapid\.failfile=("(?:[^"\\]|\\.)*") \(or -rapid\.seed=`)
)

func (t *rapidTB) Logf(format string, args ...any) {
	t.TB.Helper()
	text := fmt.Sprintf(format, args...)
	if drawn, ok := strings.CutPrefix(text, drawPrefix); ok {
		t.drawn = append(t.drawn, drawn)
	}
	t.TB.Logf("%s", text)
}

func (t *rapidTB) Errorf(format string, args ...any) {
	t.TB.Helper()
	t.failed = true
	text := fmt.Sprintf(format, args...)
	if hint := hintForm.FindString(text); hint != "" {
		t.hint = strings.TrimSpace(hint)
		if m := newFileForm.FindStringSubmatch(hint); m != nil {
			t.failFile, _ = strconv.Unquote(m[1])
		}
		text = strings.Replace(text, hint, "", 1)
	}
	t.TB.Errorf("%s", text)
}

func (t *rapidTB) Error(args ...any) { t.TB.Helper(); t.Errorf("%s", fmt.Sprint(args...)) }
func (t *rapidTB) Fatalf(format string, args ...any) {
	t.TB.Helper()
	t.Errorf(format, args...)
}
func (t *rapidTB) Fatal(args ...any)        { t.TB.Helper(); t.Error(args...) }
func (t *rapidTB) Log(args ...any)          { t.TB.Helper(); t.TB.Logf("%s", fmt.Sprint(args...)) }
func (t *rapidTB) Fail()                    { t.failed = true }
func (t *rapidTB) FailNow()                 { t.failed = true }
func (t *rapidTB) Failed() bool             { return t.failed }
func (t *rapidTB) Skip(args ...any)         { t.TB.Helper(); t.Log(args...) }
func (t *rapidTB) Skipf(f string, a ...any) { t.TB.Helper(); t.TB.Logf(f, a...) }
func (t *rapidTB) SkipNow()                 {}

// workload lists what was drawn for the last case, the seed excepted.
func (t *rapidTB) workload() []string {
	var list []string
	for _, d := range t.drawn {
		if !strings.HasPrefix(d, seedLabel+":") {
			list = append(list, strings.ReplaceAll(d, "\n", " "))
		}
	}
	return list
}

// discard removes the fail file that rapid has written for a failure of which there is
// a schedule, and the directories that it made for it.
func (t *rapidTB) discard() {
	if t.failFile == "" || os.Remove(t.failFile) != nil {
		return
	}
	dir := filepath.Dir(t.failFile) // testdata/rapid/TestX
	for range 2 {
		if os.Remove(dir) != nil { // others are in it
			return
		}
		dir = filepath.Dir(dir)
	}
}

// drawsOf returns how often something was drawn with rt, -1 when this version of
// rapid does not tell.
func drawsOf(rt *rapid.T) int {
	f := reflect.ValueOf(rt).Elem().FieldByName("draws")
	if !f.CanInt() {
		return -1
	}
	return int(f.Int())
}

// wordsOf returns the numbers that a case is going to be drawn from, nil if they are
// random or this version of rapid does not tell.
func wordsOf(rt *rapid.T) (words []uint64) {
	s := reflect.ValueOf(rt).Elem().FieldByName("s")
	for s.Kind() == reflect.Interface || s.Kind() == reflect.Pointer {
		s = s.Elem()
	}
	if s.Kind() != reflect.Struct {
		return nil
	}
	list := s.FieldByName("buf")
	if list.Kind() != reflect.Slice || list.Type().Elem().Kind() != reflect.Uint64 {
		return nil
	}
	for i := range list.Len() {
		words = append(words, list.Index(i).Uint())
	}
	return words
}
