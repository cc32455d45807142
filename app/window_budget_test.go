package app

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/shell/shelltest"
	"kairos/app/widgets"
	"kairos/poller"
)

// newBudget returns the controls of the budget in a room.
func newBudget(t *testing.T) (*budgetControls, *shelltest.Room) {
	t.Helper()
	room := shelltest.New(t, home.Options{})
	c := newBudgetControls(room.Shell)
	room.Place(c.button, 200, 40)
	return c, room
}

// tickedItems are the entries with a tick in the submenus of Fetching.
func tickedItems(c *budgetControls) (names string) {
	for _, item := range c.items(func() {}) {
		for _, choice := range item.ChildMenu.Items {
			if choice.Checked {
				names += choice.Label + "; "
			}
		}
	}
	return names
}

func TestFetchingMenuTicksWhatIsInForce(t *testing.T) {
	c, _ := newBudget(t)
	for want, b := range map[string]poller.Budget{
		"Off; Fresh: 24 a feed; ":   {Saver: poller.SaverOff, Normal: poller.Fresh},
		"On; Balanced: 8 a feed; ":  {Saver: poller.SaverOn, Normal: poller.Balanced},
		"Off; Custom: 856 a day…; ": {Saver: poller.SaverOff, Normal: "856"},
		"Off; Pause fetching; ":     {Saver: poller.SaverOff, Normal: "0"},
		"Off; Goal…; ":              {Saver: poller.SaverOff, Normal: "goal 95%"},
	} {
		c.show(b)
		if got := tickedItems(c); got != want {
			t.Errorf("%+v: ticked are %s", b, got)
		}
	}
}

// The button of battery saver offers the choices with what each brings, and sets none by itself.
func TestSaverButtonOffersTheChoices(t *testing.T) {
	c, room := newBudget(t)
	q := room.Queue
	c.show(poller.Budget{Normal: poller.Balanced, Saver: poller.SaverOff})
	known := false
	c.foresee(func() { known = true })
	q.Until("it is known", func() bool { return known })
	c.button.Tapped(&fyne.PointEvent{})
	menu, ok := room.Canvas.Focused().(*widget.PopUpMenu)
	if !ok {
		t.Fatalf("%T has the focus", room.Canvas.Focused())
	}
	if len(menu.Items) != 3 {
		t.Fatalf("%d choices", len(menu.Items))
	}
	menu.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	menu.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	q.Until("it is on", func() bool {
		b, err := room.Home.Poller.Budget(t.Context())
		return err == nil && b.Saver == poller.SaverOn
	})
}

// The entries of a menu do not wrap: in every language that of battery saver is no wider than the narrowest window.
func TestSaverMenuFitsANarrowWindow(t *testing.T) {
	const narrowest = 360
	c, room := newBudget(t)
	c.show(poller.Budget{Normal: poller.Balanced, Saver: poller.SaverOff})
	known := false
	c.foresee(func() { known = true })
	room.Queue.Until("it is known what each brings", func() bool { return known })
	for _, l := range language.Known() {
		useLanguage(t, l)
		menu := widget.NewMenu(fyne.NewMenu("", c.saverItems()...))
		if width := menu.MinSize().Width; width > narrowest {
			t.Errorf("in %s it is %v wide", l, width)
		}
	}
}

// The number of fetches a day is asked for, starting with the one in force, and refused if it is not a number.
func TestAskForANumberOfFetches(t *testing.T) {
	c, room := newBudget(t)
	q := room.Queue
	c.show(poller.Budget{Normal: poller.Balanced, Saver: poller.SaverOff})
	c.ask()
	q.Until("it asks", func() bool { return len(room.Dialogs.Open) == 1 })
	e := room.Canvas.Focused().(*widgets.Entry)
	if e.SelectedText() != "16" {
		t.Errorf("it starts with %q", e.SelectedText())
	}
	e.SetText("many")
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if len(room.Dialogs.Open) != 1 {
		t.Fatal("it takes no number")
	}
	e.SetText("40")
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	q.Until("it is set", func() bool {
		b, err := room.Home.Poller.Budget(t.Context())
		return err == nil && b.Normal == "40" && len(room.Dialogs.Open) == 0
	})
}

// Once it is known, the menu tells what each choice is expected to bring; nothing waits for it.
func TestFetchingMenuTellsWhatChoicesBring(t *testing.T) {
	c, room := newBudget(t)
	q := room.Queue
	labels := func() (all string) {
		for _, item := range c.items(func() {}) {
			for _, choice := range item.ChildMenu.Items {
				all += choice.Label + "\n"
			}
		}
		return all
	}
	c.show(poller.Budget{Normal: poller.Balanced, Saver: poller.SaverOff})
	if got := labels(); strings.Contains(got, "%") || !strings.HasPrefix(got, "Off\nOn\n") {
		t.Errorf("before anything is known: %s", got)
	}
	known := false
	changed := false
	c.changed = func() { changed = true }
	c.foresee(func() { known = true })
	q.Until("it is known", func() bool { return known })
	if !changed {
		t.Error("the main menu is not told")
	}
	for _, want := range []string{"Off: 8 a feed a day, about ", "On: 2 a feed a day, about ", "Fresh: 24 a feed, about ", "Balanced: 8 a feed, about ", " % ready\n"} {
		if !strings.Contains(labels(), want) {
			t.Errorf("no %q in %s", want, labels())
		}
	}
	c.show(poller.Budget{Normal: "2", Saver: poller.SaverOff})
	if !strings.Contains(labels(), "On: 1 a feed a day, about ") {
		t.Errorf("a budget below that of battery saver: %s", labels())
	}
	c.show(poller.Budget{Normal: "0", Saver: poller.SaverOff})
	if !strings.HasPrefix(labels(), "Off\nOn\n") {
		t.Errorf("while fetching is paused: %s", labels())
	}
}
