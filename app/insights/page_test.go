package insights

import (
	"context"
	"database/sql"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"kairos/app/async"
	"kairos/app/async/asynctest"
	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/app/look"
	"kairos/app/widgets"
	"kairos/app/widgets/chart"
	"kairos/poller"
	"kairos/poller/insights"
	"kairos/useraccess"
	"kairos/useraccess/rate"
)

// opened is an open page in a window.
type opened struct {
	*Page
	t      testing.TB
	win    fyne.Window
	queue  *asynctest.Queue
	copied string
	did    []string
	passed []fyne.KeyName
}

type feedsOfTest struct{ o *opened }

func (f feedsOfTest) Open(int64)        { f.o.did = append(f.o.did, "open") }
func (f feedsOfTest) Lower(int64)       { f.o.did = append(f.o.did, "lower") }
func (f feedsOfTest) Pause(int64)       { f.o.did = append(f.o.did, "pause") }
func (f feedsOfTest) Unsubscribe(int64) { f.o.did = append(f.o.did, "unsubscribe") }

// open opens the page on a history; it is loaded when the function returns.
func open(t *testing.T, l hometest.History, size fyne.Size) *opened {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	h := hometest.Open(ctx, t)
	if l.Feeds > 0 {
		hometest.Live(ctx, t, h, l)
	}
	o := newOpened(t, ctx, h, size)
	t.Cleanup(func() {
		stop()
		o.Wait()
		h.Close()
	})
	o.Open()
	o.loaded()
	return o
}

func newOpened(t testing.TB, ctx context.Context, h *home.Home, size fyne.Size) *opened {
	o := &opened{t: t, queue: asynctest.NewQueue(t)}
	o.win = test.NewTempWindow(t, container.NewStack())
	jobs := async.New(ctx, o.win, o.queue.Add)
	jobs.OnError = func(err error) { t.Error(err) }
	o.Page = New(Host{Jobs: jobs, Home: h, Focus: o.win.Canvas().Focus, Copy: func(text string) { o.copied = text }, Save: func(string, []byte) {},
		Keys: widgets.Keys{Used: func() {}, Key: func(ev *fyne.KeyEvent) {
			o.passed = append(o.passed, ev.Name)
			o.Key(ev.Name)
		}, Rune: func(rune) {}},
		Fail: func(err error) { t.Error(err) }, Menu: func(fyne.Position, ...*fyne.MenuItem) {}, Feeds: feedsOfTest{o}, OnBudget: func() {}, AddUndo: func(string, func(context.Context) error) {}, OnClose: func() {}, Correct: func() {}})
	o.win.SetPadded(false)
	o.win.SetContent(container.NewStack(o.Pane()))
	o.win.Resize(size)
	return o
}

// loaded waits until everything is known.
func (o *opened) loaded() {
	o.t.Helper()
	o.queue.Until("everything is known", func() bool { return !strings.Contains(strings.Join(o.Texts(), "\n"), "Computing…") })
}

func (o *opened) says(want ...string) {
	o.t.Helper()
	all := strings.Join(o.Texts(), "\n")
	for _, w := range want {
		if !strings.Contains(all, w) {
			o.t.Errorf("the page does not say %q:\n%s", w, all)
		}
	}
}

func light(t *testing.T) { test.NewTempApp(t).Settings().SetTheme(look.New(look.Light)) }

func TestMonth(t *testing.T) {
	light(t)
	o := open(t, hometest.History{Feeds: 12, Days: 35}, fyne.NewSize(900, 700))
	o.says("Ready when you come", "The last 7 days", "The last 30 days", "already there; on average an article was", "A timer that makes as many requests would have had ", "A timer instead", " ×",
		"When you read", "times a day: around 07:30", "1 visit so far today", "Your computer is usually awake from 06:00 to 23:00.",
		"Visits of the last 8 weeks", "Today", "fetches in the last 24 hours", "are planned for the next 24 hours", "Which feeds cost what",
		"The Harbour Gazette", "You opened no article of 3 feeds", "How well Kairos predicts", "Your visits came as expected", "Articles came as expected")
	shoot(t, o, "month")
}

