package app

import (
	"context"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/widget"

	"kairos/app/autostart"
	"kairos/app/home"
	"kairos/poller"
	"kairos/reader"
)

// settingsNow is what the settings dialog starts from.
type settingsNow struct {
	budget    poller.Budget
	firstDays int
	learn     string
	keep      string
	login     bool
	accesses  int
}

func (w *window) loadSettings(ctx context.Context) (s settingsNow, err error) {
	if s.budget, err = w.home.Poller.Budget(ctx); err != nil {
		return s, err
	}
	if s.firstDays, err = w.home.Store.SettingInt(ctx, reader.SettingFirstUnreadDays, reader.DefaultFirstUnreadDays); err != nil {
		return s, err
	}
	if s.learn, err = w.home.Store.Setting(ctx, home.SettingLearn, "on"); err != nil {
		return s, err
	}
	if s.keep, err = w.home.Store.Setting(ctx, settingKeep, ""); err != nil {
		return s, err
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
func (w *window) settings() {
	var want latest
	ask(w, &want, w.loadSettings, w.showSettings)
}

func (w *window) showSettings(s settingsNow) {
	budget := widget.NewSelectEntry([]string{poller.Fresh, poller.Balanced})
	budget.SetText(s.budget.Normal)
	saver := widget.NewRadioGroup([]string{"off", "on", "auto"}, nil)
	saver.Horizontal = true
	saver.SetSelected(string(s.budget.Saver))
	days := widget.NewEntry()
	days.SetText(strconv.Itoa(s.firstDays))
	learn := widget.NewCheck("Learn when I read", nil)
	learn.SetChecked(s.learn != "off")
	keep := widget.NewCheck("Keep fetching when the window is closed", nil)
	keep.SetChecked(s.keep != "no")
	login := widget.NewCheck("Start Kairos when I log in", nil)
	login.SetChecked(s.login)
	said := widget.NewLabel("")
	said.Wrapping = fyne.TextWrapWord
	clear := widget.NewButton("Forget what was learned from "+plural(s.accesses, "reading")+"…", w.forgetDialog)

	form := widget.NewForm(
		&widget.FormItem{Text: "Fetches a day", Widget: budget, HintText: "fresh: 24 a feed, balanced: 8 a feed, or a number in all"},
		&widget.FormItem{Text: "Battery saver", Widget: saver, HintText: saverHint(s.budget)},
		&widget.FormItem{Text: "Unread at first", Widget: days, HintText: "days: what is older arrives read when a feed is added"},
		widget.NewFormItem("", learn),
		widget.NewFormItem("", clear),
		widget.NewFormItem("", keep),
		widget.NewFormItem("", login),
	)
	d := dialog.NewCustomWithoutButtons("Settings", container.NewVBox(form, said), w.win)
	save := widget.NewButton("Save", func() {
		n, err := strconv.Atoi(days.Text)
		if err != nil || n < 0 || n > 36500 {
			said.SetText("“Unread at first” is a number of days.")
			return
		}
		s := settingsNow{budget: poller.Budget{Normal: budget.Text, Saver: poller.Saver(saver.Selected)}, firstDays: n,
			learn: onOff(learn.Checked), keep: keepAfter(s.keep, keep.Checked), login: login.Checked}
		w.work(func(ctx context.Context) error { return w.saveSettings(ctx, s) }, func(err error) {
			if err != nil {
				said.SetText(errorText(err))
				return
			}
			d.Hide()
			w.reloadStatus()
		})
	})
	save.Importance = widget.HighImportance
	d.SetButtons([]fyne.CanvasObject{widget.NewButton("Cancel", d.Hide), save})
	d.Resize(fyne.NewSize(560, 400))
	w.dialog(d, nil)
}

func (w *window) saveSettings(ctx context.Context, s settingsNow) error {
	if err := w.home.Poller.SetBudget(ctx, s.budget.Normal); err != nil {
		return err
	}
	if err := w.home.Poller.SetSaver(ctx, s.budget.Saver); err != nil {
		return err
	}
	for key, value := range map[string]string{
		reader.SettingFirstUnreadDays: strconv.Itoa(s.firstDays),
		home.SettingLearn:             s.learn,
		settingKeep:                   s.keep,
	} {
		if err := w.home.Store.Set(ctx, key, value); err != nil {
			return err
		}
	}
	if now, err := autostart.Enabled(); err == nil && now == s.login {
		return nil
	}
	return w.setAutostart(s.login)
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// saverHint says when auto saves, and why it does now.
func saverHint(b poller.Budget) string {
	if why := b.Reasons(); len(why) > 0 {
		return "saves now: " + strings.Join(why, ", ")
	}
	return "2 a feed a day; auto: on battery, low power or a metered network"
}

// keepAfter is what to store of the switch: while nobody has touched it, the first
// close still asks.
func keepAfter(before string, keep bool) string {
	switch {
	case !keep:
		return "no"
	case before == "":
		return ""
	}
	return "yes"
}

func (w *window) forgetDialog() {
	w.dialog(dialog.NewConfirm("Forget when you read", "The log of your readings and everything learned from it will be cleared. Kairos then starts from a usual waking day.",
		func(yes bool) {
			if yes {
				w.work(w.home.Forget, func(err error) {
					if err != nil {
						w.say(errorText(err))
						return
					}
					w.say("Forgotten.")
				})
			}
		}, w.win), nil)
}

// budgetDialog asks for a number of fetches a day.
func (w *window) budgetDialog() {
	entry := widget.NewEntry()
	entry.SetPlaceHolder("such as 100")
	d := dialog.NewForm("Fetches a day, for all feeds together", "Set", "Cancel",
		[]*widget.FormItem{widget.NewFormItem("Number", entry)}, func(ok bool) {
			if ok {
				w.setBudget(entry.Text)
			}
		}, w.win)
	w.dialog(d, nil)
}

func aboutText(dir string) string {
	return "Kairos " + home.Version + "\n\nA feed reader that learns when you read\nand fetches just before.\n\nEverything is kept on this machine, in\n" + dir
}
