package app

import (
	"context"
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/dialogs"
	"kairos/app/icon"
	"kairos/app/language"
	"kairos/app/settings"
	"kairos/app/shell"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/reader"
)

// budgetControls set how much is fetched: the budget of fetches and battery saver, which the button shows.
type budgetControls struct {
	shell    *shell.Shell
	button   *hoverButton
	inForce  poller.Budget // as last shown
	changed  func()        // another one is in force
	forecast poller.Forecast
	known    time.Time // when it was made
	request  async.Request
	resized  func() // the button needs another width
}

// hoverButton tells when the mouse is over it.
type hoverButton struct {
	widgets.ToolButton
	hover func(over bool)
}

// MouseIn implements desktop.Hoverable.
func (b *hoverButton) MouseIn(e *desktop.MouseEvent) {
	b.ToolButton.MouseIn(e)
	b.hover(true)
}

// MouseOut implements desktop.Hoverable.
func (b *hoverButton) MouseOut() {
	b.ToolButton.MouseOut()
	b.hover(false)
}

var batteryIcon = icon.SVG("battery", `<path d="M16 5h-2V3h-4v2H8a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h8a2 2 0 0 0 2-2V7a2 2 0 0 0-2-2zm-4 13l-2.500-.001L13 8v5h2.500z"/>`)

func newBudgetControls(sh *shell.Shell) *budgetControls {
	c := &budgetControls{shell: sh, resized: func() {}, changed: func() {}}
	c.button = &hoverButton{hover: c.tellCost}
	c.button.Init(lang.L("Battery saver: {{.State}}", map[string]any{"State": lang.L("off")}), batteryIcon, func() {
		sh.Used()
		c.showMenu()
	})
	c.button.ExtendBaseWidget(c.button)
	return c
}

// forecastFor is how long a forecast of the budgets is told: habits are those of weeks.
const forecastFor = time.Hour

// tellCost tells in the status bar what battery saver costs while the mouse is over the button.
func (c *budgetControls) tellCost(over bool) {
	if !over {
		c.request.Stop()
		c.shell.Hover("")
		return
	}
	c.foresee(func() { c.shell.Hover(language.Printer().SaverCost(&c.forecast)) })
}

// foresee forecasts off the window's goroutine what budgets bring, unless that is known, and then calls done. The menu
// tells it.
func (c *budgetControls) foresee(done func()) {
	if c.shell.Now().Sub(c.known).Abs() < forecastFor {
		done()
		return
	}
	async.Load(c.shell.Jobs, &c.request, c.shell.Home.Poller.Forecast, func(f poller.Forecast) {
		c.forecast, c.known = f, c.shell.Now()
		c.changed()
		done()
	})
}

// saverChoice names a choice of battery saver with what it is expected to bring, if that is known.
func (c *budgetControls) saverChoice(name string, on bool) string {
	f := &c.forecast
	normal := float64(c.inForce.NormalPerDay(f.Feeds))
	if len(f.Curve) == 0 || normal == 0 {
		return name
	}
	if on {
		normal = min(normal, poller.SaverPerFeed*float64(f.Feeds))
	}
	return language.Printer().SaverChoice(name, normal/float64(f.Feeds), f.Curve.At(normal))
}

// presetChoice names a budget with what it is expected to bring, if that is known.
func (c *budgetControls) presetChoice(name string, perFeed float64) string {
	if len(c.forecast.Curve) == 0 {
		return name
	}
	return language.Printer().BudgetChoice(name, c.forecast.PerFeed(perFeed))
}

// show shows the state of battery saver.
func (c *budgetControls) show(b poller.Budget) {
	if text := lang.L("Battery saver: {{.State}}", map[string]any{"State": saverText(b)}); c.button.Name != text {
		c.button.SetName(text)
		c.resized()
	}
	if b.Normal != c.inForce.Normal || b.Saver != c.inForce.Saver {
		c.inForce = b
		c.changed()
	}
	c.inForce = b
}

// cycleSaver switches battery saver from off to on to automatic.
func (c *budgetControls) cycleSaver() {
	c.shell.Work(func(ctx context.Context) error {
		b, err := c.shell.Home.Poller.Budget(ctx)
		if err != nil {
			return err
		}
		next := map[poller.Saver]poller.Saver{poller.SaverOff: poller.SaverOn, poller.SaverOn: poller.SaverAuto}[b.Saver]
		if next == "" {
			next = poller.SaverOff
		}
		return c.shell.Home.Poller.SetSaver(ctx, next)
	}, c.shell.Polled)
}

