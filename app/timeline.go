package app

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/widgets"
	"kairos/reader"
)

// pageSize is how many rows are loaded at a time.
const pageSize = 100

// timeline is the middle pane: the articles of the chosen place, newest first.
// It knows the ids of all and loads what is on screen.
type timeline struct {
	w     *window
	pane  fyne.CanvasObject
	list  *widgets.List
	empty *fyne.Container
	hint  *widget.Label
	add   *widget.Button
	bring *widget.Button
	ways  *searchWays
	anew  bool           // another search: its list begins at the top
	fresh *widget.Button // says that new articles stand above

	arranged arrangement
	choice   choice
	pointed  int64 // the article a menu was opened on, else 0
	pending  bool  // another place was chosen, and nothing of it is on screen yet
	changing bool  // the list is being put in place of another
	head     int64 // the first article when the list's top was last seen,
	newest   int64 // and the highest number seen at all

	ids    []int64
	rows   map[int64]*reader.Article
	asked  map[int]bool // pages being loaded
	keep   []int64      // read since the place was chosen: they stay in Unread
	chosen int64        // id of the article shown; 0: none
	age    int          // of ids, so that late pages are dropped
	before remembered

	found foundWords

	marks   map[mark]marked // on their way to the store
	marking int             // so far
	stored  chan struct{}   // closed when the last of them is there or has failed
}

// mark is a flag of an article.
type mark struct {
	id   int64
	flag reader.Flag
}

// marked is what a mark will be, and which of the marks made it that.
type marked struct {
	on     bool
	number int
}

// maxKeep bounds what stays in Unread after having been read.
const maxKeep = 400

func newTimeline(w *window) *timeline {
	t := &timeline{w: w, rows: map[int64]*reader.Article{}, asked: map[int]bool{}, marks: map[mark]marked{}, stored: make(chan struct{})}
	close(t.stored)
	t.list = widgets.NewList(w.passKeys(), func() int { return len(t.ids) },
		func() fyne.CanvasObject { return newTimelineRow() }, t.update)
	t.list.OnSelected = t.selected
	t.list.OnExtend = t.reach
	t.list.OnMove = func() { t.unpick() }
	t.hint = widget.NewLabel("")
	t.hint.Alignment = fyne.TextAlignCenter
	t.hint.Wrapping = fyne.TextWrapWord
	t.add = widget.NewButtonWithIcon(lang.L("Add a feed…"), theme.ContentAddIcon(), func() { w.addFeed("") })
	t.add.Importance = widget.HighImportance
	t.bring = widget.NewButtonWithIcon(lang.L("Import a list…"), theme.FolderOpenIcon(), w.importDialog)
	t.ways = newSearchWays(w)
	t.fresh = widget.NewButton("", t.toTop)
	t.fresh.Importance = widget.HighImportance
	t.fresh.Hide()
	t.arranged = savedArrangement(w.app.Preferences())
	t.empty = container.NewVBox(t.hint, container.NewCenter(container.NewHBox(t.add, t.bring)), t.ways.Container)
	t.empty.Hide()
	ground := canvas.NewRectangle(theme.Current().Color(look.ColorList, w.app.Settings().ThemeVariant()))
	w.app.Settings().AddListener(func(fyne.Settings) {
		ground.FillColor = theme.Current().Color(look.ColorList, w.app.Settings().ThemeVariant())
		ground.Refresh()
	})
	t.pane = container.NewStack(ground, t.list, t.list.Ring, container.NewBorder(widget.NewLabel(""), nil, nil, nil, t.empty),
		container.NewVBox(container.NewCenter(t.fresh)))
	return t
}

// reset forgets the place that was shown.
func (t *timeline) reset() {
	t.keep, t.chosen, t.pointed, t.head = nil, 0, 0, 0
	t.choice = choice{}
	t.ids = nil
	// What is on screen stays until there is something to put in its place: painting
	// nothing first would take as long again.
	t.pending = true
	t.age++
}

