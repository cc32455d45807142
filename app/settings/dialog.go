package settings

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/autostart"
	"kairos/app/budget"
	"kairos/app/dialogs"
	"kairos/app/home"
	"kairos/app/look"
	"kairos/app/notify"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/reader"
)

// Page names a page of the settings.
type Page string

// Pages are the pages in their order.
var Pages = []Page{General, Reading, Fetching, Accounts, Notifications, Rules, Sharing, Destinations, Storage, Privacy, Keys, About}

// The pages.
const (
	General       Page = "general"
	Reading       Page = "reading"
	Fetching      Page = "fetching"
	Accounts      Page = "accounts"
	Notifications Page = "notifications"
	Rules         Page = "rules"
	Sharing       Page = "sharing"
	Destinations  Page = "destinations"
	Storage       Page = "storage"
	Privacy       Page = "privacy"
	Keys          Page = "shortcuts"
	About         Page = "about"
)

// Title returns the page's name in the language of the window.
func (p Page) Title() string {
	switch p {
	case General:
		return lang.L("General")
	case Reading:
		return lang.L("Reading")
	case Fetching:
		return lang.L("Fetching")
	case Accounts:
		return lang.L("Accounts")
	case Notifications:
		return lang.L("Notifications")
	case Rules:
		return lang.L("Rules")
	case Sharing:
		return lang.L("Sharing")
	case Destinations:
		return lang.L("Destinations")
	case Storage:
		return lang.L("Storage")
	case Privacy:
		return lang.L("Privacy")
	case Keys:
		return lang.L("Shortcuts")
	}
	return lang.L("About")
}

// Words are those by which people look for a page: names of what is on it, and the theme for its appearance.
func (p Page) Words() []string {
	switch p {
	case General:
		return []string{lang.L("Appearance"), lang.L("Theme"), lang.L("Light"), lang.L("Dark"), lang.L("Sepia"), lang.L("Interface size"), lang.L("Language"), lang.L("Closing the window")}
	case Reading:
		return []string{lang.L("Column width"), lang.L("Line spacing"), lang.L("Images"), lang.L("After an absence"), lang.L("Unread articles expire")}
	case Fetching:
		return []string{lang.L("Fetches a day"), lang.L("Battery saver"), lang.L("Prepare articles")}
	case Notifications:
		return []string{lang.L("Quiet hours")}
	case Rules:
		return []string{lang.L("Stories that several feeds carry")}
	case Storage:
		return []string{lang.L("Keep articles"), lang.L("Clean up"), lang.L("Backup"), lang.L("Access log")}
	case Privacy:
		return []string{lang.L("When you read"), lang.L("Forget a period"), lang.L("Data folder"), lang.L("Passwords"), lang.L("Trusted certificates")}
	case About:
		return []string{lang.L("License"), lang.L("Authors")}
	}
	return nil
}

// build returns the content of a page.
func (d *settingsDialog) build(p Page) fyne.CanvasObject {
	switch p {
	case General:
		return d.generalPage()
	case Reading:
		return d.readingPage()
	case Fetching:
		return d.fetchingPage()
	case Accounts:
		d.accounts = newAccountsPage(d)
		return d.accounts.content()
	case Notifications:
		return d.notificationsPage()
	case Rules:
		return d.rulesPage()
	case Sharing:
		return newSharingPage(d).content()
	case Destinations:
		d.destinations = newDestinationsPage(d)
		return d.destinations.content()
	case Storage:
		return d.storagePage()
	case Privacy:
		return d.privacyPage()
	case Keys:
		return d.shortcutsPage()
	}
	return aboutPage()
}

// values are the settings when the dialog opens.
type values struct {
	budget    poller.Budget
	firstDays int
	ends      reader.Ends
	stored    map[string]string
	autostart bool
	feeds     int // how many there are
}

// defaults are the values of stored settings that nobody has set.
var defaults = map[string]string{
	home.SettingLearn:   "on",
	home.SettingAway:    "on",
	KeepRunning:         "",
	MarkOnOpen:          MarkAtOnce,
	MarkOnScroll:        "on",
	home.SettingUpdates: "off",
}

