package labels

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"kairos/app/home"
	"kairos/app/shell/shelltest"
	"kairos/app/widgets"
	"kairos/reader"
)

// newActions returns the commands for labels in a room, and the ids of its articles.
func newActions(t *testing.T) (*Actions, *shelltest.Room, []int64) {
	t.Helper()
	room := shelltest.New(t, home.Options{})
	room.Fill()
	ids, err := room.Home.Store.Articles.IDs(t.Context(), reader.Query{})
	if err != nil {
		t.Fatal(err)
	}
	return &Actions{Shell: room.Shell, Library: room.Library}, room, ids
}

// stored returns the labels as the store has them.
func stored(t *testing.T, room *shelltest.Room) []reader.Label {
	t.Helper()
	all, err := room.Home.Store.Labels.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func press(o fyne.Focusable, keys ...fyne.KeyName) {
	for _, key := range keys {
		o.TypedKey(&fyne.KeyEvent{Name: key})
	}
}

// What is typed names a new label or finds one; Enter puts it on the articles, or takes it off them, and closes the chooser.
func TestLabelsByKeys(t *testing.T) {
	a, room, ids := newActions(t)
	q := room.Queue
	open := func(typed string, articles ...int64) *widgets.FilterEntry {
		t.Helper()
		a.Choose(articles)
		q.Until("the chooser is open", func() bool { return len(room.Dialogs.Open) == 1 })
		e, ok := room.Canvas.Focused().(*widgets.FilterEntry)
		if !ok {
			t.Fatalf("%T has the focus", room.Canvas.Focused())
		}
		for _, r := range typed {
			e.TypedRune(r)
		}
		return e
	}
	e := open("Read later", ids[0])
	if !slices.ContainsFunc(test.LaidOutObjects(e), func(o fyne.CanvasObject) bool { text, ok := o.(*canvas.Text); return ok && text.Text == "Read later" }) {
		t.Error("what is typed is not shown")
	}
	press(e, fyne.KeyReturn)
	q.Until("the label is made and the chooser closed", func() bool { return len(stored(t, room)) == 1 && len(room.Dialogs.Open) == 0 })
	if got := stored(t, room)[0]; got.Name != "Read later" || got.Articles != 1 {
		t.Errorf("%+v", got)
	}
	// With two articles, what is typed finds the label, Enter puts it on the second, too, then takes it off both.
	for i, want := range []int{2, 0} {
		e = open("LÁTER", ids[:2]...)
		if got := a.Chooser.Rows; len(got) != 2 || got[0].Name != "Read later" || got[1].ID != 0 || got[0].Has != SomeHave+HasLabel(i) {
			t.Errorf("%q lists %+v", e.Text, got)
		}
		press(e, fyne.KeyDown, fyne.KeyDown, fyne.KeyUp, fyne.KeyReturn)
		q.Until("it is stored", func() bool { return stored(t, room)[0].Articles == want && len(room.Dialogs.Open) == 0 })
	}
	q.Until("undo knows", func() bool { return room.Pending() == 0 })
	room.UndoLast()
	q.Until("undone", func() bool { return stored(t, room)[0].Articles == 2 })
	press(open("", ids[0]), fyne.KeyEscape)
	if len(room.Dialogs.Open) != 0 {
		t.Error("Escape leaves the chooser open")
	}
}

func TestEditAndDeleteALabel(t *testing.T) {
	a, room, ids := newActions(t)
	q := room.Queue
	if _, err := room.Home.Marks.Labels.PutNew(t.Context(), reader.Label{Name: "Work"}, ids[:2]); err != nil {
		t.Fatal(err)
	}
	if _, err := room.Home.Marks.Labels.Save(t.Context(), reader.Label{Name: "Home"}); err != nil {
		t.Fatal(err)
	}
	d := a.Edit(stored(t, room)[1])
	d.Name.SetText("home")
	d.Save()
	q.Until("it is refused", func() bool { return strings.Contains(d.Message.String(), "Another label") })
	d.Name.SetText("Job")
	d.Label.Color = 5
	d.Save()
	q.Until("it is renamed", func() bool { return len(room.Dialogs.Open) == 0 && stored(t, room)[1].Name == "Job" })
	for range 2 {
		room.UndoLast()
		q.Until("undone", func() bool {
			return stored(t, room)[1].Name == "Work" && stored(t, room)[1].Color == 0 && room.Pending() == 0
		})
		room.RedoLast()
		q.Until("redone", func() bool {
			return stored(t, room)[1].Name == "Job" && stored(t, room)[1].Color == 5 && room.Pending() == 0
		})
	}
	room.UndoLast()
	q.Until("undone", func() bool { return stored(t, room)[1].Name == "Work" && room.Pending() == 0 })
	a.Remove(stored(t, room)[1])
	q.Until("it is gone", func() bool { return len(stored(t, room)) == 1 && room.Pending() == 0 })
	back := func() bool {
		return len(stored(t, room)) == 2 && stored(t, room)[1].Articles == 2 && room.Pending() == 0
	}
	room.UndoLast()
	q.Until("it is back with its articles", back)
	room.RedoLast()
	q.Until("it is gone again", func() bool { return len(stored(t, room)) == 1 && room.Pending() == 0 })
	room.UndoLast()
	q.Until("it is back again", back)
	room.RedoLast()
	q.Until("it is gone once more", func() bool { return len(stored(t, room)) == 1 && room.Pending() == 0 })
}

// A label that was made for an article goes with it when that is undone, and comes again when it is redone.
func TestNewLabelIsUndoneAndRedone(t *testing.T) {
	a, room, ids := newActions(t)
	a.PutNew(reader.Label{Name: "Soon"}, ids[:2], func(err error) { t.Error(err) }, func() {})
	has := func(n int) func() bool {
		return func() bool {
			all := stored(t, room)
			return room.Pending() == 0 && (n == 0 && len(all) == 0 || len(all) == 1 && all[0].Articles == n)
		}
	}
	room.Queue.Until("it is put", has(2))
	for range 3 {
		room.UndoLast()
		room.Queue.Until("no empty label is left", has(0))
		room.RedoLast()
		room.Queue.Until("it is there again", has(2))
	}
}
