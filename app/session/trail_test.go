package session

import "testing"

// One goes back and forward through articles and places; what was ahead is forgotten where one turns off.
func TestTrail(t *testing.T) {
	var tr Trail
	step := func(move func() (Stop, bool), key string, article int64) {
		t.Helper()
		s, ok := move()
		if !ok || s.Place.Key != key || s.Article != article {
			t.Fatalf("to %q, %d (%t), want %q, %d", s.Place.Key, s.Article, ok, key, article)
		}
		tr.Note(Stop{Place: s.Place}) // the place is chosen, and then its article opened
		tr.Note(s)
	}
	end := func(move func() (Stop, bool)) {
		t.Helper()
		if s, ok := move(); ok {
			t.Fatalf("there is %q, %d", s.Place.Key, s.Article)
		}
	}
	end(tr.Back)
	tr.Note(Stop{Place: all})
	tr.Note(Stop{Place: all, Article: 5})
	tr.Note(Stop{Place: all, Article: 4})
	tr.Note(Stop{Place: all, Article: 4})
	tr.Note(Stop{Place: feed})
	tr.Note(Stop{Place: unread}) // on the way to another
	end(tr.Forward)
	step(tr.Back, feed.Key, 0)
	step(tr.Back, all.Key, 4)
	step(tr.Back, all.Key, 5)
	end(tr.Back)
	step(tr.Forward, all.Key, 4)
	step(tr.Forward, feed.Key, 0)
	step(tr.Back, all.Key, 4)
	tr.Note(Stop{Place: all, Article: 9})
	end(tr.Forward)
	step(tr.Back, all.Key, 4)
	tr.Back()
	tr.Note(Stop{Place: unread, Article: 7}) // before the stop was reached, another was chosen
	end(tr.Forward)
	step(tr.Back, all.Key, 5)
	for i := range int64(2 * maxStops) {
		tr.Note(Stop{Place: all, Article: 100 + i})
	}
	n := 0
	for _, ok := tr.Back(); ok; _, ok = tr.Back() {
		n++
	}
	if n != maxStops-1 {
		t.Errorf("one can go back by %d", n)
	}
}
