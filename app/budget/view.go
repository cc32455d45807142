// Package budget shows what budgets of fetches are expected to bring, and sets a budget or a goal.
package budget

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"kairos/app/accessible/describe"
	"kairos/app/async"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/widgets"
	"kairos/app/widgets/chart"
	"kairos/poller"
	"kairos/poller/insights"
)

// Host is what a view needs of where it stands.
type Host struct {
	*async.Jobs
	Home    *home.Home
	Chart   chart.Host
	Changed func()      // a budget or a goal was set
	Fail    func(error) // tells why one could not be
	Leave   func()      // closes what the view stands in
	AddUndo func(what string, undo func(ctx context.Context) error)
}

// View has the curve of budgets against what each is expected to bring, a slider that moves along it, and a field for a
// goal.
type View struct {
	Host
	Content *fyne.Container
	request async.Request
	known   known

	curve    *chart.Chart
	slider   *widgets.Slider
	chosen   bool // the slider was moved: it stands for a budget even while fetching is paused
	use      *widgets.DialogButton
	expected *widgets.Text // at the slider
	named    *widgets.Text // what the presets are expected to bring
	goal     *widgets.Entry
	problem  *widgets.Text // what is wrong with the goal entered
	promise  *widgets.Text
	below    *fyne.Container // the slider
}

// known is what the view shows.
type known struct {
	set      poller.Budget
	at       time.Time // of what follows
	forecast poller.Forecast
	realized insights.Realized // in the last week
}

// New returns a view that shows nothing before Load.
func New(h Host) *View {
	v := &View{Host: h, expected: widgets.NewText("", widgets.Plain), named: widgets.NewText("", widgets.Muted), promise: widgets.NewText("", widgets.Muted), problem: widgets.NewText("", widgets.Warning)}
	v.curve = chart.New(h.Chart, lang.L("What a budget brings"), curveHeight)
	v.curve.File = "kairos-budget"
	v.curve.Activate = func(stop int) {
		v.slider.SetValue(float64(stop))
		v.slider.OnChanged(v.slider.Value) // also where it stood there
	}
	v.slider = widgets.NewSlider(0, sliderSteps)
	v.slider.Name = lang.L("Fetches a day")
	v.slider.OnChanged = func(float64) {
		v.chosen = true
		v.showExpected()
	}
	v.goal = widgets.NewEntry(h.Leave)
	v.goal.SetPlaceHolder(lang.L("such as {{.Value}}", map[string]any{"Value": "95%"}))
	v.goal.OnSubmitted = func(string) { v.useGoal() }
	v.goal.OnChanged = func(string) { v.refuse("") }
	v.below = container.New(belowCurve{v}, v.slider)
	v.use = widgets.NewDialogButton(lang.L("Use this budget"), v.useBudget)
	set := widgets.NewDialogButton(lang.L("Set goal"), v.useGoal)
	v.slider.OnFocus, v.goal.OnFocus, v.use.OnFocus, set.OnFocus = v.shown(v.slider), v.shown(v.goal), v.shown(v.use), v.shown(set)
	v.Content = widgets.NewColumn(8, v.curve.Content, v.below, v.expected, container.NewHBox(v.use), v.named,
		widgets.NewText(lang.L("Or a goal: the share of articles that should be ready when you come, or how late they may be on average, ready ones counted as on time. Kairos finds the smallest budget that meets it."), widgets.Plain),
		widgets.NewColumn(4, container.NewBorder(nil, nil, nil, set, v.goal), v.problem), v.promise)
	v.Content.Hide()
	return v
}

// shown returns what brings an object into sight.
func (v *View) shown(o fyne.CanvasObject) func() {
	return func() {
		if v.Chart.Shown != nil {
			v.Chart.Shown(o)
		}
	}
}

// curveHeight is the height of the chart.
const curveHeight = 150

// Focusable is what has the focus of the view.
func (v *View) Focusable() fyne.Focusable { return v.slider }

// forecastFor is how long a forecast is shown before it is rebuilt: habits are those of weeks.
const forecastFor = time.Hour

