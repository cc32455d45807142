package app

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/storage"

	"kairos/app/widgets"
)

// All that is dropped is opened: each list is shown and imported, and a link of a browser, which the library below gives as if it were
// the path of a file, is offered as an address.
func TestDrop(t *testing.T) {
	w, q := newTestWindow(t)
	var dropped []fyne.URI
	for _, name := range []string{"one", "two words"} {
		file := filepath.Join(t.TempDir(), name+".opml")
		if err := os.WriteFile(file, []byte(`<opml><body><outline xmlUrl="http://127.0.0.1:1/`+url.PathEscape(name)+`" text="`+name+`"/></body></opml>`), 0o600); err != nil {
			t.Fatal(err)
		}
		dropped = append(dropped, storage.NewFileURI(file))
	}
	feeds := func() int {
		all, err := w.shell.Home.Store.Feeds.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	before := feeds()
	w.openDropped(dropped)
	q.Until("both lists are shown", func() bool { return len(w.shell.Dialogs.Open) == 2 })
	for n := 1; n <= 2; n++ {
		if !w.shell.Dialogs.Open[len(w.shell.Dialogs.Open)-1].Press(lang.L("Import")) {
			t.Fatal("there is no button to import")
		}
		q.Until("a list is imported", func() bool { return feeds() == before+n })
		q.Until("its report is shown", func() bool {
			open := w.shell.Dialogs.Open
			return len(open) > 2-n && open[len(open)-1].Press(lang.L("Close"))
		})
	}
	q.Until("both lists are imported", func() bool { return feeds() == before+2 })

	w.openDropped([]fyne.URI{storage.NewFileURI("http://a.test/a feed?x=1&y"), storage.NewFileURI("feed://b.test/x")})
	address, ok := w.win.Canvas().Focused().(*widgets.Entry)
	if !ok || address.Text != "http://a.test/a%20feed?x=1&y feed://b.test/x" {
		t.Errorf("offered: %q", address.Text)
	}
}
