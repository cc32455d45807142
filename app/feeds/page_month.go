package feeds

import (
	"reflect"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/text"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/poller/report"
)

// month shows the fetches of the last 30 days: their sum, a bar for each day, and the fetches of the chosen day.
type month struct {
	Content *fyne.Container
	report  report.Report
	day     int // the chosen one, -1 for none
	resized func()

	sum, reasons *widgets.Text
	Strip        *widgets.BarStrip
	legend       *fyne.Container
	hovered      *widgets.Text // the day under the mouse, in place of the legend
	date, about  *widgets.Text // of the chosen day
	Lines        *fyne.Container
	listed       []poller.Outcome
	Details      *widgets.Check // lists the requests for icons and articles, too
}

// barColors are the colors of the fetches that brought new articles, brought nothing, and failed.
var barColors = []fyne.ThemeColorName{look.ColorAccent, look.ColorQuoteBar, theme.ColorNameWarning}

func newMonth(keys widgets.Keys, resized func()) *month {
	empty := func() *widgets.Text { return widgets.NewText("", widgets.Plain) }
	m := &month{resized: resized, sum: empty(), reasons: empty(), date: empty(), about: empty()}
	m.Strip = widgets.NewBarStrip(keys, barColors, m.choose, m.hover)
	m.Strip.Name, m.Strip.Say = lang.L("Fetches by day"), m.dayText
	m.hovered = widgets.NewCaption("", widgets.Muted)
	m.hovered.Truncate()
	m.legend = widgets.NewFlow(16, widgets.NewLegend(barColors[0], lang.L("new articles")), widgets.NewLegend(barColors[1], lang.L("nothing new")),
		widgets.NewLegend(barColors[2], lang.L("! errors")))
	m.Lines = widgets.NewColumn(6)
	m.Details = widgets.NewCheck(lang.L("Show requests for icons, pictures and pages"))
	m.Details.OnChanged = func(bool) { m.choose(m.day) }
	m.Content = widgets.NewColumn(8, widgets.NewText(lang.L("Last {{.N}} days", map[string]any{"N": poller.LedgerDays}), widgets.Heading),
		widgets.NewColumn(4, m.sum, m.reasons), m.Strip, m.legend, m.hovered, m.date, m.about, m.Lines, m.Details)
	return m
}

// reset forgets the report and the chosen day.
func (m *month) reset() {
	m.report, m.day = report.Report{}, -1
	m.Strip.SetBars(nil, -1, minBarScale) // it may have the focus, or the mouse
}

// set shows a report.
func (m *month) set(r report.Report) {
	m.keepDay(r)
	m.report = r
	m.sum.SetText(language.Printer().Sentence(language.Printer().LedgerSum(r.Month)), widgets.Plain)
	m.reasons.SetText(language.Printer().Sentence(language.Printer().LedgerReasons(r.Month)), widgets.Muted)
	m.showBars()
	m.choose(m.day)
}

// keepDay keeps the chosen day, which has moved if a day has begun since. At first it is the last one with a fetch.
func (m *month) keepDay(r report.Report) {
	if m.day >= 0 && m.day < len(m.report.Days) {
		date := m.report.Days[m.day].Date
		m.day = slices.IndexFunc(r.Days, func(d report.Day) bool { return d.Date.Equal(date) })
	}
	for i := len(r.Days) - 1; i >= 0 && m.day < 0; i-- {
		if slices.ContainsFunc(r.Days[i].Lines, isFeedFetch) {
			m.day = i
		}
	}
	if m.day < 0 {
		m.day = len(r.Days) - 1
	}
}

// minBarScale is the least number of fetches that a bar of full height stands for, so that a feed that is fetched once
// a day does not look busy.
const minBarScale = 6

// showBars draws a bar for each day.
func (m *month) showBars() {
	scale := minBarScale
	var bars []widgets.Bar
	for _, d := range m.report.Days {
		scale = max(scale, d.Fetches)
		bars = append(bars, widgets.Bar{Parts: []int{d.WithNew, d.Unchanged, d.Failed}, Marked: d.Failed > 0})
	}
	m.Strip.SetBars(bars, m.day, scale)
}

// choose shows a day and lists its fetches.
func (m *month) choose(day int) {
	d := m.report.Days[day]
	m.day = day
	m.date.SetText(language.Printer().WeekdayDate(d.Date), widgets.Bold)
	m.about.SetText(language.Printer().Sentence(language.Printer().LedgerSum(d.Sum)), widgets.Plain)
	fetches := slices.DeleteFunc(slices.Clone(d.Lines), func(o poller.Outcome) bool { return !isFeedFetch(o) })
	m.Details.Hidden = len(fetches) == len(d.Lines)
	if m.Details.Checked {
		fetches = d.Lines
	}
	m.list(fetches)
	m.resized()
}

// isFeedFetch reports whether o is a fetch of the feed, and not of an icon or of what belongs to an article.
func isFeedFetch(o poller.Outcome) bool { return !o.Reason.IsAuxiliary() }

// hover shows the day under the mouse, -1 for none.
func (m *month) hover(day int) {
	text := ""
	if day >= 0 {
		text = m.dayText(day)
	}
	m.hovered.SetText(text, widgets.Muted)
	m.legend.Hidden = text != ""
	m.resized()
}

// dayText says what the bar of a day shows.
func (m *month) dayText(day int) string {
	d := m.report.Days[day]
	return lang.L("{{.Day}}: {{.Fetches}}", map[string]any{"Day": language.Printer().WeekdayDateShort(d.Date), "Fetches": language.Printer().LedgerSum(d.Sum)})
}

// list shows the fetches of a day, the newest first.
func (m *month) list(lines []poller.Outcome) {
	if slices.EqualFunc(lines, m.listed, func(a, b poller.Outcome) bool { return reflect.DeepEqual(a, b) }) {
		return
	}
	m.listed = lines
	m.Lines.RemoveAll()
	for _, o := range lines {
		result := language.Printer().Outcome(&o)
		if o.Bytes > 0 {
			result = lang.L("{{.Result}}, {{.Size}}", map[string]any{"Result": text.WithoutStop(result), "Size": language.Printer().Size(o.Bytes)})
		}
		m.Lines.Add(widgets.NewLabeled(factNameWidth,
			widgets.NewText(o.At.In(m.report.At.Location()).Format(time.TimeOnly), widgets.Label),
			widgets.NewRichText(widgets.Plain.Span(language.Printer().Sentence(result)), widgets.Muted.Span(" "+language.Printer().Sentence(language.Printer().Cause(o.Reason, o.Cause, m.report.At.Location()))))))
	}
}
