package app

import (
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
	q.Until("the services are read", func() bool { return len(w.share.Services) == len(services) })
	w.timeline.List.Select(0)
	q.Until("an article is shown", func() bool { return w.session.Shown != nil })
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

func TestShareCopyAndMail(t *testing.T) {
	w, q := newSharing(t, share.Service{Name: "Shelf", Target: "https://shelf.test/add?u={url}"})
	a := w.session.Shown
	for command, want := range map[string]string{
		"copy-quote":         "> " + a.Summary + "\n\n— " + a.Title,
		"copy-markdown-link": "[" + a.Title + "](<" + a.Link + ">)",
	} {
		w.shell.Copy("")
		w.perform(command)
		q.Until(command, func() bool { return strings.HasPrefix(w.shell.App.Clipboard().Content(), want) })
	}
	link := ""
	w.share.Open = func(l string) { link = l }
	entry(t, w, "Shelf").Action()
	q.Until("a service is opened", func() bool { return strings.HasPrefix(link, "https://shelf.test/add?u=") })
	w.perform("mail")
	q.Until("a mail is begun", func() bool { return strings.HasPrefix(link, "mailto:?subject=") })
	w.article.View.SelectAll()
	w.perform("copy-quote")
	q.Until("the selection is quoted", func() bool { return strings.HasPrefix(w.shell.App.Clipboard().Content(), "> "+a.Title) })
	w.timeline.List.TypedRune('S')
	if w.win.Canvas().Overlays().Top() == nil {
		t.Error("S opens no menu")
	}
}
