// Package timeline is the middle pane: the articles of what is chosen, and the commands that apply to them.
package timeline

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
	"kairos/app/icon"
	"kairos/app/keys"
	"kairos/app/library"
	"kairos/app/look"
	"kairos/app/session"
	"kairos/app/shell"
	"kairos/app/widgets"
	"kairos/reader"
	"kairos/reader/search"
)

// Pane is the middle pane: the articles of the chosen sidebar item, newest first. It knows the ids of all and loads
// the rows that are on screen.
type Pane struct {
	shell *shell.Shell
	Events
	library *library.Library
	session *session.Session
	rowContent

	Object      fyne.CanvasObject
	List        *widgets.List
	Empty       *Empty
	NewArticles *newArticles
	older       *olderBar
	top         *fyne.Container // newArticles above all of these, older below
	group       *groupBar       // above the list

	Highlight highlight

	ItemChanged   bool             // another item was chosen, and none of its articles is on screen yet
	SearchChanged bool             // the list of another search starts at the top
	replacing     bool             // the list is being replaced
	resorted      bool             // the list of another order starts at the top
	reasons       map[int64]string // why articles are likely to be read, as far as it was asked for
	clicks        clicks

	requests struct {
		list async.Request
		head async.Request // the beginning of a long list

		reasons async.Request
	}
}

// rowContent is what the rows show beside the words of the articles, and how much of these.
type rowContent struct {
	Density Density
	icons   *icon.Cache
	Thumbs  *thumbnails
}

// Events is what the timeline asks for and reports. All functions are set.
type Events struct {
	Offline     func() bool                      // there is no network
	Labels      func() []reader.Label            // all there are
	Opened      func(id int64)                   // an article was selected
	Emptied     func()                           // the item before has left the screen
	Replaced    func()                           // another list is on screen
	Listed      func(count int)                  // the result of a search is on screen
	Marked      func(reader.Flag, bool, []int64) // articles were marked, and that is stored
	Marking     func()                           // a mark was stored or has failed
	Highlighted func(search.Marks)               // other words are highlighted
	Menu        func(at fyne.Position)           // a context menu is wanted
	Reading     func()                           // an article was chosen by the mouse, also the one that is open
	Browse      func(id int64)                   // an article is to be opened in the browser: by a double or a middle click
	Older       func(*reader.Feed)               // older articles of a feed are wanted
}

// New returns the pane.
func New(sh *shell.Shell, l *library.Library, se *session.Session, icons *icon.Cache, thumbs *thumbnails, empty *Empty, on Events) *Pane {
	t := &Pane{shell: sh, library: l, session: se, Events: on, rowContent: rowContent{icons: icons, Thumbs: thumbs}, Empty: empty, reasons: map[int64]string{}}
	t.session.List.Order, t.Density = loadOrder(sh.Preferences), LoadDensity(sh.Preferences)
	thumbs.on = t.Density == RowsPictures
	t.List = widgets.NewList(sh.Keys, func() int { return len(t.session.List.IDs) },
		func() fyne.CanvasObject {
			r := newRow()
			r.density = t.Density
			return r
		}, t.update)
	t.List.Name = lang.L("Articles")
	t.List.OnSelected = t.selected
	t.List.OnExtend = t.ExtendSelection
	t.List.OnMove = func(step int) {
		t.ClearSelection()
		t.session.List.Postpone(map[int]session.Step{1: session.ToNext, -1: session.ToPrevious}[step])
	}
	t.NewArticles = newNewArticles(t.ToTop, t.makeRoom)
	t.NewArticles.say = sh.Announce
	background := canvas.NewRectangle(theme.Current().Color(look.ColorList, sh.App.Settings().ThemeVariant()))
	sh.App.Settings().AddListener(func(fyne.Settings) {
		background.FillColor = theme.Current().Color(look.ColorList, sh.App.Settings().ThemeVariant())
		background.Refresh()
	})
	t.group = newGroupBar(container.NewStack(t.List, t.Empty.pane))
	t.older = newOlderBar(t.loadOlder, func() { t.top.Refresh() })
	t.List.OnScroll = func() { t.showGroup(); t.showOlder() }
	t.top = container.NewBorder(t.NewArticles, t.older.Button, nil, nil, t.group.pane)
	t.Object = container.NewStack(background, t.top)
	return t
}

// Query is what the list shows.
func (t *Pane) Query() reader.Query { return t.session.Query(t.shell.Midnight(), t.library.Dedupe) }

// Reset makes ready for the list of another place. The articles before stay on screen until those take their place: painting an
// empty list first would take as long again.
func (t *Pane) Reset() {
	t.NewArticles.reset()
	t.ItemChanged = true
}

