package published

import (
	"cmp"
	"slices"
)

// Request is one planned request to a server; At is in hours.
type Request struct {
	Host string
	At   float64
}

// Delayed is DELAYED, the rule at run time: requests are sent by due time, and one that is due
// less than gap hours after the last to its host waits until the gap is over. The order at a
// host stays that of the plan (of equal times, the order given), so each request is sent at its
// own time or a gap after the one before it. Delayed returns the times in the order given.
func Delayed(requests []Request, gap float64) []float64 {
	order := make([]int, len(requests))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(requests[i].At, requests[j].At) })
	free, at := map[string]float64{}, make([]float64, len(requests))
	for _, i := range order {
		r := requests[i]
		at[i] = r.At
		if t, ok := free[r.Host]; ok {
			at[i] = max(r.At, t)
		}
		free[r.Host] = at[i] + gap
	}
	return at
}
