package environment

import "testing"

func TestNearestNameIsAtMostTwoTypingErrorsAway(t *testing.T) {
	names := []string{"run", "replay", "version", "help"}
	for name, want := range map[string]string{
		"run":      "run",
		"rnu":      "run",
		"rum":      "run",
		"relpay":   "replay",
		"replya":   "replay",
		"verion":   "version",
		"versions": "version",
		"hlpe":     "help",
		"":         "",
		"xyz":      "",
		"test":     "",
		"playback": "",
	} {
		if got := Nearest(name, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}
