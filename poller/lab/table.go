package lab

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"
)

// WriteJSON writes the rows as JSON, one object per line.
func WriteJSON(out io.Writer, rows []Row) error {
	enc := json.NewEncoder(out)
	for _, r := range rows {
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// WriteTable writes summaries of the rows as text: first the delay relative to uniform by policy and
// budget, then all measures.
func WriteTable(out io.Writer, rows []Row) error {
	all := Summarize(rows)
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

// ratios writes the table of delays relative to uniform.
func (t *table) ratios(all []Summary) {
	var budgets []float64
	var names []string
	value := map[string]Summary{}
	for _, s := range all {
		if s.OwnPace || math.IsNaN(s.Ratio) {
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
	t.line("delay relative to equal intervals (geometric mean over users), by fetches per feed and day")
	head := "\t"
	for _, b := range budgets {
		head += fmt.Sprintf("%g\t", b)
	}
	t.line("%s", head)
	for _, name := range names {
		row := name + "\t"
		for _, b := range budgets {
			row += FormatNumber(value[key(name, b)].Ratio, 3) + "\t"
		}
		t.line("%s", row)
	}
	t.line("")
}

// measures writes the table of all measures, budget by budget, then the policies that keep their own
// pace.
func (t *table) measures(all []Summary) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b Summary) int {
		switch {
		case a.OwnPace != b.OwnPace && b.OwnPace:
			return -1
		case a.OwnPace != b.OwnPace:
			return 1
		case a.OwnPace || a.Budget == b.Budget:
			return 0
		case a.Budget < b.Budget:
			return -1
		}
		return 1
	})
	t.line("budget\tpolicy\tdelay\tready\tby feed\tslow\tread\tlost\tto uniform\tworst\tof user\tover best\tto best\tmissed\tage\tmax\tsd\tfetches\tfull\tdata\tplan gap\t")
	t.line("\t\th/day\t%%\t%%\t%%\t%%\t%%\t\t\t\th/day\t\tper access\th\th\th\tper feed, day\t\tMB/day\t%%\t")
	for i, s := range all {
		if i > 0 && (s.OwnPace != all[i-1].OwnPace || !s.OwnPace && s.Budget != all[i-1].Budget) {
			t.line("")
		}
		budget := fmt.Sprintf("%g", s.Budget)
		worst, of := s.Worst, s.WorstOf
		if of == "" {
			worst, of = math.NaN(), "–"
		}
		if s.OwnPace {
			budget = "own"
		}
		t.line("%s\t%s\t%s\t%.1f\t%.1f\t%s\t%.1f\t%.2f\t%s\t%s\t%s\t%s\t%s\t%.2f\t%.1f\t%.0f\t%.1f\t%.2f\t%.2f\t%.2f\t%.2f\t", budget, s.Policy, FormatNumber(s.Delay, 3),
			s.Ready, s.ReadyByFeed, FormatNumber(s.ReadySlow, 1), s.ReadyRead, s.Lost, FormatNumber(s.Ratio, 3), FormatNumber(worst, 2), of, FormatNumber(s.Excess, 3), FormatNumber(s.Times, 1),
			s.Missed, s.Age, s.MaxAge, s.SDAge, s.Fetches, s.Full, s.Bytes/1e6, s.PlanGap)
	}
}

// FormatNumber formats a figure with so many decimals, one more if it is small; NaN, for
// unknown, as a dash.
func FormatNumber(x float64, digits int) string {
	if math.IsNaN(x) {
		return "–"
	}
	if x != 0 && math.Abs(x) < 0.1 {
		return fmt.Sprintf("%.*f", digits+1, x)
	}
	return fmt.Sprintf("%.*f", digits, x)
}
