package papers

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"kairos/poller/lab"
	"kairos/poller/lab/policy"
	"kairos/poller/lab/published"
	"kairos/poller/lab/traces"
	"kairos/poller/plan"
)

// heParkerProtocol learns once from two weeks and tests the third.
var heParkerProtocol = lab.Protocol{Warmup: 14 * day, Weeks: 1, Relearn: day, Frozen: true}

const (
	heParkerBudget = 3.0 // fetches per feed and day
	heParkerUsers  = 6
	heParkerFeeds  = 80 // of the paper's 1,500, since Figure 2 takes milliseconds for each
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

// The splits and schedules of the tables by name.
const (
	splitAlike, splitPosting, splitDelay        = "alike", "posting √", "delay ∛"
	equalIntervals, byPosting, byMissing, byHPs = "equal intervals", "posting", "missing", "delay"
)

// heParkerPolicies returns the paper's policies, each on histograms over so much of the past and
// on posterior rates, between uniform and exact. Table 1 has the paper's schedule and three
// splits, Tables 2 and 3 the cube root and four schedules.
func heParkerPolicies(over time.Duration) []heParkerPolicy {
	uniform := policy.Uniform
	uniform.AsManyAs = nil
	all := []heParkerPolicy{{"none", splitAlike, equalIntervals, uniform}}
	for _, by := range []struct {
		name  string
		rates policy.Rates
	}{{histogram, policy.Histograms(over)}, {posterior, policy.Posterior}} {
		add := func(split string, law plan.Law, schedule string, place policy.Place) {
			p := policy.Printed{Rates: by.rates, Law: law, Place: place}.Policy(split + ", " + schedule)
			all = append(all, heParkerPolicy{by.name, split, schedule, p})
		}
		figure2 := policy.PlaceBy(published.HeParkerFigure2, true)
		add(splitAlike, plan.UniformLaw, byHPs, figure2)
		add(splitPosting, plan.SiaLaw, byHPs, figure2)
		add(splitDelay, plan.HeParkerLaw, equalIntervals, policy.EqualIntervals)
		add(splitDelay, plan.HeParkerLaw, byPosting, policy.PlaceBy(plan.BestFor(plan.Age), false))
		add(splitDelay, plan.HeParkerLaw, byMissing, policy.PlaceBy(plan.BestFor(plan.Missed), true))
		add(splitDelay, plan.HeParkerLaw, byHPs, figure2)
	}
	return append(all, heParkerPolicy{posterior, "exact", "exact", policy.Exact})
}

// heParkerPrinted are the paper's Tables 1 to 3 by split or schedule, u1 to u6.
var heParkerPrinted = map[int]map[string][heParkerUsers]float64{
	1: {splitAlike: {66.17, 48.55, 42.79, 27.4, 47.32, 27.87}, splitPosting: {19.98, 29.01, 28.85, 21.53, 29.73, 19.54},
		splitDelay: {17.95, 28.66, 27.11, 20.13, 23.02, 15.15}},
	2: {equalIntervals: {402, 273, 534.58, 280.84, 161.36, 324.31}, byPosting: {378, 245.93, 499.38, 278.25, 121.02, 220.21},
		byMissing: {19.98, 31.63, 41.97, 29.52, 25.13, 18.87}, byHPs: {17.95, 28.66, 27.11, 20.13, 23.02, 15.15}},
	3: {equalIntervals: {209.1, 144.65, 277.55, 148.55, 114.1, 172.7}, byPosting: {176, 127.55, 251.4, 139.8, 94.45, 121.95},
		byMissing: {33.65, 47.84, 96.56, 46.76, 40.1, 35.45}, byHPs: {35.45, 49.53, 100.31, 47.58, 41.65, 37.55}},
}

// heParkerTables replays He & Parker's Tables 1 to 3 for six users.
func heParkerTables(s *study) error {
	users, err := s.activeUsers()
	if err != nil {
		return err
	}
	frequent := s.frequentFeeds()
	if len(frequent) == 0 {
		return fmt.Errorf("table %s needs feeds that post every day", s.table)
	}
	feeds := evenlySpaced(frequent, heParkerFeeds)
	set := &traces.Set{End: s.set.End}
	t := &heParkerReport{s: s, policies: heParkerPolicies(s.protocol.Warmup)}
	for _, i := range quantiles(len(users)) {
		t.users = append(t.users, users[i])
		u := users[i].user
		u.Feeds = feeds
		set.Users = append(set.Users, u)
	}
	policies := make([]lab.Policy, len(t.policies))
	for i, p := range t.policies {
		policies[i] = p.policy
	}
	if t.rows, err = s.replay(set, s.protocol, []float64{heParkerBudget}, policies); err != nil {
		return err
	}
	t.record()
	t.part(1, "He & Parker, Table 1: delay by the split of the budget; the schedule is He & Parker's in every row", delayOf, t.splitNotes(feeds, len(frequent))...)
	scheduleNotes, err := t.scheduleNotes(set)
	if err != nil {
		return err
	}
	t.part(2, "He & Parker, Table 2: delay by the schedule; the split is the cube root in every row", delayOf, scheduleNotes...)
	t.part(3, "He & Parker, Table 3: posts missed, by the schedule; the split is the cube root in every row", missedOf, t.missedNotes()...)
	return s.delaySearches(set)
}

// frequentFeeds returns the feeds of the set that posted every day on average in the warm-up, as
// the paper's "frequently updated" ones.
func (s *study) frequentFeeds() (frequent []traces.Feed) {
	for _, f := range aggregate(s.set).Users[0].Feeds {
		if float64(len(s.learned(f))) >= s.protocol.Warmup.Hours()/24 {
			frequent = append(frequent, f)
		}
	}
	return frequent
}

// activeUsers returns the users who read both in the warm-up, every day on average, and in the
// test, by opens a day.
func (s *study) activeUsers() ([]activeUser, error) {
	from, start := s.start()-int64(s.protocol.Warmup/time.Second), s.start()
	var active []activeUser
	for _, u := range s.set.Users {
		before, after := len(traces.Between(u.Accesses, from, start)), len(traces.Between(u.Accesses, start, s.set.End))
		if float64(before) >= s.protocol.Warmup.Hours()/24 && after > 0 {
			active = append(active, activeUser{u, float64(before+after) * float64(daySeconds) / float64(s.set.End-from)})
		}
	}
	if len(active) < heParkerUsers {
		return nil, fmt.Errorf("table %s needs %d users who read daily in the warm-up and also in the test; these traces have %d", s.table, heParkerUsers, len(active))
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

// heParkerLines are the lines of the tables: the splits of Table 1, the schedules of Tables 2 and 3.
var heParkerLines = map[int][]string{
	1: {splitAlike, splitPosting, splitDelay},
	2: {equalIntervals, byPosting, byMissing, byHPs},
	3: {equalIntervals, byPosting, byMissing, byHPs},
}

// find returns the policy of a line of a table.
func (t *heParkerReport) find(table int, rates, line string) int {
	return slices.IndexFunc(t.policies, func(m heParkerPolicy) bool {
		if table == 1 {
			return m.rates == rates && m.split == line && m.schedule == byHPs
		}
		return m.rates == rates && m.schedule == line && m.split == splitDelay
	})
}

// part writes one of the tables: the paper's numbers, then the same rows on the traces, and every
// row relative to the last one, He & Parker's split and schedule.
func (t *heParkerReport) part(table int, title string, measure func(*lab.Row) float64, notes ...string) {
	p := part{title: title, notes: notes, heads: [][]string{{"", ""}, {"rates", "schedule"}}}
	rows := heParkerLines[table]
	if table == 1 {
		p.heads[1][1] = "split"
	}
	for i, u := range t.users {
		p.heads[0] = append(p.heads[0], fmt.Sprintf("u%d", i+1))
		p.heads[1] = append(p.heads[1], fmt.Sprintf("%.1f a day", u.opens))
	}
	p.heads[0], p.heads[1] = append(p.heads[0], "mean ratio", "ratio"), append(p.heads[1], "to the last", "of the sums")
	add := func(rates, row string, value, last func(user int) float64) {
		line := []string{rates, row}
		var ratios []float64
		sum, lastSum := 0.0, 0.0
		for i := range t.users {
			line = append(line, lab.FormatNumber(value(i), 2))
			sum, lastSum = sum+value(i), lastSum+last(i)
			if last(i) > 0 && value(i) > 0 {
				ratios = append(ratios, value(i)/last(i))
			}
		}
		p.lines = append(p.lines, append(line, lab.FormatNumber(geometricMean(ratios), 2), lab.FormatNumber(sum/lastSum, 2)))
	}
	for _, row := range rows {
		printed := heParkerPrinted[table]
		add("the paper", row, func(u int) float64 { return printed[row][u] }, func(u int) float64 { return printed[rows[len(rows)-1]][u] })
	}
	for _, rates := range []string{histogram, posterior} {
		last := t.find(table, rates, rows[len(rows)-1])
		for _, row := range rows {
			k := t.find(table, rates, row)
			add(rates, row, func(u int) float64 { return measure(t.at(u, k)) }, func(u int) float64 { return measure(t.at(u, last)) })
		}
		if rates == posterior {
			exact := len(t.policies) - 1
			add(rates, "Kairos (exact)", func(u int) float64 { return measure(t.at(u, exact)) }, func(u int) float64 { return measure(t.at(u, last)) })
			add("none", "uniform", func(u int) float64 { return measure(t.at(u, 0)) }, func(u int) float64 { return measure(t.at(u, last)) })
		}
	}
	t.s.report.parts = append(t.s.report.parts, p)
}
