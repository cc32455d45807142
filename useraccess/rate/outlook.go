package rate

import (
	"math"
	"time"
)

// Outlook is what is expected of the coming hours, given when the last event was:
// events come in clusters, so that soon after one more of them are likely than
// the time of day tells, and in a lull fewer. u hours after an event
//
//	λ(t) = Quiet · Usual(t) + Again / u,   soonest ≤ u < latest
//
// The second term is the excess of the pair correlation over the profile. On
// 26 weeks of 186 people it falls as 1/u from minutes to half a day, whoever it is;
// what differs is how strong it is.
type Outlook struct {
	Usual Profile
	Quiet float64   // of the usual rate, apart from clusters
	Again float64   // excess events
	Last  time.Time // the last event; zero: none is known
}

const (
	soonest = 1.0 / 6 // h: accesses less than ten minutes apart are one
	latest  = 12.0    // h: the next day is the profile's affair

	// again is the memory in which followers are counted (Again.Count), in hours: an
	// event u hours after another counts e^(−u/again).
	again = 1.5
	// againMass is what an excess of 1/u puts into that count an event:
	// ∫ e^(−u/again)/u du from soonest on, E₁(1/9).
	againMass = 1.728
	// againFloor is the least excess: nobody comes like clockwork.
	againFloor = 0.05
)

// Outlook is the posterior of the coming hours. A prior with Again 0 knows of no
// clusters: there it is the profile.
func (t Tally) Outlook(p Prior) Outlook {
	o := Outlook{Usual: t.Posterior(p), Quiet: 1}
	if p.Again <= 0 {
		return o
	}
	o.Quiet, o.Last = p.Quiet, t.Again.Last
	chance := 0.0 // followers an event, if the profile were all
	if events := t.Events(); events > 0 {
		for h := range Hours {
			chance += t.Count[0][h]*o.Usual.Weekday[h] + t.Count[1][h]*o.Usual.Weekend[h]
		}
		chance *= again * math.Exp(-soonest/again) / events
	}
	n := t.Again.Events
	o.Again = (p.Clusters*p.Again + (t.Again.Count-n*chance)/againMass) / (p.Clusters + n)
	o.Again = max(againFloor, o.Again)
	// Who does not come in clusters has no lulls either.
	o.Quiet = 1 - (1-p.Quiet)*min(1, o.Again/p.Again)
	return o
}

// Sample is the mean intensity, in events per hour, of each of n bins from `from`
// on, as Profile.Sample.
func (o Outlook) Sample(from time.Time, bin time.Duration, n int, loc *time.Location) []float64 {
	out := o.Usual.Sample(from, bin, n, loc)
	if o.Last.IsZero() {
		return out // no lull without an event
	}
	width := bin.Hours()
	since := from.Sub(o.Last).Hours()
	for k := range out {
		out[k] *= o.Quiet
		if o.Again <= 0 {
			continue
		}
		a := max(soonest, since+float64(k)*width)
		b := min(latest, since+float64(k+1)*width)
		if b > a {
			out[k] += o.Again * math.Log(b/a) / width
		}
	}
	return out
}

// follow counts an event as a follower of those before it. One that comes out of
// order is left out.
func (t *Tally) follow(e time.Time, left float64) {
	g := &t.Again
	if !g.Last.IsZero() {
		if !e.After(g.Last) {
			return
		}
		g.Trace *= math.Exp(-e.Sub(g.Last).Hours() / again)
	}
	g.Count += left * g.Trace
	g.Events += left
	g.Trace++
	g.Last = e
}
