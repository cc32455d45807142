package text

import (
	"math"
	"slices"
	"strings"
	"time"

	"kairos/poller"
	"kairos/poller/insights"
	"kairos/useraccess/rate"
)

// fewVisits is how many visits leave what is learned close to what is usual for most people.
const fewVisits = 10

// UsualVisits describes when the user usually comes.
func (p *Printer) UsualVisits(h *insights.Habits) string {
	workdays, weekends := p.hourList(h.Usual[0]), p.hourList(h.Usual[1])
	v := V{"Number": p.Amount(h.PerDay), "Workdays": workdays, "Weekends": weekends, "Hours": workdays + weekends} // one of these
	switch {
	case h.Learned == 0:
		return p.L("Kairos has not seen you read yet: it expects what is usual for most people, and learns from your first visit on.")
	case h.Learned < fewVisits:
		return p.N("{{.PluralCount}} visits are known so far: the curve is still close to what is usual for most people.", h.Learned)
	case h.On[1] == insights.StaysAway && workdays == "":
		return p.L("You come about {{.Number}} times a day, on workdays only, at no particular hour.", v)
	case h.On[1] == insights.StaysAway:
		return p.L("You come about {{.Number}} times a day, on workdays only: around {{.Hours}}.", v)
	case h.On[0] == insights.StaysAway && weekends == "":
		return p.L("You come about {{.Number}} times a day, on weekends only, at no particular hour.", v)
	case h.On[0] == insights.StaysAway:
		return p.L("You come about {{.Number}} times a day, on weekends only: around {{.Hours}}.", v)
	case h.On[1] == insights.NotKnown && workdays != "":
		return p.Sentences(p.L("You come about {{.Number}} times a day: around {{.Hours}} on workdays.", v), p.L("Nothing is known about weekends yet."))
	case h.On[1] == insights.NotKnown:
		return p.Sentences(p.L("You come about {{.Number}} times a day, at no particular hour.", v), p.L("Nothing is known about weekends yet."))
	case workdays == "" && weekends == "":
		return p.L("You come about {{.Number}} times a day, at no particular hour.", v)
	case workdays == "":
		return p.L("You come about {{.Number}} times a day: around {{.Weekends}} on weekends, at no particular hour on workdays.", v)
	case weekends == "":
		return p.L("You come about {{.Number}} times a day: around {{.Workdays}} on workdays, at no particular hour on weekends.", v)
	case workdays == weekends:
		v["Hours"] = workdays
		return p.L("You come about {{.Number}} times a day: every day around {{.Hours}}.", v)
	}
	return p.L("You come about {{.Number}} times a day: around {{.Workdays}} on workdays and around {{.Weekends}} on weekends.", v)
}

// hourList words hours of the day.
func (p *Printer) hourList(hours []float64) string {
	var words []string
	for _, h := range hours {
		words = append(words, p.DayTime(h))
	}
	return p.List(words)
}

// DayTime describes an hour of the day: 7.5 is "07:30".
func (p *Printer) DayTime(hour float64) string {
	minute := int(math.Round(hour*60)) % (24 * 60)
	return p.Clock(time.Date(2001, 1, 1, 0, minute, 0, 0, time.UTC))
}

// mostExpected is how many visits are told at most.
const mostExpected = 4

// VisitsToday describes the visits of today: those made, as far as they are noted, and those that are expected.
func (p *Printer) VisitsToday(h *insights.Habits, noted bool) string {
	made := p.L("No visit yet today.")
	switch {
	case h.MadeToday > 0:
		made = p.N("{{.PluralCount}} visits so far today.", h.MadeToday)
	case !noted:
		made = "" // there may have been some
	}
	var times []string
	y, m, d := h.Now.Date()
	for _, e := range h.Expected {
		if at := e.At.In(h.Now.Location()); at.Before(time.Date(y, m, d+1, 0, 0, 0, 0, h.Now.Location())) {
			times = append(times, p.Clock(at))
		}
	}
	switch {
	case len(times) == 0:
		return p.Sentences(made, p.L("No more are expected."))
	case len(times) > mostExpected:
		return p.Sentences(made, p.L("About {{.N}} more are expected, the next around {{.Time}}.", V{"N": len(times), "Time": times[0]}))
	}
	if len(times) == 1 {
		return p.Sentences(made, p.L("The next is expected around {{.Time}}.", V{"Time": times[0]}))
	}
	return p.Sentences(made, p.L("The next are expected around {{.Times}}.", V{"Times": p.List(times)}))
}

