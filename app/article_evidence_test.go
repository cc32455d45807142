package app

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/reader"
	"kairos/useraccess"
)

func TestArticleGlance(t *testing.T) {
	at := func(seconds float64) time.Time { return noon.Add(time.Duration(seconds * float64(time.Second))) }
	type step struct {
		article int64
		at      time.Time
		walked  bool
	}
	for name, c := range map[string]struct {
		steps []step
		want  []int64
	}{
		"one by one":                {[]step{{1, at(0), true}, {2, at(1), true}, {3, at(2.9), true}}, []int64{0, 1, 2}},
		"a key held down":           {[]step{{1, at(0), true}, {2, at(0.05), true}, {3, at(0.1), true}}, []int64{0, 0, 0}},
		"it stayed":                 {[]step{{1, at(0), true}, {2, at(2), true}}, []int64{0, 0}},
		"another feed was chosen":   {[]step{{1, at(0), true}, {2, at(1), false}}, []int64{0, 0}},
		"the same again":            {[]step{{1, at(0), true}, {1, at(1), true}, {2, at(1.5), true}}, []int64{0, 0, 1}},
		"the clock was set back":    {[]step{{1, at(0), true}, {2, at(-3600), true}, {3, at(-3599), true}}, []int64{0, 0, 2}},
		"the clock was set forward": {[]step{{1, at(0), true}, {2, at(1e6), true}}, []int64{0, 0}},
	} {
		var g articleGlance
		for k, s := range c.steps {
			if got := g.show(s.article, s.at, s.walked); got != c.want[k] {
				t.Errorf("%s: step %d tells that %d was passed over, want %d", name, k, got, c.want[k])
			}
		}
	}
	g := articleGlance{1, at(0)}
	if g.leave(); g.show(2, at(1), true) != 0 {
		t.Error("what was left was passed over")
	}
}

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
		q.until(what, func() bool {
			readings, err := w.shell.Home.Log.Readings(t.Context(), time.Time{})
			if err != nil {
				t.Fatal(err)
			}
			got := map[int64]useraccess.Evidence{}
			for _, r := range readings {
				got[r.Article] = r.Evidence
				if a := w.timeline.rows[r.Article]; a != nil && a.Feed != r.Feed {
					t.Errorf("article %d is of feed %d, not %d", r.Article, a.Feed, r.Feed)
				}
			}
			return fmt.Sprint(got) == fmt.Sprint(known)
		})
	}
	show := func(row int, after time.Duration) int64 {
		t.Helper()
		clock.Add(after.Milliseconds())
		id := w.timeline.ids[row]
		w.timeline.list.Select(row)
		q.until("an article is shown", func() bool { return w.article.isShown(id) })
		return id
	}
	first := show(0, 0)
	second := show(1, time.Second)
	expect("one was passed over", map[int64]useraccess.Evidence{first: useraccess.Passed})
	third := show(2, 50*time.Millisecond)
	fourth := show(3, time.Second)
	expect("another was jumped over", map[int64]useraccess.Evidence{third: useraccess.Passed})
	w.actions.markAllRead()
	q.until("all are read", func() bool {
		unread, err := w.shell.Home.Store.Articles.IDs(t.Context(), reader.Query{View: reader.Unread})
		return err == nil && len(unread) == 0
	})
	w.actions.toggleStar()
	expect("the mark of all is no evidence, a star is", map[int64]useraccess.Evidence{fourth: useraccess.Read})
	show(1, 0)
	w.share.copyQuotes()
	expect("it was shared", map[int64]useraccess.Evidence{second: useraccess.Read})
	w.actions.labels.putNew(reader.Label{Name: "Later", Color: 1}, []int64{first}, func(err error) { t.Error(err) }, func() {})
	expect("what was passed over was labeled", map[int64]useraccess.Evidence{first: useraccess.Read})
	w.article.player.play(reader.Playable{Article: third, URL: "https://one.test/a.mp3"}, false)
	expect("what was passed over was played", map[int64]useraccess.Evidence{third: useraccess.Read})
	if i, err := w.shell.Home.Log.Interests(t.Context()); err != nil || len(i) == 0 {
		t.Errorf("%v (%v)", i, err)
	}
	if err := w.shell.Home.Visits.SetLearning(t.Context(), "off"); err != nil {
		t.Fatal(err)
	}
	show(4, 0)
	w.actions.toggleStar()
	q.until("it is starred", func() bool { return w.timeline.rows[w.timeline.ids[4]].Starred })
	w.shell.Wait()
	expect("nothing is noted while learning is off", nil)
}