func (s *Settings) load(ctx context.Context) (v values, err error) {
	if v.budget, err = s.Home.Poller.Budget(ctx); err != nil {
		return v, err
	}
	if v.ends, err = s.Home.Store.Settings.Ends(ctx); err != nil {
		return v, err
	}
	if v.firstDays, err = s.Home.Store.Settings.Int(ctx, reader.SettingFirstUnreadDays, reader.DefaultFirstUnreadDays); err != nil {
		return v, err
	}
	v.stored = maps.Clone(defaults)
	maps.Copy(v.stored, notify.Defaults)
	for key, byDefault := range v.stored {
		if v.stored[key], err = s.Home.Store.Settings.Get(ctx, key, byDefault); err != nil {
			return v, err
		}
	}
	feeds, err := s.Home.Store.Feeds.List(ctx)
	if err != nil {
		return v, err
	}
	v.feeds = len(feeds)
	v.autostart, err = autostart.Enabled()
	return v, err
}

// Open opens the settings at a page.
func (s *Settings) Open(p Page) {
	var r async.Request
	async.Load(s.Jobs, &r, s.load, func(v values) { s.show(v, p) })
}

// OpenCorrections opens the settings where what was learned of visits is corrected: the focus is there.
func (s *Settings) OpenCorrections() {
	var r async.Request
	async.Load(s.Jobs, &r, s.load, func(v values) { s.show(v, Privacy).focusHint() })
}

// settingsDialog shows the list of pages, one page, and a line for errors. Changes apply at
// once.
type settingsDialog struct {
	*Settings
	values
	dialog       *dialogs.Dialog
	page         Page
	names        *widgets.List
	body         *fyne.Container
	scroll       *widgets.Scroll
	pane         *fyne.Container // shows the page, its subpage, or what is asked about it
	subpage      *subpage        // nil: none
	undo         *undoLine
	closed       bool
	message      *widgets.Text
	forecast     *budget.View      // of the page Fetching
	visits       visits            // of the page Privacy
	certificates async.Request     // of the page Privacy
	accounts     *accountsPage     // the page Accounts; nil: another one is shown
	destinations *destinationsPage // the page Destinations; nil: another one is shown
	recolor      func()            // after a change of the theme
}

// pageWidth is the most that the rows of a page are wide.
const pageWidth = 620

func (s *Settings) show(v values, p Page) *settingsDialog {
	d := &settingsDialog{Settings: s, values: v, body: widgets.NewColumn(14), message: widgets.NewText("", widgets.Plain)}
	d.names = widgets.NewList(s.Keys, func() int { return len(Pages) },
		func() fyne.CanvasObject {
			name := widget.NewLabel("")
			name.Truncation = fyne.TextTruncateEllipsis
			return name
		},
		func(i int, o fyne.CanvasObject) { o.(*widget.Label).SetText(Pages[i].Title()) })
	d.names.HideSeparators, d.names.Name = true, lang.L("Pages")
	d.names.OnSelected = func(i int) { d.choosePage(Pages[i]) }
	d.scroll = widgets.NewVScroll(widgets.NewPage(pageWidth, d.body))
	d.pane, d.undo = container.NewStack(d.scroll), newUndoLine(s, func() { d.focus(d.names) })
	background := canvas.NewRectangle(widgets.Color(d.message, look.ColorSidebar))
	d.recolor = func() {
		background.FillColor = widgets.Color(d.message, look.ColorSidebar)
		background.Refresh()
	}
	side := container.NewStack(background, d.names)
	content := widgets.NewSidePane(170, side, container.NewBorder(nil, widgets.NewPageFoot(pageWidth, widgets.NewColumn(0, d.message, d.undo.object)), nil, nil, d.pane))
	d.dialog = &dialogs.Dialog{Title: lang.L("Settings"), Content: content, Width: 860, Height: 580, Focus: d.names, Key: d.key, Undo: d.undo.use, Inside: d.inside,
		Closed: func() {
			d.closed = true
			d.dropSubpage()
			s.OnClose()
		},
		Buttons: []*dialogs.Button{{Text: lang.L("Close")}}}
	s.Dialogs.Show(d.dialog)
	d.names.Select(slices.Index(Pages, p))
	return d
}

// choosePage shows a page, or asks first whether what was opened from the page before may go.
func (d *settingsDialog) choosePage(p Page) {
	if s := d.subpage; s != nil && s.keep != nil {
		d.Dialogs.CloseAbove(d.dialog)
		if s.keep(func() { d.showPage(p) }) {
			d.names.SelectSilently(slices.Index(Pages, d.page))
			return
		}
	}
	d.showPage(p)
}

