package insights

import (
	"context"
	"math"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/widgets"
	"kairos/app/widgets/chart"
	"kairos/poller/insights"
)

// calibration shows how well visits and articles were predicted.
type calibration struct {
	part
	articles, visits           *chart.Chart
	articlesTitle, visitsTitle *widgets.Text
}

func newCalibration(p *Page) *calibration {
	s := &calibration{articlesTitle: widgets.NewText("", widgets.Heading), visitsTitle: widgets.NewText("", widgets.Heading)}
	s.articles = p.chart(lang.L("New articles: expected and actual"), 120)
	s.articles.File = "kairos-articles-expected"
	s.visits = p.chart(lang.L("Visits: expected and actual"), 120)
	s.visits.File = "kairos-visits-expected"
	s.part = newPart(p, lang.L("How well Kairos predicts"), widgets.NewTiles(28, 330,
		widgets.NewColumn(6, s.visitsTitle, s.visits.Content), widgets.NewColumn(6, s.articlesTitle, s.articles.Content)))
	return s
}

func (s *calibration) focusable() fyne.Focusable { return focusOf(s.visits) }

func (s *calibration) clear() {
	s.articles.SetPlot(nil, "")
	s.visits.SetPlot(nil, "")
}

func (s *calibration) load(next func()) {
	read(&s.part, func(ctx context.Context) (insights.Calibration, error) {
		return s.page.Home.Insights.Calibration(ctx, insights.MostDays)
	}, s.show, next)
}

// fewestPredicted is how many predicted days make a chart.
const fewestPredicted = 2

func (s *calibration) show(c insights.Calibration) {
	words := language.Printer()
	s.say(words.Sentences(words.Fits(c.Visits, c.Articles), words.VisitBands(&c)), lang.L("Each morning Kairos notes what it expects of the day. The bars are what came, articles that were probably lost included; the lines are what was expected."))
	if len(c.Days) < fewestPredicted {
		s.more.Clear()
		s.articlesTitle.Clear()
		s.visitsTitle.Clear()
		s.clear()
		return
	}
	s.visitsTitle.SetText(lang.L("Visits a day"), widgets.Heading)
	s.articlesTitle.SetText(lang.L("New articles a day"), widgets.Heading)
	last := len(c.Days) - 1
	visits := predictedPlot(c.Days, func(d *insights.PredictedDay) (float64, int) { return d.ExpectedVisits, d.Visits })
	articles := predictedPlot(c.Days, func(d *insights.PredictedDay) (float64, int) { return d.ExpectedArticles, d.Articles })
	setPlot(s.visits, visits, visits.Text(last))
	setPlot(s.articles, articles, articles.Text(last))
}

func predictedPlot(days []insights.PredictedDay, of func(*insights.PredictedDay) (expected float64, came int)) *chart.Bars {
	words := language.Printer()
	b := &chart.Bars{Y: chart.Axis{Format: words.Amount}, Name: lang.L("day"), Series: []chart.BarSeries{
		{Name: lang.L("came"), Ink: chart.Ink{Color: look.ColorAccent}},
		{Name: lang.L("expected"), Ink: chart.Ink{Color: look.ColorText}, Mark: true}}}
	for i := range days {
		expected, came := of(&days[i])
		b.Groups = append(b.Groups, words.DateShort(days[i].Since))
		b.Series[0].Values = append(b.Series[0].Values, float64(came))
		b.Series[1].Values = append(b.Series[1].Values, expected)
		b.Y.Hi = max(b.Y.Hi, float64(came), math.Ceil(expected))
	}
	b.Text = func(i int) string {
		return lang.L("{{.Day}}: {{.Came}} came, {{.Expected}} expected", map[string]any{"Day": words.WeekdayDateShort(days[i].Since),
			"Came": strings.TrimSpace(words.Amount(b.Series[0].Values[i])), "Expected": words.Amount(b.Series[1].Values[i])})
	}
	return b
}
