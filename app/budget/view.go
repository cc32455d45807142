// Package budget shows what budgets of fetches are expected to bring, and sets a budget or a goal.
package budget

import (
	"context"
	"math"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"kairos/app/async"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/poller"
)

// View has a slider that moves along the curve of budgets and what each is expected to bring, and a field for a goal.
type View struct {
	Content  *fyne.Container
	jobs     *async.Jobs
	poller   *poller.Poller
	changed  func()      // a budget or a goal was set
	fail     func(error) // shows why one could not be
	request  async.Request
	set      poller.Budget
	forecast poller.Forecast

	slider   *widgets.Slider
	expected *widgets.Text // at the slider
	named    *widgets.Text // what the presets are expected to bring
	use      *widgets.DialogButton
	goal     *widgets.Entry
	promise  *widgets.Text
}

// New returns a view; leave closes what it stands in.
func New(jobs *async.Jobs, p *poller.Poller, changed func(), fail func(error), leave func()) *View {
	empty := func() *widgets.Text { return widgets.NewText("", widgets.Muted) }
	v := &View{jobs: jobs, poller: p, changed: changed, fail: fail, expected: widgets.NewText("", widgets.Plain), named: empty(), promise: empty()}
	v.slider = widgets.NewSlider(0, sliderSteps)
	v.slider.OnChanged = func(float64) { v.showExpected() }
	v.use = widgets.NewDialogButton(lang.L("Use this budget"), v.useBudget)
	v.goal = widgets.NewEntry(leave)
	v.goal.SetPlaceHolder(lang.L("95% or 10min"))
	v.goal.OnSubmitted = func(string) { v.useGoal() }
	setGoal := widgets.NewDialogButton(lang.L("Set goal"), v.useGoal)
	v.Content = widgets.NewColumn(8, v.slider, v.expected, container.NewHBox(v.use), v.named,
		widgets.NewText(lang.L("Or a goal: how much shall be there when you come, or how long a typical article may wait. Kairos finds the least budget that keeps it."), widgets.Plain),
		container.NewBorder(nil, nil, nil, setGoal, v.goal), v.promise)
	v.Content.Hide()
	return v
}

// Load reads the budget, and the forecast once, and shows them. Until then the view is empty.
func (v *View) Load() {
	known := v.forecast
	type loaded struct {
		set      poller.Budget
		forecast poller.Forecast
	}
	async.Load(v.jobs, &v.request, func(ctx context.Context) (l loaded, err error) {
		if l.set, err = v.poller.Budget(ctx); err != nil {
			return l, err
		}
		if l.forecast = known; len(known.Curve) == 0 {
			l.forecast, err = v.poller.Forecast(ctx)
		}
		return l, err
	}, func(l loaded) { v.show(l.set, l.forecast) })
}

func (v *View) show(set poller.Budget, f poller.Forecast) {
	v.set, v.forecast = set, f
	v.Content.Hidden = len(f.Curve) == 0
	if v.Content.Hidden {
		return
	}
	v.slider.Value = stepOf(float64(set.NormalPerDay(f.Feeds)) / float64(f.Feeds))
	v.slider.Refresh()
	v.showExpected()
	v.named.SetText(v.presets(), widgets.Muted)
	v.goal.SetText("")
	promise := ""
	if g, ok := set.Goal(); ok {
		v.goal.SetText(g.String())
		promise = language.Printer().Promise(set.Promise, set.NormalPerDay(f.Feeds))
	}
	v.promise.SetText(promise, widgets.Muted)
	v.Content.Refresh()
}

// FocusGoal puts the keys into the field of the goal.
func (v *View) FocusGoal(focus func(fyne.Focusable)) { focus(v.goal) }

// presets words what the presets and battery saver are expected to bring.
func (v *View) presets() string {
	var parts []string
	for _, p := range []struct {
		name    string
		perFeed float64
	}{{lang.L("Battery saver"), poller.SaverPerFeed}, {lang.L("Balanced"), poller.BalancedPerFeed}, {lang.L("Fresh"), poller.FreshPerFeed}} {
		parts = append(parts, lang.L("{{.Name}}: {{.There}}", map[string]any{"Name": p.name, "There": language.Printer().ThereAbout(v.forecast.PerFeed(p.perFeed))}))
	}
	return strings.Join(parts, "  ·  ")
}

// showExpected shows what the budget at the slider is expected to bring.
func (v *View) showExpected() {
	if len(v.forecast.Curve) == 0 {
		return
	}
	n := v.perDay()
	v.expected.SetText(language.Printer().BudgetExpected(n, v.forecast.Feeds, v.forecast.Curve.At(float64(n))), widgets.Plain)
}

// perDay is the budget at the slider.
func (v *View) perDay() int {
	return max(1, int(math.Round(perFeedAt(v.slider.Value)*float64(v.forecast.Feeds))))
}

func (v *View) useBudget() {
	n := v.perDay()
	v.apply(func(ctx context.Context) error { return v.poller.SetBudget(ctx, budgetName(n, v.forecast.Feeds)) })
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
		v.fail(err)
		return
	}
	v.apply(func(ctx context.Context) error { return v.poller.SetGoal(ctx, g) })
}

func (v *View) apply(f func(ctx context.Context) error) {
	v.jobs.Work(f, func(err error) {
		if err != nil {
			v.fail(err)
			return
		}
		v.changed()
		v.Load()
	})
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
