package policy

import (
	"math"

	"kairos/poller/lab"
)

// indHistPending is the expected number of waiting items at which IndHist fetches.
const indHistPending = 0.5

// IndHist is the individual history policy of Bright, Gal & Raschid (TODS 2006): it adds up
// the hourly rates of the feed's own past from the last fetch on, until half an item is
// expected to wait; a minute at least and a day at most.
var IndHist = lab.Policy{Name: "indhist", OwnPace: true, Start: func(*lab.View, float64) lab.Planner {
	return ownPace{func(v *lab.View, feed int) int64 {
		last := v.Last(feed)
		rates := hourlyRates(v.Posts(feed), v.WarmupStart(), last)
		expected := 0.0
		for t := last; t < last+daySeconds; {
			hour := t - t%3600 + 3600
			rate := rates[t%daySeconds/3600] / 3600
			if expected+rate*float64(hour-t) >= indHistPending {
				return max(last+60, t+int64(math.Round((indHistPending-expected)/rate)))
			}
			expected += rate * float64(hour-t)
			t = hour
		}
		return last + daySeconds
	}}
}}

// hourlyRates returns the events per hour, by hour of the UTC day.
func hourlyRates(events []int64, from, to int64) (rates [24]float64) {
	days := max(1, float64(to-from)/float64(daySeconds))
	for _, e := range events {
		rates[e%daySeconds/3600] += 1 / days
	}
	return rates
}
