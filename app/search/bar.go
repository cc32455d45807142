// Package search is the search field, what is said of a search, and the saved searches.
package search

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible/describe"
	"kairos/app/async"
	"kairos/app/dialogs"
	"kairos/app/language"
	"kairos/app/session"
	"kairos/app/shell"
	"kairos/app/widgets"
	"kairos/reader/search"
)

// Bar is the search field, with buttons to save the search and for help. Escape empties and leaves it.
type Bar struct {
	widget.Entry
	ring       widgets.FocusRing
	text       widgets.FieldText
	shell      *shell.Shell
	session    *session.Session
	on         Events
	Object     fyne.CanvasObject
	SaveButton *widgets.ToolButton // shown while there is something to save
	AllButton  *widgets.ToolButton // shown while only a part of the articles is searched
	HelpButton *widgets.ToolButton
	request    async.Request
	message    string          // how much was found last
	found      foundVoice      // says that
	OnOpen     func(open bool) // the field has to be on screen, or need not be any more
}

// Events is what the search bar reports. All functions are set.
type Events struct {
	Changed func() // another text is searched for
	Left    func() // the focus goes back to the results
	Save    func() // the search is to be saved
	All     func() // all articles are to be searched
}

func NewBar(sh *shell.Shell, se *session.Session, on Events) *Bar {
	b := &Bar{shell: sh, session: se, on: on, OnOpen: func(bool) {}}
	b.found = foundVoice{say: sh.Announce, later: func(f func()) { time.AfterFunc(typingRests, func() { sh.Do(f) }) }}
	b.ExtendBaseWidget(b)
	b.SetPlaceHolder(searchHint())
	b.OnChanged = func(string) { b.changed() }
	b.OnSubmitted = func(string) { on.Left() }
	b.SaveButton = widgets.NewToolButton(lang.L("Save this search…"), theme.DocumentSaveIcon(), func() {
		sh.Used()
		on.Save()
	})
	b.HelpButton = widgets.NewToolButton(lang.L("Search help…"), theme.QuestionIcon(), func() {
		sh.Used()
		b.Help()
	})
	b.AllButton = widgets.NewToolButton(lang.L("Search all articles"), theme.ListIcon(), func() {
		sh.Used()
		on.All()
	})
	for _, button := range []*widgets.ToolButton{b.AllButton, b.SaveButton, b.HelpButton} {
		button.NoName, button.Text = true, ""
	}
	b.SaveButton.Hide()
	b.AllButton.Hide()
	b.Object = container.NewBorder(nil, nil, nil, container.NewHBox(b.AllButton, b.SaveButton, b.HelpButton), b)
	return b
}

func searchHint() string {
	return lang.L("Search: words, \"a phrase\", -word, feed:name, is:unread …")
}

// Describe implements describe.Describer.
func (b *Bar) Describe() describe.Node {
	n, _ := describe.Widget(b)
	n.Name = lang.L("Search")
	b.text.Describe(&n)
	return n
}

