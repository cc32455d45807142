package app

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"kairos/reader"
	"kairos/reader/rule"
)

func TestARuleIsAppliedToWhatIsStored(t *testing.T) {
	w, q := newTestWindow(t)
	e := w.editRule(rule.Rule{Enabled: true, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "article 1"}}, Actions: rule.Actions{Hide: true, Read: true}}, func() {})
	q.until("it is tried", func() bool { return len(e.found.Objects) == 2 })
	test.Tap(e.apply)
	q.until("it is stored and asked about", func() bool { return len(w.dialogs.Open) == 1 && w.dialogs.Open[0] != e.dialog })
	w.dialogs.Open[0].Hide()
	r := storedRules(t, w)[0]
	a := w.applyRule(r)
	q.until("it says how much", func() bool {
		return a.said.String() == "2 of 6 stored articles would change. Hidden: 2. Marked read: 2." && !a.apply.Disabled()
	})
	test.Tap(a.apply)
	q.until("they are hidden", func() bool { return len(w.dialogs.Open) == 0 && len(w.undo.actions) == 1 })
	w.timeline.reload()
	q.until("the list is without them", func() bool { return len(w.timeline.ids) == 4 })
	if hidden, err := w.home.Store.Articles.IDs(t.Context(), reader.Query{Hidden: true}); err != nil || len(hidden) != 2 {
		t.Errorf("hidden are %v (%v)", hidden, err)
	}
	w.undo.undoLast()
	q.until("undone, they are back", func() bool { return len(w.undo.actions) == 0 && unread(t, w) == 6 })
}

// Who closes it while it runs has what was done to undo, and no more is done.
func TestApplyingARuleEndsWhenClosed(t *testing.T) {
	w, q := newTestWindow(t)
	a := w.applyRule(rule.Rule{ID: 1, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "article"}}, Actions: rule.Actions{Read: true}})
	q.until("it says how much", func() bool { return !a.apply.Disabled() })
	a.stop() // as closing does
	a.run()
	q.until("it is over", func() bool { return len(w.dialogs.Open) == 0 })
	if len(w.undo.actions) != 0 || unread(t, w) != 6 {
		t.Errorf("%d can be undone, %d unread", len(w.undo.actions), unread(t, w))
	}
	a = w.applyRule(rule.Rule{ID: 1, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "nowhere"}}, Actions: rule.Actions{Read: true}})
	q.until("nothing is to be done", func() bool { return strings.HasPrefix(a.said.String(), "None of 6") })
	if !a.apply.Disabled() {
		t.Error("it can be applied all the same")
	}
}

// What was found stays on screen, whatever is told late of the search for it.
func TestWhatIsToldLateCoversNoAnswer(t *testing.T) {
	w, q := newTestWindow(t)
	q.until("nothing is under way", func() bool { return w.Pending() == 0 && len(q.todo) == 0 })
	a := w.applyRule(rule.Rule{ID: 1, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "article"}}, Actions: rule.Actions{Read: true}})
	progress := <-q.todo // is told late: the answer may be in a frame that waited for it
	q.until("it says how much", func() bool { return !a.apply.Disabled() })
	found := a.said.String()
	progress()
	q.until("all is done", func() bool { return w.Pending() == 0 && len(q.todo) == 0 })
	if got := a.said.String(); got != found || !strings.HasPrefix(got, "6 of 6") {
		t.Errorf("it says %q after %q", got, found)
	}
}

// Who has closed it and types elsewhere goes on typing when it ends.
func TestAClosedDialogTakesNoFocus(t *testing.T) {
	w, q := newTestWindow(t)
	a := w.applyRule(rule.Rule{ID: 1, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "article"}}, Actions: rule.Actions{Read: true}})
	q.until("it says how much", func() bool { return !a.apply.Disabled() })
	test.Tap(a.apply)
	a.close()
	w.win.Canvas().Focus(w.search)
	q.until("all is done", func() bool { return w.Pending() == 0 })
	a.dialog.Hide()
	if got := w.win.Canvas().Focused(); got != w.search {
		t.Errorf("the keys are with %T", got)
	}
}
