package app

import (
	"testing"

	"kairos/app/widgets"

	"fyne.io/fyne/v2"
)

// The main menu gets Ctrl+A and Ctrl+Z first: they work in the fields of dialogs all the same.
func TestFieldsOfDialogsKeepTheirKeys(t *testing.T) {
	w, _ := newTestWindow(t)
	p := w.feeds.Properties(&w.library.Feeds[0])
	p.Address.SetText("https://example.org/feed")
	for _, f := range []interface {
		fyne.Focusable
		SelectedText() string
	}{p.Address, p.Folder} {
		p.Folder.SetText("https://example.org/feed")
		w.shell.Focus(f)
		menuShortcut(t, w, "Ctrl+A")
		if got := f.SelectedText(); got != "https://example.org/feed" {
			t.Errorf("%T: Ctrl+A selects %q", f, got)
		}
	}
	if w.session.List.Selection.IDs.Len() != 0 {
		t.Error("articles are selected")
	}
}

// When a dialog closes, the keys are where they were.
func TestDialogGivesTheKeysBack(t *testing.T) {
	w, _ := newTestWindow(t)
	w.shell.Focus(w.sidebar.List)
	w.perform("add")
	w.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if w.win.Canvas().Focused() != fyne.Focusable(w.sidebar.List) {
		t.Errorf("the keys are with %T", w.win.Canvas().Focused())
	}
}

// Enter in the name of a folder renames it.
func TestEnterRenamesAFolder(t *testing.T) {
	w, q := newTestWindow(t)
	folder := w.sidebar.Items[6].Place
	w.sidebar.RenameFolder(folder)
	e := w.win.Canvas().Focused().(*widgets.Entry)
	if e.SelectedText() != folder.Name {
		t.Errorf("selected: %q", e.SelectedText())
	}
	e.SetText("Another")
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	q.until("it is renamed", func() bool {
		return folderOf(t, w, w.sidebar.Items[7].Feed.ID) == "Another" && len(w.shell.Dialogs.Open) == 0
	})
}

// menuShortcut runs the entry of the main menu with these keys.
func menuShortcut(t *testing.T, w *window, chord string) {
	t.Helper()
	for id := range w.commands {
		if c, ok := w.keys.MenuChord(id); ok && c.Label() == chord {
			w.perform(id)
			return
		}
	}
	t.Fatalf("no entry has %s", chord)
}
