package timeline

import (
	"database/sql"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/home/hometest"
	"kairos/app/session"
	"kairos/app/widgets"
	"kairos/reader"
	"kairos/reader/parse"
	"kairos/useraccess"
)

// feeds are the feeds of the articles listed, from the top.
func (p *pane) feeds() (feeds []int64) {
	for _, id := range p.session.List.IDs {
		if a := p.session.List.Loaded[id]; a != nil {
			feeds = append(feeds, a.Feed)
		}
	}
	return feeds
}

// read notes that the articles of these feeds were read, and that the others were passed over.
func (p *pane) read(t *testing.T, feeds ...int64) {
	t.Helper()
	for i, id := range p.session.List.IDs {
		at := hometest.Noon.Add(time.Duration(i-10) * time.Minute)
		r := useraccess.Reading{At: at, Article: id, Feed: p.session.List.Loaded[id].Feed}
		if slices.Contains(feeds, r.Feed) {
			r.Evidence = useraccess.Read
		}
		if _, err := p.room.Home.Log.NoteReadings(t.Context(), hometest.Noon, r); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLikelyFirst(t *testing.T) {
	p := newPane(t)
	if got := p.feeds(); !slices.Equal(got, []int64{1, 2, 1, 2, 1, 2}) {
		t.Fatalf("newest first are of feeds %v", got)
	}
	p.read(t, 2)
	p.SetOrder(p.session.List.Order.SortedBy(session.LikelyFirst))
	p.room.Queue.Until("the feed that is read comes first", func() bool { return slices.Equal(p.feeds(), []int64{2, 2, 2, 1, 1, 1}) })

	row := newRow()
	p.update(0, row)
	p.room.Queue.Until("the tooltip tells why", func() bool { return strings.Contains(row.tooltip(), "Likely to be read:") })

	// A list stays as it is while it is read, and what is new comes above it.
	listed := slices.Clone(p.session.List.IDs)
	p.read(t, 1)
	err := p.room.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, 1, []parse.Article{{Key: "new", Title: "New", Published: hometest.Noon.Add(-72 * time.Hour)}}, hometest.Noon, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Reload()
	p.room.Queue.Until("the new article stands above the list", func() bool {
		return len(p.session.List.IDs) == 7 && slices.Equal(p.session.List.IDs[1:], listed)
	})
}

func TestExplains(t *testing.T) {
	p := newPane(t)
	a := &Actions{Shell: p.room.Shell, Session: p.session, Timeline: p.Pane}
	a.Explain()
	if p.room.Host.Said == "" || len(p.room.Dialogs.Open) != 0 {
		t.Errorf("without an article: %q, %d dialogs", p.room.Host.Said, len(p.room.Dialogs.Open))
	}
	p.session.List.Follow(p.session.List.IDs[0])
	a.Explain()
	p.room.Queue.Until("it is explained", func() bool { return len(p.room.Dialogs.Open) == 1 })
}

func TestMoreAndFewerLikeThis(t *testing.T) {
	p := newPane(t)
	a := &Actions{Shell: p.room.Shell, Session: p.session, Timeline: p.Pane}
	p.session.List.Follow(p.session.List.IDs[0])
	likings := func() int {
		all, err := p.room.Home.Log.Likings(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	for _, c := range []struct {
		more bool
		says string
	}{{true, "More like this: likely to be read"}, {true, "You have asked for more like this before: likely to be read"}, {false, "Fewer like this: likely to be read"}} {
		a.Like(c.more)
		p.room.Queue.Until("it is said", func() bool { return strings.HasPrefix(p.room.Host.Said, c.says) })
	}
	if likings() != 1 {
		t.Errorf("%d likings of one article", likings())
	}
	p.room.UndoLast()
	p.room.UndoLast()
	p.room.UndoLast()
	p.room.Queue.Until("all are taken back", func() bool { return likings() == 0 })
}

func TestRemovesWhatWasLearned(t *testing.T) {
	p := newPane(t)
	l := &Learned{Shell: p.room.Shell}
	l.Open()
	p.room.Queue.Until("it is open", func() bool { return len(p.room.Dialogs.Open) == 1 && len(l.rows.Objects) == 1 })
	p.read(t) // all were passed over
	l.load(func() {})
	p.room.Queue.Until("something was learned", func() bool { return len(l.rows.Objects) > 1 })
	first := l.rows.Objects[0]
	button := first.(*fyne.Container).Objects[1].(*fyne.Container).Objects[0].(*widgets.DialogButton)
	button.OnTapped()
	ignored := func() int {
		all, err := p.room.Home.Log.Ignored(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	p.room.Queue.Until("it is removed", func() bool { return ignored() == 1 && strings.HasPrefix(p.room.Host.Said, "Removed: ") })
	p.room.UndoLast()
	p.room.Queue.Until("it is learned again", func() bool { return ignored() == 0 })
}

func TestSortOfBefore(t *testing.T) {
	p := newPane(t)
	values := p.room.Preferences
	values.SetBool(prefOldest, true)
	if got := loadOrder(values).Sort; got != session.OldestFirst {
		t.Errorf("%q", got)
	}
	for _, by := range []session.Sorting{session.NewestFirst, session.LikelyFirst, session.OldestFirst} {
		saveOrder(session.Order{Sort: by}, values)
		if got := loadOrder(values).Sort; got != by {
			t.Errorf("%q, not %q", got, by)
		}
	}
}
