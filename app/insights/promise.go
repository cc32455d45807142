package insights

import (
	"context"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/text"
	"kairos/app/widgets"
	"kairos/app/widgets/chart"
	"kairos/poller/insights"
)

// promise shows what was ready when the user came, beside what a timer would have had ready.
type promise struct {
	part
	week, month *promiseTile
	timer       *promiseTile // how many times the requests a timer would have needed
	tiles       *fyne.Container
	compared    *chart.Chart
	notes       *widgets.Text
	seen        insights.Realized // the month shown before
}

// promiseTile is one large figure with its sentence.
type promiseTile struct {
	content       *fyne.Container
	period        *widgets.Text
	figure, about *widgets.Text
	timer         *widgets.Text // what one with as many requests would have brought
}

func newPromiseTile() *promiseTile {
	t := &promiseTile{period: widgets.NewText("", widgets.Heading), figure: widgets.NewText("", widgets.Figure), about: widgets.NewText("", widgets.Plain), timer: widgets.NewText("", widgets.Muted)}
	t.content = widgets.NewColumn(2, t.period, t.figure, t.about, t.timer)
	t.content.Hide()
	return t
}

func newPromise(p *Page) *promise {
	s := &promise{week: newPromiseTile(), month: newPromiseTile(), timer: newPromiseTile(), notes: widgets.NewText("", widgets.Muted)}
	s.compared = p.chart(lang.L("New articles that were ready, in percent"), 130)
	s.compared.File = "kairos-ready"
	s.tiles = widgets.NewTiles(32, 220, s.week.content, s.month.content, s.timer.content)
	s.tiles.Hide()
	s.part = newPart(p, lang.L("Ready when you come"), s.compared.Content, s.notes)
	s.content.Objects = slices.Insert(s.content.Objects, 1, fyne.CanvasObject(s.tiles)) // the figures come before all
	return s
}

func (s *promise) focusable() fyne.Focusable { return focusOf(s.compared) }

func (s *promise) clear() { s.compared.SetPlot(nil, "") }

// The periods that are told, in days.
const weekDays, monthDays = 7, 30

func (s *promise) load(next func()) {
	var week insights.Realized
	realized := func(days int) func(context.Context) (insights.Realized, error) {
		return func(ctx context.Context) (insights.Realized, error) { return s.page.Home.Insights.Realized(ctx, days) }
	}
	read(&s.part, realized(weekDays), func(r insights.Realized) {
		week = r
		s.show(r, s.seen)
	}, func() {
		read(&s.part, realized(monthDays), func(r insights.Realized) {
			s.seen = r
			s.show(week, r)
		}, next)
	})
}

func (s *promise) show(week, month insights.Realized) {
	words := language.Printer()
	best := week
	if month.Known {
		best = month
	}
	s.week.show(lang.L("The last 7 days"), &week)
	s.month.show(lang.L("The last 30 days"), &month)
	// While no more is known than of the last days, both figures are the same.
	if month.Known && week.Known && month.Posts == week.Posts && month.Visits == week.Visits {
		s.week.show(lang.L("So far"), &week)
		s.month.content.Hide()
	}
	s.showTimer(&best)
	s.tiles.Hidden = !week.Known && !month.Known
	notes := notesOf(&week, &month, s.page.Home.Now())
	if best.Known {
		hindsight := ""
		if tellsHindsight(&best) {
			hindsight = words.AgainstHindsight(&best)
		}
		s.say(ofAll(&best, words), words.Sentences(words.ByFeed(&best), hindsight, words.Counted(&best), words.ProbablyLost(&best), words.Definitions()))
		s.notes.SetText(strings.Join(notes, "\n"), widgets.Muted)
	} else {
		s.say(strings.Join(notes, "\n"), lang.L("Here you will see how many new articles were ready when you opened Kairos, compared with a timer that makes as many requests."))
		s.notes.Clear()
	}
	s.showCompared(&week, &month)
}

// ofAll describes what of all articles the tiles do not say: these are of the opened ones if enough are known.
func ofAll(r *insights.Realized, words *text.Printer) string {
	if r.Opened.Known() {
		return words.Sentences(words.Ready(r), words.TimerBeside(r), timerNeeds(r, words))
	}
	return words.Sentences(words.OpenedReady(r), words.LateBeside(r), timerNeeds(r, words))
}

