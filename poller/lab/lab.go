// Package lab replays when real feeds posted and when real people read, under a virtual
// clock, and counts what each fetching policy would have cost them.
//
// Package lab/traces reads the traces. Run replays every user of them under every Policy and
// budget and returns Rows; Summarize and WriteTable sum them up. The policies are in package
// lab/policy, the tables of the papers in lab/papers, the chart in lab/picture.
//
// A policy sees only the past: its View shows the posts that its own fetches brought, the accesses
// before now, and what was read at them, and gives no way to the rest.
//
// Conventions. Times are Unix seconds. The clock starts at midnight UTC, with every feed
// counted as just fetched and the warm-up before it known. A fetch at r brings every post
// t ≤ r that is still among the last items its feed shows; one that is not is lost. An access
// at a sees the fetches r < a. Policies plan in bins of five minutes; a
// planned fetch happens 20 to 140 s after its bin begins, by an offset fixed for the feed,
// because many sites post on the mark. That holds for all planned policies alike. Policies
// that keep their own pace choose the second, and so does the clairvoyant.
package lab

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"kairos/poller/lab/traces"
	"kairos/poller/plan"
)

// Protocol says which part of the traces is learned from and which is replayed.
type Protocol struct {
	Warmup  time.Duration // known before the replay starts
	Weeks   int           // the last weeks of the traces, replayed
	Relearn time.Duration // between two calls of Planner.Learn
	Frozen  bool          // learn from the warm-up only
	Window  int           // items a feed shows; 0: DefaultWindow
	Spacing time.Duration // least time between two fetches from a host of several feeds; 0: none
	// Readings deals who reads which posts; nil: DefaultReadings.
	Readings *Readings
}

// Options says what Run replays.
type Options struct {
	Protocol
	Budgets  []float64 // fetches per feed and day
	Policies []Policy
	// Progress, if not nil, is called with the number of users done, of all.
	Progress func(done, all int)
}

const (
	day  = 24 * time.Hour
	week = 7 * day
)

// DefaultProtocol is eight weeks after two of warm-up, learned again every day.
var DefaultProtocol = Protocol{Warmup: 14 * day, Weeks: 8, Relearn: day}

// DefaultBudgets are in fetches per feed and day.
var DefaultBudgets = []float64{0.5, 1, 2, 4, 8, 24}

// Check reports in an English sentence what is wrong with the protocol.
func (p Protocol) Check() error {
	switch {
	case p.Weeks < 1 || p.Weeks > 520:
		return fmt.Errorf("the lab replays 1 to 520 weeks, not %d", p.Weeks)
	case p.Warmup < 0 || p.Warmup%time.Second != 0:
		return fmt.Errorf("the warm-up must be a whole number of seconds, 0 or more, not %v", p.Warmup)
	case p.Relearn < Bin || p.Relearn%Bin != 0:
		return fmt.Errorf("the time between two learnings must be a multiple of %v, not %v", Bin, p.Relearn)
	case p.Window < 0 || p.Window > plan.MaxWindow:
		return fmt.Errorf("a feed shows 1 to %d items, not %d", plan.MaxWindow, p.Window)
	}
	if p.Spacing < 0 || p.Spacing%time.Second != 0 {
		return fmt.Errorf("the spacing of a host must be a whole number of seconds, 0 or more, not %v", p.Spacing)
	}
	return p.readings().check()
}

func (p Protocol) readings() Readings {
	if p.Readings == nil {
		return DefaultReadings
	}
	return *p.Readings
}

func (p Protocol) window() int { return cmp.Or(p.Window, DefaultWindow) }

func (o *Options) check() error {
	if len(o.Budgets) == 0 || len(o.Policies) == 0 {
		return fmt.Errorf("a replay needs at least one policy and one budget")
	}
	for _, b := range o.Budgets {
		if !(b >= 0) || math.IsInf(b, 1) {
			return fmt.Errorf("a budget is a number of fetches per feed and day, 0 or more, not %v", b)
		}
	}
	return o.Protocol.Check()
}

// Run replays every user of the set under every policy and budget. The rows are ordered by
// user, policy and budget as given. Its errors are English sentences about the options, or
// the context's error.
func Run(ctx context.Context, set *traces.Set, o Options) ([]Row, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	rows := make([][]Row, len(set.Users))
	errs := make([]error, len(set.Users))
	progress := newProgress(len(set.Users), o.Progress)
	inParallel(ctx, hardestFirst(set), func(i int) {
		rows[i], errs[i] = runUser(ctx, set, &set.Users[i], &o)
		progress.step()
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("replay user %s: %w", set.Users[i].ID, err)
		}
	}
	return slices.Concat(rows...), nil
}

