package insights

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/widgets/chart"
	"kairos/poller/prepare"
	"kairos/poller/preparer"
)

// whole shows which articles were there with text and pictures when they were opened, and what that cost.
type whole struct {
	part
	curve *chart.Chart
}

func newWhole(p *Page) *whole {
	s := &whole{}
	s.curve = p.chart(lang.L("What more bytes would bring"), 130)
	s.curve.File = "kairos-whole"
	s.part = newPart(p, lang.L("Opened without waiting"), s.curve.Content)
	return s
}

func (s *whole) focusable() fyne.Focusable { return focusOf(s.curve) }

func (s *whole) clear() { s.curve.SetPlot(nil, "") }

func (s *whole) load(next func()) {
	read(&s.part, func(ctx context.Context) (preparer.Report, error) {
		return s.page.Home.Preparer.Report(ctx, preparer.ReportDays)
	}, s.show, next)
}

func (s *whole) show(r preparer.Report) {
	words := language.Printer()
	s.say(words.WholeShare(&r), words.PreparingCost(&r))
	if !r.Telling() || len(r.Curve) < 2 {
		s.clear()
		return
	}
	plot := wholePlot(&r)
	setPlot(s.curve, plot, plot.Text(plot.Now))
}

func wholePlot(r *preparer.Report) *chart.Lines {
	words := language.Printer()
	l := &chart.Lines{
		X: chart.Axis{Name: lang.L("MB a day"), Format: words.Amount},
		Y: chart.Axis{Unit: chart.Percent, Lo: 0, Hi: 100, Format: percent, Name: lang.L("opened whole")}}
	line := chart.Series{Name: lang.L("articles that were worth most first"), Ink: chart.Ink{Color: look.ColorAccent}}
	for _, p := range r.Curve {
		line.X, line.Y = append(line.X, p.Bytes/1e6), append(line.Y, 100*p.Share)
		l.X.Hi = max(l.X.Hi, p.Bytes/1e6)
	}
	l.Series = []chart.Series{line}
	l.Now = r.BytesPerDay() / 1e6
	l.Text = func(x float64) string {
		said := map[string]any{"Size": words.Size(int64(1e6 * x)), "Share": words.Percent(prepare.ShareAt(r.Curve, 1e6*x))}
		if x == l.Now {
			return lang.L("With {{.Size}} a day {{.Share}} of the articles you opened were complete.", said)
		}
		return lang.L("With {{.Size}} a day about {{.Share}} of the articles you opened would have been complete.", said)
	}
	return l
}
