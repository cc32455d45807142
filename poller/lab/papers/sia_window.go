package papers

import (
	"fmt"
	"time"

	"kairos/poller/lab"
	"kairos/poller/lab/policy"
	"kairos/poller/lab/traces"
	"kairos/poller/plan"
)

// windowProtocol tests each of the last four weeks by itself, after learning from the history
// before it. The warm-up is the longest history.
var windowProtocol = lab.Protocol{Warmup: 28 * day, Weeks: 4, Relearn: day, Frozen: true}

// windowBudget is in fetches per feed and day.
const windowBudget = 4.0

// histories are the lengths of history learned from.
var histories = []time.Duration{2 * day, 4 * day, 7 * day, 14 * day, 21 * day, 28 * day}

// windowRow is the result of one policy after so much history.
type windowRow struct {
	Table  string  `json:"table"`
	Days   float64 `json:"history_days"`
	Rates  string  `json:"rates"`
	Policy string  `json:"policy"`
	Age    float64 `json:"mean_age_h"` // of all posts
	Older  figure  `json:"age_to_uniform"`
	Delay  float64 `json:"delay_h_day"`      // mean user
	Ratio  figure  `json:"delay_to_uniform"` // geometric mean over users
}

// windowTables replays Sia, Cho & Cho's Figures 9 and 12: what more history is worth.
func windowTables(s *study) error {
	var sums [][]windowSum
	var days []time.Duration
	policies := func(history time.Duration) []lab.Policy {
		rates := policy.Histograms(history)
		return []lab.Policy{
			policy.Uniform,
			policy.Recipe{Rates: rates, Split: policy.SplitBy(plan.Sia), Place: policy.PlaceBy(plan.BestForAge, false)}.Policy("sia"),
			policy.Recipe{Rates: rates, Split: policy.HeParkerSplit}.Policy("he-parker"),
			policy.Recipe{Rates: policy.Posterior, Split: policy.SplitBy(plan.SiaExact)}.Policy("sia exact"),
			policy.Exact,
		}
	}
	for _, history := range histories {
		if history > s.protocol.Warmup {
			break
		}
		sum, err := s.testAfter(history, policies(history))
		if err != nil {
			return err
		}
		sums, days = append(sums, sum), append(days, history)
	}
	if len(days) == 0 {
		return fmt.Errorf("table %s needs a warm-up of at least %v, not %v", s.table, histories[0], s.protocol.Warmup)
	}
	s.windowTable(policies(0), days, sums)
	return nil
}

// windowSum adds up the tested weeks of one policy.
type windowSum struct {
	age, posts           float64   // Σ of the posts' ages in h, and their number
	delay                []float64 // by user, h
	ageRatio, delayRatio float64   // to uniform
}

// testAfter replays the last weeks, each after so much history.
func (s *study) testAfter(history time.Duration, policies []lab.Policy) ([]windowSum, error) {
	sums := make([]windowSum, len(policies))
	for k := range sums {
		sums[k].delay = make([]float64, len(s.set.Users))
	}
	p := s.protocol
	p.Warmup, p.Weeks = history, 1
	for back := range int64(s.protocol.Weeks) {
		set := &traces.Set{Users: s.set.Users, End: s.set.End - back*int64(week/time.Second)}
		rows, err := s.replay(set, p, []float64{windowBudget}, policies)
		if err != nil {
			return nil, err
		}
		for i, r := range rows {
			sum := &sums[i%len(policies)]
			sum.age += r.MeanAge * float64(r.Posts)
			sum.posts += float64(r.Posts)
			sum.delay[i/len(policies)] += r.Delay
		}
	}
	for k := range sums {
		sums[k].compare(&sums[0])
	}
	return sums, nil
}

func (w *windowSum) compare(uniform *windowSum) {
	w.ageRatio = w.age / uniform.age
	var ratios []float64
	for i, d := range w.delay {
		if uniform.delay[i] > 0 {
			ratios = append(ratios, d/uniform.delay[i])
		}
	}
	w.delayRatio = geometricMean(ratios)
}

func (s *study) windowTable(policies []lab.Policy, days []time.Duration, sums [][]windowSum) {
	tested := float64(s.protocol.Weeks) * 7
	age := part{title: fmt.Sprintf("Sia, Cho & Cho, Figures 9 and 12: time from post to fetch relative to equal intervals, by days of history learned\n"+
		"(%g fetches per feed and day; each of the last %d weeks is tested after so many days of history)", windowBudget, s.protocol.Weeks)}
	delay := part{title: "The same for the delay at the accesses relative to equal intervals (geometric mean over users)"}
	head := []string{"rates", "policy"}
	for _, d := range days {
		head = append(head, fmt.Sprintf("%g days", d.Hours()/24))
	}
	age.heads, delay.heads = [][]string{head}, [][]string{head}
	for k, v := range policies {
		rates := histogram
		if k == 0 {
			rates = "none"
		} else if k >= 3 {
			rates = posterior
		}
		ages, delays := []string{rates, v.Name}, []string{rates, v.Name}
		for j, d := range days {
			w := &sums[j][k]
			ages, delays = append(ages, lab.FormatNumber(w.ageRatio, 3)), append(delays, lab.FormatNumber(w.delayRatio, 3))
			row := windowRow{Table: s.table, Days: d.Hours() / 24, Rates: rates, Policy: v.Name,
				Age: w.age / max(1, w.posts), Older: figure(w.ageRatio), Ratio: figure(w.delayRatio)}
			for _, h := range w.delay {
				row.Delay += h / tested / float64(len(w.delay))
			}
			s.report.rows = append(s.report.rows, row)
		}
		age.lines, delay.lines = append(age.lines, ages), append(delay.lines, delays)
	}
	age.notes = []string{"The papers learn from two weeks: the delay should fall up to there and hardly change beyond."}
	delay.notes = []string{"The papers' policies are sia and he-parker, with histograms of so many days; sia exact and exact are ours, with posterior rates."}
	s.report.parts = append(s.report.parts, age, delay)
}
