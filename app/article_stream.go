package app

import (
	"context"
	"slices"

	"kairos/app/article"
	"kairos/app/async"
	"kairos/app/panes"
	"kairos/app/session"
	"kairos/reader"
)

// articleStream is the combined layout: the articles of the list one below the other. It belongs to the article pane, which
// shows what concerns the article at the top.
type articleStream struct {
	session  *session.Session
	pane     *articlePane
	timeline *timeline
	panes    *panes.Panes
	actions  *articleActions
	focused  func(id int64) // an article has become the current one because the user scrolled to it

	on      bool // the layout asks for it
	wanted  bool // another item was chosen, whose articles are to be shown once they are listed
	marks   bool // what is scrolled past is marked read
	opening bool
	loaded  map[int64]*shownArticle // near the viewport, without their texts
	loading map[int64]*async.Request
	passing *passedArticles
}

// passedArticles are those that were marked read while scrolling through one list: they are undone together.
type passedArticles struct{ ids []int64 }

func newArticleStream(p *articlePane) *articleStream {
	return &articleStream{pane: p, session: p.session, marks: true, passing: &passedArticles{}, loaded: map[int64]*shownArticle{}, loading: map[int64]*async.Request{}}
}

// set switches the stream on or off, and shows what was being read in the other way.
func (s *articleStream) set(on bool) {
	if s.on == on {
		return
	}
	s.on = on
	switch {
	case !on:
		if s.session.Shown != nil {
			s.pane.open(s.session.Shown.ID)
		} else if !s.pane.page.shown() {
			s.pane.clear()
		}
	case s.panes.Covered():
		s.wanted = true
	case s.session.List.Current != 0:
		s.pane.open(s.session.List.Current)
		s.panes.Reveal(panes.Article)
	default:
		s.choose()
		s.listed(true)
	}
}

// choose says that the articles of another item are to be shown.
func (s *articleStream) choose() {
	s.wanted = s.on
	s.passing = &passedArticles{}
}

// listed follows the list: it begins with the first unread article of an item that was chosen. reveal is whether the
// stream may take the place of the list.
func (s *articleStream) listed(reveal bool) {
	t := s.timeline
	switch {
	case !s.on || s.pane.page.shown():
	case s.wanted && len(s.session.List.IDs) == 0:
		s.panes.Reveal(panes.List) // which says why
	case s.wanted && s.session.List.Current == 0 && reveal:
		i, known := s.session.UnreadBelow()
		if !known {
			i = 0
		}
		s.session.Unasked = session.Unasked{ID: s.session.List.IDs[i]}
		t.list.Select(i)
	default:
		s.follow()
	}
}

// follow takes over what was added to the list and removed from it, while the stream is on screen.
func (s *articleStream) follow() {
	if s.on && s.panes.Shown(panes.Article) && !s.pane.page.shown() {
		s.pane.view.SetStream(s.session.List.IDs)
	}
}

// open brings an article to the top.
func (s *articleStream) open(id int64) {
	p := s.pane
	s.wanted = false
	p.stopTimer()
	p.request.Stop()
	p.page.close()
	p.view.Show()
	s.opening = true
	p.view.ShowStream(s.session.List.IDs, id, article.StreamEvents{Wanted: s.load, Dropped: s.drop, Current: s.scrolledTo, Passed: s.passed})
	s.opening = false
	s.show(id)
}

// show shows what concerns the article at the top, once that is loaded.
func (s *articleStream) show(id int64) {
	p, one := s.pane, s.loaded[id]
	p.stopTimer()
	if one == nil {
		return
	}
	a := one.article
	p.session.Shown, p.fullText, p.files, p.played = &a, one.fullText, one.files, one.played
	p.displayed(*one)
}

// scrolledTo shows what concerns an article that the user has scrolled to.
func (s *articleStream) scrolledTo(id int64) {
	s.timeline.follow(id)
	s.session.Unasked = session.Unasked{ID: id}
	s.show(id)
	s.focused(id)
}

// load supplies an article. The next frame waits for those that are opened, not for those that come near.
func (s *articleStream) load(id int64) {
	r := &async.Request{}
	s.loading[id] = r
	load, show := func(ctx context.Context) (shownArticle, error) { return s.pane.load(ctx, id) }, func(one shownArticle) {
		if s.loading[id] != r {
			return
		}
		delete(s.loading, id)
		one.article.ID = id // also of one that was deleted meanwhile
		s.supply(one)
		if id == s.session.List.Current {
			s.show(id)
		}
	}
	if s.opening {
		async.LoadSoon(s.pane.shell.Jobs, r, load, show)
	} else {
		async.Load(s.pane.shell.Jobs, r, load, show)
	}
}

// supply gives the view an article.
func (s *articleStream) supply(one shownArticle) {
	s.pane.view.Supply(one.article.ID, one.content(s.pane.shell.Now()), feedPictures{s.pane.pictures, one.article.Feed})
	one.body.Blocks = nil
	s.loaded[one.article.ID] = &one
}

// drop forgets an article that is far from the viewport.
func (s *articleStream) drop(id int64) {
	if r := s.loading[id]; r != nil {
		r.Stop()
	}
	delete(s.loading, id)
	delete(s.loaded, id)
}

// passed marks articles that were scrolled past as read. All of one list are undone together.
func (s *articleStream) passed(ids []int64) {
	batch := s.passing
	ids = slices.DeleteFunc(slices.Clone(ids), func(id int64) bool {
		a := s.session.Find(id)
		if one := s.loaded[id]; a == nil && one != nil {
			a = &one.article
		}
		return a != nil && s.session.Marks.Value(a, reader.FlagRead)
	})
	if !s.marks || len(ids) == 0 {
		return
	}
	s.session.List.Keep(ids...)
	s.timeline.markThen(ids, reader.FlagRead, true, func(changed []int64) {
		if len(changed) == 0 {
			return
		}
		undo := s.pane.shell
		if !undo.History.Continues(batch) {
			batch.ids = nil
		}
		batch.ids = append(batch.ids, changed...)
		undo.AddUndoOf(batch, markedText(reader.FlagRead, true, len(batch.ids)), s.session.Marks.Undo(slices.Clone(batch.ids), reader.FlagRead, true))
	})
}
