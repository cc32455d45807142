package insights

import (
	"context"
	"math"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/corrections"
	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/widgets"
	"kairos/app/widgets/chart"
	"kairos/poller/insights"
	"kairos/useraccess/rate"
)

// habits shows when the user reads: what was learned, and the visits themselves.
type habits struct {
	part
	levels, weeks     *chart.Chart
	weeksTitle, awake *widgets.Text
	corrected         *corrections.View
}

func newHabits(p *Page) *habits {
	s := &habits{weeksTitle: widgets.NewText("", widgets.Heading), awake: widgets.NewText("", widgets.Muted)}
	s.levels = p.chart(lang.L("When you read"), 150)
	s.levels.File = "kairos-habits"
	s.weeks = p.chart(lang.L("Your visits by day and hour"), 7*19)
	s.weeks.File = "kairos-visits"
	correct := p.newButton(lang.L("Correct what was learned…"), func() {
		p.Keys.Used()
		p.Correct()
	})
	s.corrected = corrections.New(corrections.Host{Jobs: p.Jobs, Home: p.Home, Fail: p.Fail, AddUndo: p.AddUndo, Focused: p.scrollTo, Changed: p.Reload})
	s.part = newPart(p, lang.L("When you read"), s.levels.Content, s.weeksTitle, s.weeks.Content, s.awake, s.corrected.Content, widgets.NewFlow(0, correct))
	return s
}

func (s *habits) focusable() fyne.Focusable { return focusOf(s.levels) }

func (s *habits) clear() {
	s.levels.SetPlot(nil, "")
	s.weeks.SetPlot(nil, "")
}

// habitFacts is what the section shows.
type habitFacts struct {
	insights.Habits
	insights.Visits
}

func (s *habits) load(next func()) {
	s.corrected.Load(nil)
	read(&s.part, func(ctx context.Context) (f habitFacts, err error) {
		if f.Habits, err = s.page.Home.Insights.Habits(ctx); err != nil {
			return f, err
		}
		f.Visits, err = s.page.Home.Insights.Visits(ctx)
		return f, err
	}, s.show, next)
}

func (s *habits) show(f habitFacts) {
	words := language.Printer()
	notes := ""
	for _, n := range f.Notes {
		told := n.Code == insights.LearningOff && (n.Until.IsZero() || f.Now.Sub(n.Until).Hours() < 24*monthDays) // by the promise
		if n.Code != insights.NoVisits && !told {
			notes = words.Sentences(notes, words.InsightNote(n, f.Now))
		}
	}
	today := ""
	if f.Learned > 0 {
		today = words.VisitsToday(&f.Habits, !slices.ContainsFunc(f.Notes, func(n insights.Note) bool { return n.Code == insights.LearningOff && n.Until.IsZero() }))
	}
	s.say(words.UsualVisits(&f.Habits), words.Sentences(today, notes))
	s.awake.SetText(words.AwakeHours(&f.Habits), widgets.Muted)
	levels := levelsPlot(&f)
	setPlot(s.levels, levels, levels.Text(levels.Now))
	if len(f.Visits.Visits) == 0 {
		s.weeksTitle.Clear()
		s.weeks.SetPlot(nil, "")
		return
	}
	s.weeksTitle.SetText(lang.L("Visits of the last {{.N}} weeks, by day and hour", map[string]any{"N": insights.VisitWeeks}), widgets.Heading)
	weeks := weeksPlot(&f.Visits)
	setPlot(s.weeks, weeks, weeks.Text(busiest(weeks)))
}

// inks of workdays and weekends.
var (
	workdayInk = chart.Ink{Color: look.ColorAccent, Shape: chart.Bar}
	weekendInk = chart.Ink{Color: look.ColorSecond, Dash: chart.Dashed, Shape: chart.Ring}
	asleepInk  = chart.Ink{Color: look.ColorMuted, Pattern: chart.Rising}
)