// clear removes what the item before has left on screen.
func (t *Pane) clear() {
	t.ItemChanged = false
	t.NewArticles.show(0)
	t.List.Clear()
	t.List.ScrollToTop()
	t.Emptied()
}

// Reload lists the articles again because something has changed.
func (t *Pane) Reload() {
	if q := t.Query(); searches(q) && (t.ItemChanged || t.SearchChanged) {
		t.loadFound(q)
		return
	}
	load, show := t.listing()
	async.Load(t.shell.Jobs, &t.requests.list, load, show)
}

// Search lists what the user is searching for, from the top. The next frame waits for it.
func (t *Pane) Search() {
	t.SearchChanged = true
	t.NewArticles.reset()
	t.session.List.Selection.Whole = false
	t.List.ScrollToTop()
	if q := t.Query(); searches(q) {
		t.loadFound(q)
		return
	}
	load, show := t.listing()
	async.LoadSoon(t.shell.Jobs, &t.requests.list, load, func(p session.Page) {
		show(p)
		t.Listed(len(p.IDs))
	})
}

func searches(q reader.Query) bool { return q.Search != "" || q.Within != "" }

// listing returns what loads the list as it is to be now, and what shows it.
func (t *Pane) listing() (load func(context.Context) (session.Page, error), show func(session.Page)) {
	q, first := t.Query(), int(t.List.GetScrollOffset()/t.RowStep())
	current, key, found := t.session.List.Current, t.session.ListKey(t.library.Dedupe), newHighlight(q)
	t.requests.head.Stop()
	if t.ItemChanged || t.SearchChanged {
		first = 0
		t.loadHead(q)
	}
	sort := t.arrange()
	load = func(ctx context.Context) (session.Page, error) {
		ids, err := t.shell.Home.Store.Articles.IDs(ctx, q)
		if err == nil {
			ids, err = sort(ctx, ids)
		}
		if err != nil {
			return session.Page{}, err
		}
		from := min(max(0, first-session.PageSize/2), len(ids))
		rows, err := t.shell.Home.Store.Articles.Load(ctx, ids[from:min(from+session.PageSize, len(ids))])
		page := session.Page{IDs: ids, Rows: rows, Current: current}
		if err == nil && first == 0 {
			page.Unread, err = t.firstUnread(ctx, q, page)
		}
		return page, err
	}
	show = func(p session.Page) {
		t.requests.head.Stop()
		if !searches(q) && len(t.session.List.Stories) == 0 {
			t.session.List.Cache.Store(key, p.IDs)
		}
		t.highlightSearch(found)
		t.show(p)
	}
	return load, show
}

// loadHead shows the beginning of an item that was just chosen: listing a hundred thousand ids takes longer than people wait.
func (t *Pane) loadHead(q reader.Query) {
	if !t.hasHead(q) {
		return
	}
	q.Limit = 2 * session.PageSize
	current, key := t.session.List.Current, t.session.ListKey(t.library.Dedupe)
	async.LoadSoon(t.shell.Jobs, &t.requests.head, func(ctx context.Context) (session.Page, error) {
		ids, err := t.shell.Home.Store.Articles.IDs(ctx, q)
		if err != nil {
			return session.Page{}, err
		}
		rows, err := t.shell.Home.Store.Articles.Load(ctx, ids[:min(session.PageSize/4, len(ids))])
		page := session.Page{IDs: ids, Rows: rows, Current: current}
		if err == nil {
			page.Unread, err = t.firstUnread(ctx, q, page)
		}
		return page, err
	}, func(p session.Page) {
		if len(p.IDs) == q.Limit {
			p.IDs = t.session.List.Cache.Complete(key, p.IDs)
			p.Part = true
		}
		t.show(p)
	})
}

// firstUnread returns the first unread article of a page, 0 if one of its rows is or there is none.
func (t *Pane) firstUnread(ctx context.Context, q reader.Query, p session.Page) (int64, error) {
	if len(p.Rows) >= len(p.IDs) || slices.ContainsFunc(p.Rows, func(a reader.Article) bool { return !a.Read }) {
		return 0, nil
	}
	q.HideRead, q.AlsoList = true, nil
	unread, err := t.shell.Home.Store.Articles.IDs(ctx, q)
	if err != nil {
		return 0, err
	}
	is := session.NewIDSet(unread)
	if i := slices.IndexFunc(p.IDs, is.Has); i >= 0 {
		return p.IDs[i], nil
	}
	return 0, nil
}

// hasHead reports whether the first articles of a list are known before all are: neither the first feed is nor what is likeliest.
func (t *Pane) hasHead(q reader.Query) bool {
	return !q.ByFeed && t.session.Order().Sort != session.LikelyFirst
}

