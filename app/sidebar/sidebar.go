// Package sidebar is the left pane: views, saved searches, labels, folders and feeds.
package sidebar

import (
	"maps"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/icon"
	"kairos/app/keys"
	"kairos/app/library"
	"kairos/app/look"
	"kairos/app/session"
	"kairos/app/shell"
	"kairos/app/widgets"
	"kairos/reader"
)

// Pane is the left pane: views, saved searches, labels, folders and feeds.
type Pane struct {
	shell *shell.Shell
	Events
	library *library.Library
	session *session.Session

	Object    fyne.CanvasObject
	List      *widgets.List
	Items     []Item
	lost      string          // key of the item that was chosen until it went, while nothing else was chosen by hand
	Collapsed map[string]bool // folders whose feeds are hidden
	HideRead  bool            // feeds and folders without unread articles are not listed
	Picked    map[int64]bool  // feeds that the next command applies to together; empty: it applies to the chosen item
	returnTo  string          // key of the item to choose once the library is there; "" for none
	drag      drag
	scrolling bool                            // the list scrolls on under what is dragged
	after     func(d time.Duration, f func()) // runs a function later on the window's goroutine
	mark      *dragMark
	reveal    bool // the chosen item is to be brought into sight when it is listed
	icons     *icon.Cache
}

// Events is what the sidebar reports. All functions are set.
type Events struct {
	ItemChosen  func()                                  // another item was chosen
	ItemChanged func()                                  // the chosen item lists something else: a saved search or a folder was changed
	Loaded      func()                                  // another state of the store is on screen
	ItemMenu    func(p session.Place, at fyne.Position) // a context menu is wanted
	ItemTapped  func()                                  // an item was chosen by the mouse
	Moved       func(folders map[int64]string)          // feeds were moved into folders
}

// New returns the pane, which follows the library.
func New(sh *shell.Shell, l *library.Library, se *session.Session, icons *icon.Cache, on Events) *Pane {
	s := &Pane{shell: sh, library: l, session: se, Events: on, Collapsed: map[string]bool{}, HideRead: sh.Preferences.Bool(prefHideRead), icons: icons,
		after: func(d time.Duration, f func()) { time.AfterFunc(d, func() { sh.Do(f) }) }}
	l.Watch(s.Show)
	l.WatchSearches(s.countSearches)
	s.List = widgets.NewList(sh.Keys,
		func() int { return len(s.Items) },
		func() fyne.CanvasObject { return newRow() },
		s.update)
	s.List.OnSelected = func(i int) {
		switch {
		case i >= len(s.Items):
		case s.Items[i].Heading:
			s.passHeading(i)
		default:
			s.Picked = nil
			s.Choose(s.Items[i].Place)
		}
	}
	s.List.HideSeparators = true
	s.List.Name, s.List.IsTree = lang.L("Feeds"), true
	background := canvas.NewRectangle(theme.Current().Color(look.ColorSidebar, sh.App.Settings().ThemeVariant()))
	s.mark = newDragMark()
	s.Object = container.NewStack(background, s.List, s.mark.Container)
	sh.App.Settings().AddListener(func(fyne.Settings) {
		background.FillColor = theme.Current().Color(look.ColorSidebar, sh.App.Settings().ThemeVariant())
		background.Refresh()
	})
	return s
}

// update shows item i in a row of the list.
func (s *Pane) update(i int, o fyne.CanvasObject) {
	r := o.(*row)
	if i >= len(s.Items) {
		return
	}
	item := s.Items[i]
	var icon *icon.Image
	if item.Feed != nil && item.icon == nil {
		icon = s.icons.Get(item.Feed.ID)
	}
	r.set(item, icon, item.Feed != nil && s.Picked[item.Feed.ID])
	if item.Heading {
		r.OnTapped, r.OnMenu, r.onTriangle, r.dragged, r.dropped = nil, nil, nil, nil, nil
		return
	}
	r.OnTapped = func() { s.Tapped(i, keys.Held()) }
	r.onTriangle = nil
	if item.Folder != "" {
		r.onTriangle = func() { s.ToggleFolder(item.Folder) }
	}
	r.OnMenu = func(at fyne.Position) { s.ItemMenu(item.Place, at) }
	r.dragged = func(at fyne.Position) { s.dragTo(item, at) }
	r.dropped = s.drop
}

// Tapped chooses the item of a row, or picks feeds with Control or Shift held.
func (s *Pane) Tapped(i int, held fyne.KeyModifier) {
	s.shell.Focus(s.List)
	if s.pick(i, held) {
		s.List.Refresh()
		return
	}
	if s.List.SelectUnderPointer(i); held == 0 {
		s.ItemTapped()
	}
}

// passHeading chooses the item beyond a heading, seen from the one that was chosen.
func (s *Pane) passHeading(i int) {
	from := s.rowOf(s.session.Place.Key)
	step := 1
	if i < from {
		step = -1
	}
	if to := i + step; to >= 0 && to < len(s.Items) {
		s.List.Select(to)
	}
}

// Choose lists a place's articles.
func (s *Pane) Choose(p session.Place) {
	if p.Key == s.session.Place.Key {
		return
	}
	s.session.Choose(p)
	s.lost, s.returnTo = "", ""
	s.ItemChosen()
	if s.HideRead {
		s.library.Reload() // the item before may go
	}
}

