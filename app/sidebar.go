package app

import (
	"cmp"
	"context"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/async"
	"kairos/app/home"
	"kairos/app/keys"
	"kairos/app/look"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/poller/icons"
	"kairos/poller/report"
	"kairos/poller/sync"
	"kairos/reader"
)

// sidebar is the left pane: views, saved searches, labels, folders and feeds.
type sidebar struct {
	*env
	sidebarEvents
	sidebarData

	pane      fyne.CanvasObject
	list      *widgets.List
	items     []sidebarItem
	chosen    sidebarItem
	lost      string          // key of the item that was chosen until it went, while nothing else was chosen by hand
	collapsed map[string]bool // folders whose feeds are hidden
	picked    map[int64]bool  // feeds that the next command applies to together; empty: it applies to the chosen item
	drag      sidebarDrag
	counts    savedCounts // unread articles of saved searches
	icons     *feedIcons
	request   async.Request
}

// sidebarEvents is what the sidebar reports. All functions are set.
type sidebarEvents struct {
	itemChosen  func()                                   // another item was chosen
	itemChanged func()                                   // the chosen item lists something else: a saved search or a folder was changed
	loaded      func()                                   // another state of the store is on screen
	itemMenu    func(item sidebarItem, at fyne.Position) // a context menu is wanted
	itemTapped  func()                                   // an item was chosen by the mouse
	moved       func(folders map[int64]string)           // feeds were moved into folders
}

