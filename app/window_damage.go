package app

import (
	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/app/shell"
)

// damage offers a repair when the database turns out to be damaged while the window is open.
type damage struct {
	shell     *shell.Shell
	restart   func() // ends the program and starts it again
	offered   bool   // the user has seen the offer
	repairing bool   // a repair is wanted in between
}

// met tells the user of damage: at first with the offer.
func (d *damage) met(err error) {
	if d.offered {
		d.shell.Say(language.Error(err))
		return
	}
	d.offered = true
	d.shell.Dialogs.ConfirmLoss(lang.L("The database is damaged"),
		lang.L("A part of the database cannot be read. Kairos can close and bring back the last backup or what can still be read, as you choose then; the damaged file is kept."),
		lang.L("Not now"), lang.L("Close and repair…"), func() {
			d.repairing = true
			d.restart()
		})
}
