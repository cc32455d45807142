package budget

import (
	"context"
	"math"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/async"
	"kairos/app/async/asynctest"
	"kairos/app/home/hometest"
	"kairos/app/look"
	"kairos/app/widgets"
	"kairos/app/widgets/chart"
	"kairos/poller"
)

func newView(t *testing.T) (v *View, q *asynctest.Queue, failed *error) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	h := hometest.Open(ctx, t)
	a := test.NewTempApp(t)
	a.Settings().SetTheme(look.New(look.Light))
	win := test.NewTempWindow(t, nil)
	win.Resize(fyne.NewSize(800, 700))
	q = asynctest.NewQueue(t)
	jobs := async.New(ctx, win, q.Add)
	jobs.OnError = func(err error) { t.Error(err) }
	t.Cleanup(func() {
		stop()
		jobs.Wait()
		h.Close()
	})
	failed = new(error)
	keys := widgets.Keys{Used: func() {}, Key: func(*fyne.KeyEvent) {}, Rune: func(rune) {}}
	v = New(Host{Jobs: jobs, Home: h, Chart: chart.Host{Keys: keys}, Changed: func() {}, Fail: func(err error) { *failed = err }, Leave: func() {}, AddUndo: func(what string, f func(context.Context) error) { undo[what] = f }})
	win.SetContent(v.Content)
	t.Cleanup(func() { clear(undo) })
	return v, q, failed
}

// undo is what can be undone.
var undo = map[string]func(context.Context) error{}

func (v *View) inForce(t *testing.T) poller.Budget {
	t.Helper()
	b, err := v.Home.Poller.Budget(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The slider stands at the budget in force; what it says follows it at once, and nothing is set before the button.
func TestSliderMovesAlongTheCurve(t *testing.T) {
	v, q, _ := newView(t)
	v.Load(nil)
	q.Until("the forecast", func() bool { return v.Content.Visible() })
	if n := v.perDay(); n != 16 {
		t.Errorf("the slider stands at %d fetches a day", n)
	}
	if text := v.expected.String(); !strings.HasPrefix(text, "16 fetches a day, 8 a feed. About ") {
		t.Error(text)
	}
	if text := v.named.String(); !strings.Contains(text, "a typical day") {
		t.Errorf("no visit is known, and it says %q", text)
	}
	plot := v.curve.Plot().(*chart.Lines)
	if len(plot.Points) != 4 || plot.Now != 16 {
		t.Errorf("%d points, the slider at %v", len(plot.Points), plot.Now)
	}
	v.slider.SetValue(0)
	if text := v.expected.String(); !strings.HasPrefix(text, "1 fetch a day, 0.5 a feed. About ") {
		t.Error(text)
	}
	if b := v.inForce(t); b.Normal != poller.Balanced {
		t.Errorf("a slider that only moved set %q", b.Normal)
	}
	v.slider.SetValue(sliderSteps)
	v.useBudget()
	q.Until("fresh", func() bool { return v.known.set.Normal == poller.Fresh })
	v.slider.SetValue(stepOf(3))
	v.useBudget()
	q.Until("a number", func() bool { return v.known.set.Normal == "6" })
}

// While fetching is paused the slider stands for no budget until it is moved, and the view says why.
func TestPausedIsSaid(t *testing.T) {
	v, q, _ := newView(t)
	if err := v.Home.Poller.SetBudget(t.Context(), "0"); err != nil {
		t.Fatal(err)
	}
	v.Load(nil)
	q.Until("the forecast", func() bool { return v.Content.Visible() })
	if text, now := v.expected.String(), v.curve.Plot().(*chart.Lines).Now; !strings.HasPrefix(text, "Fetching is paused: ") || strings.Contains(text, "a day") || now != 0 || !v.use.Disabled() {
		t.Errorf("paused: %q, the line at %v", text, now)
	}
	v.slider.SetValue(stepOf(poller.BalancedPerFeed))
	if text := v.expected.String(); !strings.HasPrefix(text, "Fetching is paused: ") || !strings.Contains(text, " 16 fetches a day, 8 a feed.") || v.use.Disabled() {
		t.Errorf("with a budget chosen: %q", text)
	}
	v.useBudget()
	q.Until("the budget", func() bool { return v.known.set.Normal == poller.Balanced })
	if text := v.expected.String(); !strings.HasPrefix(text, "16 fetches a day") {
		t.Errorf("no longer paused: %q", text)
	}
}

func TestGoalIsSet(t *testing.T) {
	v, q, failed := newView(t)
	v.Load(nil)
	q.Until("the forecast", func() bool { return v.Content.Visible() })
	for _, nonsense := range []string{"many", "", "150%", "0min", "0%", "-5%", "%", "10 parsecs"} {
		v.goal.SetText(nonsense)
		v.useGoal()
		if !v.problem.Visible() || !strings.HasPrefix(v.problem.String(), "A goal is the share") {
			t.Errorf("%q: the view says %q", nonsense, v.problem)
		}
	}
	if *failed != nil {
		t.Errorf("it is told elsewhere, too: %v", *failed)
	}
	v.goal.SetText("50%")
	if v.problem.Visible() {
		t.Errorf("while another is entered: %q", v.problem)
	}
	v.useGoal()
	q.Until("the goal", func() bool { return v.known.set.Normal == "goal 50%" })
	if text := v.promise.String(); !strings.HasPrefix(text, "At least 50 % ready when you come: ") {
		t.Error(text)
	}
	if v.goal.Text != "50%" {
		t.Errorf("the field shows %q", v.goal.Text)
	}
	v.useBudget()
	q.Until("the budget", func() bool { _, ok := v.known.set.Goal(); return !ok })
	back := undo["Budget set in place of the goal: at least 50 % ready when you come"]
	if back == nil {
		t.Fatalf("to be undone: %v", undo)
	}
	if err := back(t.Context()); err != nil {
		t.Error(err)
	}
	q.Until("the goal again", func() bool { return v.known.set.Normal == "goal 50%" })
}

// Steps of the slider hit the presets.
func TestSteps(t *testing.T) {
	for _, n := range []float64{leastPerFeed, poller.SaverPerFeed, poller.BalancedPerFeed, poller.FreshPerFeed} {
		if got := perFeedAt(stepOf(n)); math.Abs(got-n) > 1e-9 {
			t.Errorf("%v a feed becomes %v", n, got)
		}
	}
}

// Each step of the slider is below the budget on the curve that it stands for, whatever the width.
func TestSliderIsBelowTheCurve(t *testing.T) {
	v, q, _ := newView(t)
	v.Load(nil)
	q.Until("the forecast", func() bool { return v.Content.Visible() })
	for _, width := range []float32{420, 800} {
		v.Content.Resize(fyne.NewSize(width, 600))
		for _, step := range []float64{0, 7, sliderSteps / 2, sliderSteps} {
			v.slider.SetValue(step)
			end := v.slider.TrackEnd()
			thumb := v.slider.Position().X + end + float32(step/sliderSteps)*(v.slider.Size().Width-2*end)
			if at := v.curve.Across(v.curve.Plot().(*chart.Lines).Stops[int(step)]); math.Abs(float64(at-thumb)) > 4 { // a preset draws its steps near
				t.Errorf("%v wide: step %v is at %v, its budget at %v", width, step, thumb, at)
			}
		}
	}
}
