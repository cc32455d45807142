package search

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/session"
	"kairos/app/widgets"
	"kairos/reader"
)

// waitFor waits until these are the saved searches, each with the number of its unread articles.
func (f *field) waitFor(want map[string]int) {
	f.room.Queue.Until("the saved searches are as wanted", func() bool {
		if len(f.room.Library.Searches) != len(want) {
			return false
		}
		for _, s := range f.room.Library.Searches {
			if n, ok := want[s.Name]; !ok || f.room.Library.Found(s.ID) != n {
				return false
			}
		}
		return true
	})
}

func TestSaveSearch(t *testing.T) {
	f := newField(t)
	if f.SaveButton.Visible() {
		t.Error("nothing can be saved before anything is searched for")
	}
	f.saved.SaveCurrent()
	if len(f.room.Dialogs.Open) != 0 || f.room.Canvas.Focused() != fyne.Focusable(f.Bar) {
		t.Errorf("saving nothing leads to %T and %d dialogs", f.room.Canvas.Focused(), len(f.room.Dialogs.Open))
	}
	f.room.Session.Choose(session.FolderPlace("News", "News", false))
	f.SetText("body 2")
	if !f.SaveButton.Visible() {
		t.Error("what is searched for cannot be saved")
	}
	test.Tap(f.SaveButton)
	if len(f.room.Dialogs.Open) != 1 {
		t.Fatalf("%d dialogs", len(f.room.Dialogs.Open))
	}
	f.room.Canvas.Focused().(*widgets.Entry).SetText("Bodies")
	f.room.Canvas.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	f.waitFor(map[string]int{"Bodies": 1})
	place := f.room.Session.Place
	if place.Name != "Bodies" || place.Saved.Search != `folder:"News" body 2` || f.Text != "" || len(f.room.Dialogs.Open) != 0 {
		t.Errorf("chosen: %+v, still searched for: %q", place, f.Text)
	}
	for typed, want := range map[string]int{"": 1, "feed:0": 0} {
		f.SetText(typed)
		if ids, err := f.room.Home.Store.Articles.IDs(t.Context(), f.room.Session.Query(f.room.Midnight(), false)); err != nil || len(ids) != want {
			t.Errorf("narrowed by %q it lists %v, %v", typed, ids, err)
		}
	}
}

func TestEditAndRemoveSavedSearch(t *testing.T) {
	f := newField(t)
	if _, err := f.room.Home.SavedSearches.Save(t.Context(), reader.SavedSearch{Name: "Zero", Search: "feed:0"}); err != nil {
		t.Fatal(err)
	}
	f.room.Fill()
	f.waitFor(map[string]int{"Zero": 3})
	zero := f.room.Library.Searches[0]
	f.saved.Edit(zero).Name.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if len(f.room.Dialogs.Open) != 0 {
		t.Fatal("Escape does not leave the dialog")
	}
	d := f.saved.Edit(zero)
	d.Words.SetText("  ")
	d.Save()
	if d.Message.String() == "" {
		t.Error("an empty search is saved")
	}
	d.Name.SetText("Two")
	d.Words.SetText("feed:1 body 2")
	d.Save()
	f.waitFor(map[string]int{"Two": 1})
	undone := func() {
		t.Helper()
		f.room.UndoLast()
		f.room.Queue.Until("it is undone", func() bool { return f.room.Pending() == 0 })
		f.room.Library.Reload()
		f.waitFor(map[string]int{"Zero": 3})
	}
	redone := func(want map[string]int) {
		t.Helper()
		f.room.RedoLast()
		f.room.Queue.Until("it is redone", func() bool { return f.room.Pending() == 0 })
		f.room.Library.Reload()
		f.waitFor(want)
	}
	undone()
	redone(map[string]int{"Two": 1})
	undone()
	f.saved.Remove(f.room.Library.Searches[0])
	f.waitFor(nil)
	undone()
	redone(nil)
	undone()
}

// A search that was saved can be taken back, and none gets the name of another.
func TestSavedOnceUnderAName(t *testing.T) {
	f := newField(t)
	save := func(words, name string) *savedDialog {
		t.Helper()
		f.SetText(words)
		d := f.saved.Edit(reader.SavedSearch{Search: words})
		d.Name.SetText(name)
		d.Save()
		return d
	}
	save("body 2", "Bodies")
	f.waitFor(map[string]int{"Bodies": 2})
	for _, name := range []string{"Bodies", " bodies "} {
		if d := save("body 1", name); d.Message.String() != "Another saved search has this name." {
			t.Errorf("%q: told %q", name, d.Message.String())
		} else {
			d.close()
		}
	}
	save("bodies", "").close() // which is named after its words
	f.room.Queue.Until("nothing runs", func() bool { return f.room.Pending() == 0 })
	f.waitFor(map[string]int{"Bodies": 2})
	one := f.room.Library.Searches[0]
	if d := f.saved.Edit(one); d != nil { // it may keep its own
		d.Words.SetText("body 1")
		d.Save()
	}
	f.room.Queue.Until("it is changed", func() bool { return f.room.Library.Searches[0].Search == "body 1" && len(f.room.Dialogs.Open) == 0 })
	step := func(do func(), want map[string]int) {
		t.Helper()
		do()
		f.room.Queue.Until("it is done", func() bool { return f.room.Pending() == 0 })
		f.room.Library.Reload()
		f.waitFor(want)
	}
	step(f.room.UndoLast, map[string]int{"Bodies": 2})
	step(f.room.UndoLast, nil)
	step(f.room.RedoLast, map[string]int{"Bodies": 2})
}
