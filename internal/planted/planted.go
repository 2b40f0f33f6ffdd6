// Package planted lets tests show that they can fail: they are run again with a defect in
// the code under test.
package planted

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// Overlay returns a file for the flag -overlay of the go command, which puts text in the
// place of what is in file. It lasts as long as the test.
func Overlay(t testing.TB, file string, text []byte) string {
	t.Helper()
	dir := t.TempDir()
	path, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	changed, overlay := filepath.Join(dir, "planted.go"), filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{path: changed}})
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string][]byte{changed: text, overlay: replace} {
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return overlay
}
