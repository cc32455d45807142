package app

import (
	"database/sql"
	"fmt"
	"image"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/look"
	"kairos/app/session"
	"kairos/app/settings"
	"kairos/app/timeline"
	"kairos/app/widgets/widgetstest"
	"kairos/reader"
	"kairos/reader/parse"
)

// pictureTitles are headlines as they come: short ones, long ones, and one in another script would need a font that not
// every machine has.
var pictureTitles = []string{
	"Harbour opens a second pier, and the ferry to the islands sails every hour from May on",
	"Seven lamps", "A field guide to compilers that warn before they fail, in three parts with exercises",
	"Tram depot to be a library", "The moss report: what grows on the north side of everything", "Small hours radio is back",
	"Kitchen arithmetic: how much flour is a handful, and whose hand", "A catalogue of bridges", "Paper planes, measured",
	"Why the night sky over the ridge path is darker than it was ten years ago", "Plain text, plainly",
}

// newPictureWindow returns a window of this size whose articles have headlines, text and a body.
func newPictureWindow(t *testing.T, width, height float32) (*window, *queue) {
	t.Helper()
	w, q := newTestWindow(t)
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		for i, title := range pictureTitles {
			_, err := reader.StoreArticles(t.Context(), tx, int64(1+i%2), []parse.Article{{Key: fmt.Sprint("p", i), Title: title, Link: "http://127.0.0.1:9/",
				Summary: "The lamplighter counted seven lamps on his way to the harbour, and an eighth that nobody had lit.", Author: "E. Ferryman",
				HTML:      "<p>The lamplighter counted <b>seven lamps</b> on his way to the harbour, and an <a href='x'>eighth</a> that nobody had lit.</p><blockquote>Whoever counts lamps in the fog has to walk close to each of them.</blockquote><pre>lamps := 7 + 1</pre><ul><li>one</li><li>two</li></ul>",
				Published: noon.Add(-time.Duration(i) * 50 * time.Minute)}}, noon, time.Time{})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	w.win.Resize(fyne.NewSize(width, height))
	w.reload()
	q.Until("all is listed", func() bool {
		return len(w.session.List.IDs) == 6+len(pictureTitles) && w.library.Unread.Total == 6+len(pictureTitles) && w.status.stateText != ""
	})
	return w, q
}

// read opens article i and waits for it.
func (q *queue) read(w *window, i int) {
	w.timeline.List.Select(i)
	id := w.session.List.IDs[i]
	q.Until("the article is read", func() bool {
		a, err := w.shell.Home.Store.Articles.Load(q.t.Context(), []int64{id})
		return err == nil && a[0].Read && w.session.IsShown(id)
	})
	left := unread(q.t, w)
	w.reload()
	q.Until("that is shown", func() bool {
		a := w.session.List.Loaded[id]
		return a != nil && a.Read && w.library.Unread.Total == left
	})
}

// The main screens look as they did when somebody last looked at them and was content. make screenshots shows them in a real
// window.
func TestPictures(t *testing.T) {
	capture := func(w *window) image.Image {
		w.focusTimeline()
		w.win.Content().Refresh()
		return w.win.Canvas().Capture()
	}
	t.Run("columns", func(t *testing.T) {
		w, q := newPictureWindow(t, 1200, 780)
		q.read(w, 0)
		widgetstest.AssertLooks(t, "columns", capture(w))
		before := capture(w)
		w.setDensity(timeline.RowsCompact)
		if widgetstest.Looks(before, capture(w)) {
			t.Error("compact rows are said to look like normal ones")
		}
		w.setDensity(timeline.RowsNormal)
		if !widgetstest.Looks(before, capture(w)) {
			t.Error("the same screen is said to look different")
		}
		w.shell.App.Settings().SetTheme(look.New(look.Dark))
		widgetstest.AssertLooks(t, "columns-dark", capture(w))
	})
	t.Run("wide", func(t *testing.T) {
		w, q := newPictureWindow(t, 1200, 780)
		w.shell.App.Settings().SetTheme(look.New(look.Sepia))
		w.setLayout(session.Wide)
		w.setDensity(timeline.RowsCompact)
		q.read(w, 2)
		widgetstest.AssertLooks(t, "wide-compact-sepia", capture(w))
	})
	t.Run("narrow", func(t *testing.T) {
		w, q := newPictureWindow(t, 800, 600)
		q.read(w, 0)
		widgetstest.AssertLooks(t, "two-panes", capture(w))
		q.read(w, 1) // the picture would show what is below the pane, too, if there were more of it
		w.win.Resize(fyne.NewSize(533, 400))
		widgetstest.AssertLooks(t, "one-pane-article", capture(w))
		w.goBack()
		widgetstest.AssertLooks(t, "one-pane-list", capture(w))
	})
	t.Run("settings", func(t *testing.T) {
		w, q := newPictureWindow(t, 1000, 700)
		w.shell.App.Settings().SetTheme(look.New(look.Dark))
		newSettings(w).Open(settings.Reading)
		q.Until("the settings are open", func() bool { return len(w.shell.Dialogs.Open) == 1 })
		widgetstest.AssertLooks(t, "settings-dark", w.win.Canvas().Capture())
	})
}
