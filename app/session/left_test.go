package session

import (
	"reflect"
	"slices"
	"testing"

	"kairos/reader"
)

// The list comes back to the place, the article and the row at the top that were left, once, and what has been chosen meanwhile stays.
func TestReturn(t *testing.T) {
	left := Left{Place: unread.Key, Article: 4, At: Position{Article: 4, Text: 7}, Top: 5, Above: 0.5, Folded: []string{"News"}}
	if got := ParseLeft(left.String()); !reflect.DeepEqual(got, left) {
		t.Errorf("stored and read: %+v", got)
	}
	if got := ParseLeft("{nonsense"); got.Place != "" {
		t.Errorf("read of nonsense: %+v", got)
	}
	start := func() *Session {
		s := New(all, NewMarks(nil, nil))
		s.ReturnTo(left)
		return s
	}
	list := func(s *Session, part bool, ids ...int64) { s.List.Take(Page{IDs: ids, Part: part}) }

	s := start()
	list(s, false, 5, 4)
	if row, top, _ := s.Resume(true); row != -1 || top != -1 {
		t.Errorf("in another place: row %d, top %d", row, top)
	}
	if got := s.Left(Left{}); got.Place != unread.Key || got.Article != 4 {
		t.Errorf("before it has come back: %+v", got)
	}
	s.Choose(unread)
	if q := s.Query(reader.Query{}.Since, false); !slices.Equal(q.AlsoList, []int64{4}) {
		t.Errorf("what was being read is listed, too: %v", q.AlsoList)
	}
	list(s, true, 6, 5)
	if row, top, _ := s.Resume(true); row != -1 || top != -1 {
		t.Errorf("before all are listed: row %d, top %d", row, top)
	}
	list(s, false, 6, 5, 4)
	if row, top, back := s.Resume(true); row != 2 || top != 1 || !reflect.DeepEqual(back, left) || s.Unasked != (Unasked{ID: 4, Again: true}) {
		t.Errorf("row %d, top %d, %+v", row, top, s.Unasked)
	}
	if row, top, _ := s.Resume(true); row != -1 || top != -1 {
		t.Errorf("again: row %d, top %d", row, top)
	}
	s.List.Follow(6)
	at := Position{Article: 6, Text: 2}
	if got := s.Left(Left{Top: 5, At: at}); got.Place != unread.Key || got.Article != 6 || got.Top != 5 || got.At != at {
		t.Errorf("left as %+v", got)
	}
	if got := s.Left(Left{At: Position{Article: 5, Text: 2}}); got.At != (Position{}) {
		t.Errorf("the place in the article before is told of the one that is being loaded: %+v", got)
	}

	for what, meanwhile := range map[string]func(*Session){
		"another place was chosen":   func(s *Session) { s.Choose(folder); s.Choose(unread) },
		"another article was opened": func(s *Session) { s.Choose(unread); s.List.Follow(5) },
		"the place does not exist":   func(s *Session) { s.StayHere(); s.Place = unread },
		"the article is gone":        func(s *Session) { s.left.Article = 9; s.Choose(unread) },
	} {
		s := start()
		meanwhile(s)
		list(s, false, 5, 4)
		if row, _, _ := s.Resume(true); row != -1 {
			t.Errorf("%s: row %d", what, row)
		}
	}
	s = start()
	s.Choose(unread)
	list(s, false, 5, 4)
	if row, top, _ := s.Resume(false); row != -1 || top != 0 {
		t.Errorf("without room for an article: row %d, top %d", row, top)
	}
}

// Positions are bounded; those of articles that are unread or starred stay longest, and one article has one.
func TestPositions(t *testing.T) {
	p := ParsePositions("{nonsense")
	p.Set(Position{Article: 1, Text: 3, Wanted: true})
	p.Set(Position{Article: 2, Text: 4})
	p.Set(Position{Article: 1, Text: 5, Offset: 7, Wanted: true})
	if at, ok := ParsePositions(p.String()).In(1); !ok || at != (Position{Article: 1, Text: 5, Offset: 7, Wanted: true}) || len(p) != 2 {
		t.Errorf("%+v of %+v", at, p)
	}
	for id := range int64(maxPositions - 1) {
		p.Set(Position{Article: 10 + id})
	}
	_, wanted := p.In(1)
	if _, other := p.In(2); !wanted || other || len(p) != maxPositions {
		t.Errorf("of %d, the one of an unread article is there: %t, the older one of a read article: %t", len(p), wanted, other)
	}
	if p.Drop(1); len(p) != maxPositions-1 {
		t.Errorf("%d are left", len(p))
	}
	if _, ok := p.In(1); ok || Positions(nil).String() != "" {
		t.Error("what was dropped is there")
	}
}

// An article that the user asked for is opened like any other, also where the list has the place of the article; the page of what
// came while the user was away does not come back.
func TestReturnToWhatWasAskedFor(t *testing.T) {
	s := New(all, NewMarks(nil, nil))
	s.ReturnTo(Left{Place: folder.Key, Article: 3, Asked: true})
	s.Choose(folder)
	s.List.Take(Page{IDs: []int64{5, 3}})
	if row, _, _ := s.Resume(false); row != 1 || s.Unasked.ID != 0 || !s.Opened(3) {
		t.Errorf("row %d, %+v", row, s.Unasked)
	}
	s.Choose(Place{Key: Away, Query: NoArticles})
	if left := s.Left(Left{Folded: []string{"A"}}); left.Place != Unread || len(left.Folded) != 1 || s.Cover() != AwayPage || s.ListsArticles() {
		t.Errorf("left %+v, %v", left, s.Cover())
	}
}
