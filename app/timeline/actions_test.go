package timeline

import (
	"database/sql"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/app/home/hometest"
	"kairos/app/session"
	"kairos/reader"
)

func TestMarkSelectionAndUndo(t *testing.T) {
	w := newPane(t)
	q := w.room.Queue
	ids := slices.Clone(w.session.List.IDs)
	w.pick(0, 2, 3)
	w.actions.ToggleStar()
	q.Until("three are starred", func() bool { return w.counts(t).Starred == 3 })
	q.Until("it can be undone", func() bool { return w.shell.History.Len() == 1 })
	w.actions.ToggleStar()
	q.Until("none is", func() bool { return w.counts(t).Starred == 0 })
	q.Until("that too", func() bool { return w.shell.History.Len() == 2 })
	w.shell.UndoLast()
	q.Until("three again", func() bool { return w.counts(t).Starred == 3 })
	w.actions.ToggleRead()
	q.Until("they are read", func() bool { return w.counts(t).Total == 3 })
	w.ClearSelection()
	if got := w.session.List.Targets(); len(got) != 0 {
		t.Errorf("after Escape %v are meant", got)
	}
	w.session.List.Selection.Target = ids[4]
	if got := w.session.List.Targets(); !slices.Equal(got, ids[4:5]) {
		t.Errorf("a menu on the fifth means %v", got)
	}
}

func TestDeletingStarredAsksFirst(t *testing.T) {
	w := newPane(t)
	q := w.room.Queue
	w.pick(0, 1)
	w.actions.ToggleStar()
	q.Until("two are starred", func() bool { return w.counts(t).Starred == 2 })
	w.actions.DeleteTargets()
	q.Until("it asks", func() bool { return len(w.shell.Dialogs.Open) == 1 })
	w.shell.Dialogs.Open[0].Press("Cancel")
	w.actions.DeleteTargets()
	q.Until("it asks again", func() bool { return len(w.shell.Dialogs.Open) == 1 })
	w.shell.Dialogs.Open[0].Press("Delete 2 articles")
	q.Until("they are gone", func() bool { return w.counts(t).Starred == 0 && len(w.session.List.IDs) == 4 })
}

func TestDeletingLabeledAsksFirst(t *testing.T) {
	w := newPane(t)
	q := w.room.Queue
	if _, err := w.shell.Home.Marks.Labels.PutNew(t.Context(), reader.Label{Name: "Work"}, w.session.List.IDs[:1]); err != nil {
		t.Fatal(err)
	}
	w.pick(0, 1)
	w.actions.DeleteTargets()
	q.Until("it asks", func() bool { return len(w.shell.Dialogs.Open) == 1 })
	if got := w.shell.Dialogs.Open[0].Title; got != "Delete 1 starred or labeled article?" {
		t.Errorf("it asks %q", got)
	}
	w.shell.Dialogs.Open[0].Press("Delete 2 articles")
	q.Until("they are gone", func() bool { return len(w.session.List.IDs) == 4 })
	w.shell.UndoLast()
	q.Until("they are back", func() bool { return w.stored(t) == 6 })
}

func TestMarkAboveBelowAndOlder(t *testing.T) {
	w := newPane(t)
	q := w.room.Queue
	w.session.List.Selection.Target = w.session.List.IDs[2]
	w.actions.MarkAbove()
	q.Until("two are read", func() bool { return w.counts(t).Total == 4 })
	q.Until("undo knows", func() bool { return w.shell.History.Len() == 1 })
	w.shell.UndoLast()
	q.Until("none is", func() bool { return w.counts(t).Total == 6 })
	w.session.List.Selection.Target = w.session.List.IDs[2]
	w.actions.MarkBelow()
	q.Until("three are read", func() bool { return w.counts(t).Total == 3 })
	w.shell.Now = func() time.Time { return hometest.Noon.Add(24*time.Hour - 90*time.Minute) }
	w.actions.MarkOlder(1)
	q.Until("what is older than a day is read", func() bool { return w.counts(t).Total == 2 })
}

