package settings

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"kairos/app/article"
	"kairos/app/async"
	"kairos/app/async/asynctest"
	kairosdesktop "kairos/app/desktop"
	"kairos/app/dialogs"
	"kairos/app/glyphs"
	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/app/keys"
	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/session"
	"kairos/app/widgets"
	"kairos/app/widgets/widgetstest"
	"kairos/useraccess"
)

// fakeWindow records what the settings ask of the window.
type fakeWindow struct {
	win fyne.Window
	article.Style
	said      string // the last message
	undo      []func(context.Context) error
	restored  int
	restarted int
	deduped   int
	shared    int
	synced    []int64 // accounts
	stored    int     // changes of shortcuts
	capture   bool
	testFails error // of the test notification
}

func (w *fakeWindow) SetStyle(s article.Style)      { w.Style = s }
func (w *fakeWindow) SetMarkOnOpen(string)          {}
func (w *fakeWindow) SetMarkOnScroll(bool)          {}
func (w *fakeWindow) Order() (string, string, bool) { return SortNewest, GroupNone, false }
func (w *fakeWindow) SetSort(string)                {}
func (w *fakeWindow) SetGroup(string)               {}
func (w *fakeWindow) SetHideRead(bool)              {}
func (w *fakeWindow) Layout() session.Layout        { return session.Columns }
func (w *fakeWindow) SetLayout(session.Layout)      {}
func (w *fakeWindow) Rows() string                  { return RowsNormal }
func (w *fakeWindow) SetRows(string)                {}
func (w *fakeWindow) LoadsImages() bool             { return true }
func (w *fakeWindow) SetLoadsImages(bool)           {}

// view is fakeWindow as a View: its embedded Style is the method's value.
type view struct{ *fakeWindow }

func (v view) Style() article.Style { return v.fakeWindow.Style }

// newSettings returns settings over a small data folder, with a queue for Fyne's goroutine.
func newSettings(t *testing.T) (*Settings, *fakeWindow, *asynctest.Queue) {
	t.Helper()
	return newSettingsWith(t, home.Options{})
}

// newSettingsWith is newSettings with other servers and another keyring.
func newSettingsWith(t *testing.T, o home.Options) (*Settings, *fakeWindow, *asynctest.Queue) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	h := hometest.OpenWith(ctx, t, o)
	a := test.NewTempApp(t)
	a.Settings().SetTheme(look.New(look.Light))
	win := test.NewTempWindow(t, nil)
	win.Resize(fyne.NewSize(1000, 700))
	q := asynctest.NewQueue(t)
	jobs := async.New(ctx, win, q.Add)
	jobs.OnError = func(err error) { t.Error(err) }
	t.Cleanup(func() {
		stop()
		jobs.Wait()
		h.Close()
	})
	stack := dialogs.NewStack(win.Canvas, jobs, func() {})
	w := &fakeWindow{win: win}
	return New(Host{
		Jobs: jobs, App: a, Home: h, Dialogs: stack, Preferences: a.Preferences(),
		Keys: widgets.Keys{Used: func() {}, Key: func(*fyne.KeyEvent) {}, Rune: func(rune) {}},
		Say:  func(text string) { w.said = text },
		StoreSetting: func(key, value string, done func(error)) {
			jobs.Work(func(ctx context.Context) error { return h.Store.Settings.Set(ctx, key, value) }, done)
		},
		AddUndo: func(_ string, undo func(context.Context) error) { w.undo = append(w.undo, undo) },
		Undo: func() {
			last := w.undo[len(w.undo)-1]
			w.undo = w.undo[:len(w.undo)-1]
			jobs.Work(last, nil)
		},
		SendTest:    func(context.Context) error { return w.testFails },
		SyncAccount: func(id int64) { w.synced = append(w.synced, id) },
		OnClose:     func() {},
		Restart:     func() { w.restarted++ },
		OnRestore:   func() { w.restored++ },
		OnDedupe:    func() { w.deduped++ },
		OnSharing:   func() { w.shared++ },
		View:        view{w},
		Shortcuts: Shortcuts{
			Groups: []CommandGroup{{Name: "Reading", Commands: []Command{{"next", "Next article"}, {"star", "Star"}}}},
			Map:    keys.NewMap(map[string]string{"next": "j Ctrl+J", "star": "s"}), Changed: func() { w.stored++ },
			Capturing: func(on bool) { w.capture = on },
		},
	}), w, q
}