func (d *settingsDialog) showPage(p Page) {
	d.leavePage()
	d.page, d.accounts, d.destinations = p, nil, nil
	d.names.SelectSilently(slices.Index(Pages, p))
	d.message.Clear()
	d.undo.hide()
	d.body.Objects = []fyne.CanvasObject{d.build(p)}
	d.scroll.Refresh() // its bar, too: scrolling to the top does nothing where it is there already
	d.scroll.ScrollToTop()
}

// leavePage closes what was opened from the page. The focus stays in the list of pages if it is there.
func (d *settingsDialog) leavePage() {
	inList := d.Dialogs.Canvas().Focused() == d.names
	d.Dialogs.CloseAbove(d.dialog)
	d.dropSubpage()
	if inList {
		d.focus(d.names)
	}
}

// inside shows an object in the place of the page; nil: the page again, or its subpage.
func (d *settingsDialog) inside(o fyne.CanvasObject) {
	switch {
	case o != nil:
	case d.subpage != nil:
		o = d.subpage.object
	default:
		o = d.scroll
	}
	d.pane.Objects = []fyne.CanvasObject{o}
	if d.closed {
		return
	}
	d.dialog.ShowButtons(o == d.scroll) // what has its own needs the room
	d.pane.Refresh()
	d.focus(d.names) // unless somebody else asks for the focus
}

// rebuild builds the page again and keeps its scroll position.
func (d *settingsDialog) rebuild() {
	at := d.scroll.Offset
	d.showPage(d.page)
	d.scroll.ScrollToOffset(at)
	d.focus(d.names) // what had them is gone
}

// set stores a setting and shows the error if that fails.
func (d *settingsDialog) set(key, value string) {
	if d.stored[key] == value {
		return
	}
	d.stored[key] = value
	d.message.Clear()
	d.StoreSetting(key, value, d.fail)
}

// apply applies a change off Fyne's goroutine and shows the error if that fails.
func (d *settingsDialog) apply(f func(ctx context.Context) error) {
	d.message.Clear()
	d.Work(f, d.fail)
}

// fail shows an error, unless it is nil.
func (d *settingsDialog) fail(err error) {
	if err != nil {
		d.warn(errorText(err))
	}
}

func (d *settingsDialog) warn(text string) { d.message.SetText(text, widgets.Warning) }

// checkbox returns a checkbox for a stored setting of two values.
func (d *settingsDialog) checkbox(text, key, on, off string) *widgets.Check {
	return checkbox(text, d.stored[key] != off, func(checked bool) {
		if checked {
			d.set(key, on)
		} else {
			d.set(key, off)
		}
	})
}

// checkbox returns a checkbox that calls changed when the user changes it.
func checkbox(text string, checked bool, changed func(bool)) *widgets.Check {
	c := widgets.NewCheck(text)
	c.SetChecked(checked)
	c.OnChanged = changed
	return c
}

// checked is a field, or several, with room below for what is wrong with what was entered.
type checked struct {
	*fyne.Container
	problem *widgets.Text
}

func newChecked(fields fyne.CanvasObject) checked {
	problem := widgets.NewText("", widgets.Warning)
	return checked{widgets.NewColumn(4, fields, problem), problem}
}

// refuse says what is wrong; "" is nothing.
func (c checked) refuse(text string) { c.problem.SetText(text, widgets.Warning) }

// number returns a field for a whole number from least to most, and what holds it; set is called with each number
// entered.
func (d *settingsDialog) number(value, least, most int, set func(int)) (*widgets.Entry, checked) {
	f := widgets.NewEntry(d.dialog.Hide)
	f.SetText(strconv.Itoa(value))
	c := newChecked(f)
	f.OnChanged = func(text string) {
		n, problem := parseNumber(text, least, most)
		if c.refuse(problem); problem == "" {
			set(n)
		}
	}
	return f, c
}

// parseNumber reads a whole number from least to most, or says what is wrong.
func parseNumber(text string, least, most int) (n int, problem string) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < least || n > most {
		return 0, lang.L("Enter a number from {{.Min}} to {{.Max}}.", map[string]any{"Min": least, "Max": most})
	}
	return n, ""
}
