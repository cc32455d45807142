package poller

import (
	"context"
	"fmt"
	"slices"

	"kairos/poller/plan"
)

// Methods are those the poller can plan with, the default first. The others are
// the papers', to compare.
var Methods = []plan.Method{plan.Exact, plan.HeParker, plan.Sia, plan.Uniform}

const settingMethod = "poller.method"

// Method is the one the plan in force is made with.
func (p *Poller) Method(ctx context.Context) (plan.Method, error) {
	text, err := p.store.Setting(ctx, settingMethod, string(plan.Exact))
	if m := plan.Method(text); slices.Contains(Methods, m) {
		return m, err
	}
	return plan.Exact, err // one that another version knows
}

// SetMethod sets it, to one of Methods.
func (p *Poller) SetMethod(ctx context.Context, m plan.Method) error {
	if !slices.Contains(Methods, m) {
		return fmt.Errorf("%q is not a method of planning", m)
	}
	if err := p.store.Set(ctx, settingMethod, string(m)); err != nil {
		return err
	}
	p.Changed()
	return nil
}

// place chooses the bins of a feed: the exact method as many as are worth the price,
// the papers' the very bins of the cycle.
func (in *inputs) place(f *FeedPlan, h *plan.Horizon, t turns, price float64) []int {
	if in.method == plan.Exact {
		return h.Keep(f.old, h.Cheapest(f.dearly(price)))
	}
	return t.asTheyAre(h, func(s int) int { return in.open(f, s) })
}

// asTheyAre are the turns where they can be kept, one missed caught up with as soon
// as may be, one on a day to be skipped at its end.
func (t *turns) asTheyAre(h *plan.Horizon, open func(bin int) int) (at []int) {
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
