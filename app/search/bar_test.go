package search

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/home"
	"kairos/app/session"
	"kairos/app/shell/shelltest"
	"kairos/app/widgets/widgetstest"
)

// field is a search field in a room, and the saved searches.
type field struct {
	*Bar
	room  *shelltest.Room
	saved *Saved
}

func newField(t *testing.T) *field {
	t.Helper()
	f := &field{room: shelltest.New(t, home.Options{})}
	f.Bar = NewBar(f.room.Shell, f.room.Session, Events{Changed: func() {}, Left: func() {}, Save: func() { f.saved.SaveCurrent() },
		All: func() { f.room.Session.Choose(session.Place{Key: session.All}) }})
	f.saved = &Saved{Shell: f.room.Shell, Session: f.room.Session, Library: f.room.Library, Search: f.Bar, Chosen: func(p session.Place) {
		f.room.Session.Choose(p)
		f.room.Library.Reload()
	}}
	f.room.Place(f.Object, 400, 56)
	f.room.Fill()
	return f
}

func TestUnfinishedSearchHidesNothing(t *testing.T) {
	f := newField(t)
	for text, want := range map[string]string{`"`: "", "-": "", `-"`: "", "“": "", `"a`: `"a`, "?": "?"} {
		f.SetText(text)
		if got := f.room.Session.Search; got != want {
			t.Errorf("%s searches for %q", text, got)
		}
	}
}

func TestSearchHelp(t *testing.T) {
	f := newField(t)
	test.Tap(f.HelpButton)
	if len(f.room.Dialogs.Open) != 1 {
		t.Fatal("no help")
	}
	f.room.Dialogs.Key(fyne.KeyEscape)
	if len(f.room.Dialogs.Open) != 0 || f.room.Canvas.Focused() != fyne.Focusable(f.Bar) {
		t.Error("it does not lead back to the search")
	}
}

func TestSearchMarkup(t *testing.T) {
	f := newField(t)
	f.SetText("river")
	win := test.NewTempWindow(t, f.Object)
	win.Resize(fyne.NewSize(400, 56))
	widgetstest.AssertMarkup(t, "search.xml", f.Object)
	ways := NewEmpty(f.room.Shell, func() {}, func() {}).Buttons()
	ways.Show()
	win.SetContent(ways)
	widgetstest.AssertMarkup(t, "emptysearch.xml", ways)
}

// The number of results is shown with the item searched, until the search ends.
func TestSearchResultsAreCounted(t *testing.T) {
	f := newField(t)
	f.SetText("body")
	if f.SayFound(3, "News"); f.room.Host.Said != "Results in News: 3" {
		t.Errorf("it says %q", f.room.Host.Said)
	}
	f.End()
	if f.SayFound(6, "News"); f.room.Host.Said != "" {
		t.Errorf("after the search it says %q", f.room.Host.Said)
	}
	f.SetText("body")
	f.SayFound(3, "News")
	f.room.Say("Something else.")
	f.End()
	if f.SayFound(6, "News"); f.room.Host.Said != "Something else." {
		t.Errorf("the note is %q", f.room.Host.Said)
	}
}

// Only the chosen place is searched: one press searches all articles, also where something was found.
func TestSearchIsWidened(t *testing.T) {
	f := newField(t)
	f.room.Session.Choose(session.FolderPlace("News", "News", false))
	if f.AllButton.Visible() {
		t.Error("nothing is searched")
	}
	f.SetText("body")
	if !f.AllButton.Visible() {
		t.Fatal("only a folder is searched, and nothing offers more")
	}
	test.Tap(f.AllButton)
	if f.ShowButtons(); f.AllButton.Visible() || f.room.Session.Place.Key != session.All || f.Text != "body" {
		t.Errorf("%s is searched for %q, the button is shown: %v", f.room.Session.Place.Key, f.Text, f.AllButton.Visible())
	}
}

// Where nothing is found, what was searched for and where is said, as is which filters do not exist; all articles are offered
// unless they were searched.
func TestEmptySearchIsExplained(t *testing.T) {
	f := newField(t)
	e := NewEmpty(f.room.Shell, func() {}, func() {})
	said := ""
	e.OnChanged(func(text string) { said = text })
	news := session.FolderPlace("News", "News", false)
	for typed, want := range map[string]string{
		`nothing "like this`: `No matches in “News” for`,
		"is:foo":             "There is no filter is:foo. There are is:unread, is:read, is:starred, is:snoozed, is:ended, is:begun, is:heard, is:queued, is:story and is:incomplete.",
		"before:hello":       "“hello” is not a date. Write a day as in before:2026-01-31 or before:yesterday, a month as in before:2026-01, a year, or how long ago as in before:7d, 2w, 3m or 1y.",
		"from:mary":          "There is no filter from:. There are title:,",
	} {
		text := e.Explain(news, typed)
		if !strings.Contains(text, want) || !strings.Contains(text, "\n\n"+typed) || !e.All.Visible() || !e.Buttons().Visible() {
			t.Errorf("of %s it says %q, offers all: %v", typed, text, e.All.Visible())
		}
		f.room.Queue.Until("all are indexed", func() bool { return said == text })
	}
	if e.Explain(session.Place{Key: session.All, Name: "All articles"}, "none"); e.All.Visible() {
		t.Error("it offers to search what it has searched")
	}
}
