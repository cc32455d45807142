package app

import (
	"fyne.io/fyne/v2/lang"

	"kairos/app/shell"
)

// damage offers a repair when the database turns out to be damaged while the window is open.
type damage struct {
	shell     *shell.Shell
	restart   func() // ends the program and starts it again
	offered   bool   // the user has seen the offer
	repairing bool   // a repair is wanted in between
}

// met tells the user of damage, at first with the whole offer, later beside a message.
func (d *damage) met(error) {
	if d.offered {
		d.shell.Offer(lang.L("The database is damaged"), lang.L("Close and repair…"), d.repair)
		return
	}
	d.offer()
}

// offer asks whether to close Kairos and repair the database.
func (d *damage) offer() {
	d.offered = true
	d.shell.Dialogs.ConfirmLoss(lang.L("The database is damaged"),
		lang.L("A part of the database cannot be read. Kairos can close and bring back the last backup or what can still be read, as you choose then; the damaged file is kept."),
		lang.L("Not now"), lang.L("Close and repair…"), d.repair)
}

func (d *damage) repair() {
	d.repairing = true
	d.restart()
}