// openDialog opens the settings at a page.
func openDialog(t *testing.T, s *Settings, p Page) *settingsDialog {
	t.Helper()
	v, err := s.load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s.show(v, p)
}

func unread(t *testing.T, s *Settings) int {
	t.Helper()
	c, err := s.Home.Store.Articles.Counts(t.Context(), hometest.Noon, false)
	if err != nil {
		t.Fatal(err)
	}
	return c.Total
}

func TestEveryPageHasContent(t *testing.T) {
	s, _, _ := newSettings(t)
	d := openDialog(t, s, Pages[0])
	titles := map[string]bool{}
	for i, p := range Pages {
		d.names.Select(i)
		if len(d.body.Objects) != 1 || titles[p.Title()] {
			t.Errorf("page %s, %q: %d objects", p, p.Title(), len(d.body.Objects))
		}
		titles[p.Title()] = true
	}
}

// The words by which a page is looked for stand there, some amid a sentence, or can be chosen there; only its theme has another name.
func TestWordsStandOnTheirPages(t *testing.T) {
	s, _, q := newSettings(t)
	d := openDialog(t, s, Pages[0])
	for i, p := range Pages {
		d.names.Select(i)
		for _, word := range p.Words() {
			q.Until(word+" is on the page "+p.Title(), func() bool {
				chosen := func(field *widgets.Select) bool { return slices.Contains(field.Options, word) }
				return word == "Theme" || widgetstest.Shows(d.body, word[1:]) || slices.ContainsFunc(widgetstest.Find[*widgets.Select](d.body), chosen)
			})
		}
	}
}

func TestSettingsAreStoredAtOnce(t *testing.T) {
	s, _, q := newSettings(t)
	openDialog(t, s, Privacy).set(home.SettingLearn, "off")
	q.Until("it is stored", func() bool {
		v, err := s.Home.Store.Settings.Get(t.Context(), home.SettingLearn, "on")
		return err == nil && v == "off"
	})
}

func TestNumberFieldRefusesOtherText(t *testing.T) {
	s, _, _ := newSettings(t)
	d := openDialog(t, s, Fetching)
	entered := 0
	f, field := d.number(7, 1, 10, func(v int) { entered = v })
	for _, bad := range []string{"", "x", "0", "11", "-1", "99999999999999999999"} {
		f.SetText(bad)
		if !field.problem.Visible() || entered != 0 {
			t.Errorf("%q is accepted as %d", bad, entered)
		}
	}
	if f.SetText("9"); entered != 9 || field.problem.Visible() {
		t.Errorf("9 is read as %d, message %q", entered, field.problem)
	}
}

func TestKeyCapture(t *testing.T) {
	test.NewTempApp(t)
	var got []keys.Chord
	press := func(name fyne.KeyName, letter rune) {
		c := newKeyCapture(func(k keys.Chord) { got = append(got, k) })
		c.KeyDown(&fyne.KeyEvent{Name: name})
		c.TypedKey(&fyne.KeyEvent{Name: name})
		if letter != 0 {
			c.TypedRune(letter)
		}
	}
	press(fyne.KeyG, 'g')
	press(fyne.KeySpace, ' ')
	press(desktop.KeyControlLeft, 0)
	press(fyne.KeyF7, 0)
	press(fyne.KeyEnter, 0)
	want := []keys.Chord{{Letter: 'g'}, {Key: fyne.KeySpace}, {Key: fyne.KeyF7}, {Key: fyne.KeyReturn}}
	if !slices.Equal(got, want) {
		t.Errorf("captured %+v", got)
	}
}

