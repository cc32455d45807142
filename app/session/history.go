package session

import "context"

// History is what can be undone, the last action at the end. Its zero value is empty.
type History struct {
	actions []Action
}

// Action is something that the user did and can undo.
type Action struct {
	What  string // in words
	Undo  func(ctx context.Context) error
	batch any // actions of one batch are undone as one; nil for one alone
}

// maxUndo is how many actions can be undone.
const maxUndo = 50

// Add remembers an action. It takes the place of the last one if that was of the same batch, which is nil for an action alone.
func (h *History) Add(batch any, what string, undo func(ctx context.Context) error) {
	if h.Continues(batch) {
		h.actions = h.actions[:len(h.actions)-1]
	}
	h.actions = append(h.actions, Action{what, undo, batch})
	h.actions = h.actions[max(0, len(h.actions)-maxUndo):]
}

// Continues reports whether the last action was of this batch.
func (h *History) Continues(batch any) bool {
	return batch != nil && len(h.actions) > 0 && h.actions[len(h.actions)-1].batch == batch
}

// Pop takes the last action; ok is false if there is none.
func (h *History) Pop() (last Action, ok bool) {
	if len(h.actions) == 0 {
		return last, false
	}
	last = h.actions[len(h.actions)-1]
	h.actions = h.actions[:len(h.actions)-1]
	return last, true
}

// Len is how many actions can be undone.
func (h *History) Len() int { return len(h.actions) }

// Clear forgets all actions.
func (h *History) Clear() { h.actions = nil }
