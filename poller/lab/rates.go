package lab

import (
	"time"

	"kairos/useraccess/rate"
)

// shrunk are the posterior rates of the average day, as the poller learns them.
func shrunk(v *View) (access []float64, posting func(feed int) []float64) {
	access = v.Access().Posterior(rate.AccessPrior).Circle(dayBins, zone(v))
	return access, func(feed int) []float64 {
		return v.Posting(feed).Posterior(rate.FeedPrior).Circle(dayBins, 0)
	}
}

// memory is how much of the past the papers' estimators count.
const memory = 14 * day

// raw are the hourly histograms of the last 14 days, joined linearly (He–Parker
// §6.1.2): no prior, so what was not seen is impossible.
func raw(v *View) (access []float64, posting func(feed int) []float64) { return rawOver(v, memory) }

// rawOver is raw with another memory.
func rawOver(v *View, memory time.Duration) (access []float64, posting func(feed int) []float64) {
	reading, posts := histogramsOf(v, memory)
	return reading.Circle(dayBins, zone(v)), func(feed int) []float64 { return posts(feed).Circle(dayBins, 0) }
}

// histogramsOf are those of so much of the past.
func histogramsOf(v *View, memory time.Duration) (access rate.Profile, posting func(feed int) rate.Profile) {
	now := v.Now()
	if v.Frozen() {
		now = v.Start()
	}
	from := now - int64(memory/time.Second)
	access = histogram(between(v.Accesses(), from, now), memory, zone(v))
	return access, func(feed int) rate.Profile {
		return histogram(between(v.Posts(feed), from, now), memory, 0)
	}
}

// zone is what the user's wall clock is ahead of UTC.
func zone(v *View) time.Duration {
	_, seconds := time.Unix(v.Now(), 0).In(v.Zone()).Zone()
	return time.Duration(seconds) * time.Second
}

func histogram(events []int64, over, zone time.Duration) (p rate.Profile) {
	for _, e := range events {
		h := (e + int64(zone/time.Second)) % daySeconds / 3600
		p.Weekday[h] += 1 / over.Hours() * rate.Hours
	}
	p.Weekend = p.Weekday
	return p
}
