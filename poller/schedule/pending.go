package schedule

import (
	"slices"
	"time"

	"kairos/poller/plan"
)

// pending are a cycle's instants that a feed has still to come.
type pending struct {
	at     []int // their bins within the horizon
	missed bool  // and one that has passed without a fetch; several count as one
	end    int   // the bin of the first one after the horizon; 0 if the feed is never fetched
}

// count is how many fetches there are to come within the horizon.
func (t *pending) count() int {
	if t.missed {
		return len(t.at) + 1
	}
	return len(t.at)
}

// pendingOf finds what a feed has to come.
func (p *planning) pendingOf(f *FeedPlan) pending {
	c := f.Cycle
	if c.Every == 0 || len(c.At) == 0 {
		return pending{}
	}
	last, fetched := p.lastBin(f)
	t := pending{end: horizon + longestCycle*bins, missed: !fetched}
	at := p.positions(c, min(last, 0)-2*c.Every*bins, min(t.end, horizon+c.Every*bins))
	for i := 1; i < len(at); i++ {
		b := at[i]
		switch {
		case fetched && b-last < min((b-at[i-1]+3)/4, bins/2):
			// That fetch was this instant's: on its time, or moved a little before it.
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
func (p *planning) lastBin(f *FeedPlan) (b int, ok bool) {
	last := f.last()
	if p.start.Sub(last) > 2*longestCycle*day {
		return 0, false
	}
	return min(p.bin(last), 0), true
}

// positions are the instants of a cycle, repeated for ever, as bins from start
// on, within [from, to), ascending.
func (p *planning) positions(c plan.Cycle, from, to int) []int {
	length := c.Every * bins
	phase := int(p.start.Unix() / int64(Bin/time.Second) % int64(length))
	at := make([]int, 0, len(c.At)*((to-from)/length+2))
	for lap := (from+phase)/length*length - length - phase; lap < to; lap += length {
		for _, a := range c.At {
			if b := lap + a; b >= from && b < to {
				at = append(at, b)
			}
		}
	}
	slices.Sort(at)
	return at
}

// cycleInstants returns the instants of the cycle as they are: a missed one moves to the
// first allowed bin, one in a skipped hour to the end of that hour, and one too close to the
// one before is left out.
func (t *pending) cycleInstants(h *plan.Horizon, open func(bin int) int) (at []int) {
	if t.missed && h.First < h.End {
		at = append(at, h.First)
	}
	for _, b := range t.at {
		if b = open(b); b < horizon && b >= h.First && (len(at) == 0 || b-at[len(at)-1] >= max(1, h.MinGap)) {
			at = append(at, b)
		}
	}
	return at
}
