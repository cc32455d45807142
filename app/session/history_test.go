package session

import (
	"context"
	"testing"
)

func TestHistory(t *testing.T) {
	var h History
	undone := ""
	add := func(batch any, name string) {
		h.Add(batch, name, func(context.Context) error { undone += name; return nil }, nil)
	}
	undo := func(want string) {
		t.Helper()
		last := h.Last()
		if last == nil || last.What != want || !h.Take(last) || h.Take(last) {
			t.Fatalf("undoes %+v, want %q", last, want)
		}
		if err := last.Undo(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	one, two := new(int), new(string)
	add(nil, "a")
	add(nil, "b")
	add(one, "c")
	add(one, "d") // in place of c
	if !h.Continues(one) || h.Continues(two) || h.Continues(nil) || h.Len() != 3 {
		t.Errorf("%d actions", h.Len())
	}
	add(two, "e")
	undo("e")
	undo("d")
	undo("b")
	undo("a")
	if h.Last() != nil || undone != "edba" {
		t.Errorf("undone: %s", undone)
	}
	for range 2 * maxUndo {
		add(nil, "f")
	}
	if h.Len() != maxUndo {
		t.Errorf("%d actions are kept", h.Len())
	}
	if h.Clear(); h.Len() != 0 {
		t.Error("something is left")
	}
}

// What was undone can be redone in the order it was done, until something else is done, or something was undone that cannot be.
func TestHistoryRedo(t *testing.T) {
	var h History
	nothing := func(context.Context) error { return nil }
	add := func(name string, redo func(context.Context) error) { h.Add(nil, name, nothing, redo) }
	undo := func() *Action {
		last := h.Last()
		h.Take(last)
		return last
	}
	steps := func(take func() *Action, want string) {
		t.Helper()
		got := ""
		for range 4 {
			if a := take(); a != nil {
				got += a.What
			}
		}
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	add("a", nothing)
	add("b", nothing)
	steps(h.TakeUndone, "")
	steps(undo, "ba")
	steps(h.TakeUndone, "ab")
	undo()
	add("c", nil)
	steps(h.TakeUndone, "")
	undo()
	steps(h.TakeUndone, "")
	undo()
	h.ForgetUndone()
	steps(h.TakeUndone, "")
}

// What takes much with it asks before it is undone, and is undone also where something else came meanwhile.
func TestHistoryAsks(t *testing.T) {
	var h History
	done := func(context.Context) error { return nil }
	h.AddAsked("import", done, func(undo func()) { undo() })
	asked := h.Last()
	h.Add(nil, "mark", done, nil)
	if asked.Ask == nil || h.Last().Ask != nil || h.Len() != 2 {
		t.Errorf("%+v, then %+v", asked, h.Last())
	}
	if !h.Take(asked) || h.Take(asked) || h.Len() != 1 || h.Last().What != "mark" {
		t.Errorf("%d are left, the last is %+v", h.Len(), h.Last())
	}
}