// Load reads the budget, and the forecast unless it is new, and shows them. Until then the view is empty. done, if not nil, is
// called then.
func (v *View) Load(done func()) {
	have := v.known
	async.Load(v.Jobs, &v.request, func(ctx context.Context) (k known, err error) {
		k = have
		now := v.Home.Now()
		if k.set, err = v.Home.Poller.Budget(ctx); err != nil || now.Sub(k.at).Abs() < forecastFor {
			return k, err
		}
		k.at = now
		if k.realized, err = v.Home.Insights.Realized(ctx, realizedDays); err != nil {
			return k, err
		}
		k.forecast, err = v.Home.Poller.Forecast(ctx)
		return k, err
	}, func(k known) {
		v.show(k)
		if done != nil {
			done()
		}
	})
}

// Without says why the view is hidden when it is loaded.
func (v *View) Without() string {
	return lang.L("Add feeds of this computer to see what a budget brings. A sync of an account counts as three fetches.")
}

// Clear drops what the view shows; a forecast that is under way is dropped, too.
func (v *View) Clear() {
	v.request.Stop()
	v.known = known{}
	v.curve.SetPlot(nil, "")
}

// realizedDays is the time whose realized point stands beside the curve.
const realizedDays = 7

func (v *View) show(k known) {
	v.known = k
	f := &v.known.forecast
	v.Content.Hidden = len(f.Curve) == 0
	if v.Content.Hidden {
		return
	}
	v.slider.Value, v.chosen = v.stepInForce(), false
	v.slider.Refresh()
	v.showExpected()
	named := v.presetsText()
	if guess := language.Printer().Guess(f.Evidence); guess != "" {
		named += "\n" + guess
	}
	v.named.SetText(named, widgets.Muted)
	v.goal.SetText("")
	promise := ""
	if g, ok := k.set.Goal(); ok {
		v.goal.SetText(g.String())
		promise = language.Printer().Promise(k.set, f)
	}
	v.promise.SetText(promise, widgets.Muted)
	v.Content.Refresh()
}

// edge is the room beside the ends of the curve for the marks there, as a factor.
const edge = 1.04

// plot is the curve with the presets, the budget in force and what was realized.
func (v *View) plot() *chart.Lines {
	words, f := language.Printer(), &v.known.forecast
	percent := func(x float64) string { return words.Percent(x / 100) }
	l := &chart.Lines{
		X: chart.Axis{Log: true, Name: lang.L("fetches a day"), Format: words.Amount},
		Y: chart.Axis{Unit: chart.Percent, Lo: 100, Hi: 100, Name: lang.L("ready"), Format: percent}}
	if !v.unset() {
		l.Now = float64(v.perDay())
	}
	line := chart.Series{Name: lang.L("forecast"), Ink: chart.Ink{Color: look.ColorAccent}}
	for step := range sliderSteps + 1 {
		x := perFeedAt(float64(step)) * float64(f.Feeds)
		at := f.Curve.At(x)
		line.X, line.Y = append(line.X, x), append(line.Y, 100*at.Ready)
		if !f.Guess() { // how far a guess is off nobody knows
			low, high := at.Range()
			line.Lo, line.Hi = append(line.Lo, 100*low), append(line.Hi, 100*high)
		}
	}
	l.X.Lo, l.X.Hi, l.Stops = line.X[0]/edge, line.X[sliderSteps]*edge, line.X
	l.Text = func(x float64) string {
		return words.BudgetExpected(int(math.Round(x)), f)
	}
	l.Series = []chart.Series{line}
	point := func(name string, shape chart.Shape, x, y float64) {
		if x >= l.X.Lo && x <= l.X.Hi {
			l.Points = append(l.Points, chart.Point{Name: name, Ink: chart.Ink{Color: look.ColorText, Shape: shape}, X: x, Y: y})
			l.Y.Lo = min(l.Y.Lo, y)
		}
	}
	yours := float64(v.known.set.NormalPerDay(f.Feeds))
	point(lang.L("yours"), chart.Diamond, yours, 100*f.Curve.At(yours).Ready)
	if r := &v.known.realized; r.Known {
		name := lang.L("realized last week")
		if r.Lost > 0 {
			name = lang.L("realized last week, with lost articles") // which the forecast counts too
		}
		point(name, chart.Cross, r.RequestsPerDay(), r.Actual.Ready)
	}
	for _, p := range presets() {
		x := p.perFeed * float64(f.Feeds)
		point(p.name, chart.Ring, x, 100*f.Curve.At(x).Ready)
	}
	l.Y.Lo = max(0, min(l.Y.Lo, slices.Min(slices.Concat(line.Lo, line.Y)))-2)
	return l
}