// timerNeeds describes how many requests a timer would have needed, unless a tile does.
func timerNeeds(r *insights.Realized, words *text.Printer) string {
	if tellsMultiple(r) {
		return ""
	}
	return words.TimerNeeds(r)
}

// tellsMultiple reports whether a tile tells how many times the requests a timer would have needed.
func tellsMultiple(r *insights.Realized) bool { return r.TellsMultiple() && r.Multiple >= 1.05 }

// showTimer shows how many times the requests a timer would have needed, if that is more.
func (s *promise) showTimer(r *insights.Realized) {
	s.timer.content.Hidden = !tellsMultiple(r)
	if !s.timer.content.Hidden {
		s.timer.period.SetText(lang.L("A timer instead"), widgets.Heading)
		s.timer.figure.SetText(language.Printer().Times(r.Multiple), widgets.Figure)
		s.timer.about.SetText(lang.L("as many requests would have been needed for this."), widgets.Plain)
	}
	s.timer.content.Refresh()
}

// notesOf describes the notes of both periods. What both say is said once, of the shorter one, which is complete sooner.
func notesOf(week, month *insights.Realized, now time.Time) (notes []string) {
	said := map[insights.Code]bool{}
	for _, r := range []*insights.Realized{week, month} {
		for _, n := range r.Notes {
			if !said[n.Code] || n.Code == insights.LearningOff {
				if text := language.Printer().InsightNote(n, now); !slices.Contains(notes, text) {
					notes = append(notes, text)
				}
			}
		}
		for _, n := range r.Notes {
			said[n.Code] = true
		}
	}
	return notes
}

func (t *promiseTile) show(period string, r *insights.Realized) {
	t.content.Hidden = !r.Known
	if r.Known {
		t.period.SetText(period, widgets.Heading)
		words, ready, timer := language.Printer(), r.Actual.Ready, r.EqualIntervals.Ready
		about := words.ReadyAbout()
		if r.Opened.Known() {
			ready, timer, about = r.Opened.Ready, r.Opened.Timer, words.OpenedAbout(r)
		}
		t.figure.SetText(words.Percent(ready/100), widgets.Figure)
		t.about.SetText(about, widgets.Plain)
		t.timer.SetText(words.TimerShare(timer), widgets.Muted)
	}
	t.content.Refresh()
}

// tellsHindsight reports whether it is worth telling what the best instants would have brought: mostly that is next to
// everything, which says nothing.
func tellsHindsight(r *insights.Realized) bool { return r.Known && r.Hindsight.Ready < 99 }

func (s *promise) showCompared(week, month *insights.Realized) {
	bars := &chart.Bars{Y: chart.Axis{Unit: chart.Percent, Lo: 0, Hi: 100, Format: percent, Name: lang.L("ready")}, Name: lang.L("period"), Series: []chart.BarSeries{
		{Name: lang.L("Kairos"), Ink: chart.Ink{Color: look.ColorAccent}},
		{Name: lang.L("a timer with as many requests"), Ink: chart.Ink{Color: look.ColorMuted, Pattern: chart.Rising}},
	}}
	if tellsHindsight(week) || tellsHindsight(month) {
		bars.Series = append(bars.Series, chart.BarSeries{Name: lang.L("best in hindsight"), Ink: chart.Ink{Color: look.ColorSecond, Pattern: chart.Outlined}})
	}
	for _, r := range []*insights.Realized{week, month} {
		if !r.Known || r == month && s.month.content.Hidden {
			continue
		}
		name := lang.L("7 days")
		switch {
		case r == month:
			name = lang.L("30 days")
		case s.month.content.Hidden && month.Known:
			name = lang.L("So far") // as its figure says
		}
		bars.Groups = append(bars.Groups, name)
		for i, f := range []insights.Figures{r.Actual, r.EqualIntervals, r.Hindsight}[:len(bars.Series)] {
			bars.Series[i].Values = append(bars.Series[i].Values, f.Ready)
		}
	}
	if len(bars.Groups) == 0 {
		s.compared.SetPlot(nil, "")
		return
	}
	setPlot(s.compared, bars, lang.L("Point at a chart, or press Tab and the arrow keys, to read its values."))
}

func percent(v float64) string { return language.Printer().Percent(v / 100) }
