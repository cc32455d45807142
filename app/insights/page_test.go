package insights

import (
	"context"
	"database/sql"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/async/asynctest"
	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/app/look"
	"kairos/app/widgets"
	"kairos/app/widgets/chart"
	"kairos/app/widgets/widgetstest"
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
	o.says("Ready when you come", "The last 7 days", "The last 30 days", "articles you opened were ready when you came.", "of new articles were ready; the others were", "Ready: fetched before you came.", "A timer with as many requests: ", "The mean over your feeds: ", "A timer instead", " ×",
		"When you read", "times a day: around 07:40", "1 visit so far today", "Your computer is usually awake from 06:00 to 23:00.",
		"Visits of the last 8 weeks", "Today", "fetches in the last 24 hours", "are planned for the next 24 hours", "Which feeds cost what",
		"The Harbour Gazette", "You opened no article of 3 feeds", "How well Kairos predicts", "Your visits came as expected", "Articles came as expected")
	shoot(t, o, "month")
}

// The sections look as they did with the same facts.
func TestMarkup(t *testing.T) {
	light(t)
	o := open(t, hometest.History{}, fyne.NewSize(700, 600))
	now := hometest.Noon
	figures := func(ready float64, late time.Duration) insights.Figures {
		return insights.Figures{Ready: ready, Late: late, Requests: 400}
	}
	realized := insights.Realized{Asked: 30, Known: true, Visits: 20, Posts: 300, Actual: figures(94, 4*time.Minute), EqualIntervals: figures(82, 30*time.Minute), Hindsight: figures(99, time.Minute), Multiple: 5.6,
		ByFeed: insights.Share{Articles: 290, Feeds: 12, Ready: 88, Timer: 80}, Slow: insights.Share{Articles: 20, Feeds: 4, Ready: 75, Timer: 82}}
	month := realized
	month.From, month.To = now.AddDate(0, 0, -20), now
	month.Opened = insights.Share{Articles: 64, Ready: 93, Timer: 79}
	month.Posts, month.Actual.Ready, month.Notes = 1300, 91, []insights.Note{{Code: insights.ShortRecord, At: now.AddDate(0, 0, -20), Until: now.AddDate(0, 0, 10)}}
	o.sections[0].(*promise).show(realized, month)

	level := rate.Levels{Mean: make([]float64, rate.LevelBins), Lo: make([]float64, rate.LevelBins), Hi: make([]float64, rate.LevelBins)}
	for k := range level.Mean {
		level.Mean[k], level.Lo[k], level.Hi[k] = float64(k%36)/20, float64(k%36)/30, float64(k%36)/15
	}
	habit := habitFacts{Habits: insights.Habits{Now: now, Learned: 40, Workday: level, Weekend: level, PerDay: 2.5, Usual: [2][]float64{{7.5, 20}, {10}}, MadeToday: 1, Awake: [2][]float64{rate.AlwaysOn.Workday(), rate.AlwaysOn.Weekend()}}}
	habit.Visits = insights.Visits{Visits: []insights.Visit{{At: now.Add(-5 * time.Hour)}, {At: now.AddDate(0, 0, -3)}}}
	habit.ByHour[2][7], habit.ByHour[6][12] = 3, 1
	o.sections[1].(*habits).show(habit)

	facts := dayFacts{Day: insights.Day{From: now.AddDate(0, 0, -1), Now: now, To: now.AddDate(0, 0, 1), Most: 2, Saving: true,
		Fetches: []poller.Outcome{{Feed: 1, Title: "A feed", At: now.Add(-time.Hour), Reason: poller.Manual, Result: poller.Stored, New: 2}},
		Planned: []insights.Planned{{Title: "A feed", Instant: poller.Instant{Feed: 1, At: now.Add(time.Hour), Value: 2}}},
		Visits:  []insights.Visit{{At: now.Add(-5 * time.Hour), Until: now.Add(-5 * time.Hour)}},
		Saved:   []insights.Span{{From: now.Add(-3 * time.Hour), To: now}},
		Asleep:  []insights.Span{{From: now.Add(-13 * time.Hour), To: now.Add(-6 * time.Hour)}, {From: now.Add(11 * time.Hour), To: now.Add(18 * time.Hour)}}},
		expected: []insights.Expected{{At: now.Add(8 * time.Hour), Chance: 0.6}}}
	facts.makePlot()
	o.sections[2].(*day).show(facts)

	o.sections[4].(*costs).show(insights.Costs{From: now.AddDate(0, 0, -30), To: now, Ready: true, Feeds: []insights.Cost{
		{Feed: 1, Title: "A feed with a long name, so that it is cut", Requests: 90, Bytes: 120000, Articles: 44, Opened: 7, Offered: 40, Ready: 93},
		{Feed: 2, Title: "Never opened", Requests: 120, Bytes: 80000, Articles: 30, Offered: 28, Ready: 41}}})

	predicted := insights.Calibration{Visits: insights.Fit{Expected: 30, Came: 28, Code: insights.FitClose}, Articles: insights.Fit{Expected: 300, Came: 500, Code: insights.MoreCame}}
	for d := range 10 {
		predicted.Days = append(predicted.Days, insights.PredictedDay{Since: now.AddDate(0, 0, d-10), ExpectedVisits: 3, Visits: d % 5, ExpectedArticles: 30, Articles: 20 + d*5})
	}
	o.sections[5].(*calibration).show(predicted)
	o.win.Resize(fyne.NewSize(700, 601))

	for name, s := range map[string]*part{"promise": &o.sections[0].(*promise).part, "habits": &o.sections[1].(*habits).part, "day": &o.sections[2].(*day).part,
		"costs": &o.sections[4].(*costs).part, "calibration": &o.sections[5].(*calibration).part} {
		s.refresh()
		widgetstest.AssertMarkup(t, name+".xml", s.content)
	}
}

