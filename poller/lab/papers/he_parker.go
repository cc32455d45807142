package papers

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"kairos/poller/lab"
	"kairos/poller/lab/policy"
	"kairos/poller/lab/traces"
	"kairos/poller/plan"
)

// heParkerProtocol learns once from two weeks and tests the third.
var heParkerProtocol = lab.Protocol{Warmup: 14 * day, Weeks: 1, Relearn: day, Frozen: true}

const (
	heParkerBudget = 3.0 // fetches per feed and day
	heParkerUsers  = 6
)

// heParkerRow is one policy of Tables 1 to 3 for one user.
type heParkerRow struct {
	Table    string  `json:"table"`
	User     string  `json:"user"`
	Opens    float64 `json:"opens_a_day"`
	Rates    string  `json:"rates"`
	Split    string  `json:"split"`
	Schedule string  `json:"schedule"`
	Delay    float64 `json:"delay_h_day"`
	Missed   float64 `json:"missed_an_access"`
	Ratio    figure  `json:"delay_to_uniform"`
	Less     figure  `json:"missed_to_uniform"`
	Fetches  int     `json:"fetches"`
}

// activeUser is a user who read both in the warm-up and in the test.
type activeUser struct {
	user  traces.User
	opens float64 // accesses a day
}

// heParkerPolicy is a policy of the tables with its parts by name.
type heParkerPolicy struct {
	rates, split, schedule string
	policy                 lab.Policy
}

// heParkerPolicies returns the paper's policies, each on histograms over so much of the past and
// on posterior rates, between uniform and exact.
func heParkerPolicies(over time.Duration) []heParkerPolicy {
	all := []heParkerPolicy{{"none", "alike", "equal", policy.Uniform}}
	for _, by := range []struct {
		name  string
		rates policy.Rates
	}{{histogram, policy.Histograms(over)}, {posterior, policy.Posterior}} {
		add := func(split string, splits policy.Split, schedule string, place policy.Place) {
			p := policy.Recipe{Rates: by.rates, Split: splits, Place: place}.Policy(schedule)
			all = append(all, heParkerPolicy{by.name, split, schedule, p})
		}
		alike := policy.SplitBy(plan.Uniform)
		add("posts: √λp", policy.SplitBy(plan.Sia), "equal", policy.EqualIntervals)
		add("both: ∛(λc λp)", policy.HeParkerSplit, "equal", policy.EqualIntervals)
		add("both: ∛(λc λp)", policy.HeParkerSplit, "both: best", nil)
		add("alike", alike, "posts: age", policy.PlaceBy(plan.BestForAge, false))
		add("alike", alike, "both: missed", policy.PlaceBy(plan.BestForMissed, true))
		add("alike", alike, "both: Figure 2", policy.PlaceBy(plan.HeParkerFigure2, true))
		add("alike", alike, "both: best", policy.PlaceBy(plan.BestSchedule, true))
	}
	return append(all, heParkerPolicy{posterior, "exact", "exact", policy.Exact})
}

// heParkerTables replays He & Parker's Tables 1 to 3.
func heParkerTables(s *study) error {
	users, err := s.activeUsers()
	if err != nil {
		return err
	}
	set := &traces.Set{End: s.set.End}
	for _, p := range users {
		set.Users = append(set.Users, p.user)
	}
	all := heParkerPolicies(s.protocol.Warmup)
	policies := make([]lab.Policy, len(all))
	for i, p := range all {
		policies[i] = p.policy
	}
	rows, err := s.replay(set, s.protocol, []float64{heParkerBudget}, policies)
	if err != nil {
		return err
	}
	t := &heParkerReport{s: s, users: users, six: quantiles(len(users)), policies: all, rows: rows}
	t.record()
	t.part("He & Parker, Table 1: delay at the accesses (h per day) by split of the budget", delayOf, func(p heParkerPolicy) bool {
		return p.schedule == "equal" || p.split != "alike"
	}, "In the paper's Table 1 the split by both rates has the least delay. (A sentence below it says otherwise; the table is right.)",
		"All feeds of a person share λc, so here the splits differ only in the root.")
	bySchedule := func(p heParkerPolicy) bool { return p.split == "alike" || p.split == "exact" }
	t.part("He & Parker, Table 2: delay at the accesses (h per day) by schedule", delayOf, bySchedule,
		"In the paper a schedule by posts and accesses has less delay than one by posts alone.")
	t.part("He & Parker, Table 3: posts missed per access, by schedule", missedOf, bySchedule,
		"Table 3 shows whether it also misses fewer posts. The paper's rates are histograms; posterior rates are ours.")
	few := &traces.Set{End: set.End}
	for _, i := range t.six {
		few.Users = append(few.Users, set.Users[i])
	}
	return s.delaySearches(few)
}

