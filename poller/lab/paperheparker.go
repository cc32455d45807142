package lab

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"kairos/poller/plan"
)

// heParkerProtocol: three fetches a feed a day, two weeks learned, the third tested.
var heParkerProtocol = Options{Budgets: []float64{3}, Policies: []string{"he-parker"}, Warmup: 14 * day, Weeks: 1, Relearn: day, Frozen: true}

// sixth is how many people the paper has.
const sixth = 6

// readingRow is one policy of Tables 1 to 3 for one person.
type readingRow struct {
	Table    string  `json:"table"`
	User     string  `json:"user"`
	Opens    float64 `json:"opens_a_day"`
	Rates    string  `json:"rates"`
	Split    string  `json:"split"`
	Schedule string  `json:"schedule"`
	Delay    float64 `json:"delay_h_day"`
	Missed   float64 `json:"missed_an_access"`
	Ratio    known   `json:"delay_to_uniform"`
	Less     known   `json:"missed_to_uniform"`
	Fetches  int     `json:"fetches"`
}

// person is somebody who reads.
type person struct {
	user  User
	opens float64 // a day
}

// manner is a policy of the tables by what it does.
type manner struct {
	rates, split, schedule string
	kind                   kind
}

// manners are the papers' policies, each on the papers' rates and on ours.
func manners(past rates) []manner {
	all := []manner{{"none", "alike", "equal", policies["uniform"]}}
	for _, by := range []struct {
		name  string
		rates rates
	}{{counted14, past}, {posterior, shrunk}} {
		add := func(split string, splits splitter, schedule string, places placer) {
			all = append(all, manner{by.name, split, schedule, recipe{by.rates, splits, places}.kind()})
		}
		add("posts: √λp", splitBy(plan.Sia), "equal", spaced)
		add("both: ∛(λc λp)", cubeRoot, "equal", spaced)
		add("both: ∛(λc λp)", cubeRoot, "both: best", nil)
		add("alike", alike, "posts: age", placeBy(plan.BestForAge, false))
		add("alike", alike, "both: missed", placeBy(plan.BestForMissed, true))
		add("alike", alike, "both: Figure 2", placeBy(plan.HeParkerFigure2, true))
		add("alike", alike, "both: best", placeBy(plan.BestSchedule, true))
	}
	return append(all, manner{posterior, "exact", "exact", policies["exact"]})
}

// heParkerTables replays He & Parker's Tables 1 to 3.
func heParkerTables(s *study) error {
	people, err := s.people()
	if err != nil {
		return err
	}
	set := &Set{End: s.set.End}
	for _, p := range people {
		set.Users = append(set.Users, p.user)
	}
	all := manners(histograms(s.o.Warmup))
	variants := make([]variant, len(all))
	for i, m := range all {
		variants[i] = variant{m.schedule, m.kind}
	}
	rows, err := s.replays(set, &s.o, variants)
	if err != nil {
		return err
	}
	t := &readingTables{s: s, people: people, six: quantiles(len(people)), manners: all, rows: rows}
	t.record()
	t.part("He & Parker, Table 1: delay at the accesses (h a day) by split of the budget", delayOf, func(m manner) bool {
		return m.schedule == "equal" || m.split != "alike"
	}, "In the paper's Table 1 the split by both rates has the least delay; a sentence below it says otherwise, the table is right.",
		"One person's feeds share λc, so that here the splits differ in the root alone.")
	bySchedule := func(m manner) bool { return m.split == "alike" || m.split == "exact" }
	t.part("He & Parker, Table 2: delay at the accesses (h a day) by schedule", delayOf, bySchedule,
		"In the paper the schedule that knows when its reader comes has less delay than one that knows the posts alone.")
	t.part("He & Parker, Table 3: posts missed an access by schedule", missedOf, bySchedule,
		"Table 3 asks whether it misses fewer posts, too. Histograms are the paper's rates; what stands on posterior rates is ours.")
	few := &Set{End: set.End}
	for _, i := range t.six {
		few.Users = append(few.Users, set.Users[i])
	}
	return s.delaySearches(few)
}

// people are those who came both in what is learned and in what is tested, by opens
// a day.
func (s *study) people() ([]person, error) {
	from, start := s.start()-int64(s.o.Warmup/time.Second), s.start()
	var came []person
	for _, u := range s.set.Users {
		before, after := len(between(u.Accesses, from, start)), len(between(u.Accesses, start, s.set.End))
		if before > 0 && after > 0 {
			came = append(came, person{u, float64(before+after) * float64(daySeconds) / float64(s.set.End-from)})
		}
	}
	if len(came) < sixth {
		return nil, fmt.Errorf("table %s is of %d people who came before and in the test; in these traces there are %d", s.table, sixth, len(came))
	}
	slices.SortStableFunc(came, func(a, b person) int { return cmp.Compare(a.opens, b.opens) })
	return came, nil
}

// quantiles are the places of the 1/12, 3/12 … 11/12 quantiles among so many.
func quantiles(n int) []int {
	at := make([]int, sixth)
	for k := range at {
		at[k] = (2*k + 1) * n / (2 * sixth)
	}
	return at
}

// readingTables are the tables of one replay.
type readingTables struct {
	s       *study
	people  []person
	six     []int // of them
	manners []manner
	rows    []Row // by person and manner
}

func (t *readingTables) at(person, manner int) *Row { return &t.rows[person*len(t.manners)+manner] }

func delayOf(r *Row) float64  { return r.Delay / r.days }
func missedOf(r *Row) float64 { return float64(r.Missed) / float64(max(1, r.accesses)) }

func (t *readingTables) record() {
	for i, p := range t.people {
		uniform := t.at(i, 0)
		for k, m := range t.manners {
			r := t.at(i, k)
			t.s.report.rows = append(t.s.report.rows, readingRow{t.s.table, p.user.ID, p.opens, m.rates, m.split, m.schedule,
				delayOf(r), missedOf(r), known(r.Delay / uniform.Delay), known(missedOf(r) / missedOf(uniform)), r.Fetches})
		}
	}
}

// part writes the manners that belong to a table: the six, and the mean of the six
// and of all who came.
func (t *readingTables) part(title string, measure func(*Row) float64, belongs func(manner) bool, says ...string) {
	p := part{title: title, says: says, heads: [][]string{{"", "", ""}, {"rates", "split", "schedule"}}}
	for _, i := range t.six {
		p.heads[0] = append(p.heads[0], t.people[i].user.ID)
		p.heads[1] = append(p.heads[1], fmt.Sprintf("%.1f opens", t.people[i].opens))
	}
	p.heads[0] = append(p.heads[0], "to uniform", "to uniform")
	p.heads[1] = append(p.heads[1], "the six", fmt.Sprintf("all %d", len(t.people)))
	for k, m := range t.manners {
		if !belongs(m) {
			continue
		}
		line := []string{m.rates, m.split, m.schedule}
		for _, i := range t.six {
			line = append(line, number(measure(t.at(i, k)), 2))
		}
		line = append(line, number(t.ratio(t.six, k, measure), 2), number(t.ratio(counted(len(t.people)), k, measure), 2))
		p.lines = append(p.lines, line)
	}
	t.s.report.parts = append(t.s.report.parts, p)
}

// ratio is the geometric mean, over some people, of a measure relative to uniform.
func (t *readingTables) ratio(some []int, manner int, measure func(*Row) float64) float64 {
	var ratios []float64
	for _, i := range some {
		if base := measure(t.at(i, 0)); base > 0 {
			ratios = append(ratios, measure(t.at(i, manner))/base)
		}
	}
	return geometric(ratios)
}
