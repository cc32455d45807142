// Package lab replays when real feeds posted and when real people came, under a
// virtual clock, and counts what each policy of fetching would have cost them.
//
// A Set is the traces; Run replays every user of it under every Policy and budget.
// A policy sees the past only: a View shows the posts its own fetches brought and
// the accesses before now, and there is no way from it to the rest. The policies are
// one file each; what the poller runs by default is Exact.
//
// Conventions. Times are Unix seconds. The clock starts at midnight UTC, with every
// feed counted as just fetched and the warm-up before it known. A fetch at r brings
// every post t ≤ r, an access at a sees the fetches r ≤ a. Policies plan in bins of
// five minutes; a planned fetch happens 20 to 140 s after the bin begins, by a
// number fixed for the feed, because many sites post on the mark. That holds for
// all planned policies alike. Readers with a clock of their own keep it, and the
// clairvoyant fetches at the very second.
package lab

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Options says what is replayed.
type Options struct {
	Budgets  []float64 // fetches a feed a day
	Policies []string  // names of Policies
	Warmup   time.Duration
	Weeks    int           // the last weeks, replayed
	Relearn  time.Duration // between two learnings
	Frozen   bool          // learn from the warm-up only
	// Progress, if not nil, is told how many users of all are done.
	Progress func(done, all int)
}

// Defaults are the options of a run that names none.
func Defaults() Options {
	return Options{
		Budgets:  []float64{0.5, 1, 2, 4, 8, 24},
		Policies: []string{"uniform", "he-parker", "sia", "he-parker-shrunk", "exact", "clairvoyant"},
		Warmup:   14 * day, Weeks: 8, Relearn: day,
	}
}

// Row is what one policy did for one user at one budget, in totals of the replay.
type Row struct {
	User    string  `json:"user"`
	Policy  string  `json:"policy"`
	Budget  float64 `json:"budget"`     // fetches a feed a day; of a policy with its own pace, what it took
	Delay   float64 `json:"delay_h"`    // Σ over accesses a and posts t ≤ a not fetched at a of a − t, h
	Missed  int     `json:"missed"`     // Σ over accesses of the posts not yet fetched
	Ready   float64 `json:"ready"`      // posts there at the first access after them, %
	Posts   int     `json:"posts"`      // published in the replay
	MeanAge float64 `json:"mean_age_h"` // fetch − post, h
	MaxAge  float64 `json:"max_age_h"`
	SDAge   float64 `json:"sd_age_h"`
	Fetches int     `json:"fetches"`
	Full    int     `json:"full"` // fetches that brought posts: answered with a body; the rest with 304
	Lost    int     `json:"lost"` // posts that had left the feed's window before a fetch

	accesses int
	feeds    int
	days     float64
	native   bool
}

const (
	day  = 24 * time.Hour
	week = 7 * day
)

func (o *Options) check() error {
	switch {
	case len(o.Budgets) == 0 || len(o.Policies) == 0:
		return fmt.Errorf("there is nothing to replay without a policy and a budget")
	case o.Weeks < 1 || o.Weeks > 520:
		return fmt.Errorf("the lab replays 1 to 520 weeks, not %d", o.Weeks)
	case o.Warmup < 0 || o.Warmup%time.Second != 0:
		return fmt.Errorf("the warm-up must be a number of seconds, 0 or more, not %v", o.Warmup)
	case o.Relearn < Bin || o.Relearn%Bin != 0:
		return fmt.Errorf("learning happens every so many bins of %v, not every %v", Bin, o.Relearn)
	}
	for _, b := range o.Budgets {
		if !(b >= 0) || math.IsInf(b, 1) {
			return fmt.Errorf("a budget must be a number of fetches a feed a day, 0 or more, not %v", b)
		}
	}
	for _, name := range o.Policies {
		if _, ok := policies[name]; !ok {
			return fmt.Errorf("there is no policy %q; there are %s", name, Names())
		}
	}
	return nil
}

// Run replays every user of the set under every policy and budget. The rows are
// ordered by user, policy and budget as given. Errors are sentences about the
// options, or the context's.
func Run(ctx context.Context, set *Set, o Options) ([]Row, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	rows := make([][]Row, len(set.Users))
	errs := make([]error, len(set.Users))
	var telling sync.Mutex
	done := 0
	inParallel(ctx, hardestFirst(set), func(i int) {
		rows[i], errs[i] = runUser(ctx, set, &set.Users[i], &o)
		telling.Lock()
		defer telling.Unlock()
		if done++; o.Progress != nil {
			o.Progress(done, len(set.Users))
		}
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

// hardestFirst orders the users so that no worker is left alone with a long one.
func hardestFirst(set *Set) []int {
	order := make([]int, len(set.Users))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(set.Users[b].Feeds) - len(set.Users[a].Feeds) })
	return order
}

// inParallel does the tasks in this order on all processors, until the context ends.
func inParallel(ctx context.Context, tasks []int, do func(task int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(tasks)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(tasks) {
					return
				}
				do(tasks[i])
			}
		})
	}
	wg.Wait()
}

func runUser(ctx context.Context, set *Set, u *User, o *Options) ([]Row, error) {
	w := newWorld(set, u, o)
	var rows []Row
	for _, name := range o.Policies {
		p := policies[name]
		if p.native {
			row, err := w.run(ctx, name, p, 0)
			if err != nil {
				return nil, err
			}
			row.Budget = float64(row.Fetches) / (float64(len(u.Feeds)) * w.days())
			rows = append(rows, row)
			continue
		}
		for _, b := range o.Budgets {
			row, err := w.run(ctx, name, p, b)
			if err != nil {
				return nil, err
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

func (w *world) run(ctx context.Context, name string, p kind, budget float64) (Row, error) {
	fetches, err := w.fetches(ctx, p, min(budget, float64(dayBins))) // one a bin is all there can be
	if err != nil {
		return Row{}, err
	}
	row := w.score(fetches)
	row.User, row.Policy, row.Budget, row.native = w.user.ID, name, budget, p.native
	return row, nil
}