// FocusGoal puts the keys into the field of the goal.
func (v *View) FocusGoal(focus func(fyne.Focusable)) { focus(v.goal) }

// preset is a budget with a name.
type preset struct {
	name    string
	perFeed float64
}

func presets() []preset {
	return []preset{{lang.L("Battery saver"), poller.SaverPerFeed}, {lang.L("Balanced"), poller.BalancedPerFeed}, {lang.L("Fresh"), poller.FreshPerFeed}}
}

// presetsText describes what the presets and battery saver are expected to bring.
func (v *View) presetsText() string {
	var parts []string
	for _, p := range presets() {
		parts = append(parts, lang.L("{{.Name}}: {{.There}}", map[string]any{"Name": p.name, "There": language.Printer().ThereAbout(v.known.forecast.PerFeed(p.perFeed))}))
	}
	return strings.Join(parts, "  ·  ")
}

// showExpected shows what the budget at the slider is expected to bring.
func (v *View) showExpected() {
	f := &v.known.forecast
	if len(f.Curve) == 0 {
		return
	}
	paused, words := "", language.Printer()
	if v.known.set.Paused() {
		paused = lang.L("Fetching is paused: nothing is fetched automatically until a budget or a goal is set.")
	}
	if v.unset() {
		v.use.Disable()
		v.expected.SetText(words.Sentences(paused, lang.L("Move the slider to see what a budget brings.")), widgets.Plain)
	} else {
		if v.unchanged() {
			v.use.Disable()
		} else {
			v.use.Enable()
		}
		v.expected.SetText(words.Sentences(paused, words.BudgetExpected(v.perDay(), f)), widgets.Plain)
	}
	v.curve.SetPlot(v.plot(), "")
	v.below.Refresh() // the axis of the curve may have moved
}

// unset reports whether the slider stands for no budget: fetching is paused, and none was chosen.
func (v *View) unset() bool { return v.known.set.Paused() && !v.chosen }

// unchanged reports whether the slider stands for the budget that is set already.
func (v *View) unchanged() bool {
	_, goal := v.known.set.Goal()
	return !goal && !v.known.set.Paused() && v.slider.Value == v.stepInForce()
}

// stepInForce is where the slider stands for the budget in force.
func (v *View) stepInForce() float64 {
	f := &v.known.forecast
	return stepOf(float64(v.known.set.NormalPerDay(f.Feeds)) / float64(f.Feeds))
}

// perDay is the budget at the slider. Where it stands for the budget in force, it is exactly that.
func (v *View) perDay() int {
	inForce := v.known.set.NormalPerDay(v.known.forecast.Feeds)
	if least := leastPerFeed * float64(v.known.forecast.Feeds); v.slider.Value == v.stepInForce() && float64(inForce) >= max(1, least) {
		return inForce
	}
	return max(1, int(math.Round(perFeedAt(v.slider.Value)*float64(v.known.forecast.Feeds))))
}

func (v *View) useBudget() {
	n := v.perDay()
	said := lang.L("Budget set")
	if g, ok := v.known.set.Goal(); ok {
		said = lang.L("Budget set in place of the goal: {{.Goal}}", map[string]any{"Goal": language.Printer().Goal(g)})
	}
	v.apply(said, func(ctx context.Context) error {
		return v.Home.Poller.SetBudget(ctx, budgetName(n, v.known.forecast.Feeds))
	})
}

