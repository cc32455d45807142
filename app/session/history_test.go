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
		last, ok := h.Pop()
		if !ok || last.What != want {
			t.Fatalf("undoes %q, want %q", last.What, want)
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
	if _, ok := h.Pop(); ok || undone != "edba" {
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
	steps := func(pop func() (Action, bool), want string) {
		t.Helper()
		got := ""
		for range 4 {
			if a, ok := pop(); ok {
				got += a.What
			}
		}
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	add("a", nothing)
	add("b", nothing)
	steps(h.PopUndone, "")
	steps(h.Pop, "ba")
	steps(h.PopUndone, "ab")
	h.Pop()
	add("c", nil)
	steps(h.PopUndone, "")
	h.Pop()
	steps(h.PopUndone, "")
	h.Pop()
	h.ForgetUndone()
	steps(h.PopUndone, "")
}

// What takes much with it is undone once that is agreed to, and nothing else asks.
func TestHistoryAsks(t *testing.T) {
	var h History
	if h.Asks() != nil {
		t.Error("nothing asks")
	}
	done := func(context.Context) error { return nil }
	h.AddAsked("import", done, func(undo func()) { undo() })
	if h.Asks() == nil || h.Len() != 1 {
		t.Error("it does not ask")
	}
	h.Add(nil, "mark", done, nil)
	if h.Asks() != nil {
		t.Error("a mark asks")
	}
	h.Pop()
	if last, ok := h.Pop(); !ok || last.What != "import" {
		t.Errorf("%+v", last)
	}
}
