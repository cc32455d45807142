package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/notify"
	"kairos/app/widgets"
)

// notifications is the page of the settings.
func (s *settingsDialog) notifications() fyne.CanvasObject {
	of := widgets.NewChoice([]widgets.Option{widgets.Opt(notify.None, lang.L("Never")), widgets.Opt(notify.Chosen, lang.L("Only feeds I choose")),
		widgets.Opt(notify.All, lang.L("All feeds"))}, s.now.stored[notify.SettingFeeds], func(value string) { s.put(notify.SettingFeeds, value) })
	from, to := widgets.NewEntry(s.dialog.Hide), widgets.NewEntry(s.dialog.Hide)
	from.SetText(s.now.stored[notify.SettingQuietFrom])
	to.SetText(s.now.stored[notify.SettingQuietTo])
	from.SetPlaceHolder("22:00")
	to.SetPlaceHolder("07:00")
	changed := func(string) {
		for _, f := range []*widgets.Entry{from, to} {
			if _, err := notify.ParseClock(f.Text); err != nil && f.Text != "" {
				s.fault(lang.L("Enter times like 22:00."))
				return
			}
		}
		s.said.Clear()
		s.put(notify.SettingQuietFrom, from.Text)
		s.put(notify.SettingQuietTo, to.Text)
	}
	from.OnChanged, to.OnChanged = changed, changed
	test := widget.NewButton(lang.L("Send a test"), func() { s.apply(s.w.notifier().SendTest) })
	return widgets.Rows(
		s.row(lang.L("Notifications"), of, lang.L("You get one notification for all new articles, and none while you are using Kairos. Choose feeds in their properties.")),
		s.row("", s.toggle(lang.L("Show feed names and titles"), notify.SettingNames, "on", "off"), ""),
		s.row(lang.L("Quiet hours"), container.NewGridWithColumns(2, from, to), lang.L("Leave both empty for no quiet hours.")),
		s.row("", container.NewHBox(test), ""))
}
