package app

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/reader"
)

// pick selects rows together.
func pick(w *window, rows ...int) {
	for _, i := range rows {
		w.session.List.Toggle(i)
	}
}

func TestDeleteAndUndo(t *testing.T) {
	w, q := newTestWindow(t)
	w.sidebar.ChooseKey("all")
	q.until("all are listed", func() bool { return len(w.session.List.IDs) == 6 })
	ids := slices.Clone(w.session.List.IDs)
	w.timeline.List.Select(1)
	q.until("it is shown", func() bool { return w.session.Shown != nil })
	w.timeline.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDelete})
	q.until("it is gone", func() bool { return len(w.session.List.IDs) == 5 && w.session.List.Current == ids[2] })
	q.until("the next is shown", func() bool { return w.session.Shown != nil && w.session.Shown.ID == ids[2] })
	w.shell.UndoLast()
	q.until("it is back", func() bool { return storedIDs(t, w) == 6 })
	w.timeline.Reload()
	q.until("it is listed", func() bool { return slices.Equal(w.session.List.IDs, ids) })
}

// storedIDs counts the articles in the store.
func storedIDs(t *testing.T, w *window) int {
	t.Helper()
	ids, err := w.shell.Home.Store.Articles.IDs(t.Context(), reader.Query{})
	if err != nil {
		t.Fatal(err)
	}
	return len(ids)
}
