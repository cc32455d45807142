package poller

import (
	"context"
	"fmt"
	"slices"

	"kairos/poller/plan"
)

// Methods are the methods the poller can plan with, the default first. The others are those
// of the papers, to compare.
var Methods = []plan.Method{plan.Kairos, plan.Exact, plan.HeParker, plan.Sia, plan.Uniform}

const settingMethod = "poller.method"

// method is the one plans are made with.
func (p *planner) method(ctx context.Context) (plan.Method, error) {
	text, err := p.store.Settings.Get(ctx, settingMethod, string(plan.Kairos))
	if m := plan.Method(text); slices.Contains(Methods, m) {
		return m, err
	}
	return plan.Kairos, err // one that another version knows
}

// setMethod sets it, to one of Methods.
func (p *planner) setMethod(ctx context.Context, m plan.Method) error {
	if !slices.Contains(Methods, m) {
		return fmt.Errorf("%q is not a method of planning", m)
	}
	if err := p.store.Settings.Set(ctx, settingMethod, string(m)); err != nil {
		return err
	}
	p.signals.feedsChanged()
	return nil
}