func runUser(ctx context.Context, set *traces.Set, u *traces.User, o *Options) ([]Row, error) {
	w, all := NewWorld(set, u, o.Protocol), o.runs()
	rows := make([]Row, len(all))
	for _, round := range rounds(all) {
		for _, i := range round {
			var err error
			if rows[i], err = w.run(ctx, &all[i], rows); err != nil {
				return nil, err
			}
		}
	}
	return rows, nil
}

// RunEach is Run with a task for each user, policy and budget, for tables of few users;
// Progress is called with replays instead of users.
func RunEach(ctx context.Context, set *traces.Set, o Options) ([]Row, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	worlds := make([]*World, len(set.Users))
	inParallel(ctx, hardestFirst(set), func(i int) { worlds[i] = NewWorld(set, &set.Users[i], o.Protocol) })
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	all := o.runs()
	each := len(all)
	rows, errs := make([]Row, len(worlds)*each), make([]error, len(worlds)*each)
	progress := newProgress(len(rows), o.Progress)
	for _, round := range rounds(all) {
		var tasks []int
		for u := range worlds {
			for _, i := range round {
				tasks = append(tasks, u*each+i)
			}
		}
		inParallel(ctx, tasks, func(i int) {
			u := i / each
			rows[i], errs[i] = worlds[u].run(ctx, &all[i%each], rows[u*each:(u+1)*each])
			progress.step()
		})
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("replay user %s: %w", set.Users[i/each].ID, err)
		}
	}
	return rows, nil
}

// run is one policy at one budget.
type run struct {
	policy Policy
	budget float64 // fetches per feed and day
	after  int     // the run whose number of fetches it gets; -1: the budget's
	// uniform is replayed at as many fetches as this run makes; nil if a run of its own is.
	uniform *Policy
}

// runs returns those of one user in the order of their rows.
func (o *Options) runs() (all []run) {
	for _, p := range o.Policies {
		budgets := o.Budgets
		if p.OwnPace {
			budgets = []float64{0}
		}
		for _, b := range budgets {
			all = append(all, run{policy: p, budget: b, after: -1})
		}
	}
	for i := range all {
		for _, like := range all[i].policy.AsManyAs {
			if all[i].after < 0 {
				all[i].after = slices.IndexFunc(all, func(r run) bool { return r.policy.Name == like && r.budget == all[i].budget })
			}
		}
	}
	compareWithUniform(all)
	return all
}

// compareWithUniform sees to it that policies that make another number of fetches than uniform are
// compared with one that makes as many as they do.
func compareWithUniform(all []run) {
	for i := range all {
		r := &all[i]
		u := slices.IndexFunc(all, func(u run) bool { return u.policy.Name == uniformName && u.budget == r.budget })
		if r.policy.OwnPace || u < 0 || all[u].after < 0 {
			continue
		}
		if like := all[u].after; like != i && like != r.after {
			r.uniform = &all[u].policy
		}
	}
}

// rounds returns the runs that depend on no other, then the others.
func rounds(all []run) (r [2][]int) {
	for i := range all {
		if all[i].after < 0 {
			r[0] = append(r[0], i)
			continue
		}
		r[1] = append(r[1], i)
	}
	return r
}

// run replays a policy; rows are those of the user's runs before it.
func (w *World) run(ctx context.Context, r *run, rows []Row) (Row, error) {
	feedDays := float64(max(1, len(w.user.Feeds))) * w.days()
	budget := r.budget
	if r.after >= 0 {
		budget = float64(rows[r.after].Fetches) / feedDays
	}
	fetches, gap, err := w.replay(ctx, r.policy, budget)
	if err != nil {
		return Row{}, err
	}
	row := w.Score(fetches)
	row.PlanGap = 100 * gap
	row.User, row.Policy, row.Budget, row.OwnPace = w.user.ID, r.policy.Name, r.budget, r.policy.OwnPace
	if row.OwnPace {
		row.Budget = float64(row.Fetches) / feedDays
	}
	if r.uniform != nil {
		fetches, err := w.Fetches(ctx, *r.uniform, float64(row.Fetches)/feedDays)
		if err != nil {
			return Row{}, err
		}
		row.Uniform = w.Score(fetches).Delay
	}
	return row, nil
}
