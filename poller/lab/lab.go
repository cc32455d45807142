// Package lab replays when real feeds posted and when real people read, under a virtual
// clock, and counts what each fetching policy would have cost them.
//
// Package lab/traces reads the traces. Run replays every user of them under every Policy and
// budget and returns Rows; Summarise and WriteTable sum them up. The policies are in package
// lab/policy, the tables of the papers in lab/papers, the chart in lab/picture.
//
// A policy sees only the past: its View shows the posts that its own fetches brought and the
// accesses before now, and gives no way to the rest.
//
// Conventions. Times are Unix seconds. The clock starts at midnight UTC, with every feed
// counted as just fetched and the warm-up before it known. A fetch at r brings every post
// t ≤ r; an access at a sees the fetches r ≤ a. Policies plan in bins of five minutes; a
// planned fetch happens 20 to 140 s after its bin begins, by an offset fixed for the feed,
// because many sites post on the mark. That holds for all planned policies alike. Policies
// that keep their own pace choose the second, and so does the clairvoyant.
package lab

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"kairos/poller/lab/traces"
)

// Protocol says which part of the traces is learned from and which is replayed.
type Protocol struct {
	Warmup  time.Duration // known before the replay starts
	Weeks   int           // the last weeks of the traces, replayed
	Relearn time.Duration // between two calls of Planner.Learn
	Frozen  bool          // learn from the warm-up only
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

// DefaultProtocol is eight weeks after two of warm-up, learned anew every day.
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
	}
	return nil
}

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
	w := NewWorld(set, u, o.Protocol)
	var rows []Row
	for _, p := range o.Policies {
		if p.OwnPace {
			row, err := w.run(ctx, p, 0)
			if err != nil {
				return nil, err
			}
			row.Budget = float64(row.Fetches) / (float64(len(u.Feeds)) * w.days())
			rows = append(rows, row)
			continue
		}
		for _, b := range o.Budgets {
			row, err := w.run(ctx, p, b)
			if err != nil {
				return nil, err
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// RunEach is Run with a task for each user, policy and budget, for tables of few users;
// Progress is called with replays instead of users. All policies must take a budget.
func RunEach(ctx context.Context, set *traces.Set, o Options) ([]Row, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	worlds := make([]*World, len(set.Users))
	inParallel(ctx, hardestFirst(set), func(i int) { worlds[i] = NewWorld(set, &set.Users[i], o.Protocol) })
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	each := len(o.Policies) * len(o.Budgets)
	rows, errs := make([]Row, len(worlds)*each), make([]error, len(worlds)*each)
	progress := newProgress(len(rows), o.Progress)
	tasks := make([]int, len(rows))
	for i := range tasks {
		tasks[i] = i
	}
	inParallel(ctx, tasks, func(i int) {
		p, budget := o.Policies[i%each/len(o.Budgets)], o.Budgets[i%len(o.Budgets)]
		rows[i], errs[i] = worlds[i/each].run(ctx, p, budget)
		progress.step()
	})
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

func (w *World) run(ctx context.Context, p Policy, budget float64) (Row, error) {
	fetches, err := w.Fetches(ctx, p, budget)
	if err != nil {
		return Row{}, err
	}
	row := w.Score(fetches)
	row.User, row.Policy, row.Budget, row.OwnPace = w.user.ID, p.Name, budget, p.OwnPace
	return row, nil
}
