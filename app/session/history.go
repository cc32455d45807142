package session

import (
	"context"
	"slices"
)

// History is what can be undone, and what of it was undone and can be redone, the last action at the end. Its zero value is empty.
type History struct {
	actions, undone []*Action
}

// Action is something that the user did and can undo.
type Action struct {
	What  string // in words
	Undo  func(ctx context.Context) error
	Redo  func(ctx context.Context) error // nil: it cannot be redone
	Ask   func(undo func())               // asks before it is undone; nil: nobody asks
	batch any                             // actions of one batch are undone as one; nil for one alone
}

// maxUndo is how many actions can be undone.
const maxUndo = 50

// Add remembers an action; redo is nil for one that cannot be redone. It takes the place of the last one if that was of the same
// batch, which is nil for an action alone. What was undone before can no longer be redone.
func (h *History) Add(batch any, what string, undo, redo func(ctx context.Context) error) {
	if h.Continues(batch) {
		h.actions = h.actions[:len(h.actions)-1]
	}
	h.undone = nil
	h.push(&Action{What: what, Undo: undo, Redo: redo, batch: batch})
}

// AddAsked is Add for an action that takes much with it, and cannot be redone: ask asks before it is undone.
func (h *History) AddAsked(what string, undo func(ctx context.Context) error, ask func(undo func())) {
	h.Add(nil, what, undo, nil)
	h.Last().Ask = ask
}

// Last returns the last action, which is undone next; nil if there is none.
func (h *History) Last() *Action {
	if len(h.actions) == 0 {
		return nil
	}
	return h.actions[len(h.actions)-1]
}

func (h *History) push(a *Action) {
	h.actions = append(h.actions, a)
	h.actions = h.actions[max(0, len(h.actions)-maxUndo):]
}

// Continues reports whether the last action was of this batch.
func (h *History) Continues(batch any) bool {
	return batch != nil && len(h.actions) > 0 && h.actions[len(h.actions)-1].batch == batch
}

// Take takes an action out, to undo it; it reports whether that was still there. Where it cannot be redone, neither can those that were
// undone before.
func (h *History) Take(a *Action) bool {
	i := slices.Index(h.actions, a)
	if i < 0 {
		return false
	}
	h.actions = slices.Delete(h.actions, i, i+1)
	if a.Redo != nil {
		h.undone = append(h.undone, a)
	} else {
		h.undone = nil
	}
	return true
}

// TakeUndone takes the action that was undone last, to redo it; nil if there is none. It can then be undone again.
func (h *History) TakeUndone() *Action {
	n := len(h.undone)
	if n == 0 {
		return nil
	}
	last := h.undone[n-1]
	h.undone, last.batch = h.undone[:n-1], nil
	h.push(last)
	return last
}

// ForgetUndone makes nothing of what was undone redoable.
func (h *History) ForgetUndone() { h.undone = nil }

// Len is how many actions can be undone.
func (h *History) Len() int { return len(h.actions) }

// Clear forgets all actions.
func (h *History) Clear() { h.actions, h.undone = nil, nil }
