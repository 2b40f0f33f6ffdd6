// Package time takes the place of package time in programs that "modelcheck test" has
// rewritten; see package lang. Under control time is that of the run, which starts at
// midnight UTC 2000-01-01 and moves as model.Now says. Times, durations and
// everything else that does not read the clock are those of package time.
package time

import (
	"time"

	"github.com/modelcheck-go/modelcheck/model"
)

// Now is [time.Now].
func Now() Time { return model.Now() }

// Since is [time.Since].
func Since(t Time) Duration { return model.Since(t) }

// Until is [time.Until].
func Until(t Time) Duration { return model.Until(t) }

// Sleep is [time.Sleep].
func Sleep(d Duration) { model.Sleep(d) }

type (
	Time       = time.Time
	Duration   = time.Duration
	Month      = time.Month
	Weekday    = time.Weekday
	Location   = time.Location
	ParseError = time.ParseError
)

const (
	Nanosecond  = time.Nanosecond
	Microsecond = time.Microsecond
	Millisecond = time.Millisecond
	Second      = time.Second
	Minute      = time.Minute
	Hour        = time.Hour
)

const (
	January   = time.January
	February  = time.February
	March     = time.March
	April     = time.April
	May       = time.May
	June      = time.June
	July      = time.July
	August    = time.August
	September = time.September
	October   = time.October
	November  = time.November
	December  = time.December
)

const (
	Sunday    = time.Sunday
	Monday    = time.Monday
	Tuesday   = time.Tuesday
	Wednesday = time.Wednesday
	Thursday  = time.Thursday
	Friday    = time.Friday
	Saturday  = time.Saturday
)

const (
	Layout      = time.Layout
	ANSIC       = time.ANSIC
	UnixDate    = time.UnixDate
	RubyDate    = time.RubyDate
	RFC822      = time.RFC822
	RFC822Z     = time.RFC822Z
	RFC850      = time.RFC850
	RFC1123     = time.RFC1123
	RFC1123Z    = time.RFC1123Z
	RFC3339     = time.RFC3339
	RFC3339Nano = time.RFC3339Nano
	Kitchen     = time.Kitchen
	Stamp       = time.Stamp
	StampMilli  = time.StampMilli
	StampMicro  = time.StampMicro
	StampNano   = time.StampNano
	DateTime    = time.DateTime
	DateOnly    = time.DateOnly
	TimeOnly    = time.TimeOnly
)

var (
	UTC   = time.UTC
	Local = time.Local
)

// Date is [time.Date].
func Date(year int, month Month, day, hour, min, sec, nsec int, loc *Location) Time {
	return time.Date(year, month, day, hour, min, sec, nsec, loc)
}

// Unix is [time.Unix].
func Unix(sec int64, nsec int64) Time { return time.Unix(sec, nsec) }

// UnixMilli is [time.UnixMilli].
func UnixMilli(msec int64) Time { return time.UnixMilli(msec) }

// UnixMicro is [time.UnixMicro].
func UnixMicro(usec int64) Time { return time.UnixMicro(usec) }

// Parse is [time.Parse].
func Parse(layout, value string) (Time, error) { return time.Parse(layout, value) }

// ParseInLocation is [time.ParseInLocation].
func ParseInLocation(layout, value string, loc *Location) (Time, error) {
	return time.ParseInLocation(layout, value, loc)
}

// ParseDuration is [time.ParseDuration].
func ParseDuration(s string) (Duration, error) { return time.ParseDuration(s) }

// FixedZone is [time.FixedZone].
func FixedZone(name string, offset int) *Location { return time.FixedZone(name, offset) }

// LoadLocation is [time.LoadLocation].
func LoadLocation(name string) (*Location, error) { return time.LoadLocation(name) }

// LoadLocationFromTZData is [time.LoadLocationFromTZData].
func LoadLocationFromTZData(name string, data []byte) (*Location, error) {
	return time.LoadLocationFromTZData(name, data)
}