// Resize implements fyne.CanvasObject. A narrow field shows a short hint.
func (b *Bar) Resize(size fyne.Size) {
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
func (b *Bar) TypedKey(ev *fyne.KeyEvent) {
	b.shell.Used()
	if ev.Name == fyne.KeyEscape {
		b.End()
		return
	}
	if widgets.PassFunctionKey(b, ev) || b.text.TypedKey(ev) {
		return
	}
	b.Entry.TypedKey(ev)
}

// MouseDown implements desktop.Mouseable.
func (b *Bar) MouseDown(ev *desktop.MouseEvent) { b.text.MouseDown(ev) }

// MouseUp implements desktop.Mouseable.
func (b *Bar) MouseUp(ev *desktop.MouseEvent) { b.text.MouseUp(ev) }

// CreateRenderer implements fyne.Widget.
func (b *Bar) CreateRenderer() fyne.WidgetRenderer {
	return b.ring.Around(b, b.text.Around(&b.Entry, b.Entry.CreateRenderer()))
}

// FocusGained implements fyne.Focusable.
func (b *Bar) FocusGained() {
	b.ring.On = true
	b.Entry.FocusGained()
}

// FocusLost implements fyne.Focusable. A field without text gives its place back where there is little room.
func (b *Bar) FocusLost() {
	b.ring.On = false
	b.Entry.FocusLost()
	b.OnOpen(b.Text != "")
}

// Typed is what is searched for. After a quote or a "-" alone the word is still to come.
func (b *Bar) Typed() string {
	if strings.Trim(b.Text, "\"“”„«»- ") == "" {
		return ""
	}
	return b.Text
}

func (b *Bar) changed() {
	b.session.Search = b.Typed()
	b.ShowButtons()
	b.on.Changed()
}

// ShowButtons shows the buttons that apply to what is searched for, and where.
func (b *Bar) ShowButtons() {
	save := b.Typed() != ""
	all := save && b.session.Place.Key != session.All
	if save == b.SaveButton.Visible() && all == b.AllButton.Visible() {
		return
	}
	b.SaveButton.Hidden, b.AllButton.Hidden = !save, !all
	b.Object.Refresh()
}

// Start gives the focus to the field; typing replaces the search before.
func (b *Bar) Start() {
	b.OnOpen(true)
	b.shell.Focus(b)
	b.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// End shows the whole list again.
func (b *Bar) End() {
	b.found.tell("", "")
	b.SetText("")
	b.OnOpen(false)
	b.on.Left()
}

// typingRests is how long no letter comes before a screen reader says how much was found: each letter would cut it off.
const typingRests = 700 * time.Millisecond

// foundVoice has a screen reader say how much was found when typing rests, once for each search: the list is read again
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

// SayFound shows how much was found in the sidebar item that was searched.
func (b *Bar) SayFound(count int, item string) {
	found := lang.L("Results in {{.Place}}: {{.Count}}", map[string]any{"Place": item, "Count": count})
	if b.Typed() != "" && count == 0 {
		b.found.tell(b.Typed(), found) // who sees the list sees that
	}
	switch {
	case b.Typed() != "" && count > 0:
		b.message = found
		for _, u := range search.Unknowns(b.Typed()) {
			if u.IsOperator() {
				b.message = language.Printer().UnknownFilter(u)
			}
		}
		b.shell.Show(b.message)
		b.found.tell(b.Typed(), b.message)
	case b.message != "":
		b.shell.Retract(b.message)
	}
}

// SayIndexing shows a message if some articles cannot be found yet.
func (b *Bar) SayIndexing() {
	if b.Typed() == "" {
		return
	}
	async.Load(b.shell.Jobs, &b.request, indexingOf(b.shell.Home), func(i indexing) {
		if i.waiting > 0 {
			b.shell.Say(i.text())
		}
	})
}

// Help explains what can be typed.
func (b *Bar) Help() {
	grid := widgets.NewColumn(6)
	for _, line := range [][2]string{
		{"river flood", lang.L("both words, or longer words that start with them")},
		{`"river flood"`, lang.L("these words in this order")},
		{"-flood", lang.L("without this word; works with everything below, too")},
		{"flood OR drought", lang.L("either word")},
		{"title:river   author:mary", lang.L("in the title; by this author")},
		{`feed:"city news"   folder:news`, lang.L("in feeds or folders with this name")},
		{`label:"read later"`, lang.L("with this label")},
		{"category:sport", lang.L("filed by the feed under a category with this name")},
		{"is:unread   is:read   is:starred   is:snoozed   is:ended   is:story   is:incomplete", lang.L("with this status")},
		{"after:2026-01-31", lang.L("from this day on; a month or a year works, too")},
		{"before:2026-01-31", lang.L("before this day")},
	} {
		grid.Add(widgets.NewLabeled(230, widgets.NewText(line[0], widgets.Bold), widgets.NewText(line[1], widgets.Plain)))
	}
	grid.Add(widgets.NewText(lang.L("Case and accents do not matter. One or two letters match whole words, and in titles and names longer words, too. Chinese, Japanese, Korean and Thai match any part of a sentence."), widgets.Muted))
	b.shell.Dialogs.Show(&dialogs.Dialog{Title: lang.L("Search help"), Content: grid, Width: 620, Closed: func() { b.shell.Focus(b) },
		Buttons: []*dialogs.Button{dialogs.Do(lang.L("Close"), b.shell.Dialogs.CloseTop)}})
}
