package app

import (
	"database/sql"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/reader"
	"kairos/reader/parse"
)

func TestNewArticlesHaveTheirOwnRow(t *testing.T) {
	w, q := newTestWindow(t)
	w.win.Resize(fyne.NewSize(1000, 400))
	tl := w.timeline
	tl.List.Select(2)
	tl.List.ScrollToOffset(tl.RowStep())
	at := func() float32 { // of the third article on the window
		return fyne.CurrentApp().Driver().AbsolutePositionForObject(tl.List).Y + float32(index(w.session.List.IDs, w.session.List.Current))*tl.RowStep() - tl.List.GetScrollOffset()
	}
	before := at()
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, 1, []parse.Article{{Key: "x", Title: "x", Published: noon.Add(time.Minute)}}, noon, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	tl.Reload()
	q.until("it is announced", func() bool { return len(w.session.List.IDs) == 7 && tl.NewArticles.Visible() })
	if end := tl.NewArticles.Position().Y + tl.NewArticles.Size().Height; end <= 0 || tl.NewArticles.Size().Width != tl.Object.Size().Width {
		t.Errorf("the row has %v", tl.NewArticles.Size())
	}
	list := fyne.CurrentApp().Driver().AbsolutePositionForObject(tl.List).Y
	button := fyne.CurrentApp().Driver().AbsolutePositionForObject(tl.NewArticles)
	if button.Y+tl.NewArticles.Size().Height > list {
		t.Errorf("it ends at %v, the list begins at %v", button.Y+tl.NewArticles.Size().Height, list)
	}
	if after := at(); after != before {
		t.Errorf("the article has moved from %v to %v", before, after)
	}
	test.Tap(tl.NewArticles.Button)
	if tl.NewArticles.Visible() || tl.List.GetScrollOffset() != 0 {
		t.Errorf("a tap leads to %v", tl.List.GetScrollOffset())
	}
}

func index(ids []int64, id int64) int {
	for i := range ids {
		if ids[i] == id {
			return i
		}
	}
	return -1
}
