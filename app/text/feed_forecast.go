package text

import (
	"math"
	"time"

	"kairos/poller"
	"kairos/poller/schedule"
)

// Shows describes how many articles a feed shows, and how many are probably lost; "" if it is not known to lose any.
func (p *Printer) Shows(f *poller.FeedForecast) string {
	if f.Window == 0 || len(f.Effects) == 0 {
		return ""
	}
	shows := p.N("It shows its last {{.PluralCount}} articles.", f.Window)
	lost := f.Effects[0].Lost
	if lost < 0.005 {
		return p.Sentences(shows, p.L("With this budget hardly any is lost."))
	}
	return p.Sentences(shows, p.L("With this budget about {{.Percent}} of its articles are probably lost before they are fetched.", V{"Percent": p.Percent(lost)}))
}

// FeedHour describes how often a feed posts and the user reads at a time.
func (p *Printer) FeedHour(when string, posting, access float64) string {
	return p.L("{{.Time}}: articles {{.Posting}}; visits {{.Access}}", V{"Time": when, "Posting": p.Rate(24 * posting), "Access": p.Rate(24 * access)})
}

// Change describes a change to a feed or to the budget, as things are if there is none.
func (p *Printer) Change(c schedule.Change) string {
	switch {
	case c.Weight == 0.5:
		return p.L("Weight low")
	case c.Weight == 1:
		return p.L("Weight normal")
	case c.Weight == 2:
		return p.L("Weight high")
	case c.Every > 0:
		return p.L("At least every {{.Span}}", V{"Span": p.Span(c.Every)})
	case c.Budget > 0:
		return p.N("{{.PluralCount}} fetches a day in all", int(math.Round(c.Budget)))
	}
	return p.L("As it is, in the long run")
}

// effect describes what is expected of a feed, after a change or as things are.
func (p *Printer) effect(f schedule.FeedForecast) string {
	v := V{"Fetches": p.fetchRate(f.Fetches), "Percent": p.Percent(f.Ready), "Span": p.Span(f.Late)}
	if f.Late < time.Second {
		return p.L("{{.Fetches}}: about {{.Percent}} ready", v)
	}
	return p.L("{{.Fetches}}: about {{.Percent}} ready, the others {{.Span}} late on average", v)
}

var nowCauses = table[schedule.NowCause]{
	schedule.LastDays:     "the current plan goes by the last few days",
	schedule.LearnsPosts:  "Kairos is learning how often it posts",
	schedule.LearnsVisits: "Kairos is learning how often you come",
	schedule.PostsMore:    "it has posted more than usual lately",
	schedule.PostsLess:    "it has posted less than usual lately",
	schedule.ComesMore:    "you have come more often than usual lately",
	schedule.ComesLess:    "you have come less often than usual lately",
}

// notable is by what factor the fetches of now differ from those over weeks where that is told.
const notable = 1.15

// Now describes how often a feed is fetched now, and why that is not what is expected over weeks; "" if the two are about the same.
func (p *Printer) Now(f *poller.FeedForecast) string {
	if f.Now <= 0 || len(f.Effects) == 0 {
		return ""
	}
	weeks := f.Effects[0].Fetches
	if f.Now < notable*weeks && weeks < notable*f.Now {
		return ""
	}
	return p.L("Now {{.Now}}, in the long run {{.Weeks}}: {{.Why}}.", V{"Now": p.fetchRate(f.Now), "Weeks": p.fetchRate(weeks), "Why": say(p, nowCauses, f.NowCause)})
}

// Effects describes what is expected of a feed, first as things are and then after each change: what makes no difference is told so.
func (p *Printer) Effects(effects []poller.Effect) (words []string) {
	for k, e := range effects {
		if k > 0 && e.FeedForecast == effects[0].FeedForecast {
			words = append(words, p.L("no difference"))
			continue
		}
		words = append(words, p.effect(e.FeedForecast))
	}
	return words
}

// Balanced words both sides of condition (6) at a fetch.
func (p *Printer) Balanced(b *schedule.Balance, zone *time.Location) string {
	before, after := b.Areas()
	v := V{"Time": p.Clock(b.At.In(zone)), "Before": p.Percent(before / max(before+after, 1e-12)), "After": p.Percent(after / max(before+after, 1e-12))}
	return p.L("Why {{.Time}}? Later, you would more often miss what already waits ({{.Before}} of the weight); earlier, what comes after it would wait for the next fetch ({{.After}}).", v)
}
