package scalar

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

var (
	errNotDuration    = errors.New("must be a duration of weeks, or of days, hours, minutes and seconds in this order, such as P2W, P1DT2H or PT1H30M")
	errCalendarUnits  = errors.New("must be a duration without years and months, which are not all of one length (a day is 24 hours)")
	errSignedDuration = errors.New("must be a duration without a sign")
	errNotWholeUnits  = errors.New("must be a duration in whole seconds, without fractions")
	errLongDuration   = errors.New("must be a duration of at most " + string(AppendDuration(nil, math.MaxInt64)))
)

// maxSeconds is the most whole seconds of a time.Duration, some 292 years.
const maxSeconds = int64(math.MaxInt64 / time.Second)

// Units of a duration and their seconds, in the order in which they may stand.
var (
	dateUnits = map[byte]int64{'W': 7 * 24 * 3600, 'D': 24 * 3600}
	timeUnits = map[byte]int64{'H': 3600, 'M': 60, 'S': 1}
)

// ParseDuration reads an ISO 8601 duration (RFC 3339, appendix A) of fixed
// length: P2W, or days, hours, minutes and seconds of which some may be left
// out, as in P1DT2H or PT45M. Years and months are refused, since they are not
// all of one length, and so are signs and fractions. A day is 24 hours. The
// longest is PT2562047H47M16S.
func ParseDuration(s string) (time.Duration, error) {
	date, clock, hasClock := strings.Cut(strings.TrimPrefix(s, "P"), "T")
	switch {
	case strings.HasPrefix(s, "-P"), strings.HasPrefix(s, "+P"):
		return 0, errSignedDuration
	case !strings.HasPrefix(s, "P"), date == "" && clock == "", hasClock && clock == "":
		return 0, errNotDuration
	}
	days, err := sumUnits(date, "YMWD", dateUnits)
	if err != nil {
		return 0, err
	}
	if strings.Contains(date, "W") && (hasClock || strings.Contains(date, "D")) {
		return 0, errNotDuration // weeks stand alone
	}
	seconds, err := sumUnits(clock, "HMS", timeUnits)
	if err != nil {
		return 0, err
	}
	if days+seconds > maxSeconds {
		return 0, errLongDuration
	}
	return time.Duration(days+seconds) * time.Second, nil
}

// sumUnits adds up numbers that each stand before their unit, the units in the
// given order, in seconds. What is longer than maxSeconds is an error.
func sumUnits(s, order string, seconds map[byte]int64) (sum int64, err error) {
	for s != "" {
		digits, rest := cutDigits(s)
		switch {
		case digits == "" || rest == "":
			return 0, errNotDuration
		case rest[0] == '.' || rest[0] == ',':
			return 0, errNotWholeUnits
		}
		at := strings.IndexByte(order, rest[0])
		if at < 0 {
			return 0, errNotDuration
		}
		unit, fixed := seconds[rest[0]]
		if !fixed {
			return 0, errCalendarUnits
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || n > (maxSeconds-sum)/unit {
			return 0, errLongDuration
		}
		sum += n * unit
		s, order = rest[1:], order[at+1:]
	}
	return sum, nil
}

// AppendDuration appends d in hours, minutes and seconds, as in PT36H15M; zero
// is PT0S. A unit of 0 is left out at either end but not in between, where RFC
// 3339 wants it: PT1H0M5S. What is finer than a second is cut off; a d below
// zero has no such form, and is written as zero.
func AppendDuration(b []byte, d time.Duration) []byte {
	seconds := max(int64(d/time.Second), 0)
	hours, minutes, seconds := seconds/3600, seconds/60%60, seconds%60
	b = append(b, "PT"...)
	if hours > 0 {
		b = append(strconv.AppendInt(b, hours, 10), 'H')
	}
	if minutes > 0 || hours > 0 && seconds > 0 {
		b = append(strconv.AppendInt(b, minutes, 10), 'M')
	}
	if seconds > 0 || hours == 0 && minutes == 0 {
		b = append(strconv.AppendInt(b, seconds, 10), 'S')
	}
	return b
}
