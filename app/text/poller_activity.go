package text

import (
	"time"

	"kairos/poller"
	"kairos/poller/schedule"
)

var activityTexts = table[poller.ActivityCode]{
	poller.NetworkGone:     "the network is gone: only a probe is sent from time to time",
	poller.Unplugged:       "the system reports that there is no network: nothing is tried",
	poller.NetworkBack:     "the network is back",
	poller.Probing:         "probing the network with {{.Feed}}",
	poller.StoringFailed:   "the articles could not be stored: nothing is fetched for {{.Span}}",
	poller.LoopFailed:      "an error occurred, trying again in {{.Span}}: {{.Error}}",
	poller.WaitsForSystem:  "offline: waiting for the system to report a network",
	poller.WaitsForProbe:   "offline: the next probe is at {{.Time}}",
	poller.WaitsForRamp:    "battery saver has ended: a few feeds are fetched every minute",
	poller.WaitsForBudget:  "the budget is spent: the next fetch is at {{.When}}",
	poller.WaitsForInstant: "next: {{.Feed}} at {{.When}}, {{.Why}}",
	poller.WaitsForPlan:    "nothing is planned: there are no feeds, or no budget",
}

// Activity describes what the loop does or waits for, without a full stop: "fetching News".
func (p *Printer) Activity(a poller.Activity) string {
	switch a.Code {
	case poller.Fetching:
		return p.L("fetching {{.Feed}} ({{.Reason}})", V{"Feed": a.Feed, "Reason": p.fetchReason(a.Why)})
	case poller.Replanned:
		return p.replanned(a)
	case poller.WorthNow:
		return p.N("{{.PluralCount}} feeds are fetched right away", a.Feeds)
	case poller.BurstsPlanned:
		return p.N("{{.PluralCount}} feeds post much more than usual and were planned again", a.Feeds)
	case poller.PlanWarned:
		return WithoutStop(p.PlanWarning(a.Warning))
	}
	v := V{"Feed": a.Feed, "Span": p.Span(a.Pause), "Error": "", "Time": a.Until.In(a.At.Location()).Format(time.TimeOnly),
		"When": p.When(a.Until, a.At), "Why": p.Reason(a.Reason, a.At.Location())}
	if a.Err != nil {
		v["Error"] = a.Err.Error()
		if worded, ok := p.Fact(a.Err); ok {
			v["Error"] = WithoutStop(worded)
		}
	}
	return say(p, activityTexts, a.Code, v)
}

func (p *Printer) replanned(a poller.Activity) string {
	v := V{"Fetches": p.N("{{.PluralCount}} fetches", a.Fetches), "Feeds": p.N("{{.PluralCount}} feeds", a.Feeds), "Budget": a.Budget}
	switch a.Occasion {
	case schedule.TopUp:
		return p.L("you opened Kairos: planned {{.Fetches}} of {{.Feeds}} for the next 48 hours, {{.Budget}} a day", v)
	case schedule.Presence:
		return p.L("you are back at the computer: planned {{.Fetches}} of {{.Feeds}} for the next 48 hours, {{.Budget}} a day", v)
	case schedule.CatchUp:
		return p.L("fetches were missed: planned {{.Fetches}} of {{.Feeds}} for the next 48 hours, {{.Budget}} a day", v)
	}
	return p.L("planned {{.Fetches}} of {{.Feeds}} for the next 48 hours, {{.Budget}} a day", v)
}
