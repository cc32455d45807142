package app

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/keys"
	"kairos/app/library"
	"kairos/app/look"
	"kairos/app/session"
	"kairos/app/shell"
	"kairos/app/widgets"
	"kairos/reader"
)

// sidebar is the left pane: views, saved searches, labels, folders and feeds.
type sidebar struct {
	shell *shell.Shell
	sidebarEvents
	library *library.Library
	session *session.Session

	pane      fyne.CanvasObject
	list      *widgets.List
	items     []sidebarItem
	lost      string          // key of the item that was chosen until it went, while nothing else was chosen by hand
	collapsed map[string]bool // folders whose feeds are hidden
	picked    map[int64]bool  // feeds that the next command applies to together; empty: it applies to the chosen item
	drag      sidebarDrag
	icons     *feedIcons
}

// sidebarEvents is what the sidebar reports. All functions are set.
type sidebarEvents struct {
	itemChosen  func()                                  // another item was chosen
	itemChanged func()                                  // the chosen item lists something else: a saved search or a folder was changed
	loaded      func()                                  // another state of the store is on screen
	itemMenu    func(p session.Place, at fyne.Position) // a context menu is wanted
	itemTapped  func()                                  // an item was chosen by the mouse
	moved       func(folders map[int64]string)          // feeds were moved into folders
}

func newSidebar(sh *shell.Shell, l *library.Library, se *session.Session, icons *feedIcons, on sidebarEvents) *sidebar {
	s := &sidebar{shell: sh, library: l, session: se, sidebarEvents: on, collapsed: map[string]bool{}, icons: icons}
	l.Watch(s.show)
	l.WatchSearches(s.countSearches)
	s.list = widgets.NewList(sh.Keys,
		func() int { return len(s.items) },
		func() fyne.CanvasObject { return newSidebarRow() },
		s.update)
	s.list.OnSelected = func(i int) {
		switch {
		case i >= len(s.items):
		case s.items[i].heading:
			s.passHeading(i)
		default:
			s.picked = nil
			s.choose(s.items[i].Place)
		}
	}
	s.list.HideSeparators = true
	s.list.Name, s.list.IsTree = lang.L("Feeds"), true
	background := canvas.NewRectangle(theme.Current().Color(look.ColorSidebar, sh.App.Settings().ThemeVariant()))
	s.pane = container.NewStack(background, s.list)
	sh.App.Settings().AddListener(func(fyne.Settings) {
		background.FillColor = theme.Current().Color(look.ColorSidebar, sh.App.Settings().ThemeVariant())
		background.Refresh()
	})
	return s
}

// update shows item i in a row of the list.
func (s *sidebar) update(i int, o fyne.CanvasObject) {
	r := o.(*sidebarRow)
	if i >= len(s.items) {
		return
	}
	item := s.items[i]
	var icon *feedIconImage
	if item.Feed != nil && item.icon == nil {
		icon = s.icons.get(item.Feed.ID)
	}
	r.set(item, icon, item.Feed != nil && s.picked[item.Feed.ID])
	if item.heading {
		r.OnTapped, r.OnMenu, r.onTriangle, r.dragged, r.dropped = nil, nil, nil, nil, nil
		return
	}
	r.OnTapped = func() { s.tapped(i, keys.Held()) }
	r.onTriangle = nil
	if item.Folder != "" {
		r.onTriangle = func() { s.toggleFolder(item.Folder) }
	}
	r.OnMenu = func(at fyne.Position) { s.itemMenu(item.Place, at) }
	r.dragged = func(at fyne.Position) { s.dragTo(item, at) }
	r.dropped = s.drop
}

// tapped chooses the item of a row, or picks feeds with Control or Shift held.
func (s *sidebar) tapped(i int, held fyne.KeyModifier) {
	s.shell.Focus(s.list)
	if s.pick(i, held) {
		s.list.Refresh()
		return
	}
	if s.list.Select(i); held == 0 {
		s.itemTapped()
	}
}

// passHeading chooses the item beyond a heading, seen from the one that was chosen.
func (s *sidebar) passHeading(i int) {
	from := s.row(s.session.Place.Key)
	step := 1
	if i < from {
		step = -1
	}
	if to := i + step; to >= 0 && to < len(s.items) {
		s.list.Select(to)
	}
}

// choose lists a place's articles.
func (s *sidebar) choose(p session.Place) {
	if p.Key == s.session.Place.Key {
		return
	}
	s.session.Choose(p)
	s.lost = ""
	s.itemChosen()
}

// chooseKey chooses the item with this key if there is one.
func (s *sidebar) chooseKey(key string) {
	if i := s.row(key); i >= 0 {
		s.list.Select(i)
	}
}

// row is the row of the item with this key, -1 if there is none.
func (s *sidebar) row(key string) int {
	for i := range s.items {
		if s.items[i].Key == key {
			return i
		}
	}
	return -1
}

// next chooses the item by steps below the chosen one, or above it if by is negative.
func (s *sidebar) next(by int) {
	if len(s.items) > 0 {
		s.list.Select(min(max(s.list.Chosen+by, 0), len(s.items)-1))
	}
}

// show shows the library as it is now.
func (s *sidebar) show(before *library.Snapshot) {
	listed := s.session.Place.Query
	s.icons.set(s.library.Icons)
	moved := s.followChosen(before.Feeds)
	s.items = s.buildItems()
	s.list.Refresh()
	defer s.loaded()
	i := s.row(s.session.Place.Key)
	if i < 0 {
		lost := s.session.Place.Key
		s.list.Select(0) // the chosen item is gone: unsubscribed, or its folder is empty
		s.lost = lost
		return
	}
	if s.lost != "" && s.row(s.lost) >= 0 {
		s.chooseKey(s.lost) // it is back
		return
	}
	s.session.Place = s.items[i].Place
	changed := s.session.Place.Query.Search != listed.Search || s.session.Place.Query.Folder != listed.Folder || !slices.Equal(s.session.Place.Query.Accounts, listed.Accounts)
	s.list.SelectSilently(i)
	if moved {
		s.list.ScrollTo(i)
	}
	if changed {
		s.itemChanged()
	}
}

// countSearches shows how many unread articles the saved searches find.
func (s *sidebar) countSearches() {
	for i, item := range s.items {
		if item.Saved != nil {
			s.items[i].count = s.library.Found(item.Saved.ID)
		}
	}
	s.list.Refresh()
}

// chooseFeed chooses a feed that the sidebar may not list yet.
func (s *sidebar) chooseFeed(f reader.Feed) {
	delete(s.collapsed, s.library.Path(&f))
	s.choose(session.FeedPlace(&f))
	s.library.Reload()
}

// unreadBelow returns the keys of the feeds and collapsed folders with unread articles: those below the chosen item, then
// those above it.
func (s *sidebar) unreadBelow() (keys []string) {
	chosen := s.row(s.session.Place.Key)
	for i := range s.items {
		item := &s.items[(chosen+1+i)%len(s.items)]
		if item.count > 0 && item.Key != s.session.Place.Key && (item.Feed != nil || item.Folder != "" && s.collapsed[item.Folder]) {
			keys = append(keys, item.Key)
		}
	}
	return keys
}
