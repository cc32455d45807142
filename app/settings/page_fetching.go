package settings

import (
	"context"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"kairos/app/async"
	"kairos/app/budget"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/app/widgets/chart"
	"kairos/poller"
)

func (d *settingsDialog) fetchingPage() fyne.CanvasObject {
	saver := widgets.NewChoice([]widgets.Option{
		widgets.Opt(string(poller.SaverOff), lang.L("Off")), widgets.Opt(string(poller.SaverOn), lang.L("On")),
		widgets.Opt(string(poller.SaverAuto), lang.L("Automatic: on battery, low power or metered")),
	}, string(d.budget.Saver), func(value string) {
		d.apply(func(ctx context.Context) error { return d.Home.Poller.SetSaver(ctx, poller.Saver(value)) })
	})
	d.forecast = budget.New(budget.Host{Jobs: d.Jobs, Home: d.Home, Chart: chart.Host{Keys: d.Keys, Shown: func(o fyne.CanvasObject) { widgets.Reveal(d.Dialogs.Canvas(), o) }},
		Changed: d.rebudget, Fail: d.fail, Leave: d.dialog.Hide, AddUndo: d.undo.offer})
	without := widgets.NewInset(widgets.NewText(d.forecast.Without(), widgets.Muted))
	without.Hide()
	d.forecast.Load(func() {
		if !d.forecast.Content.Visible() {
			without.Show()
		}
	})
	return widgets.Rows(
		widgets.SettingRow(lang.L("Fetches a day"), d.budgetFields(),
			lang.L("Kairos spends them shortly before you read, on feeds that are likely to have new posts. Manual refreshes do not count.")),
		widgets.SettingRow(lang.L("What it brings"), widgets.NewColumn(0, d.forecast.Content, without), ""),
		widgets.SettingRow(lang.L("Battery saver"), saver, d.saverHint()),
		widgets.SettingRow(lang.L("Prepare articles"), d.preparingFields(),
			lang.L("Kairos brings pictures, and full texts where you want them, of articles that you are likely to read, before you come. What it did is in Insights.")))
}

// ParseBudget reads a number of fetches a day that the user has entered, or says what is wrong with it.
func ParseBudget(text string) (n int, problem string) { return parseNumber(text, 1, 1_000_000) }

// budgetFields returns the controls of the budget: a choice, and a number for one of the
// user's own.
func (d *settingsDialog) budgetFields() fyne.CanvasObject {
	const own, goal = "own", "goal"
	kind, start := d.budget.Normal, max(1, d.budget.NormalPerDay(d.feeds))
	if _, ok := d.budget.Goal(); ok {
		kind = goal
	}
	if n, err := strconv.Atoi(kind); err == nil && n > 0 {
		kind, start = own, n
	}
	set := func(value string) {
		d.budget.Normal = value
		d.Work(func(ctx context.Context) error { return d.Home.Poller.SetBudget(ctx, value) }, func(err error) {
			if err != nil {
				d.fail(err)
			}
			d.forecast.Load(nil)
		})
	}
	entry := widgets.NewEntry(d.dialog.Hide)
	entry.SetText(strconv.Itoa(start))
	var number checked
	setNumber := func() {
		n, problem := ParseBudget(entry.Text)
		if number.refuse(problem); problem == "" {
			set(strconv.Itoa(n))
		}
	}
	entry.OnSubmitted = func(string) { setNumber() }
	unit := widgets.NewInset(widgets.NewCaption(lang.L("fetches a day"), widgets.Plain))
	number = newChecked(container.NewBorder(nil, nil, nil, container.NewHBox(unit, widgets.NewDialogButton(lang.L("Set"), setNumber)), entry))
	number.Hidden = kind != own
	choice := widgets.NewChoice([]widgets.Option{
		widgets.Opt(poller.Fresh, lang.L("Fresh: 24 a feed")), widgets.Opt(poller.Balanced, lang.L("Balanced: 8 a feed")),
		widgets.Opt(own, lang.L("Custom number")), widgets.Opt(goal, lang.L("Goal")), widgets.Opt("0", lang.L("Pause fetching")),
	}, kind, func(value string) {
		number.Hidden = value != own
		d.body.Refresh()
		if value == goal { // it is set beside the forecast
			d.forecast.FocusGoal(d.focus)
			return
		}
		if value == own { // it is set once it is entered
			d.focus(entry)
			entry.TypedShortcut(&fyne.ShortcutSelectAll{})
			return
		}
		set(value)
	})
	return widgets.NewColumn(6, choice, number.Container)
}

// rebudget shows a budget that was set beside the forecast.
func (d *settingsDialog) rebudget() {
	var r async.Request
	async.Load(d.Jobs, &r, d.Home.Poller.Budget, func(b poller.Budget) {
		d.budget = b
		if d.page == Fetching {
			d.rebuild()
		}
	})
}

// saverHint says what battery saver does, or why it is on.
func (d *settingsDialog) saverHint() string {
	if why := language.Printer().SavingReasons(d.budget); why != "" {
		return lang.L("Saving now: {{.Why}}", map[string]any{"Why": why})
	}
	return lang.L("While it is on, each feed is fetched about twice a day.")
}
