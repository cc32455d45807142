package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/language"
	"kairos/app/text"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/reader"
)

// needyKey is the place of the feeds that need attention.
const needyKey = "attention"

// ofNoFeed selects no articles.
var ofNoFeed = reader.Query{Feed: -1}

// needyFeed is a feed that has failed for long, or is gone.
type needyFeed struct {
	feed    reader.Feed
	trouble poller.Trouble
}

// needyFeeds are those that need attention.
func (w *window) needyFeeds() (needy []needyFeed) {
	for _, f := range w.sidebar.feeds {
		if t := w.sidebar.states[f.ID].Trouble(f, w.now()); t != nil && t.Attention {
			needy = append(needy, needyFeed{f, *t})
		}
	}
	return needy
}

// needyPage lists the feeds that need attention in place of articles: since when each
// fails, and what can be done.
type needyPage struct {
	w     *window
	pane  *container.Scroll
	cards *fyne.Container
	feeds []needyFeed
	day   string // the cards are of: they say how long ago
}

func newNeedyPage(w *window) *needyPage {
	p := &needyPage{w: w, cards: widgets.NewColumn(16)}
	p.pane = container.NewVScroll(widgets.NewPage(760, widgets.NewColumn(16,
		widgets.NewText(lang.L("Needs attention"), widgets.Title),
		widgets.NewText(lang.L("These feeds have failed for 30 days or longer, or are gone for good. Nothing of them is dropped: what they have brought stays until you unsubscribe."), widgets.Muted),
		p.cards)))
	p.pane.Hide()
	return p
}

// turn shows or hides the page.
func (p *needyPage) turn(on bool) {
	if on == p.shown() {
		return
	}
	if !on {
		p.pane.Hide()
		p.w.lists.Show()
		return
	}
	p.w.lists.Hide()
	p.pane.ScrollToTop()
	p.pane.Show()
}

func (p *needyPage) shown() bool { return p.pane.Visible() }

// has reports whether a feed is among those listed.
func (p *needyPage) has(feed int64) bool {
	for _, f := range p.feeds {
		if f.feed.ID == feed {
			return true
		}
	}
	return false
}

// set lists feeds anew if anything has changed of them.
func (p *needyPage) set(feeds []needyFeed) {
	day := p.w.now().Format("2006-01-02")
	if p.day == day && sameNeedy(p.feeds, feeds) {
		return
	}
	p.feeds, p.day = feeds, day
	p.cards.RemoveAll()
	for _, f := range feeds {
		p.cards.Add(p.card(f))
	}
	p.pane.Refresh()
}

func sameNeedy(a, b []needyFeed) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := a[i], b[i]
		if x.feed.ID != y.feed.ID || x.feed.Title != y.feed.Title || x.feed.URL != y.feed.URL || x.feed.Site != y.feed.Site ||
			x.trouble.Faults != y.trouble.Faults || x.trouble.Said != y.trouble.Said || x.trouble.Advice != y.trouble.Advice {
			return false
		}
	}
	return true
}

func (p *needyPage) card(f needyFeed) fyne.CanvasObject {
	page := widget.NewButtonWithIcon(lang.L("How it fares"), theme.InfoIcon(), func() {
		p.w.used()
		p.w.feedPage(&f.feed)
	})
	page.Importance = widget.LowImportance
	buttons := p.w.remedies(f.feed, f.trouble.Actions)
	buttons.Add(page)
	return widgets.NewPanel(theme.ColorNameWarning, widgets.NewColumn(6,
		widgets.NewText(f.feed.Title, widgets.Bold),
		widgets.NewText(text.Capital(spoken(f.trouble.Lasting(p.w.now()))), widgets.Warning),
		widgets.NewText(language.Printer().Sentences(spoken(f.trouble.Said), spoken(f.trouble.Advice)), widgets.Plain),
		widgets.NewText(f.feed.URL, widgets.Muted),
		buttons))
}
