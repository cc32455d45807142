package plan

import "fmt"

// Bounds of what one fetch may take out of a budget. Beyond them a unit was mistaken: ladders would reach so high, or
// sums of costs so far, that rounding decided.
const (
	leastFetchCost = 1e-3
	mostFetchCost  = 1e6
)

// costOrOne returns what a fetch takes out of the budget, which is 1 if nothing is said.
func costOrOne(cost float64) float64 {
	if cost == 0 {
		return 1
	}
	return cost
}

func checkFetchCost(cost float64) error {
	if cost != 0 && !(cost >= leastFetchCost && cost <= mostFetchCost) {
		return fmt.Errorf("the cost of a fetch must be 0 or %v to %v, not %v", leastFetchCost, mostFetchCost, cost)
	}
	return nil
}
