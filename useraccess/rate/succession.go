package rate

import (
	"math"
	"time"
)

// Succession is what the events of a source known at a time tell about those to come: the rate expected then, relative to
// the usual one, by how long the last known event is ago and how much of that time nobody has looked.
//
//	λ(t) = usual(t) · silent(u, Λ)^(1−s) · since(u, Λ)^s · sudden(t) · own(uΛ)^e^(−Λv),   u = t − Last,   v = t − At,   s = v/u
//
// Λ is the class of the source, its events a day. silent is the hazard u hours after an event if there was none
// since; since is the rate u hours after an event whatever has come since. So what is expected of an unseen
// future needs no recursion over all that may happen in it, and totals hold. sudden is the burst: more events within the last
// hours than usual. own is what this source has done beside all of its class, by bands of the events expected since the last one; of
// what has come unseen it tells nothing.
//
// The population's part is fitted to the posts of the 285 feeds of half 1 of the panel in 22 weeks, fetched every 1½ to 7½ hours,
// by the likelihood of what was posted in the nine days after a fetch, a feed with n posts weighted 1/(1 + n/1000). Cross-validated there,
// in the day after a fetch the whole gains, over the usual rate, 0.18 nats a post below 0.3 posts a day, 0.03 up to 2, 0.007 up to 20 and
// 0.002 above; without what is the feed's own 0.17, 0.015, 0.005, 0.002. A third of the excess of posts going on for hours, which was added
// before, gained 0.00, 0.01, 0.002, 0.001. The strengths are the best of some tried.
//
// The zero Succession tells nothing.
type Succession struct {
	At     time.Time // up to then events are known
	age    float64   // hours since the last event, at At
	perDay float64   // Λ

	recent, expected float64 // events, older ones counting for less
	sudden           float64 // logarithm of the ratio of these, each and one more
	typical          typical
	own              [ownBands]float64 // logarithms
}

const (
	// followerDecay is the memory in hours of Tally.Followers: an event u hours ago counts
	// e^(−u/followerDecay).
	followerDecay = 1.5
	// youngest is the least number of hours since an event that is told apart.
	youngest = 0.1
	// A sudden burst has so many recent events at least, so many times the expected ones, and so many more than usual are expected in the
	// hours to come.
	suddenEvents, suddenRatio, suddenMore, suddenHours = 1.5, 2, 0.5, 6
	// suddenFor is how long a burst may still be called one.
	suddenFor = 12 * time.Hour
	// unseenSpan is the longest time between two looks that tells what the source does by itself.
	unseenSpan = 48 * time.Hour
)

// ownBands is the number of bands by events expected since the last one, which ownEdges separates.
const ownBands = 8

var ownEdges = [ownBands - 1]float64{.05, .25, .5, 1, 2, 4, 8}

// youngBands are those before the next event is due.
const youngBands = 3

// Own counts, by bands of the events expected since the last known one, the events of a source and how many of them
// were expected of its class, older ones counting for less.
type Own struct {
	Count    [ownBands]float64 `json:"count"`
	Expected [ownBands]float64 `json:"expected"`
}

// ownStrength is how many events of its own a source needs to differ from its class by half: the fewer the rarer they are,
// as the events of busy sources come in clumps.
func ownStrength(perDay float64) float64 { return min(200, max(10, 20*perDay)) }

// scaled multiplies all counts.
func (o *Own) scaled(x float64) {
	for b := range o.Count {
		o.Count[b] *= x
		o.Expected[b] *= x
	}
}

// An interval in which more than clumpEvents + clumpShare times the expected events came counts like one with so many.
const clumpEvents, clumpShare = 6, 3

// logs returns the logarithms of what the source does beside all of its class: first of the young and of the old bands
// together, then of each around that.
func (o *Own) logs(perDay float64) (f [ownBands]float64) {
	strength := ownStrength(perDay)
	for from, to := 0, youngBands; from < ownBands; from, to = to, ownBands {
		count, expected := 0.0, 0.0
		for b := from; b < to; b++ {
			count, expected = count+o.Count[b], expected+o.Expected[b]
		}
		all := posteriorFactor(strength, count, expected)
		for b := from; b < to; b++ {
			f[b] = math.Log(all * posteriorFactor(strength, o.Count[b], o.Expected[b]*all))
		}
	}
	return f
}

// ageBand returns the band of so many events expected since the last one.
func ageBand(events float64) int {
	for b, edge := range ownEdges {
		if events < edge {
			return b
		}
	}
	return ownBands - 1
}

// Succession returns what is known at t.At of a source whose usual rate is given and whose last event was at last; nothing if that is
// zero.
func (t *Tally) Succession(p *Prior, usual *Sampler, last time.Time) Succession {
	if last.IsZero() || t.At.IsZero() {
		return Succession{}
	}
	const memory = time.Duration(followerDecay * float64(time.Hour)) // of Followers.Trace
	expected := followerDecay * usual.without().Sample(t.At.Add(-2*memory), 2*memory, 1)[0]
	s := t.succession(p, expected, t.At.Sub(last))
	s.own = t.Own.logs(s.perDay)
	return s
}

