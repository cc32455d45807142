package reading

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/session"
	"kairos/app/share"
	"kairos/app/shell/shelltest"
)

// newSharing returns what sends articles to these services, in a room with an article open.
func newSharing(t *testing.T, services ...share.Service) (*Share, *shelltest.Room) {
	t.Helper()
	p, room, ids := newPane(t)
	text, err := share.Encode(services)
	if err != nil {
		t.Fatal(err)
	}
	if err := room.Home.Store.Settings.Set(t.Context(), share.Setting, text); err != nil {
		t.Fatal(err)
	}
	loaded := false
	a := &Share{Shell: room.Shell, View: p.View, Shown: room.Session.Reading, Targets: room.Session.List.Targets, Manage: func() {},
		Changed: func() { loaded = true }, Open: func(string) {}}
	a.LoadServices()
	room.Queue.Until("the services are read", func() bool { return loaded })
	room.Session.List.Take(session.Page{IDs: ids})
	room.Session.List.Follow(ids[0])
	p.Open(ids[0])
	room.Queue.Until("an article is shown", func() bool { return room.Session.Shown != nil })
	return a, room
}

// entry returns an entry of the menu Share.
func entry(t *testing.T, a *Share, name string) *fyne.MenuItem {
	t.Helper()
	for _, e := range a.Items(func(...string) []*fyne.MenuItem { return nil }) {
		if e.Label == name {
			return e
		}
	}
	t.Fatalf("the menu has no %q", name)
	return nil
}

func TestShareWithAServer(t *testing.T) {
	var got []string
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got = append(got, r.FormValue("u")+" "+r.FormValue("t"))
	}))
	defer s.Close()
	a, room := newSharing(t, share.Service{Name: "Shelf", Target: s.URL + "/add?u={url}&t={title}"})
	opened := false
	a.Open = func(link string) { // as the browser does
		answer, err := http.Get(link)
		if err != nil {
			t.Error(err)
			return
		}
		answer.Body.Close()
		opened = true
	}
	entry(t, a, "Shelf").Action()
	room.Queue.Until("it was opened", func() bool { return opened })
	shown := room.Session.Shown
	if want := []string{shown.Link + " " + shown.Title}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestShareWithAProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a script that is no batch file")
	}
	dir := t.TempDir()
	script, out := filepath.Join(dir, "save"), filepath.Join(dir, "out")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nprintf '%s|%s\\n' \"$#\" \"$1\" >> '"+out+"'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	a, room := newSharing(t, share.Service{Name: "Save", Target: script + " {title}"}, share.Service{Name: "Gone", Target: "no-such-program {url}"})
	room.Session.List.Toggle(1)
	entry(t, a, "Save").Action()
	room.Queue.Until("it has run for both", func() bool {
		text, err := os.ReadFile(out)
		return err == nil && strings.Count(string(text), "\n") == 2 && strings.Contains(string(text), "1|"+room.Session.Shown.Title+"\n")
	})
	entry(t, a, "Gone").Action()
	room.Queue.Until("it says what is missing", func() bool {
		return strings.Contains(room.Host.Said, "Gone: There is no program “no-such-program”")
	})
}
