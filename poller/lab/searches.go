package lab

import (
	"fmt"
	"slices"

	"kairos/poller/plan"
)

// sampled is how many feeds a search runs on.
const sampled = 40

// searchRow is how a search as printed does beside the exact schedule, on rates
// learned: in the measure that both minimise, as those rates expect it.
type searchRow struct {
	Table  string  `json:"table"`
	Search string  `json:"search"`
	Rates  string  `json:"rates"`
	M      int     `json:"fetches_a_day"`
	Feeds  int     `json:"feeds"`
	Excess float64 `json:"excess"` // over the exact schedules, all feeds together
	Worst  float64 `json:"worst"`  // of a single feed
	Even   int     `json:"even"`   // feeds at equal steps, as no cycle met the condition
}

// search is a schedule beside the exact one.
type search struct {
	name string
	find plan.Schedule
}

// compare runs searches on feeds. The costs are those of the measure.
func (s *study) compare(title string, ms []int, samples map[string][]plan.Problem, searches []search, exact plan.Schedule,
	costs func(access, posting []float64) *plan.Costs, says ...string) error {
	p := part{title: title, heads: [][]string{{"", ""}, {"rates", "search"}}, says: says}
	for _, m := range ms {
		p.heads[0] = append(p.heads[0], fmt.Sprintf("%d a day", m), "", "")
		p.heads[1] = append(p.heads[1], "excess", "worst", "no cycle")
	}
	for _, rates := range []string{counted14, posterior} {
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

func percent(x float64) string { return number(100*x, 1) + " %" }

// nothing is the share of the delay at equal steps below which one is rounding.
const nothing = 1e-9

// run searches every feed of the problems.
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
			if r.Feeds++; best > nothing*even {
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

// samples are problems of n feeds, evenly chosen from the users', under the rates
// known at the start of the test; feeds and people not seen before it are left out.
func (s *study) samples(set *Set, n int, reading bool) map[string][]plan.Problem {
	all := map[string][]plan.Problem{}
	for i := range set.Users {
		v := newWorld(set, &set.Users[i], &s.o).view()
		for name, known := range map[string]rates{
			counted14: histograms(s.o.Warmup), posterior: shrunk,
		} {
			access, posting := known(v)
			p := problem(v, 0, access, posting)
			seen := p.Feeds[:0]
			for k, f := range p.Feeds {
				if len(v.Posts(k)) > 0 && !(reading && len(v.Accesses()) == 0) {
					seen = append(seen, f)
				}
			}
			p.Feeds = evenlyChosen(seen, n)
			all[name] = append(all[name], p)
		}
	}
	return all
}

// evenlyChosen are n of all, at equal steps.
func evenlyChosen[T any](all []T, n int) []T {
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
func (s *study) ageSearches(set *Set) error {
	return s.compare("Their searches beside the exact schedule: delay from post to fetch expected of a sample of feeds, in excess of the least",
		[]int{1, 2, 3, 4}, s.samples(set, sampled, false),
		[]search{{"exhaustive", plan.SiaExhaustive}, {"refined", plan.SiaRefined}}, plan.BestForAge,
		func(_, posting []float64) *plan.Costs { return plan.NewAgeCosts(posting, 24) },
		"Both search for cycles that meet Theorem 3 (one fetch: Theorem 2). On smooth rates the exhaustive search comes within the grain of the bins;",
		"a histogram with empty hours has few such cycles, some far from the best, and refinement stops at a local optimum.")
}

// delaySearches runs He & Parker's search.
func (s *study) delaySearches(set *Set) error {
	return s.compare("Their search beside the exact schedule: delay (5) expected of a sample of feeds, in excess of the least",
		[]int{2, 3, 4, 6}, s.samples(set, max(1, sampled/len(set.Users)), true),
		[]search{{"Figure 2", plan.HeParkerFigure2}}, plan.BestSchedule,
		func(access, posting []float64) *plan.Costs { return plan.NewCosts(access, posting, 24) },
		"Figure 2 searches for cycles that meet condition (6): on smooth rates the best of them is the optimum to within the bins,",
		"where hours are empty there are few, and some far from it.")
}
