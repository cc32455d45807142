package papers

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"kairos/poller/lab"
	"kairos/poller/lab/traces"
)

const (
	day        = 24 * time.Hour
	week       = 7 * day
	daySeconds = int64(day / time.Second)
)

// study is one table being replayed.
type study struct {
	ctx      context.Context
	set      *traces.Set
	protocol lab.Protocol
	progress func(done, all int)
	table    string
	report   *Report
}

// start returns when the tested weeks begin.
func (s *study) start() int64 { return s.set.End - int64(s.protocol.Weeks)*int64(week/time.Second) }

// replay runs every user of a set under every policy and budget: rows by user, policy and
// budget, in this order.
func (s *study) replay(set *traces.Set, p lab.Protocol, budgets []float64, policies []lab.Policy) ([]lab.Row, error) {
	return lab.RunEach(s.ctx, set, lab.Options{Protocol: p, Budgets: budgets, Policies: policies, Progress: s.progress})
}

// checkLength returns an error if the traces begin after the warm-up.
func (s *study) checkLength(needsAccesses bool) error {
	posts, accesses := lab.Never, lab.Never
	for _, u := range s.set.Users {
		accesses = min(accesses, first(u.Accesses))
		for _, f := range u.Feeds {
			posts = min(posts, first(f.Posts))
		}
	}
	begin := posts
	if needsAccesses {
		begin = max(posts, accesses)
	}
	// The first event comes a while after recording began.
	if need := s.start() - int64(s.protocol.Warmup/time.Second); begin > need+daySeconds {
		return fmt.Errorf("these traces are too short for table %s, which needs them from %s on; they begin at %s",
			s.table, traces.FormatTime(need), traces.FormatTime(min(begin, s.set.End)))
	}
	return nil
}

// first returns the first of ascending times, or Never.
func first(at []int64) int64 {
	if len(at) == 0 {
		return lab.Never
	}
	return at[0]
}

// aggregate returns a set of one user without accesses who reads every feed of the set.
func aggregate(set *traces.Set) *traces.Set {
	all := traces.User{ID: "all", Zone: time.UTC}
	known := map[string]bool{}
	for _, u := range set.Users {
		for _, f := range u.Feeds {
			if !known[f.ID] {
				known[f.ID] = true
				all.Feeds = append(all.Feeds, f)
			}
		}
	}
	slices.SortFunc(all.Feeds, func(a, b traces.Feed) int { return strings.Compare(a.ID, b.ID) })
	return &traces.Set{Users: []traces.User{all}, End: set.End}
}