func newSidebar(e *env, icons *feedIcons, on sidebarEvents) *sidebar {
	s := &sidebar{env: e, sidebarEvents: on, collapsed: map[string]bool{}, icons: icons}
	s.chosen = sidebarItem{key: "unread", name: lang.L("Unread"), query: reader.Query{View: reader.Unread}}
	s.list = widgets.NewList(e.passKeys,
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
			s.choose(s.items[i])
		}
	}
	s.list.HideSeparators = true
	s.list.Name, s.list.IsTree = lang.L("Feeds"), true
	background := canvas.NewRectangle(theme.Current().Color(look.ColorSidebar, e.app.Settings().ThemeVariant()))
	s.pane = container.NewStack(background, s.list)
	e.app.Settings().AddListener(func(fyne.Settings) {
		background.FillColor = theme.Current().Color(look.ColorSidebar, e.app.Settings().ThemeVariant())
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
	if item.feed != nil && item.icon == nil {
		icon = s.icons.get(item.feed.ID)
	}
	r.set(item, icon, item.feed != nil && s.picked[item.feed.ID])
	if item.heading {
		r.OnTapped, r.OnMenu, r.onTriangle, r.dragged, r.dropped = nil, nil, nil, nil, nil
		return
	}
	r.OnTapped = func() { s.tapped(i, keys.Held()) }
	r.onTriangle = nil
	if item.folder != "" {
		r.onTriangle = func() { s.toggleFolder(item.folder) }
	}
	r.OnMenu = func(at fyne.Position) { s.itemMenu(item, at) }
	r.dragged = func(at fyne.Position) { s.dragTo(item, at) }
	r.dropped = s.drop
}

// tapped chooses the item of a row, or picks feeds with Control or Shift held.
func (s *sidebar) tapped(i int, held fyne.KeyModifier) {
	s.focus(s.list)
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
	from := s.row(s.chosen.key)
	step := 1
	if i < from {
		step = -1
	}
	if to := i + step; to >= 0 && to < len(s.items) {
		s.list.Select(to)
	}
}

// choose lists an item's articles.
func (s *sidebar) choose(item sidebarItem) {
	if item.key == s.chosen.key {
		return
	}
	s.chosen, s.lost = item, ""
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
		if s.items[i].key == key {
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

// sidebarData is what the sidebar shows of the store.
type sidebarData struct {
	lists    int64                // how often the feeds may have changed (reader.Store.Lists)
	accounts []home.AccountStatus // in their order; feeds stand together by account, this computer's first
	order    []int64              // of the feeds, as sorted by hand
	feeds    []reader.Feed
	states   map[int64]poller.State // by feed
	searches []reader.SavedSearch
	labels   []reader.Label
	queue    int // files to be played
	unread   reader.Counts
	iconOf   map[int64]icons.Icon // by feed
	failing  []failingFeed        // those that need attention
	at       map[int64]int        // where each feed stands in feeds
}

// reload shows the sidebar as the store has it now.
func (s *sidebar) reload() {
	before, midnight, fold := s.sidebarData, s.midnight(), s.dedupe
	async.Load(s.Jobs, &s.request, func(ctx context.Context) (sidebarData, error) {
		return s.load(ctx, &before, midnight, fold)
	}, s.show)
}

func (s *sidebar) load(ctx context.Context, before *sidebarData, midnight time.Time, dedupe bool) (d sidebarData, err error) {
	d.lists = s.home.Store.Lists() // before all that they may change
	if d.accounts, err = s.home.Subscriptions.Accounts.List(ctx); err != nil {
		return d, err
	}
	if d.lists == before.lists && before.feeds != nil {
		d.feeds, d.order, d.states, d.iconOf = slices.Clone(before.feeds), before.order, before.states, before.iconOf
	} else if err = s.loadFeeds(ctx, &d); err != nil {
		return d, err
	}
	if d.searches, err = s.home.Store.Search.Saved(ctx); err != nil {
		return d, err
	}
	if d.labels, err = s.home.Store.Labels.List(ctx); err != nil {
		return d, err
	}
	queue, err := s.home.Store.Articles.Queue(ctx)
	if err != nil {
		return d, err
	}
	d.queue = len(queue)
	if d.unread, err = s.home.Store.Articles.Counts(ctx, midnight, dedupe); err != nil {
		return d, err
	}
	for i := range d.feeds {
		d.feeds[i].Unread = d.unread.Unread[d.feeds[i].ID]
	}
	d.index(s.now())
	return d, err
}

// loadFeeds loads what stays as it is while articles are read: ten thousand feeds take longer than their counts.
func (s *sidebar) loadFeeds(ctx context.Context, d *sidebarData) (err error) {
	if d.feeds, err = s.home.Store.Feeds.List(ctx); err != nil {
		return err
	}
	if d.order, err = s.loadOrder(ctx); err != nil {
		return err
	}
	if len(d.accounts) > 0 {
		slices.SortStableFunc(d.feeds, func(a, b reader.Feed) int { return cmp.Compare(d.rankOf(a.Account), d.rankOf(b.Account)) })
	}
	sortByHand(d.feeds, d.order)
	if d.states, err = s.home.Poller.States(ctx); err != nil {
		return err
	}
	d.iconOf, err = s.home.Poller.Icons().ByFeed(ctx)
	return err
}

// index makes what is found anew for each state of the store, off Fyne's goroutine: there may be ten thousand feeds.
func (d *sidebarData) index(now time.Time) {
	d.at = make(map[int64]int, len(d.feeds))
	for i := range d.feeds {
		f := &d.feeds[i]
		d.at[f.ID] = i
		if d.states[f.ID].Failures == 0 {
			continue
		}
		if t := report.TroubleOf(d.states[f.ID], *f, now); t != nil && t.Attention {
			d.failing = append(d.failing, failingFeed{*f, *t})
		}
	}
}

func (s *sidebar) show(d sidebarData) {
	before, listed := s.feeds, s.chosen.query
	s.sidebarData = d
	s.icons.set(d.iconOf)
	s.countSaved()
	moved := s.followChosen(before)
	s.items = s.buildItems()
	s.list.Refresh()
	defer s.loaded()
	i := s.row(s.chosen.key)
	if i < 0 {
		lost := s.chosen.key
		s.list.Select(0) // the chosen item is gone: unsubscribed, or its folder is empty
		s.lost = lost
		return
	}
	if s.lost != "" && s.row(s.lost) >= 0 {
		s.chooseKey(s.lost) // it is back
		return
	}
	s.chosen = s.items[i]
	changed := s.chosen.query.Search != listed.Search || s.chosen.query.Folder != listed.Folder || !slices.Equal(s.chosen.query.Accounts, listed.Accounts)
	s.list.SelectSilently(i)
	if moved {
		s.list.ScrollTo(i)
	}
	if changed {
		s.itemChanged()
	}
}

// anyFetched reports whether any feed was ever fetched, or any account synced.
func (s *sidebar) anyFetched() bool {
	for i := range s.accounts {
		if s.accounts[i].Sync.Phase == sync.Ready {
			return true
		}
	}
	for _, state := range s.states {
		if !state.Fetched.IsZero() {
			return true
		}
	}
	return false
}

// feed returns a subscription, nil if there is none with this id.
func (s *sidebar) feed(id int64) *reader.Feed {
	if i, ok := s.at[id]; ok {
		return &s.feeds[i]
	}
	return nil
}

// chooseFeed chooses a feed that the sidebar may not list yet.
func (s *sidebar) chooseFeed(f reader.Feed) {
	delete(s.collapsed, s.path(&f))
	s.choose(sidebarItem{key: feedKey(f.ID), name: f.Title, feed: &f, query: reader.Query{Feed: f.ID}})
	s.reload()
}