// ChooseKey chooses the item with this key if there is one.
func (s *Pane) ChooseKey(key string) {
	if i := s.rowOf(key); i >= 0 {
		s.List.Select(i)
	}
}

// rowOf is the row of the item with this key, -1 if there is none.
func (s *Pane) rowOf(key string) int {
	for i := range s.Items {
		if s.Items[i].Key == key {
			return i
		}
	}
	return -1
}

// Next chooses the item by steps below the chosen one, or above it if by is negative.
func (s *Pane) Next(by int) {
	if len(s.Items) > 0 {
		s.List.Select(min(max(s.List.Chosen+by, 0), len(s.Items)-1))
	}
}

// Show shows the library as it is now.
func (s *Pane) Show(before *library.Snapshot) {
	listed := s.session.Place.Query
	s.icons.SetFeeds(s.library.Icons)
	moved := s.followChosen(before.Feeds)
	keepPlace := s.keepPlace()
	s.Items = s.buildItems()
	s.List.Refresh()
	keepPlace()
	defer s.Loaded()
	i := s.rowOf(s.session.Place.Key)
	if i < 0 {
		lost := s.session.Place.Key
		s.List.Select(0) // the chosen item is gone: unsubscribed, or its folder is empty
		s.lost = lost
		return
	}
	if to := s.returnTo; to != "" {
		s.returnTo = ""
		if s.rowOf(to) >= 0 {
			s.ChooseKey(to)
			return
		}
		s.session.StayHere()
	}
	if s.lost != "" && s.rowOf(s.lost) >= 0 {
		s.ChooseKey(s.lost) // it is back
		return
	}
	s.session.Place = s.Items[i].Place
	changed := s.session.Place.Query.Search != listed.Search || s.session.Place.Query.Folder != listed.Folder || !slices.Equal(s.session.Place.Query.Accounts, listed.Accounts)
	s.List.SelectSilently(i)
	if moved || s.reveal {
		s.reveal = false
		s.List.ScrollTo(i)
	}
	if changed {
		s.ItemChanged()
	}
}

// keepPlace returns what scrolls the list, once it has other rows, so that the chosen row stands where it stood, or the topmost one if that
// is not in sight. What has not been scrolled stays at its top as long as the chosen row is in sight there.
func (s *Pane) keepPlace() func() {
	at, wasTop := s.rowOf(s.session.Place.Key), s.List.GetScrollOffset() == 0
	seen := at >= 0 && s.List.InSight(at)
	if !seen {
		for at = 0; at < len(s.Items) && !s.List.InSight(at); {
			at++
		}
	}
	if at >= len(s.Items) {
		return func() {}
	}
	key := s.Items[at].Key
	return func() {
		if to := s.rowOf(key); to >= 0 && (!wasTop || seen && !s.List.InSight(to)) {
			s.List.ScrollRows(to - at)
		}
	}
}

// ReturnTo folds folders and chooses the item that were left so, once the library is there.
func (s *Pane) ReturnTo(key string, folded []string) {
	for _, path := range folded {
		s.Collapsed[path] = true
	}
	if key != s.session.Place.Key {
		s.returnTo = key
	}
}

// Folded returns the paths of the folders whose feeds are hidden, in order.
func (s *Pane) Folded() (paths []string) {
	for path, is := range s.Collapsed {
		if is {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// countSearches shows how many unread articles the saved searches find.
func (s *Pane) countSearches() {
	for i, item := range s.Items {
		if item.Saved != nil {
			s.Items[i].Count = s.library.Found(item.Saved.ID)
		}
	}
	s.List.Refresh()
}

// ChooseFeed chooses a feed that the sidebar may not list yet, and brings it into sight.
func (s *Pane) ChooseFeed(f reader.Feed) {
	delete(s.Collapsed, s.library.Path(&f))
	s.Reveal(session.FeedPlace(&f))
}

// Reveal chooses a place, opens the folders that it is in and brings it into sight.
func (s *Pane) Reveal(p session.Place) {
	if path := p.Branch().Path(s.library.Snapshot); path != "" {
		maps.DeleteFunc(s.Collapsed, func(folder string, _ bool) bool {
			return library.InFolder(path, folder) && (path != folder || p.Feed != nil)
		})
	}
	s.Choose(p)
	s.reveal = true
	s.library.Reload()
}

// Places are all places that can be chosen, also those in collapsed folders and those that are left out.
func (s *Pane) Places() []Item {
	collapsed, hideRead := s.Collapsed, s.HideRead
	s.Collapsed, s.HideRead = map[string]bool{}, false
	defer func() { s.Collapsed, s.HideRead = collapsed, hideRead }()
	return slices.DeleteFunc(s.buildItems(), func(item Item) bool { return item.Heading })
}

// HasUnread reports whether a number of unread articles stands beside the item with this key.
func (s *Pane) HasUnread(key string) bool {
	row := s.rowOf(key)
	return row >= 0 && s.Items[row].Count > 0
}

// UnreadBelow returns the keys of the feeds and collapsed folders with unread articles: those below the chosen item, then
// those above it.
func (s *Pane) UnreadBelow() (keys []string) {
	chosen := s.rowOf(s.session.Place.Key)
	for i := range s.Items {
		item := &s.Items[(chosen+1+i)%len(s.Items)]
		if item.Count > 0 && !item.quiet && item.Key != s.session.Place.Key && (item.Feed != nil || item.Folder != "" && s.Collapsed[item.Folder]) {
			keys = append(keys, item.Key)
		}
	}
	return keys
}
