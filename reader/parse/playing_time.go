package parse

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxPlayingTime is more than any episode or audio book plays, in seconds: a week.
const maxPlayingTime = 7 * 24 * 3600

// PlayingTime returns how long something plays, in seconds: the given ones, or 0 where these cannot be.
func PlayingTime(seconds float64) int64 {
	if seconds >= 1 && seconds <= maxPlayingTime { // not NaN either
		return int64(seconds)
	}
	return 0
}

// readPlayingTime reads a duration as feeds write it; 0 stands for one that readClock refuses, or that is longer than a week.
func readPlayingTime(text string) int64 {
	seconds, _ := readClock(text)
	return PlayingTime(seconds)
}

// maxClock is the longest time that is read, in seconds.
const maxClock = 1e6

// readClock reads a time as feeds write it: in seconds, or as hours, minutes and seconds on a clock (itunes:duration, psc:chapter). ok
// is false if it is neither, has more than 59 minutes in an hour, or is longer than maxClock.
func readClock(text string) (seconds float64, ok bool) {
	parts := strings.Split(strings.TrimSpace(text), ":")
	if len(parts) > 3 {
		return 0, false
	}
	for i, part := range parts {
		part = strings.TrimSpace(part)
		if part == "" || strings.Trim(part, "0123456789.") != "" { // no sign, exponent or word that stands for a number
			return 0, false
		}
		n, err := strconv.ParseFloat(part, 64)
		if err != nil || i > 0 && n >= 60 {
			return 0, false
		}
		seconds = seconds*60 + n
	}
	if seconds > maxClock {
		return 0, false
	}
	return seconds, true
}

// clockTime writes seconds as hours, minutes and seconds.
func clockTime(seconds int64) string {
	clock := time.Unix(seconds, 0).UTC().Format("04:05")
	if hours := seconds / 3600; hours > 0 {
		return strconv.FormatInt(hours, 10) + ":" + clock
	}
	return strings.TrimPrefix(clock, "0")
}

// setPlayingTime stores how long an item plays as the length of its first audio or video, or of its only file, unless the file has
// a length of its own, and reports whether a file has one then.
func (d *draft) setPlayingTime(seconds int64) bool {
	at := slices.IndexFunc(d.Enclosures, func(e Enclosure) bool {
		kind := strings.ToLower(e.Type)
		return strings.HasPrefix(kind, "audio/") || strings.HasPrefix(kind, "video/")
	})
	if at < 0 && len(d.Enclosures) == 1 {
		at = 0
	}
	if at < 0 {
		return false
	}
	file := &d.Enclosures[at]
	if file.Seconds == 0 {
		file.Seconds = seconds
	}
	return file.Seconds > 0
}
