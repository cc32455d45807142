package text

import (
	"errors"
	"math"
	"time"

	"kairos/poller"
	"kairos/poller/schedule"
	"kairos/useraccess"
)

// ThereAbout describes what a budget is expected to bring, in a few words: "about 89 % ready".
func (p *Printer) ThereAbout(at schedule.Point) string {
	return p.L("about {{.Percent}} ready", V{"Percent": p.Percent(at.Ready)})
}

// SaverChoice describes a choice of battery saver: "On: 2 a feed a day, about 89 % ready".
func (p *Printer) SaverChoice(name string, perFeed float64, at schedule.Point) string {
	return p.L("{{.Choice}}: {{.PerFeed}} a feed a day, {{.There}}", V{"Choice": name, "PerFeed": p.Amount(perFeed), "There": p.ThereAbout(at)})
}

// BudgetChoice describes a choice of a budget: "Balanced: 8 a feed, about 94 % ready".
func (p *Printer) BudgetChoice(name string, at schedule.Point) string {
	return p.L("{{.Choice}}, {{.There}}", V{"Choice": name, "There": p.ThereAbout(at)})
}

// SaverCost describes what battery saver costs, beside the budget of balanced; "" if nothing is known.
func (p *Printer) SaverCost(f *poller.Forecast) string {
	if len(f.Curve) == 0 {
		return ""
	}
	return p.L("Battery saver: {{.Saver}} a feed a day, {{.There}}; balanced, {{.Balanced}} a feed a day, {{.Then}}",
		V{"Saver": poller.SaverPerFeed, "There": p.ThereAbout(f.PerFeed(poller.SaverPerFeed)),
			"Balanced": poller.BalancedPerFeed, "Then": p.ThereAbout(f.PerFeed(poller.BalancedPerFeed))})
}

// expected describes what a budget is expected to bring, as a sentence.
func (p *Printer) expected(at schedule.Point) string {
	v := V{"Percent": p.Percent(at.Ready), "Span": p.Span(at.Late)}
	if at.Late < time.Second {
		return p.L("About {{.Percent}} of new articles are ready when you come.", v)
	}
	return p.L("About {{.Percent}} of new articles are ready when you come; the others are {{.Span}} late on average.", v)
}

// BudgetExpected describes what a budget of fetches a day is expected to bring, and how sure that is.
func (p *Printer) BudgetExpected(perDay int, f *poller.Forecast) string {
	at := f.Curve.At(float64(perDay))
	return p.Sentences(p.N("{{.PluralCount}} fetches a day, {{.PerFeed}} a feed.", perDay,
		V{"PerFeed": p.Amount(float64(perDay) / float64(max(1, f.Feeds)))}), p.expected(at), p.between(f, at))
}

// between words between what shares ready lies; "" for a guess, which nobody knows that of.
func (p *Printer) between(f *poller.Forecast, at schedule.Point) string {
	if f.Guess() {
		return ""
	}
	low, high := at.Range()
	return p.L("Four times out of five, the result is between {{.Low}} and {{.High}}.", V{"Low": p.Percent(low), "High": p.Percent(high)})
}

// Guess words that a forecast rests on too few visits; "" if it does not.
func (p *Printer) Guess(e poller.Evidence) string {
	switch {
	case !e.Guess():
		return ""
	case e.Visits == 0:
		return p.L("This is a guess: Kairos does not know yet when you read and assumes a typical day.")
	}
	return p.N("This is a guess until more is known: it rests on {{.PluralCount}} visits.", e.Visits, V{})
}

// Goal describes a goal: "at least 95 % there when you come".
func (p *Printer) Goal(g poller.Goal) string {
	if g.Ready > 0 {
		return p.L("at least {{.Percent}} ready when you come", V{"Percent": p.exactPercent(g.Ready)})
	}
	return p.L("articles at most {{.Span}} late on average, ready ones counted as on time", V{"Span": p.exactSpan(g.Late)})
}

// exactSpan describes a span that was set.
func (p *Printer) exactSpan(d time.Duration) string {
	switch {
	case d%time.Hour == 0 && (d < 36*time.Hour || d%(24*time.Hour) != 0):
		return p.L("{{.N}} h", V{"N": int(d / time.Hour)})
	case d%time.Minute == 0 && d%time.Hour != 0:
		return p.L("{{.N}} min", V{"N": int(d / time.Minute)})
	}
	return p.Span(d)
}

// exactPercent describes a share that was set.
func (p *Printer) exactPercent(share float64) string {
	x, digits := share*100, 0
	if math.Abs(x-math.Round(x)) > 1e-6 {
		digits = 1
	}
	return p.L("{{.N}} %", V{"N": p.Decimal(x, digits)})
}

