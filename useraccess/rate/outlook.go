package rate

import (
	"math"
	"time"
)

// Outlook is the rate expected in the coming hours, given when the last event was: events come in
// clusters, so soon after one, more of them are likely than the time of day tells, and otherwise
// fewer. u hours after an event
//
//	λ(t) = Background · Usual(t) + Excess / u,   clusterStart ≤ u < clusterEnd
//
// The second term is the excess of the pair correlation over the profile. On 26 weeks of 186
// people it falls as 1/u from minutes to half a day for all of them; only its strength differs.
type Outlook struct {
	Usual      Rate
	Background float64   // share of the usual rate outside of clusters
	Excess     float64   // events
	Last       time.Time // time of the last event; zero: none known
	LongRun    float64   // mean of the usual rate over the coming weeks, whatever the last days were like; 0: as usual
}

const (
	clusterStart = 1.0 / 6 // hours; accesses less than ten minutes apart are one access
	clusterEnd   = 12.0    // hours; what follows later is part of the profile

	// followerDecay is the memory in hours of Tally.Followers: an event u hours after another
	// counts e^(−u/followerDecay).
	followerDecay = 1.5
	// clusterMass is what an excess of 1/u adds to Followers.Count per event:
	// ∫ e^(−u/followerDecay)/u du from clusterStart on, E₁(1/9).
	clusterMass = 1.728
	// minExcess is the least Outlook.Excess.
	minExcess = 0.05
)

// Outlook returns the posterior of the coming hours. With a prior whose ClusterExcess is 0 there are
// no clusters, and it equals the posterior profile.
func (t Tally) Outlook(p Prior) Outlook {
	o := Outlook{Usual: t.Rate(p), Background: 1, LongRun: t.LongRun(p, 0).Mean()}
	if p.ClusterExcess <= 0 {
		return o
	}
	o.Background, o.Last = p.Background, t.Followers.Last
	chance := 0.0 // followers per event by the profile alone
	if events := t.Events(); events > 0 {
		for h := range Hours {
			chance += t.Count[0][h]*o.Usual.Weekday[h] + t.Count[1][h]*o.Usual.Weekend[h]
		}
		chance *= followerDecay * math.Exp(-clusterStart/followerDecay) / events
	}
	n := t.Followers.Events
	o.Excess = (p.ClusterStrength*p.ClusterExcess + (t.Followers.Count-n*chance)/clusterMass) / (p.ClusterStrength + n)
	o.Excess = max(minExcess, o.Excess)
	// Without clusters there are no lulls.
	o.Background = 1 - (1-p.Background)*min(1, o.Excess/p.ClusterExcess)
	return o
}

// LongRun is RateAfter for the coming weeks instead of the coming days: the recent level does not count.
func (t Tally) LongRun(p Prior, silence time.Duration) Rate {
	p.LevelStrength = 0
	return t.RateAfter(p, silence)
}

// Sample returns the mean rate, in events per hour, of each of n bins from a time on, as
// Rate.Sample does.
func (o Outlook) Sample(from time.Time, bin time.Duration, n int, loc *time.Location) []float64 {
	out := o.Usual.Sample(from, bin, n, loc)
	if o.Last.IsZero() {
		return out // no clusters, no lulls
	}
	width := bin.Hours()
	since := from.Sub(o.Last).Hours()
	for k := range out {
		out[k] *= o.Background
		if o.Excess <= 0 {
			continue
		}
		a := max(clusterStart, since+float64(k)*width)
		b := min(clusterEnd, since+float64(k+1)*width)
		if b > a {
			out[k] += o.Excess * math.Log(b/a) / width
		}
	}
	return out
}

// addFollower counts an event, of some weight, as a follower of those before it. An event out of
// order is ignored.
func (t *Tally) addFollower(e time.Time, weight float64) {
	g := &t.Followers
	if !g.Last.IsZero() {
		if !e.After(g.Last) {
			return
		}
		g.Trace *= math.Exp(-e.Sub(g.Last).Hours() / followerDecay)
	}
	g.Count += weight * g.Trace
	g.Events += weight
	g.Trace++
	g.Last = e
}
