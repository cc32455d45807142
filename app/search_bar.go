package app

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/widgets"
	"kairos/reader"
)

// searchEntry is the field that narrows the list; Escape empties and leaves it.
type searchEntry struct {
	widget.Entry
	w    *window
	save *widget.Button // shown while there is something to save
	help *widget.Button
	bar  fyne.CanvasObject
	want async.Request
	said string // how much was found last
}

func newSearchEntry(w *window) *searchEntry {
	e := &searchEntry{w: w}
	e.ExtendBaseWidget(e)
	e.SetPlaceHolder(searchHint())
	e.OnChanged = func(string) { w.searched() }
	e.OnSubmitted = func(string) { w.win.Canvas().Focus(w.timeline.list) }
	e.save = widget.NewButtonWithIcon("", theme.DocumentSaveIcon(), func() {
		w.used()
		w.saveSearch()
	})
	e.help = widget.NewButtonWithIcon("", theme.QuestionIcon(), func() {
		w.used()
		w.searchHelp()
	})
	e.save.Importance, e.help.Importance = widget.LowImportance, widget.LowImportance
	e.save.Hide()
	e.bar = container.NewBorder(nil, nil, nil, container.NewHBox(e.save, e.help), e)
	return e
}

func searchHint() string {
	return lang.L("Search: words, \"a phrase\", -word, feed:name, is:unread …")
}

// Resize implements fyne.CanvasObject: where there is no room for it, the hint is short.
func (e *searchEntry) Resize(size fyne.Size) {
	hint := searchHint()
	if fyne.MeasureText(hint, theme.TextSize(), fyne.TextStyle{}).Width > size.Width-4*theme.InnerPadding() {
		hint = lang.L("Search…")
	}
	if hint != e.PlaceHolder {
		e.SetPlaceHolder(hint)
	}
	e.Entry.Resize(size)
}

// TypedKey implements fyne.Focusable.
func (e *searchEntry) TypedKey(ev *fyne.KeyEvent) {
	e.w.used()
	if ev.Name == fyne.KeyEscape {
		e.w.endSearch()
		return
	}
	e.Entry.TypedKey(ev)
}

// typed is what is searched for; of a quote or a "-" the word is still to come.
func (e *searchEntry) typed() string {
	if strings.Trim(e.Text, "\"“”„«»- ") == "" {
		return ""
	}
	return e.Text
}

// searched lists what is searched for, in all feeds if no articles were listed.
func (w *window) searched() {
	if shown := w.search.typed() != ""; shown != w.search.save.Visible() {
		w.search.save.Hidden = !shown
		w.search.bar.Refresh()
	}
	if w.needy.shown() && w.search.Text != "" {
		w.sidebar.chooseKey("all")
		return
	}
	w.timeline.anew, w.timeline.head = true, 0
	w.timeline.list.ScrollToTop()
	w.listArticles(true)
	w.sayIndexing()
}

// sayFound says how much was found, and where: a search is for the place it is made in.
func (w *window) sayFound(count int) {
	switch {
	case w.search.typed() != "" && count > 0:
		w.search.said = lang.L("Found in {{.Place}}: {{.Count}}", map[string]any{"Place": w.sidebar.chosen.name, "Count": countText(count)})
		w.say(w.search.said)
	case w.search.said != "" && w.status.message.Text == w.search.said:
		w.say("")
	}
}

// sayIndexing says so if not all is searched yet.
func (w *window) sayIndexing() {
	if w.search.typed() == "" {
		return
	}
	async.Load(w.Jobs, &w.search.want, w.loadIndexing, func(i indexing) {
		if i.waiting > 0 {
			w.say(i.text())
		}
	})
}

