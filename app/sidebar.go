package app

import (
	"context"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/async"
	"kairos/app/look"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/poller/icons"
	"kairos/reader"
)

// place is a row of the sidebar: a view, a folder or a feed.
type place struct {
	key    string // tells places apart across reloads
	name   string
	icon   fyne.Resource // nil: the feed's own
	indent int
	count  int
	quiet  bool // paused
	query  reader.Query
	feed   *reader.Feed
	folder string
	saved  *reader.SavedSearch
}

// sidebar is the left pane.
type sidebar struct {
	w      *window
	pane   fyne.CanvasObject
	list   *widgets.List
	places []place
	chosen place
	feeds  []reader.Feed
	states map[int64]poller.State
	unread int // in Unread
	folded map[string]bool
	moving *place  // being dragged
	target *string // the folder it would go to
	saved  *savedSearches
}

func newSidebar(w *window) *sidebar {
	s := &sidebar{w: w, folded: map[string]bool{}, saved: &savedSearches{w: w}}
	s.chosen = place{key: "unread", name: lang.L("Unread"), query: reader.Query{View: reader.Unread}}
	s.list = widgets.NewList(w.passKeys(),
		func() int { return len(s.places) },
		func() fyne.CanvasObject { return newSidebarRow() },
		s.update)
	s.list.OnSelected = func(i int) {
		if i < len(s.places) {
			s.choose(s.places[i])
		}
	}
	s.list.HideSeparators = true
	ground := canvas.NewRectangle(theme.Current().Color(look.ColorSidebar, w.app.Settings().ThemeVariant()))
	s.pane = container.NewStack(ground, s.list, s.list.Ring)
	w.app.Settings().AddListener(func(fyne.Settings) {
		ground.FillColor = theme.Current().Color(look.ColorSidebar, w.app.Settings().ThemeVariant())
		ground.Refresh()
	})
	return s
}

func (s *sidebar) update(i int, o fyne.CanvasObject) {
	r := o.(*sidebarRow)
	if i >= len(s.places) {
		return
	}
	p := s.places[i]
	var pic *picture
	if p.icon == nil {
		pic = s.w.icons.get(p.feed.ID)
	}
	r.set(p, pic)
	r.OnTapped = func() {
		if p.folder != "" && s.chosen.key == p.key {
			s.fold(p.folder)
			return
		}
		s.list.Select(i)
		s.w.win.Canvas().Focus(s.list)
	}
	r.OnMenu = func(at fyne.Position) { s.w.placeMenu(p, at) }
	r.drag = func(at fyne.Position) { s.dragged(p, at) }
	r.drop = s.dropped
}

// fold hides or shows the feeds of a folder.
func (s *sidebar) fold(folder string) {
	s.folded[folder] = !s.folded[folder]
	s.w.reloadSidebar()
}

// choose shows a place's articles.
func (s *sidebar) choose(p place) {
	if p.key == s.chosen.key {
		return
	}
	s.chosen = p
	s.w.needy.turn(p.key == needyKey)
	s.w.timeline.reset()
	s.w.reloadArticles()
}

// chooseKey chooses the place with this key if it is there.
func (s *sidebar) chooseKey(key string) {
	for i, p := range s.places {
		if p.key == key {
			s.list.Select(i)
			return
		}
	}
}

// step chooses the place below or above.
func (s *sidebar) step(by int) {
	if len(s.places) > 0 {
		s.list.Select(min(max(s.list.Chosen+by, 0), len(s.places)-1))
	}
}

// foldChosen folds or unfolds the chosen folder, or the one the chosen feed is in.
func (w *window) foldChosen() {
	switch p := w.sidebar.chosen; {
	case p.folder != "":
		w.sidebar.fold(p.folder)
	case p.feed != nil && p.feed.Folder != "":
		w.sidebar.fold(p.feed.Folder)
		w.sidebar.chooseKey("folder:" + p.feed.Folder)
	}
}

// sidebarData is what the sidebar shows.
type sidebarData struct {
	feeds  []reader.Feed
	counts reader.Counts
	states map[int64]poller.State
	icons  map[int64]icons.Icon
	saved  []reader.SavedSearch
}

func (w *window) reloadSidebar() {
	midnight, folds := w.midnight(), w.foldStories
	async.Load(w.Jobs, &w.wantSidebar, func(ctx context.Context) (sidebarData, error) {
		return w.loadSidebar(ctx, midnight, folds)
	}, w.sidebar.show)
}

