package schedule

import "kairos/poller/plan"

// Objective is what a plan minimizes, summed over the feeds by their weights.
type Objective struct {
	Waiting plan.Waiting // of articles for their fetch; its unit is that of the others: hours, with NotReady articles
	// Interest makes an article count by how probably it is read, beside the user's weight.
	Interest bool
	// Rarity is κ: an article of a feed that posts λ times a day counts 1 + κ/(λ + rarest) times as much. A sum over articles
	// alone gives next to nothing for a feed that posts once a week, of which a reader misses all there was if he misses one.
	Rarity float64
	// FetchCost is the least that a fetch must save, for a feed of normal weight and the mean
	// interest: whatever budget lies idle, the radio and the server have a cost.
	FetchCost float64
	// LossWeight is what a post costs that leaves its feed's window unseen.
	LossWeight float64
	Dispersion float64 // of the number of posts between two fetches (plan.Feed.Dispersion)
	// Late is what an article is worth with NotReady that appears a moment after the window was opened, beside one that
	// was there.
	Late float64
	// Floor is φ, the least share of what a timer would have ready that a feed must have (plan.Feed.Floor).
	Floor float64
}

// rarest is the rate, in posts a day, below which a feed counts for no more: one a month.
const rarest = 1.0 / 30

// rarity is how many times as much an article of a feed with so many posts a day counts.
func (o *Objective) rarity(postsPerDay float64) float64 { return 1 + o.Rarity/(postsPerDay+rarest) }

// objective is that of the method; the papers' methods have the delay alone.
func (p *planning) objective() Objective {
	switch p.Method {
	case plan.Kairos:
		return p.rules.Kairos
	case plan.Exact:
		return p.rules.Exact
	}
	return Objective{LossWeight: p.rules.Exact.LossWeight}
}