// Promise describes the goal of a budget and what it is expected to bring by the forecast of now: the fetches a day in all
// that keep it, or what is reached within its ceiling or under battery saver.
func (p *Printer) Promise(b poller.Budget, f *poller.Forecast) string {
	found := b.Promise
	v := V{"Goal": Capital(p.Goal(found.Goal))}
	if found.PerFeed <= 0 || len(f.Curve) == 0 {
		return p.L("{{.Goal}}: Kairos finds the budget for it when there are feeds to fetch.", v)
	}
	perDay, allowed := b.NormalPerDay(f.Feeds), b.PerDay(f.Feeds)
	at := f.Curve.At(float64(perDay))
	v["Percent"], v["Span"] = p.Percent(at.Ready), p.Span(at.Late)
	words := ""
	switch {
	case allowed < perDay:
		now := f.Curve.At(float64(allowed))
		return p.Sentences(p.N("{{.Goal}}: takes {{.PluralCount}} fetches a day.", perDay, v), p.corrected(b, f.Feeds),
			p.N("Battery saver comes first: with its {{.PluralCount}} fetches a day about {{.Percent}} are ready, the others {{.Span}} late on average.", allowed,
				V{"Percent": p.Percent(now.Ready), "Span": p.Span(now.Late)}), p.Guess(f.Evidence))
	case !found.Kept:
		return p.Sentences(p.N("{{.Goal}}: out of reach with {{.PluralCount}} fetches a day, the most that is allowed. With these about {{.Percent}} are ready, the others {{.Span}} late on average.", perDay, v), p.Guess(f.Evidence))
	case found.Goal.NearlyKept(at):
		words = p.N("{{.Goal}}: {{.PluralCount}} fetches a day are enough. About {{.Percent}} are ready, the others {{.Span}} late on average.", perDay, v)
	default:
		words = p.N("{{.Goal}}: with its {{.PluralCount}} fetches a day about {{.Percent}} are ready now, the others {{.Span}} late on average. Kairos adjusts the budget every week.", perDay, v)
	}
	return p.Sentences(words, p.between(f, at), p.corrected(b, f.Feeds), p.Guess(f.Evidence))
}

// corrected describes what was learned from how the last weeks differed from the forecast; "" if nothing was.
func (p *Printer) corrected(b poller.Budget, feeds int) string {
	perDay, without := b.NormalPerDay(feeds), b.Uncorrected(feeds)
	v := V{"Other": without}
	switch {
	case !b.Promise.Kept || without == perDay:
		return ""
	case without < perDay:
		return p.N("Last week brought less than forecast, so it takes {{.PluralCount}} instead of {{.Other}}.", perDay, v)
	}
	return p.N("Last week brought more than forecast, so it takes {{.PluralCount}} instead of {{.Other}}.", perDay, v)
}

// promiseError describes what is wrong with a goal, a hint or a span to forget; ok is false for any other error.
func (p *Printer) promiseError(err error) (words string, ok bool) {
	switch {
	case errors.Is(err, poller.ErrGoalUnit):
		return p.L("A goal needs its unit: 95% is the share of articles that should be ready when you come, 95min is how late articles may be on average, ready ones counted as on time."), true
	case errors.Is(err, poller.ErrGoal):
		return p.L("A goal is the share of articles that should be ready when you come, from 1% to 99.9%, such as 95%, or how late articles may be on average, ready ones counted as on time, from 1min to 168h, such as 10min."), true
	case errors.Is(err, useraccess.ErrHintTime):
		return p.L("That is not a time of day. Give one from 0:00 to 23:59, such as 7:30."), true
	case errors.Is(err, useraccess.ErrHint):
		return p.L("A hint is a time and days, such as “7:30 workdays”. The days are workdays, weekends, everyday or a day of the week."), true
	case errors.Is(err, useraccess.ErrHintTwice):
		return p.L("You said that already: a hint counts once."), true
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
	case errors.Is(err, useraccess.ErrNothing):
		return p.L("There is nothing to forget: Kairos knows of no visit in that time."), true
	case errors.Is(err, useraccess.ErrNotForgotten):
		return p.L("No forgotten period begins then."), true
	}
	return "", false
}

// HintDays describes the days of a hint: "on workdays".
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

// Hint describes a hint: "7:30 on workdays".
func (p *Printer) Hint(h useraccess.Hint) string {
	at := time.Date(2000, 1, 1, h.Minute/60, h.Minute%60, 0, 0, time.UTC)
	return p.L("{{.Time}} {{.Days}}", V{"Time": p.Clock(at), "Days": p.HintDays(h.Days)})
}

// Forgotten describes a period that the user had forgotten: "1 Jul to 14 Jul do not count (23 visits)".
func (p *Printer) Forgotten(f useraccess.Forgotten, now time.Time) string {
	from, to := f.From.In(now.Location()), f.To.In(now.Location())
	visits := V{"Visits": p.N("{{.PluralCount}} visits", f.Accesses)}
	day := func(t time.Time) string {
		if t.Year() == now.Year() {
			return p.DateShort(t)
		}
		return p.dateYearShort(t)
	}
	midnight := func(t time.Time) bool {
		return t.Equal(time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location()))
	}
	visits["From"], visits["To"] = day(from), day(to)
	switch last := to.Add(-time.Second); {
	case !midnight(from) || !midnight(to):
		visits["From"], visits["To"] = p.L("{{.Date}} {{.Time}}", V{"Date": day(from), "Time": p.Clock(from)}), p.L("{{.Date}} {{.Time}}", V{"Date": day(to), "Time": p.Clock(to)})
	case day(from) == day(last):
		return p.L("{{.From}} does not count ({{.Visits}})", visits)
	default:
		visits["To"] = day(last)
	}
	return p.L("{{.From}} to {{.To}} do not count ({{.Visits}})", visits)
}