func (w *window) loadSidebar(ctx context.Context, midnight time.Time, folds bool) (d sidebarData, err error) {
	if d.feeds, err = w.home.Store.Feeds.List(ctx); err != nil {
		return d, err
	}
	if d.saved, err = w.home.Store.Search.Saved(ctx); err != nil {
		return d, err
	}
	if d.counts, err = w.home.Store.Articles.Counts(ctx, midnight, folds); err != nil {
		return d, err
	}
	if d.states, err = w.home.Poller.States(ctx); err != nil {
		return d, err
	}
	d.icons, err = w.home.Poller.Icons().ByFeed(ctx)
	return d, err
}

func (s *sidebar) show(d sidebarData) {
	s.feeds, s.states, s.unread = d.feeds, d.states, d.counts.Total
	s.w.icons.show(d.icons)
	s.saved.show(d.saved)
	s.places = s.build(d)
	s.w.needy.set(s.w.needyFeeds())
	s.w.welcome.turn(len(d.feeds) == 0 && d.counts.Starred == 0)
	s.list.Refresh()
	for i, p := range s.places {
		if p.key == s.chosen.key {
			if edited := p.query.Search != s.chosen.query.Search; edited {
				defer s.w.reloadArticles()
			}
			s.chosen = p
			s.list.SelectSilently(i)
			s.w.retitle()
			return
		}
	}
	// What was chosen is gone: unsubscribed, or its folder emptied.
	s.list.Select(0)
}

func (s *sidebar) build(d sidebarData) []place {
	view := func(key, name string, icon fyne.Resource, v reader.View, count int) place {
		return place{key: key, name: name, icon: icon, count: count, query: reader.Query{View: v}}
	}
	places := []place{
		view("all", lang.L("All articles"), iconOf(theme.IconNameList), reader.All, 0),
		view("unread", lang.L("Unread"), unreadIcon, reader.Unread, d.counts.Total),
		view("today", lang.L("Today"), iconOf(theme.IconNameHistory), reader.Today, d.counts.Today),
		view("starred", lang.L("Starred"), starIcon, reader.Starred, 0),
	}
	places = append(places, s.saved.places()...)
	if n := len(s.w.needyFeeds()); n > 0 {
		places = append(places, place{key: needyKey, name: lang.L("Needs attention"), icon: iconOf(theme.IconNameWarning), count: n, query: ofNoFeed})
	}
	open := "" // the folder the last feed was in
	for i := range d.feeds {
		f := &d.feeds[i]
		if f.Folder != open {
			places = s.addFolders(places, open, f.Folder, d.counts)
			open = f.Folder
		}
		if !s.hidden(f.Folder) {
			places = append(places, s.feedPlace(f))
		}
	}
	return places
}

// addFolders adds the folders of the path to that the path from has not opened.
func (s *sidebar) addFolders(places []place, from, to string, counts reader.Counts) []place {
	old, parts := strings.Split(from, reader.FolderSeparator), strings.Split(to, reader.FolderSeparator)
	shared := 0
	for shared < len(old) && shared < len(parts) && old[shared] == parts[shared] {
		shared++
	}
	for i := shared; i < len(parts); i++ {
		path := strings.Join(parts[:i+1], reader.FolderSeparator)
		if parts[i] == "" || s.hidden(strings.Join(parts[:i], reader.FolderSeparator)) {
			continue
		}
		icon := theme.IconNameFolderOpen
		if s.folded[path] {
			icon = theme.IconNameFolder
		}
		places = append(places, place{key: "folder:" + path, name: parts[i], icon: iconOf(icon), indent: i,
			count: counts.Folders[path], query: reader.Query{Folder: path}, folder: path})
	}
	return places
}

func (s *sidebar) feedPlace(f *reader.Feed) place {
	p := place{key: feedKey(f.ID), name: f.Title, count: f.Unread, quiet: f.Paused,
		query: reader.Query{Feed: f.ID}, feed: f}
	if f.Folder != "" {
		p.indent = strings.Count(f.Folder, reader.FolderSeparator) + 1
	}
	if st := s.states[f.ID]; st.Failures > 0 {
		p.icon = iconOf(theme.IconNameWarning)
	}
	return p
}

// hidden reports whether a folder or one above it is folded.
func (s *sidebar) hidden(path string) bool {
	for folder, folded := range s.folded {
		if folded && inFolder(path, folder) {
			return true
		}
	}
	return false
}

// folders are the folders there are, for choosing one.
func (s *sidebar) folders() []string {
	var names []string
	for _, f := range s.feeds {
		if f.Folder != "" && (len(names) == 0 || names[len(names)-1] != f.Folder) {
			names = append(names, f.Folder)
		}
	}
	return names
}

func inFolder(folder, in string) bool {
	return folder == in || strings.HasPrefix(folder, in+reader.FolderSeparator)
}
