package dialogs

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/test"

	"kairos/app/async"
	"kairos/app/async/asynctest"
)

func newStack(t *testing.T) (*Stack, *asynctest.Queue) {
	t.Helper()
	win := test.NewTempWindow(t, nil)
	q := asynctest.NewQueue(t)
	jobs := async.New(t.Context(), win, q.Add)
	jobs.OnError = func(err error) { t.Error(err) }
	s := NewStack(win, jobs, func() {})
	s.OnClose = func() {}
	return s, q
}

func TestSaveChecksTheName(t *testing.T) {
	s, _ := newStack(t)
	dir := t.TempDir()
	d := s.SaveFile("Save", "", nil, nil, func(file string) { t.Errorf("saved as %s", file) })
	for _, c := range []struct{ folder, name string }{
		{dir, ""}, {dir, "a/b"}, {dir, ".."}, {dir, `a\b`}, {"", "x"}, {"here", "x"}, {filepath.Join(dir, "none"), "x"},
	} {
		d.message.Clear()
		d.Folder.SetText(c.folder)
		d.Name.SetText(c.name)
		d.Name.OnSubmitted("")
		if !d.message.Visible() {
			t.Errorf("folder %q, name %q: nothing is wrong", c.folder, c.name)
		}
	}
	d.Name.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if len(s.Open) != 0 {
		t.Error("Escape leaves the dialog open")
	}
}

func TestSaveAsksBeforeItReplacesAFile(t *testing.T) {
	s, q := newStack(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "list")
	if err := os.WriteFile(file, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	saved := ""
	d := s.SaveFile("Save", "list", nil, func(_ context.Context, file string) error {
		return os.WriteFile(file, []byte("new"), 0o600)
	}, func(file string) { saved = file })
	d.Folder.SetText(dir)
	d.Name.OnSubmitted("")
	if len(s.Open) != 2 {
		t.Fatal("it does not ask")
	}
	s.Open[1].(*dialog.ConfirmDialog).Dismiss()
	if text, err := os.ReadFile(file); err != nil || string(text) != "precious" || saved != "" {
		t.Errorf("cancelled: %q (%v)", text, err)
	}
	d.Name.OnSubmitted("")
	s.Open[1].(*dialog.ConfirmDialog).Confirm()
	q.Until("it is saved", func() bool { return saved == file })
	if text, err := os.ReadFile(file); err != nil || string(text) != "new" || len(s.Open) != 0 {
		t.Errorf("confirmed: %q (%v), %d dialogs", text, err, len(s.Open))
	}
}

func TestSaveShowsWhyItFailed(t *testing.T) {
	s, q := newStack(t)
	d := s.SaveFile("Save", "list", nil, func(context.Context, string) error { return os.ErrPermission },
		func(string) { t.Error("saved") })
	d.Folder.SetText(t.TempDir())
	d.Name.OnSubmitted("")
	q.Until("it has failed", func() bool { return d.message.String() == "Permission denied." })
	if d.save.Disabled() || len(s.Open) != 1 {
		t.Error("it cannot be tried again")
	}
}

func TestInformIsAnsweredByEnter(t *testing.T) {
	s, _ := newStack(t)
	s.Inform("A title", "A message.")
	s.Window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if len(s.Open) != 0 {
		t.Error("Enter does not close it")
	}
}
