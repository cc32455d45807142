package feeds

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/poller/report"
)

// posted shows how much a feed has posted in the last 30 days, a bar for each day: of a feed that a server fetches, in place of the
// fetches.
type posted struct {
	Content *fyne.Container
	days    []report.PostedDay
	resized func()

	sum   *widgets.Text
	Strip *widgets.BarStrip
	day   *widgets.Text // the chosen day, or the one under the mouse
}

func newPosted(keys widgets.Keys, resized func()) *posted {
	p := &posted{resized: resized, sum: widgets.NewText("", widgets.Plain), day: widgets.NewText("", widgets.Muted)}
	p.Strip = widgets.NewBarStrip(keys, []fyne.ThemeColorName{look.ColorAccent}, p.tell, p.hover)
	p.Strip.Name, p.Strip.Say = lang.L("Articles by day"), p.dayText
	p.Content = widgets.NewColumn(8, widgets.NewText(lang.L("Last {{.N}} days", map[string]any{"N": poller.LedgerDays}), widgets.Heading),
		p.sum, p.Strip, p.day)
	p.Content.Hide()
	return p
}

// set shows what a feed has posted; nil hides it. The day that was chosen stays.
func (p *posted) set(r *report.Report) {
	if p.Content.Hidden = r.Posted == nil; p.Content.Hidden {
		p.days = nil
		p.Strip.SetBars(nil, -1, minBarScale) // it may have the focus, or the mouse
		return
	}
	chosen := len(r.Posted.Days) - 1
	if len(p.days) > 0 && p.days[0].Date.Equal(r.Posted.Days[0].Date) {
		chosen = p.Strip.Chosen()
	}
	p.days = r.Posted.Days
	amount, _ := language.Printer().Posted(r.Posted, r.At)
	p.sum.SetText(amount, widgets.Plain)
	scale := minBarScale
	bars := make([]widgets.Bar, len(p.days))
	for i, d := range p.days {
		scale = max(scale, d.Articles)
		bars[i].Parts = []int{d.Articles}
	}
	p.Strip.SetBars(bars, chosen, scale)
	p.tell(chosen)
}

// hover tells of the day under the mouse, and of the chosen one when it has left.
func (p *posted) hover(day int) {
	if day < 0 {
		day = p.Strip.Chosen()
	}
	p.tell(day)
}

func (p *posted) tell(day int) {
	p.day.SetText(p.dayText(day), widgets.Muted)
	p.resized()
}

// dayText says what the bar of a day shows.
func (p *posted) dayText(day int) string {
	d := p.days[day]
	return lang.L("{{.Day}}: {{.Articles}}", map[string]any{"Day": language.Printer().WeekdayDateShort(d.Date), "Articles": lang.N("{{.PluralCount}} articles", d.Articles)})
}
