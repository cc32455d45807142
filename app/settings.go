package app

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/autostart"
	"kairos/app/home"
	"kairos/app/look"
	"kairos/app/notify"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/reader"
)

// settingsPage is one page of the settings.
type settingsPage struct {
	name string
	make func(*settingsDialog) fyne.CanvasObject
}

// settingsPages are the pages of the settings in their order.
func settingsPages() []settingsPage {
	return []settingsPage{
		{lang.L("General"), (*settingsDialog).general},
		{lang.L("Reading"), (*settingsDialog).reading},
		{lang.L("Fetching"), (*settingsDialog).fetching},
		{lang.L("Notifications"), (*settingsDialog).notifications},
		{lang.L("Rules"), func(s *settingsDialog) fyne.CanvasObject { return s.w.rulesPage() }},
		{lang.L("Storage"), func(s *settingsDialog) fyne.CanvasObject { return s.w.keepingPage() }},
		{lang.L("Privacy"), (*settingsDialog).privacy},
		{lang.L("Shortcuts"), (*settingsDialog).shortcuts},
		{lang.L("About"), (*settingsDialog).about},
	}
}

// settingsNow is what the settings start from.
type settingsNow struct {
	budget    poller.Budget
	firstDays int
	stored    map[string]string
	login     bool
	accesses  int
}

// settingDefaults are the settings the pages show, with what counts while nobody has
// set them.
var settingDefaults = map[string]string{
	home.SettingLearn:  "on",
	settingKeepRunning: "",
	settingOpenMarks:   openMarksAtOnce,
}

func (w *window) loadSettings(ctx context.Context) (s settingsNow, err error) {
	if s.budget, err = w.home.Poller.Budget(ctx); err != nil {
		return s, err
	}
	if s.firstDays, err = w.home.Store.Settings.Int(ctx, reader.SettingFirstUnreadDays, reader.DefaultFirstUnreadDays); err != nil {
		return s, err
	}
	s.stored = map[string]string{}
	defaults := maps.Clone(settingDefaults)
	maps.Copy(defaults, notify.Defaults)
	for key, otherwise := range defaults {
		if s.stored[key], err = w.home.Store.Settings.Get(ctx, key, otherwise); err != nil {
			return s, err
		}
	}
	log, err := w.home.Log.List(ctx)
	if err != nil {
		return s, err
	}
	s.accesses = len(log)
	s.login, err = autostart.Enabled()
	return s, err
}

// settings opens the settings.
func (w *window) settings() { w.settingsAt(0) }

// settingsOn opens the settings at the page of that name.
func (w *window) settingsOn(name string) {
	w.settingsAt(max(0, slices.IndexFunc(settingsPages(), func(p settingsPage) bool { return p.name == name })))
}

func (w *window) settingsAt(page int) {
	var want async.Request
	async.Load(w.Jobs, &want, w.loadSettings, func(s settingsNow) { w.showSettings(s, page) })
}

// settingsDialog is the settings: a list of pages, the chosen one, and a line that
// says what could not be set. What is changed is in force at once.
type settingsDialog struct {
	w      *window
	now    settingsNow
	dialog *dialog.CustomDialog
	pages  []settingsPage
	at     int // the page shown
	names  *widgets.List
	body   *fyne.Container
	scroll *container.Scroll
	said   *widgets.Text

	repaint func() // in the colours of another appearance
}

func (w *window) showSettings(now settingsNow, page int) *settingsDialog {
	s := &settingsDialog{w: w, now: now, pages: settingsPages(), body: widgets.NewColumn(14), said: widgets.NewText("", widgets.Plain)}
	s.names = widgets.NewList(w.passKeys, func() int { return len(s.pages) },
		func() fyne.CanvasObject { return widget.NewLabel("") },
		func(i int, o fyne.CanvasObject) { o.(*widget.Label).SetText(s.pages[i].name) })
	s.names.HideSeparators = true
	s.names.OnSelected = s.show
	s.scroll = container.NewVScroll(widgets.NewPage(620, s.body))
	ground := canvas.NewRectangle(widgets.Color(s.said, look.ColorSidebar))
	s.repaint = func() {
		ground.FillColor = widgets.Color(s.said, look.ColorSidebar)
		ground.Refresh()
	}
	side := container.NewStack(ground, s.names, s.names.Ring)
	content := widgets.NewSidePane(170, side, container.NewBorder(nil, s.said, nil, nil, s.scroll))
	s.dialog = dialog.NewCustom(lang.L("Settings"), lang.L("Close"), content, w.win)
	s.dialog.Resize(w.dialogs.Fit(860, 620))
	w.dialogs.Show(s.dialog, w.status.reload)
	s.names.Select(page)
	w.win.Canvas().Focus(s.names)
	return s
}

// again shows the page anew, where it is scrolled to.
func (s *settingsDialog) again() {
	at := s.scroll.Offset
	s.show(s.at)
	s.scroll.ScrollToOffset(at)
}

func (s *settingsDialog) show(page int) {
	s.at, s.names.Chosen = page, page
	s.said.Clear()
	s.body.Objects = []fyne.CanvasObject{s.pages[page].make(s)}
	s.body.Refresh()
	s.scroll.ScrollToTop()
}

// row is a setting: its name, what it is set with, and what it means.
func (s *settingsDialog) row(name string, control fyne.CanvasObject, hint string) fyne.CanvasObject {
	return widgets.SettingRow(name, control, hint)
}

// put stores a setting off Fyne's goroutine and says if that failed.
func (s *settingsDialog) put(key, value string) {
	if s.now.stored[key] == value {
		return
	}
	s.now.stored[key] = value
	s.said.Clear()
	s.w.set(key, value, func(err error) {
		if err != nil {
			s.fault(errorText(err))
		}
	})
}

// apply does what a setting is for, and says if that failed.
func (s *settingsDialog) apply(f func(ctx context.Context) error) {
	s.said.Clear()
	s.w.Work(f, func(err error) {
		if err != nil {
			s.fault(errorText(err))
		}
	})
}

func (s *settingsDialog) fault(text string) { s.said.SetText(text, widgets.Warning) }

// toggle is a switch for a setting of two values.
func (s *settingsDialog) toggle(text, key, on, off string) *widgets.Check {
	c := widgets.NewCheck(text)
	c.SetChecked(s.now.stored[key] != off)
	c.OnChanged = func(checked bool) {
		if checked {
			s.put(key, on)
		} else {
			s.put(key, off)
		}
	}
	return c
}

// number is a field for a whole number between two bounds; set is told of each one.
func (s *settingsDialog) number(value, least, most int, set func(int)) *widgets.Entry {
	f := widgets.NewEntry(s.dialog.Hide)
	f.SetText(strconv.Itoa(value))
	f.OnChanged = func(text string) {
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			s.fault(lang.L("This is a number from {{.Least}} to {{.Most}}.", map[string]any{"Least": least, "Most": most}))
			return
		}
		s.said.Clear()
		set(n)
	}
	return f
}
