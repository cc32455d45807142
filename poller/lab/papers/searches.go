package papers

import (
	"fmt"
	"slices"

	"kairos/poller/lab"
	"kairos/poller/lab/policy"
	"kairos/poller/lab/published"
	"kairos/poller/lab/traces"
	"kairos/poller/plan"
)

// searchFeeds is the number of feeds that a search runs on.
const searchFeeds = 40

// searchRow compares a search as printed with the exact schedule, in the measure that both
// minimize, as the learned rates expect it.
type searchRow struct {
	Table  string  `json:"table"`
	Search string  `json:"search"`
	Rates  string  `json:"rates"`
	M      int     `json:"fetches_a_day"`
	Feeds  int     `json:"feeds"`
	Excess float64 `json:"excess"` // cost over that of the exact schedules − 1, all feeds together
	Worst  float64 `json:"worst"`  // the same for the worst feed
	Even   int     `json:"even"`   // feeds at equal steps because no cycle met the condition
}

// search is a schedule beside the exact one.
type search struct {
	name string
	find plan.Schedule
}

// compare runs searches on sample feeds and reports their costs beside those of the exact
// schedule.
func (s *study) compare(title string, ms []int, samples map[string][]plan.Problem, searches []search, exact plan.Schedule,
	costs func(access, posting []float64) *plan.Costs, notes ...string) error {
	p := part{title: title, heads: [][]string{{"", ""}, {"rates", "search"}}, notes: notes}
	for _, m := range ms {
		p.heads[0] = append(p.heads[0], fmt.Sprintf("%d a day", m), "", "")
		p.heads[1] = append(p.heads[1], "excess", "worst", "no cycle")
	}
	for _, rates := range []string{histogram, posterior} {
		for _, f := range searches {
			line := []string{rates, f.name}
			for _, m := range ms {
				if err := s.ctx.Err(); err != nil {
					return err
				}
				row := searchRow{Table: s.table, Search: f.name, Rates: rates, M: m}
				row.run(samples[rates], f.find, exact, costs)
				s.report.rows = append(s.report.rows, row)
				line = append(line, percent(row.Excess), percent(row.Worst), fmt.Sprintf("%d of %d", row.Even, row.Feeds))
			}
			p.lines = append(p.lines, line)
		}
	}
	s.report.parts = append(s.report.parts, p)
	return nil
}

func percent(x float64) string { return lab.FormatNumber(100*x, 1) + " %" }

// negligible is the share of the cost at equal steps below which a cost is rounding.
const negligible = 1e-9

// run searches for every feed of the problems.
func (r *searchRow) run(samples []plan.Problem, find, exact plan.Schedule, costs func(access, posting []float64) *plan.Costs) {
	found, least := 0.0, 0.0
	for _, p := range samples {
		for _, f := range p.Feeds {
			c := costs(p.Access, f.Posting)
			cost := func(s plan.Schedule) (float64, []int) {
				at := s(p.Access, f.Posting, p.Period, r.M)
				return c.Cycle(1, at), at
			}
			best, _ := cost(exact)
			even, steps := cost(plan.EqualSteps)
			d, at := cost(find)
			if r.Feeds++; best > negligible*even {
				r.Worst = max(r.Worst, d/best-1)
			}
			if r.M > 1 && slices.Equal(at, steps) {
				r.Even++
			}
			found, least = found+d, least+best
		}
	}
	if least > 0 {
		r.Excess = found/least - 1
	}
}

// samples returns, by the name of the rates, a problem of n evenly spaced feeds for each user,
// as known at the start of the test. Feeds without posts by then are left out, and with
// needsAccesses users without accesses.
func (s *study) samples(set *traces.Set, n int, needsAccesses bool) map[string][]plan.Problem {
	all := map[string][]plan.Problem{}
	for i := range set.Users {
		v := lab.NewWorld(set, &set.Users[i], s.protocol).View()
		for name, rates := range map[string]policy.Rates{
			histogram: policy.Histograms(s.protocol.Warmup), posterior: policy.Posterior,
		} {
			access, posting := rates(v)
			p := policy.Problem(v, 0, access, posting)
			seen := p.Feeds[:0]
			for k, f := range p.Feeds {
				if len(v.Posts(k)) > 0 && !(needsAccesses && len(v.Accesses()) == 0) {
					seen = append(seen, f)
				}
			}
			p.Feeds = evenlySpaced(seen, n)
			all[name] = append(all[name], p)
		}
	}
	return all
}

// evenlySpaced returns n of all, at equal steps.
func evenlySpaced[T any](all []T, n int) []T {
	if len(all) <= n {
		return all
	}
	few := make([]T, n)
	for i := range few {
		few[i] = all[i*len(all)/n]
	}
	return few
}

// ageSearches runs Sia, Cho & Cho's searches.
func (s *study) ageSearches(set *traces.Set) error {
	return s.compare("The paper's searches beside the best schedule: expected delay from post to fetch of a sample of feeds, in excess of the least",
		[]int{1, 2, 3, 4}, s.samples(set, searchFeeds, false),
		[]search{{"exhaustive", published.SiaExhaustive}, {"refined", published.SiaRefined}}, plan.BestFor(plan.Age),
		func(_, posting []float64) *plan.Costs { return plan.NewAgeCosts(posting, 24) },
		"Both searches look for cycles that meet Theorem 3 (for one fetch, Theorem 2). Under smooth rates the exhaustive search is optimal to within a bin;",
		"histograms with empty hours have few such cycles, some of them poor, and refinement stops at a local optimum.")
}

// delaySearches runs He & Parker's search.
func (s *study) delaySearches(set *traces.Set) error {
	return s.compare("The paper's search beside the best schedule: expected delay (5) of a sample of feeds, in excess of the least",
		[]int{2, 3, 4, 6}, s.samples(set, max(1, searchFeeds/len(set.Users)), true),
		[]search{{"Figure 2", published.HeParkerFigure2}}, plan.BestFor(plan.Delay),
		func(access, posting []float64) *plan.Costs { return plan.NewCosts(access, posting, 24) },
		"Figure 2 looks for cycles that meet condition (6). Under smooth rates the best of them is optimal to within a bin;",
		"with empty hours there are few such cycles, some of them poor.")
}
