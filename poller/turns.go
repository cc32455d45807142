package poller

import (
	"slices"
	"time"

	"kairos/poller/plan"
)

// turns are a cycle's instants that a feed has still to come.
type turns struct {
	at     []int // their bins within the horizon
	missed bool  // and one that has passed without a fetch; several count as one
	end    int   // the bin of the first one after the horizon; 0 if the feed is never fetched
}

// count is how many fetches the turns within the horizon make.
func (t *turns) count() int {
	if t.missed {
		return len(t.at) + 1
	}
	return len(t.at)
}

// turns finds what a feed has to come.
func (in *inputs) turns(f *FeedPlan) turns {
	c := f.Cycle
	if c.Every == 0 || len(c.At) == 0 {
		return turns{}
	}
	last, fetched := in.lastBin(f)
	t := turns{end: horizon + longestCycle*bins, missed: !fetched}
	at := in.positions(c, min(last, 0)-2*c.Every*bins, t.end)
	for i := 1; i < len(at); i++ {
		b := at[i]
		switch {
		case fetched && b-last < min((b-at[i-1]+3)/4, bins/2):
			// That fetch was this turn's: on its time, or moved a little before it.
		case b >= horizon:
			t.end = min(t.end, b)
		case b > 0:
			t.at = append(t.at, b)
		default:
			t.missed = true
		}
	}
	return t
}

// lastBin is the bin of the feed's last fetch, or of the one that is about to
// happen; it is not ok if that is longer ago than any cycle looked at.
func (in *inputs) lastBin(f *FeedPlan) (b int, ok bool) {
	last := f.last()
	if in.start.Sub(last) > 2*longestCycle*day {
		return 0, false
	}
	return min(in.bin(last), 0), true
}

// last is the feed's last fetch, or the one that is about to happen.
func (f *FeedPlan) last() time.Time { return later(f.state.Fetched, f.pending) }

// positions are the instants of a cycle, repeated for ever, as bins from start
// on, within [from, to).
func (in *inputs) positions(c plan.Cycle, from, to int) []int {
	length := c.Every * bins
	phase := int(in.start.Unix() / int64(Bin/time.Second) % int64(length))
	var at []int
	for _, a := range c.At {
		b := (a - phase - from) % length
		if b < 0 {
			b += length
		}
		for b += from; b < to; b += length {
			at = append(at, b)
		}
	}
	slices.Sort(at)
	return at
}