// loadFound shows what another search has found, or one in another place: all, or the first if that is sooner. The rest is
// gathered when no more is typed: meanwhile the processor is for painting.
func (t *Pane) loadFound(q reader.Query) {
	t.requests.head.Stop()
	current, typed, found, shown := t.session.List.Current, t.SearchChanged, newHighlight(q), t.RowsShown()
	first, sort := q, t.arrange()
	if t.hasHead(q) && t.session.List.Selection.IDs.Len() == 0 { // what is selected still is known only once all are listed
		first.Limit = shown // each has to be looked for
	}
	async.LoadSoon(t.shell.Jobs, &t.requests.list, func(ctx context.Context) (session.Page, error) {
		ids, whole, err := t.shell.Home.Store.Articles.First(ctx, first)
		if err == nil && !whole && len(ids) == 0 {
			ids, err = t.shell.Home.Store.Articles.IDs(ctx, q)
			whole = true
		}
		if err == nil {
			ids, err = sort(ctx, ids)
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
		case p.Part && !t.SearchChanged && !t.ItemChanged: // else it is loaded again
			t.loadRest(typed)
		case typed:
			t.Listed(len(p.IDs))
		}
	})
}

// keyPause is how long no key was typed when the rest of a search is gathered: longer than between two letters of those who
// search for each. With a million articles FTS5 may gather for seconds, and cannot be stopped.
const keyPause = 500 * time.Millisecond

// loadRest lists all that was found in place of the first.
func (t *Pane) loadRest(typed bool) {
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
			t.Listed(len(p.IDs))
		}
	})
}

// show replaces the list. The article being read stays where it is on screen, even if articles arrived above it.
func (t *Pane) show(p session.Page) {
	if t.session.List.IsStale(p) {
		t.Reload() // the list is from before the article was selected and marked read
		return
	}
	if t.Same(p) {
		t.session.List.Take(p)
		t.session.List.Selection.Whole = t.session.List.Selection.Whole && p.Part
		if !t.Highlight.painted {
			t.Highlight.painted = true
			t.List.Refresh()
		}
		return
	}
	if t.ItemChanged {
		t.clear()
	}
	t.replacing = true
	offset, anchor := t.List.GetScrollOffset(), t.anchorRow()
	// What is being read or looked for stays where it is. At the top, new articles are to be seen.
	stay := !t.SearchChanged && !t.resorted && (offset > 0 || t.session.List.Current != 0 || t.session.List.Selection.IDs.Len() > 0)
	t.SearchChanged, t.resorted = false, false
	clear(t.reasons) // more may have been learned since
	t.session.List.Take(p)
	if t.session.List.Selection.Prune(t.session.List.IDs, p.Part) {
		t.saySelected()
	}
	t.Highlight.painted = true
	t.List.Refresh()
	if at := slices.Index(t.session.List.IDs, anchor.id); anchor.id != 0 && at >= 0 && stay {
		t.List.ScrollToOffset(max(0, offset+float32(at-anchor.index)*t.RowStep()))
	}
	if at := slices.Index(t.session.List.IDs, t.session.List.Current); t.session.List.Current != 0 && at >= 0 {
		t.List.SelectSilently(at)
	} else {
		t.List.Clear()
	}
	t.replacing = false
	t.announceNew()
	t.showGroup()
	t.showOlder()
	t.ShowEmpty()
	t.Replaced()
}

// ShowEmpty explains why nothing is listed, if nothing is.
func (t *Pane) ShowEmpty() {
	here := t.session.Place.Branch()
	paused, all := t.library.Paused(here)
	t.Empty.Show(len(t.session.List.IDs) == 0, ListSource{t.session.Place, t.session.Search, len(t.library.Feeds) > 0,
		t.library.AnyFetched(here), paused, all, t.library.AwaitsAccount(), t.Offline(), t.session.Order().HideRead})
}

// Same reports whether p would change nothing on screen. Most commits concern other articles, and painting a frame
// for nothing delays one that is needed.
func (t *Pane) Same(p session.Page) bool {
	if t.ItemChanged || t.SearchChanged || len(p.IDs) == 0 || !slices.Equal(t.session.List.IDs, p.IDs) {
		return false
	}
	return t.session.List.SameRows(p.Rows, int(t.List.GetScrollOffset()/t.RowStep()), t.RowsShown())
}

// Top is the article in the first row on screen, 0 for none and where nothing is scrolled: what is new comes above it there.
// above is how much of that row has left the screen.
func (t *Pane) Top() (id int64, above float32) {
	at := t.List.GetScrollOffset()
	if at <= 0 {
		return 0, 0
	}
	top := t.topRow()
	return top.id, at/t.RowStep() - float32(top.index)
}

// ScrollToRow brings a row to the top of the screen, but for a part of it above.
func (t *Pane) ScrollToRow(row int, above float32) {
	t.List.ScrollToOffset((float32(row) + above) * t.RowStep())
}

