package settings

import (
	"cmp"
	"context"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"kairos/app/fonts"
	"kairos/app/glyphs"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/text"
	"kairos/app/widgets"
)

// languageNames are the languages' own names.
var languageNames = map[string]string{"en": "English", "de": "Deutsch", "zh_Hans": "简体中文"}

// languageName returns a language's own name, or its name in the language of the window where no font has the letters of the former.
func languageName(name string) string {
	own := languageNames[name]
	if name == "zh_Hans" && glyphs.Missing(own) != "" {
		return lang.L("Chinese (Simplified)")
	}
	return own
}

func (d *settingsDialog) generalPage() fyne.CanvasObject {
	prefs := d.Preferences
	theme := widgets.NewChoice([]widgets.Option{
		widgets.Opt("", lang.L("Follow system")), widgets.Opt("light", lang.L("Light")),
		widgets.Opt("dark", lang.L("Dark")), widgets.Opt("sepia", lang.L("Sepia")),
	}, prefs.String(PrefTheme), func(value string) {
		prefs.SetString(PrefTheme, value)
		d.App.Settings().SetTheme(look.New(look.Variants[value]))
		d.recolor()
	})
	languages := []widgets.Option{widgets.Opt("", lang.L("Follow system"))}
	for _, name := range language.Known() {
		languages = append(languages, widgets.Opt(name, languageName(name)))
	}
	now := language.Of(language.Chosen())
	translated := widgets.NewText("", widgets.Plain)
	restart := container.NewHBox(widgets.NewDialogButton(lang.L("Restart now"), d.Restart))
	hint := widgets.NewColumn(4, widgets.NewText(restartHint(language.Printer()), widgets.Plain), translated, restart)
	offer := func(value string) {
		hint.Hidden = language.Of(value) == now
		translated.SetText(restartText(value), widgets.Plain)
	}
	offer(prefs.String(PrefLanguage))
	spoken := widgets.NewChoice(languages, prefs.String(PrefLanguage), func(value string) {
		prefs.SetString(PrefLanguage, value)
		offer(value)
		d.body.Refresh()
	})
	login := checkbox(lang.L("Start Kairos when I log in"), d.autostart, func(on bool) {
		d.apply(func(context.Context) error { return SetAutostart(d.Home.Dir, on) })
	})
	rows := []fyne.CanvasObject{
		widgets.SettingRow(lang.L("Appearance"), theme, ""),
		d.scaleRow(),
		widgets.SettingRow(lang.L("Language"), widgets.NewColumn(4, spoken, hint), ""),
		widgets.SettingRow(lang.L("Closing the window"), d.closingChoice(), lang.L("Start Kairos again to bring the window back.")),
		widgets.SettingRow("", login, ""),
	}
	if home.Website != "" { // where new versions are looked for
		rows = append(rows, widgets.SettingRow(lang.L("New versions"), d.checkbox(lang.L("Look for a new version every week"), home.SettingUpdates, "on", "off"),
			lang.L("Not needed where your system keeps its programs up to date.")))
	}
	return widgets.Rows(rows...)
}

// scales are the sizes that are offered, as multiples of what the system wants.
var scales = []float64{0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2}

// scaleRow returns the row of the size of all that the window shows.
func (d *settingsDialog) scaleRow() fyne.CanvasObject {
	name := lang.L("Interface size")
	if d.Rescale == nil {
		return widgets.SettingRow(name, widgets.NewText(lang.L("Set by FYNE_SCALE or FYNE_DISABLE_DPI_DETECTION in the environment."), widgets.Plain), "")
	}
	var options []widgets.Option
	for _, scale := range scales {
		options = append(options, widgets.Opt(formatScale(scale), language.Printer().Percent(scale)))
	}
	choice := widgets.NewChoice(options, formatScale(cmp.Or(d.Preferences.Float(PrefScale), 1)), func(value string) {
		scale, _ := strconv.ParseFloat(value, 64) //nolint:errcheck // it is one of ours
		d.Rescale(scale)
	})
	return widgets.SettingRow(name, choice, lang.L("100 % is the size that your system asks for."))
}

func formatScale(scale float64) string { return strconv.FormatFloat(scale, 'g', -1, 64) }

// closingChoice returns the field of what closing the window does.
func (d *settingsDialog) closingChoice() *widgets.Select {
	var choice *widgets.Select
	names := map[string]string{"": lang.L("Ask"), "yes": lang.L("Keep fetching"), "no": lang.L("Quit")}
	choice = widgets.NewChoice([]widgets.Option{widgets.Opt("", names[""]), widgets.Opt("yes", names["yes"]), widgets.Opt("no", names["no"])},
		d.stored[KeepRunning], func(value string) {
			if value != "yes" {
				d.set(KeepRunning, value)
				return
			}
			d.message.Clear()
			d.Work(func(context.Context) error { return AllowBackground(d.Home.Dir) }, func(err error) {
				switch {
				case err != nil:
					choice.SetSelected(names[d.stored[KeepRunning]])
					d.fail(err)
				case choice.Selected == names["yes"]: // still
					d.set(KeepRunning, "yes")
				}
			})
		})
	return choice
}

// restartText tells in a language that it needs a restart, or what its script needs; "" where that would repeat the language in use.
func restartText(name string) string {
	printer, err := text.In(name)
	if err != nil { // follows the system
		return ""
	}
	told := restartHint(printer)
	if script := glyphs.Missing(told); script != "" {
		return language.Printer().MissingFonts([]string{script}, fonts.Packages(script))
	}
	if told == restartHint(language.Printer()) {
		return ""
	}
	return told
}

func restartHint(p *text.Printer) string { return p.L("Restart Kairos to use the new language.") }
