package app

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/atomicfile"
	"kairos/app/away"
	"kairos/app/feeds"
	"kairos/app/insights"
	"kairos/app/session"
	"kairos/app/welcome"
	"kairos/app/widgets"
)

// pages are what takes the place of the timeline and the article.
type pages struct {
	attention *feeds.AttentionPage
	insights  *insights.Page
	welcome   *welcome.Page
	away      *away.Page
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
	p.away.SetVisible(c == session.AwayPage)
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
		Feeds:    feeds.Costly{Actions: w.feeds},
		OnClose:  func() { w.activity.releaseMemoryUnless(w.pages.insights.Shown) },
		OnBudget: w.status.reload,
		AddUndo:  w.shell.AddUndo,
		Correct:  func() { newSettings(w).OpenCorrections() },
	})
}