// clear takes what the place before has left on screen away.
func (t *timeline) clear() {
	t.pending = false
	t.fresh.Hide()
	t.list.Clear()
	t.list.ScrollToTop()
	t.w.reading.clear()
}

// articlePage is what a reload brings: the ids and the rows that are on screen.
type articlePage struct {
	ids    []int64
	rows   []reader.Article
	chosen int64 // when it was asked for
}

// key is that of the list that is to be shown while nothing is searched for.
func (t *timeline) key() listKey { return listKey{t.w.sidebar.chosen.key, t.arranged, t.w.foldStories} }

// reloadArticles loads the list of the chosen place.
func (w *window) reloadArticles() { w.listArticles(false) }

// listArticles loads the list, by hand or because something has changed.
func (w *window) listArticles(byHand bool) {
	t := w.timeline
	q := w.query()
	chosen, of := t.chosen, t.key()
	first := int(t.list.GetScrollOffset() / rowStep())
	if t.pending {
		first = 0
		w.beginArticles(q)
	}
	list := async.Load[articlePage]
	if byHand {
		list = async.LoadSoon[articlePage]
	}
	list(w.Jobs, &w.wantArticles, func(ctx context.Context) (articlePage, error) {
		ids, err := w.home.Store.Articles.IDs(ctx, q)
		if err != nil {
			return articlePage{}, err
		}
		from := min(max(0, first-pageSize/2), len(ids))
		rows, err := w.home.Store.Articles.Load(ctx, ids[from:min(from+pageSize, len(ids))])
		return articlePage{ids, rows, chosen}, err
	}, func(p articlePage) {
		if q.Search == "" && q.Within == "" {
			t.before.keep(of, p.ids)
		}
		w.markFound(q)
		t.show(p)
		if byHand {
			w.sayFound(len(p.ids))
		}
	})
}

// beginArticles shows the beginning of a place that was just chosen; to know all ids of
// a hundred thousand articles takes longer than one waits for.
func (w *window) beginArticles(q reader.Query) {
	if q.ByFeed || q.Search != "" || q.Within != "" {
		return // which feed is the first is known only with all of them; a search is quick
	}
	q.Limit = 2 * pageSize
	of := w.timeline.key()
	async.LoadSoon(w.Jobs, &w.wantFirst, func(ctx context.Context) (articlePage, error) {
		ids, err := w.home.Store.Articles.IDs(ctx, q)
		if err != nil {
			return articlePage{}, err
		}
		rows, err := w.home.Store.Articles.Load(ctx, ids[:min(pageSize/4, len(ids))])
		return articlePage{ids: ids, rows: rows}, err
	}, func(p articlePage) {
		if w.timeline.pending {
			if len(p.ids) == q.Limit {
				p.ids = w.timeline.before.complete(of, p.ids)
			}
			w.timeline.show(p)
		}
	})
}

// show puts a fresh list in place of the old one; what is being read stays
// where it is on screen, also when articles arrived above it.
func (t *timeline) show(p articlePage) {
	if p.chosen != t.chosen && t.chosen != 0 && !slices.Contains(p.ids, t.chosen) {
		// The list is from before the article was chosen and marked read.
		t.w.reloadArticles()
		return
	}
	if t.same(p) {
		t.take(p)
		return
	}
	if t.pending {
		t.clear()
	}
	t.changing = true
	offset, top := t.list.GetScrollOffset(), t.topID()
	// What is being read or looked for stays where it is; who only looks at the top
	// sees what comes.
	stay := !t.anew && (offset > 0 || t.chosen != 0 || len(t.choice.ids) > 0)
	t.anew = false
	t.take(p)
	if t.choice.ids != nil {
		t.prune()
	}
	t.list.Refresh()
	if at := slices.Index(t.ids, top.id); top.id != 0 && at >= 0 && stay {
		t.list.ScrollToOffset(max(0, offset+float32(at-top.index)*rowStep()))
	}
	if at := slices.Index(t.ids, t.chosen); t.chosen != 0 && at >= 0 {
		t.list.SelectSilently(at)
	} else {
		t.list.Clear()
	}
	t.changing = false
	t.tellFresh()
	t.explainEmpty()
	t.w.reading.label()
	t.w.retitle()
}

