package text

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"kairos/poller"
	"kairos/poller/report"
)

// LastResult describes what the last fetch of a feed came to, and when it was.
func (p *Printer) LastResult(r *report.Report) string {
	switch o := &r.Last; {
	case !o.At.IsZero():
		result := WithoutStop(p.OutcomeOf(r, o))
		if o.Result == poller.Stored && !o.Message.IsZero() {
			result = p.L("{{.Result}} ({{.Notes}})", V{"Result": result, "Notes": WithoutStop(p.Message(o.Message))})
		}
		return p.L("{{.When}}, {{.Reason}}: {{.Result}}.", V{"When": p.When(o.At, r.At), "Reason": p.fetchReason(o.Reason), "Result": result})
	case r.Feed.Account != 0:
		return p.FetchedThere(r)
	case !r.State.Fetched.IsZero():
		return p.L("{{.When}}.", V{"When": p.When(r.State.Fetched, r.At)})
	}
	return p.L("Never fetched yet.")
}

// FetchedThere describes when the server of an account fetched a feed last, or tried to, else when the account was synced.
func (p *Printer) FetchedThere(r *report.Report) string {
	switch {
	case r.State.There != nil && !r.State.There.Checked.IsZero():
		return p.L("Fetched by its server: {{.When}}.", V{"When": p.When(r.State.There.Checked, r.At)})
	case !r.State.Fetched.IsZero():
		return p.L("Synced: {{.When}}.", V{"When": p.When(r.State.Fetched, r.At)})
	}
	return p.L("Not synced yet.")
}

// Posted describes how much a feed has posted in the last days, and when last.
func (p *Printer) Posted(posted *report.Posted, now time.Time) (amount, newest string) {
	if posted == nil {
		return "", ""
	}
	if posted.Newest.IsZero() {
		return p.L("No articles yet."), ""
	}
	amount = p.N("{{.PluralCount}} articles in the last {{.Days}} days, {{.PerDay}} a day on average.", posted.Articles,
		V{"Days": poller.LedgerDays, "PerDay": p.Amount(posted.PerDay)})
	if posted.Articles == 0 {
		amount = p.L("No articles in the last {{.Days}} days.", V{"Days": poller.LedgerDays})
	}
	if now.Sub(posted.Newest) < week { // "yesterday" tells enough
		return amount, p.L("{{.When}}.", V{"When": p.When(posted.Newest, now)})
	}
	return amount, p.L("{{.When}} ({{.Span}} ago).", V{"When": p.When(posted.Newest, now), "Span": p.Span(now.Sub(posted.Newest))})
}

const week = 7 * 24 * time.Hour

// OutcomeOf is Outcome of a fetch of the feed of a report, which may be a list of feeds.
func (p *Printer) OutcomeOf(r *report.Report, o *poller.Outcome) string {
	if r.IsList() && o.Message.IsZero() && (o.Result == poller.Stored || o.Result == poller.Unchanged) {
		return p.listOutcome(o)
	}
	return p.Outcome(o)
}

var nextFetches = table[report.NextCode]{
	report.Scheduled:      "{{.When}}: {{.Why}}.",
	report.Due:            "Now: {{.Why}}.",
	report.NeverTried:     "Now: it is new.",
	report.LaterOn:        "Not within 48 hours: it is fetched about every {{.Span}}.",
	report.NotPlanned:     "Not planned: the budget is too small.",
	report.FeedPaused:     "Only when you refresh it: the feed is paused.",
	report.FeedGone:       "Only when you refresh it: the feed is gone.",
	report.FetchingPaused: "Only when you refresh it: fetching is paused.",
	report.WithAccount:    "With its account: the server fetches it.",
}

// NextFetch describes when a feed is fetched next and why then, or why it is not.
func (p *Printer) NextFetch(r *report.Report) string {
	n, now, codes := r.Next, r.At, nextFetches
	if r.IsList() {
		codes = nextLooks
	}
	return say(p, codes, n.Code, V{"When": p.When(n.At, now), "Why": p.Reason(n.Reason, now.Location()), "Span": p.Span(n.Every)})
}

