package jump

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"kairos/app/home"
	"kairos/app/shell/shelltest"
)

func named(names ...string) (all []Target) {
	for _, n := range names {
		all = append(all, Target{Name: n})
	}
	return all
}

func TestMatching(t *testing.T) {
	targets := named("The Daily News", "News of the World", "Olds", "Café Europa", "Mark all read", "Unread", "renewal")
	for typed, want := range map[string][]string{
		"news":     {"News of the World", "The Daily News"},
		"new":      {"News of the World", "The Daily News", "renewal"},
		"cafe":     {"Café Europa"},
		"read":     {"Mark all read", "Unread"},
		"read all": {"Mark all read"},
		" ALL  re": {"Mark all read"},
		"nothing":  {},
	} {
		got := []string{}
		for _, one := range Matching(targets, typed) {
			got = append(got, one.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", typed, got, want)
		}
	}
	if n := len(Matching(targets, "")); n != len(targets) {
		t.Errorf("nothing typed finds %d", n)
	}
}

// What is found by more than its name comes after what is found by its name.
func TestMatchingBesideNames(t *testing.T) {
	targets := []Target{{Name: "Oldest first", Also: "View Sort"}, {Name: "Sort feeds by name", Also: "Feed"}}
	for typed, want := range map[string]int{"sort": 2, "view old": 1, "feed view": 0} {
		if found := Matching(targets, typed); len(found) != want || want == 2 && found[0].Name != "Sort feeds by name" {
			t.Errorf("%q finds %v", typed, found)
		}
	}
}

// What is typed filters, the arrows choose and Enter goes there, once the dialog is closed.
func TestGoTo(t *testing.T) {
	room := shelltest.New(t, home.Options{})
	room.Place(container.NewVBox(), 600, 500)
	targets := named("First", "Second", "Third and second")
	gone := ""
	for i := range targets {
		targets[i].Go = func() {
			if gone = targets[i].Name; len(room.Dialogs.Open) > 0 {
				t.Error("the dialog is still open")
			}
		}
	}
	d := Open(room.Shell, func() []Target { return targets })
	d.Typed.SetText("second")
	d.Typed.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	d.Typed.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if gone != "Third and second" {
		t.Errorf("went to %q", gone)
	}
	d = Open(room.Shell, func() []Target { return targets })
	d.Typed.SetText("nowhere")
	d.Typed.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if len(room.Dialogs.Open) != 1 || gone != "Third and second" {
		t.Errorf("went to %q", gone)
	}
	d.Typed.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if len(room.Dialogs.Open) != 0 {
		t.Error("Escape does not close it")
	}
}

// Enter goes to a place rather than changing something, however well a command matches.
func TestPlacesComeBeforeCommands(t *testing.T) {
	found := Matching([]Target{{Name: "Mark all read", Change: true}, {Name: "Bookmarks"}, {Name: "My marks"}}, "mark")
	if len(found) != 3 || found[0].Name != "My marks" || found[1].Name != "Bookmarks" {
		t.Errorf("found %v", found)
	}
}

func TestNothingMatches(t *testing.T) {
	room := shelltest.New(t, home.Options{})
	room.Place(container.NewVBox(), 600, 500)
	d := Open(room.Shell, func() []Target { return named("First") })
	for typed, want := range map[string]bool{"first": false, "second": true} {
		if d.Typed.SetText(typed); d.none.Visible() != want {
			t.Errorf("%q: that nothing matches is said: %v", typed, !want)
		}
	}
}

// Feeds that come while it is open are found, and what was chosen stays so.
func TestRenewedTargets(t *testing.T) {
	room := shelltest.New(t, home.Options{})
	room.Place(container.NewVBox(), 600, 500)
	targets := named("Second", "Second to none")
	d := Open(room.Shell, func() []Target { return targets })
	d.Typed.SetText("sec")
	d.Typed.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	targets = append(named("A second one"), targets...)
	d.Renew()
	if len(d.Found) != 3 || d.Found[d.list.Chosen].Name != "Second to none" {
		t.Errorf("%v, %d chosen", d.Found, d.list.Chosen)
	}
	d.close()
	d.Renew()
}