// succession is Succession of any source of this class, given how many recent events are expected and how long the last one is ago.
func (t *Tally) succession(p *Prior, expected float64, age time.Duration) Succession {
	s := Succession{At: t.At, age: max(0, age.Hours()), perDay: Hours * p.Level(t.Events(), t.Exposure()),
		recent: t.recentEvents(), expected: max(0, expected)}
	if !(s.perDay > 0) {
		s.perDay = 0
	}
	s.typical, s.sudden = typicalOf(s.perDay), math.Log((1+s.recent)/(1+s.expected))
	return s
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

// recentEvents counts the events before t.At, older ones less.
func (t *Tally) recentEvents() float64 {
	since := t.At.Sub(t.Followers.Last)
	if t.Followers.Last.IsZero() || since < 0 {
		return 0
	}
	return t.Followers.Trace * math.Exp(-since.Hours()/followerDecay)
}

// MayBurst reports whether enough events are recent for a sudden burst, whatever the usual rate.
func (t *Tally) MayBurst() bool { return t.recentEvents() >= suddenEvents }

// Sudden reports whether a burst is worth planning for at once: more than one event, more than chance would bring, and more expected
// to come than usual.
func (s *Succession) Sudden(usual *Sampler) bool {
	if s.recent < suddenEvents || s.recent < suddenRatio*s.expected {
		return false
	}
	usually := usual.without()
	before := usually.Sample(s.At, time.Hour, suddenHours)
	more := 0.0
	for k, x := range usually.Given(*s).Sample(s.At, time.Hour, suddenHours) {
		more += x - before[k]
	}
	return more >= suddenMore
}

// SuddenUntil returns until when a burst may be the reason for something.
func (s *Succession) SuddenUntil() time.Time { return s.At.Add(suddenFor) }

// factor returns the rate so many hours after s.At, relative to the usual one.
func (s *Succession) factor(after float64) float64 {
	after = max(0, after)
	age := max(youngest, s.age+after)
	log := s.sudden*suddenLog(after) + s.typical.log(age, min(1, after/age))
	// What has come unseen is as that of others.
	own := s.own[ageBand(age*s.perDay/Hours)]
	return math.Exp(log + own*math.Exp(-after*s.perDay/Hours))
}

// apply multiplies the levels of bins from a time on. What a source that keeps to a clock posts beyond the usual it posts at any
// time: smooth returns its levels without the clock's; nil if it keeps to none.
func (s *Succession) apply(levels []float64, from time.Time, bin time.Duration, smooth func() []float64) {
	if s.At.IsZero() || len(levels) == 0 {
		return
	}
	width := bin.Hours()
	start := from.Sub(s.At).Hours() + width/2
	left, beyond := s.factor(start), []float64(nil)
	for at := 0; at < len(levels); {
		hours := start + float64(at)*width
		step := max(1, int(min(nodeShare*max(0, s.age+hours), maxNode)/width))
		next := s.factor(hours + float64(step)*width)
		slope := (next - left) / float64(step)
		for k := range min(step, len(levels)-at) {
			f := left + slope*float64(k)
			if f <= 1 || smooth == nil {
				levels[at+k] *= f
				continue
			}
			if beyond == nil {
				beyond = smooth()
			}
			levels[at+k] += (f - 1) * beyond[at+k]
		}
		at, left = at+step, next
	}
}

// Between the times at which the factor is computed it is linear: these are apart by a share of the time since the last event, as
// it rises and falls with its logarithm, and by so many hours at most.
const nodeShare, maxNode = 0.15, 12

// learnOwn learns from what was expected at t.At of the time [from, to) and which events came. It is done before these are added.
func (t *Tally) learnOwn(p *Prior, clock *wallClock, from, to time.Time, events []time.Time) {
	last := t.Followers.Last
	if !p.Classes || t.At.IsZero() || last.IsZero() || to.Sub(t.At) > unseenSpan || from.Before(t.At) || !to.After(from) {
		return
	}
	silence := max(0, t.At.Sub(last))
	usual := t.posterior(p, silence)
	s := t.succession(p, followerDecay*usual.Mean(), silence)
	band := func(at time.Time) int { return ageBand((s.age + at.Sub(s.At).Hours()) * s.perDay / Hours) }
	var count, expected [ownBands]float64
	all := 0.0
	n := int(math.Ceil(to.Sub(from).Hours()))
	step := to.Sub(from) / time.Duration(n)
	for k := range n {
		mid := from.Add(time.Duration(k)*step + step/2)
		at, _ := clock.hourOfWeek(mid)
		x := usual.at(at) * step.Hours() * s.factor(mid.Sub(s.At).Hours())
		expected[band(mid)] += x
		all += x
	}
	for _, e := range events {
		count[band(e)]++
	}
	share := min(1, (clumpEvents+clumpShare*all)/max(1, float64(len(events))))
	for b := range count {
		t.Own.Count[b] += share * count[b]
		t.Own.Expected[b] += expected[b]
	}
}
