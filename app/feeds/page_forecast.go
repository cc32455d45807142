package feeds

import (
	"context"
	"errors"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/shell"
	"kairos/app/widgets"
	"kairos/app/widgets/chart"
	"kairos/poller"
	"kairos/poller/report"
	"kairos/poller/schedule"
	"kairos/reader"
)

// forecast shows what is expected of a feed: how much of it is read, what it loses, why it is fetched when it is,
// and what changes would do to it.
type forecast struct {
	shell     *shell.Shell
	Content   *fyne.Container
	Effects   *fyne.Container
	Opens     *widgets.Text
	Shows     *widgets.Text
	Balance   *widgets.Text   // how an instant was worked out
	Explain   *widgets.Button // shows that
	Rates     *chart.Chart
	Span      *widgets.Select // what the chart spans
	known     poller.FeedForecast
	explained bool // how it was worked out is shown
	request   async.Request
	of        forecastOf
	onShown   func()
}

// forecastOf is what a forecast was made of.
type forecastOf struct {
	feed    int64
	weight  float64
	own     float64 // interest that the user has set
	every   time.Duration
	share   poller.Share // of the budget
	fetched time.Time
}

func newForecast(sh *shell.Shell, onShown func()) *forecast {
	f := &forecast{shell: sh, Effects: widgets.NewColumn(4), Opens: widgets.NewText("", widgets.Plain), Shows: widgets.NewText("", widgets.Plain),
		Balance: widgets.NewText("", widgets.Muted), onShown: onShown}
	f.Rates = chart.New(chart.Host{Keys: sh.Keys, Copy: func(text string) { fyne.CurrentApp().Clipboard().SetContent(text) },
		Shown: func(o fyne.CanvasObject) { widgets.Reveal(sh.Dialogs.Canvas(), o) }}, lang.L("When a feed posts and is fetched"), 120)
	f.Span = widgets.NewSelect([]string{lang.X("span.day", "Day"), lang.X("span.week", "Week")})
	f.Span.OnChanged = func(string) { f.showRates() }
	f.Explain = widgets.NewIconButton(lang.L("How this was worked out"), nil, func() {
		sh.Used()
		f.explained = !f.explained
		f.showRates()
		onShown()
	})
	f.Explain.Importance = widget.LowImportance
	f.Content = widgets.NewColumn(8, widgets.NewText(lang.L("What to expect"), widgets.Heading), f.Opens, f.Shows, f.Effects, container.NewHBox(f.Span), f.Rates.Content, widgets.NewFlow(0, f.Explain), f.Balance)
	f.Balance.Hide()
	f.Content.Hide()
	return f
}

// reset hides what was shown of another feed.
func (f *forecast) reset() {
	f.request.Stop()
	f.of, f.Span.Selected, f.explained = forecastOf{}, "", false
	f.Content.Hide()
}

// load forecasts the feed of a report and shows that, unless it has. While the feed fails there is nothing to expect of it, and of a
// list of feeds no articles.
func (f *forecast) load(r *report.Report) {
	if r.Trouble != nil || r.Followed != nil {
		f.reset()
		return
	}
	feed := r.Feed.ID
	of := forecastOf{feed, r.Feed.Weight, r.Feed.Interest, r.Feed.Every, r.Share, r.State.Fetched}
	if of == f.of {
		return
	}
	f.of = of
	async.Load(f.shell.Jobs, &f.request, func(ctx context.Context) (poller.FeedForecast, error) {
		forecast, err := f.shell.Home.Poller.FeedForecast(ctx, feed)
		if errors.Is(err, schedule.ErrNotPlanned) || errors.Is(err, reader.ErrUnknown) {
			return poller.FeedForecast{}, nil // there is nothing to expect
		}
		return forecast, err
	}, f.show)
}

func (f *forecast) show(forecast poller.FeedForecast) {
	f.Content.Hidden = len(forecast.Effects) == 0
	if f.Content.Hidden {
		return
	}
	words := language.Printer()
	f.Opens.SetText(words.Sentences(words.Interest(forecast.Interest), words.Counts(forecast.Counts)), widgets.Plain)
	shows := words.Sentences(words.Shows(&forecast), words.Guess(forecast.Evidence))
	f.Shows.SetText(shows, widgets.Plain)
	f.Shows.Hidden = shows == ""
	f.Effects.RemoveAll()
	effects := words.Effects(forecast.Effects)
	width := float32(0)
	for _, e := range forecast.Effects {
		width = max(width, widgets.NewCaption(words.Change(e.Change), widgets.Label).MinSize().Width+effectGap)
	}
	for k, e := range forecast.Effects {
		f.Effects.Add(widgets.NewLabeled(min(width, maxEffectName), widgets.NewText(words.Change(e.Change), widgets.Label), widgets.NewText(effects[k], widgets.Plain)))
	}
	balance := ""
	if forecast.Balance != nil {
		balance = words.Balanced(forecast.Balance, f.shell.Now().Location())
	}
	f.Balance.SetText(balance, widgets.Muted)
	f.known = forecast
	if f.Span.Selected == "" { // another feed
		f.Span.Selected = f.Span.Options[spanOf(&forecast)]
		f.Span.Refresh()
	}
	f.showRates()
	f.onShown()
}

// The spans of the chart, as they stand in the field.
const spanDay, spanWeek = 0, 1

// mattersFrom is from how many times as many articles on the busiest day as on an average one the rhythm of the week is
// what there is to see.
const mattersFrom = 1.3