func levelsPlot(f *habitFacts) *chart.Lines {
	words := language.Printer()
	l := &chart.Lines{X: chart.Axis{Unit: chart.Clock, Lo: 0, Hi: 24, Name: "time"}, Y: chart.Axis{Name: lang.L("visits an hour"), Format: words.Level}}
	add := func(name string, ink chart.Ink, levels rate.Levels) {
		s := chart.Series{Name: name, Ink: ink}
		n := len(levels.Mean)
		for k := range n + 1 { // to the next midnight
			s.X = append(s.X, float64(k)*24/float64(n))
			s.Y, s.Lo, s.Hi = append(s.Y, levels.Mean[k%n]), append(s.Lo, levels.Lo[k%n]), append(s.Hi, levels.Hi[k%n])
			l.Y.Hi = max(l.Y.Hi, levels.Hi[k%n])
		}
		l.Series = append(l.Series, s)
	}
	add(lang.L("workdays"), workdayInk, f.Workday)
	add(lang.L("weekends"), weekendInk, f.Weekend)
	// The limits of a single sharp peak would flatten everything else: what is above is cut off. Those of the first
	// days, when little is known, lie below.
	l.Y.Hi = min(l.Y.Hi, 3*max(highest(f.Workday.Mean), highest(f.Weekend.Mean)))
	for i := range l.Series {
		for k := range l.Series[i].Hi {
			l.Series[i].Hi[k] = min(l.Series[i].Hi[k], l.Y.Hi)
		}
	}
	l.Areas = sleepAreas(&f.Habits, 2*l.Y.Hi)
	l.Rugs = visitRugs(f.Visits.Visits)
	l.Now = hourOf(f.Now)
	l.Text = func(x float64) string {
		k := int(x*float64(rate.LevelBins)/24) % rate.LevelBins
		return lang.L("{{.Time}}: on workdays {{.Workdays}} visits an hour ({{.WorkdaysLow}} to {{.WorkdaysHigh}}), on weekends {{.Weekends}} ({{.WeekendsLow}} to {{.WeekendsHigh}})", map[string]any{
			"Time": words.DayTime(x), "Workdays": words.Level(f.Workday.Mean[k]), "WorkdaysLow": words.Level(f.Workday.Lo[k]), "WorkdaysHigh": words.Level(f.Workday.Hi[k]),
			"Weekends": words.Level(f.Weekend.Mean[k]), "WeekendsLow": words.Level(f.Weekend.Lo[k]), "WeekendsHigh": words.Level(f.Weekend.Hi[k])})
	}
	return l
}

func highest(v []float64) (most float64) {
	for _, x := range v {
		most = max(most, x)
	}
	return most
}

// hourOf returns the time of day in hours.
func hourOf(t time.Time) float64 {
	return float64(t.Hour()) + float64(t.Minute())/60 + float64(t.Second())/3600
}

// sleepAreas shades the hours in which the machine is more often asleep than not, of workdays and of weekends.
func sleepAreas(h *insights.Habits, top float64) (areas []chart.Area) {
	add := func(name string, ink chart.Ink, chances []float64) {
		for at := 0; at < len(chances); at++ {
			from := at
			for at < len(chances) && chances[at] < 0.5 {
				at++
			}
			if at > from {
				areas = append(areas, chart.Area{Name: name, Ink: ink, X: []float64{float64(from), float64(at)}, Lo: []float64{0, 0}, Hi: []float64{top, top}})
				name = "" // once in the legend
			}
		}
	}
	workday, weekend := h.Awake[0], h.Awake[1]
	if workday != nil && weekend != nil && slices.Equal(insights.AwakeSpans(workday), insights.AwakeSpans(weekend)) {
		add(lang.L("computer asleep"), asleepInk, workday)
		return areas
	}
	add(lang.L("computer asleep (workdays)"), asleepInk, workday)
	add(lang.L("computer asleep (weekends)"), chart.Ink{Color: asleepInk.Color, Pattern: chart.Falling}, weekend)
	return areas
}

// visitRugs are the visits by the time of day at which they were made.
func visitRugs(visits []insights.Visit) []chart.Rug {
	rugs := []chart.Rug{{Name: lang.L("your visits on workdays"), Ink: workdayInk}, {Name: lang.L("your visits on weekends"), Ink: weekendInk}}
	for _, v := range visits {
		kind := 0
		if d := v.At.Weekday(); d == time.Saturday || d == time.Sunday {
			kind = 1
		}
		rugs[kind].At = append(rugs[kind].At, hourOf(v.At))
	}
	var some []chart.Rug
	for _, r := range rugs {
		if len(r.At) > 0 {
			some = append(some, r)
		}
	}
	return some
}

// busiest returns the cell with the largest number.
func busiest(h *chart.Heat) (row, column int) {
	for r, values := range h.Values {
		for c, v := range values {
			if v > h.Values[row][column] {
				row, column = r, c
			}
		}
	}
	return row, column
}

func weeksPlot(v *insights.Visits) *chart.Heat {
	words := language.Printer()
	h := &chart.Heat{Name: lang.L("visits"), Ink: chart.Ink{Color: look.ColorAccent}, EveryColumn: 3}
	for hour := range 24 {
		h.Columns = append(h.Columns, words.DayTime(float64(hour)))
	}
	for d, counts := range v.ByHour {
		h.Rows = append(h.Rows, words.WeekdayShort(time.Weekday((d+1)%7)))
		row := make([]float64, 24)
		for hour, n := range counts {
			row[hour] = float64(n)
		}
		h.Values = append(h.Values, row)
	}
	h.Text = func(row, column int) string {
		n := int(math.Round(h.Values[row][column]))
		return lang.L("{{.Day}}, {{.From}} to {{.To}}: {{.Visits}}", map[string]any{"Day": words.Weekday(time.Weekday((row + 1) % 7)), "From": words.DayTime(float64(column)),
			"To": words.DayTime(float64(column + 1)), "Visits": lang.N("{{.PluralCount}} visits", n, map[string]any{"PluralCount": n})})
	}
	return h
}
