package rate

import (
	"math"
	"time"
)

// Burst is the excess of events that follows for a while when more events have come than usual:
//
//	λ(t) = Usual(t) + Excess · e^(−(t − At)/burstDecay)   from At on
//
// In 26 weeks of 800 feeds, a third of the posts that come beyond the expected ones within an
// hour or two is the excess of the next such time, whatever the feed and the size of the burst.
// After half a day nothing is left.
type Burst struct {
	Excess float64 // events per hour at At
	Recent float64 // recent events, older ones counting for less
	Ratio  float64 // Recent divided by its expected value
	At     time.Time
}

const (
	burstShare = 1.0 / 3 // share of the excess that goes on
	burstDecay = 2.5     // hours
	// followerDecay is the memory in hours of Tally.Followers: an event u hours ago counts
	// e^(−u/followerDecay).
	followerDecay = 1.5
	// burstLength is the time after which nothing is left of a burst.
	burstLength = 12 * time.Hour
	// suddenEvents is how many recent events a sudden burst has at least.
	suddenEvents = 1.5
)

// Burst returns the burst that a source is in at t.At, given its usual rate; the zero Burst if it is
// in none.
func (t *Tally) Burst(usual *Sampler) Burst {
	const memory = time.Duration(followerDecay * float64(time.Hour)) // of Followers.Trace
	recent := t.recentEvents()
	if recent == 0 {
		return Burst{}
	}
	expected := followerDecay * usual.Sample(t.At.Add(-2*memory), 2*memory, 1)[0]
	return Burst{Excess: burstShare * max(0, recent-expected) / followerDecay, Recent: recent, Ratio: recent / expected, At: t.At}
}

// addFollower counts an event among the recent ones. An event out of order is ignored.
func (t *Tally) addFollower(e time.Time) {
	g := &t.Followers
	if !g.Last.IsZero() {
		if !e.After(g.Last) {
			return
		}
		g.Trace *= math.Exp(-e.Sub(g.Last).Hours() / followerDecay)
	}
	g.Trace++
	g.Last = e
}

// recentEvents counts the events before t.At, older ones less; 0 if the last is too old for a burst.
func (t *Tally) recentEvents() float64 {
	since := t.At.Sub(t.Followers.Last)
	if t.Followers.Last.IsZero() || since < 0 || since > burstLength {
		return 0
	}
	return t.Followers.Trace * math.Exp(-since.Hours()/followerDecay)
}

// MayBurst reports whether enough events are recent for a sudden burst, whatever the usual rate.
func (t *Tally) MayBurst() bool { return t.recentEvents() >= suddenEvents }

// Expected returns how many events are expected to follow beyond the usual ones.
func (b Burst) Expected() float64 { return b.Excess * burstDecay }

// Sudden reports whether a burst is worth planning for at once: more than one event, more than
// chance would bring, and more expected to come.
func (b Burst) Sudden() bool { return b.Recent >= suddenEvents && b.Expected() >= 0.5 && b.Ratio >= 2 }

// End returns when nothing is left of it.
func (b Burst) End() time.Time { return b.At.Add(burstLength) }

// add adds the burst to the levels of bins from a time on.
func (b Burst) add(levels []float64, from time.Time, bin time.Duration) {
	end := b.End()
	if b.Excess <= 0 || !from.Before(end) {
		return
	}
	left := func(k int) float64 { // share left at the start of bin k
		return math.Exp(-max(0, from.Add(time.Duration(k)*bin).Sub(b.At).Hours()) / burstDecay)
	}
	here := left(0)
	for k := range levels {
		next := left(k + 1)
		levels[k] += b.Excess * (here - next) * burstDecay / bin.Hours()
		here = next
		if !from.Add(time.Duration(k+1) * bin).Before(end) {
			return
		}
	}
}
