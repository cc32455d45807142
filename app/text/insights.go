package text

import (
	"math"
	"strings"
	"time"

	"kairos/poller/insights"
)

// Ready describes what was realized: "When you opened Kairos, 94 % of new articles were ready; the others were 4 min late on
// average." It is "" if nothing is known.
func (p *Printer) Ready(r *insights.Realized) string {
	if !r.Known {
		return ""
	}
	if r.Actual.Late == 0 {
		return p.L("When you opened Kairos, {{.Percent}} of new articles were ready.", p.figures(r.Actual))
	}
	return p.L("When you opened Kairos, {{.Percent}} of new articles were ready; the others were {{.Span}} late on average.", p.figures(r.Actual))
}

// OpenedReady describes how many of the articles that were opened were there, beside a timer: "Of 42 articles you opened, 93 % were
// ready when you came; with a timer that makes as many requests 71 %." If too few are known it says what is
// noted; it is "" if nothing is known at all.
func (p *Printer) OpenedReady(r *insights.Realized) string {
	switch {
	case !r.Known:
		return ""
	case !r.Opened.Known():
		return p.L("Kairos notes which articles you open, and will tell how many of those were ready.")
	}
	return p.N("Of {{.PluralCount}} articles you opened, {{.Percent}} were ready when you came; with a timer that makes as many requests {{.Timer}}.", r.Opened.Articles, p.share(&r.Opened))
}

// OpenedAbout describes what the figure of the opened articles is of, to stand below it.
func (p *Printer) OpenedAbout(r *insights.Realized) string {
	return p.N("of the {{.PluralCount}} articles you opened were ready when you came.", r.Opened.Articles)
}

// ReadyAbout describes what the figure of all articles is of, to stand below it.
func (p *Printer) ReadyAbout() string {
	return p.L("of new articles were ready when you came.")
}

// TimerShare describes what a timer with as many requests would have had there, in per cent.
func (p *Printer) TimerShare(percent float64) string {
	return p.L("A timer with as many requests: {{.Percent}}.", V{"Percent": p.Percent(percent / 100)})
}

// LateBeside describes how late the articles were that were not ready, beside a timer; "" if nothing is known or none was late.
func (p *Printer) LateBeside(r *insights.Realized) string {
	if !r.Known || r.Actual.Late == 0 {
		return ""
	}
	return p.L("Articles that were not ready were {{.Span}} late on average; with a timer that makes as many requests {{.Timer}}.",
		V{"Span": p.Span(r.Actual.Late), "Timer": p.Span(r.EqualIntervals.Late)})
}

// Definitions says what ready and late mean, once on the page where they stand.
func (p *Printer) Definitions() string {
	return p.L("Ready: fetched before you came. Late: the time from posting to fetching, for articles that were not ready.")
}

// ByFeed describes the mean over feeds and the share of slow feeds, beside a timer; "" if nothing is known.
func (p *Printer) ByFeed(r *insights.Realized) string {
	if !r.Known || !r.ByFeed.Known() {
		return ""
	}
	mean := p.L("The mean over your feeds: {{.Percent}} ready, with a timer {{.Timer}}.", p.share(&r.ByFeed))
	if !r.Slow.Known() {
		return mean
	}
	return p.Sentences(mean, p.N("Your slowest feeds, with fewer than two articles a week: {{.Percent}} of {{.PluralCount}} articles ready, with a timer {{.Timer}}.",
		r.Slow.Articles, p.share(&r.Slow)))
}

func (p *Printer) share(s *insights.Share) V {
	return V{"Percent": p.Percent(s.Ready / 100), "Timer": p.Percent(s.Timer / 100)}
}

// TimerBeside words both quantities of a timer with as many requests, to stand beside those of Kairos: "A timer with as
// many requests: 82 % ready, the others 30 min late." It is "" if nothing is known.
func (p *Printer) TimerBeside(r *insights.Realized) string {
	if !r.Known {
		return ""
	}
	return p.Sentences(p.L("A timer with as many requests: {{.Percent}} ready, the others {{.Span}} late on average.", p.figures(r.EqualIntervals)), p.laterThanTimer(r))
}

// laterThanTimer words that articles were later than with a timer, "" if they were not: more can be ready, and what is not
// be later.
func (p *Printer) laterThanTimer(r *insights.Realized) string {
	kairos := p.Span(r.Actual.Late)
	if r.Actual.Late <= r.EqualIntervals.Late || kairos == p.Span(r.EqualIntervals.Late) {
		return ""
	}
	return p.L("That is less late than with Kairos ({{.Span}}).", V{"Span": kairos})
}

