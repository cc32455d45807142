package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/session"
	"kairos/app/widgets"
)

// listSource is what is listed, and why that may be nothing.
type listSource struct {
	place    session.Place
	search   string // what is searched for in it; "" is nothing
	hasFeeds bool   // there are any subscriptions
	fetched  bool   // any of them was fetched
	awaited  bool   // an account is being synced for the first time
	offline  bool   // there is no network
}

// timelineEmpty explains why the timeline lists nothing, and offers a way on.
type timelineEmpty struct {
	pane    fyne.CanvasObject
	content *fyne.Container
	hint    *widget.Label
	add     *widgets.Button
	opml    *widgets.Button // imports feeds
	search  *emptySearch
}

func newTimelineEmpty(search *emptySearch, addFeed, importFeeds func()) *timelineEmpty {
	e := &timelineEmpty{hint: widget.NewLabel(""), search: search}
	e.hint.Alignment = fyne.TextAlignCenter
	e.hint.Wrapping = fyne.TextWrapWord
	e.add = widgets.NewIconButton(lang.L("Add a feed…"), theme.ContentAddIcon(), addFeed)
	e.add.Importance = widget.HighImportance
	e.opml = widgets.NewIconButton(lang.L("Import feeds…"), theme.FolderOpenIcon(), importFeeds)
	e.content = container.NewVBox(e.hint, container.NewCenter(container.NewHBox(e.add, e.opml)), search.buttons)
	e.content.Hide()
	e.pane = container.NewBorder(widget.NewLabel(""), nil, nil, nil, e.content)
	search.changed = func(text string) {
		if e.content.Visible() {
			e.hint.SetText(text)
			e.content.Refresh()
		}
	}
	return e
}

// show explains why s has no articles, or hides the explanation.
func (e *timelineEmpty) show(empty bool, s listSource) {
	if !empty {
		e.content.Hide()
		return
	}
	e.add.Hidden, e.opml.Hidden = s.hasFeeds, s.hasFeeds
	e.search.buttons.Hide()
	switch {
	case s.search != "":
		e.hint.SetText(e.search.explain(s.place, s.search))
	case !s.hasFeeds:
		e.hint.SetText(lang.L("There are no feeds yet.") + "\n\n" + lang.L("Add one by its address or the address of its site, or import a list from another reader."))
	case s.awaited && (!s.fetched || s.place.Account):
		e.hint.SetText(lang.L("The first sync is under way."))
	case !s.fetched && s.offline:
		e.hint.SetText(lang.L("Nothing has been fetched yet: Kairos is offline. It fetches when the network is back."))
	case !s.fetched:
		e.hint.SetText(lang.L("Nothing has been fetched yet."))
	case s.place.Key == session.Unread:
		e.hint.SetText(lang.L("No unread articles."))
	case s.place.Key == session.Starred:
		e.hint.SetText(lang.L("No starred articles yet. Press s on an article to star it."))
	case s.place.Label != nil:
		e.hint.SetText(lang.L("No articles have this label. Press l on an article to label it."))
	default:
		e.hint.SetText(lang.L("No articles here."))
	}
	e.content.Show()
	e.content.Refresh()
}
