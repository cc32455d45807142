package papers

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"kairos/poller/lab"
	"kairos/poller/lab/picture"
	"kairos/poller/lab/policy"
	"kairos/poller/lab/published"
	"kairos/poller/lab/traces"
	"kairos/poller/plan"
)

// siaProtocol learns once from two weeks and tests the eleven that follow.
var siaProtocol = lab.Protocol{Warmup: 14 * day, Weeks: 11, Relearn: week, Frozen: true}

// siaBudgets are a fetch of a feed every 6, 8, 12 and 24 hours on average.
var siaBudgets = []float64{4, 3, 2, 1}

// siaRow is one policy of Table II or Figure 8 at one budget.
type siaRow struct {
	Table    string  `json:"table"`
	Rates    string  `json:"rates"`
	Policy   string  `json:"policy"`
	Interval float64 `json:"interval_h"` // mean time between two fetches of a feed
	Mean     float64 `json:"mean_age_h"` // from post to fetch
	Max      float64 `json:"max_age_h"`
	SD       float64 `json:"sd_age_h"`
	Ratio    figure  `json:"to_uniform"` // of the means
	Posts    int     `json:"posts"`
	Fetches  int     `json:"fetches"`
}

// The names of the rates in the tables.
const (
	histogram = "histogram"
	posterior = "posterior"
)

// siaPolicy is a policy of Sia's tables and its rates by name.
type siaPolicy struct {
	rates  string
	policy lab.Policy
}

// siaPolicies returns, by the paper's names, the policies of Table II, Cho & Garcia-Molina's, and
// ours.
func siaPolicies(s *study) map[string]siaPolicy {
	counted := policy.Histograms(s.protocol.Warmup)
	best := policy.PlaceBy(plan.BestFor(plan.Age), false)
	printed := func(name, rates string, by policy.Rates, law plan.Law, place policy.Place) siaPolicy {
		return siaPolicy{rates, policy.Printed{Rates: by, Law: law, Place: place}.Policy(name)}
	}
	uniform := policy.Uniform
	uniform.AsManyAs = nil
	return map[string]siaPolicy{
		"uniform":         {"none", uniform},
		"scheduling only": printed("scheduling only", histogram, counted, plan.UniformLaw, best),
		"allocation only": printed("allocation only", histogram, counted, plan.SiaLaw, policy.EqualIntervals),
		"combined":        printed("combined", histogram, counted, plan.SiaLaw, best),
		"cgm-age":         printed("cgm-age", histogram, counted, published.AgeLaw, policy.EqualIntervals),
		"cgm-freshness":   printed("cgm-freshness", histogram, counted, published.FreshnessLaw, policy.EqualIntervals),
		"ours": {posterior, policy.Recipe{Rates: policy.Posterior, Split: policy.SplitFor(plan.Age)}.
			Policy("exact split and schedule")},
	}
}

// siaPrinted are the average delays of Table II in minutes.
var siaPrinted = map[string][]float64{"uniform": {180, 256, 352, 645}, "scheduling only": {159, 211, 310, 518},
	"allocation only": {109, 145, 217, 433}, "combined": {101, 133, 197, 395}}

// siaGreatest are the greatest delays at 24 hours that the paper tells, in minutes.
var siaGreatest = map[string]float64{"scheduling only": 1440, "allocation only": 9120}

// siaTables replays Sia, Cho & Cho's Table II: policies that split the budget by the posts, that
// place the fetches by them, or both.
func siaTables(s *study) error {
	all, note, err := s.postingFeeds()
	if err != nil {
		return err
	}
	names := []string{"uniform", "scheduling only", "allocation only", "combined", "ours"}
	rows, err := s.siaRows(all, names, siaBudgets)
	if err != nil {
		return err
	}
	s.siaTableII(names, rows, note)
	return s.ageSearches(all)
}

// postingFeeds returns the feeds of the set that posted in the warm-up, read by one user, and a
// sentence about the others: as the papers' laws give them nothing, they cannot be part of the
// experiment.
func (s *study) postingFeeds() (*traces.Set, string, error) {
	all := aggregate(s.set)
	u := &all.Users[0]
	var left []traces.Feed
	posts, unseen := 0, 0
	for _, f := range u.Feeds {
		n := len(traces.Between(f.Posts, s.start(), s.set.End))
		if posts += n; len(s.learned(f)) > 0 {
			left = append(left, f)
		} else {
			unseen += n
		}
	}
	if posts == unseen {
		return nil, "", errors.New("no feed posted both in the warm-up and in the weeks of the test")
	}
	note := fmt.Sprintf("%d of %d feeds posted in the %g days learned from; the law gives the others, with %.1f %% of the posts, nothing, so they are left out.",
		len(left), len(u.Feeds), s.protocol.Warmup.Hours()/24, 100*float64(unseen)/float64(posts))
	u.Feeds = left
	return all, note, nil
}