// AwakeHours describes when the machine is usually awake, on workdays and on weekends.
func (p *Printer) AwakeHours(h *insights.Habits) string {
	workday, weekend := h.Awake[0], h.Awake[1]
	switch {
	case workday == nil && weekend == nil:
		return p.L("When your computer is awake is not known yet: Kairos plans as if it always were.")
	case workday == nil:
		return p.awakeOn(onWeekends, weekend)
	case weekend == nil:
		return p.awakeOn(onWorkdays, workday)
	case slices.Equal(insights.AwakeSpans(workday), insights.AwakeSpans(weekend)):
		return p.awakeOn(onEveryDay, workday)
	}
	return p.Sentences(p.awakeOn(onWorkdays, workday), p.awakeOn(onWeekends, weekend))
}

var (
	onEveryDay = table[awakeCode]{awakeAlways: "Your computer is awake around the clock.",
		awakeInSpans: "Your computer is usually awake from {{.Spans}}.", awakeSeldom: "There is no hour at which your computer is awake more often than not."}
	onWorkdays = table[awakeCode]{awakeAlways: "Your computer is awake around the clock on workdays.",
		awakeInSpans: "Your computer is usually awake from {{.Spans}} on workdays.", awakeSeldom: "There is no hour of workdays at which your computer is awake more often than not."}
	onWeekends = table[awakeCode]{awakeAlways: "Your computer is awake around the clock on weekends.",
		awakeInSpans: "Your computer is usually awake from {{.Spans}} on weekends.", awakeSeldom: "There is no hour of weekends at which your computer is awake more often than not."}
)

// awakeCode names how a machine is awake.
type awakeCode string

const (
	awakeAlways  awakeCode = "always"
	awakeInSpans awakeCode = "spans"
	awakeSeldom  awakeCode = "seldom"
)

// awakeOn describes when the machine is awake on some days, of which its chances by hour are given.
func (p *Printer) awakeOn(days table[awakeCode], chances []float64) string {
	spans := insights.AwakeSpans(chances)
	switch {
	case len(spans) == 0:
		return say(p, days, awakeSeldom)
	case spans[0][1]-spans[0][0] >= rate.Hours:
		return say(p, days, awakeAlways)
	}
	var words []string
	for _, s := range spans {
		words = append(words, p.L("{{.From}} to {{.To}}", V{"From": p.DayTime(float64(s[0])), "To": p.DayTime(float64(s[1]))}))
	}
	return say(p, days, awakeInSpans, V{"Spans": p.List(words)})
}

// FetchesOfDay describes what was fetched in the last 24 hours, and what is planned for the next.
func (p *Printer) FetchesOfDay(d *insights.Day) string {
	if len(d.Fetches) == 0 && len(d.Planned) == 0 && !d.Paused {
		return p.L("Nothing was fetched in the last 24 hours, and nothing is planned: there are no feeds, or fetching is paused.")
	}
	brought, failed, charged, synced, articles := 0, 0, 0, 0, 0
	for i := range d.Fetches {
		if d.Fetches[i].Account != 0 {
			synced, articles = synced+1, articles+d.Fetches[i].New
		}
		if d.Fetches[i].Reason.Background() {
			charged++
		}
		switch FetchKindOf(&d.Fetches[i]) {
		case FetchBrought:
			brought++
		case FetchFailed:
			failed++
		}
	}
	past := p.N("{{.PluralCount}} fetches in the last 24 hours; {{.Brought}} of them brought new articles.", len(d.Fetches), V{"Brought": brought})
	if len(d.Fetches) == 0 {
		past = p.L("Nothing was fetched in the last 24 hours.")
	}
	if failed > 0 {
		past = p.Sentences(past, p.N("{{.PluralCount}} failed.", failed))
	}
	if synced > 0 {
		past = p.Sentences(past, p.N("{{.Syncs}} were syncs of accounts, which brought {{.PluralCount}} articles that their servers had fetched.", articles, V{"Syncs": synced}))
	}
	if charged < len(d.Fetches) {
		past = p.Sentences(past, p.N("{{.PluralCount}} counted toward the budget; fetches by hand and of new feeds do not.", charged))
	}
	next := p.N("{{.PluralCount}} are planned for the next 24 hours.", len(d.Planned))
	switch {
	case d.Paused:
		next = p.L("None is planned: fetching is paused.")
	case len(d.Planned) == 0:
		next = p.L("None is planned.")
	}
	return p.Sentences(past, next)
}

// FetchKind is what a fetch came to, in short.
type FetchKind int

// What fetches come to.
const (
	FetchNothing FetchKind = iota
	FetchBrought           // new articles
	FetchFailed
)

