package policy

import "kairos/poller/lab"

// Clairvoyant places as many fetches as the budget allows at the best instants in hindsight: no
// policy can have a smaller delay.
var Clairvoyant = lab.Policy{Name: "clairvoyant", Hindsight: bestInHindsight}

// bestInHindsight returns the best fetches of each feed at a budget in fetches per feed and day.
func bestInHindsight(w *lab.World, budget float64) [][]int64 {
	return w.History().Hindsight(w.Allowance(budget))
}