// spanOf chooses what is shown at first: the week if its days differ, else the day.
func spanOf(f *poller.FeedForecast) int {
	sum, most := 0.0, 0.0
	for d := range 7 {
		of := 0.0
		for h := range 24 {
			of += f.Week.Posting[24*d+h]
		}
		sum, most = sum+of, max(most, of)
	}
	if most > mattersFrom*sum/7 {
		return spanWeek
	}
	return spanDay
}

func (f *forecast) showRates() {
	rates, period := f.known.Day, 24*time.Hour
	week := f.Span.SelectedIndex() == spanWeek
	if week {
		rates, period = f.known.Week, 7*24*time.Hour
	}
	l := ratesPlot(&f.known, rates, period, f.shell.Now().Location())
	if week { // the areas around one fetch are too narrow to be seen
		l.X.Format = func(v float64) string {
			return language.Printer().WeekdayShort(time.Unix(int64(v), 0).In(f.shell.Now().Location()).Weekday())
		}
	} else if f.explained {
		l.Areas = balanceAreas(f.known.Balance, l.X.Lo, l.X.Hi, l.Y.Hi)
	}
	f.Explain.Hidden = week || f.Balance.String() == ""
	f.Balance.Hidden = f.Explain.Hidden || !f.explained
	f.Rates.SetPlot(l, "")
}

// ratesPlot is when the feed is expected to post in the coming period, when it did in the last weeks, when it was fetched in
// the last period and when it will be.
func ratesPlot(f *poller.FeedForecast, rates poller.FeedRates, period time.Duration, zone *time.Location) *chart.Lines {
	words := language.Printer()
	seconds := func(t time.Time) float64 { return float64(t.Unix()) }
	n := len(rates.Posting)
	at := func(k int) float64 { return seconds(f.From.Add(time.Duration(k) * rates.Bin)) }
	l := &chart.Lines{X: chart.Axis{Unit: chart.Instant, Lo: at(0), Hi: at(n), Zone: zone}, Y: chart.Axis{Name: lang.L("articles an hour"), Format: words.Figure}}
	posting := chart.Series{Name: lang.L("expected articles"), Ink: chart.Ink{Color: look.ColorAccent}}
	for k, x := range rates.Posting {
		posting.X, posting.Y = append(posting.X, at(k)), append(posting.Y, x)
		l.Y.Hi = max(l.Y.Hi, x)
	}
	l.Series = []chart.Series{posting}
	folded := func(t time.Time) float64 { // at the same time of the period
		return seconds(f.From.Add(((t.Sub(f.From) % period) + period) % period))
	}
	posted := chart.Rug{Name: lang.L("articles of the last four weeks"), Ink: chart.Ink{Color: look.ColorMuted, Shape: chart.Bar}}
	for _, t := range f.Posts {
		posted.At = append(posted.At, folded(t))
	}
	name := lang.L("fetches of the last day")
	if period > 24*time.Hour {
		name = lang.L("fetches of the last week")
	}
	fetched := chart.Rug{Name: name, Ink: chart.Ink{Color: look.ColorMuted, Shape: chart.Ring}}
	for _, t := range f.Fetched {
		if f.From.Sub(t) < period {
			fetched.At = append(fetched.At, folded(t))
		}
	}
	planned := chart.Rug{Name: lang.L("planned fetches"), Ink: chart.Ink{Color: look.ColorText, Shape: chart.Triangle}}
	for _, i := range f.Instants {
		if x := seconds(i.At); x <= l.X.Hi {
			planned.At = append(planned.At, x)
		}
	}
	for _, r := range []chart.Rug{posted, fetched, planned} {
		if len(r.At) > 0 {
			l.Rugs = append(l.Rugs, r)
		}
	}
	l.Text = func(x float64) string {
		k := max(0, min(n-1, int((x-at(0))/rates.Bin.Seconds())))
		at := time.Unix(int64(x), 0).In(zone)
		when := words.Clock(at)
		if period > 24*time.Hour {
			when = words.WeekdayClock(at)
		}
		return words.FeedHour(when, rates.Posting[k], rates.Access[k])
	}
	return l
}

// balanceAreas are both sides of condition (6) between two instants, as high as the plot.
func balanceAreas(b *schedule.Balance, lo, hi, top float64) []chart.Area {
	if b == nil {
		return nil
	}
	highest := 0.0
	for _, x := range append(slices.Clone(b.Before), b.After...) {
		highest = max(highest, x)
	}
	if highest == 0 {
		return nil
	}
	area := func(name string, pattern chart.Pattern, from time.Time, side []float64) chart.Area {
		a := chart.Area{Name: name, Ink: chart.Ink{Color: look.ColorSecond, Pattern: pattern}}
		for k, x := range side {
			if t := float64(from.Add(time.Duration(k) * schedule.Bin).Unix()); t >= lo && t <= hi {
				a.X, a.Lo, a.Hi = append(a.X, t), append(a.Lo, 0), append(a.Hi, x/highest*top)
			}
		}
		return a
	}
	return []chart.Area{
		area(lang.L("weight of what waits before the fetch"), chart.Rising, b.At.Add(-time.Duration(len(b.Before))*schedule.Bin), b.Before),
		area(lang.L("weight of what comes after it"), chart.Falling, b.At, b.After)}
}

// The column of the names of changes is as wide as the longest, with a gap, but no wider than maxEffectName.
const effectGap, maxEffectName = 16, 230
