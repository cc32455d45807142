package app

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"kairos/app/labels"
	"kairos/app/session"
	"kairos/app/sidebar"
	"kairos/app/widgets"
	"kairos/reader"
)

// labelsNow returns the labels as the store has them.
func labelsNow(t *testing.T, w *window) []reader.Label {
	t.Helper()
	all, err := w.shell.Home.Store.Labels.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// openChooser opens the chooser by its key.
func openChooser(t *testing.T, w *window, q *queue) *widgets.FilterEntry {
	t.Helper()
	w.timeline.List.TypedRune('l')
	q.until("the chooser is open", func() bool { return len(w.shell.Dialogs.Open) == 1 })
	e, ok := w.win.Canvas().Focused().(*widgets.FilterEntry)
	if !ok {
		t.Fatalf("the keys are with %T", w.win.Canvas().Focused())
	}
	return e
}

func press(o fyne.Focusable, keys ...fyne.KeyName) {
	for _, key := range keys {
		o.TypedKey(&fyne.KeyEvent{Name: key})
	}
}

func typeText(o fyne.Focusable, text string) {
	for _, r := range text {
		o.TypedRune(r)
	}
}

func TestLabelsByKeys(t *testing.T) {
	w, q := newTestWindow(t)
	w.timeline.List.Select(0)
	q.until("an article is shown", func() bool { return w.session.Shown != nil })
	id := w.session.List.Current
	e := openChooser(t, w, q)
	typeText(e, "Read later")
	if !slices.ContainsFunc(test.LaidOutObjects(e), func(o fyne.CanvasObject) bool { text, ok := o.(*canvas.Text); return ok && text.Text == "Read later" }) {
		t.Error("what is typed is not shown")
	}
	press(e, fyne.KeyReturn)
	q.until("the label is made and the chooser closed", func() bool { return len(labelsNow(t, w)) == 1 && len(w.shell.Dialogs.Open) == 0 })
	if got := labelsNow(t, w)[0]; got.Name != "Read later" || got.Articles != 1 {
		t.Errorf("%+v", got)
	}
	w.reload()
	q.until("the sidebar lists it", func() bool {
		return slices.ContainsFunc(w.sidebar.Items, func(i sidebar.Item) bool { return i.Label != nil && i.Name == "Read later" })
	})
	q.until("the button names it", func() bool { return strings.HasPrefix(w.article.Bar.Labels.Name, "Read") })

	// With two articles, what is typed finds the label, Enter puts it on the second, too, then takes it off both.
	pick(w, 1)
	for i, want := range []int{2, 0} {
		e = openChooser(t, w, q)
		typeText(e, "LÁTER")
		if got := w.labels.Chooser.Rows; len(got) != 2 || got[0].Name != "Read later" || got[1].ID != 0 || got[0].Has != labels.SomeHave+labels.HasLabel(i) {
			t.Errorf("%q lists %+v", e.Text, got)
		}
		press(e, fyne.KeyDown, fyne.KeyDown, fyne.KeyUp, fyne.KeyReturn)
		q.until("it is stored", func() bool { return labelsNow(t, w)[0].Articles == want && len(w.shell.Dialogs.Open) == 0 })
	}
	w.shell.UndoLast()
	q.until("undone", func() bool { return labelsNow(t, w)[0].Articles == 2 })
	w.library.Reload()
	w.sidebar.ChooseKey(session.LabelPlace(&reader.Label{ID: labelsNow(t, w)[0].ID}).Key)
	q.until("its articles are listed", func() bool { return len(w.session.List.IDs) == 2 && slices.Contains(w.session.List.IDs, id) })
	w.timeline.List.Select(0)
	press(openChooser(t, w, q), fyne.KeyEscape)
	if len(w.shell.Dialogs.Open) != 0 {
		t.Error("Escape leaves the chooser open")
	}
}

// The button keeps naming the label of an article that a search does not list.
func TestALabelStaysOnTheButtonDuringASearch(t *testing.T) {
	w, q := newTestWindow(t)
	w.timeline.List.Select(0)
	q.until("an article is shown", func() bool { return w.session.Shown != nil })
	id := w.session.Shown.ID
	e := openChooser(t, w, q)
	typeText(e, "Money")
	press(e, fyne.KeyReturn)
	q.until("the label is made", func() bool { return len(labelsNow(t, w)) == 1 })
	w.reload()
	q.until("the button names it", func() bool { return w.article.Bar.Labels.Name == "Money" })
	w.search.SetText("body 2")
	q.until("the search does not list it", func() bool { return len(w.session.List.IDs) > 0 && !slices.Contains(w.session.List.IDs, id) })
	w.article.UpdateBar()
	if w.session.Shown == nil || w.session.Shown.ID != id || w.article.Bar.Labels.Name != "Money" {
		t.Errorf("%q", w.article.Bar.Labels.Name)
	}
}

func TestEditAndDeleteALabel(t *testing.T) {
	w, q := newTestWindow(t)
	id, err := w.shell.Home.Marks.Labels.PutNew(t.Context(), reader.Label{Name: "Work"}, w.session.List.IDs[:2])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.shell.Home.Marks.Labels.Save(t.Context(), reader.Label{Name: "Home"}); err != nil {
		t.Fatal(err)
	}
	w.library.Reload()
	q.until("they are there", func() bool { return len(w.library.Labels) == 2 })
	w.sidebar.ChooseKey(session.LabelPlace(&reader.Label{ID: id}).Key)
	if w.session.Place.Label == nil {
		t.Fatal("the label cannot be chosen")
	}
	d := w.labels.Edit(*w.session.Place.Label)
	d.Name.SetText("home")
	d.Save()
	q.until("it is refused", func() bool { return strings.Contains(d.Message.String(), "Another label") })
	d.Name.SetText("Job")
	d.Label.Color = 5
	d.Save()
	q.until("it is renamed", func() bool { return w.session.Place.Name == "Job" })
	w.shell.UndoLast()
	w.library.Reload()
	q.until("undone", func() bool { return labelsNow(t, w)[1].Name == "Work" && labelsNow(t, w)[1].Color == 0 })
	w.labels.Remove(labelsNow(t, w)[1])
	q.until("it is gone", func() bool { return len(w.library.Labels) == 1 && w.session.Place.Label == nil })
	w.shell.UndoLast()
	q.until("it is back with its articles", func() bool { return len(labelsNow(t, w)) == 2 && labelsNow(t, w)[1].Articles == 2 })
}
