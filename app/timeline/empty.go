package timeline

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/language"
	"kairos/app/session"
	"kairos/app/widgets"
)

// ListSource is what is listed, and why that may be nothing.
type ListSource struct {
	Place    session.Place
	search   string // what is searched for in it; "" is nothing
	HasFeeds bool   // there are any subscriptions
	Fetched  bool   // any of the place was fetched
	Paused   int    // feeds of the place that are paused
	NoOther  bool   // they are all
	Awaited  bool   // an account is being synced for the first time
	Offline  bool   // there is no network
	HideRead bool   // articles that are read are not listed
}

// searchAdvice tells that a search finds nothing, and what helps.
type searchAdvice interface {
	Buttons() *fyne.Container
	Explain(place session.Place, searched string) string
	OnChanged(func(text string)) // called with another explanation while it is shown
}

// Empty explains why the timeline lists nothing, and offers a way on.
type Empty struct {
	pane    fyne.CanvasObject
	Content *fyne.Container
	Hint    *widgets.Text
	add     *widgets.Button
	opml    *widgets.Button // imports feeds
	resume  *widgets.Button // fetches what is paused
	read    *widgets.Button // lists articles that are read, too
	Search  searchAdvice
}

func NewEmpty(search searchAdvice, addFeed, importFeeds, resume, showRead func()) *Empty {
	e := &Empty{Hint: widgets.NewText("", widgets.Plain), Search: search}
	e.Hint.Center()
	e.add = widgets.NewIconButton(lang.L("Add a feed…"), theme.ContentAddIcon(), addFeed)
	e.add.Importance = widget.HighImportance
	e.opml = widgets.NewIconButton(lang.L("Import feeds…"), theme.FolderOpenIcon(), importFeeds)
	e.resume = widgets.NewIconButton(lang.L("Resume fetching"), theme.MediaPlayIcon(), resume)
	e.read = widgets.NewIconButton(lang.L("Show read articles"), theme.VisibilityIcon(), showRead)
	e.Content = widgets.NewColumn(theme.Padding(), e.Hint, widgets.NewCenteredFlow(theme.Padding(), e.add, e.opml, e.resume, e.read), search.Buttons())
	e.Content.Hide()
	e.pane = container.NewBorder(widget.NewLabel(""), nil, nil, nil, e.Content)
	search.OnChanged(func(text string) {
		if e.Content.Visible() {
			e.say(text)
			e.Content.Refresh()
		}
	})
	return e
}

func (e *Empty) say(hint string) { e.Hint.SetText(hint, widgets.Plain) }

// sayNone says that there are no articles where new ones may come, and what of it is paused.
func (e *Empty) sayNone(hint string, s ListSource) {
	e.resume.Hidden = s.Paused == 0
	switch {
	case s.Paused == 0:
		e.say(hint)
	case s.Place.Feed != nil:
		e.say(language.Printer().Sentences(hint, lang.L("This feed is paused.")))
	default:
		e.say(language.Printer().Sentences(hint, lang.N("{{.PluralCount}} feeds here are paused.", s.Paused)))
	}
}

// Show explains why s has no articles, or hides the explanation.
func (e *Empty) Show(empty bool, s ListSource) {
	if !empty {
		e.Content.Hide()
		return
	}
	e.add.Hidden, e.opml.Hidden, e.resume.Hidden, e.read.Hidden = s.HasFeeds, s.HasFeeds, true, true
	e.Search.Buttons().Hide()
	switch {
	case s.search != "":
		e.say(e.Search.Explain(s.Place, s.search))
	case !s.HasFeeds:
		e.say(lang.L("There are no feeds yet.") + "\n\n" + lang.L("Add one by its address or the address of its site, or import a list from another reader."))
	case s.Awaited && (!s.Fetched || s.Place.Account):
		e.say(lang.L("The first sync is under way."))
	case !s.Fetched && s.Offline:
		e.say(lang.L("Nothing has been fetched yet: Kairos is offline. It fetches when the network is back."))
	case !s.Fetched && s.NoOther:
		e.resume.Show()
		if e.say(lang.L("Nothing has been fetched yet: all feeds here are paused.")); s.Place.Feed != nil {
			e.say(lang.L("Nothing has been fetched yet: this feed is paused."))
		}
	case !s.Fetched && s.Paused > 0:
		e.resume.Show()
		e.say(lang.N("Nothing has been fetched yet: {{.PluralCount}} feeds here are paused.", s.Paused))
	case !s.Fetched:
		e.say(lang.L("Nothing has been fetched yet."))
	case s.Place.Key == session.Unread:
		e.sayNone(lang.L("No unread articles."), s)
	case s.Place.Key == session.Starred:
		e.say(lang.L("No starred articles yet. Press S on an article to star it."))
	case s.Place.Label != nil:
		e.say(lang.L("No articles have this label. Press L on an article to label it."))
	case s.Place.Key == session.Queue:
		e.say(lang.L("The queue is empty. Press Q on an article with audio or video to add it."))
	case s.Place.Key == session.Snoozed:
		e.say(lang.L("No articles are snoozed. Press Z on an article to put it away for a while."))
	case s.HideRead:
		e.read.Show()
		e.sayNone(lang.L("No unread articles here. Read articles are hidden."), s)
	case s.Place.Key == session.Today:
		e.sayNone(lang.L("No articles today yet."), s)
	case s.Place.Feed != nil && s.Place.Feed.Source.IsList():
		e.say(lang.L("No feed has come to the list or left it since you began to follow it."))
	default:
		e.sayNone(lang.L("No articles here."), s)
	}
	e.Content.Show()
	e.Content.Refresh()
}
