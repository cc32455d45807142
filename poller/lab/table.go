package lab

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"
)

// WriteJSON writes the rows, a JSON object a line.
func WriteJSON(out io.Writer, rows []Row) error {
	enc := json.NewEncoder(out)
	for _, r := range rows {
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// Summary is what one policy did at one budget, over all users.
type Summary struct {
	Policy  string
	Budget  float64 // fetches a feed a day; of policies with their own pace, what they took
	Native  bool
	Users   int
	Ratio   float64 // of the delay to uniform's at the same budget, geometric mean over users; NaN without uniform
	Worst   float64 // the greatest of these ratios
	Delay   float64 // h a day, mean user
	Over    float64 // delay beyond the clairvoyant's, h a day, mean user; NaN without it
	Times   float64 // delay over the clairvoyant's, both summed over users; NaN without it or where it is 0
	Missed  float64 // posts an access, pooled
	Ready   float64 // %, mean user
	Age     float64 // h, mean, of the mean user
	MaxAge  float64 // h, mean of the users' greatest
	SDAge   float64 // h, mean of the users'
	Fetches float64 // a feed a day
	Full    float64 // of these, with new posts
	Lost    float64 // % of the posts, pooled
}

// Summarise sums up rows by policy and budget, in the order of the first user's.
func Summarise(rows []Row) []Summary {
	var groups [][]Row
	at := map[string]int{}
	for _, r := range rows {
		k := key(r.Policy, r.Budget)
		if r.native {
			k = r.Policy
		}
		i, ok := at[k]
		if !ok {
			i, groups = len(groups), append(groups, nil)
			at[k] = i
		}
		groups[i] = append(groups[i], r)
	}
	uniform, best := byUser(rows, "uniform"), byUser(rows, "clairvoyant")
	out := make([]Summary, len(groups))
	for i, g := range groups {
		out[i] = summary(g, uniform, best)
	}
	return out
}

func key(name string, budget float64) string { return fmt.Sprint(name, " ", budget) }

// byUser are the delays of one policy by user and budget.
func byUser(rows []Row, policy string) map[string]float64 {
	delays := map[string]float64{}
	for _, r := range rows {
		if r.Policy == policy {
			delays[key(r.User, r.Budget)] = r.Delay
		}
	}
	return delays
}

func summary(rows []Row, uniform, best map[string]float64) Summary {
	n := float64(len(rows))
	s := Summary{Policy: rows[0].Policy, Native: rows[0].native, Users: len(rows)}
	var taken, logs, compared, accesses, posts, bound float64
	known := true
	for _, r := range rows {
		taken += r.Budget / n
		s.Delay += r.Delay / r.days / n
		s.Missed += float64(r.Missed)
		s.Ready += r.Ready / n
		s.Age, s.MaxAge, s.SDAge = s.Age+r.MeanAge/n, s.MaxAge+r.MaxAge/n, s.SDAge+r.SDAge/n
		s.Fetches += float64(r.Fetches) / float64(r.feeds) / r.days / n
		s.Full += float64(r.Full) / float64(r.feeds) / r.days / n
		s.Lost += float64(r.Lost)
		accesses, posts = accesses+float64(r.accesses), posts+float64(r.Posts)
		if u := uniform[key(r.User, r.Budget)]; u > 0 {
			logs, compared = logs+math.Log(r.Delay/u), compared+1
			s.Worst = max(s.Worst, r.Delay/u)
		}
		b, ok := best[key(r.User, r.Budget)]
		known, bound = known && ok, bound+b/r.days/n
	}
	if s.Budget = rows[0].Budget; s.Native {
		s.Budget = taken
	}
	s.Missed /= max(1, accesses)
	s.Lost *= 100 / max(1, posts)
	s.Ratio, s.Over, s.Times = math.NaN(), math.NaN(), math.NaN()
	if compared > 0 {
		s.Ratio = math.Exp(logs / compared)
	}
	if known {
		s.Over = s.Delay - bound
		if bound > 0 {
			s.Times = s.Delay / bound
		}
	}
	return s
}

// WriteTable writes what the rows come to for people: first the delay relative to
// uniform fetching by policy and budget, then everything.
func WriteTable(out io.Writer, rows []Row) error {
	all := Summarise(rows)
	t := &table{w: tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)}
	t.ratios(all)
	t.measures(all)
	if t.err != nil {
		return t.err
	}
	return t.w.Flush()
}

type table struct {
	w   *tabwriter.Writer
	err error
}

func (t *table) line(format string, args ...any) {
	if _, err := fmt.Fprintf(t.w, format+"\n", args...); err != nil && t.err == nil {
		t.err = err
	}
}

// ratios is the table of delays relative to uniform.
func (t *table) ratios(all []Summary) {
	var budgets []float64
	var names []string
	value := map[string]Summary{}
	for _, s := range all {
		if s.Native || math.IsNaN(s.Ratio) {
			continue
		}
		if !slices.Contains(budgets, s.Budget) {
			budgets = append(budgets, s.Budget)
		}
		if !slices.Contains(names, s.Policy) {
			names = append(names, s.Policy)
		}
		value[key(s.Policy, s.Budget)] = s
	}
	if len(names) == 0 {
		return
	}
	t.line("delay relative to equal intervals (geometric mean over users), by fetches a feed a day")
	head := "\t"
	for _, b := range budgets {
		head += fmt.Sprintf("%g\t", b)
	}
	t.line("%s", head)
	for _, name := range names {
		row := name + "\t"
		for _, b := range budgets {
			row += number(value[key(name, b)].Ratio, 3) + "\t"
		}
		t.line("%s", row)
	}
	t.line("")
}

// measures is the table of everything, budget by budget, then the policies with
// their own pace.
func (t *table) measures(all []Summary) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b Summary) int {
		switch {
		case a.Native != b.Native && b.Native:
			return -1
		case a.Native != b.Native:
			return 1
		case a.Native || a.Budget == b.Budget:
			return 0
		case a.Budget < b.Budget:
			return -1
		}
		return 1
	})
	t.line("budget\tpolicy\tdelay\tto uniform\tworst\tover best\tto best\tmissed\tready\tage\tmax\tsd\tfetches\tfull\tlost\t")
	t.line("\t\th/day\t\t\th/day\t\tan access\t%%\th\th\th\ta feed a day\t\t%%\t")
	for i, s := range all {
		if i > 0 && (s.Native != all[i-1].Native || !s.Native && s.Budget != all[i-1].Budget) {
			t.line("")
		}
		budget := fmt.Sprintf("%g", s.Budget)
		worst := s.Worst
		if s.Native {
			budget, worst = "own", math.NaN()
		}
		t.line("%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.2f\t%.1f\t%.1f\t%.0f\t%.1f\t%.2f\t%.2f\t%.2f\t", budget, s.Policy, number(s.Delay, 3),
			number(s.Ratio, 3), number(worst, 2), number(s.Over, 3), number(s.Times, 1),
			s.Missed, s.Ready, s.Age, s.MaxAge, s.SDAge, s.Fetches, s.Full, s.Lost)
	}
}

// number leaves out what is not known.
func number(x float64, digits int) string {
	if math.IsNaN(x) {
		return "–"
	}
	if x != 0 && math.Abs(x) < 0.1 {
		return fmt.Sprintf("%.*f", digits+1, x)
	}
	return fmt.Sprintf("%.*f", digits, x)
}
