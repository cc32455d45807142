package lab

import "time"

// reader is a policy with its own pace: when it fetches a feed next follows from
// the last fetch and the items known then.
type reader struct {
	next func(v *View, feed int) int64
}

func (reader) Learn(*View) {}

func (r reader) Next(v *View, feed int) int64 { return max(v.Last(feed)+1, r.next(v, feed)) }

// paced is a policy that waits so long after a fetch of a feed.
func paced(wait func(last int64, items []int64) time.Duration) kind {
	return kind{native: true, start: func(*View, float64) Policy {
		return reader{func(v *View, feed int) int64 {
			last, items := v.Last(feed), v.Posts(feed)
			return last + int64(wait(last, items[max(0, len(items)-window):])/time.Second)
		}}
	}}
}

// fixed60 fetches everything every hour, as readers do that know no better.
var fixed60 = paced(func(int64, []int64) time.Duration { return time.Hour })

// miniflux is its default, round robin: a clock of 60 minutes looks for feeds whose
// last check is more than 60 minutes ago. As the check comes a little after the
// clock's beat, the next beat is always too early and a feed is fetched every other
// one.
var miniflux = kind{native: true, start: func(*View, float64) Policy {
	const beat = 3600
	return reader{func(v *View, feed int) int64 {
		due := v.Last(feed) + 1 + beat
		return v.Start() + (due-v.Start()+beat-1)/beat*beat
	}}
}}

// commafeed halves the mean gap between items, from 5 minutes to an hour, and slows
// down in steps to four hours for feeds silent for one, two and four weeks.
var commafeed = paced(func(last int64, items []int64) time.Duration {
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

// autottl is FreshRSS' extension: the mean gap between the items of the last 30
// days, the open one included, from an hour to a day.
var autottl = paced(func(last int64, items []int64) time.Duration {
	const least, most = time.Hour, 24 * time.Hour
	items = between(items, last-30*daySeconds, last)
	if len(items) == 0 {
		return most
	}
	mean := time.Duration(last-items[0]) * time.Second / time.Duration(len(items))
	if mean <= 0 {
		return most
	}
	return min(max(mean, least), most)
})