// The sections look as they did with the same facts.
func TestMarkup(t *testing.T) {
	light(t)
	o := open(t, hometest.History{}, fyne.NewSize(700, 600))
	now := hometest.Noon
	figures := func(ready float64, wait time.Duration) insights.Figures {
		return insights.Figures{Ready: ready, Wait: wait, Requests: 400}
	}
	realised := insights.Realised{Asked: 30, Known: true, Visits: 20, Posts: 300, Actual: figures(94, 4*time.Minute), EqualIntervals: figures(82, 30*time.Minute), Hindsight: figures(99, time.Minute), Multiple: 5.6}
	month := realised
	month.From, month.To = now.AddDate(0, 0, -20), now
	month.Posts, month.Actual.Ready, month.Notes = 1300, 91, []insights.Note{{Code: insights.ShortRecord, At: now.AddDate(0, 0, -20), Until: now.AddDate(0, 0, 10)}}
	o.sections[0].(*promise).show(realised, month)

	level := rate.Levels{Mean: make([]float64, rate.LevelBins), Lo: make([]float64, rate.LevelBins), Hi: make([]float64, rate.LevelBins)}
	for k := range level.Mean {
		level.Mean[k], level.Lo[k], level.Hi[k] = float64(k%36)/20, float64(k%36)/30, float64(k%36)/15
	}
	habit := habitFacts{Habits: insights.Habits{Now: now, Learned: 40, Workday: level, Weekend: level, PerDay: 2.5, Usual: [2][]float64{{7.5, 20}, {10}}, MadeToday: 1, Awake: [2][]float64{rate.AlwaysOn.Workday(), rate.AlwaysOn.Weekend()}}}
	habit.Visits = insights.Visits{Visits: []insights.Visit{{At: now.Add(-5 * time.Hour)}, {At: now.AddDate(0, 0, -3)}}}
	habit.ByHour[2][7], habit.ByHour[6][12] = 3, 1
	o.sections[1].(*habits).show(habit)

	o.sections[2].(*day).show(dayFacts{Day: insights.Day{From: now.AddDate(0, 0, -1), Now: now, To: now.AddDate(0, 0, 1), Most: 2, Saving: true,
		Fetches: []poller.Outcome{{Feed: 1, Title: "A feed", At: now.Add(-time.Hour), Reason: poller.Manual, Result: poller.Stored, New: 2}},
		Planned: []insights.Planned{{Title: "A feed", Instant: poller.Instant{Feed: 1, At: now.Add(time.Hour), Value: 2}}},
		Visits:  []insights.Visit{{At: now.Add(-5 * time.Hour), Until: now.Add(-5 * time.Hour)}},
		Saved:   []insights.Span{{From: now.Add(-3 * time.Hour), To: now}},
		Asleep:  []insights.Span{{From: now.Add(-13 * time.Hour), To: now.Add(-6 * time.Hour)}, {From: now.Add(11 * time.Hour), To: now.Add(18 * time.Hour)}}},
		expected: []insights.Expected{{At: now.Add(8 * time.Hour), Chance: 0.6}}})

	o.sections[4].(*costs).show(insights.Costs{From: now.AddDate(0, 0, -30), To: now, Saved: true, Feeds: []insights.Cost{
		{Feed: 1, Title: "A feed with a long name, so that it is cut", Requests: 90, Bytes: 120000, Articles: 44, Opened: 7, Saved: 30 * time.Hour},
		{Feed: 2, Title: "Never opened", Requests: 120, Bytes: 80000, Articles: 30, Saved: -2 * time.Hour}}})

	predicted := insights.Calibration{Visits: insights.Fit{Expected: 30, Came: 28, Code: insights.FitClose}, Articles: insights.Fit{Expected: 300, Came: 500, Code: insights.MoreCame}}
	for d := range 10 {
		predicted.Days = append(predicted.Days, insights.PredictedDay{Since: now.AddDate(0, 0, d-10), ExpectedVisits: 3, Visits: d % 5, ExpectedArticles: 30, Articles: 20 + d*5})
	}
	o.sections[5].(*calibration).show(predicted)
	o.win.Resize(fyne.NewSize(700, 601))

	for name, s := range map[string]*part{"promise": &o.sections[0].(*promise).part, "habits": &o.sections[1].(*habits).part, "day": &o.sections[2].(*day).part,
		"costs": &o.sections[4].(*costs).part, "calibration": &o.sections[5].(*calibration).part} {
		s.refresh()
		test.AssertObjectRendersToMarkup(t, name+".xml", s.content)
	}
}

