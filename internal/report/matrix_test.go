package report

import (
	"testing"
	"time"
)

func TestRoundTimeHasThreeDigits(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                                    "-",
		7:                                    "7ns",
		999:                                  "999ns",
		1234:                                 "1.23µs",
		1235:                                 "1.24µs",
		987654:                               "988µs",
		999999:                               "1ms",
		12345 * time.Microsecond:             "12.3ms",
		2*time.Second + 345*time.Millisecond: "2.35s",
	} {
		if got := RoundTime(d); got != want {
			t.Errorf("RoundTime(%d) = %q, want %q", d, got, want)
		}
	}
}