func (c *budgetControls) setSaver(s poller.Saver) {
	c.shell.Work(func(ctx context.Context) error { return c.shell.Home.Poller.SetSaver(ctx, s) }, c.shell.Polled)
}

func (c *budgetControls) setBudget(normal string) {
	c.shell.Work(func(ctx context.Context) error { return c.shell.Home.Poller.SetBudget(ctx, normal) }, c.shell.Polled)
}

// items are the submenus of Fetching: battery saver and the fetches a day, in which what is in force is ticked. goal opens the
// settings of a goal.
func (c *budgetControls) items(goal func()) []*fyne.MenuItem {
	budget := func(name, value string) *fyne.MenuItem {
		return ticked(name, c.inForce.Normal == value, func() { c.setBudget(value) })
	}
	custom := lang.L("Custom number…")
	number, own := c.inForce.Number()
	if own {
		custom = lang.N("Custom: {{.PluralCount}} a day…", number)
	}
	_, hasGoal := c.inForce.Goal()
	return []*fyne.MenuItem{
		widgets.Submenu(lang.L("Battery saver"), c.saverItems()...),
		widgets.Submenu(lang.L("Fetches a day"),
			budget(c.presetChoice(lang.L("Fresh: 24 a feed"), poller.FreshPerFeed), poller.Fresh),
			budget(c.presetChoice(lang.L("Balanced: 8 a feed"), poller.BalancedPerFeed), poller.Balanced),
			ticked(custom, own, c.ask),
			ticked(lang.L("Goal…"), hasGoal, goal),
			budget(lang.L("Pause fetching"), "0")),
	}
}

// saverItems are the choices of battery saver; the one in force is ticked.
func (c *budgetControls) saverItems() []*fyne.MenuItem {
	saver := func(name string, s poller.Saver) *fyne.MenuItem {
		return ticked(name, c.inForce.Saver == s, func() { c.setSaver(s) })
	}
	return []*fyne.MenuItem{saver(c.saverChoice(lang.L("Off"), false), poller.SaverOff),
		saver(c.saverChoice(lang.L("On"), true), poller.SaverOn),
		saver(lang.L("Automatic: on battery, low power or metered"), poller.SaverAuto)}
}

// showMenu shows the choices of battery saver below the button. It takes the focus.
func (c *budgetControls) showMenu() {
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(c.button)
	menu := widget.NewPopUpMenu(fyne.NewMenu("", c.saverItems()...), c.shell.Canvas)
	menu.ShowAtPosition(at.AddXY(0, c.button.Size().Height))
	menu.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
}

// ticked is a menu entry with a tick if on.
func ticked(name string, on bool, do func()) *fyne.MenuItem {
	item := fyne.NewMenuItem(name, do)
	item.Checked = on
	return item
}

// ask asks for a number of fetches a day, at first the one in force.
func (c *budgetControls) ask() {
	async.Load(c.shell.Jobs, &c.request, c.shell.Home.Store.Feeds.List, func(feeds []reader.Feed) {
		c.askNumber(c.inForce.NormalPerDay(len(feeds)))
	})
}

func (c *budgetControls) askNumber(now int) {
	entry := widgets.NewEntry(c.shell.Dialogs.CloseTop)
	entry.SetText(strconv.Itoa(max(now, 1)))
	message := widgets.NewText("", widgets.Warning)
	unit := widgets.NewInset(widgets.NewCaption(lang.L("fetches a day, for all feeds together"), widgets.Plain))
	d := &dialogs.Dialog{Title: lang.L("Fetches a day"), Content: widgets.NewColumn(8, container.NewBorder(nil, nil, nil, unit, entry), message), Focus: entry}
	d.Buttons = []*dialogs.Button{dialogs.Cancel(), dialogs.Do(lang.L("Set"), func() {
		n, problem := settings.ParseBudget(entry.Text)
		if problem != "" {
			message.SetText(problem, widgets.Warning)
			return
		}
		d.Hide()
		c.setBudget(strconv.Itoa(n))
	})}
	c.shell.Dialogs.Show(d)
	entry.TypedShortcut(&fyne.ShortcutSelectAll{})
}