// activeUsers returns the users who read both in the warm-up and in the test, by opens a day.
func (s *study) activeUsers() ([]activeUser, error) {
	from, start := s.start()-int64(s.protocol.Warmup/time.Second), s.start()
	var active []activeUser
	for _, u := range s.set.Users {
		before, after := len(traces.Between(u.Accesses, from, start)), len(traces.Between(u.Accesses, start, s.set.End))
		if before > 0 && after > 0 {
			active = append(active, activeUser{u, float64(before+after) * float64(daySeconds) / float64(s.set.End-from)})
		}
	}
	if len(active) < heParkerUsers {
		return nil, fmt.Errorf("table %s needs %d users who read both in the warm-up and in the test; these traces have %d", s.table, heParkerUsers, len(active))
	}
	slices.SortStableFunc(active, func(a, b activeUser) int { return cmp.Compare(a.opens, b.opens) })
	return active, nil
}

// quantiles returns the indices of the 1/12, 3/12 … 11/12 quantiles among n.
func quantiles(n int) []int {
	at := make([]int, heParkerUsers)
	for k := range at {
		at[k] = (2*k + 1) * n / (2 * heParkerUsers)
	}
	return at
}

// heParkerReport writes Tables 1 to 3 of one replay.
type heParkerReport struct {
	s        *study
	users    []activeUser
	six      []int // indices of users
	policies []heParkerPolicy
	rows     []lab.Row // by user and policy
}

func (t *heParkerReport) at(user, policy int) *lab.Row { return &t.rows[user*len(t.policies)+policy] }

func delayOf(r *lab.Row) float64  { return r.Delay / r.Days }
func missedOf(r *lab.Row) float64 { return float64(r.Missed) / float64(max(1, r.Accesses)) }

func (t *heParkerReport) record() {
	for i, p := range t.users {
		uniform := t.at(i, 0)
		for k, m := range t.policies {
			r := t.at(i, k)
			t.s.report.rows = append(t.s.report.rows, heParkerRow{t.s.table, p.user.ID, p.opens, m.rates, m.split, m.schedule,
				delayOf(r), missedOf(r), figure(r.Delay / uniform.Delay), figure(missedOf(r) / missedOf(uniform)), r.Fetches})
		}
	}
}

// part writes the policies that belong to a table: the six users, and the mean of the six and
// of all active users.
func (t *heParkerReport) part(title string, measure func(*lab.Row) float64, belongs func(heParkerPolicy) bool, notes ...string) {
	p := part{title: title, notes: notes, heads: [][]string{{"", "", ""}, {"rates", "split", "schedule"}}}
	for _, i := range t.six {
		p.heads[0] = append(p.heads[0], t.users[i].user.ID)
		p.heads[1] = append(p.heads[1], fmt.Sprintf("%.1f a day", t.users[i].opens))
	}
	p.heads[0] = append(p.heads[0], "to uniform", "to uniform")
	p.heads[1] = append(p.heads[1], "the six", fmt.Sprintf("all %d", len(t.users)))
	for k, m := range t.policies {
		if !belongs(m) {
			continue
		}
		line := []string{m.rates, m.split, m.schedule}
		for _, i := range t.six {
			line = append(line, lab.FormatNumber(measure(t.at(i, k)), 2))
		}
		line = append(line, lab.FormatNumber(t.ratio(t.six, k, measure), 2), lab.FormatNumber(t.ratio(indices(len(t.users)), k, measure), 2))
		p.lines = append(p.lines, line)
	}
	t.s.report.parts = append(t.s.report.parts, p)
}

// ratio returns the geometric mean, over some users, of a measure relative to uniform.
func (t *heParkerReport) ratio(users []int, policy int, measure func(*lab.Row) float64) float64 {
	var ratios []float64
	for _, i := range users {
		if base := measure(t.at(i, 0)); base > 0 {
			ratios = append(ratios, measure(t.at(i, policy))/base)
		}
	}
	return geometricMean(ratios)
}

// indices returns 0 … n−1.
func indices(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
