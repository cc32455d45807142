package timeline

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/session"
	"kairos/reader"
)

// An article that is put away leaves the list, stands in a place of its own, comes back first, and undo brings it to where it was.
func TestSnoozeFromTheMenu(t *testing.T) {
	w := newPane(t)
	q := w.room.Queue
	ids := slices.Clone(w.session.List.IDs)
	do := func(at int) {
		t.Helper()
		var items []*fyne.MenuItem
		w.actions.SnoozeItems(func(all []*fyne.MenuItem) { items = all })
		q.Until("the menu is there", func() bool { return items != nil })
		items[at].Action()
	}
	w.session.List.Selection.Target = ids[2]
	do(0)
	q.Until("it is gone", func() bool {
		return len(w.session.List.IDs) == 5 && w.counts(t).Snoozed == 1 && w.shell.History.Len() == 1
	})
	if w.room.Host.Said != "1 article snoozed until 18:00" {
		t.Errorf("it says %q", w.room.Host.Said)
	}
	w.choose(session.Place{Key: session.Snoozed, Name: "Snoozed", Query: reader.Query{Snoozed: true}})
	q.Until("it is listed", func() bool { return slices.Equal(w.session.List.IDs, ids[2:3]) && w.session.List.Loaded[ids[2]] != nil })
	if a := w.session.List.Loaded[ids[2]]; a.Away.IsZero() {
		t.Errorf("%+v", a)
	}
	w.session.List.Selection.Target = ids[2]
	do(5)
	q.Until("it is back", func() bool { return w.counts(t).Snoozed == 0 && w.shell.History.Len() == 2 })
	w.choose(session.Place{Key: session.Unread, Name: "Unread", Query: session.ViewQuery(reader.Unread)})
	q.Until("it stands first", func() bool { return len(w.session.List.IDs) == 6 && w.session.List.IDs[0] == ids[2] })
	w.shell.UndoLast()
	q.Until("it is away again", func() bool { return w.counts(t).Snoozed == 1 })
	w.shell.UndoLast()
	q.Until("it is there again", func() bool { return w.counts(t).Snoozed == 0 })
	w.Reload()
	q.Until("all is as it was", func() bool { return slices.Equal(w.session.List.IDs, ids) })
}

func TestSnoozeNeedsAnArticle(t *testing.T) {
	w := newPane(t)
	w.actions.SnoozeItems(func([]*fyne.MenuItem) { t.Error("a menu of nothing") })
	if w.room.Host.Said != "Select an article first." {
		t.Errorf("it says %q", w.room.Host.Said)
	}
}