// FetchKindOf returns what a fetch came to.
func FetchKindOf(o *poller.Outcome) FetchKind {
	switch {
	case o.New > 0:
		return FetchBrought
	case o.Result == poller.Stored || o.Result == poller.Unchanged:
		return FetchNothing
	}
	return FetchFailed
}

// FetchMark describes a fetch that was done.
func (p *Printer) FetchMark(o *poller.Outcome, zone *time.Location) string {
	return p.L("{{.Time}} {{.Feed}}: {{.Result}} ({{.Why}})", V{"Time": p.Clock(o.At.In(zone)), "Feed": o.Title,
		"Result": WithoutStop(p.Outcome(o)), "Why": WithoutStop(p.Cause(o.Reason, o.Cause, zone))})
}

// PlannedMark describes a fetch that is planned.
func (p *Printer) PlannedMark(i *insights.Planned, zone *time.Location) string {
	return p.L("{{.Time}} {{.Feed}} is planned: {{.Why}}", V{"Time": p.Clock(i.At.In(zone)), "Feed": i.Title, "Why": WithoutStop(p.Reason(i.Reason, zone))})
}

// VisitMark describes a visit.
func (p *Printer) VisitMark(v insights.Visit, zone *time.Location) string {
	at, until := v.At.In(zone), v.Until.In(zone)
	if until.Sub(at) < time.Minute {
		return p.L("{{.Time}}: a visit", V{"Time": p.Clock(at)})
	}
	return p.L("{{.Time}} to {{.Until}}: a visit", V{"Time": p.Clock(at), "Until": p.Clock(until)})
}

// ExpectedMark describes a visit that is expected.
func (p *Printer) ExpectedMark(e insights.Expected, zone *time.Location) string {
	return p.L("Around {{.Time}} a visit is expected ({{.Percent}})", V{"Time": p.Clock(e.At.In(zone)), "Percent": p.Percent(e.Chance)})
}

// CostsSum describes what all feeds cost.
func (p *Printer) CostsSum(c *insights.Costs) string {
	all := c.Total()
	if len(c.Feeds) == 0 && len(c.Accounts) > 0 {
		return p.L("This computer fetches no feeds itself.")
	}
	if all.Requests == 0 {
		return p.L("What your feeds cost is shown after the first fetches.")
	}
	v := V{"Requests": p.N("{{.PluralCount}} requests", all.Requests), "Size": p.Size(all.Bytes),
		"Articles": p.N("{{.PluralCount}} articles", all.Articles), "Opened": p.L("you opened none")}
	if all.Opened > 0 { // an article may be opened again
		v["Opened"] = p.N("you opened articles {{.PluralCount}} times", all.Opened)
	}
	days := max(1, int(c.To.Sub(c.From).Hours()/24+0.5))
	sum := p.N("{{.Requests}} in {{.PluralCount}} days brought {{.Articles}} ({{.Size}}); {{.Opened}}.", days, v)
	if all.Held > 0 {
		sum = p.Sentences(sum, p.N("{{.PluralCount}} more articles came with the first fetches.", all.Held))
	}
	return p.Sentences(sum, p.Spared(&all))
}

// AccountCosts describes what accounts cost, a sentence each; "" if there are none.
func (p *Printer) AccountCosts(costs []insights.AccountCost) string {
	var lines []string
	for _, c := range costs {
		lines = append(lines, p.N("{{.Account}}: {{.PluralCount}} syncs in {{.Days}} days, {{.Requests}}, {{.Size}}, brought {{.Articles}}.", c.Syncs,
			V{"Account": c.Name, "Days": insights.MostDays, "Requests": p.N("{{.PluralCount}} requests", c.Requests), "Size": p.Size(c.Bytes),
				"Articles": p.N("{{.PluralCount}} articles", c.Articles)}))
	}
	if lines == nil {
		return ""
	}
	return strings.Join(append(lines, p.L("Feeds of accounts are fetched by their servers. Kairos counts only the syncs, and predicts nothing for these feeds here.")), "\n")
}

// Spared describes what answers without a document have spared; "" if there were none.
func (p *Printer) Spared(c *insights.Cost) string {
	if c.Spared == 0 {
		return ""
	}
	return p.N("The server answered “not modified” to {{.N}} of {{.PluralCount}} requests, which saved about {{.Size}}.", c.Requests-c.Failed,
		V{"N": c.NotModified, "Size": p.Size(c.Spared)})
}

// Level describes a number of visits an hour: two digits of small numbers are enough.
func (p *Printer) Level(x float64) string {
	switch {
	case x < 0.005:
		return "0"
	case x < 0.095:
		return p.Decimal(x, 2)
	}
	return p.Amount(x)
}
