package settings

import (
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/async"
	"kairos/app/corrections"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/useraccess"
)

// visits is what the page shows of what was learned of the user's visits.
type visits struct {
	recorded    *widgets.Text
	corrections *corrections.View
	hint        *widgets.Entry // takes when the user reads
	request     async.Request
}

// newVisits returns it empty; load fills it.
func (d *settingsDialog) newVisits() visits {
	return visits{recorded: widgets.NewText("", widgets.Muted),
		corrections: corrections.New(corrections.Host{Jobs: d.Jobs, Home: d.Home, Fail: d.fail, AddUndo: d.undo.offer, Empty: lang.L("You have not told Kairos when you read, and no period is forgotten."), Changed: func() {
			d.message.Clear()
			d.loadVisits()
		}})}
}

// focusHint puts the keys into the field of when the user reads, and brings it and what follows into sight.
func (d *settingsDialog) focusHint() {
	driver := fyne.CurrentApp().Driver()
	d.Dialogs.Canvas().Focus(d.visits.hint)
	const above = 24
	below := driver.AbsolutePositionForObject(d.visits.hint).Y - driver.AbsolutePositionForObject(d.scroll.Content).Y - above
	d.scroll.ScrollToOffset(fyne.NewPos(0, max(0, min(below, d.scroll.Content.Size().Height-d.scroll.Size().Height))))
}

// loadVisits shows how many visits are recorded, and what is corrected.
func (d *settingsDialog) loadVisits() {
	async.Load(d.Jobs, &d.visits.request, d.Home.Log.List, func(log []useraccess.Access) {
		d.visits.recorded.SetText(lang.N("{{.PluralCount}} visits are recorded.", len(log)), widgets.Muted)
		d.body.Refresh()
	})
	d.visits.corrections.Load(d.body.Refresh)
}

// hintRow takes what the user says of when they read.
func (d *settingsDialog) hintRow() fyne.CanvasObject {
	at := widgets.NewEntry(d.dialog.Hide)
	d.visits.hint = at
	at.SetPlaceHolder(lang.L("such as {{.Value}}", map[string]any{"Value": "7:30"}))
	days := useraccess.Workdays
	chosen := widgets.NewChoice(hintDays(), strconv.Itoa(int(days)), func(v string) {
		n, _ := strconv.Atoi(v) // of hintDays
		days = useraccess.Days(n)
	})
	var field checked
	add := func() {
		h, err := useraccess.ParseHintOn(at.Text, days)
		if err != nil {
			field.refuse(errorText(useraccess.ErrHintTime)) // the days can be chosen
			return
		}
		d.visits.corrections.AddHint(h, func(err error) {
			if err != nil {
				field.refuse(errorText(err))
				return
			}
			at.SetText("")
		})
	}
	at.OnChanged = func(string) { field.refuse("") }
	at.OnSubmitted = func(string) { add() }
	field = newChecked(besides(widgets.NewDialogButton(lang.L("Add"), add), at, chosen))
	return widgets.SettingRow(lang.L("When you read"), field.Container,
		lang.L("Tell Kairos when you usually read. It counts as two weeks of such visits, and fades as Kairos sees when you come."))
}

// besides puts two fields before a button, below each other where there is little room.
func besides(button, first, second fyne.CanvasObject) fyne.CanvasObject {
	return container.NewBorder(nil, nil, nil, container.NewVBox(button), widgets.NewTiles(theme.Padding(), 150, first, second))
}

// hintDays are the days that a hint can be about.
func hintDays() (options []widgets.Option) {
	add := func(d useraccess.Days) {
		options = append(options, widgets.Opt(strconv.Itoa(int(d)), language.Printer().HintDays(d)))
	}
	add(useraccess.Workdays)
	add(useraccess.Weekends)
	add(useraccess.EveryDay)
	for k := range 7 { // weeks begin on Monday
		add(1 << ((int(time.Monday) + k) % 7))
	}
	return options
}

// forgetRow forgets a period in which the user read otherwise than usual.
func (d *settingsDialog) forgetRow() fyne.CanvasObject {
	from, to := widgets.NewEntry(d.dialog.Hide), widgets.NewEntry(d.dialog.Hide)
	from.Name, to.Name = lang.L("From"), lang.L("To")
	today := d.Home.Now()
	from.SetPlaceHolder(lang.L("such as {{.Value}}", map[string]any{"Value": today.AddDate(0, 0, -14).Format(time.DateOnly)}))
	to.SetPlaceHolder(lang.L("such as {{.Value}}", map[string]any{"Value": today.AddDate(0, 0, -1).Format(time.DateOnly)}))
	var fields checked
	forget := func() {
		first, last, err := useraccess.ParseDays(from.Text, to.Text, d.Home.Now())
		if err != nil {
			fields.refuse(errorText(err))
			return
		}
		d.visits.corrections.Forget(first, last, func(err error) {
			if err != nil {
				fields.refuse(errorText(err)) // what was entered can be corrected
				return
			}
			from.SetText("")
			to.SetText("")
		})
	}
	from.OnSubmitted, to.OnSubmitted = func(string) { forget() }, func(string) { forget() }
	from.OnChanged, to.OnChanged = func(string) { fields.refuse("") }, func(string) { fields.refuse("") }
	fields = newChecked(besides(widgets.NewDialogButton(lang.L("Forget"), forget), from, to))
	return widgets.SettingRow(lang.L("Forget a period"), fields.Container,
		lang.L("Such as a holiday, first and last day: these days then count neither as days with visits nor as days without. Their record is set aside until you count them again or clear the access log."))
}
