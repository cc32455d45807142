package app

import (
	"context"
	"errors"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/async"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/poller/report"
	"kairos/poller/schedule"
	"kairos/reader"
)

// feedForecast shows what is expected of a feed: how often it is opened, what it loses, why it is fetched when it is,
// and what changes would do to it.
type feedForecast struct {
	*env
	content *fyne.Container
	effects *fyne.Container
	opens   *widgets.Text
	shows   *widgets.Text
	balance *widgets.Text
	request async.Request
	of      forecastOf
	onShown func()
}

// forecastOf is what a forecast was made of.
type forecastOf struct {
	feed    int64
	weight  float64
	every   time.Duration
	share   poller.Share // of the budget
	fetched time.Time
}

func newFeedForecast(e *env, onShown func()) *feedForecast {
	f := &feedForecast{env: e, effects: widgets.NewColumn(4), opens: widgets.NewText("", widgets.Plain), shows: widgets.NewText("", widgets.Plain),
		balance: widgets.NewText("", widgets.Muted), onShown: onShown}
	f.content = widgets.NewColumn(8, widgets.NewText(lang.L("What to expect"), widgets.Heading), f.opens, f.shows, f.effects, f.balance)
	f.content.Hide()
	return f
}

// reset hides what was shown of another feed.
func (f *feedForecast) reset() {
	f.request.Stop()
	f.of = forecastOf{}
	f.content.Hide()
}

// load forecasts the feed of a report and shows that, unless it has.
func (f *feedForecast) load(r *report.Report) {
	feed := r.Feed.ID
	of := forecastOf{feed, r.Feed.Weight, r.Feed.Every, r.Share, r.State.Fetched}
	if of == f.of {
		return
	}
	f.of = of
	async.Load(f.Jobs, &f.request, func(ctx context.Context) (poller.FeedForecast, error) {
		forecast, err := f.home.Poller.FeedForecast(ctx, feed)
		if errors.Is(err, schedule.ErrNotPlanned) || errors.Is(err, reader.ErrUnknown) {
			return poller.FeedForecast{}, nil // there is nothing to expect
		}
		return forecast, err
	}, f.show)
}

func (f *feedForecast) show(forecast poller.FeedForecast) {
	f.content.Hidden = len(forecast.Effects) == 0
	if f.content.Hidden {
		return
	}
	words := language.Printer()
	f.opens.SetText(words.Opens(forecast.Share), widgets.Plain)
	shows := words.Shows(&forecast)
	f.shows.SetText(shows, widgets.Plain)
	f.shows.Hidden = shows == ""
	f.effects.RemoveAll()
	for _, e := range forecast.Effects {
		f.effects.Add(widgets.NewLabeled(effectNameWidth, widgets.NewText(words.Change(e.Change), widgets.Label), widgets.NewText(words.Effect(e.FeedForecast), widgets.Plain)))
	}
	balance := ""
	if len(forecast.Balances) > 0 {
		balance = words.Balanced(&forecast.Balances[0], f.now().Location())
	}
	f.balance.SetText(balance, widgets.Muted)
	f.onShown()
}

// effectNameWidth is the width of the names of changes.
const effectNameWidth = 190
