package schedule

import (
	"math"
	"slices"

	"kairos/poller/plan"
)

// admit keeps of the planned instants those that the bucket will be able to pay for,
// the most valuable ones; what the user asks for comes first.
func (p *planning) admit(out *Plan) {
	offers := make([]plan.PlannedFetch, 0, out.instants())
	for i := range out.Feeds {
		for _, at := range out.Feeds[i].Instants {
			o := plan.PlannedFetch{At: at.At, Value: at.Value, Cost: out.Feeds[i].cost}
			if at.wanted {
				o.Value = math.MaxFloat64
			}
			offers = append(offers, o)
		}
	}
	stays := p.bucket.Admit(offers)
	for i := range out.Feeds {
		f := &out.Feeds[i]
		n := len(f.Instants)
		of := stays[:n]
		stays = stays[n:]
		k := 0
		f.Instants = slices.DeleteFunc(f.Instants, func(Instant) bool {
			k++
			return !of[k-1]
		})
	}
}

// instants counts those of all feeds.
func (pl *Plan) instants() (n int) {
	for i := range pl.Feeds {
		n += len(pl.Feeds[i].Instants)
	}
	return n
}
