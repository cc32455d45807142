package policy

import (
	"time"

	"kairos/poller/lab/traces"
)

// AutoTTL is the FreshRSS extension of that name: it waits the mean gap between the items of
// the last 30 days, the one since the newest included, an hour to a day.
var AutoTTL = waitAfter("autottl", func(last int64, items []int64) time.Duration {
	const least, most = time.Hour, 24 * time.Hour
	items = traces.Between(items, last-30*daySeconds, last)
	if len(items) == 0 {
		return most
	}
	mean := time.Duration(last-items[0]) * time.Second / time.Duration(len(items))
	if mean <= 0 {
		return most
	}
	return min(max(mean, least), most)
})
