package text

import (
	"time"

	"kairos/poller/schedule"
)

// Reason describes why an instant is planned, by the clock of zone, as the rest of a sentence: "ready for your usual
// 07:30 visit". It is "" if there is no reason.
func (p *Printer) Reason(r schedule.Reason, zone *time.Location) string {
	words := ""
	switch r.Code {
	case "":
		return ""
	case schedule.Planned:
		words = p.planned(r, zone)
	case schedule.TopUp:
		words = p.L("you opened Kairos")
	case schedule.CatchUp:
		words = p.catchUp(r)
	case schedule.Presence:
		words = p.L("you are back at the computer and will probably read soon")
	case schedule.Burst:
		if words = p.L("it has posted more than usual lately"); !r.Visit.IsZero() {
			words = p.planned(r, zone)
		}
	case schedule.Retry:
		return p.N("trying again after {{.PluralCount}} errors", r.Failures)
	default:
		return string(r.Code)
	}
	if n := int(r.Posts + 0.5); n > 0 {
		words = p.X("reason.posts", "{{.Reason}}; {{.Posts}}", V{"Reason": words, "Posts": p.N("{{.PluralCount}} articles expected", n)})
	}
	return words
}

// NextFetchOf words which feed is fetched next, when (by a clock), and for which visit if for one: half a line.
func (p *Printer) NextFetchOf(feed, at string, r schedule.Reason, zone *time.Location) string {
	v := V{"Feed": feed, "Time": at}
	if r.Visit.IsZero() {
		return p.L("Next: {{.Feed}} at {{.Time}}", v)
	}
	v["Visit"] = p.Clock(r.Visit.In(zone))
	return p.L("Next: {{.Feed}} at {{.Time}} for your {{.Visit}} visit", v)
}

var purposes = table[schedule.Purpose]{
	schedule.AnyVisit:  "you may come at any hour",
	schedule.Unlearned: "it is not known yet when you read",
	schedule.OftenPost: "between visits: it posts often",
	schedule.Between:   "between visits, in case you come",
	schedule.EarlyOne:  "in case you come early",
	schedule.LateOne:   "in case you come later than usual",
	schedule.AsAsked:   "as the site asked",
	schedule.ListDue:   "to see which feeds the list names by now",
	schedule.SiteDown:  "if the site works again; one of its feeds is tried first",
}

// planned describes the reason of an instant of the plan.
func (p *Printer) planned(r schedule.Reason, zone *time.Location) string {
	switch {
	case r.Every > 0:
		return p.L("at least every {{.Span}}, as you asked", V{"Span": p.Span(r.Every)})
	case r.Purpose == schedule.AsAsked, r.Purpose == schedule.SiteDown:
		return say(p, purposes, r.Purpose)
	case r.Visit.IsZero() && r.Days > 1:
		return p.N("fetched every {{.PluralCount}} days", r.Days)
	case r.Visit.IsZero() && r.Times > 0:
		return p.X("reason.times", "{{.Times}} – {{.Reason}}", V{"Times": p.N("{{.PluralCount}} times a day", r.Times), "Reason": say(p, purposes, r.Purpose)})
	case r.Visit.IsZero():
		return say(p, purposes, r.Purpose)
	case r.Days > 1:
		return p.N("fetched every {{.PluralCount}} days, ready for your usual {{.Time}} visit", r.Days, V{"Time": p.Clock(r.Visit.In(zone))})
	}
	return p.L("ready for your usual {{.Time}} visit", V{"Time": p.Clock(r.Visit.In(zone))})
}

func (p *Printer) catchUp(r schedule.Reason) string {
	if r.Ago == 0 {
		return p.L("missed while the computer slept")
	}
	return p.L("last fetched {{.Span}} ago", V{"Span": p.Span(r.Ago)})
}

var gapCauses = table[schedule.GapCause]{
	schedule.GapLeast:     "no feed is fetched more often",
	schedule.GapRequested: "the site asks for it",
	schedule.GapCalm:      "the feed posts fewer than 6 times a day",
	schedule.GapUnknown:   "how often the feed posts is not known yet",
	schedule.GapSilent:    "it has posted nothing for a month",
	schedule.GapDormant:   "it has posted nothing for a year",
	schedule.GapLarge:     "the feed is very large",
	schedule.GapList:      "a list of feeds changes rarely",
	schedule.GapWanted:    "you want it that often",
}

// gapCause describes what the least time between two background fetches of a feed follows from, as a clause.
func (p *Printer) gapCause(c schedule.GapCause) string { return say(p, gapCauses, c) }
