package policy

import "kairos/poller/plan"

// Sia minimizes the delay from post to fetch (Sia, Cho & Cho): the split by the square root,
// the best schedule for the posts alone, on posterior rates.
var Sia = Recipe{Rates: Posterior, Split: SplitBy(plan.Sia)}.Policy("sia")