// budgetName is the setting of a budget: a preset grows with the feeds.
func budgetName(perDay, feeds int) string {
	switch perDay {
	case poller.BalancedPerFeed * feeds:
		return poller.Balanced
	case poller.FreshPerFeed * feeds:
		return poller.Fresh
	}
	return strconv.Itoa(perDay)
}

func (v *View) useGoal() {
	g, err := poller.ParseGoal(v.goal.Text)
	if err != nil {
		v.refuse(language.Printer().Error(err))
		return
	}
	said := lang.L("Goal set: {{.Goal}}", map[string]any{"Goal": language.Printer().Goal(g)})
	v.apply(said, func(ctx context.Context) error { return v.Home.Poller.SetGoal(ctx, g) })
}

// refuse says below the field what is wrong with the goal entered; "" is nothing.
func (v *View) refuse(text string) {
	if text != v.problem.String() {
		v.problem.SetText(text, widgets.Warning)
		v.Content.Refresh()
	}
}

// belowCurve puts the slider below the curve, so that each of its steps is below the budget that it stands for.
type belowCurve struct{ *View }

// MinSize implements fyne.Layout.
// Explain implements describe.Explainer: the place of the slider is told by what it brings.
func (b belowCurve) Explain([]fyne.CanvasObject) describe.Explanation {
	return describe.Explanation{Of: b.slider, Value: b.expected}
}

func (b belowCurve) MinSize([]fyne.CanvasObject) fyne.Size { return b.slider.MinSize() }

// Layout implements fyne.Layout.
func (b belowCurve) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	from, to := float32(0), size.Width
	if l, ok := b.curve.Plot().(*chart.Lines); ok {
		end := b.slider.TrackEnd()
		from, to = b.curve.Across(l.Stops[0])-end, b.curve.Across(l.Stops[len(l.Stops)-1])+end
	}
	b.slider.Move(fyne.NewPos(from, 0))
	b.slider.Resize(fyne.NewSize(max(to-from, 0), size.Height))
}

// apply sets a budget or a goal, and offers to set again what was in force before.
func (v *View) apply(said string, f func(ctx context.Context) error) {
	var before poller.Budget
	v.Work(func(ctx context.Context) (err error) {
		if before, err = v.Home.Poller.Budget(ctx); err != nil {
			return err
		}
		return f(ctx)
	}, func(err error) {
		if err != nil {
			v.Fail(err)
			return
		}
		v.AddUndo(said, func(ctx context.Context) error { return v.restore(ctx, before) })
		v.Changed()
		v.known.at = time.Time{} // a goal corrects the forecast by what was realized
		v.Load(nil)
	})
}

// restore sets again what was in force before, and shows it.
func (v *View) restore(ctx context.Context, before poller.Budget) (err error) {
	if g, ok := before.Goal(); ok {
		err = v.Home.Poller.SetGoal(ctx, g)
	} else {
		err = v.Home.Poller.SetBudget(ctx, before.Normal)
	}
	v.Do(func() {
		v.Changed()
		v.Load(nil)
	})
	return err
}

// The slider goes from half a fetch a feed a day to those of Fresh in steps of equal ratio.
const (
	sliderSteps  = 56
	leastPerFeed = 0.5
)

// perFeedAt returns the budget at a step, that of a preset if it is near.
func perFeedAt(step float64) float64 {
	n := leastPerFeed * math.Pow(poller.FreshPerFeed/leastPerFeed, step/sliderSteps)
	for _, preset := range []float64{poller.SaverPerFeed, poller.BalancedPerFeed} {
		if math.Abs(n/preset-1) < 0.03 {
			return preset
		}
	}
	return n
}

func stepOf(perFeed float64) float64 {
	x := math.Log(max(leastPerFeed, perFeed)/leastPerFeed) / math.Log(poller.FreshPerFeed/leastPerFeed)
	return math.Round(min(1, x) * sliderSteps)
}
