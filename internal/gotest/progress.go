package gotest

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"
)

// Progress says how far a check is that works for long.
type Progress struct {
	Test      string  `json:"test"`
	Schedules int64   `json:"schedules"`  // run so far
	Asked     int64   `json:"asked"`      // at most
	PerSecond float64 `json:"per_second"` // lately
	Classes   int64   `json:"classes"`    // trace classes, 0 if they are not counted
	New       int64   `json:"new"`        // classes first seen in the last quarter of the schedules
	Found     int64   `json:"found"`      // expected findings
	Share     float64 `json:"share"`      // estimated share of a complete search, 0 for others
}

// pollEvery is how often the file is looked at.
const pollEvery = 200 * time.Millisecond

// listen makes the file and calls tell with every line that package explore appends to
// it, until stop is called, from a goroutine that has then ended. Lines that it does not
// understand are of another version and passed over.
func listen(file string, tell func(Progress)) (stop func(), err error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDONLY, 0o644)
	if err != nil {
		return nil, err
	}
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		defer f.Close()
		tick := time.NewTicker(pollEvery)
		defer tick.Stop()
		lines := bufio.NewReader(f)
		var rest []byte // of a line that is not whole yet
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
			}
			for {
				part, err := lines.ReadBytes('\n')
				rest = append(rest, part...)
				if errors.Is(err, io.EOF) || err != nil {
					break
				}
				var p Progress
				if json.Unmarshal(rest, &p) == nil && p.Test != "" {
					tell(p)
				}
				rest = rest[:0]
			}
		}
	}()
	return func() { close(quit); <-done }, nil
}
