package app

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

	"kairos/app/share"
)

// newSharing returns a window with an article open and these services.
func newSharing(t *testing.T, services ...share.Service) (*window, *queue) {
	t.Helper()
	w, q := newTestWindow(t)
	text, err := share.Encode(services)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.shell.Home.Store.Settings.Set(t.Context(), share.Setting, text); err != nil {
		t.Fatal(err)
	}
	w.share.LoadServices()
	q.until("the services are read", func() bool { return len(w.share.Services) == len(services) })
	w.timeline.List.Select(0)
	q.until("an article is shown", func() bool { return w.session.Shown != nil })
	return w, q
}

// entry returns an entry of the menu Share of the window.
func entry(t *testing.T, w *window, name string) *fyne.MenuItem {
	t.Helper()
	for _, m := range w.win.MainMenu().Items {
		for _, i := range m.Items {
			if i.Label != "Share" {
				continue
			}
			for _, e := range i.ChildMenu.Items {
				if e.Label == name {
					return e
				}
			}
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
	w, q := newSharing(t, share.Service{Name: "Shelf", Target: s.URL + "/add?u={url}&t={title}"})
	opened := false
	w.share.Open = func(link string) { // as the browser does
		answer, err := http.Get(link)
		if err != nil {
			t.Error(err)
			return
		}
		answer.Body.Close()
		opened = true
	}
	entry(t, w, "Shelf").Action()
	q.until("it was opened", func() bool { return opened })
	a := w.session.Shown
	if want := []string{a.Link + " " + a.Title}; !slices.Equal(got, want) {
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
	w, q := newSharing(t, share.Service{Name: "Save", Target: script + " {title}"}, share.Service{Name: "Gone", Target: "no-such-program {url}"})
	pick(w, 1)
	entry(t, w, "Save").Action()
	q.until("it has run for both", func() bool {
		text, err := os.ReadFile(out)
		return err == nil && strings.Count(string(text), "\n") == 2 && strings.Contains(string(text), "1|"+w.session.Shown.Title+"\n")
	})
	entry(t, w, "Gone").Action()
	q.until("it says what is missing", func() bool {
		return strings.Contains(w.status.message.Text, "Gone: There is no program “no-such-program”")
	})
}

func TestCopyAndMail(t *testing.T) {
	w, q := newSharing(t)
	a := w.session.Shown
	for command, want := range map[string]string{
		"copy-quote":         "> " + a.Summary + "\n\n— " + a.Title,
		"copy-markdown-link": "[" + a.Title + "](<" + a.Link + ">)",
	} {
		w.shell.Copy("")
		w.perform(command)
		q.until(command, func() bool { return strings.HasPrefix(w.shell.App.Clipboard().Content(), want) })
	}
	link := ""
	w.share.Open = func(l string) { link = l }
	w.perform("mail")
	q.until("a mail is begun", func() bool { return strings.HasPrefix(link, "mailto:?subject=") })
	w.article.View.SelectAll()
	w.perform("copy-quote")
	q.until("the selection is quoted", func() bool { return strings.HasPrefix(w.shell.App.Clipboard().Content(), "> "+a.Title) })
	w.timeline.List.TypedRune('S')
	if w.win.Canvas().Overlays().Top() == nil {
		t.Error("S opens no menu")
	}
}
