package insights

import (
	"context"
	"fmt"
	"math"
	"sort"

	"kairos/poller"
)

// Band is how visits that plans were made for fit those that came, in a part of the day or so many hours after the visit that was
// the last one known. Each plan foresees a day, so a visit is foreseen by several plans: both numbers are sums over them.
type Band struct {
	From, To float64 // hours; To is infinite in the last band after a visit
	Expected float64
	Came     int
}

// Off is how many times as many visits came as were expected.
func (b *Band) Off() float64 { return float64(b.Came) / b.Expected }

// fewestBand is how many visits, expected or come, tell anything of a band: sums over plans, a dozen for a visit.
const fewestBand = 60

// Known reports whether enough is known of a band.
func (b *Band) Known() bool { return b.Expected > 0 && max(b.Expected, float64(b.Came)) >= fewestBand }

// The bounds of the bands, in hours.
var (
	dayBands   = []float64{0, 6, 12, 18, 24}
	sinceBands = []float64{0, 1, 4, 8, 12, 24, math.Inf(1)}
)

func newBands(bounds []float64) []Band {
	bands := make([]Band, len(bounds)-1)
	for i := range bands {
		bands[i] = Band{From: bounds[i], To: bounds[i+1]}
	}
	return bands
}

// bandOf returns the band in which some hours lie.
func bandOf(bands []Band, hours float64) *Band {
	k := sort.Search(len(bands), func(i int) bool { return bands[i].To > hours })
	return &bands[min(k, len(bands)-1)]
}

// bands compares the visits that the plans of the period were made for with those that came, by parts of the day on the wall clock
// and by the time since the last visit that was known.
func (in *Insights) bands(ctx context.Context, h *history) (byDay, bySince []Band, err error) {
	plans, err := poller.AllForeseen(ctx, in.store, h.from)
	if err != nil {
		return nil, nil, fmt.Errorf("read predictions: %w", err)
	}
	var visits []int64
	for _, a := range h.visits {
		visits = append(visits, a.At.Unix())
	}
	for _, a := range h.elsewhere { // both are predicted
		visits = append(visits, a.At.Unix())
	}
	sort.Slice(visits, func(i, k int) bool { return visits[i] < visits[k] })
	byDay, bySince = newBands(dayBands), newBands(sinceBands)
	bins, zone := poller.ForeseenBins(), h.now.Location()
	for i := range plans {
		p := &plans[i]
		if p.At.Add(day).After(h.to) || !h.watched(p.At, p.At.Add(day)) {
			continue
		}
		from := p.At
		for k, bin := range bins {
			to, middle := from.Add(bin), from.Add(bin/2)
			lo, hi := sort.Search(len(visits), func(i int) bool { return visits[i] >= from.Unix() }), sort.Search(len(visits), func(i int) bool { return visits[i] >= to.Unix() })
			clock := middle.In(zone)
			into := []*Band{bandOf(byDay, float64(clock.Hour())+float64(clock.Minute())/60)}
			if !p.Last.IsZero() {
				into = append(into, bandOf(bySince, max(0, middle.Sub(p.Last).Hours())))
			}
			for _, b := range into {
				b.Expected += p.Visits[k]
				b.Came += hi - lo
			}
			from = to
		}
	}
	return byDay, bySince, nil
}
