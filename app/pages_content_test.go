package app

import (
	"database/sql"
	"fmt"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/home"
	"kairos/app/home/hometest"
)

// standIns are the texts that stand where something is still to come.
var standIns = []string{"Computing…", "Measuring…", "Looking for fonts…", "Looking for articles on the page…"}

// finish waits until a page or dialog shows all that it is about.
func (v visitor) finish() {
	v.q.Until("all is shown", func() bool {
		if v.shell.Pending()+v.shell.Loading() > 0 || len(v.session.List.Loaded) < min(len(v.session.List.IDs), 1) {
			return false
		}
		for _, n := range describe.Tree(v.win.Canvas(), accessible.Node{}).Nodes {
			if slices.ContainsFunc(standIns, func(one string) bool { return n.Name == lang.L(one) }) {
				return false
			}
		}
		return true
	})
	layOut(v.win.Content())
	for _, o := range v.win.Canvas().Overlays().List() {
		layOut(o)
	}
}

// layOut lays out what has another size than before, as a driver does before it paints.
func layOut(o fyne.CanvasObject) {
	if !o.Visible() {
		return
	}
	var inside []fyne.CanvasObject
	switch o := o.(type) {
	case *fyne.Container:
		if o.Layout != nil {
			o.Layout.Layout(o.Objects, o.Size())
		}
		inside = o.Objects
	case fyne.Widget:
		r := test.WidgetRenderer(o)
		r.Layout(o.Size())
		inside = r.Objects()
	}
	for _, one := range slices.Clone(inside) {
		layOut(one)
	}
}

// newLivedVisitor returns a window of this size after some months of use, the last nine days of them without the user.
func newLivedVisitor(t *testing.T, width, height float32, opened map[string]bool) visitor {
	t.Helper()
	v := visitor{opened: opened}
	left := noon.AddDate(0, 0, -9).Unix()
	v.window, v.q = newWindowOf(t, home.Options{}, func(h *home.Home) {
		hometest.Live(t.Context(), t, h, hometest.History{Feeds: 6, Days: 100, Titles: func(feed, n int) (title, text string) {
			return fmt.Sprintf("%s %d", pictureTitles[(feed+n)%len(pictureTitles)], n), "The lamplighter counted seven lamps on his way to the harbour."
		}})
		err := h.Store.Write(t.Context(), func(tx *sql.Tx) error {
			if _, err := tx.Exec("DELETE FROM access WHERE at > ?", left); err != nil {
				return err
			}
			_, err := tx.Exec("UPDATE status SET read = 0 WHERE seen > ?", left)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	v.win.Resize(fyne.NewSize(width, height))
	v.reload()
	v.q.Until("the feeds are there", func() bool { return len(v.library.Feeds) > 7 })
	v.shell.Dialogs.Canvas = noting(v.win, opened)
	return v
}

// afterMonths are the pages and dialogs that have something to show only after some time.
func (v visitor) afterMonths() []stop {
	return []stop{
		{"away for long", func() {
			v.pages.away.Arrived()
			v.q.Until("it is shown", v.onAway)
		}},
		{"learned in months", func() {
			v.perform("learned")
			v.q.Until("it is open", func() bool { return len(v.shell.Dialogs.Open) == 1 })
		}},
		{"feeds not read for months", func() {
			v.perform("unopened")
			v.q.Until("it is open", func() bool { return len(v.shell.Dialogs.Open) == 1 })
		}},
		{"feed after months", func() {
			v.openFeedPage(&v.library.Feeds[3])
			v.q.Until("it is shown", v.feedPage.Content.Visible)
		}},
		{"labels after months", func() {
			for i, name := range []string{"Work", "To read on the train", "Recipes"} {
				exec(v.q.t, v.window, "INSERT INTO label (name, same, color) VALUES (?1, ?1, ?2)", name, i)
			}
			v.read()
			v.perform("label")
			v.q.Until("it is open", func() bool { return len(v.shell.Dialogs.Open) == 1 })
		}},
	}
}
