package policy

import (
	"time"

	"kairos/poller/lab"
	"kairos/poller/lab/traces"
	"kairos/useraccess/rate"
)

// Posterior estimates the posterior rates of the average day, as the poller learns them.
func Posterior(v *lab.View) (access []float64, posting func(feed int) []float64) {
	access = v.Access().Rate(rate.AccessPrior).Circle(dayBins, v.UTCOffset())
	return access, func(feed int) []float64 {
		return v.Posting(feed).Rate(rate.FeedPrior).Circle(dayBins, 0)
	}
}

// twoWeeks is how much of the past the papers' estimators count.
const twoWeeks = 14 * day

// Histograms estimates rates as the papers do: hourly histograms over so much of the past,
// joined linearly (He–Parker §6.1.2). Without a prior, what was not seen is impossible.
func Histograms(over time.Duration) Rates {
	return func(v *lab.View) ([]float64, func(feed int) []float64) {
		access, posting := histograms(v, over)
		return access.Circle(dayBins, v.UTCOffset()), func(feed int) []float64 { return posting(feed).Circle(dayBins, 0) }
	}
}

// histograms returns the hourly histograms over so much of the past as profiles.
func histograms(v *lab.View, over time.Duration) (access rate.Profile, posting func(feed int) rate.Profile) {
	now := v.Now()
	if v.Frozen() {
		now = v.Start()
	}
	from := now - int64(over/time.Second)
	access = histogram(traces.Between(v.Accesses(), from, now), over, v.UTCOffset())
	return access, func(feed int) rate.Profile {
		return histogram(traces.Between(v.Posts(feed), from, now), over, 0)
	}
}

// histogram counts events by hour of the day; zone is ahead of UTC.
func histogram(events []int64, over, zone time.Duration) (p rate.Profile) {
	for _, e := range events {
		h := (e + int64(zone/time.Second)) % daySeconds / 3600
		p.Weekday[h] += 1 / over.Hours() * rate.Hours
	}
	p.Weekend = p.Weekday
	return p
}

// Histogram estimates a posting rate in 1/h per bin of the day from the events of so much time:
// by the hour (UTC), joined linearly.
func Histogram(events []int64, over time.Duration) []float64 {
	p := histogram(events, over, 0)
	return p.Circle(dayBins, 0)
}
