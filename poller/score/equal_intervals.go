package score

import "math"

// Figures is what a number of requests achieved.
type Figures struct {
	Ready    float64 // % of the posts offered
	Late     float64 // Totals.meanLate, h
	MeanLate float64 // Totals.MeanLateOfAll, h
	Delay    float64 // h
	Requests float64
}

// Figures returns the figures of the totals of so many requests.
func (t *Totals) Figures(requests int) Figures {
	return Figures{Ready: t.ReadyShare(), Late: t.meanLate(), MeanLate: t.MeanLateOfAll(), Delay: float64(t.Delay) / 3600, Requests: float64(requests)}
}

// timerPhases is over how many phases of its intervals a timer's figures are averaged: one
// phase alone is luck. With four, two timers of equal intervals differ by less than a point on
// the weeks of a person.
const timerPhases = 4

// EqualIntervals returns what so many requests would have achieved by a timer that fetches every
// feed at the same interval.
func (h *History) EqualIntervals(requests float64) Figures {
	f := h.Timer(h.Interval(requests))
	f.Requests = requests
	return f
}

// Timer returns what a timer would have achieved that fetches every feed at an interval, in seconds.
// What is due while the machine sleeps happens once when it wakes. The figures are means over the
// phases of the intervals, the requests those expected.
func (h *History) Timer(every float64) Figures {
	all := Sum(h.TimerFeeds(every))
	f := all.Figures(0)
	f.Delay /= timerPhases
	awake, asleep := h.lengths()
	f.Requests = requestsAt(every, awake, asleep)
	return f
}

// TimerFeeds is Timer for each feed alone: sums over the phases, of which shares can be told.
func (h *History) TimerFeeds(every float64) []Totals {
	feeds := make([]Totals, len(h.Posts))
	for phase := range timerPhases {
		for i := range h.Posts {
			t := h.scoreTimer(i, every, float64(phase)/timerPhases)
			feeds[i].add(&t)
		}
	}
	return feeds
}

const (
	// shortestInterval of a timer, seconds: nobody asks servers more often.
	shortestInterval = 60.0
	// leastMultiple and mostMultiple bound what TimerMultiple looks for.
	leastMultiple, mostMultiple = 1.0 / 16, 1024.0
)

// TimerMultiple returns the least multiple of a number of requests at which a timer would have had
// so many posts ready, in %, to half a percent of it; false if there is none within reason: at one
// request a minute the feeds are never as ready, or the timer needs next to none.
func (h *History) TimerMultiple(requests, ready float64) (float64, bool) {
	enough := func(multiple float64) bool { return h.EqualIntervals(multiple*requests).Ready >= ready }
	if !(requests > 0) {
		return 0, false
	}
	lo, hi := 1.0, 1.0
	if enough(1) {
		for lo /= 2; enough(lo); lo /= 2 {
			if hi = lo; lo < leastMultiple {
				return 0, false
			}
		}
	} else {
		for hi *= 2; !enough(hi); hi *= 2 {
			if lo = hi; hi > mostMultiple || h.Interval(hi*requests) <= shortestInterval {
				return 0, false
			}
		}
	}
	for hi/lo > 1.005 {
		if mid := math.Sqrt(lo * hi); enough(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi, true
}

// Interval returns the interval, in seconds, at which a timer makes so many requests on average over
// its phases, or the shortest a timer has.
func (h *History) Interval(requests float64) float64 {
	if !(requests > 0) {
		return math.Inf(1)
	}
	awake, asleep := h.lengths()
	lo, hi := shortestInterval, 2*shortestInterval
	if requestsAt(lo, awake, asleep) <= requests {
		return lo
	}
	for requestsAt(hi, awake, asleep) > requests {
		lo, hi = hi, 2*hi
	}
	for hi-lo > 1e-6*hi {
		if mid := (lo + hi) / 2; requestsAt(mid, awake, asleep) > requests {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// requestsAt is how many requests a timer makes on average over its phases, given for how long the
// machine was awake and how long each sleep lasted: at most one at the waking.
func requestsAt(every, awake float64, asleep []float64) float64 {
	n := awake / every
	for _, sleep := range asleep {
		n += min(1, sleep/every)
	}
	return n
}

// lengths returns how long the machine was awake since fetching began, summed over the feeds, and
// the lengths of its sleeps; seconds. The last sleep has no waking, and is left out.
func (h *History) lengths() (awake float64, asleep []float64) {
	for i := range h.Posts {
		at := h.since(i)
		if h.Awake == nil {
			awake += float64(h.End - at)
			continue
		}
		for _, s := range h.Awake[h.Awake.SpanAfter(at):] {
			from, to := max(s.From, at), min(s.To, h.End)
			if from >= h.End {
				break
			}
			if from > at {
				asleep = append(asleep, float64(from-at))
			}
			awake, at = awake+float64(to-from), to
		}
	}
	return awake, asleep
}

func (h *History) since(feed int) int64 {
	if h.Since == nil {
		return h.Start
	}
	return h.Since[feed]
}

// golden spreads the phases of any number of feeds evenly.
var golden = (math.Sqrt(5) - 1) / 2

// scoreTimer scores a timer with an interval in seconds and a phase in intervals, on one feed.
func (h *History) scoreTimer(feed int, every, phase float64) Totals {
	_, of := math.Modf(phase + float64(h.first+feed)*golden)
	return h.scoreFeed(feed, h.timer(h.since(feed), every, of), nil)
}

// timer fetches at equal intervals from an instant on, the first time after phase intervals.
func (h *History) timer(since int64, every, phase float64) next {
	tick := func(k float64) int64 { return since + int64((k+phase)*every) }
	return func(at int64) (int64, bool) {
		if math.IsInf(every, 1) {
			return 0, false
		}
		due := h.Awake.asleepSince(at, since)
		k := max(0, math.Floor(float64(due-since)/every-phase))
		for tick(k) < due {
			k++
		}
		fetched := h.Awake.Next(tick(k))
		return fetched, fetched < h.End
	}
}
