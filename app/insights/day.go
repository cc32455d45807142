package insights

import (
	"context"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/text"
	"kairos/app/widgets/chart"
	"kairos/poller/insights"
)

// day shows the 24 hours before and after now.
type day struct {
	part
	chart *chart.Chart
	feeds []int64 // of the chart's stops, 0 for those that belong to none
}

func newDay(p *Page) *day {
	s := &day{chart: p.chart(lang.L("Fetches and visits, 24 hours back and ahead"), 190)}
	s.chart.File = "kairos-today"
	s.chart.Activate = func(stop int) {
		if stop < len(s.feeds) && s.feeds[stop] != 0 {
			p.Feeds.Open(s.feeds[stop])
		}
	}
	s.part = newPart(p, lang.L("Today"), s.chart.Content)
	return s
}

func (s *day) focusable() fyne.Focusable { return focusOf(s.chart) }

func (s *day) clear() { s.chart.SetPlot(nil, "") }

// dayFacts is what the section shows. Its plot is made off the window's goroutine: ten thousand feeds have two hundred thousand marks.
type dayFacts struct {
	insights.Day
	expected []insights.Expected
	plot     *chart.Timeline // nil: there is nothing to show
	next     string
}

func (s *day) load(next func()) {
	read(&s.part, func(ctx context.Context) (f dayFacts, err error) {
		if f.Day, err = s.page.Home.Insights.Day(ctx, s.page.Home.Poller); err != nil {
			return f, err
		}
		h, err := s.page.Home.Insights.Habits(ctx)
		f.expected = h.Expected
		f.makePlot()
		return f, err
	}, s.show, next)
}

func (s *day) show(f dayFacts) {
	s.say(language.Printer().FetchesOfDay(&f.Day), "")
	if f.plot == nil {
		s.chart.SetPlot(nil, "")
		return
	}
	if s.chart.Pointed() {
		return // it would lose what it points to; the next minute will do
	}
	s.chart.SetPlot(f.plot, f.next)
}

func (f *dayFacts) makePlot() {
	if len(f.Fetches)+len(f.Planned)+len(f.Visits) > 0 {
		f.plot, f.next = timelineOf(f), f.nextPlanned()
	}
}

// nextPlanned says what is fetched next: what is due is being fetched.
func (f *dayFacts) nextPlanned() string {
	for i := range f.Planned {
		if p := &f.Planned[i]; p.At.After(f.Now) {
			return lang.L("Next: {{.What}}", map[string]any{"What": language.Printer().PlannedMark(p, f.Now.Location())})
		}
	}
	return ""
}

func timelineOf(f *dayFacts) *chart.Timeline {
	words, zone := language.Printer(), f.Now.Location()
	t := &chart.Timeline{From: f.From.In(zone), To: f.To.In(zone), Now: f.Now}
	made := chart.Kind{Name: lang.L("visit"), Ink: chart.Ink{Color: look.ColorText, Shape: chart.Bar}}
	for _, v := range f.Visits {
		made.Marks = append(made.Marks, chart.Mark{At: v.At, Size: 1, Text: func() string { return words.VisitMark(v, zone) }})
	}
	expected := chart.Kind{Name: lang.L("visit expected"), Ink: chart.Ink{Color: look.ColorText, Shape: chart.Triangle}}
	for _, e := range f.expected {
		expected.Marks = append(expected.Marks, chart.Mark{At: e.At, Size: float32(e.Chance), Text: func() string { return words.ExpectedMark(e, zone) }})
	}
	fetches := []chart.Kind{
		text.FetchNothing: {Name: lang.L("nothing new"), Ink: chart.Ink{Color: look.ColorMuted, Shape: chart.Ring}},
		text.FetchBrought: {Name: lang.L("new articles"), Ink: chart.Ink{Color: look.ColorAccent, Shape: chart.Disc}},
		text.FetchFailed:  {Name: lang.L("failed"), Ink: chart.Ink{Color: theme.ColorNameError, Shape: chart.Cross}},
	}
	for i := range f.Fetches {
		o := &f.Fetches[i]
		kind := text.FetchKindOf(o)
		fetches[kind].Marks = append(fetches[kind].Marks, chart.Mark{At: o.At, Size: brought(o.New), Text: func() string { return words.FetchMark(o, zone) }})
	}
	planned := chart.Kind{Name: lang.L("planned, larger where it matters more"), Ink: chart.Ink{Color: look.ColorLink, Shape: chart.Diamond}}
	for i := range f.Planned {
		p := &f.Planned[i]
		planned.Marks = append(planned.Marks, chart.Mark{At: p.At, Size: float32(math.Sqrt(p.Value / max(f.Most, 1e-9))), Text: func() string { return words.PlannedMark(p, zone) }})
	}
	t.Lanes = []chart.Lane{{Name: lang.L("Visits"), Kinds: []chart.Kind{made, expected}}, {Name: lang.L("Fetches"), Height: 4, Kinds: append(fetches, planned)}}
	for _, s := range f.Asleep {
		if !s.From.Before(f.Now) { // more likely than not: a fetch may be planned then all the same
			t.Spans = append(t.Spans, chart.Span{Name: lang.L("probably asleep"), Ink: chart.Ink{Color: look.ColorMuted, Pattern: chart.Dotted}, From: s.From, To: s.To, Text: func() string {
				return lang.L("{{.From}} to {{.To}}: the computer probably sleeps", map[string]any{"From": words.Clock(s.From), "To": words.Clock(s.To)})
			}})
			continue
		}
		t.Spans = append(t.Spans, chart.Span{Name: lang.L("computer asleep"), Ink: asleepInk, From: s.From, To: s.To, Text: func() string {
			return lang.L("{{.From}} to {{.To}}: the computer sleeps", map[string]any{"From": words.Clock(s.From), "To": words.Clock(s.To)})
		}})
	}
	for _, s := range f.Saved {
		t.Spans = append(t.Spans, chart.Span{Name: lang.L("battery saver"), Ink: saverInk, From: s.From, To: s.To, Text: func() string {
			return lang.L("{{.From}} to {{.To}}: battery saver was on", map[string]any{"From": words.Clock(s.From), "To": words.Clock(s.To)})
		}})
	}
	if f.Saving {
		t.Spans = append(t.Spans, chart.Span{Name: lang.L("battery saver"), Ink: saverInk, From: f.Now, To: f.To,
			Text: func() string { return lang.L("Battery saver is on: the plan makes few requests.") }})
	}
	return t
}

// saverInk shades the time of battery saver, beside that of sleep.
var saverInk = chart.Ink{Color: look.ColorStar, Pattern: chart.Falling}

// brought is the size of the mark of a fetch that brought so many articles.
func brought(articles int) float32 { return float32(min(1, math.Sqrt(float64(articles)/20))) }