func TestCaptureShortcut(t *testing.T) {
	s, w, _ := newSettings(t)
	changed := 0
	s.captureShortcut(Command{"next", "Next article"}, func() { changed++ })
	if !w.capture {
		t.Error("keys still run commands")
	}
	s.Dialogs.Canvas().Focused().TypedRune('s')
	if got := s.Shortcuts.Map.Chords("next"); slices.Contains(got, keys.Chord{Letter: 's'}) || !strings.HasPrefix(s.Dialogs.Open[0].Title, "S stands for ") {
		t.Fatalf("the key of another command is taken without a question: %v, %q", got, s.Dialogs.Open[0].Title)
	}
	s.Dialogs.Open[0].Press("Use S")
	// The chord with Ctrl stays, and the letter is taken from the other command.
	want := []keys.Chord{{Letter: 's'}, {Modifiers: keys.Ctrl, Key: fyne.KeyJ}}
	if got := s.Shortcuts.Map.Chords("next"); !slices.Equal(got, want) || len(s.Shortcuts.Map.Chords("star")) != 0 {
		t.Errorf("next has %v, star %v", got, s.Shortcuts.Map.Chords("star"))
	}
	if w.capture || changed != 2 || w.stored != 1 || len(s.Dialogs.Open) != 0 {
		t.Errorf("capturing %v, changed %d times, stored %d times, %d dialogs", w.capture, changed, w.stored, len(s.Dialogs.Open))
	}
}

// Where there are no feeds, the page says so in the place of what a budget brings.
func TestNoFeedsToForecast(t *testing.T) {
	s, _, q := newSettings(t)
	d := openDialog(t, s, Fetching)
	asked := func() bool {
		return strings.Contains(strings.Join(widgetstest.Texts(d.dialog.Content), " "), "Add feeds of this computer")
	}
	q.Until("the forecast is shown", d.forecast.Content.Visible)
	if asked() {
		t.Error("it asks for feeds where there are some")
	}
	d.dialog.Hide()
	if err := s.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("DELETE FROM feed")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	d = openDialog(t, s, Fetching)
	q.Until("it says what is missing", asked)
}

