package lab

import (
	"fmt"
	"time"

	"kairos/poller/plan"
)

// windowProtocol: so much history is learned before each of the last weeks, which is
// then tested by itself. The warm-up is the longest history.
var windowProtocol = Options{Budgets: []float64{4}, Policies: []string{"sia"}, Warmup: 28 * day, Weeks: 4, Relearn: day, Frozen: true}

// histories are how much is learned.
var histories = []time.Duration{2 * day, 4 * day, 7 * day, 14 * day, 21 * day, 28 * day}

// windowRow is what one policy comes to after so much history.
type windowRow struct {
	Table  string  `json:"table"`
	Days   float64 `json:"history_days"`
	Rates  string  `json:"rates"`
	Policy string  `json:"policy"`
	Age    float64 `json:"mean_age_h"` // of all posts
	Older  known   `json:"age_to_uniform"`
	Delay  float64 `json:"delay_h_day"`      // mean user
	Ratio  known   `json:"delay_to_uniform"` // geometric mean over users
}

// windowTables replays Sia, Cho & Cho's Figures 9 and 12: what more history is worth.
func windowTables(s *study) error {
	var sums [][]windowSum
	var days []time.Duration
	variants := func(history time.Duration) []variant {
		past := histograms(history)
		return []variant{
			{"uniform", policies["uniform"]},
			{"sia", recipe{past, splitBy(plan.Sia), placeBy(plan.BestForAge, false)}.kind()},
			{"he-parker", recipe{past, cubeRoot, nil}.kind()},
			{"sia exact", shrunkBy(plan.SiaExact)},
			{"exact", policies["exact"]},
		}
	}
	for _, history := range histories {
		if history > s.o.Warmup {
			break
		}
		sum, err := s.history(history, variants(history))
		if err != nil {
			return err
		}
		sums, days = append(sums, sum), append(days, history)
	}
	if len(days) == 0 {
		return fmt.Errorf("table %s begins with %v of history, the warm-up is %v", s.table, histories[0], s.o.Warmup)
	}
	s.windows(variants(0), days, sums)
	return nil
}

// windowSum adds up the tested weeks of one policy.
type windowSum struct {
	age, posts   float64
	delay        []float64 // by user, h
	older, ratio float64   // to uniform
}

// history replays the last weeks, each after so much history.
func (s *study) history(history time.Duration, variants []variant) ([]windowSum, error) {
	sums := make([]windowSum, len(variants))
	for k := range sums {
		sums[k].delay = make([]float64, len(s.set.Users))
	}
	o := s.o
	o.Warmup, o.Weeks = history, 1
	for back := range int64(s.o.Weeks) {
		set := &Set{Users: s.set.Users, End: s.set.End - back*int64(week/time.Second)}
		rows, err := s.replays(set, &o, variants)
		if err != nil {
			return nil, err
		}
		for i, r := range rows {
			sum := &sums[i%len(variants)]
			sum.age += r.MeanAge * float64(r.Posts)
			sum.posts += float64(r.Posts)
			sum.delay[i/len(variants)] += r.Delay
		}
	}
	for k := range sums {
		sums[k].relate(&sums[0])
	}
	return sums, nil
}

func (w *windowSum) relate(uniform *windowSum) {
	w.older = w.age / uniform.age
	var ratios []float64
	for i, d := range w.delay {
		if uniform.delay[i] > 0 {
			ratios = append(ratios, d/uniform.delay[i])
		}
	}
	w.ratio = geometric(ratios)
}

func (s *study) windows(variants []variant, days []time.Duration, sums [][]windowSum) {
	tested := float64(s.o.Weeks) * 7
	age := part{title: fmt.Sprintf("Sia, Cho & Cho, Figures 9 and 12: time from post to fetch relative to equal intervals, by days of history learned\n"+
		"(%g fetches a feed a day; the last %d weeks, each tested after so many days)", s.o.Budgets[0], s.o.Weeks)}
	delay := part{title: "The same for the delay at the accesses relative to equal intervals (geometric mean over users)"}
	head := []string{"rates", "policy"}
	for _, d := range days {
		head = append(head, fmt.Sprintf("%g days", d.Hours()/24))
	}
	age.heads, delay.heads = [][]string{head}, [][]string{head}
	for k, v := range variants {
		rates := counted14
		if k == 0 {
			rates = "none"
		} else if k >= 3 {
			rates = posterior
		}
		older, ratio := []string{rates, v.name}, []string{rates, v.name}
		for j, d := range days {
			w := &sums[j][k]
			older, ratio = append(older, number(w.older, 3)), append(ratio, number(w.ratio, 3))
			row := windowRow{Table: s.table, Days: d.Hours() / 24, Rates: rates, Policy: v.name,
				Age: w.age / max(1, w.posts), Older: known(w.older), Ratio: known(w.ratio)}
			for _, h := range w.delay {
				row.Delay += h / tested / float64(len(w.delay))
			}
			s.report.rows = append(s.report.rows, row)
		}
		age.lines, delay.lines = append(age.lines, older), append(delay.lines, ratio)
	}
	age.says = []string{"The papers count two weeks: delay should fall with history up to there and change little beyond."}
	delay.says = []string{"sia and he-parker are the papers', on histograms of that many days; sia exact and exact are ours, on posterior rates."}
	s.report.parts = append(s.report.parts, age, delay)
}
