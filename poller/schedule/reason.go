package schedule

import (
	"math"
	"time"

	"kairos/useraccess/rate"
)

// Code is why a fetch happens in the background.
type Code string

// The codes of reasons.
const (
	Planned  Code = "plan"     // an instant of the plan
	TopUp    Code = "top-up"   // the window was opened
	CatchUp  Code = "catch-up" // after sleep or a closed program
	Presence Code = "presence" // a sign foretells that the user is about to come
	Burst    Code = "burst"    // the feed has posted more than its hours tell
	Retry    Code = "retry"    // after a failure
)

// Codes lists them all.
var Codes = []Code{Planned, TopUp, CatchUp, Presence, Burst, Retry}

// Reason is why an instant is planned: a code and what belongs to it.
type Reason struct {
	Code     Code          `json:"code"`
	Visit    time.Time     `json:"visit,omitzero"`     // the usual visit it is for; zero if none stands out
	Posts    float64       `json:"posts,omitempty"`    // articles it is expected to bring
	Every    time.Duration `json:"every,omitempty"`    // the longest gap the user asks for, if that is why, ns
	Days     int           `json:"days,omitempty"`     // of the feed's cycle, if it is fetched every so many days
	Failures int           `json:"failures,omitempty"` // in a row, before a retry
	Ago      time.Duration `json:"ago,omitempty"`      // since the last fetch, for a catch-up; 0: never fetched, ns
}

// reason says why feed f is fetched at bin s, when posts articles are expected.
func (p *planning) reason(f *FeedPlan, s int, posts float64) Reason {
	r := Reason{Code: Planned, Posts: posts}
	if bin, ok := p.nextVisit(s); ok {
		r.Visit = p.start.Add(time.Duration(bin) * Bin)
	}
	switch {
	case f.Feed.Failures > 0:
		r.Code, r.Failures = Retry, f.Feed.Failures
	case p.bursts(f, s):
		r.Code = Burst
	case p.foretold(s) && !f.wanted():
		return Reason{Code: Presence, Posts: posts}
	}
	switch {
	case f.Feed.Failures > 0:
	case f.wanted():
		r.Every = f.every
	case r.Code != Burst && f.Cycle.Every > 1:
		r.Days = f.Cycle.Every
	}
	return r
}

// foretold reports whether a fetch at bin s is for a visit that a sign foretells.
func (p *planning) foretold(s int) bool {
	return p.Signs.Chance >= TellingSign && p.start.Add(time.Duration(s)*Bin).Before(p.Signs.Sign.At.Add(rate.SignHorizon))
}

// visit is a time at which the user usually comes: a peak of the learned access rate.
type visit struct {
	peak       int // bin
	begin, end int // the bins around it that have at least half the rate of the peak
}

// clearPeak is how much higher than the mean a peak of the access rate must be to stand for a
// usual visit. The waking day of somebody of whom nothing is known has 1.7.
const clearPeak = 2

// visitsOf returns the peaks of a rate: each at least clearPeak times the mean, and between two of them
// less than half of either.
func visitsOf(rate []float64, mean float64) (all []visit) {
	top, bottom, falling := 0, 0, false
	for k, x := range rate {
		switch {
		case !falling && x < rate[top]/2:
			if rate[top] >= clearPeak*mean {
				all = append(all, visit{top, halfOf(rate, top), k})
			}
			falling, bottom = true, k
		case !falling && x > rate[top]:
			top = k
		case falling && x > 2*rate[bottom]:
			falling, top = false, k
		case falling && x < rate[bottom]:
			bottom = k
		}
	}
	return all
}

// halfOf returns the first of the bins up to a peak that have at least half of its rate.
func halfOf(rate []float64, peak int) int {
	k := peak
	for k > 0 && rate[k-1] >= rate[peak]/2 {
		k--
	}
	return k
}

// nextVisit returns the bin of the usual visit that a fetch at bin s is for; not ok if none stands
// out, or if the user is as likely as not to come before it.
func (p *planning) nextVisit(s int) (bin int, ok bool) {
	for _, v := range p.visits {
		if v.end <= s {
			continue
		}
		before := 0.0
		for k := s; k < v.begin; k++ {
			before += p.usual[k] * Bin.Hours()
		}
		return v.peak, before < math.Ln2
	}
	return 0, false
}
