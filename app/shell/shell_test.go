package shell_test

import (
	"context"
	"slices"
	"testing"

	"kairos/app/home"
	"kairos/app/shell/shelltest"
)

// What the user agrees to undo is what was asked about, not what was done meanwhile.
func TestUndoWhatWasAsked(t *testing.T) {
	room := shelltest.New(t, home.Options{})
	undone := ""
	undo := func(name string) func(context.Context) error {
		return func(context.Context) error { undone += name; return nil }
	}
	var agree func()
	room.AddUndoAsked("Imported", undo("import"), func(undo func()) { agree = undo })
	room.UndoLast()
	room.AddUndo("Marked read", undo("mark"))
	agree()
	room.Queue.Until("it is undone", func() bool { return room.Pending() == 0 })
	if undone != "import" || room.History.Len() != 1 {
		t.Errorf("undone: %q, %d are left", undone, room.History.Len())
	}
	agree() // it is no longer there
	if room.Pending() != 0 {
		t.Error("it is undone twice")
	}
}

// Who presses Ctrl+Z several times has the last action undone first, however long that takes.
func TestUndoInOrder(t *testing.T) {
	room := shelltest.New(t, home.Options{})
	var undone []int
	for i := range 50 {
		room.AddUndo("Liked", func(context.Context) error { undone = append(undone, i); return nil })
	}
	for range 50 {
		room.UndoLast()
	}
	room.Queue.Until("all are undone", func() bool { return room.Pending() == 0 })
	slices.Reverse(undone)
	if len(undone) != 50 || !slices.IsSorted(undone) {
		t.Errorf("undone from the end: %v", undone)
	}
}