// placedRow is an article and its row.
type placedRow struct {
	id    int64
	index int
}

// anchorRow is the row that stays where it is when others come: the chosen one while it is in sight, else that at the top.
func (t *Pane) anchorRow() placedRow {
	if row := t.session.List.Row(); row >= 0 && t.List.InSight(row) {
		return placedRow{t.session.List.Current, row}
	}
	return t.topRow()
}

// topRow is the row at the top of the screen.
func (t *Pane) topRow() (top placedRow) {
	if i := int(t.List.GetScrollOffset() / t.RowStep()); i >= 0 && i < len(t.session.List.IDs) {
		top.id, top.index = t.session.List.IDs[i], i
	}
	return top
}

// update shows article i in a row of the list.
func (t *Pane) update(i int, o fyne.CanvasObject) {
	r := o.(*row)
	if i >= len(t.session.List.IDs) {
		return
	}
	a := t.session.List.Loaded[t.session.List.IDs[i]]
	var icon *icon.Image
	if a != nil {
		icon = t.icons.Get(a.Feed)
	}
	r.density, r.oneFeed = t.Density, t.session.Place.Feed != nil
	r.set(t.Excerpt(a), icon, t.Highlight.Marks, t.shell.Now())
	r.setLabels(t.Labels(), a)
	r.setStory(t.storyOf(i, a))
	heading := t.GroupHeading(i)
	if i == 0 {
		heading = "" // the bar above says it
	}
	r.mark(t.session.List.Selection.IDs.Has(t.session.List.IDs[i]), heading)
	r.reason = func() string { return t.explain(i) }
	t.explain(i) // it is looked up before the pointer rests there
	r.setThumbnail(t.Thumbs.Get(a))
	r.OnTapped = func() {
		t.shell.Used()
		chosen := keys.Held()&(fyne.KeyModifierShift|keys.Ctrl) == 0 && t.session.Chosen(r.shown)
		t.tapped(i)
		if chosen {
			t.MarkRead(r.shown)
		}
		t.shell.Focus(t.List)
		if t.session.List.Selection.IDs.Len() == 0 {
			t.Reading()
		}
		if t.clicks.isDouble(r.shown, t.shell.Now()) {
			t.Browse(r.shown)
		}
	}
	r.onMiddle = func() {
		t.shell.Used()
		t.Browse(r.shown)
	}
	r.onStory = func() {
		t.shell.Used()
		t.ToggleStory(r.shown)
	}
	r.OnMenu = func(at fyne.Position) {
		t.shell.Used()
		t.session.List.Selection.Target = t.session.List.IDs[i]
		t.Menu(at)
	}
	if a != nil {
		t.shell.CheckFonts(a.Title, a.Summary, a.FeedTitle)
	}
	if i == 0 && !t.replacing && t.NewArticles.Visible() {
		t.shell.Do(t.announceNew) // not while the list is laid out
	}
	if a == nil {
		t.loadPage(i / session.PageSize)
	}
}

// loadPage loads a page of rows.
func (t *Pane) loadPage(page int) {
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
				t.List.Refresh()
				t.showGroup()
			}
		})
	})
}

// selected opens the article of a row.
func (t *Pane) selected(i int) {
	if i >= len(t.session.List.IDs) || t.session.List.IDs[i] == t.session.List.Current {
		return
	}
	t.session.List.Follow(t.session.List.IDs[i])
	t.Opened(t.session.List.Current)
}

// Follow makes an article the current one that is being read already.
func (t *Pane) Follow(id int64) {
	t.session.List.Follow(id)
	if at := slices.Index(t.session.List.IDs, id); at >= 0 {
		t.List.SelectSilently(at)
		t.List.ScrollTo(at)
	}
}

// Next selects the article step rows after the current one, or before it if step is negative.
func (t *Pane) Next(step int) {
	if len(t.session.List.IDs) == 0 {
		return
	}
	t.ClearSelection()
	t.List.Select(min(max(t.List.Chosen+step, 0), len(t.session.List.IDs)-1))
}

// Open shows the article with this id, adding it to the list if it is missing there.
func (t *Pane) Open(id int64) {
	at, added := t.session.List.RowOf(id)
	if added {
		t.List.Refresh()
	}
	t.List.Select(at)
}

// Close shows no article as the current one.
func (t *Pane) Close() {
	t.session.List.Current = 0
	t.List.Clear()
}

// RowStep is the distance between the tops of two rows.
func (t *Pane) RowStep() float32 { return t.Density.height() + theme.Padding() }

// RowsShown is how many rows are on screen at most.
func (t *Pane) RowsShown() int { return int(t.List.Size().Height/t.RowStep()) + 2 }
