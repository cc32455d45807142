package parse

import (
	"slices"
	"strconv"
	"strings"
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

// readPlayingTime reads a duration as feeds write it: in seconds, or as hours, minutes and seconds on a clock (itunes:duration).
// 0 stands for one that is neither, or that cannot be: longer than a week, or with more than 59 minutes in an hour.
func readPlayingTime(text string) int64 {
	parts := strings.Split(strings.TrimSpace(text), ":")
	if len(parts) > 3 {
		return 0
	}
	total := 0.0
	for i, part := range parts {
		part = strings.TrimSpace(part)
		if part == "" || strings.Trim(part, "0123456789.") != "" { // no sign, exponent or word that stands for a number
			return 0
		}
		n, err := strconv.ParseFloat(part, 64)
		if err != nil || i > 0 && n >= 60 {
			return 0
		}
		total = total*60 + n
	}
	return PlayingTime(total)
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
