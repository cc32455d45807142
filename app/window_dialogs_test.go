package app

import (
	"testing"

	"fyne.io/fyne/v2"
)

// A dialog keeps the keys of its fields and those of the window's commands, and gives the focus back; Ctrl+Z works again then.
func TestKeysOfDialogs(t *testing.T) {
	w, q := newTestWindow(t)
	w.shell.Focus(w.sidebar.List)
	w.perform("add")
	w.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if w.win.Canvas().Focused() != fyne.Focusable(w.sidebar.List) {
		t.Errorf("the focus is on %T", w.win.Canvas().Focused())
	}
	// The main menu gets Ctrl+A and Ctrl+Z first: they work in the fields of dialogs all the same.
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
	w.shell.Dialogs.CloseTop()

	w.feeds.Subscribe("")
	for _, menu := range w.menu().Items {
		for _, item := range menu.Items {
			if item.Label == "Mark all read" {
				item.Action()
			}
		}
	}
	w.key(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if len(w.shell.Dialogs.Open) != 0 {
		t.Error("Escape leaves the dialog open")
	}
	w.library.Reload()
	q.Until("nothing was marked", func() bool { return w.sidebar.Items[1].Count == 6 })
	w.actions.MarkAllRead()
	q.Until("all is read", func() bool { return w.shell.History.Len() == 1 })
	menuShortcut(t, w, "Ctrl+Z")
	q.Until("undone", func() bool { return unread(t, w) == 6 })
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
