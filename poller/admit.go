package poller

import (
	"math"
	"slices"

	"kairos/poller/plan"
)

// admit keeps of the planned instants those that the bucket will be able to pay for,
// the most valuable ones; what the user has asked for comes first.
func (in *inputs) admit(pl *Plan) {
	var offers []plan.Offer
	for i := range pl.Feeds {
		for _, at := range pl.Feeds[i].Instants {
			o := plan.Offer{At: at.At, Value: at.Value}
			if at.asked {
				o.Value = math.MaxFloat64
			}
			offers = append(offers, o)
		}
	}
	stays := in.bucket.Admit(offers)
	for i := range pl.Feeds {
		f := &pl.Feeds[i]
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
