package policy

import "kairos/poller/plan"

// Missing minimizes the number of posts not seen at an access, whatever their age (Sia et al.
// 2007), on posterior rates.
var Missing = Recipe{Rates: Posterior, Split: SplitFor(plan.Missed)}.Policy("missing")
