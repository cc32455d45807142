package settings

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"kairos/app/home"
	"kairos/app/widgets"
)

func (d *settingsDialog) privacyPage() fyne.CanvasObject {
	learn := d.checkbox(lang.L("Learn when I read"), home.SettingLearn, "on", "off")
	clearLog := widgets.NewButton(lang.L("Clear access log…"), func() { d.confirmClearLog(d.loadVisits) })
	d.visits = d.newVisits()
	d.loadVisits()
	newVersions := lang.L("Kairos does not look for new versions.")
	if home.Website != "" {
		newVersions = lang.L("Kairos does not look for new versions unless you tell it to under General. It then makes one request a week to its own site, never on a metered network, and tells it nothing but its own version.")
	}
	return widgets.Rows(
		widgets.SettingRow(lang.L("Learning"), learn,
			lang.L("Kairos records when you open it, which feeds you read, when this computer is awake and when you return to it (unlock it, wake it or plug it in), and learns from that when to fetch. The record never leaves this computer.")),
		widgets.SettingRow("", widgets.NewColumn(4, container.NewHBox(clearLog), d.visits.recorded), ""),
		d.hintRow(), d.forgetRow(), widgets.SettingRow("", d.visits.corrections.Content, ""),
		widgets.SettingRow(lang.L("Accounts"),
			widgets.NewText(lang.L("The server of an account is told what you read and star in its feeds, and which of them you add, rename, move or remove. It is told nothing of your other feeds."), widgets.Plain), ""),
		widgets.SettingRow(lang.L("Images"),
			widgets.NewText(lang.L("Images are loaded from the addresses in an article, tracking pixels never. Scripts and styles are removed from articles when they arrive."), widgets.Plain), ""),
		widgets.SettingRow(lang.L("New versions"),
			widgets.NewText(newVersions, widgets.Plain), ""),
		widgets.SettingRow(lang.L("Data folder"), widgets.NewText(d.Home.Dir, widgets.Plain),
			lang.L("Everything Kairos stores is in this folder, except passwords in the system keyring.")),
		d.passwordRow(), d.certificatesRow())
}

// passwordRow tells where passwords are, and moves those in a file into the keyring.
func (d *settingsDialog) passwordRow() fyne.CanvasObject {
	inKeyring := func() fyne.CanvasObject {
		return widgets.SettingRow(lang.L("Passwords"),
			widgets.NewText(lang.L("Passwords are in the system keyring. Where none is unlocked, Kairos asks whether to keep them in a file that only you can read."), widgets.Plain), "")
	}
	if !d.Home.Secrets.UsesFile() {
		return inKeyring()
	}
	var row *fyne.Container
	move := widgets.NewButton(lang.L("Move to the keyring"), func() {
		d.message.Clear()
		d.Work(d.Home.Secrets.MoveToKeyring, func(err error) {
			if err != nil {
				d.fail(err)
				return
			}
			row.Objects = []fyne.CanvasObject{inKeyring()}
			d.body.Refresh()
			d.Say(lang.L("The passwords are in the keyring now."))
		})
	})
	row = container.NewStack(widgets.SettingRow(lang.L("Passwords"), container.NewHBox(move),
		lang.L("While there is no unlocked keyring, passwords are in the file {{.File}}, which only your user account can read.", map[string]any{"File": d.Home.Secrets.File()})))
	return row
}

// confirmClearLog asks whether to clear the access log, clears it and then calls done.
func (s *Settings) confirmClearLog(done func()) {
	s.Dialogs.ConfirmLoss(lang.L("Clear the access log?"),
		lang.L("This deletes the record of when you read and everything learned from it. Kairos then starts from a typical day."), lang.X("answer.keep", "Keep"), lang.L("Clear"), func() {
			s.Work(s.Home.Visits.Clear, func(err error) {
				if err != nil {
					s.Say(errorText(err))
					return
				}
				s.Say(lang.L("The access log was cleared."))
				done()
			})
		})
}

func aboutPage() fyne.CanvasObject {
	built := home.Built()
	rows := []fyne.CanvasObject{widgets.NewText("Kairos "+built.Version, widgets.Title),
		widgets.NewText(lang.L("A feed reader that learns when you read and fetches just before. Everything stays on this computer."), widgets.Plain),
		widgets.SettingRow(lang.L("Authors"), widgets.NewText(lang.L("The Kairos authors"), widgets.Plain), ""),
		widgets.SettingRow(lang.L("License"), widgets.NewText("MIT", widgets.Plain), "")}
	if home.Website != "" {
		rows = append(rows, widgets.SettingRow(lang.L("Website"), widgets.NewText(home.Website, widgets.Plain), ""))
	}
	return widgets.Rows(append(rows, widgets.SettingRow(lang.L("Built with"),
		widgets.NewText(strings.Join([]string{"Go " + built.Go, strings.TrimSpace("Fyne " + built.Fyne), "gofeed", "SQLite"}, lang.X("join.parts", ", ")), widgets.Plain), ""))...)
}
