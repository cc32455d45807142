package text

import (
	"errors"
	"math"
	"time"

	"kairos/poller"
	"kairos/poller/schedule"
	"kairos/useraccess"
)

// ThereAbout words what a budget is expected to bring, in a few words: "about 89 % there".
func (p *Printer) ThereAbout(at schedule.Point) string {
	return p.L("about {{.Percent}} there", V{"Percent": p.Percent(at.Ready)})
}

// SaverCost words what battery saver costs, beside the budget of balanced; "" if nothing is known.
func (p *Printer) SaverCost(f *poller.Forecast) string {
	if len(f.Curve) == 0 {
		return ""
	}
	return p.L("Battery saver: {{.Saver}} a feed a day, {{.There}}; balanced, {{.Balanced}} a feed a day, {{.Then}}",
		V{"Saver": poller.SaverPerFeed, "There": p.ThereAbout(f.PerFeed(poller.SaverPerFeed)),
			"Balanced": poller.BalancedPerFeed, "Then": p.ThereAbout(f.PerFeed(poller.BalancedPerFeed))})
}

// Expected words what a budget is expected to bring, as a sentence.
func (p *Printer) Expected(at schedule.Point) string {
	v := V{"Percent": p.Percent(at.Ready), "Span": p.Span(at.Wait)}
	if at.Wait < time.Second {
		return p.L("About {{.Percent}} of new articles are there when you come.", v)
	}
	return p.L("About {{.Percent}} of new articles are there when you come; a typical article waits {{.Span}} for you.", v)
}

// BudgetExpected words what a budget of fetches a day for so many feeds is expected to bring.
func (p *Printer) BudgetExpected(perDay, feeds int, at schedule.Point) string {
	return p.Sentences(p.N("{{.PluralCount}} fetches a day, {{.PerFeed}} a feed.", perDay,
		V{"PerFeed": p.Amount(float64(perDay) / float64(max(1, feeds)))}), p.Expected(at))
}

// Goal words a goal: "at least 95 % there when you come".
func (p *Printer) Goal(g poller.Goal) string {
	if g.Ready > 0 {
		return p.L("at least {{.Percent}} there when you come", V{"Percent": p.exactPercent(g.Ready)})
	}
	return p.L("a typical article waits at most {{.Span}}", V{"Span": p.Span(g.Wait)})
}

// exactPercent words a share that was set.
func (p *Printer) exactPercent(share float64) string {
	x, digits := share*100, 0
	if math.Abs(x-math.Round(x)) > 1e-6 {
		digits = 1
	}
	return p.L("{{.N}} %", V{"N": p.decimal(x, digits)})
}

// Promise words a goal and what was found for it: the fetches a day in all that keep it, or what is reached within
// its ceiling.
func (p *Printer) Promise(found poller.Promise, perDay int) string {
	v := V{"Goal": Capital(p.Goal(found.Goal)), "Percent": p.Percent(found.Expected), "Span": p.Span(found.Wait)}
	switch {
	case found.PerFeed <= 0:
		return p.L("{{.Goal}}: Kairos finds the budget for it when there are feeds to fetch.", v)
	case !found.Kept:
		return p.N("{{.Goal}}: out of reach with {{.PluralCount}} fetches a day, the most that is allowed. With these about {{.Percent}} are there, and a typical article waits {{.Span}}.", perDay, v)
	}
	return p.N("{{.Goal}}: {{.PluralCount}} fetches a day keep it. About {{.Percent}} are there, and a typical article waits {{.Span}}.", perDay, v)
}

// promiseError words what is wrong with a goal, a hint or a span to forget; ok is false for any other error.
func (p *Printer) promiseError(err error) (words string, ok bool) {
	switch {
	case errors.Is(err, poller.ErrGoal):
		return p.L("A goal is how much shall be there when you come, from 1% to 99.9%, such as 95%, or how long a typical article may wait, from 1min to 168h, such as 10min."), true
	case errors.Is(err, useraccess.ErrHint):
		return p.L("A hint is a time and days, such as “7:30 workdays”. The days are workdays, weekends, everyday or a day of the week."), true
	case errors.Is(err, useraccess.ErrNoHint):
		return p.L("There is no such hint."), true
	case errors.Is(err, useraccess.ErrDay):
		return p.L("Give the first and the last day, such as 2026-07-31."), true
	case errors.Is(err, useraccess.ErrReversed):
		return p.L("The span ends before it begins."), true
	case errors.Is(err, useraccess.ErrFuture):
		return p.L("The span is not over yet: only the past can be forgotten."), true
	case errors.Is(err, useraccess.ErrForgotten):
		return p.L("Part of this span was forgotten before."), true
	}
	return "", false
}

// HintDays words the days of a hint: "on workdays".
func (p *Printer) HintDays(d useraccess.Days) string {
	switch d {
	case useraccess.EveryDay:
		return p.L("every day")
	case useraccess.Workdays:
		return p.L("on workdays")
	case useraccess.Weekends:
		return p.L("on weekends")
	}
	var names []string
	for w := time.Sunday; w <= time.Saturday; w++ {
		if d.Contains(w) {
			names = append(names, p.Weekday(w))
		}
	}
	return p.L("on {{.Days}}", V{"Days": p.List(names)})
}

// Hint words a hint: "7:30 on workdays".
func (p *Printer) Hint(h useraccess.Hint) string {
	at := time.Date(2000, 1, 1, h.Minute/60, h.Minute%60, 0, 0, time.UTC)
	return p.L("{{.Time}} {{.Days}}", V{"Time": p.Clock(at), "Days": p.HintDays(h.Days)})
}