// On the first day each section says what is missing, and shows no figure without data behind it.
func TestFirstDay(t *testing.T) {
	light(t)
	o := open(t, hometest.History{}, fyne.NewSize(560, 500))
	o.says("Nothing has been fetched yet.", "Here you will see how many new articles", "Kairos has not seen you read yet",
		"When your computer is awake is not known yet", "Nothing was fetched in the last 24 hours", "What your feeds cost will be told after the first fetches.",
		"Kairos needs a week of predictions")
	if text := strings.Join(o.Texts(), "\n"); strings.Contains(text, "When you opened Kairos, ") || strings.Contains(text, "NaN") || strings.Contains(text, "0 B") || strings.Contains(text, "more are expected") {
		t.Errorf("it tells what nobody knows:\n%s", text)
	}
	for i, s := range o.sections {
		if c, ok := s.(*promise); ok && c.compared.Plot() != nil {
			t.Errorf("section %d has a chart without data", i)
		}
	}
}

// After three days figures of what is known are shown, and from when more will be.
func TestThirdDay(t *testing.T) {
	light(t)
	o := open(t, hometest.History{Feeds: 5, Days: 3}, fyne.NewSize(700, 600))
	o.says("So far", "When you opened Kairos, ", "this covers 7 days", "visits are known so far", "in the last 3 days")
	if bars := o.sections[0].(*promise).compared.Plot().(*chart.Bars).Groups; len(bars) != 1 || bars[0] != "So far" {
		t.Errorf("the bars are those of %q", bars)
	}
	if strings.Contains(strings.Join(o.Texts(), "\n"), "The last 30 days") {
		t.Error("the same figures twice")
	}
}

func TestKeys(t *testing.T) {
	light(t)
	o := open(t, hometest.History{Feeds: 14, Days: 20}, fyne.NewSize(700, 500))
	for _, c := range []struct {
		key   fyne.KeyName
		moves bool
	}{{fyne.KeyDown, true}, {fyne.KeyPageDown, true}, {fyne.KeyUp, true}, {fyne.KeyEnd, true}, {fyne.KeyPageUp, true}, {fyne.KeyHome, true}, {fyne.KeyF1, false}} {
		at := o.pane.Offset.Y
		if used := o.Key(c.key); used != c.moves || (o.pane.Offset.Y != at) != c.moves {
			t.Errorf("%s scrolls from %v to %v", c.key, at, o.pane.Offset.Y)
		}
	}
	s := o.sections[4].(*costs)
	s.table.Refresh()
	o.win.Canvas().Focus(s.table)
	if o.pane.Offset.Y == 0 {
		t.Error("the table has the keys and is not in sight")
	}
	press := func(names ...fyne.KeyName) {
		for _, n := range names {
			s.table.TypedKey(&fyne.KeyEvent{Name: n})
		}
	}
	press(fyne.KeyDown, fyne.KeyDown, fyne.KeyUp, fyne.KeyReturn, fyne.KeyLeft, fyne.KeySpace)
	if len(o.did) != 1 || o.did[0] != "open" || s.table.column != 0 || len(o.passed) != 1 {
		t.Errorf("did %v, sorted by %d, passed on %v", o.did, s.table.column, o.passed)
	}
	if heading := s.table.cells(-1)[0]; heading != "Feed ▲" {
		t.Errorf("sorted from A to Z the heading is %q", heading)
	}
	s.table.Resize(fyne.NewSize(420, 300))
	if w := s.table.columnWidths()[0]; w < 140 {
		t.Errorf("the names have %v of 420", w)
	}
	s.table.Resize(fyne.NewSize(640, 300))
	if first := s.table.cells(0)[0]; first != "A Catalogue of Bridges" {
		t.Errorf("sorted by name, the first is %s", first)
	}
	if s.more.Hidden || s.table.hidden() == 0 {
		t.Fatal("all feeds are shown")
	}
	test.Tap(s.more)
	if !s.more.Hidden || s.table.hidden() != 0 {
		t.Error("not all feeds are shown")
	}
	s.table.TypedShortcut(&fyne.ShortcutCopy{})
	if !strings.HasPrefix(o.copied, "feed,requests,bytes,") || strings.Count(o.copied, "\n") != 17 {
		t.Errorf("copied %q", o.copied)
	}
	at := fyne.NewPos(s.table.Size().Width-10, 5) // the heading of the last column, twice
	for range 2 {
		s.table.Tapped(&fyne.PointEvent{Position: at})
	}
	if s.table.column != len(costColumns)-1 || !s.table.reverse {
		t.Errorf("sorted by %d", s.table.column)
	}
	s.table.Tapped(&fyne.PointEvent{Position: fyne.NewPos(10, rowHeight*2.5)})
	if len(o.did) != 2 {
		t.Error("a tapped row opens no feed")
	}
}