// PlannedFetches describes how often a feed is fetched by the plan; "" if it is not, as while it fails.
func (p *Printer) PlannedFetches(r *report.Report) string {
	switch v := (V{"Fetches": p.Amount(r.Share.Fetches)}); {
	case r.Share.Fetches <= 0, r.Trouble != nil:
		return ""
	case r.IsList():
		return p.plannedLooks(r.Share.Fetches)
	case v["Fetches"] == p.Amount(1):
		return p.L("One fetch a day.")
	default:
		return p.L("{{.Fetches}} fetches a day.", v)
	}
}

var lossHelps = table[report.LossHelp]{
	report.FetchOften:  "Raise the budget or, in the properties of the feed, set “At least every” to {{.Span}}.",
	report.OftenEnough: "It is now fetched often enough.",
	report.TooFast:     "The feed posts faster than Kairos may fetch it.",
}

// Loss describes when articles of a feed were probably lost, and what would help; "" if none were.
func (p *Printer) Loss(l *report.Loss, now time.Time) string {
	if l == nil {
		return ""
	}
	return p.Sentences(p.N("About {{.PluralCount}} articles were probably lost between {{.From}} and {{.To}}: the feed shows only its last {{.Shows}}.",
		l.Articles, V{"From": p.When(l.From, now), "To": p.When(l.To, now), "Shows": l.Shows}), say(p, lossHelps, l.Help, V{"Span": p.Span(l.Every)}))
}

var limits = table[report.LimitCode]{
	report.Wait:      "{{.Host}} asked Kairos to wait until {{.When}} (429 or 503). A manual refresh waits too.",
	report.MaxAge:    "The server asks Kairos to wait {{.Span}} between two fetches (max-age or Expires).",
	report.TTL:       "The feed asks to be fetched every {{.Span}} (ttl or sy:updatePeriod).",
	report.SkipHours: "The feed asks not to be fetched from {{.Hours}} (skipHours).",
	report.SkipDays:  "The feed asks not to be fetched on {{.Days}} (skipDays).",
}

// Limit describes what the server of a feed or its document asks for, by the clock of now.
func (p *Printer) Limit(l report.Limit, now time.Time) string {
	v := V{"Host": l.Host, "When": p.When(l.Until, now), "Span": p.Span(l.Asked), "Granted": p.Span(l.Granted),
		"Hours": p.hours(l.Hours, now), "Days": p.days(l.Days)}
	_, zone := now.Zone()
	switch {
	case l.Code == report.MaxAge && l.Asked > l.Granted:
		return p.L("The server asks Kairos to wait {{.Span}} between two fetches (max-age or Expires); Kairos waits {{.Granted}}.", v)
	case l.Code == report.TTL && l.Asked > l.Granted:
		return p.L("The feed asks to be fetched every {{.Span}} (ttl or sy:updatePeriod); Kairos waits {{.Granted}}.", v)
	case l.Code == report.SkipDays && zone != 0:
		return p.L("The feed asks not to be fetched on {{.Days}} (skipDays, in UTC).", v)
	}
	return say(p, limits, l.Code, v)
}

func (p *Printer) days(days []time.Weekday) string {
	var names []string
	for _, d := range days {
		names = append(names, p.Weekday(d))
	}
	return p.List(names)
}

// hours words hours of UTC as spans by the clock of now, the earliest first: "00:00 to 03:00 and 09:00 to 10:00".
func (p *Printer) hours(hours []int, now time.Time) string {
	_, zone := now.Zone()
	local := func(hour int) string {
		m := (hour*60 + zone/60 + 2*24*60) % (24 * 60)
		return fmt.Sprintf("%02d:%02d", m/60, m%60)
	}
	in := func(hour int) bool { return slices.Contains(hours, (hour+24)%24) }
	var spans []string
	// From local midnight on, so that the spans come in the order of the day.
	first := (24 - zone/3600%24) % 24
	for i := range 24 {
		from := (first + i) % 24
		if !in(from) || in(from-1) {
			continue
		}
		to := from + 1
		for in(to) && to < from+24 {
			to++
		}
		spans = append(spans, local(from)+p.X("join.to", " to ")+local(to%24))
	}
	return p.List(spans)
}

// Gap describes the least time between two background fetches of a feed, and what it follows from.
func (p *Printer) Gap(g report.Gap) string {
	return p.L("Kairos waits at least {{.Span}} between two background fetches: {{.Cause}}.",
		V{"Span": p.Span(g.Length), "Cause": p.gapCause(g.Cause)})
}