// Another number of fetches is set once it was entered, not when the choice shows its field; what is wrong with it
// stands below the field.
func TestCustomBudgetAsksFirst(t *testing.T) {
	s, _, q := newSettings(t)
	d := openDialog(t, s, Fetching)
	fields := d.budgetFields().(*fyne.Container)
	choice := widgetstest.Find[*widgets.Select](fields)[0]
	choice.SetSelected("Custom number")
	entry := widgetstest.Find[*widgets.Entry](fields)[0]
	if !widgetstest.Shows(fields, "fetches a day") || entry.Text != "16" {
		t.Errorf("it starts with %s", entry.Text)
	}
	normal := func() string {
		b, err := s.Home.Poller.Budget(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return b.Normal
	}
	entry.SetText("many")
	entry.OnSubmitted("")
	if !widgetstest.Shows(fields, "Enter a number") || normal() != "balanced" {
		t.Errorf("the budget is %s", normal())
	}
	entry.SetText("50")
	entry.OnSubmitted("")
	q.Until("it is set", func() bool { return normal() == "50" })
}

// What was learned of visits is corrected by a time and days in the language of the window, and by a period that counts no
// more; all of it is listed, can be taken back and undone.
func TestCorrections(t *testing.T) {
	s, w, q := newSettings(t)
	for day := 1; day <= 3; day++ {
		if _, err := s.Home.Log.Record(t.Context(), hometest.Noon.AddDate(0, 0, -day)); err != nil {
			t.Fatal(err)
		}
	}
	d := openDialog(t, s, Privacy)
	listed := func() (texts []string, buttons []*widgets.DialogButton) {
		for _, row := range d.visits.corrections.Content.Objects {
			for _, o := range test.LaidOutObjects(row) {
				switch o := o.(type) {
				case *widgets.Text:
					texts = append(texts, o.String())
				case *widgets.DialogButton:
					buttons = append(buttons, o)
				}
			}
		}
		return texts, buttons
	}
	until := func(want ...string) {
		t.Helper()
		q.Until(fmt.Sprintf("%q is listed", want), func() bool {
			texts, _ := listed()
			return slices.Equal(texts, want)
		})
	}
	visits := func(n int) {
		t.Helper()
		q.Until("visits are counted", func() bool { return strings.HasPrefix(d.visits.recorded.String(), strconv.Itoa(n)) })
	}
	row := func(i int) (fields []fyne.CanvasObject) {
		for _, o := range test.LaidOutObjects(d.body.Objects[0].(*fyne.Container).Objects[i]) {
			switch o.(type) {
			case *widgets.Entry, *widgets.Select, *widgets.DialogButton:
				fields = append(fields, o)
			}
		}
		return fields
	}
	visits(3)

	q.Until("nothing is corrected", func() bool {
		return slices.Contains(widgetstest.Texts(d.visits.corrections.Content), "You have not told Kairos when you read, and no period is forgotten.")
	})
	hint := row(2)
	at, days, add := hint[0].(*widgets.Entry), hint[1].(*widgets.Select), hint[2].(*widgets.DialogButton)
	at.SetText("25:00")
	test.Tap(add)
	if !widgetstest.Shows(d.body, "That is not a time of day") {
		t.Error("25:00 is taken")
	}
	at.SetText("7.30")
	days.SetSelected("on Wednesday")
	test.Tap(add)
	until("You said you read at 07:30 on Wednesday")
	if widgetstest.Shows(d.body, "That is not a time of day") || at.Text != "" {
		t.Errorf("%q is left", at.Text)
	}
	at.SetText("I read at 18:15")
	test.Tap(add)
	until("You said you read at 07:30 on Wednesday", "You said you read at 18:15 on Wednesday")
	at.SetText("I read at 19:45 on workdays")
	at.OnSubmitted("")
	until("You said you read at 07:30 on Wednesday", "You said you read at 18:15 on Wednesday", "You said you read at 19:45 on workdays")
	for range 2 {
		_, buttons := listed()
		n := len(buttons)
		test.Tap(buttons[n-1])
		q.Until("it is removed", func() bool { _, now := listed(); return len(now) == n-1 })
	}
	w.undo = nil

	forget := row(3)
	last := forget[1].(*widgets.Entry)
	forget[0].(*widgets.Entry).SetText("2026-07-02")
	last.SetText("2026-07-01")
	last.OnSubmitted("")
	q.Until("it says why", func() bool { return widgetstest.Shows(d.body, "The span ends before it begins.") })
	if last.Text == "" {
		t.Error("what was entered is gone")
	}
	last.SetText("2026-07-03")
	if widgetstest.Shows(d.body, "The span ends before it begins.") {
		t.Error("it says so of something else")
	}
	forget[0].(*widgets.Entry).SetText(hometest.Noon.AddDate(0, 0, -2).Format(time.DateOnly))
	forget[1].(*widgets.Entry).SetText(hometest.Noon.AddDate(0, 0, -1).Format(time.DateOnly))
	test.Tap(forget[2].(*widgets.DialogButton))
	period := language.Printer().Forgotten(useraccess.Forgotten{From: midnight(hometest.Noon.AddDate(0, 0, -2)), To: midnight(hometest.Noon), Accesses: 2}, hometest.Noon)
	until("You said you read at 07:30 on Wednesday", period)
	visits(1)

	undo := func() {
		t.Helper()
		if err := w.undo[len(w.undo)-1](t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	undo()
	until("You said you read at 07:30 on Wednesday")
	visits(3)
	_, buttons := listed()
	test.Tap(buttons[0])
	until("You have not told Kairos when you read, and no period is forgotten.")
	undo()
	until("You said you read at 07:30 on Wednesday")

	feeds, err := s.Home.Store.Feeds.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	feeds[0].Interest = 0.5
	if err := s.Home.Subscriptions.Update(t.Context(), feeds[0], nil); err != nil {
		t.Fatal(err)
	}
	d.visits.corrections.Load(nil)
	said := "You said that you read 50 % of “" + feeds[0].Title + "”"
	until("You said you read at 07:30 on Wednesday", said)
	_, buttons = listed()
	test.Tap(buttons[1])
	until("You said you read at 07:30 on Wednesday")
	undo()
	until("You said you read at 07:30 on Wednesday", said)
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

// Where nothing shows notifications the test says so, until it works.
func TestNotificationThatNobodyShows(t *testing.T) {
	s, w, q := newSettings(t)
	d := openDialog(t, s, Notifications)
	all := widgetstest.Find[*widgets.Button](d.notificationsPage())
	send := all[len(all)-1]
	w.testFails = fmt.Errorf("%w: no bus", kairosdesktop.ErrNone)
	send.OnTapped()
	q.Until("it is said", func() bool {
		return strings.HasPrefix(d.message.String(), "Nothing on this desktop shows notifications.")
	})
	w.testFails = nil
	send.OnTapped()
	q.Until("it is no longer said", func() bool { return !d.message.Visible() })
}

// Another language offers to restart Kairos, beside the choice; the one in use takes the offer back.
func TestAnotherLanguageOffersToRestart(t *testing.T) {
	t.Setenv("LC_ALL", "en_US.UTF-8")
	t.Setenv("LANGUAGE", "")
	s, w, _ := newSettings(t)
	d := openDialog(t, s, General)
	page := d.generalPage().(*fyne.Container)
	language := widgetstest.Find[*widgets.Select](page)[1]
	button := widgetstest.Find[*widgets.DialogButton](page)[0]
	offer := func() bool { return shownIn(page, button) }
	if offer() {
		t.Error("it is offered at first")
	}
	if language.SetSelected("English"); offer() {
		t.Error("it is offered for the language of the system, which the window is in")
	}
	if language.SetSelected("Deutsch"); !offer() {
		t.Error("it is not offered")
	}
	if again := d.generalPage().(*fyne.Container); !shownIn(again, widgetstest.Find[*widgets.DialogButton](again)[0]) {
		t.Error("it is not offered any more after another page was looked at")
	}
	if !strings.Contains(textsIn(page), "Die neue Sprache gilt") || !strings.Contains(textsIn(page), "Restart Kairos to use") {
		t.Errorf("it says %q", textsIn(page))
	}
	defer glyphs.Assume("chinese", true, false)()
	if language.SetSelected(language.Options[3]); !strings.Contains(textsIn(page), "No font for Chinese is installed") {
		t.Errorf("without a font it says %q", textsIn(page))
	}
	defer glyphs.Assume("chinese", false, false)()
	if language.SetSelected(language.Options[3]); !strings.Contains(textsIn(page), "重启 Kairos") {
		t.Errorf("it says %q", textsIn(page))
	}
	if button.OnTapped(); w.restarted != 1 {
		t.Error("it does not restart")
	}
	if language.SetSelected(language.Options[0]); offer() {
		t.Error("it is still offered")
	}
}

// The size of the interface is chosen, unless the environment decides.
func TestInterfaceSize(t *testing.T) {
	s, _, _ := newSettings(t)
	d := openDialog(t, s, General)
	if said := textsIn(d.scaleRow()); !strings.Contains(said, "Set by FYNE_SCALE") {
		t.Errorf("without a choice it says %q", said)
	}
	drawn := 0.0
	d.Rescale = func(scale float64) { drawn = scale; s.Preferences.SetFloat(PrefScale, scale) }
	choice := func() *widgets.Select { return widgetstest.Find[*widgets.Select](d.scaleRow())[0] }
	c := choice()
	if want := []string{"80 %", "90 %", "100 %", "110 %", "125 %", "150 %", "175 %", "200 %"}; !slices.Equal(c.Options, want) || c.Selected != "100 %" {
		t.Errorf("%q of %q", c.Selected, c.Options)
	}
	if c.SetSelected("125 %"); drawn != 1.25 || choice().Selected != "125 %" {
		t.Errorf("drawn at %v, chosen %q", drawn, choice().Selected)
	}
	if c.SetSelected("100 %"); drawn != 1 {
		t.Errorf("drawn at %v", drawn)
	}
}

// A language whose own name no font has is listed by its name in the language of the window.
func TestLanguageThatCannotBeDrawnIsListed(t *testing.T) {
	s, _, _ := newSettings(t)
	d := openDialog(t, s, General)
	options := func() []string { return widgetstest.Find[*widgets.Select](d.generalPage())[1].Options }
	undo := glyphs.Assume("chinese", true, false)
	if got := options(); !slices.Equal(got, []string{"Follow system", "Deutsch", "English", "Chinese (Simplified)"}) {
		t.Errorf("%q", got)
	}
	undo()
	defer glyphs.Assume("chinese", false, false)()
	if got := options(); !slices.Equal(got, []string{"Follow system", "Deutsch", "English", "简体中文"}) {
		t.Errorf("%q", got)
	}
}

// textsIn returns the texts in o that are shown.
func textsIn(o fyne.CanvasObject) string {
	var all []string
	for _, w := range widgetstest.Find[*widgets.Text](o) {
		if w.Visible() {
			all = append(all, w.String())
		}
	}
	return strings.Join(all, "\n")
}

// shownIn reports whether an object in o, and all around it, is visible.
func shownIn(o, object fyne.CanvasObject) bool {
	if !o.Visible() || o == object {
		return o.Visible()
	}
	c, ok := o.(*fyne.Container)
	return ok && slices.ContainsFunc(c.Objects, func(child fyne.CanvasObject) bool { return shownIn(child, object) })
}

// Who wants to correct what was learned has the focus in the field for it, in sight.
func TestCorrectionsAreOpenedWhereTheyAre(t *testing.T) {
	s, _, _ := newSettings(t)
	d := openDialog(t, s, Privacy)
	d.focusHint()
	if s.Dialogs.Canvas().Focused() != fyne.Focusable(d.visits.hint) {
		t.Errorf("%T has the focus", s.Dialogs.Canvas().Focused())
	}
	driver := fyne.CurrentApp().Driver()
	top := driver.AbsolutePositionForObject(d.scroll).Y
	if y := driver.AbsolutePositionForObject(d.visits.hint).Y; y < top || y+d.visits.hint.Size().Height > top+d.scroll.Size().Height {
		t.Errorf("it is at %v, the page from %v to %v", y, top, top+d.scroll.Size().Height)
	}
}

// The bar that marks the page with the focus follows a click, which Fyne's list handles, as it follows the arrows.
func TestTheMarkFollowsAClick(t *testing.T) {
	s, _, _ := newSettings(t)
	d := openDialog(t, s, General)
	s.Dialogs.Canvas().Focus(d.names)
	d.names.List.Select(slices.Index(Pages, Sharing))
	var marked []string
	var search func(o fyne.CanvasObject) // without laying out, which draws all rows again
	search = func(o fyne.CanvasObject) {
		var in []fyne.CanvasObject
		switch o := o.(type) {
		case *fyne.Container:
			in = o.Objects
		case fyne.Widget:
			in = test.WidgetRenderer(o).Objects()
		}
		if len(in) == 3 { // the label, its bar and what the pointer tints
			if name, ok := in[0].(*widget.Label); ok && in[1].Visible() {
				marked = append(marked, name.Text)
			}
		}
		for _, o := range in {
			search(o)
		}
	}
	search(d.names)
	if !slices.Equal(marked, []string{Sharing.Title()}) {
		t.Errorf("%q are marked", marked)
	}
}

// Quiet hours that are not set, or by half, say so.
func TestQuietHoursSayWhetherTheyAreSet(t *testing.T) {
	for _, c := range [][3]string{
		{"", "", "No quiet hours are set."}, {"22:00", "", "No quiet hours are set: both times are needed."},
		{"22:00", "07:00", "Quiet hours: from 22:00 to 07:00."},
	} {
		if got := quietText(c[0], c[1]); got != c[2] {
			t.Errorf("%q to %q: %q", c[0], c[1], got)
		}
	}
}

// Before the user was asked what closing the window does, the settings say that Kairos asks.
func TestClosingIsAskedUntilChosen(t *testing.T) {
	s, _, q := newSettings(t)
	choice := openDialog(t, s, General).closingChoice()
	if choice.Selected != "Ask" {
		t.Errorf("it says %q", choice.Selected)
	}
	for _, want := range []struct{ name, value string }{{"Keep fetching", "yes"}, {"Quit", "no"}, {"Ask", ""}} {
		choice.SetSelected(want.name)
		q.Until(want.name+" is stored", func() bool {
			got, err := s.Home.Store.Settings.Get(t.Context(), KeepRunning, "")
			return err == nil && got == want.value
		})
	}
}

// The page of privacy names the setting of new versions only where there is one.
func TestPrivacyOfNewVersions(t *testing.T) {
	defer func(usual string) { home.Website = usual }(home.Website)
	for _, website := range []string{"", "https://example.org/kairos"} {
		home.Website = website
		s, _, _ := newSettings(t)
		d := openDialog(t, s, Privacy)
		said := strings.Join(widgetstest.Texts(d.scroll), "\n")
		if strings.Contains(said, "under General") != (website != "") || !strings.Contains(said, "Kairos does not look for new versions") {
			t.Errorf("with the address %q it says %s", website, said)
		}
	}
}
