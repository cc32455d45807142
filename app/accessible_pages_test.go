package app

import (
	"testing"

	"fyne.io/fyne/v2"

	"kairos/app/settings"
)

// Every page and dialog tells of what can have the keys by name and role.
func TestPagesTell(t *testing.T) {
	w, q := newPictureWindow(t, 1200, 780)
	q.read(w, 0)
	check := func(name string) {
		t.Run(name, func(t *testing.T) {
			w.win.Content().Refresh()
			told(t, w)
		})
	}
	for _, page := range settings.Pages {
		newSettings(w).Open(page)
		q.until("the settings are open", func() bool { return len(w.dialogs.Open) == 1 })
		check("settings " + string(page))
		w.dialogs.CloseAll()
	}
	for _, c := range []struct {
		name string
		open func()
	}{
		{"add", func() { w.feeds.subscribe("") }},
		{"keys", func() { w.perform("keys") }},
		{"properties", func() { f := w.sidebar.feeds[0]; w.feeds.properties(&f) }},
		{"labels", func() { w.perform("label") }},
		{"rename folder", func() { w.sidebar.renameFolder(w.sidebar.items[6]) }},
		{"delete folder", func() { w.feeds.askDeleteFolder(w.sidebar.items[6]) }},
		{"search help", func() { w.search.help() }},
		{"message", func() { w.dialogs.Inform("Import", "Nothing was imported.") }},
	} {
		c.open()
		q.until(c.name+" is open", func() bool { return len(w.dialogs.Open) == 1 })
		check(c.name)
		w.dialogs.CloseAll()
	}
	w.openFeedPage(&w.sidebar.feeds[0])
	q.until("the feed's page is open", func() bool { return w.article.page.content.Visible() })
	check("feed")
	w.sidebar.chooseKey(insightsKey)
	q.until("Insights are open", func() bool { return w.pages.chosen() != nil })
	check("insights")
	w.sidebar.chooseKey("all")
	w.win.Resize(fyne.NewSize(420, 640))
	check("narrow")
}