// Whatever gets the focus scrolls into sight, and the slider has the keys once it was dragged.
func TestFocusIsInSight(t *testing.T) {
	light(t)
	o := open(t, hometest.History{Feeds: 5, Days: 10}, fyne.NewSize(700, 400))
	driver := fyne.CurrentApp().Driver()
	seen := 0
	for range 40 {
		o.win.Canvas().FocusNext()
		c, ok := o.win.Canvas().Focused().(fyne.CanvasObject)
		if !ok {
			continue
		}
		top := driver.AbsolutePositionForObject(c).Y
		if top+min(c.Size().Height, 200) < 0 || top+min(c.Size().Height, 200) > 400 {
			t.Errorf("%T has the focus at %v", c, top)
		}
		seen++
	}
	if seen < 30 {
		t.Errorf("%d had the focus", seen)
	}
	slider := o.sections[3].(*budgetSection).view.Focusable().(*widgets.Slider)
	o.win.Canvas().Unfocus()
	slider.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(100, 5)}})
	if o.win.Canvas().Focused() != slider {
		t.Fatal("the dragged slider has no focus")
	}
	at := slider.Value
	slider.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if slider.Value != at+1 {
		t.Errorf("the slider goes from %v to %v", at, slider.Value)
	}
}

// Home and End go to the ends of what has the keys, where something is chosen in it; Page Up and Page Down scroll the page
// whatever has the keys.
func TestKeysOfParts(t *testing.T) {
	light(t)
	o := open(t, hometest.History{Feeds: 14, Days: 20}, fyne.NewSize(700, 500))
	o.win.Canvas().SetOnTypedKey(func(ev *fyne.KeyEvent) { o.Key(ev.Name) })
	press := func(f fyne.Focusable, names ...fyne.KeyName) {
		for _, n := range names {
			f.TypedKey(&fyne.KeyEvent{Name: n})
		}
	}
	focus := func(f fyne.Focusable) fyne.Focusable {
		o.win.Canvas().Focus(f)
		return f
	}
	predicted := o.sections[5].(*calibration).visits
	bars := focus(predicted.Focusable())
	first := predicted.Plot().(*chart.Bars).Text(0)
	press(bars, fyne.KeyRight, fyne.KeyRight, fyne.KeyHome)
	if predicted.Readout() != first {
		t.Errorf("Home reads out %q, want %q", predicted.Readout(), first)
	}
	press(bars, fyne.KeyEnd)
	if last := predicted.Plot().(*chart.Bars); predicted.Readout() != last.Text(len(last.Groups)-1) {
		t.Errorf("End reads out %q", predicted.Readout())
	}
	table := o.sections[4].(*costs).table
	focus(table)
	press(table, fyne.KeyDown, fyne.KeyEnd)
	if table.chosen != table.shown()-1 {
		t.Errorf("End chooses row %d", table.chosen)
	}
	driver := fyne.CurrentApp().Driver()
	if bottom := driver.AbsolutePositionForObject(table).Y + rowHeight*float32(table.chosen+2); bottom > 500 || bottom < rowHeight {
		t.Errorf("the chosen row ends at %v of 500", bottom)
	}
	press(table, fyne.KeyHome)
	if table.chosen != 0 {
		t.Errorf("Home chooses row %d", table.chosen)
	}
	slider := o.sections[3].(*budgetSection).view.Focusable().(*widgets.Slider)
	focus(slider)
	press(slider, fyne.KeyHome)
	if slider.Value != slider.Min {
		t.Errorf("Home moves the slider to %v", slider.Value)
	}
	press(slider, fyne.KeyEnd)
	if slider.Value != slider.Max {
		t.Errorf("End moves the slider to %v", slider.Value)
	}
	var entry *widgets.Entry
	var button *widgets.DialogButton
	for _, object := range test.LaidOutObjects(o.sections[3].(*budgetSection).view.Content) {
		switch object := object.(type) {
		case *widgets.Entry:
			entry = object
		case *widgets.DialogButton:
			button = object
		}
	}
	entry.SetText("95%")
	focus(entry)
	press(entry, fyne.KeyEnd, fyne.KeyHome)
	if entry.CursorColumn != 0 {
		t.Errorf("Home moves the cursor to %d", entry.CursorColumn)
	}
	for name, f := range map[string]fyne.Focusable{"chart": bars, "table": table, "slider": slider, "entry": entry, "button": button} {
		focus(f)
		o.pane.ScrollToOffset(fyne.NewPos(0, 600))
		press(f, fyne.KeyPageDown)
		if o.pane.Offset.Y <= 600 {
			t.Errorf("%s: Page Down scrolls to %v", name, o.pane.Offset.Y)
		}
		o.pane.ScrollToOffset(fyne.NewPos(0, 600))
		press(f, fyne.KeyPageUp)
		if o.pane.Offset.Y >= 600 {
			t.Errorf("%s: Page Up scrolls to %v", name, o.pane.Offset.Y)
		}
	}
	focus(button)
	press(button, fyne.KeyHome)
	if o.pane.Offset.Y != 0 {
		t.Errorf("Home at a button scrolls to %v", o.pane.Offset.Y)
	}
}