// take has the list consist of p.
func (t *timeline) take(p articlePage) {
	t.age++
	t.ids, t.rows, t.asked = p.ids, map[int64]*reader.Article{}, map[int]bool{}
	for i := range p.rows {
		t.rows[p.rows[i].ID] = &p.rows[i]
	}
}

// same says that p would change nothing on screen: most commits are about other places, and
// a frame for nothing keeps one that is needed waiting.
func (t *timeline) same(p articlePage) bool {
	if t.pending || t.anew || len(p.ids) == 0 || !slices.Equal(t.ids, p.ids) {
		return false
	}
	rows := make(map[int64]*reader.Article, len(p.rows))
	for i := range p.rows {
		rows[p.rows[i].ID] = &p.rows[i]
	}
	top := int(t.list.GetScrollOffset() / rowStep())
	shown := int(t.list.Size().Height/rowStep()) + 2
	for _, id := range t.ids[min(top, len(t.ids)):min(top+shown, len(t.ids))] {
		if was, is := t.rows[id], rows[id]; was == nil || is == nil || *was != *is {
			return false
		}
	}
	return true
}

type topRow struct {
	id    int64
	index int
}

func (t *timeline) topID() topRow {
	i := int(t.list.GetScrollOffset() / rowStep())
	if i < 0 || i >= len(t.ids) {
		return topRow{}
	}
	return topRow{t.ids[i], i}
}

func (t *timeline) explainEmpty() {
	if len(t.ids) > 0 {
		t.empty.Hide()
		return
	}
	t.add.Hidden = len(t.w.sidebar.feeds) > 0
	t.bring.Hidden = t.add.Hidden
	t.ways.Hide()
	switch {
	case t.w.search.typed() != "":
		t.hint.SetText(t.ways.explain())
	case len(t.w.sidebar.feeds) == 0:
		t.hint.SetText(lang.L("There are no feeds yet.") + "\n\n" + lang.L("Add one by its address or the address of its site, or import a list from another reader."))
	case t.w.sidebar.chosen.key == "unread":
		t.hint.SetText(lang.L("Everything is read."))
	case t.w.sidebar.chosen.key == "starred":
		t.hint.SetText(lang.L("Nothing starred yet. Press s on an article to keep it here."))
	default:
		t.hint.SetText(lang.L("No articles here."))
	}
	t.empty.Show()
	t.empty.Refresh()
}

// unreadBelow is the next unread row below the chosen one, as far as the rows
// are known.
func (t *timeline) unreadBelow() (row int, known bool) {
	for i := t.list.Chosen + 1; i < len(t.ids); i++ {
		a := t.rows[t.ids[i]]
		if a == nil {
			return 0, false
		}
		if !t.will(a, reader.FlagRead) {
			return i, true
		}
	}
	return 0, false
}

func (t *timeline) update(i int, o fyne.CanvasObject) {
	r := o.(*timelineRow)
	if i >= len(t.ids) {
		return
	}
	a := t.rows[t.ids[i]]
	var pic *picture
	if a != nil {
		pic = t.w.icons.get(a.Feed)
	}
	r.set(a, pic, t.found.marks, t.w.now())
	r.mark(t.choice.ids[t.ids[i]], t.headingOf(i))
	r.picture(t.w.thumbs.get(a))
	r.OnTapped = func() {
		t.w.used()
		t.tapped(i)
		t.w.win.Canvas().Focus(t.list)
	}
	r.OnMenu = func(at fyne.Position) {
		t.w.used()
		t.pointed = t.ids[i]
		t.w.articleMenu(at)
	}
	if i == 0 && !t.changing {
		t.tellFresh()
	}
	if a == nil {
		t.load(i / pageSize)
	}
}

