package app

import (
	"cmp"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible/describe"
	"kairos/app/async"
	"kairos/app/dialogs"
	"kairos/app/language"
	"kairos/app/session"
	"kairos/app/shell"
	"kairos/app/text"
	"kairos/app/widgets"
	"kairos/reader/search"
)

// searchBar is the search field, with buttons to save the search and for help. Escape empties and leaves it.
type searchBar struct {
	widget.Entry
	ring       widgets.FocusRing
	shell      *shell.Shell
	session    *session.Session
	on         searchEvents
	bar        fyne.CanvasObject
	saveButton *widgets.ToolButton // shown while there is something to save
	helpButton *widgets.ToolButton
	request    async.Request
	message    string          // how much was found last
	found      foundVoice      // says that
	opened     func(open bool) // the field has to be on screen, or need not be any more
}

// searchEvents is what the search bar reports. All functions are set.
type searchEvents struct {
	changed func() // another text is searched for
	left    func() // the focus goes back to the results
	save    func() // the search is to be saved
}

func newSearchBar(sh *shell.Shell, se *session.Session, on searchEvents) *searchBar {
	b := &searchBar{shell: sh, session: se, on: on, opened: func(bool) {}}
	b.found = foundVoice{say: sh.Announce, later: func(f func()) { time.AfterFunc(typingRests, func() { sh.Do(f) }) }}
	b.ExtendBaseWidget(b)
	b.SetPlaceHolder(searchHint())
	b.OnChanged = func(string) { b.changed() }
	b.OnSubmitted = func(string) { on.left() }
	b.saveButton = widgets.NewToolButton(lang.L("Save this search…"), theme.DocumentSaveIcon(), func() {
		sh.Used()
		on.save()
	})
	b.helpButton = widgets.NewToolButton(lang.L("Search help…"), theme.QuestionIcon(), func() {
		sh.Used()
		b.help()
	})
	for _, button := range []*widgets.ToolButton{b.saveButton, b.helpButton} {
		button.NoName, button.Text = true, ""
	}
	b.saveButton.Hide()
	b.bar = container.NewBorder(nil, nil, nil, container.NewHBox(b.saveButton, b.helpButton), b)
	return b
}

func searchHint() string {
	return lang.L("Search: words, \"a phrase\", -word, feed:name, is:unread …")
}

// Describe implements describe.Describer.
func (b *searchBar) Describe() describe.Node {
	n, _ := describe.Widget(b)
	n.Name = lang.L("Search")
	return n
}

// Resize implements fyne.CanvasObject. A narrow field shows a short hint.
func (b *searchBar) Resize(size fyne.Size) {
	hint := searchHint()
	if fyne.MeasureText(hint, theme.TextSize(), fyne.TextStyle{}).Width > size.Width-4*theme.InnerPadding() {
		hint = lang.L("Search…")
	}
	if hint != b.PlaceHolder {
		b.SetPlaceHolder(hint)
	}
	b.Entry.Resize(size)
}

// TypedKey implements fyne.Focusable.
func (b *searchBar) TypedKey(ev *fyne.KeyEvent) {
	b.shell.Used()
	if ev.Name == fyne.KeyEscape {
		b.end()
		return
	}
	b.Entry.TypedKey(ev)
}

// CreateRenderer implements fyne.Widget.
func (b *searchBar) CreateRenderer() fyne.WidgetRenderer {
	return b.ring.Around(b, b.Entry.CreateRenderer())
}

// FocusGained implements fyne.Focusable.
func (b *searchBar) FocusGained() {
	b.ring.On = true
	b.Entry.FocusGained()
}

// FocusLost implements fyne.Focusable. A field without text gives its place back where there is little room.
func (b *searchBar) FocusLost() {
	b.ring.On = false
	b.Entry.FocusLost()
	b.opened(b.Text != "")
}

// typed is what is searched for. After a quote or a "-" alone the word is still to come.
func (b *searchBar) typed() string {
	if strings.Trim(b.Text, "\"“”„«»- ") == "" {
		return ""
	}
	return b.Text
}

