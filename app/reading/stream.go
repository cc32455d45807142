package reading

import (
	"context"
	"slices"

	"kairos/app/article"
	"kairos/app/async"
	"kairos/app/panes"
	"kairos/app/session"
	"kairos/app/shell"
	"kairos/reader"
)

// Stream is the combined layout: the articles of the list one below the other. It belongs to the article pane, which
// shows what concerns the article at the top.
type Stream struct {
	session *session.Session
	pane    *Pane
	panes   *panes.Panes

	On      bool // the layout asks for it
	Marks   bool // what is scrolled past is marked read
	opening bool
	loaded  map[int64]*shownArticle // near the viewport, without their texts
	Loading map[int64]*async.Request
	passing *passedArticles
}

// passedArticles are those that were marked read while scrolling through one list: they are undone together.
type passedArticles struct{ ids []int64 }

func newStream(p *Pane) *Stream {
	return &Stream{pane: p, session: p.session, Marks: true, passing: &passedArticles{}, loaded: map[int64]*shownArticle{}, Loading: map[int64]*async.Request{}}
}

// Arrange tells the stream where the panes stand.
func (s *Stream) Arrange(in *panes.Panes) {
	s.panes, s.On = in, in.Layout() == session.Combined
	s.Choose()
}

// Set switches the stream on or off, and shows what was being read in the other way.
func (s *Stream) Set(on bool) {
	if s.On == on {
		return
	}
	s.On = on
	switch {
	case !on:
		if s.session.Shown != nil {
			s.pane.Open(s.session.Shown.ID)
		} else if !s.pane.StatusShown() {
			s.pane.Clear()
		}
	case s.panes.Covered():
		s.session.StreamWanted = true
	case s.session.List.Current != 0:
		s.pane.Open(s.session.List.Current)
		s.panes.Reveal(session.PaneArticle)
	default:
		s.Choose()
		s.Listed(true)
	}
}

// Choose says that the articles of another item are to be shown.
func (s *Stream) Choose() {
	s.session.StreamWanted = s.On
	s.passing = &passedArticles{}
}

// Listed follows the list: it begins with the first unread article of an item that was chosen. reveal is whether the
// stream may take the place of the list.
func (s *Stream) Listed(reveal bool) {
	if !s.On {
		return
	}
	switch step, row := s.session.StreamListed(reveal); step {
	case session.StreamGivesWay:
		s.panes.Reveal(session.PaneList)
	case session.StreamBegins:
		s.pane.SelectRow(row)
	case session.StreamFollows:
		s.Follow()
	}
}

// Follow takes over what was added to the list and removed from it, while the stream is on screen.
func (s *Stream) Follow() {
	if s.On && s.panes.Shown(session.PaneArticle) && !s.pane.StatusShown() {
		s.pane.View.SetStream(s.session.List.IDs)
	}
}

// open brings an article to the top.
func (s *Stream) open(id int64) {
	p := s.pane
	s.session.StreamWanted = false
	p.opened.stop()
	p.request.Stop()
	p.page.Close()
	p.View.Show()
	s.opening = true
	p.View.ShowStream(s.session.List.IDs, id, article.StreamEvents{Wanted: s.load, Dropped: s.drop, Current: s.scrolledTo, Passed: s.passed})
	s.opening = false
	s.show(id)
}

// show shows what concerns the article at the top, once that is loaded.
func (s *Stream) show(id int64) {
	p, one := s.pane, s.loaded[id]
	p.opened.stop()
	if one == nil {
		return
	}
	a := one.article
	p.session.Shown, p.FullText, p.files, p.Played = &a, one.fullText, one.files, one.played
	p.displayed(*one)
}

// scrolledTo shows what concerns an article that the user has scrolled to.
func (s *Stream) scrolledTo(id int64) {
	s.session.List.Follow(id)
	s.session.Unasked = session.Unasked{ID: id}
	s.show(id)
	s.pane.ScrolledTo(id)
}

// load supplies an article. The next frame waits for those that are opened, not for those that come near.
func (s *Stream) load(id int64) {
	r := &async.Request{}
	s.Loading[id] = r
	load, show := func(ctx context.Context) (shownArticle, error) { return s.pane.load(ctx, id) }, func(one shownArticle) {
		if s.Loading[id] != r {
			return
		}
		delete(s.Loading, id)
		one.article.ID = id // also of one that was deleted meanwhile
		s.supply(one)
		if id == s.session.List.Current {
			s.show(id)
			s.pane.scrollToLeft(id)
		}
	}
	if s.opening {
		async.LoadSoon(s.pane.shell.Jobs, r, load, show)
	} else {
		async.Load(s.pane.shell.Jobs, r, load, show)
	}
}

// supply gives the view an article.
func (s *Stream) supply(one shownArticle) {
	s.pane.View.Supply(one.article.ID, s.pane.content(&one), articlePictures{s.pane.Pictures, one.article.ID, one.article.Feed})
	one.body.Blocks = nil
	s.loaded[one.article.ID] = &one
}

// holds reports whether an article is near the viewport, or comes there.
func (s *Stream) holds(id int64) bool { return s.loaded[id] != nil || s.Loading[id] != nil }

// setPlayed shows what was played of the files of an article.
func (s *Stream) setPlayed(id int64, played map[string]reader.Playback) {
	if one := s.loaded[id]; one != nil {
		one.played = played
		s.pane.View.SetFilesOf(id, filesOf(one.files, played, s.pane.Player.of(id)))
	} else if r := s.Loading[id]; r != nil { // it may have been read before
		r.Stop()
		s.load(id)
	}
}

// drop forgets an article that is far from the viewport.
func (s *Stream) drop(id int64) {
	if r := s.Loading[id]; r != nil {
		r.Stop()
	}
	delete(s.Loading, id)
	delete(s.loaded, id)
}

// passed marks articles that were scrolled past as read. All of one list are undone together.
func (s *Stream) passed(ids []int64) {
	batch := s.passing
	ids = slices.DeleteFunc(slices.Clone(ids), func(id int64) bool {
		a := s.session.Find(id)
		if one := s.loaded[id]; a == nil && one != nil {
			a = &one.article
		}
		return a != nil && s.session.Marks.Value(a, reader.FlagRead)
	})
	if !s.Marks || len(ids) == 0 {
		return
	}
	s.session.List.Keep(ids...)
	s.pane.MarkPassed(ids, func(changed []int64) {
		if len(changed) == 0 {
			return
		}
		undo := s.pane.shell
		if !undo.History.Continues(batch) {
			batch.ids = nil
		}
		batch.ids = append(batch.ids, changed...)
		undo.AddUndoOf(batch, shell.MarkedText(reader.FlagRead, true, len(batch.ids)), s.session.Marks.Undo(slices.Clone(batch.ids), reader.FlagRead, true), s.session.Marks.Undo(slices.Clone(batch.ids), reader.FlagRead, false))
	})
}
