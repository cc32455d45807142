package session

import "context"

// History is what can be undone, and what of it was undone and can be redone, the last action at the end. Its zero value is empty.
type History struct {
	actions, undone []Action
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
	h.push(Action{What: what, Undo: undo, Redo: redo, batch: batch})
}

// AddAsked is Add for an action that takes much with it, and cannot be redone: ask asks before it is undone.
func (h *History) AddAsked(what string, undo func(ctx context.Context) error, ask func(undo func())) {
	h.Add(nil, what, undo, nil)
	h.actions[len(h.actions)-1].Ask = ask
}

// Asks returns what asks before the last action is undone, nil if nothing does.
func (h *History) Asks() func(undo func()) {
	if len(h.actions) == 0 {
		return nil
	}
	return h.actions[len(h.actions)-1].Ask
}

func (h *History) push(a Action) {
	h.actions = append(h.actions, a)
	h.actions = h.actions[max(0, len(h.actions)-maxUndo):]
}

// Continues reports whether the last action was of this batch.
func (h *History) Continues(batch any) bool {
	return batch != nil && len(h.actions) > 0 && h.actions[len(h.actions)-1].batch == batch
}

// Pop takes the last action, to undo it; ok is false if there is none. Where it cannot be redone, neither can those after it.
func (h *History) Pop() (last Action, ok bool) {
	last, ok = takeLast(&h.actions)
	switch {
	case !ok:
	case last.Redo != nil:
		h.undone = append(h.undone, last)
	default:
		h.undone = nil
	}
	return last, ok
}

// PopUndone takes the action that was undone last, to redo it; ok is false if there is none. It can then be undone again.
func (h *History) PopUndone() (last Action, ok bool) {
	if last, ok = takeLast(&h.undone); ok {
		last.batch = nil
		h.push(last)
	}
	return last, ok
}

// ForgetUndone makes nothing of what was undone redoable.
func (h *History) ForgetUndone() { h.undone = nil }

func takeLast(actions *[]Action) (last Action, ok bool) {
	n := len(*actions)
	if n == 0 {
		return last, false
	}
	last = (*actions)[n-1]
	*actions = (*actions)[:n-1]
	return last, true
}

// Len is how many actions can be undone.
func (h *History) Len() int { return len(h.actions) }

// Clear forgets all actions.
func (h *History) Clear() { h.actions, h.undone = nil, nil }