func (b *searchBar) changed() {
	b.session.Search = b.typed()
	if shown := b.typed() != ""; shown != b.saveButton.Visible() {
		b.saveButton.Hidden = !shown
		b.bar.Refresh()
	}
	b.on.changed()
}

// start gives the focus to the field; typing replaces the search before.
func (b *searchBar) start() {
	b.opened(true)
	b.shell.Focus(b)
	b.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// end shows the whole list again.
func (b *searchBar) end() {
	b.found.tell("", "")
	b.SetText("")
	b.opened(false)
	b.on.left()
}

// typingRests is how long no letter comes before a screen reader says how much was found: each letter would cut it off.
const typingRests = 700 * time.Millisecond

// foundVoice has a screen reader say how much was found when typing rests, once for each search: the list is read anew
// whenever an article of it is opened, too.
type foundVoice struct {
	say          func(string)
	later        func(func())
	words, told  string // what was searched for, and what was said of it
	announcement int    // counts
}

// tell says a message about words soon, unless another one comes before or it was said.
func (v *foundVoice) tell(words, message string) {
	if v.words != words {
		v.words, v.told = words, ""
	}
	v.announcement++
	if message == "" || message == v.told {
		return
	}
	number := v.announcement
	v.later(func() {
		if number == v.announcement {
			v.told = message
			v.say(message)
		}
	})
}

// sayFound shows how much was found in the sidebar item that was searched.
func (b *searchBar) sayFound(count int, item string) {
	found := lang.L("Results in {{.Place}}: {{.Count}}", map[string]any{"Place": item, "Count": cmp.Or(text.Count(count), "0")})
	if b.typed() != "" && count == 0 {
		b.found.tell(b.typed(), found) // who sees the list sees that
	}
	switch {
	case b.typed() != "" && count > 0:
		b.message = found
		for _, u := range search.Unknowns(b.typed()) {
			if u.IsOperator() {
				b.message = language.Printer().UnknownFilter(u)
			}
		}
		b.shell.Show(b.message)
		b.found.tell(b.typed(), b.message)
	case b.message != "":
		b.shell.Retract(b.message)
	}
}

// sayIndexing shows a message if some articles cannot be found yet.
func (b *searchBar) sayIndexing() {
	if b.typed() == "" {
		return
	}
	async.Load(b.shell.Jobs, &b.request, indexingOf(b.shell.Home), func(i indexing) {
		if i.waiting > 0 {
			b.shell.Say(i.text())
		}
	})
}

// help explains what can be typed.
func (b *searchBar) help() {
	grid := widgets.NewColumn(6)
	for _, line := range [][2]string{
		{"river flood", lang.L("both words, or longer words that start with them")},
		{`"river flood"`, lang.L("these words in this order")},
		{"-flood", lang.L("without this word; works with everything below, too")},
		{"flood OR drought", lang.L("either word")},
		{"title:river   author:mary", lang.L("in the title; by this author")},
		{`feed:"city news"   folder:news`, lang.L("in feeds or folders with this name")},
		{`label:"read later"`, lang.L("with this label")},
		{"is:unread   is:read   is:starred", lang.L("with this status")},
		{"after:2026-01-31", lang.L("from this day on; a month or a year works, too")},
		{"before:2026-01-31", lang.L("before this day")},
	} {
		grid.Add(widgets.NewLabeled(230, widgets.NewCaption(line[0], widgets.Bold), widgets.NewText(line[1], widgets.Plain)))
	}
	grid.Add(widgets.NewText(lang.L("Case and accents do not matter. One or two letters match whole words, and in titles and names longer words, too. Chinese, Japanese, Korean and Thai match any part of a sentence."), widgets.Muted))
	b.shell.Dialogs.Show(&dialogs.Dialog{Title: lang.L("Search help"), Content: grid, Width: 620, Closed: func() { b.shell.Focus(b) },
		Buttons: []*dialogs.Button{dialogs.Do(lang.L("Close"), b.shell.Dialogs.CloseTop)}})
}