// load fetches a page of rows.
func (t *timeline) load(page int) {
	if t.asked[page] {
		return
	}
	t.asked[page] = true
	age := t.age
	ids := t.ids[page*pageSize : min((page+1)*pageSize, len(t.ids))]
	w := t.w
	w.Go(func() {
		rows, err := w.home.Store.Articles.Load(w.Ctx, ids)
		if err != nil || w.Ctx.Err() != nil {
			return
		}
		w.Do(func() {
			if t.age != age {
				return
			}
			for i := range rows {
				t.rows[rows[i].ID] = &rows[i]
			}
			t.list.Refresh()
		})
	})
}

// selected shows the article of a row and marks it read.
func (t *timeline) selected(i int) {
	if i >= len(t.ids) {
		return
	}
	id := t.ids[i]
	if id == t.chosen {
		return
	}
	t.chosen, t.pointed = id, 0
	w := t.w
	full := t.rows[id] != nil && w.wantsFullText(t.rows[id].Feed)
	async.LoadSoon(w.Jobs, &w.wantBody, func(ctx context.Context) (shownArticle, error) {
		return w.loadBody(ctx, id, full)
	}, w.reading.show)
	if m := w.reading.opensMark; m != openMarksLater && m != openMarksNever {
		t.mark([]int64{id}, reader.FlagRead, true)
		t.stay([]int64{id})
	}
}

// stay keeps articles in the list although they are read now.
func (t *timeline) stay(ids []int64) {
	t.keep = append(t.keep, ids...)
	t.keep = t.keep[max(0, len(t.keep)-maxKeep):]
}

// mark marks articles. They are shown so once that is stored: what is shown is not lost.
func (t *timeline) mark(ids []int64, flag reader.Flag, on bool) {
	t.marking++
	number := t.marking
	for _, id := range ids {
		t.marks[mark{id, flag}] = marked{on, number}
	}
	w, before, stored := t.w, t.stored, make(chan struct{})
	t.stored = stored
	w.Work(func(ctx context.Context) error {
		defer close(stored)
		<-before // the last of two marks is the one that counts
		_, err := w.home.Mark(ctx, ids, flag, on)
		return err
	}, func(err error) {
		for _, id := range ids {
			if m := (mark{id, flag}); t.marks[m].number == number {
				delete(t.marks, m)
			}
			if err == nil {
				t.showMark(id, flag, on)
			}
		}
		t.list.Refresh()
		w.reading.label()
		if err != nil {
			w.say(language.Printer().Sentences(lang.L("Not marked."), errorText(err)))
		}
	})
}

// showMark shows what is stored.
func (t *timeline) showMark(id int64, flag reader.Flag, on bool) {
	if a := t.rows[id]; a != nil {
		*flagOf(a, flag) = on
	}
	if a := t.w.reading.shown; a != nil && a.ID == id {
		*flagOf(a, flag) = on
	}
}

func flagOf(a *reader.Article, flag reader.Flag) *bool {
	if flag == reader.FlagStarred {
		return &a.Starred
	}
	return &a.Read
}

// will is what a flag of an article will be when all marks are stored.
func (t *timeline) will(a *reader.Article, flag reader.Flag) bool {
	if m, ok := t.marks[mark{a.ID, flag}]; ok {
		return m.on
	}
	return *flagOf(a, flag)
}

// next chooses the article after (or before) the chosen one.
func (t *timeline) next(step int) {
	if len(t.ids) == 0 {
		return
	}
	t.unpick()
	t.list.Select(min(max(t.list.Chosen+step, 0), len(t.ids)-1))
}

// choose shows the article with this id, adding it to the list if the list does
// not have it yet.
func (t *timeline) choose(id int64) {
	at := slices.Index(t.ids, id)
	if at < 0 {
		t.ids = append([]int64{id}, t.ids...)
		at = 0
		t.list.Refresh()
	}
	t.list.Select(at)
}