// FetchCost describes what a fetch of a feed costs where that is not one fetch, and what it follows from; "" if nothing is known.
func (p *Printer) FetchCost(r *report.Report) string {
	if r.Cost == 0 {
		return ""
	}
	cost := ""
	if math.Abs(r.Cost-1) >= 0.05 && !r.IsList() {
		cost = p.L("While battery saver is on, large answers take more of the budget: a fetch of this feed takes {{.Percent}} of a usual one.", V{"Percent": p.Percent(r.Cost)})
	}
	answers := r.Month.Fetches - r.Month.Failed
	if answers == 0 {
		return cost
	}
	return p.Sentences(cost, p.N("In 30 days, the server answered “not modified” to {{.N}} of {{.PluralCount}} requests.", answers, V{"N": r.Month.NotModified}))
}

// Redirect words where a feed may have moved to; "" if nowhere.
func (p *Printer) Redirect(r poller.Redirect, now time.Time) string {
	if r.To == "" {
		return ""
	}
	return p.N("Since {{.When}} the server has redirected Kairos to {{.Address}} permanently, {{.PluralCount}} times. Kairos adopts the address after {{.Times}} times in {{.Span}}.",
		r.Times, V{"When": p.When(r.Since, now), "Address": r.To, "Times": poller.ProvenTimes, "Span": p.Span(poller.ProvenOver)})
}

// Push describes what a feed's hub could save.
func (p *Printer) Push(push *report.Push) string {
	saves := p.L("Push would deliver new articles at once.")
	if push.Fetches > 0 {
		saves = p.L("Push would deliver new articles at once and save {{.Fetches}} fetches a day.", V{"Fetches": p.Amount(push.Fetches)})
	}
	return p.Sentences(saves, p.L("But a hub must be able to reach Kairos, and a computer behind a home router cannot be reached, so Kairos keeps fetching."))
}

// Amount describes a number to about two digits.
func (p *Printer) Amount(x float64) string {
	if tenths := math.Round(10 * x); x == 0 || x >= 9.95 || math.Mod(tenths, 10) == 0 && tenths > 0 {
		return fmt.Sprintf("%.0f", x)
	}
	return p.Decimal(x, 1)
}

// LedgerSum describes what the fetches of some time came to: "7 fetches, 2 with 5 new articles, 4 without, 1 error, 4.2 kB".
func (p *Printer) LedgerSum(s report.Sum) string {
	return p.ledgerSum(s, p.N("{{.N}} with {{.PluralCount}} new articles", s.Articles, V{"N": s.WithNew}))
}

// ledgerSum is LedgerSum with these words for what fetches brought, if any did.
func (p *Printer) ledgerSum(s report.Sum, brought string) string {
	if s.Fetches+s.NotAsked == 0 {
		return p.L("no fetches")
	}
	parts := []string{p.N("{{.PluralCount}} fetches", s.Fetches)}
	if s.WithNew > 0 {
		parts = append(parts, brought)
	}
	if s.Unchanged > 0 {
		parts = append(parts, p.L("{{.N}} without", V{"N": s.Unchanged}))
	}
	if s.Failed > 0 {
		parts = append(parts, p.N("{{.PluralCount}} errors", s.Failed))
	}
	if s.NotAsked > 0 {
		parts = append(parts, p.L("{{.N}} postponed", V{"N": s.NotAsked}))
	}
	return strings.Join(append(parts, p.Size(s.Bytes)), p.X("join.parts", ", "))
}

// LedgerReasons describes why the fetches were made, the commonest reason first: "5 planned, 2 by hand".
func (p *Printer) LedgerReasons(s report.Sum) string {
	codes := slices.SortedFunc(maps.Keys(s.ByReason), func(a, b poller.Code) int {
		return cmp.Or(s.ByReason[b]-s.ByReason[a], cmp.Compare(a, b))
	})
	var parts []string
	for _, c := range codes {
		parts = append(parts, p.L("{{.N}} {{.Reason}}", V{"N": s.ByReason[c], "Reason": p.fetchReason(c)}))
	}
	return strings.Join(parts, p.X("join.parts", ", "))
}
