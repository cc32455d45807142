package feeds

import (
	"reflect"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/language"
	"kairos/app/library"
	"kairos/app/shell"
	"kairos/app/text"
	"kairos/app/widgets"
	"kairos/poller/handoff"
	"kairos/reader"
)

// AttentionPage lists the feeds and destinations that need attention in place of articles: how long each has failed, and what
// can be done.
type AttentionPage struct {
	shell   *shell.Shell
	actions *Actions
	changed func() // the page was shown or hidden

	OpenDestinations func() // opens the settings of destinations; may be nil

	Pane  *widgets.Scroll
	cards *fyne.Container
	about *widgets.Text // of the feeds
	Feeds []library.FailingFeed
	since []*widgets.Text // of each of them
	stuck []reader.Destination

	buttons []cardButtons // of the cards
}

// cardButtons are the buttons of a card, and which feed or destination it is about.
type cardButtons struct {
	feed, destination int64
	row               *fyne.Container
}

func NewAttentionPage(actions *Actions, changed func()) *AttentionPage {
	p := &AttentionPage{shell: actions.Shell, actions: actions, changed: changed, cards: widgets.NewColumn(16),
		about: widgets.NewText(lang.L("These feeds have never worked, have failed for 30 days or longer, are gone for good, or may have been given up by their server. Kairos never unsubscribes for you: their articles stay until you do."), widgets.Muted)}
	p.Pane = widgets.NewVScroll(widgets.NewPage(760, widgets.NewColumn(16,
		widgets.NewText(lang.L("Needs attention"), widgets.Title),
		p.about,
		p.cards)))
	p.Pane.Hide()
	return p
}

// SetVisible shows or hides the page.
func (p *AttentionPage) SetVisible(on bool) {
	if on == p.Shown() {
		return
	}
	if on {
		p.MinutePassed()
		p.Pane.ScrollToTop()
		p.Pane.Show()
	} else {
		p.Pane.Hide()
	}
	p.changed()
}

func (p *AttentionPage) Shown() bool { return p.Pane.Visible() }

// MinutePassed tells of each feed how long it has failed by now.
func (p *AttentionPage) MinutePassed() {
	for i, f := range p.Feeds {
		p.since[i].SetText(p.sinceWhen(f), widgets.Warning)
	}
}

// Set lists feeds, and destinations that wait for the user, if anything has changed.
func (p *AttentionPage) Set(feeds []library.FailingFeed, stuck []reader.Destination) {
	if sameFailing(p.Feeds, feeds) && slices.EqualFunc(p.stuck, stuck, sameTrouble) {
		p.MinutePassed()
		return
	}
	focusAgain := p.keepFocus()
	p.Feeds, p.stuck, p.since, p.buttons = feeds, stuck, nil, nil
	p.cards.RemoveAll()
	p.about.Hidden = len(feeds) == 0
	for _, d := range stuck {
		p.cards.Add(p.destinationCard(d))
	}
	for _, f := range feeds {
		p.cards.Add(p.Card(f))
	}
	p.Pane.Refresh()
	focusAgain()
}

// keepFocus notes which button has the focus. What it returns is called when the cards were replaced, and gives the focus to the
// same button of the same card, else to the first one of that card, or of the card that has its place now.
func (p *AttentionPage) keepFocus() (again func()) {
	focused, _ := p.shell.Canvas.Focused().(*widgets.Button)
	at := slices.IndexFunc(p.buttons, func(c cardButtons) bool { return slices.Contains(c.row.Objects, fyne.CanvasObject(focused)) })
	if focused == nil || at < 0 {
		return func() {}
	}
	was := p.buttons[at]
	return func() {
		if len(p.buttons) == 0 {
			return
		}
		button := 0
		if same := slices.IndexFunc(p.buttons, func(c cardButtons) bool { return c.feed == was.feed && c.destination == was.destination }); same >= 0 {
			at = same
			button = max(0, slices.IndexFunc(p.buttons[at].row.Objects, func(o fyne.CanvasObject) bool { return o.(*widgets.Button).Text == focused.Text }))
		}
		p.shell.Focus(p.buttons[min(at, len(p.buttons)-1)].row.Objects[button].(*widgets.Button))
	}
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

func sameTrouble(a, b reader.Destination) bool {
	return a.ID == b.ID && a.Name == b.Name && a.Error == b.Error
}

// destinationCard shows a destination to which nothing can be sent.
func (p *AttentionPage) destinationCard(d reader.Destination) fyne.CanvasObject {
	open := widgets.NewButton(lang.L("Destinations…"), func() {
		p.shell.Used()
		if p.OpenDestinations != nil {
			p.OpenDestinations()
		}
	})
	row := widgets.NewFlow(4, open)
	p.buttons = append(p.buttons, cardButtons{destination: d.ID, row: row})
	return widgets.NewPanel(theme.ColorNameWarning, widgets.NewColumn(6,
		widgets.NewText(d.Name, widgets.Bold),
		widgets.NewText(lang.L("Starred articles wait to be sent there."), widgets.Warning),
		widgets.NewText(language.Printer().HandoffError(handoff.ErrorOf(d.Error)), widgets.Plain),
		widgets.NewText(d.Address, widgets.Muted),
		row))
}

func (p *AttentionPage) Card(f library.FailingFeed) fyne.CanvasObject {
	words := language.Printer()
	page := widgets.NewIconButton(lang.L("Feed status"), theme.InfoIcon(), func() {
		p.shell.Used()
		p.actions.OpenPage(&f.Feed)
	})
	page.Importance = widget.LowImportance
	buttons := p.actions.fixButtons(f.Feed, f.Trouble.Actions)
	buttons.Add(page)
	p.buttons = append(p.buttons, cardButtons{feed: f.Feed.ID, row: buttons})
	since := widgets.NewText(p.sinceWhen(f), widgets.Warning)
	p.since = append(p.since, since)
	return widgets.NewPanel(theme.ColorNameWarning, widgets.NewColumn(6,
		widgets.NewText(f.Feed.Title, widgets.Bold),
		since,
		widgets.NewText(words.Sentences(words.Message(f.Trouble.Message), words.Advice(f.Trouble.Advice)), widgets.Plain),
		widgets.NewText(f.Feed.URL, widgets.Muted),
		buttons))
}

// sinceWhen words since when a feed fails.
func (p *AttentionPage) sinceWhen(f library.FailingFeed) string {
	return text.Capital(language.Printer().TroubleSince(&f.Trouble, p.shell.Now()))
}
