package settings

import (
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"kairos/app/desktop"
	"kairos/app/notify"
	"kairos/app/widgets"
)

func (d *settingsDialog) notificationsPage() fyne.CanvasObject {
	feeds := widgets.NewChoice([]widgets.Option{
		widgets.Opt(notify.None, lang.L("Never")), widgets.Opt(notify.Chosen, lang.L("Only feeds I choose")), widgets.Opt(notify.All, lang.L("All feeds")),
	}, d.stored[notify.SettingFeeds], func(value string) { d.set(notify.SettingFeeds, value) })
	test := widgets.NewButton(lang.L("Send a test"), func() {
		d.message.Clear()
		d.Work(d.SendTest, func(err error) {
			if errors.Is(err, desktop.ErrNone) {
				d.warn(lang.L("Nothing on this desktop shows notifications. Install a program that does, such as dunst."))
				return
			}
			d.fail(err)
		})
	})
	return widgets.Rows(
		widgets.SettingRow(lang.L("Notifications"), feeds,
			lang.L("You get one notification for all new articles, within two minutes after Kairos has fetched them, and none while you are using Kairos. Choose feeds in their properties.")),
		widgets.SettingRow("", d.checkbox(lang.L("Show feed names and titles"), notify.SettingNames, "on", "off"), ""),
		widgets.SettingRow(lang.L("Quiet hours"), d.quietHours(), ""),
		widgets.SettingRow("", container.NewHBox(test), ""))
}

// quietHours returns the fields of the start and the end.
func (d *settingsDialog) quietHours() fyne.CanvasObject {
	from, to := widgets.NewEntry(d.dialog.Hide), widgets.NewEntry(d.dialog.Hide)
	from.Name, to.Name = lang.L("From"), lang.L("To")
	from.SetText(d.stored[notify.SettingQuietFrom])
	to.SetText(d.stored[notify.SettingQuietTo])
	from.SetPlaceHolder(lang.L("such as {{.Value}}", map[string]any{"Value": "22:00"}))
	to.SetPlaceHolder(lang.L("such as {{.Value}}", map[string]any{"Value": "07:00"}))
	now := widgets.NewText("", widgets.Muted)
	tell := func() {
		now.SetText(quietText(d.stored[notify.SettingQuietFrom], d.stored[notify.SettingQuietTo]), widgets.Muted)
	}
	tell()
	fields := newChecked(container.NewGridWithColumns(2, from, to))
	changed := func(string) {
		for _, f := range []*widgets.Entry{from, to} {
			if _, err := notify.ParseClock(f.Text); err != nil && f.Text != "" {
				fields.refuse(lang.L("Enter times like 22:00."))
				return
			}
		}
		fields.refuse("")
		d.set(notify.SettingQuietFrom, from.Text)
		d.set(notify.SettingQuietTo, to.Text)
		tell()
	}
	from.OnChanged, to.OnChanged = changed, changed
	return widgets.NewColumn(4, fields.Container, now)
}

// quietText says when there are quiet hours.
func quietText(from, to string) string {
	switch {
	case from == "" && to == "":
		return lang.L("No quiet hours are set.")
	case from == "" || to == "":
		return lang.L("No quiet hours are set: both times are needed.")
	}
	return lang.L("Quiet hours: from {{.From}} to {{.To}}.", map[string]any{"From": from, "To": to})
}
