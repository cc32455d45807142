package app

import (
	"context"

	"fyne.io/fyne/v2/lang"
)

// undoHistory is what can be undone, the last action at the end.
type undoHistory struct {
	*env
	actions []undoable
}

type undoable struct {
	what  string
	undo  func(ctx context.Context) error
	batch any // actions of one batch are undone as one; nil for one alone
}

// maxUndo is how many actions can be undone.
const maxUndo = 50

func newUndoHistory(e *env) *undoHistory { return &undoHistory{env: e} }

// add remembers an action and tells the user that it is done and can be undone.
func (h *undoHistory) add(what string, undo func(ctx context.Context) error) {
	h.addBatch(nil, what, undo)
}

// addBatch does so with an action that takes the place of the last one if that was of the same batch.
func (h *undoHistory) addBatch(batch any, what string, undo func(ctx context.Context) error) {
	if h.continues(batch) {
		h.actions = h.actions[:len(h.actions)-1]
	}
	h.actions = append(h.actions, undoable{what, undo, batch})
	h.actions = h.actions[max(0, len(h.actions)-maxUndo):]
	h.status.offerUndo(what)
}

// continues reports whether the last action was of this batch.
func (h *undoHistory) continues(batch any) bool {
	return batch != nil && len(h.actions) > 0 && h.actions[len(h.actions)-1].batch == batch
}

// undoLast undoes the last action.
func (h *undoHistory) undoLast() {
	if len(h.actions) == 0 {
		h.say(lang.L("There is nothing to undo."))
		return
	}
	last := h.actions[len(h.actions)-1]
	h.actions = h.actions[:len(h.actions)-1]
	h.Work(last.undo, func(err error) {
		if err != nil {
			h.say(errorText(err))
			return
		}
		h.say(lang.L("Undone: {{.What}}", map[string]any{"What": last.what}))
	})
}

// clear forgets all actions.
func (h *undoHistory) clear() { h.actions = nil }