// AgainstTimer describes how a timer would have done with as many requests, and how many it would have needed to have as much
// ready; "" if nothing is known.
func (p *Printer) AgainstTimer(r *insights.Realized) string {
	if !r.Known {
		return ""
	}
	equal := p.N("A timer that makes as many requests would have had {{.Percent}} ready in the last {{.PluralCount}} days, the others {{.Span}} late on average.", r.LastDays(), p.figures(r.EqualIntervals))
	return p.Sentences(equal, p.laterThanTimer(r), p.TimerNeeds(r))
}

// TimerNeeds describes how many requests a timer would have needed to have as much ready; "" if that tells nothing.
func (p *Printer) TimerNeeds(r *insights.Realized) string {
	switch {
	case !r.TellsMultiple():
		return ""
	case r.Multiple == 0 && r.Actual.Ready > r.EqualIntervals.Ready:
		return p.L("No timer would have had as much ready.")
	case r.Multiple == 0:
		return ""
	case r.Multiple < 0.95:
		return p.L("A timer would have needed fewer requests for this: {{.N}} times as many.", V{"N": p.multiple(r.Multiple)})
	case r.Multiple < 1.05:
		return p.L("A timer would have needed as many requests for this.")
	}
	return p.L("A timer would have needed {{.N}} times the requests for this.", V{"N": p.multiple(r.Multiple)})
}

// Times describes a multiple: "2.4 ×".
func (p *Printer) Times(x float64) string { return p.L("{{.N}} ×", V{"N": p.multiple(x)}) }

func (p *Printer) multiple(x float64) string {
	if x >= 9.95 {
		return p.Decimal(x, 0)
	}
	return p.Decimal(x, 1)
}

// AgainstHindsight describes the best that could have been; "" if nothing is known.
func (p *Printer) AgainstHindsight(r *insights.Realized) string {
	if !r.Known {
		return ""
	}
	return p.L("The best instants, known only afterwards: {{.Percent}} ready.", p.figures(r.Hindsight))
}

// Counted describes what the figures were counted from, unlike CostsSum, which also counts failed requests and old articles
// that came.
func (p *Printer) Counted(r *insights.Realized) string {
	return p.L("{{.Visits}}, {{.Articles}} posted in this time, {{.Requests}} answered.", V{"Visits": p.N("{{.PluralCount}} visits", r.Visits),
		"Articles": p.N("{{.PluralCount}} articles", r.Posts), "Requests": p.N("{{.PluralCount}} requests", r.Actual.Requests)})
}

// ProbablyLost describes how many articles probably left their feeds unseen; "" if none did.
func (p *Printer) ProbablyLost(r *insights.Realized) string {
	if r.Lost == 0 {
		return ""
	}
	lost := p.N("About {{.PluralCount}} more articles probably left their feeds before they were fetched.", r.Lost)
	if !r.Known {
		return lost
	}
	return p.Sentences(lost, p.L("Lost articles count as not ready."))
}

func (p *Printer) figures(f insights.Figures) V {
	return V{"Percent": p.Percent(f.Ready / 100), "Span": p.Span(f.Late)}
}

var insightNotes = table[insights.Code]{
	insights.NoVisits:    "No visits in this time are known. Kairos notes them when you use its window.",
	insights.FirstDay:    "From the second day on, you will see here how much was ready.",
	insights.OnlyFirst:   "No feed has been fetched by plan yet; a first fetch brings what is already there.",
	insights.NoArticles:  "No article came between two of your visits.",
	insights.Interrupted: "Kairos did not run, or had no network, from {{.When}} to {{.Until}}.",
	insights.ClockSet:    "The clock was wrong at {{.When}}; some times are uncertain.",
}

