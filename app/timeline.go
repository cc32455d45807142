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
	"kairos/app/library"
	"kairos/app/look"
	"kairos/app/session"
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
	library *library.Library
	session *session.Session
	rowContent

	pane        fyne.CanvasObject
	list        *widgets.List
	empty       *timelineEmpty
	newArticles *newArticles
	top         *fyne.Container // newArticles above all of these

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
	offline     func() bool                      // there is no network
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

func newTimeline(sh *shell.Shell, l *library.Library, se *session.Session, icons *feedIcons, thumbs *thumbnails, empty *timelineEmpty, on timelineEvents) *timeline {
	t := &timeline{shell: sh, library: l, session: se, timelineEvents: on, rowContent: rowContent{icons: icons, thumbs: thumbs}, empty: empty}
	t.session.List.Order, t.density = loadListOrder(sh.App.Preferences()), loadDensity(sh.App.Preferences())
	thumbs.on = t.density == rowsPictures
	t.list = widgets.NewList(sh.Keys, func() int { return len(t.session.List.IDs) },
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
func (t *timeline) query() reader.Query { return t.session.Query(t.shell.Midnight(), t.library.Dedupe) }

// reset makes ready for the list of another place. The articles before stay on screen until those take their place: painting an
// empty list first would take as long again.
func (t *timeline) reset() {
	t.newArticles.head = 0
	t.itemChanged = true
}

// clear removes what the item before has left on screen.
func (t *timeline) clear() {
	t.itemChanged = false
	t.newArticles.show(0)
	t.list.Clear()
	t.list.ScrollToTop()
	t.emptied()
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
	t.session.List.Selection.Whole = false
	t.list.ScrollToTop()
	if q := t.query(); searches(q) {
		t.loadFound(q)
		return
	}
	load, show := t.listing()
	async.LoadSoon(t.shell.Jobs, &t.requests.list, load, func(p session.Page) {
		show(p)
		t.listed(len(p.IDs))
	})
}

func searches(q reader.Query) bool { return q.Search != "" || q.Within != "" }

// listing returns what loads the list as it is to be now, and what shows it.
func (t *timeline) listing() (load func(context.Context) (session.Page, error), show func(session.Page)) {
	q, first := t.query(), int(t.list.GetScrollOffset()/t.rowStep())
	current, key, found := t.session.List.Current, t.session.ListKey(t.library.Dedupe), newHighlight(q)
	t.requests.head.Stop()
	if t.itemChanged || t.searchChanged {
		first = 0
		t.loadHead(q)
	}
	load = func(ctx context.Context) (session.Page, error) {
		ids, err := t.shell.Home.Store.Articles.IDs(ctx, q)
		if err != nil {
			return session.Page{}, err
		}
		from := min(max(0, first-session.PageSize/2), len(ids))
		rows, err := t.shell.Home.Store.Articles.Load(ctx, ids[from:min(from+session.PageSize, len(ids))])
		return session.Page{IDs: ids, Rows: rows, Current: current}, err
	}
	show = func(p session.Page) {
		t.requests.head.Stop()
		if !searches(q) {
			t.session.List.Cache.Store(key, p.IDs)
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
	q.Limit = 2 * session.PageSize
	current, key := t.session.List.Current, t.session.ListKey(t.library.Dedupe)
	async.LoadSoon(t.shell.Jobs, &t.requests.head, func(ctx context.Context) (session.Page, error) {
		ids, err := t.shell.Home.Store.Articles.IDs(ctx, q)
		if err != nil {
			return session.Page{}, err
		}
		rows, err := t.shell.Home.Store.Articles.Load(ctx, ids[:min(session.PageSize/4, len(ids))])
		return session.Page{IDs: ids, Rows: rows, Current: current}, err
	}, func(p session.Page) {
		if len(p.IDs) == q.Limit {
			p.IDs = t.session.List.Cache.Complete(key, p.IDs)
			p.Part = true
		}
		t.show(p)
	})
}

// loadFound shows what another search has found, or one in another place: all, or the first if that is sooner. The rest is
// gathered when no more is typed: meanwhile the processor is for painting.
func (t *timeline) loadFound(q reader.Query) {
	t.requests.head.Stop()
	current, typed, found, shown := t.session.List.Current, t.searchChanged, newHighlight(q), t.rowsShown()
	first := q
	if !q.ByFeed && t.session.List.Selection.IDs.Len() == 0 { // the first feed, and what is selected still, are known only once all are listed
		first.Limit = shown // each has to be looked for
	}
	async.LoadSoon(t.shell.Jobs, &t.requests.list, func(ctx context.Context) (session.Page, error) {
		ids, whole, err := t.shell.Home.Store.Articles.First(ctx, first)
		if err == nil && !whole && len(ids) == 0 {
			ids, err = t.shell.Home.Store.Articles.IDs(ctx, q)
			whole = true
		}
		if err != nil {
			return session.Page{}, err
		}
		rows, err := t.shell.Home.Store.Articles.Load(ctx, ids[:min(max(session.PageSize/4, shown), len(ids))])
		found.loadExcerpts(ctx, t.shell.Home.Store.Articles, ids[:min(shown, len(ids))])
		return session.Page{IDs: ids, Part: !whole, Rows: rows, Current: current}, err
	}, func(p session.Page) {
		t.highlightSearch(found)
		t.show(p)
		switch {
		case p.Part && !t.searchChanged && !t.itemChanged: // else it is loaded anew
			t.loadRest(typed)
		case typed:
			t.listed(len(p.IDs))
		}
	})
}

// keyPause is how long no key was typed when the rest of a search is gathered: longer than between two letters of those who
// search for each. With a million articles FTS5 may gather for seconds, and cannot be stopped.
const keyPause = 500 * time.Millisecond

// loadRest lists all that was found in place of the first.
func (t *timeline) loadRest(typed bool) {
	load, show := t.listing()
	async.Load(t.shell.Jobs, &t.requests.list, func(ctx context.Context) (session.Page, error) {
		select {
		case <-time.After(keyPause):
			return load(ctx)
		case <-ctx.Done():
			return session.Page{}, ctx.Err()
		}
	}, func(p session.Page) {
		show(p)
		if typed {
			t.listed(len(p.IDs))
		}
	})
}

// show replaces the list. The article being read stays where it is on screen, even if articles arrived above it.
func (t *timeline) show(p session.Page) {
	if t.session.List.IsStale(p) {
		t.reload() // the list is from before the article was selected and marked read
		return
	}
	if t.same(p) {
		t.session.List.Take(p)
		t.session.List.Selection.Whole = t.session.List.Selection.Whole && p.Part
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
	stay := !t.searchChanged && (offset > 0 || t.session.List.Current != 0 || t.session.List.Selection.IDs.Len() > 0)
	t.searchChanged = false
	t.session.List.Take(p)
	if t.session.List.Selection.Prune(t.session.List.IDs, p.Part) {
		t.saySelected()
	}
	t.highlight.painted = true
	t.list.Refresh()
	if at := slices.Index(t.session.List.IDs, top.id); top.id != 0 && at >= 0 && stay {
		t.list.ScrollToOffset(max(0, offset+float32(at-top.index)*t.rowStep()))
	}
	if at := slices.Index(t.session.List.IDs, t.session.List.Current); t.session.List.Current != 0 && at >= 0 {
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
func (t *timeline) showEmpty() {
	t.empty.show(len(t.session.List.IDs) == 0, listSource{t.session.Place, t.session.Search, len(t.library.Feeds) > 0,
		t.library.AnyFetched(), t.library.AwaitsAccount(), t.offline()})
}

// same reports whether p would change nothing on screen. Most commits concern other articles, and painting a frame
// for nothing delays one that is needed.
func (t *timeline) same(p session.Page) bool {
	if t.itemChanged || t.searchChanged || len(p.IDs) == 0 || !slices.Equal(t.session.List.IDs, p.IDs) {
		return false
	}
	return t.session.List.SameRows(p.Rows, int(t.list.GetScrollOffset()/t.rowStep()), t.rowsShown())
}

// topRow is the row at the top of the screen.
func (t *timeline) topRow() (top struct {
	id    int64
	index int
}) {
	if i := int(t.list.GetScrollOffset() / t.rowStep()); i >= 0 && i < len(t.session.List.IDs) {
		top.id, top.index = t.session.List.IDs[i], i
	}
	return top
}

// update shows article i in a row of the list.
func (t *timeline) update(i int, o fyne.CanvasObject) {
	r := o.(*timelineRow)
	if i >= len(t.session.List.IDs) {
		return
	}
	a := t.session.List.Loaded[t.session.List.IDs[i]]
	var icon *feedIconImage
	if a != nil {
		icon = t.icons.get(a.Feed)
	}
	r.density, r.oneFeed = t.density, t.session.Place.Feed != nil
	r.set(t.excerpt(a), icon, t.highlight.marks, t.shell.Now())
	r.setLabels(t.labels(), a)
	r.mark(t.session.List.Selection.IDs.Has(t.session.List.IDs[i]), t.groupHeading(i))
	r.setThumbnail(t.thumbs.get(a))
	r.OnTapped = func() {
		t.shell.Used()
		t.tapped(i)
		t.shell.Focus(t.list)
		if t.session.List.Selection.IDs.Len() == 0 {
			t.reading()
		}
	}
	r.OnMenu = func(at fyne.Position) {
		t.shell.Used()
		t.session.List.Selection.Target = t.session.List.IDs[i]
		t.menu(at)
	}
	if a != nil {
		t.shell.CheckFonts(a.Title, a.Summary, a.FeedTitle)
	}
	if i == 0 && !t.replacing && t.newArticles.Visible() {
		t.shell.Do(t.announceNew) // not while the list is laid out
	}
	if a == nil {
		t.loadPage(i / session.PageSize)
	}
}

// loadPage loads a page of rows.
func (t *timeline) loadPage(page int) {
	if t.session.List.Loading[page] {
		return
	}
	t.session.List.Loading[page] = true
	version := t.session.List.Version
	ids := t.session.List.IDs[page*session.PageSize : min((page+1)*session.PageSize, len(t.session.List.IDs))]
	t.shell.Go(func() {
		rows, err := t.shell.Home.Store.Articles.Load(t.shell.Ctx, ids)
		if err != nil || t.shell.Ctx.Err() != nil {
			return
		}
		t.shell.Do(func() {
			if t.session.List.Version == version {
				t.session.List.Add(rows)
				t.list.Refresh()
			}
		})
	})
}

// selected opens the article of a row.
func (t *timeline) selected(i int) {
	if i >= len(t.session.List.IDs) || t.session.List.IDs[i] == t.session.List.Current {
		return
	}
	t.session.List.Follow(t.session.List.IDs[i])
	t.opened(t.session.List.Current)
}

// follow makes an article the current one that is being read already.
func (t *timeline) follow(id int64) {
	t.session.List.Follow(id)
	if at := slices.Index(t.session.List.IDs, id); at >= 0 {
		t.list.SelectSilently(at)
		t.list.ScrollTo(at)
	}
}

// next selects the article step rows after the current one, or before it if step is negative.
func (t *timeline) next(step int) {
	if len(t.session.List.IDs) == 0 {
		return
	}
	t.clearSelection()
	t.list.Select(min(max(t.list.Chosen+step, 0), len(t.session.List.IDs)-1))
}

// open shows the article with this id, adding it to the list if it is missing there.
func (t *timeline) open(id int64) {
	at, added := t.session.List.RowOf(id)
	if added {
		t.list.Refresh()
	}
	t.list.Select(at)
}

// close shows no article as the current one.
func (t *timeline) close() {
	t.session.List.Current = 0
	t.list.Clear()
}

// rowStep is the distance between the tops of two rows.
func (t *timeline) rowStep() float32 { return t.density.height() + theme.Padding() }

// rowsShown is how many rows are on screen at most.
func (t *timeline) rowsShown() int { return int(t.list.Size().Height/t.rowStep()) + 2 }
