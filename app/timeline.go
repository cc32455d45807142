package app

import (
	"context"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/async"
	"kairos/app/look"
	"kairos/app/shell"
	"kairos/app/widgets"
	"kairos/reader"
	"kairos/reader/search"
)

// timeline is the middle pane: the articles of the chosen sidebar item, newest first. It knows the ids of all and loads
// the rows that are on screen.
type timeline struct {
	shell *shell.Shell
	timelineEvents
	timelineRows
	rowContent

	pane        fyne.CanvasObject
	list        *widgets.List
	empty       *timelineEmpty
	newArticles *newArticles
	top         *fyne.Container // newArticles above all of these

	order     listOrder
	selection selection
	current   int64   // id of the article being read; 0: none
	kept      []int64 // read since the item was chosen: they stay in Unread
	marks     pendingMarks
	cache     listCache
	highlight highlight

	itemChanged   bool // another item was chosen, and none of its articles is on screen yet
	searchChanged bool // the list of another search starts at the top
	replacing     bool // the list is being replaced

	requests struct {
		list async.Request
		head async.Request // the beginning of a long list
	}
}

// rowContent is what the rows show beside the words of the articles, and how much of these.
type rowContent struct {
	density density
	icons   *feedIcons
	thumbs  *thumbnails
}

// timelineEvents is what the timeline asks for and reports. All functions are set.
type timelineEvents struct {
	source      func() listSource                // what to list
	labels      func() []reader.Label            // all there are
	opened      func(id int64)                   // an article was selected
	emptied     func()                           // the item before has left the screen
	replaced    func()                           // another list is on screen
	listed      func(count int)                  // the result of a search is on screen
	marked      func(reader.Flag, bool, []int64) // articles were marked, and that is stored
	marking     func()                           // a mark was stored or has failed
	highlighted func(search.Marks)               // other words are highlighted
	menu        func(at fyne.Position)           // a context menu is wanted
	reading     func()                           // an article was chosen by the mouse, also the one that is open
}

// listSource is what the timeline lists: an item of the sidebar, and what is searched for in it.
type listSource struct {
	item     sidebarItem
	search   string // "" none
	hasFeeds bool   // there are any subscriptions
	fetched  bool   // any of them was fetched
	awaited  bool   // an account is being synced for the first time
	dedupe   bool   // a story that several feeds carry is listed once
	offline  bool   // there is no network
}

func newTimeline(sh *shell.Shell, icons *feedIcons, thumbs *thumbnails, empty *timelineEmpty, on timelineEvents) *timeline {
	t := &timeline{shell: sh, timelineEvents: on, rowContent: rowContent{icons: icons, thumbs: thumbs}, empty: empty, marks: newPendingMarks()}
	t.timelineRows = newTimelineRows(nil, nil)
	t.order, t.density = loadListOrder(sh.App.Preferences()), loadDensity(sh.App.Preferences())
	thumbs.on = t.density == rowsPictures
	t.list = widgets.NewList(sh.Keys, func() int { return len(t.ids) },
		func() fyne.CanvasObject {
			r := newTimelineRow()
			r.density = t.density
			return r
		}, t.update)
	t.list.Name = lang.L("Articles")
	t.list.OnSelected = t.selected
	t.list.OnExtend = t.extendSelection
	t.list.OnMove = func() { t.clearSelection() }
	t.newArticles = newNewArticles(t.toTop, t.makeRoom)
	t.newArticles.say = sh.Announce
	background := canvas.NewRectangle(theme.Current().Color(look.ColorList, sh.App.Settings().ThemeVariant()))
	sh.App.Settings().AddListener(func(fyne.Settings) {
		background.FillColor = theme.Current().Color(look.ColorList, sh.App.Settings().ThemeVariant())
		background.Refresh()
	})
	t.top = container.NewBorder(t.newArticles, nil, nil, nil, container.NewStack(t.list, t.empty.pane))
	t.pane = container.NewStack(background, t.top)
	return t
}

// query is what the list shows.
func (t *timeline) query() reader.Query {
	s := t.source()
	q := s.item.query
	q.Since = t.shell.Midnight()
	q.Within, q.Search, q.Quick = q.Search, s.search, true
	q = t.order.apply(q)
	q.Dedupe = s.dedupe
	q.AlsoList = slices.Clone(t.kept)
	return q
}