// InsightNote describes what limits figures, as seen from now.
func (p *Printer) InsightNote(n insights.Note, now time.Time) string {
	v := V{"When": p.When(n.At, now), "Until": p.When(n.Until, now)}
	switch {
	case n.Code == insights.FewVisits:
		return p.L("From your second visit after the first fetches on, you will see here how much was ready.")
	case n.Code == insights.NoFetches && n.At.IsZero():
		return p.L("Nothing has been fetched yet.")
	case n.Code == insights.NoFetches:
		return p.L("Nothing was fetched in this time; the last fetch was {{.When}}.", v)
	case n.Code == insights.LearningOff && n.Until.IsZero():
		return p.L("“Learn when I read” is off since {{.When}}: later visits are not known.", v)
	case n.Code == insights.LearningOff:
		return p.L("Visits from {{.When}} to {{.Until}} are not known: learning was off, or you had them forgotten.", v)
	case n.Code == insights.OtherZone:
		return p.N("{{.PluralCount}} visits were in another time zone; they are shown at the time your clock had.", n.Count)
	case n.Code == insights.ShortRecord:
		days := int(math.Round(n.Until.Sub(n.At).Hours() / 24))
		return p.N("Kairos has been watching since {{.When}}. From {{.Until}} on, this covers {{.PluralCount}} days.", days, V{"When": p.FullDate(n.At, now), "Until": p.DateShort(n.Until.In(now.Location()))})
	case n.Code == insights.Sampled:
		return p.N("Computed from {{.PluralCount}} of your feeds, as there are so many.", n.Count)
	}
	return say(p, insightNotes, n.Code, v)
}

var visitFits = table[insights.FitCode]{
	insights.FitUnknown: "Kairos needs a week of predictions to tell how well it predicts your visits.",
	insights.FitClose:   "Your visits came as expected: {{.Came}}, expected {{.Expected}}.",
	insights.MoreCame:   "You came more often than expected: {{.Came}} visits, expected {{.Expected}}.",
	insights.FewerCame:  "You came less often than expected: {{.Came}} visits, expected {{.Expected}}.",
}

// VisitFit describes how well visits were predicted.
func (p *Printer) VisitFit(f insights.Fit) string { return say(p, visitFits, f.Code, p.fit(f)) }

var articleFits = table[insights.FitCode]{
	insights.FitUnknown: "Kairos needs a week of predictions to tell how well it predicts new articles.",
	insights.FitClose:   "Articles came as expected: {{.Came}}, expected {{.Expected}}.",
	insights.MoreCame:   "More articles came than expected: {{.Came}}, expected {{.Expected}}.",
	insights.FewerCame:  "Fewer articles came than expected: {{.Came}}, expected {{.Expected}}.",
}

// Fits describes how well visits and articles were predicted.
func (p *Printer) Fits(visits, articles insights.Fit) string {
	if visits.Code == insights.FitUnknown && articles.Code == insights.FitUnknown {
		return p.L("Kairos needs a week of predictions to tell how well it predicts your visits and new articles.")
	}
	return p.Sentences(p.VisitFit(visits), p.ArticleFit(articles))
}

// VisitBands describes how well visits were predicted by parts of the day and by how long ago the last one was: as many times as
// expected came. It is "" if too little is known.
func (p *Printer) VisitBands(c *insights.Calibration) string {
	list := func(bands []insights.Band, name func(b *insights.Band) string) string {
		var words []string
		for i := range bands {
			if b := &bands[i]; b.Known() {
				words = append(words, p.L("{{.Band}} {{.N}} ×", V{"Band": name(b), "N": p.Decimal(b.Off(), 1)}))
			}
		}
		return strings.Join(words, " · ")
	}
	byDay := list(c.ByDay, func(b *insights.Band) string {
		return p.L("{{.From}} to {{.To}}", V{"From": p.DayTime(b.From), "To": p.DayTime(b.To)})
	})
	bySince := list(c.BySince, func(b *insights.Band) string {
		if math.IsInf(b.To, 1) {
			return p.L("over {{.From}} h", V{"From": int(b.From)})
		}
		return p.L("{{.From}} to {{.To}} h", V{"From": int(b.From), "To": int(b.To)})
	})
	var all []string
	if byDay != "" {
		all = append(all, p.L("Visits compared with those that each plan expected, by time of day: {{.List}}.", V{"List": byDay}))
	}
	if bySince != "" {
		all = append(all, p.L("By the hours since your last visit: {{.List}}.", V{"List": bySince}))
	}
	return p.Sentences(all...)
}

// ArticleFit describes how well articles were predicted.
func (p *Printer) ArticleFit(f insights.Fit) string { return say(p, articleFits, f.Code, p.fit(f)) }

func (p *Printer) fit(f insights.Fit) V { return V{"Came": f.Came, "Expected": int(f.Expected + 0.5)} }