// What is suggested for feeds that are never opened happens on a click, and only then.
func TestSuggestions(t *testing.T) {
	light(t)
	o := open(t, hometest.History{Feeds: 12, Days: 30}, fyne.NewSize(700, 500))
	s := o.sections[4].(*costs)
	if len(o.did) != 0 || s.unread.Hidden {
		t.Fatalf("did %v; suggestions hidden: %t", o.did, s.unread.Hidden)
	}
	for _, b := range test.LaidOutObjects(s.unread.Objects[1]) {
		if b, ok := b.(*widgets.DialogButton); ok {
			test.Tap(b)
		}
	}
	if strings.Join(o.did, " ") != "open lower pause unsubscribe" {
		t.Errorf("did %v", o.did)
	}
}

// Of many feeds that are never opened the first are named, and the others at a button.
func TestAllSuggestionsCanBeShown(t *testing.T) {
	light(t)
	o := open(t, hometest.History{}, fyne.NewSize(700, 500))
	now, s := hometest.Noon, o.sections[4].(*costs)
	all := insights.Costs{From: now.AddDate(0, 0, -30), To: now, Feeds: []insights.Cost{{Feed: 99, Title: "Opened", Requests: 3, Articles: 9, Opened: 4}}}
	for i := range 18 {
		all.Feeds = append(all.Feeds, insights.Cost{Feed: int64(i + 1), Title: "Never opened", Requests: 10 + i, Articles: 30})
	}
	s.show(all)
	named := func() (n int) {
		for _, text := range textsOf(s.unread) {
			if strings.HasPrefix(text, "Never opened: ") {
				n++
			}
		}
		return n
	}
	if named() != mostSuggested {
		t.Errorf("%d are named at first", named())
	}
	for _, o := range test.LaidOutObjects(s.unread) {
		if b, ok := o.(*widgets.DialogButton); ok && strings.HasPrefix(b.Text, "Show ") {
			test.Tap(b)
		}
	}
	if named() != 18 {
		t.Errorf("%d are named then", named())
	}
}

// The page moves on by itself, but not under what is pointed to; a closed page holds nothing.
func TestMovesOnAndCloses(t *testing.T) {
	light(t)
	o := open(t, hometest.History{Feeds: 5, Days: 10}, fyne.NewSize(700, 500))
	s := o.sections[2].(*day)
	before := s.timeline.Plot()
	o.MinutePassed()
	o.queue.Until("the day has moved on", func() bool { return s.timeline.Plot() != before })
	before = s.timeline.Plot()
	o.win.Canvas().Focus(s.timeline.Focusable())
	s.timeline.Focusable().TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if !s.timeline.Pointed() || s.timeline.Readout() == "" {
		t.Fatal("nothing is pointed to")
	}
	done := false
	s.load(func() { done = true })
	o.queue.Until("it was read again", func() bool { return done })
	if s.timeline.Plot() != before || !s.timeline.Pointed() {
		t.Error("what was pointed to has gone")
	}
	o.Reload()
	o.Close()
	if o.Shown() || o.pane.Visible() || o.sections != nil || o.pane.Content != o.empty || len(o.Texts()) != 0 || o.Focusable() != nil {
		t.Error("the closed page holds something")
	}
	o.MinutePassed()
	o.Open()
	o.loaded()
	o.says("The Harbour Gazette")
}

