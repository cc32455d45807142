package papers

import (
	"fmt"
	"math"
	"slices"

	"kairos/poller/lab"
	"kairos/poller/lab/traces"
	"kairos/poller/plan"
)

// value returns a figure of a line of a table by user.
func (t *heParkerReport) value(table int, rates, line string, measure func(*lab.Row) float64) func(user int) float64 {
	k := t.find(table, rates, line)
	return func(u int) float64 { return measure(t.at(u, k)) }
}

// printed returns a line of a table of the paper by user.
func printed(table int, line string) func(user int) float64 {
	return func(u int) float64 { return heParkerPrinted[table][line][u] }
}

// least says which line of a table is least, of the paper and of ours.
func (t *heParkerReport) least(table int, measure func(*lab.Row) float64) string {
	lines := heParkerLines[table]
	say := func(of func(line string) func(user int) float64) string {
		return leastOf(lines, func(r, u int) float64 { return of(lines[r])(u) })
	}
	return fmt.Sprintf("The least: in the paper %s; on histograms %s; on posterior rates %s.",
		say(func(line string) func(int) float64 { return printed(table, line) }),
		say(func(line string) func(int) float64 { return t.value(table, histogram, line, measure) }),
		say(func(line string) func(int) float64 { return t.value(table, posterior, line, measure) }))
}

// compare says how large one line of a table is beside another, of the paper and of ours.
func (t *heParkerReport) compare(table int, what, one, other string, measure func(*lab.Row) float64) string {
	ours := func(rates string) string {
		return shareOf(t.value(table, rates, one, measure), t.value(table, rates, other, measure))
	}
	return fmt.Sprintf("%s: in the paper %s; on histograms %s; on posterior rates %s.", what,
		shareOf(printed(table, one), printed(table, other)), ours(histogram), ours(posterior))
}

// splitNotes say what Table 1 shows.
func (t *heParkerReport) splitNotes(feeds []traces.Feed, frequent int) []string {
	roots, busiest := make([]float64, len(feeds)), 0.0
	for i, f := range feeds {
		perDay := float64(len(t.s.learned(f))) * 24 / t.s.protocol.Warmup.Hours()
		roots[i], busiest = math.Sqrt(perDay), max(busiest, perDay)
	}
	slices.Sort(roots)
	tenth, all := 0.0, 0.0
	for i, r := range roots {
		if all += r; i >= len(roots)-len(roots)/10 {
			tenth += r
		}
	}
	return []string{
		fmt.Sprintf("All six users read the same feeds, as in the paper: %d of the %d that posted every day on average in the two weeks. The paper's delays are totals in hours, ours hours a day; compare each row with the last. The schedule is found by the paper's Figure 2.",
			len(feeds), frequent),
		t.least(1, delayOf),
		t.compare(1, "The square root beside alike", splitPosting, splitAlike, delayOf),
		fmt.Sprintf("Our feeds' rates lie far apart: the busiest posts %.0f times a day, and the square root gives the busiest tenth of the feeds %s of its fetches.", busiest, percent(tenth/all)),
		"(The sentence below the paper's table that posting-only does better contradicts the table; the table is right.)",
	}
}

// scheduleNotes say what Table 2 shows, and whether what was foreseen explains it.
func (t *heParkerReport) scheduleNotes(set *traces.Set) ([]string, error) {
	foreseen := t.s.foreseenRatios(set)
	if err := t.s.ctx.Err(); err != nil {
		return nil, err
	}
	one, other := t.value(2, histogram, byHPs, delayOf), t.value(2, histogram, byPosting, delayOf)
	above, daily := 0, []string{} // daily are the users who come about once a day
	for u := range t.users {
		realized := one(u) / other(u)
		if realized > foreseen[u] {
			above++
		}
		if t.users[u].opens < 1.5 {
			daily = append(daily, fmt.Sprintf("u%d %s", u+1, lab.FormatNumber(realized, 2)))
		}
	}
	notes := []string{
		t.least(2, delayOf),
		t.compare(2, "A schedule that knows the accesses beside one that knows the posts alone", byHPs, byPosting, delayOf),
	}
	if len(daily) > 0 {
		notes = append(notes, fmt.Sprintf("Of those who come about once a day the ratio on histograms is %s.", and(daily)))
	}
	notes = append(notes, fmt.Sprintf("At three fetches a day the histograms of the two weeks foresee ratios of %s; what came is above that for %d of %d users.", rangeOf(foreseen), above, len(t.users)))
	if 2*above > len(t.users) {
		notes = append(notes, "So the reason lies in the people: they do not come in the third week in just the hours in which they came in the two before.")
	}
	paper := 0.0
	for u := range t.users {
		paper = max(paper, printed(2, byHPs)(u)/printed(2, byPosting)(u))
	}
	if slices.Min(foreseen) > paper {
		notes = append(notes, "That is more than any in the paper, so to know the accesses of our users is worth less from the outset: they are spread over more hours of the day.")
	} else if beyond := count(foreseen, paper); beyond > 0 {
		notes = append(notes, fmt.Sprintf("That is more than any in the paper (%s) for %d of %d users: to know their accesses is worth less from the outset, as they are spread over more hours of the day.",
			lab.FormatNumber(paper, 2), beyond, len(t.users)))
	}
	last := t.value(2, posterior, byHPs, delayOf)
	least := 0
	for u := range t.users {
		if last(u) < last(least) {
			least = u
		}
	}
	return append(notes,
		fmt.Sprintf("Exact search finds the schedules of the rows posting and missing, the paper's Figure 2 those of the row delay. Kairos (exact) has the same two weeks; uniform fetches every feed every eight hours. The mean ratio is geometric: u%d, who waits %s h a day, sways it as much as those who wait most.",
			least+1, lab.FormatNumber(last(least), 2))), nil
}

// missedNotes say what Table 3 shows.
func (t *heParkerReport) missedNotes() []string {
	return []string{
		"Ours are posts missed per access.", t.least(3, missedOf),
		t.compare(3, "The schedule made for missing few beside the one for delay", byMissing, byHPs, missedOf),
	}
}

// foreseenRatios returns, by user, the delay (5) of the best schedule of three fetches a day relative to that of the best for the
// posts alone, as the histograms foresee it.
func (s *study) foreseenRatios(set *traces.Set) []float64 {
	problems := s.samples(set, searchFeeds, true)[histogram]
	ratios := make([]float64, len(problems))
	for i, p := range problems {
		best, posting := 0.0, 0.0
		for _, f := range p.Feeds {
			if s.ctx.Err() != nil {
				return ratios
			}
			c := plan.NewCosts(p.Access, f.Posting, p.Period)
			best += c.Cycle(1, plan.BestFor(plan.Delay)(p.Access, f.Posting, p.Period, heParkerBudget))
			posting += c.Cycle(1, plan.BestFor(plan.Age)(p.Access, f.Posting, p.Period, heParkerBudget))
		}
		ratios[i] = best / posting
	}
	return ratios
}

// count counts the numbers above a limit.
func count(x []float64, limit float64) (n int) {
	for _, y := range x {
		if y > limit {
			n++
		}
	}
	return n
}
