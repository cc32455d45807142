package app

import (
	"testing"

	"kairos/app/widgets"

	"fyne.io/fyne/v2"
)

// Enter answers a question, Escape closes it.
func TestDialogAnswerKeys(t *testing.T) {
	w, _ := newTestWindow(t)
	w.closing.ask()
	yes, ok := w.win.Canvas().Focused().(*widgets.DialogButton)
	if !ok || len(w.dialogs.Open) != 1 {
		t.Fatalf("the keys are with %T, %d dialogs", w.win.Canvas().Focused(), len(w.dialogs.Open))
	}
	yes.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if len(w.dialogs.Open) != 0 || w.closing.asking {
		t.Error("Escape does not leave it")
	}
	w.dialogs.Inform("A title", "Something to take note of.")
	w.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if len(w.dialogs.Open) != 0 {
		t.Error("Enter does not answer it")
	}
}