// On the first day each section says what is missing, and shows no figure without data behind it.
func TestFirstDay(t *testing.T) {
	light(t)
	o := open(t, hometest.History{}, fyne.NewSize(560, 500))
	o.says("Nothing has been fetched yet.", "Here you will see how many new articles", "Kairos has not seen you read yet",
		"When your computer is awake is not known yet", "Nothing was fetched in the last 24 hours", "What your feeds cost is shown after the first fetches.",
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
	o.says("So far", "of new articles were ready when you came.", "Kairos notes which articles you open", "Ready: fetched before you came.", "this covers 7 days", "visits are known so far")
	if bars := o.sections[0].(*promise).compared.Plot().(*chart.Bars).Groups; len(bars) != 1 || bars[0] != "So far" {
		t.Errorf("the bars are those of %q", bars)
	}
	if strings.Contains(strings.Join(o.Texts(), "\n"), "The last 30 days") {
		t.Error("the same figures twice")
	}
}

// The page moves on by itself, but not under what is pointed to; a closed page holds nothing.
func TestMovesOnAndCloses(t *testing.T) {
	light(t)
	o := open(t, hometest.History{Feeds: 5, Days: 10}, fyne.NewSize(700, 500))
	s := o.sections[2].(*day)
	before := s.chart.Plot()
	o.MinutePassed()
	o.queue.Until("the day has moved on", func() bool { return s.chart.Plot() != before })
	before = s.chart.Plot()
	o.win.Canvas().Focus(s.chart.Focusable())
	s.chart.Focusable().TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if !s.chart.Pointed() || s.chart.Readout() == "" {
		t.Fatal("nothing is pointed to")
	}
	done := false
	s.load(func() { done = true })
	o.queue.Until("it was read again", func() bool { return done })
	if s.chart.Plot() != before || !s.chart.Pointed() {
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
		_, err := tx.Exec(`INSERT INTO ledger (subject, at, reason, why, background, result, status, new, bytes, took, said)
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
	facts := dayFacts{Day: insights.Day{From: now.AddDate(0, 0, -1), Now: now, To: now.AddDate(0, 0, 1), Most: 2,
		Planned: []insights.Planned{planned(now.Add(-7*time.Minute), "Overdue"), planned(now.Add(time.Hour), "Coming")}}}
	facts.makePlot()
	s.show(facts)
	if got := s.chart.Readout(); !strings.HasPrefix(got, "Next: 13:00 Coming") {
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

// counted is a widget that counts how often it is redrawn.
type counted struct {
	widget.BaseWidget
	drawn int
}

func (c *counted) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(canvas.NewRectangle(nil))
}

func (c *counted) Refresh() { c.drawn++ }

// What one section has to say moves the others, and does not draw them again; also where the page is shorter than the window.
func TestSectionsAreDrawnByThemselves(t *testing.T) {
	light(t)
	for _, height := range []float32{300, 4000} {
		o := open(t, hometest.History{}, fyne.NewSize(700, height))
		first, last := &o.sections[0].(*promise).part, &o.sections[5].(*calibration).part
		below := &counted{}
		below.ExtendBaseWidget(below)
		last.content.Add(below)
		below.drawn = 0
		before := last.content.Position().Y
		first.say(strings.Repeat("Seven lamps were counted and written down. ", 20), "")
		first.refresh()
		if below.drawn > 0 {
			t.Errorf("%v high: the last section was drawn %d times", height, below.drawn)
		}
		if at := last.content.Position().Y; at < before+40 {
			t.Errorf("%v high: the last section stays at %v, was at %v", height, at, before)
		}
		if end := last.content.Position().Y + last.content.Size().Height; o.pane.Content.Size().Height < end {
			t.Errorf("%v high: the page ends at %v, before its last section at %v", height, o.pane.Content.Size().Height, end)
		}
	}
}

// Texts returns what the page says, a line a text.
func (p *Page) Texts() []string { return textsOf(p.pane.Content) }

// textsOf returns all visible texts in an object.
func textsOf(o fyne.CanvasObject) (all []string) {
	if o == nil || !o.Visible() {
		return nil
	}
	switch o := o.(type) {
	case *widgets.Text:
		return []string{o.String()}
	case *widgets.Panel:
		return textsOf(o.Content())
	case *costTable:
		for row := -1; row < o.shown(); row++ {
			all = append(all, strings.Join(o.cells(row), "  "))
		}
	case *fyne.Container:
		for _, c := range o.Objects {
			all = append(all, textsOf(c)...)
		}
	}
	return all
}