// learned returns the posts of a feed in the warm-up.
func (s *study) learned(f traces.Feed) []int64 {
	return traces.Between(f.Posts, s.start()-int64(s.protocol.Warmup.Seconds()), s.start())
}

// siaRows replays policies at budgets: rows by policy and budget.
func (s *study) siaRows(all *traces.Set, names []string, budgets []float64) ([]lab.Row, error) {
	known := siaPolicies(s)
	var policies []lab.Policy
	for _, name := range names {
		policies = append(policies, known[name].policy)
	}
	rows, err := s.replay(all, s.protocol, budgets, policies)
	if err != nil {
		return nil, err
	}
	for i, r := range rows {
		interval := 24 / budgets[i%len(budgets)]
		s.report.rows = append(s.report.rows, siaRow{s.table, known[names[i/len(budgets)]].rates, r.Policy, interval,
			r.MeanAge, r.MaxAge, r.SDAge, figure(r.MeanAge / rows[i%len(budgets)].MeanAge), r.Posts, r.Fetches})
	}
	return rows, nil
}

func (s *study) siaTableII(names []string, rows []lab.Row, note string) {
	known := siaPolicies(s)
	mean := part{title: "Sia, Cho & Cho, Table II: average delay from post to fetch in minutes, by mean time between fetches of a feed"}
	most := part{title: "The same policies: greatest delay and standard deviation in minutes"}
	for _, p := range []*part{&mean, &most} {
		p.heads = [][]string{{"rates", "policy"}}
	}
	for _, b := range siaBudgets {
		mean.heads[0] = append(mean.heads[0], fmt.Sprintf("%g h", 24/b), "to uniform")
		most.heads[0] = append(most.heads[0], fmt.Sprintf("%g h: most", 24/b), "sd")
	}
	for _, name := range names {
		if printed, ok := siaPrinted[name]; ok {
			line := []string{"the paper", name}
			for j, x := range printed {
				line = append(line, fmt.Sprintf("%.0f", x), lab.FormatNumber(x/siaPrinted["uniform"][j], 2))
			}
			mean.lines = append(mean.lines, line)
		}
		if greatest, ok := siaGreatest[name]; ok {
			line := []string{"the paper", name}
			for _, b := range siaBudgets {
				most24 := "–"
				if b == 1 {
					most24 = fmt.Sprintf("%.0f", greatest)
				}
				line = append(line, most24, "–")
			}
			most.lines = append(most.lines, line)
		}
	}
	for k, name := range names {
		p := known[name]
		line, extremes := []string{p.rates, p.policy.Name}, []string{p.rates, p.policy.Name}
		for j := range siaBudgets {
			r, uniform := rows[k*len(siaBudgets)+j], rows[j]
			line = append(line, fmt.Sprintf("%.0f", 60*r.MeanAge), lab.FormatNumber(r.MeanAge/uniform.MeanAge, 2))
			extremes = append(extremes, fmt.Sprintf("%.0f", 60*r.MaxAge), fmt.Sprintf("%.0f", 60*r.SDAge))
		}
		mean.lines, most.lines = append(mean.lines, line), append(most.lines, extremes)
	}
	t := siaTable{names, rows}
	mean.notes = []string{
		fmt.Sprintf("Learned once from %g days, %d weeks replayed, %d posts. %s", s.protocol.Warmup.Hours()/24, s.protocol.Weeks, rows[0].Posts, note),
		"Exact search finds the schedules; those of the paper's searches are compared below.",
		t.order(), t.ratios(),
	}
	most.notes = []string{"The paper tells the greatest delay of these two at 24 h, and no standard deviation.", t.extremes()}
	s.report.parts = append(s.report.parts, mean, most)
}

// siaTable is the rows of Table II by policy and budget.
type siaTable struct {
	names []string
	rows  []lab.Row
}

func (t *siaTable) at(name string, budget int) *lab.Row {
	return &t.rows[slices.Index(t.names, name)*len(siaBudgets)+budget]
}

// order says whether the policies come in the paper's order.
func (t *siaTable) order() string {
	kept := 0
	for j := range siaBudgets {
		ages := []float64{t.at("uniform", j).MeanAge, t.at("scheduling only", j).MeanAge, t.at("allocation only", j).MeanAge, t.at("combined", j).MeanAge}
		if slices.IsSortedFunc(ages, func(a, b float64) int { return cmp.Compare(b, a) }) {
			kept++
		}
	}
	switch kept {
	case len(siaBudgets):
		return "The paper's order holds: the schedule alone saves some, the split more, both together most."
	case 0:
		return "The paper's order (the schedule alone saves some, the split more, both together most) holds at none of these intervals."
	}
	return fmt.Sprintf("The paper's order (the schedule alone saves some, the split more, both together most) holds at %d of %d intervals.", kept, len(siaBudgets))
}

