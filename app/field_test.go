package app

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"kairos/reader/rule"
)

// fieldsOf are what can have the focus in the dialog on top, but for its buttons.
func fieldsOf(w *window) (fields []fyne.Focusable) {
	for _, o := range test.LaidOutObjects(w.win.Canvas().Overlays().Top()) {
		f, ok := o.(fyne.Focusable)
		if _, button := o.(*widget.Button); !ok || button {
			continue
		}
		if d, can := o.(fyne.Disableable); !can || !d.Disabled() {
			fields = append(fields, f)
		}
	}
	return fields
}

func TestEscapeLeavesADialogFromEachField(t *testing.T) {
	w, _ := newTestWindow(t)
	w.win.Resize(fyne.NewSize(1200, 780))
	now, err := w.loadSettings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	dialogs := map[string]func(){
		"properties": func() { w.properties(&w.sidebar.feeds[0]) },
		"subscribe":  func() { w.addFeed("example.org") },
		"rule": func() {
			w.editRule(rule.Rule{Conditions: []rule.Condition{{Field: rule.Title, Pattern: "a"}}, Actions: rule.Actions{Read: true}}, func() {})
		},
		"name":   func() { w.askName("Name", "a", func(string) {}) },
		"budget": w.budgetDialog,
		"search": func() { w.search.SetText("a"); w.saveSearch() },
	}
	for i, page := range settingsPages() {
		dialogs["settings: "+page.name] = func() { w.showSettings(now, i) }
	}
	for name, open := range dialogs {
		open()
		n, tried := len(fieldsOf(w)), 0
		for i := range n {
			fields := fieldsOf(w)
			if i >= len(fields) {
				break
			}
			w.win.Canvas().Focus(fields[i])
			if w.win.Canvas().Focused() != fields[i] {
				continue // it is out of sight
			}
			tried++
			fields[i].TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
			if len(w.dialogs) != 0 {
				t.Errorf("%s: Escape in %T leaves %d dialogs", name, fields[i], len(w.dialogs))
				w.dialogs[0].Hide()
			}
			open()
		}
		w.dialogs[0].Hide()
		if tried == 0 {
			t.Errorf("%s has no field", name)
		}
	}
}

func TestSeveralAreChosen(t *testing.T) {
	test.NewTempApp(t)
	f := newSeveral()
	f.offer([]string{"one", "two", "three"})
	test.Tap(f.checks[0])
	test.Tap(f.checks[2])
	if got := f.chosen(); len(got) != 2 || got[0] != 0 || got[1] != 2 || len(f.Objects) != 3 {
		t.Errorf("chosen %v", got)
	}
	f.offer([]string{"four"})
	if len(f.chosen()) != 0 || len(f.offered()) != 1 || len(f.Objects) != 1 {
		t.Errorf("offers %v, chosen %v", f.offered(), f.chosen())
	}
}