// cacheKey is the key of the list without a search.
func (t *timeline) cacheKey() listKey {
	s := t.source()
	return listKey{s.item.key, t.order, s.dedupe}
}

// reset drops the item that was listed. Its articles stay on screen until those of the next item take their place:
// painting an empty list first would take as long again.
func (t *timeline) reset() {
	t.kept, t.current, t.newArticles.head = nil, 0, 0
	t.selection = selection{}
	t.ids = nil
	t.itemChanged = true
	t.version++
}

// clear removes what the item before has left on screen.
func (t *timeline) clear() {
	t.itemChanged = false
	t.newArticles.show(0)
	t.list.Clear()
	t.list.ScrollToTop()
	t.emptied()
}

// articlePage is the answer to a reload: all ids, and the rows that are on screen.
type articlePage struct {
	ids     []int64
	part    bool // these ids are the first of more
	rows    []reader.Article
	current int64 // when it was asked for
}

// reload lists the articles anew because something has changed.
func (t *timeline) reload() {
	if q := t.query(); searches(q) && (t.itemChanged || t.searchChanged) {
		t.loadFound(q)
		return
	}
	load, show := t.listing()
	async.Load(t.shell.Jobs, &t.requests.list, load, show)
}

// search lists what the user is searching for, from the top. The next frame waits for it.
func (t *timeline) search() {
	t.searchChanged, t.newArticles.head = true, 0
	t.selection.whole = false
	t.list.ScrollToTop()
	if q := t.query(); searches(q) {
		t.loadFound(q)
		return
	}
	load, show := t.listing()
	async.LoadSoon(t.shell.Jobs, &t.requests.list, load, func(p articlePage) {
		show(p)
		t.listed(len(p.ids))
	})
}

func searches(q reader.Query) bool { return q.Search != "" || q.Within != "" }

// listing returns what loads the list as it is to be now, and what shows it.
func (t *timeline) listing() (load func(context.Context) (articlePage, error), show func(articlePage)) {
	q, first := t.query(), int(t.list.GetScrollOffset()/t.rowStep())
	current, key, found := t.current, t.cacheKey(), newHighlight(q)
	t.requests.head.Stop()
	if t.itemChanged || t.searchChanged {
		first = 0
		t.loadHead(q)
	}
	load = func(ctx context.Context) (articlePage, error) {
		ids, err := t.shell.Home.Store.Articles.IDs(ctx, q)
		if err != nil {
			return articlePage{}, err
		}
		from := min(max(0, first-pageSize/2), len(ids))
		rows, err := t.shell.Home.Store.Articles.Load(ctx, ids[from:min(from+pageSize, len(ids))])
		return articlePage{ids: ids, rows: rows, current: current}, err
	}
	show = func(p articlePage) {
		t.requests.head.Stop()
		if !searches(q) {
			t.cache.store(key, p.ids)
		}
		t.highlightSearch(found)
		t.show(p)
	}
	return load, show
}

// loadHead shows the beginning of an item that was just chosen: listing a hundred thousand ids takes longer than people wait.
func (t *timeline) loadHead(q reader.Query) {
	if q.ByFeed {
		return // the first feed is known only once all are listed
	}
	q.Limit = 2 * pageSize
	current, key := t.current, t.cacheKey()
	async.LoadSoon(t.shell.Jobs, &t.requests.head, func(ctx context.Context) (articlePage, error) {
		ids, err := t.shell.Home.Store.Articles.IDs(ctx, q)
		if err != nil {
			return articlePage{}, err
		}
		rows, err := t.shell.Home.Store.Articles.Load(ctx, ids[:min(pageSize/4, len(ids))])
		return articlePage{ids: ids, rows: rows, current: current}, err
	}, func(p articlePage) {
		if len(p.ids) == q.Limit {
			p.ids = t.cache.complete(key, p.ids)
			p.part = true
		}
		t.show(p)
	})
}

