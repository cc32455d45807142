package lab

import "math"

// pending is the number of items that IndHist lets wait.
const pending = 0.5

// indhist is the individual history policy of Bright, Gal and Raschid (TODS 2006):
// hourly rates of the feed's own past, run forward from the last fetch until half an
// item is expected to wait; at least a minute and at most a day.
var indhist = kind{native: true, start: func(*View, float64) Policy {
	return reader{func(v *View, feed int) int64 {
		last := v.Last(feed)
		rates := hourly(v.Posts(feed), v.begin(), last)
		expected := 0.0
		for t := last; t < last+daySeconds; {
			hour := t - t%3600 + 3600
			rate := rates[t%daySeconds/3600] / 3600
			if expected+rate*float64(hour-t) >= pending {
				return max(last+60, t+int64(math.Round((pending-expected)/rate)))
			}
			expected += rate * float64(hour-t)
			t = hour
		}
		return last + daySeconds
	}}
}}

// hourly are the events an hour by hour of the UTC day, over whole days.
func hourly(events []int64, from, to int64) (rates [24]float64) {
	days := max(1, float64(to-from)/float64(daySeconds))
	for _, e := range events {
		rates[e%daySeconds/3600] += 1 / days
	}
	return rates
}
