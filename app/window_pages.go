package app

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/atomicfile"
	"kairos/app/feeds"
	"kairos/app/insights"
	"kairos/app/session"
	"kairos/app/welcome"
	"kairos/app/widgets"
	"kairos/reader"
)

// pages are what takes the place of the timeline and the article.
type pages struct {
	attention *feeds.AttentionPage
	insights  *insights.Page
	welcome   *welcome.Page
	drawn     session.Cover
}

// show shows a page and hides the others. It returns the one before.
func (p *pages) show(c session.Cover) (before session.Cover) {
	before, p.drawn = p.drawn, c
	p.attention.SetVisible(c == session.AttentionPage)
	if c == session.InsightsPage {
		p.insights.Open()
	} else {
		p.insights.Close()
	}
	p.welcome.SetVisible(c == session.WelcomePage)
	return before
}

// chosenPage returns the page of the chosen sidebar item, nil if it lists articles.
func (w *window) chosenPage() *widgets.Scroll {
	switch w.session.Cover() {
	case session.AttentionPage:
		return w.pages.attention.Pane
	case session.InsightsPage:
		return w.pages.insights.Pane()
	}
	return nil
}

// newInsights returns the closed page.
func newInsights(w *window) *insights.Page {
	return insights.New(insights.Host{
		Jobs: w.shell.Jobs, Home: w.shell.Home, Keys: w.shell.Keys, Focus: w.shell.Focus,
		Copy: func(text string) {
			w.shell.Copy(text)
			w.shell.Say(lang.L("Copied."))
		},
		Save: func(name string, png []byte) {
			s := w.shell.Dialogs.SaveFile(lang.L("Save picture"), name, nil, func(_ context.Context, file string) error { return atomicfile.Write(file, png) },
				func(file string) { w.shell.Say(lang.L("Saved to {{.File}}", map[string]any{"File": file})) })
			s.Extension = ".png"
		},
		Fail: func(err error) { w.shell.Fail(err) },
		Menu: func(at fyne.Position, items ...*fyne.MenuItem) {
			widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), w.win.Canvas(), at)
		},
		Feeds:    costlyFeeds{w},
		OnClose:  func() { w.activity.releaseMemoryUnless(w.pages.insights.Shown) },
		OnBudget: w.status.reload,
		AddUndo:  w.shell.AddUndo,
		Correct:  func() { newSettings(w).OpenCorrections() },
	})
}

// costlyFeeds is what the page of insights does with feeds.
type costlyFeeds struct{ w *window }

var _ insights.Feeds = costlyFeeds{}

func (c costlyFeeds) Open(feed int64) { c.w.openFeedPage(c.w.library.Feed(feed)) }

func (c costlyFeeds) Unsubscribe(feed int64) { c.w.feeds.Unsubscribe(c.w.library.Feed(feed)) }

func (c costlyFeeds) Pause(feed int64) {
	if f := c.w.library.Feed(feed); f != nil && !f.Paused {
		c.change(*f, lang.L("Paused {{.Feed}}", map[string]any{"Feed": f.Title}), func(f *reader.Feed) { f.Paused = true })
	}
}

func (c costlyFeeds) Lower(feed int64) {
	if f := c.w.library.Feed(feed); f != nil && f.Weight > reader.WeightLow {
		c.change(*f, lang.L("{{.Feed}} has a low weight now", map[string]any{"Feed": f.Title}), func(f *reader.Feed) { f.Weight = reader.WeightLow })
	}
}

// change changes a feed and offers to undo it.
func (c costlyFeeds) change(before reader.Feed, what string, change func(f *reader.Feed)) {
	after := before
	change(&after)
	update := func(ctx context.Context, f reader.Feed) error {
		return c.w.shell.Home.Subscriptions.Update(ctx, f, nil)
	}
	c.w.shell.Work(func(ctx context.Context) error { return update(ctx, after) }, func(err error) {
		if err != nil {
			c.w.shell.Fail(err)
			return
		}
		c.w.shell.AddUndo(what, func(ctx context.Context) error { return update(ctx, before) })
	})
}
