package timeline

import (
	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/app/session"
	"kairos/app/shell"
	"kairos/reader"
)

// MarkThen marks articles, and then calls done with those that were not marked before. They are shown as marked once that is stored, so
// that a mark on screen is never lost.
func (t *Pane) MarkThen(ids []int64, flag reader.Flag, on bool, done func(changed []int64)) {
	t.session.Marks.Set(ids, flag, on, func(changed []int64, err error) {
		if err == nil {
			for _, id := range ids {
				if a := t.session.List.Loaded[id]; a != nil {
					*session.FlagOf(a, flag) = on
				}
			}
			t.Marked(flag, on, ids)
			done(changed)
		}
		t.List.Refresh()
		t.Marking()
		if err != nil {
			t.shell.Say(language.Printer().Sentences(lang.L("The articles could not be marked."), language.Error(err)))
		}
	})
}

// MarkRead marks an article that was opened as read; it stays in the list. Where others that tell the same are read with it, that can be
// undone: nobody sees which these are.
func (t *Pane) MarkRead(id int64) {
	t.MarkThen([]int64{id}, reader.FlagRead, true, func(changed []int64) {
		if len(changed) > 1 {
			marks := t.session.Marks
			t.shell.RememberUndo(shell.MarkedText(reader.FlagRead, true, len(changed)), marks.Undo(changed, reader.FlagRead, true), marks.Undo(changed, reader.FlagRead, false))
		}
	})
	t.session.List.Keep(id)
}