// loadFound shows what another search has found, or one in another place: all, or the first if that is sooner. The rest is
// gathered when no more is typed: meanwhile the processor is for painting.
func (t *timeline) loadFound(q reader.Query) {
	t.requests.head.Stop()
	current, typed, found, shown := t.current, t.searchChanged, newHighlight(q), t.rowsShown()
	first := q
	if !q.ByFeed && t.selection.ids.len() == 0 { // the first feed, and what is selected still, are known only once all are listed
		first.Limit = shown // each has to be looked for
	}
	async.LoadSoon(t.shell.Jobs, &t.requests.list, func(ctx context.Context) (articlePage, error) {
		ids, whole, err := t.shell.Home.Store.Articles.First(ctx, first)
		if err == nil && !whole && len(ids) == 0 {
			ids, err = t.shell.Home.Store.Articles.IDs(ctx, q)
			whole = true
		}
		if err != nil {
			return articlePage{}, err
		}
		rows, err := t.shell.Home.Store.Articles.Load(ctx, ids[:min(max(pageSize/4, shown), len(ids))])
		found.loadExcerpts(ctx, t.shell.Home.Store.Articles, ids[:min(shown, len(ids))])
		return articlePage{ids, !whole, rows, current}, err
	}, func(p articlePage) {
		t.highlightSearch(found)
		t.show(p)
		switch {
		case p.part && !t.searchChanged && !t.itemChanged: // else it is loaded anew
			t.loadRest(typed)
		case typed:
			t.listed(len(p.ids))
		}
	})
}

// keyPause is how long no key was typed when the rest of a search is gathered: longer than between two letters of those who
// search for each. With a million articles FTS5 may gather for seconds, and cannot be stopped.
const keyPause = 500 * time.Millisecond

// loadRest lists all that was found in place of the first.
func (t *timeline) loadRest(typed bool) {
	load, show := t.listing()
	async.Load(t.shell.Jobs, &t.requests.list, func(ctx context.Context) (articlePage, error) {
		select {
		case <-time.After(keyPause):
			return load(ctx)
		case <-ctx.Done():
			return articlePage{}, ctx.Err()
		}
	}, func(p articlePage) {
		show(p)
		if typed {
			t.listed(len(p.ids))
		}
	})
}

// show replaces the list. The article being read stays where it is on screen, even if articles arrived above it.
func (t *timeline) show(p articlePage) {
	if p.current != t.current && t.current != 0 && !slices.Contains(p.ids, t.current) {
		t.reload() // the list is from before the article was selected and marked read
		return
	}
	if t.same(p) {
		t.take(p)
		t.selection.whole = t.selection.whole && p.part
		if !t.highlight.painted {
			t.highlight.painted = true
			t.list.Refresh()
		}
		return
	}
	if t.itemChanged {
		t.clear()
	}
	t.replacing = true
	offset, top := t.list.GetScrollOffset(), t.topRow()
	// What is being read or looked for stays where it is. At the top, new articles are to be seen.
	stay := !t.searchChanged && (offset > 0 || t.current != 0 || t.selection.ids.len() > 0)
	t.searchChanged = false
	t.take(p)
	if t.selection.prune(t.ids, p.part) {
		t.saySelected()
	}
	t.highlight.painted = true
	t.list.Refresh()
	if at := slices.Index(t.ids, top.id); top.id != 0 && at >= 0 && stay {
		t.list.ScrollToOffset(max(0, offset+float32(at-top.index)*t.rowStep()))
	}
	if at := slices.Index(t.ids, t.current); t.current != 0 && at >= 0 {
		t.list.SelectSilently(at)
	} else {
		t.list.Clear()
	}
	t.replacing = false
	t.announceNew()
	t.showEmpty()
	t.replaced()
}

// showEmpty explains why nothing is listed, if nothing is.
func (t *timeline) showEmpty() { t.empty.show(len(t.ids) == 0, t.source()) }

// same reports whether p would change nothing on screen. Most commits concern other articles, and painting a frame
// for nothing delays one that is needed.
func (t *timeline) same(p articlePage) bool {
	if t.itemChanged || t.searchChanged || len(p.ids) == 0 || !slices.Equal(t.ids, p.ids) {
		return false
	}
	return t.sameRows(p.rows, int(t.list.GetScrollOffset()/t.rowStep()), t.rowsShown())
}