// startSearch goes to the search; typing replaces what was searched for before.
func (w *window) startSearch() {
	w.win.Canvas().Focus(w.search)
	w.search.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// back leaves what Escape leaves: what a menu was opened on, articles chosen together,
// the search.
func (w *window) back() {
	w.timeline.pointed = 0
	if !w.timeline.unpick() {
		w.endSearch()
	}
}

// endSearch shows the whole list again.
func (w *window) endSearch() {
	w.search.SetText("")
	w.win.Canvas().Focus(w.timeline.list)
}

// searchHelp explains what can be typed.
func (w *window) searchHelp() {
	grid := widgets.NewColumn(6)
	for _, line := range [][2]string{
		{"river flood", lang.L("both words, or longer ones that begin so")},
		{`"river flood"`, lang.L("these words as they stand, one after the other")},
		{"-flood", lang.L("without this; also before everything below")},
		{"flood OR drought", lang.L("one of the two")},
		{"title:river   author:mary", lang.L("in the title, by this author")},
		{`feed:"city news"   folder:news`, lang.L("in feeds or folders with this in their name")},
		{"is:unread   is:read   is:starred", lang.L("marked so")},
		{"after:2026-01-31", lang.L("of this day or later; a month or a year will do")},
		{"before:2026-01-31", lang.L("of an earlier day")},
	} {
		grid.Add(widgets.NewLabeled(230, widgets.NewCaption(line[0], widgets.Bold), widgets.NewText(line[1], widgets.Plain)))
	}
	grid.Add(widgets.NewText(lang.L("Capitals and accents make no difference. Of one or two letters whole words are found, and in titles and names also longer ones. Chinese, Japanese, Korean and Thai are found by any part of a sentence."), widgets.Muted))
	d := dialog.NewCustom(lang.L("What can be searched for"), lang.L("Close"), grid, w.win)
	d.Resize(fyne.NewSize(640, 400))
	w.dialogs.show(d, func() { w.win.Canvas().Focus(w.search) })
}

// searchWays say that a search finds nothing, and lead out of it.
type searchWays struct {
	*fyne.Container
	w    *window
	wide *widget.Button
	said string // of the index
	want async.Request
}

func newSearchWays(w *window) *searchWays {
	s := &searchWays{w: w}
	s.wide = widget.NewButtonWithIcon(lang.L("Search all articles"), theme.SearchIcon(), func() {
		w.used()
		w.sidebar.chooseKey("all")
	})
	clear := widget.NewButtonWithIcon(lang.L("Clear the search"), theme.ContentClearIcon(), func() {
		w.used()
		w.endSearch()
	})
	s.Container = container.NewCenter(container.NewHBox(s.wide, clear))
	s.Hide()
	return s
}

// explain says what was searched for, and if not all has been searched.
func (s *searchWays) explain() string {
	w := s.w
	s.wide.Hidden = w.sidebar.chosen.key == "all"
	s.Show()
	async.Load(w.Jobs, &s.want, w.loadIndexing, func(i indexing) {
		s.said = ""
		if i.waiting > 0 {
			s.said = "\n\n" + i.text()
		}
		if s.Visible() && w.timeline.empty.Visible() {
			w.timeline.hint.SetText(s.nothing())
			w.timeline.empty.Refresh()
		}
	})
	return s.nothing()
}

func (s *searchWays) nothing() string {
	return lang.L("Nothing in “{{.Place}}” matches", map[string]any{"Place": s.w.sidebar.chosen.name}) + "\n\n" + s.w.search.Text + s.said
}

// indexing says how much a search does not know yet.
type indexing struct {
	waiting int
	damaged bool // the index was
}

func (w *window) loadIndexing(ctx context.Context) (i indexing, err error) {
	i.waiting, i.damaged, err = w.home.Store.Search.Progress(ctx)
	return i, err
}

func (i indexing) text() string {
	of := map[string]any{"Count": countText(i.waiting)}
	if i.damaged {
		return lang.L("The search index was damaged and is being built anew. Articles not searched yet: {{.Count}}", of)
	}
	return lang.L("The search index is being built. Articles not searched yet: {{.Count}}", of)
}

// rebuildIndex has the index of words built anew.
func (w *window) rebuildIndex() {
	w.Work(w.home.Store.Search.Rebuild, func(err error) {
		if err != nil {
			w.say(errorText(err))
			return
		}
		w.say(lang.L("The search index is built anew in the background."))
	})
}

// searchOf is a search for what a place shows.
func searchOf(p place) string {
	quoted := func(name string) string { return `"` + strings.Trim(strings.ReplaceAll(name, `"`, " "), " ") + `"` }
	switch {
	case p.saved != nil:
		return p.saved.Search
	case p.feed != nil:
		return "feed:" + quoted(p.feed.Title)
	case p.folder != "":
		return "folder:" + quoted(p.folder)
	case p.query.View == reader.Starred:
		return "is:starred"
	}
	return ""
}
