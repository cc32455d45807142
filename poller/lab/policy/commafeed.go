package policy

import "time"

// CommaFeed waits half the mean gap between items, 5 minutes to an hour, and longer for feeds
// that have been silent: an hour after one week, two after two, four after 30 days.
var CommaFeed = waitAfter("commafeed", func(last int64, items []int64) time.Duration {
	const least, most = 5 * time.Minute, 240 * time.Minute
	if len(items) == 0 {
		return most
	}
	newest := items[len(items)-1]
	switch silent := time.Duration(last-newest) * time.Second; {
	case silent >= 30*day:
		return most
	case silent >= 14*day:
		return most / 2
	case silent >= 7*day:
		return most / 4
	case len(items) < 2:
		return most
	}
	mean := time.Duration(newest-items[0]) * time.Second / time.Duration(len(items)-1)
	return min(max(mean/2, least), most/4)
})
