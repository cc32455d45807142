package search

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/async"
	"kairos/app/language"
	"kairos/app/session"
	"kairos/app/shell"
	"kairos/app/widgets"
	"kairos/reader/search"
)

// Empty tells that a search finds nothing, and offers to search everywhere or to clear it.
type Empty struct {
	shell   *shell.Shell
	buttons *fyne.Container
	All     *widgets.Button
	request async.Request
	changed func(text string) // the explanation has changed while it is shown
}

func NewEmpty(sh *shell.Shell, searchAll, clearSearch func()) *Empty {
	s := &Empty{shell: sh}
	s.All = widgets.NewIconButton(lang.L("Search all articles"), theme.SearchIcon(), func() {
		sh.Used()
		searchAll()
	})
	clear := widgets.NewIconButton(lang.L("Clear the search"), theme.ContentClearIcon(), func() {
		sh.Used()
		clearSearch()
	})
	s.buttons = widgets.NewCenteredFlow(theme.Padding(), s.All, clear)
	s.buttons.Hide()
	return s
}

// Explain shows the buttons and returns what was searched for; if some articles are not indexed yet, changed is called
// with that added.
func (s *Empty) Explain(place session.Place, searched string) string {
	s.All.Hidden = place.Key == session.All
	s.buttons.Show()
	text := lang.L("No matches in “{{.Place}}” for", map[string]any{"Place": place.Name}) + "\n\n" + searched
	for _, u := range search.Unknowns(searched) {
		text += "\n\n" + language.Printer().UnknownFilter(u)
	}
	async.Load(s.shell.Jobs, &s.request, indexingOf(s.shell.Home), func(i indexing) {
		if !s.buttons.Visible() {
			return
		}
		if i.waiting > 0 {
			s.changed(text + "\n\n" + i.text())
		} else {
			s.changed(text)
		}
	})
	return text
}

// Buttons are what is offered.
func (s *Empty) Buttons() *fyne.Container { return s.buttons }

// OnChanged has f called with another explanation while it is shown.
func (s *Empty) OnChanged(f func(text string)) { s.changed = f }
