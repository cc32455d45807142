package app

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/home"
	"kairos/app/session"
	"kairos/reader"
	"kairos/useraccess"
)

// What the user does to single articles tells what is read; what is marked in bulk tells nothing.
func TestEvidenceOfReading(t *testing.T) {
	var clock atomic.Int64
	clock.Store(noon.UnixMilli())
	w, q := newTestWindowWith(t, home.Options{Now: func() time.Time { return time.UnixMilli(clock.Load()).UTC() }})
	known := map[int64]useraccess.Evidence{}
	expect := func(what string, of map[int64]useraccess.Evidence) {
		t.Helper()
		for id, e := range of {
			known[id] = e
		}
		q.Until(what, func() bool {
			readings, err := w.shell.Home.Log.Readings(t.Context(), time.Time{})
			if err != nil {
				t.Fatal(err)
			}
			got := map[int64]useraccess.Evidence{}
			for _, r := range readings {
				got[r.Article] = r.Evidence
				if a := w.session.List.Loaded[r.Article]; a != nil && a.Feed != r.Feed {
					t.Errorf("article %d is of feed %d, not %d", r.Article, a.Feed, r.Feed)
				}
			}
			return fmt.Sprint(got) == fmt.Sprint(known)
		})
	}
	show := func(row int, after time.Duration) int64 {
		t.Helper()
		clock.Add(after.Milliseconds())
		id := w.session.List.IDs[row]
		w.timeline.List.Select(row)
		q.Until("an article is shown", func() bool { return w.session.IsShown(id) })
		return id
	}
	first := show(0, 0)
	second := show(1, time.Second)
	expect("one was passed over", map[int64]useraccess.Evidence{first: useraccess.Passed})
	third := show(2, 50*time.Millisecond)
	fourth := show(3, time.Second)
	expect("another was jumped over", map[int64]useraccess.Evidence{third: useraccess.Passed})
	w.actions.MarkAllRead()
	q.Until("all are read", func() bool {
		unread, err := w.shell.Home.Store.Articles.IDs(t.Context(), reader.Query{View: reader.Unread})
		return err == nil && len(unread) == 0
	})
	w.actions.ToggleStar()
	expect("the mark of all is no evidence, a star is", map[int64]useraccess.Evidence{fourth: useraccess.Read})
	show(1, 0)
	w.share.CopyQuotes()
	expect("it was shared", map[int64]useraccess.Evidence{second: useraccess.Read})
	w.labels.PutNew(reader.Label{Name: "Later", Color: 1}, []int64{first}, func(err error) { t.Error(err) }, func() {})
	expect("what was passed over was labeled", map[int64]useraccess.Evidence{first: useraccess.Read})
	w.article.Player.Play(reader.Playable{Article: third, URL: "https://one.test/a.mp3"})
	expect("what was passed over was played", map[int64]useraccess.Evidence{third: useraccess.Read})
	if i, err := w.shell.Home.Log.Interests(t.Context()); err != nil || len(i) == 0 {
		t.Errorf("%v (%v)", i, err)
	}
	if err := w.shell.Home.Visits.SetLearning(t.Context(), "off"); err != nil {
		t.Fatal(err)
	}
	show(4, 0)
	w.actions.ToggleStar()
	q.Until("it is starred", func() bool { return w.session.List.Loaded[w.session.List.IDs[4]].Starred })
	w.shell.Wait()
	expect("nothing is noted while learning is off", nil)
}

// An article that is shown unasked is read once the user scrolls it.
func TestReadingOnReadsWhatIsShownUnasked(t *testing.T) {
	w, q := newTestWindow(t)
	w.win.Resize(fyne.NewSize(900, 400))
	exec(t, w, "UPDATE body SET html = ?", strings.Repeat("<p>"+strings.Repeat("Many words. ", 40)+"</p>", 40))
	w.sidebar.ChooseKey(session.FeedKey(1))
	q.Until("the first article is shown", func() bool { return w.session.Shown != nil })
	id := w.session.Shown.ID
	if w.session.Unasked.ID != id || isRead(t, w, id) {
		t.Fatal("it is read as it is shown")
	}
	w.article.View.PageDown()
	q.Until("it is read", func() bool { return isRead(t, w, id) && w.session.Unasked.ID == 0 })
}
