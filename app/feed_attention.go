package app

import (
	"reflect"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/language"
	"kairos/app/library"
	"kairos/app/shell"
	"kairos/app/text"
	"kairos/app/widgets"
)

// attentionPage lists the feeds that need attention in place of articles: how long each has failed, and what can be
// done.
type attentionPage struct {
	shell   *shell.Shell
	actions *feedActions
	changed func() // the page was shown or hidden

	pane  *widgets.Scroll
	cards *fyne.Container
	feeds []library.FailingFeed
	day   string // when the cards were made: they tell how long ago
}

func newAttentionPage(actions *feedActions, changed func()) *attentionPage {
	p := &attentionPage{shell: actions.shell, actions: actions, changed: changed, cards: widgets.NewColumn(16)}
	p.pane = widgets.NewVScroll(widgets.NewPage(760, widgets.NewColumn(16,
		widgets.NewText(lang.L("Needs attention"), widgets.Title),
		widgets.NewText(lang.L("These feeds have failed for 30 days or longer, or are gone for good. Kairos never unsubscribes for you: their articles stay until you do."), widgets.Muted),
		p.cards)))
	p.pane.Hide()
	return p
}

// setVisible shows or hides the page.
func (p *attentionPage) setVisible(on bool) {
	if on == p.shown() {
		return
	}
	if on {
		p.pane.ScrollToTop()
		p.pane.Show()
	} else {
		p.pane.Hide()
	}
	p.changed()
}

func (p *attentionPage) shown() bool { return p.pane.Visible() }

// set lists feeds, if anything has changed.
func (p *attentionPage) set(feeds []library.FailingFeed) {
	day := p.shell.Now().Format("2006-01-02")
	if p.day == day && sameFailing(p.feeds, feeds) {
		return
	}
	p.feeds, p.day = feeds, day
	p.cards.RemoveAll()
	for _, f := range feeds {
		p.cards.Add(p.card(f))
	}
	p.pane.Refresh()
}

func sameFailing(a, b []library.FailingFeed) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := a[i], b[i]
		if x.Feed.ID != y.Feed.ID || x.Feed.Title != y.Feed.Title || x.Feed.URL != y.Feed.URL || x.Feed.Site != y.Feed.Site ||
			x.Trouble.Failures != y.Trouble.Failures || !reflect.DeepEqual(x.Trouble.Message, y.Trouble.Message) || x.Trouble.Advice != y.Trouble.Advice {
			return false
		}
	}
	return true
}

func (p *attentionPage) card(f library.FailingFeed) fyne.CanvasObject {
	words := language.Printer()
	page := widgets.NewIconButton(lang.L("Feed status"), theme.InfoIcon(), func() {
		p.shell.Used()
		p.actions.openPage(&f.Feed)
	})
	page.Importance = widget.LowImportance
	buttons := p.actions.fixButtons(f.Feed, f.Trouble.Actions)
	buttons.Add(page)
	return widgets.NewPanel(theme.ColorNameWarning, widgets.NewColumn(6,
		widgets.NewText(f.Feed.Title, widgets.Bold),
		widgets.NewText(text.Capital(words.TroubleSince(&f.Trouble, p.shell.Now())), widgets.Warning),
		widgets.NewText(words.Sentences(words.Message(f.Trouble.Message), words.Advice(f.Trouble.Advice)), widgets.Plain),
		widgets.NewText(f.Feed.URL, widgets.Muted),
		buttons))
}
