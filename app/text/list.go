package text

import (
	"math"
	"slices"
	"strings"
	"time"

	"kairos/poller"
	"kairos/poller/report"
	"kairos/reader"
)

// listOutcome words what a fetch of a list of feeds came to.
func (p *Printer) listOutcome(o *poller.Outcome) string {
	switch {
	case o.Reason == poller.First:
		return p.L("its feeds came")
	case o.New > 0:
		return p.N("{{.PluralCount}} feeds came or went", o.New)
	}
	return p.L("no feed came or went")
}

// nextLooks are nextFetches of a list of feeds: nothing waits there, so they give no reason.
var nextLooks = table[report.NextCode]{
	report.Scheduled:      "{{.When}}.",
	report.Due:            "Now.",
	report.NeverTried:     "Now: it is new.",
	report.LaterOn:        "Not within 48 hours: Kairos checks it about every {{.Span}}.",
	report.NotPlanned:     "Not planned: the budget is too small.",
	report.FeedPaused:     "Only when you refresh it: the list is paused.",
	report.FeedGone:       "Only when you refresh it: the list is gone.",
	report.FetchingPaused: "Only when you refresh the list: fetching is paused.",
	report.WithAccount:    "With its account: the server fetches it.",
}

// plannedLooks describes how often a list of feeds is looked at, so many times a day.
func (p *Printer) plannedLooks(perDay float64) string {
	switch n := int(math.Round(perDay)); {
	case perDay < 0.95:
		return p.L("Kairos checks it about every {{.Span}}.", V{"Span": p.Span(time.Duration(float64(24*time.Hour) / perDay).Round(time.Hour))})
	case n == 1:
		return p.L("Kairos checks it about once a day.")
	default:
		return p.N("Kairos checks it about {{.PluralCount}} times a day.", n)
	}
}

// LooksSum is LedgerSum of a list of feeds.
func (p *Printer) LooksSum(s report.Sum) string {
	return p.ledgerSum(s, p.N("{{.N}} with {{.PluralCount}} feeds that came or left", s.Articles, V{"N": s.WithNew}))
}

// ListChanges tells which feeds came to a list and left it, one a line; "" of a feed.
func (p *Printer) ListChanges(r *report.Report) string {
	if r.Followed == nil {
		return ""
	}
	if len(r.Changes) == 0 {
		return p.L("No feed has come to the list or left it since you began to follow it.")
	}
	var lines []string
	for _, c := range r.Changes {
		v := V{"When": p.When(c.At, r.At), "Feed": c.Title}
		if c.Left {
			lines = append(lines, p.L("{{.When}}: {{.Feed}} left.", v))
		} else {
			lines = append(lines, p.L("{{.When}}: {{.Feed}} came.", v))
		}
	}
	return strings.Join(lines, "\n")
}

// ListAdded tells what a list of feeds brought that was just added.
func (p *Printer) ListAdded(title string, f *reader.Followed) string {
	brought := f.Brought()
	came := p.N("Added {{.List}}: {{.PluralCount}} feeds came.", brought, V{"List": title})
	if brought == 0 {
		came = p.L("Added {{.List}}: you are subscribed to all of its feeds already.", V{"List": title})
	}
	known := ""
	if n := len(f.Feeds) - brought; n > 0 && brought > 0 {
		known = p.N("{{.PluralCount}} were subscribed already.", n)
	}
	paused := ""
	if n := len(f.Resumable()); n > 0 {
		paused = p.N("{{.PluralCount}} feeds are in your own network and paused until you resume them.", n)
	}
	return p.Sentences(came, known, paused)
}

// maxFollowed is how many feeds of a list are named.
const maxFollowed = 12

// Followed tells what a list of feeds names; "" of a feed.
func (p *Printer) Followed(f *reader.Followed) string {
	if f == nil || len(f.Feeds) == 0 {
		return p.FollowedFacts(f)
	}
	paused := ""
	if some := pausedOf(f); len(some) > 0 {
		paused = p.L("Paused: {{.Names}}. Feeds in your own network are paused until you resume them.", V{"Names": p.followedNames(some)})
	}
	return p.Sentences(p.L("It names {{.Feeds}}: {{.Names}}.", V{"Feeds": p.Feeds(len(f.Feeds)), "Names": p.followedNames(f.Feeds)}), paused, p.unsubscribed(f))
}

// FollowedFacts is Followed without the names of the feeds, which stand beside it.
func (p *Printer) FollowedFacts(f *reader.Followed) string {
	switch {
	case f == nil:
		return ""
	case len(f.Feeds)+f.Unsubscribed == 0:
		return p.L("It has named no feeds yet.")
	case len(f.Feeds) == 0:
		return p.unsubscribed(f)
	}
	paused := ""
	if n := len(pausedOf(f)); n > 0 {
		paused = p.Sentences(p.N("{{.PluralCount}} of them are paused.", n), p.L("Feeds in your own network are paused until you resume them."))
	}
	return p.Sentences(p.L("It names {{.Feeds}}.", V{"Feeds": p.Feeds(len(f.Feeds))}), paused, p.unsubscribed(f))
}

func pausedOf(f *reader.Followed) []reader.FollowedFeed {
	return slices.DeleteFunc(slices.Clone(f.Feeds), func(one reader.FollowedFeed) bool { return !one.Paused })
}

// unsubscribed tells how many feeds of a list are not subscribed to.
func (p *Printer) unsubscribed(f *reader.Followed) string {
	if f.Unsubscribed == 0 {
		return ""
	}
	return p.N("You are not subscribed to {{.PluralCount}} of the feeds that it names.", f.Unsubscribed)
}

func (p *Printer) followedNames(feeds []reader.FollowedFeed) string {
	var names []string
	for _, f := range feeds[:min(len(feeds), maxFollowed)] {
		names = append(names, f.Title)
	}
	if len(feeds) > maxFollowed {
		names = append(names, "…")
	}
	return p.List(names)
}
