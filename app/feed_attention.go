package app

import (
	"reflect"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/language"
	"kairos/app/text"
	"kairos/app/widgets"
	"kairos/poller/report"
	"kairos/reader"
)

// attentionKey is the key of the sidebar item that lists the feeds that need attention.
const attentionKey = "attention"

// noFeed selects no articles.
var noFeed = reader.Query{Feed: -1}

// failingFeed is a feed that has failed for long, or is gone.
type failingFeed struct {
	feed    reader.Feed
	trouble report.Trouble
}

// trouble tells what is wrong with a feed, nil if nothing is.
func (s *sidebar) trouble(f reader.Feed) *report.Trouble {
	return report.TroubleOf(s.states[f.ID], f, s.now())
}

// needsAttention reports whether a feed has failed for long, or is gone.
func (s *sidebar) needsAttention(f reader.Feed) bool {
	t := s.trouble(f)
	return t != nil && t.Attention
}

// attentionPage lists the feeds that need attention in place of articles: how long each has failed, and what can be
// done.
type attentionPage struct {
	*env
	actions *feedActions
	changed func() // the page was shown or hidden

	pane  *widgets.Scroll
	cards *fyne.Container
	feeds []failingFeed
	day   string // when the cards were made: they tell how long ago
}

func newAttentionPage(actions *feedActions, changed func()) *attentionPage {
	p := &attentionPage{env: actions.env, actions: actions, changed: changed, cards: widgets.NewColumn(16)}
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
func (p *attentionPage) set(feeds []failingFeed) {
	day := p.now().Format("2006-01-02")
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

func sameFailing(a, b []failingFeed) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := a[i], b[i]
		if x.feed.ID != y.feed.ID || x.feed.Title != y.feed.Title || x.feed.URL != y.feed.URL || x.feed.Site != y.feed.Site ||
			x.trouble.Failures != y.trouble.Failures || !reflect.DeepEqual(x.trouble.Message, y.trouble.Message) || x.trouble.Advice != y.trouble.Advice {
			return false
		}
	}
	return true
}

func (p *attentionPage) card(f failingFeed) fyne.CanvasObject {
	words := language.Printer()
	page := widgets.NewIconButton(lang.L("Feed status"), theme.InfoIcon(), func() {
		p.used()
		p.actions.openPage(&f.feed)
	})
	page.Importance = widget.LowImportance
	buttons := p.actions.fixButtons(f.feed, f.trouble.Actions)
	buttons.Add(page)
	return widgets.NewPanel(theme.ColorNameWarning, widgets.NewColumn(6,
		widgets.NewText(f.feed.Title, widgets.Bold),
		widgets.NewText(text.Capital(words.TroubleSince(&f.trouble, p.now())), widgets.Warning),
		widgets.NewText(words.Sentences(words.Message(f.trouble.Message), words.Advice(f.trouble.Advice)), widgets.Plain),
		widgets.NewText(f.feed.URL, widgets.Muted),
		buttons))
}