// topRow is the row at the top of the screen.
func (t *timeline) topRow() (top struct {
	id    int64
	index int
}) {
	if i := int(t.list.GetScrollOffset() / t.rowStep()); i >= 0 && i < len(t.ids) {
		top.id, top.index = t.ids[i], i
	}
	return top
}

// update shows article i in a row of the list.
func (t *timeline) update(i int, o fyne.CanvasObject) {
	r := o.(*timelineRow)
	if i >= len(t.ids) {
		return
	}
	a := t.rows[t.ids[i]]
	var icon *feedIconImage
	if a != nil {
		icon = t.icons.get(a.Feed)
	}
	r.density, r.oneFeed = t.density, t.source().item.feed != nil
	r.set(t.excerpt(a), icon, t.highlight.marks, t.shell.Now())
	r.setLabels(t.labels(), a)
	r.mark(t.selection.ids.has(t.ids[i]), t.groupHeading(i))
	r.setThumbnail(t.thumbs.get(a))
	r.OnTapped = func() {
		t.shell.Used()
		t.tapped(i)
		t.shell.Focus(t.list)
		if t.selection.ids.len() == 0 {
			t.reading()
		}
	}
	r.OnMenu = func(at fyne.Position) {
		t.shell.Used()
		t.selection.target = t.ids[i]
		t.menu(at)
	}
	if a != nil {
		t.shell.CheckFonts(a.Title, a.Summary, a.FeedTitle)
	}
	if i == 0 && !t.replacing && t.newArticles.Visible() {
		t.shell.Do(t.announceNew) // not while the list is laid out
	}
	if a == nil {
		t.loadPage(i / pageSize)
	}
}

// loadPage loads a page of rows.
func (t *timeline) loadPage(page int) {
	if t.loading[page] {
		return
	}
	t.loading[page] = true
	version := t.version
	ids := t.ids[page*pageSize : min((page+1)*pageSize, len(t.ids))]
	t.shell.Go(func() {
		rows, err := t.shell.Home.Store.Articles.Load(t.shell.Ctx, ids)
		if err != nil || t.shell.Ctx.Err() != nil {
			return
		}
		t.shell.Do(func() {
			if t.version == version {
				t.add(rows)
				t.list.Refresh()
			}
		})
	})
}

// selected opens the article of a row.
func (t *timeline) selected(i int) {
	if i >= len(t.ids) || t.ids[i] == t.current {
		return
	}
	t.current, t.selection.target = t.ids[i], 0
	t.opened(t.current)
}

// keepListed keeps articles in the list although they are read now.
func (t *timeline) keepListed(ids []int64) {
	t.kept = append(t.kept, ids...)
	t.kept = t.kept[max(0, len(t.kept)-maxKept):]
}

// maxKept bounds how many articles stay in Unread after they have been read.
const maxKept = 400

// follow makes an article the current one that is being read already.
func (t *timeline) follow(id int64) {
	t.current, t.selection.target = id, 0
	if at := slices.Index(t.ids, id); at >= 0 {
		t.list.SelectSilently(at)
		t.list.ScrollTo(at)
	}
}

// next selects the article step rows after the current one, or before it if step is negative.
func (t *timeline) next(step int) {
	if len(t.ids) == 0 {
		return
	}
	t.clearSelection()
	t.list.Select(min(max(t.list.Chosen+step, 0), len(t.ids)-1))
}

// open shows the article with this id, adding it to the list if it is missing there.
func (t *timeline) open(id int64) {
	at := slices.Index(t.ids, id)
	if at < 0 {
		t.ids = append([]int64{id}, t.ids...)
		at = 0
		t.list.Refresh()
	}
	t.list.Select(at)
}

// close shows no article as the current one.
func (t *timeline) close() {
	t.current = 0
	t.list.Clear()
}

// rowStep is the distance between the tops of two rows.
func (t *timeline) rowStep() float32 { return t.density.height() + theme.Padding() }

// rowsShown is how many rows are on screen at most.
func (t *timeline) rowsShown() int { return int(t.list.Size().Height/t.rowStep()) + 2 }