// Marks on screen are stored: the process may be killed at any time.
func TestMarksAreShownOnceStored(t *testing.T) {
	w := newPane(t)
	q := w.room.Queue
	w.List.Select(0)
	q.Until("the article is shown as read", func() bool { a := w.session.Reading(); return a != nil && a.Read })
	writing, stored := make(chan struct{}), make(chan error)
	finish := make(chan struct{})
	go func() {
		stored <- w.shell.Home.Store.Write(t.Context(), func(*sql.Tx) error {
			close(writing)
			<-finish
			return nil
		})
	}()
	<-writing
	for range 3 {
		w.actions.ToggleStar() // on, off, on
	}
	a := w.session.Reading()
	if a.Starred || !w.session.Marks.Value(a, reader.FlagStarred) {
		t.Errorf("before it is stored: shown %t, will be %t", a.Starred, w.session.Marks.Value(a, reader.FlagStarred))
	}
	close(finish)
	if err := <-stored; err != nil {
		t.Fatal(err)
	}
	q.Until("all is stored", func() bool { return w.shell.Pending() == 0 })
	c, err := w.shell.Home.Store.Articles.Counts(t.Context(), hometest.Noon, false)
	if err != nil || c.Starred != 1 || !w.session.Reading().Starred {
		t.Errorf("%d starred, shown: %t (%v)", c.Starred, w.session.Reading().Starred, err)
	}
}

func TestFailedMark(t *testing.T) {
	w := newPane(t)
	q := w.room.Queue
	w.List.Select(0)
	q.Until("the article is shown as read", func() bool { a := w.session.Reading(); return a != nil && a.Read })
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("CREATE TRIGGER full BEFORE UPDATE ON status BEGIN SELECT RAISE(FAIL, 'no room'); END")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w.actions.ToggleStar()
	q.Until("it is said", func() bool { return strings.HasPrefix(w.room.Host.Said, "The articles could not be marked.") })
	if a := w.session.Reading(); a.Starred || w.session.Marks.Value(a, reader.FlagStarred) {
		t.Error("shown as starred")
	}
}

func TestDeleteAndUndo(t *testing.T) {
	p := newPane(t)
	q := p.room.Queue
	p.choose(session.Place{Key: session.All})
	q.Until("all are listed", func() bool { return len(p.session.List.IDs) == 6 })
	ids := slices.Clone(p.session.List.IDs)
	p.List.Select(1)
	p.actions.DeleteTargets()
	q.Until("it is gone, and the next is open", func() bool { return len(p.session.List.IDs) == 5 && p.session.List.Current == ids[2] })
	q.Until("undo knows", func() bool { return p.room.History.Len() == 1 })
	p.room.UndoLast()
	q.Until("it is back", func() bool { return p.stored(t) == 6 })
	p.Reload()
	q.Until("it is listed", func() bool { return slices.Equal(p.session.List.IDs, ids) })
}

func TestMarkAllReadAndUndo(t *testing.T) {
	p := newPane(t)
	p.actions.MarkAllRead()
	p.room.Queue.Until("undo knows", func() bool { return p.room.History.Len() == 1 })
	if n := p.counts(t).Total; n != 0 {
		t.Fatalf("%d unread", n)
	}
	p.room.UndoLast()
	p.room.Queue.Until("undone", func() bool { return p.counts(t).Total == 6 })
	p.room.RedoLast()
	p.room.Queue.Until("redone", func() bool { return p.counts(t).Total == 0 })
	p.room.UndoLast()
	p.room.Queue.Until("undone again", func() bool { return p.counts(t).Total == 6 })
	p.room.UndoLast()
	if !strings.Contains(p.room.Host.Said, "nothing to undo") {
		t.Errorf("says %q", p.room.Host.Said)
	}
}

// A single mark is undone and redone as many are.
func TestSingleMarksAreUndone(t *testing.T) {
	p := newPane(t)
	p.List.Select(0)
	p.room.Queue.Until("the article is shown as read", func() bool { a := p.session.Reading(); return a != nil && a.Read })
	said := p.room.Host.Said
	p.actions.ToggleStar()
	p.actions.ToggleRead()
	p.room.Queue.Until("it is marked", func() bool { return p.room.History.Len() == 2 })
	if p.room.Host.Said != said {
		t.Errorf("said: %q", p.room.Host.Said)
	}
	id := p.session.List.Current
	marked := func(read, starred bool) func() bool {
		return func() bool {
			rows, err := p.room.Home.Store.Articles.Load(t.Context(), []int64{id})
			if err != nil || len(rows) != 1 {
				t.Fatal(rows, err)
			}
			return rows[0].Read == read && rows[0].Starred == starred && p.room.Pending() == 0
		}
	}
	p.room.Queue.Until("unread and starred", marked(false, true))
	for _, step := range []struct {
		do            func()
		read, starred bool
	}{{p.room.UndoLast, true, true}, {p.room.UndoLast, true, false}, {p.room.RedoLast, true, true}, {p.room.RedoLast, false, true}} {
		step.do()
		p.room.Queue.Until("undone or redone", marked(step.read, step.starred))
	}
}