// What is stored while the page is open is soon shown, and the figures with it.
func TestChanged(t *testing.T) {
	light(t)
	before := changePause
	changePause = time.Millisecond
	t.Cleanup(func() { changePause = before })
	o := open(t, hometest.History{Feeds: 5, Days: 10}, fyne.NewSize(700, 500))
	requests := func() int {
		n := 0
		for _, f := range o.sections[4].(*costs).table.feeds {
			n += f.Requests
		}
		return n
	}
	have, said := requests(), o.sections[0].(*promise).more.String()
	err := o.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO ledger (feed, at, reason, why, background, result, status, new, bytes, took, said)
			SELECT id, ?, 'manual', '', 0, 'unchanged', 200, 0, 100, 5, '' FROM feed LIMIT 1`, hometest.Noon.Unix()-1)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.Home.Log.Import(t.Context(), []time.Time{hometest.Noon.Add(-100 * time.Minute)}, hometest.Noon); err != nil {
		t.Fatal(err)
	}
	o.Changed()
	o.queue.Until("the new request is shown", func() bool { return requests() == have+1 && o.sections[0].(*promise).more.String() != said })
}

// BenchmarkOpen measures the page with 300 feeds and a year of history: the time until its first chart and until everything
// is known, and the longest time for which it holds up the window.
func BenchmarkOpen(b *testing.B) {
	test.NewTempApp(b).Settings().SetTheme(look.New(look.Light))
	ctx, stop := context.WithCancel(b.Context())
	h := hometest.Open(ctx, b)
	hometest.Live(ctx, b, h, hometest.History{Feeds: 300, Days: 365})
	o := newOpened(b, ctx, h, fyne.NewSize(1000, 700))
	defer func() {
		stop()
		o.Wait()
		h.Close()
	}()
	var first, all, longest time.Duration
	for b.Loop() {
		h.Insights.Forget()
		begin, shown := time.Now(), false
		do := func(f func()) {
			at := time.Now()
			f()
			longest = max(longest, time.Since(at))
		}
		do(o.Open)
		for strings.Contains(strings.Join(o.Texts(), "\n"), "Computing…") {
			do(o.queue.Next())
			if !shown && o.Focusable() != nil {
				shown = true
				first += time.Since(begin)
			}
		}
		all += time.Since(begin)
		o.Close()
	}
	b.ReportMetric(float64(first.Milliseconds())/float64(b.N), "ms-first")
	b.ReportMetric(float64(all.Milliseconds())/float64(b.N), "ms-all")
	b.ReportMetric(float64(longest.Milliseconds()), "ms-longest-pause")
}

// shoot writes a picture of the whole page into the folder KAIROS_SHOTS, to be looked at.
func shoot(t *testing.T, o *opened, name string) {
	dir := os.Getenv("KAIROS_SHOTS")
	if dir == "" {
		return
	}
	o.win.Resize(fyne.NewSize(o.win.Canvas().Size().Width, o.pane.Content.MinSize().Height))
	f, err := os.Create(filepath.Join(dir, name+".png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, o.win.Canvas().Capture()); err != nil {
		t.Fatal(err)
	}
}

// A closed page lets go of what it showed at once. Fyne keeps a widget for a minute after it was painted last, and the
// picture of a chart with it: somebody who looks at the page again and again would fill the memory.
func TestClosedPageIsFreed(t *testing.T) {
	light(t)
	o := open(t, hometest.History{Feeds: 5, Days: 10}, fyne.NewSize(700, 500))
	o.win.Canvas().Capture()
	freed, shown := 0, 0
	add := o.queue.Add
	count := func(add func(func())) { add(func() { freed++ }) }
	watch := func(p chart.Plot) int {
		switch p := p.(type) {
		case *chart.Bars:
			runtime.AddCleanup(p, count, add)
		case *chart.Lines:
			runtime.AddCleanup(p, count, add)
		case *chart.Heat:
			runtime.AddCleanup(p, count, add)
		case *chart.Timeline:
			runtime.AddCleanup(p, count, add)
		default:
			return 0
		}
		return 1
	}
	for range 3 {
		promise, habits, day, predicted := o.sections[0].(*promise), o.sections[1].(*habits), o.sections[2].(*day), o.sections[5].(*calibration)
		for _, c := range []*chart.Chart{promise.compared, habits.levels, habits.weeks, day.timeline, predicted.articles, predicted.visits} {
			shown += watch(c.Plot())
		}
		o.Close()
		o.Open()
		o.loaded()
	}
	o.Close()
	runtime.GC()
	o.queue.Until("all charts are freed", func() bool { return freed == shown })
	if shown != 18 {
		t.Errorf("%d charts were shown", shown)
	}
}

// What the user corrected is listed with what was learned, and a button takes it back.
func TestCorrected(t *testing.T) {
	light(t)
	o := open(t, hometest.History{Feeds: 3, Days: 20}, fyne.NewSize(700, 500))
	corrected := o.sections[1].(*habits).corrected
	if corrected.Content.Visible() {
		t.Fatal("something is corrected")
	}
	ctx := t.Context()
	if _, err := o.Home.Visits.AddHint(ctx, useraccess.Hint{Minute: 450, Days: useraccess.Weekends}); err != nil {
		t.Fatal(err)
	}
	from := time.Date(hometest.Noon.Year(), hometest.Noon.Month(), hometest.Noon.Day()-9, 0, 0, 0, 0, hometest.Noon.Location())
	n, err := o.Home.Visits.Forget(ctx, from, from.AddDate(0, 0, 3))
	if n == 0 || err != nil {
		t.Fatalf("%d visits forgotten, %v", n, err)
	}
	o.Reload()
	o.queue.Until("both are listed", func() bool { return len(corrected.Content.Objects) == 2 })
	o.says("You said you read at 07:30 on weekends", "do not count (")
	for _, b := range test.LaidOutObjects(corrected.Content.Objects[1]) {
		if b, ok := b.(*widgets.DialogButton); ok {
			test.Tap(b)
		}
	}
	o.queue.Until("the period counts again", func() bool { return len(corrected.Content.Objects) == 1 })
	if spans, err := o.Home.Log.Forgotten(ctx); err != nil || len(spans) != 0 {
		t.Errorf("%v, %v", spans, err)
	}
	o.loaded()
}

// What comes next is not what was due before, and nothing is said of visits while they are not noted.
func TestNothingWrongIsTold(t *testing.T) {
	light(t)
	o := open(t, hometest.History{}, fyne.NewSize(700, 500))
	now := hometest.Noon
	planned := func(at time.Time, title string) insights.Planned {
		return insights.Planned{Title: title, Instant: poller.Instant{Feed: 1, At: at, Value: 2}}
	}
	s := o.sections[2].(*day)
	s.show(dayFacts{Day: insights.Day{From: now.AddDate(0, 0, -1), Now: now, To: now.AddDate(0, 0, 1), Most: 2,
		Planned: []insights.Planned{planned(now.Add(-7*time.Minute), "Overdue"), planned(now.Add(time.Hour), "Coming")}}})
	if got := s.timeline.Readout(); !strings.HasPrefix(got, "Next: 13:00 Coming") {
		t.Errorf("%q", got)
	}
	level := rate.Levels{Mean: make([]float64, rate.LevelBins), Lo: make([]float64, rate.LevelBins), Hi: make([]float64, rate.LevelBins)}
	off := habitFacts{Habits: insights.Habits{Now: now, Learned: 40, Workday: level, Weekend: level}}
	off.Notes = []insights.Note{{Code: insights.LearningOff, At: now.AddDate(0, 0, -5)}}
	o.sections[1].(*habits).show(off)
	if text := strings.Join(o.Texts(), "\n"); strings.Contains(text, "No visit yet") {
		t.Errorf("while learning is off: %s", text)
	}
}

// While fetching is paused nothing is told to be planned, though the plan made before is there.
func TestNothingIsPlannedWhilePaused(t *testing.T) {
	light(t)
	o := open(t, hometest.History{Feeds: 5, Days: 10}, fyne.NewSize(700, 500))
	planned := func() int {
		d, err := o.Home.Insights.Day(t.Context(), o.Home.Poller)
		if err != nil {
			t.Fatal(err)
		}
		return len(d.Planned)
	}
	if planned() == 0 {
		t.Fatal("nothing was planned before")
	}
	if err := o.Home.Poller.SetBudget(t.Context(), "0"); err != nil {
		t.Fatal(err)
	}
	if n := planned(); n != 0 {
		t.Errorf("%d fetches are planned", n)
	}
}
