package app

import (
	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/app/session"
	"kairos/reader"
)

// mark marks articles. They are shown as marked once that is stored, so that a mark on screen is never lost.
func (t *timeline) mark(ids []int64, flag reader.Flag, on bool) {
	t.markThen(ids, flag, on, func([]int64) {})
}

// markThen marks articles as mark does, and then calls done with those that were not marked before.
func (t *timeline) markThen(ids []int64, flag reader.Flag, on bool, done func(changed []int64)) {
	t.session.Marks.Set(ids, flag, on, func(changed []int64, err error) {
		if err == nil {
			for _, id := range ids {
				if a := t.session.List.Loaded[id]; a != nil {
					*session.FlagOf(a, flag) = on
				}
			}
			t.marked(flag, on, ids)
			done(changed)
		}
		t.list.Refresh()
		t.marking()
		if err != nil {
			t.shell.Say(language.Printer().Sentences(lang.L("The articles could not be marked."), language.Error(err)))
		}
	})
}

// markRead marks an article that was opened as read; it stays in the list.
func (t *timeline) markRead(id int64) {
	t.mark([]int64{id}, reader.FlagRead, true)
	t.session.List.Keep(id)
}
