package settings

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/useraccess"
)

// hintRow lists what the user said of when they read, each with a button to remove it, and takes more.
func (d *settingsDialog) hintRow() fyne.CanvasObject {
	rows := widgets.NewColumn(2)
	for _, h := range d.hints {
		remove := widget.NewButtonWithIcon("", theme.DeleteIcon(), func() {
			d.changeHints(func(ctx context.Context) error { return d.Home.Visits.RemoveHint(ctx, h.ID) })
		})
		remove.Importance = widget.LowImportance
		rows.Add(container.NewBorder(nil, nil, nil, remove, widgets.NewInset(widgets.NewText(language.Printer().Hint(h), widgets.Plain))))
	}
	entry := widgets.NewEntry(d.dialog.Hide)
	entry.SetPlaceHolder(lang.L("7:30 workdays"))
	var field checked
	add := func() {
		h, err := useraccess.ParseHint(entry.Text)
		if err != nil {
			field.refuse(errorText(err))
			return
		}
		field.refuse("")
		d.changeHints(func(ctx context.Context) error {
			_, err := d.Home.Visits.AddHint(ctx, h)
			return err
		})
	}
	entry.OnSubmitted = func(string) { add() }
	field = newChecked(container.NewBorder(nil, nil, nil, widgets.NewDialogButton(lang.L("Add"), add), entry))
	rows.Add(field.Container)
	return widgets.SettingRow(lang.L("When you read"), rows,
		lang.L("Tell Kairos when you usually read: a time, and workdays, weekends, everyday or a day of the week. It counts as two weeks of such visits, and fades as Kairos sees when you come."))
}

// changeHints changes the hints and shows them again.
func (d *settingsDialog) changeHints(change func(ctx context.Context) error) {
	d.message.Clear()
	var hints []useraccess.Hint
	d.Work(func(ctx context.Context) (err error) {
		if err = change(ctx); err == nil {
			hints, err = d.Home.Log.Hints(ctx)
		}
		return err
	}, func(err error) {
		if err != nil {
			d.fail(err)
			return
		}
		d.hints = hints
		if d.page == Privacy {
			d.rebuild()
		}
	})
}

// forgetRow forgets a period in which the user read otherwise than usual.
func (d *settingsDialog) forgetRow() fyne.CanvasObject {
	from, to := widgets.NewEntry(d.dialog.Hide), widgets.NewEntry(d.dialog.Hide)
	today := d.Home.Now()
	from.SetPlaceHolder(today.AddDate(0, 0, -14).Format(time.DateOnly))
	to.SetPlaceHolder(today.AddDate(0, 0, -1).Format(time.DateOnly))
	var fields checked
	forget := widgets.NewDialogButton(lang.L("Forget…"), func() {
		first, last, err := useraccess.ParseDays(from.Text, to.Text, d.Home.Now())
		if err != nil {
			fields.refuse(errorText(err))
			return
		}
		fields.refuse("")
		d.confirmForget(first, last)
	})
	fields = newChecked(container.NewBorder(nil, nil, nil, forget, container.NewGridWithColumns(2, from, to)))
	return widgets.SettingRow(lang.L("Forget a period"), fields.Container,
		lang.L("Such as a holiday, first and last day: these days then count neither as days with visits nor as days without."))
}

// confirmForget asks whether to forget a span, and forgets it.
func (d *settingsDialog) confirmForget(from, to time.Time) {
	words := language.Printer()
	d.Dialogs.ConfirmLoss(lang.L("Forget this period?"),
		lang.L("This deletes the record of when you read from {{.From}} to {{.To}} and what was learned from it.",
			map[string]any{"From": words.When(from, d.Home.Now()), "To": words.When(to, d.Home.Now())}), lang.X("answer.keep", "Keep"), lang.L("Forget"), func() {
			forgotten := 0
			d.Work(func(ctx context.Context) (err error) {
				forgotten, err = d.Home.Visits.Forget(ctx, from, to)
				return err
			}, func(err error) {
				if err != nil {
					d.fail(err)
					return
				}
				d.accesses -= forgotten
				d.Say(lang.N("{{.PluralCount}} visits were forgotten.", forgotten))
				if d.page == Privacy {
					d.rebuild()
				}
			})
		})
}