// ratios says what the policies are worth beside uniform, here and in the paper.
func (t *siaTable) ratios() string {
	var all []string
	for _, name := range []string{"scheduling only", "allocation only", "combined"} {
		var ours, theirs []float64
		for j := range siaBudgets {
			ours = append(ours, t.at(name, j).MeanAge/t.at("uniform", j).MeanAge)
			theirs = append(theirs, siaPrinted[name][j]/siaPrinted["uniform"][j])
		}
		all = append(all, fmt.Sprintf("%s has %s (the paper %s)", name, rangeOf(ours), rangeOf(theirs)))
	}
	return "Of the delay of uniform " + and(all) + "."
}

// rises is by how much a standard deviation must be above another to be said to rise.
const rises = 1.1

// extremes says what the policies do to the greatest delay and the standard deviation at 24 h.
func (t *siaTable) extremes() string {
	last := len(siaBudgets) - 1
	uniform, split := t.at("uniform", last), t.at("allocation only", last)
	deviation := "does not rise by the split"
	if split.SDAge > rises*uniform.SDAge {
		deviation = "rises by the split"
	}
	return fmt.Sprintf("At 24 h our standard deviation %s: %.0f minutes after %.0f at equal intervals. Our greatest delay is %.0f with the schedule only and %.0f with the split only, which makes feeds wait that hardly post. (At shorter intervals the schedule's is %.0f to %.0f: all fetches of a feed may lie in its busy hours.)",
		deviation, 60*split.SDAge, 60*uniform.SDAge, 60*t.at("scheduling only", last).MaxAge, 60*split.MaxAge,
		60*t.at("scheduling only", 0).MaxAge, 60*t.at("scheduling only", last-1).MaxAge)
}

// cgmBudgets are a fetch of a feed every 2 to 24 hours on average.
var cgmBudgets = []float64{12, 6, 4, 3, 2.4, 2, 1.5, 1}

// cgmTables replays Sia, Cho & Cho's Figure 8: theirs beside Cho & Garcia-Molina's age policy.
func cgmTables(s *study) error {
	all, note, err := s.postingFeeds()
	if err != nil {
		return err
	}
	names := []string{"uniform", "combined", "cgm-age", "cgm-freshness"}
	rows, err := s.siaRows(all, names, cgmBudgets)
	if err != nil {
		return err
	}
	p := part{title: "Sia, Cho & Cho, Figure 8: average delay in hours by mean time between fetches of a feed",
		heads: [][]string{{"policy"}}}
	for _, b := range cgmBudgets {
		p.heads[0] = append(p.heads[0], fmt.Sprintf("%g h", 24/b))
	}
	g := picture.Graph{Title: "average delay (h)", X: "mean time between fetches of a feed, h"}
	at := func(k, j int) float64 { return rows[k*len(cgmBudgets)+j].MeanAge }
	over := []string{"cgm-age over combined"}
	for k, name := range names {
		line, c := []string{name}, picture.Curve{Name: name}
		for j, b := range cgmBudgets {
			line = append(line, lab.FormatNumber(at(k, j), 2))
			c.X, c.Y = append(c.X, 24/b), append(c.Y, at(k, j))
			if name == "cgm-age" {
				over = append(over, fmt.Sprintf("%+.0f %%", 100*(at(k, j)/at(1, j)-1)))
			}
		}
		p.lines = append(p.lines, line)
		if name != "cgm-freshness" {
			g.Curves = append(g.Curves, c)
		}
	}
	p.lines, p.graphs = append(p.lines, over), []picture.Graph{g}
	ten := slices.Index(cgmBudgets, 2.4)
	p.notes = []string{"In the paper the delay of Cho & Garcia-Molina's age policy (CGM03) is 35 % longer; fetching every 10 hours on average, the delay is less than 3 hours instead of 5.",
		fmt.Sprintf("Here it is %s at 2 h and %s at 24 h, and at 10 h %s hours instead of %s: the age of a copy counts from its first unfetched post, so a feed with a hundred posts a day weighs no more than one with ten, and ours has many of both.",
			over[1], over[len(over)-1], lab.FormatNumber(at(1, ten), 2), lab.FormatNumber(at(0, ten), 2)),
		"Exact search finds the schedules of combined.",
		fmt.Sprintf("Their freshness policy has %.0f times the delay of combined at 24 h and is not drawn: it gives nothing to the feeds that post most.", at(3, len(cgmBudgets)-1)/at(1, len(cgmBudgets)-1)), note}
	s.report.parts = append(s.report.parts, p)
	return nil
}
