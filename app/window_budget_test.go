package app

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"kairos/app/widgets"
	"kairos/poller"
)

// tickedItems are the entries with a tick in the submenus of Fetching.
func tickedItems(w *window) (names string) {
	for _, item := range w.fetchingItems() {
		if item.ChildMenu == nil {
			continue
		}
		for _, choice := range item.ChildMenu.Items {
			if choice.Checked {
				names += choice.Label + "; "
			}
		}
	}
	return names
}

func TestFetchingMenuTicksWhatIsInForce(t *testing.T) {
	w, _ := newTestWindow(t)
	for want, b := range map[string]poller.Budget{
		"Off; Fresh: 24 a feed; ":   {Saver: poller.SaverOff, Normal: poller.Fresh},
		"On; Balanced: 8 a feed; ":  {Saver: poller.SaverOn, Normal: poller.Balanced},
		"Off; Custom: 856 a day…; ": {Saver: poller.SaverOff, Normal: "856"},
		"Off; Pause fetching; ":     {Saver: poller.SaverOff, Normal: "0"},
		"Off; Goal…; ":              {Saver: poller.SaverOff, Normal: "goal 95%"},
	} {
		w.budget.show(b)
		if got := tickedItems(w); got != want {
			t.Errorf("%+v: ticked are %s", b, got)
		}
	}
}

// The button of battery saver offers the choices with what each brings, and sets none by itself.
func TestSaverButtonOffersTheChoices(t *testing.T) {
	w, q := newTestWindow(t)
	w.budget.show(poller.Budget{Normal: poller.Balanced, Saver: poller.SaverOff})
	known := false
	w.budget.foresee(func() { known = true })
	q.until("it is known", func() bool { return known })
	w.budget.button.Tapped(&fyne.PointEvent{})
	menu, ok := w.win.Canvas().Focused().(*widget.PopUpMenu)
	if !ok {
		t.Fatalf("%T has the keys", w.win.Canvas().Focused())
	}
	if len(menu.Items) != 3 {
		t.Fatalf("%d choices", len(menu.Items))
	}
	menu.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	menu.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	q.until("it is on", func() bool {
		b, err := w.shell.Home.Poller.Budget(t.Context())
		return err == nil && b.Saver == poller.SaverOn
	})
}

// The number of fetches a day is asked for, starting with the one in force, and refused if it is none.
func TestAskForANumberOfFetches(t *testing.T) {
	w, q := newTestWindow(t)
	w.budget.show(poller.Budget{Normal: poller.Balanced, Saver: poller.SaverOff})
	w.budget.ask()
	q.until("it asks", func() bool { return len(w.shell.Dialogs.Open) == 1 })
	e := w.win.Canvas().Focused().(*widgets.Entry)
	if e.SelectedText() != "16" {
		t.Errorf("it starts with %q", e.SelectedText())
	}
	e.SetText("many")
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if len(w.shell.Dialogs.Open) != 1 {
		t.Fatal("it takes no number")
	}
	e.SetText("40")
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	q.until("it is set", func() bool {
		b, err := w.shell.Home.Poller.Budget(t.Context())
		return err == nil && b.Normal == "40" && len(w.shell.Dialogs.Open) == 0
	})
}

// Once it is known, the menu tells what each choice is expected to bring; nothing waits for it.
func TestFetchingMenuTellsWhatChoicesBring(t *testing.T) {
	w, q := newTestWindow(t)
	labels := func() (all string) {
		for _, item := range w.fetchingItems() {
			if item.ChildMenu != nil {
				for _, choice := range item.ChildMenu.Items {
					all += choice.Label + "\n"
				}
			}
		}
		return all
	}
	w.budget.show(poller.Budget{Normal: poller.Balanced, Saver: poller.SaverOff})
	if got := labels(); strings.Contains(got, "%") || !strings.HasPrefix(got, "Off\nOn\n") {
		t.Errorf("before anything is known: %s", got)
	}
	known := false
	w.budget.foresee(func() { known = true })
	q.until("it is known", func() bool { return known })
	for _, want := range []string{"Off: 8 a feed a day, about ", "On: 2 a feed a day, about ", "Fresh: 24 a feed, about ", "Balanced: 8 a feed, about ", " % ready\n"} {
		if !strings.Contains(labels(), want) {
			t.Errorf("no %q in %s", want, labels())
		}
	}
	menu := ""
	for _, m := range w.win.MainMenu().Items {
		for _, item := range m.Items {
			if item.ChildMenu != nil {
				menu += item.ChildMenu.Items[0].Label + "\n"
			}
		}
	}
	if !strings.Contains(menu, "Off: 8 a feed a day, about ") {
		t.Errorf("the main menu has %s", menu)
	}
	w.budget.show(poller.Budget{Normal: "2", Saver: poller.SaverOff})
	if !strings.Contains(labels(), "On: 1 a feed a day, about ") {
		t.Errorf("a budget below that of battery saver: %s", labels())
	}
	w.budget.show(poller.Budget{Normal: "0", Saver: poller.SaverOff})
	if !strings.HasPrefix(labels(), "Off\nOn\n") {
		t.Errorf("while fetching is paused: %s", labels())
	}
}
