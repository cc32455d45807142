package app

import (
	"fmt"
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/widgets/widgetstest"
	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/discover"
	"kairos/reader/parse"
)

// The dialogs look as they did when somebody last looked at them and was content, and each of their buttons says what it
// does.
func TestDialogMarkup(t *testing.T) {
	w, q := newTestWindow(t)
	w.win.Resize(fyne.NewSize(900, 700))
	folder, feed := w.sidebar.Items[6].Place, w.library.Feeds[0]
	feed.URL = "http://127.0.0.1:9/feed" // the port of the test's server changes
	noFeed := fmt.Errorf("%w: %w", discover.ErrNoFeed, parse.ErrWebPage)
	for _, c := range []struct {
		name, title string
		buttons     []string
		open        func()
	}{
		{"labels", "Labels of this article", []string{"Done"}, func() {
			for _, name := range []string{"Read later", "Recipes"} {
				if _, err := w.shell.Home.Marks.Labels.Save(t.Context(), reader.Label{Name: name, Color: 1}); err != nil {
					t.Fatal(err)
				}
			}
			w.timeline.List.Select(0)
			w.perform("label")
		}},
		{"renamefolder", "Rename folder", []string{"Cancel", "Rename"}, func() { w.sidebar.RenameFolder(folder) }},
		{"deletefolder", "Delete the folder “News”?", []string{"Cancel", "Unsubscribe from 1 feed", "Keep the feed"}, func() { w.feeds.AskDeleteFolder(folder) }},
		{"properties", "Feed properties", []string{"Unsubscribe", "Feed status", "Cancel", "Save"}, func() { w.feeds.Properties(&feed) }},
		{"addfeed", "Add a feed", []string{"Read the page itself…", "Cancel", "Add"}, func() { w.feeds.Subscribe("example.org").ShowError(noFeed) }},
		{"addfeedlogin", "Add a feed", []string{"Read the page itself…", "Cancel", "Add"}, func() {
			w.feeds.Subscribe("example.org").ShowError(&fetch.Error{Code: fetch.Auth, Host: "example.org", Status: 401})
		}},
		{"inform", "Import", []string{"Close"}, func() { w.shell.Dialogs.Inform("Import", "Nothing was imported.") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.open()
			q.Until("it is open", func() bool { return len(w.shell.Dialogs.Open) == 1 })
			d := w.shell.Dialogs.Open[0]
			var buttons []string
			for _, b := range d.Buttons {
				buttons = append(buttons, b.Text)
			}
			if d.Title != c.title || !slices.Equal(buttons, c.buttons) {
				t.Errorf("%q with the buttons %q", d.Title, buttons)
			}
			widgetstest.AssertMarkup(t, "dialogs/"+c.name+".xml", w.win.Canvas().Overlays().Top())
			d.Hide()
		})
	}
}
