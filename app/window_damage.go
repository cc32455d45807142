package app

import (
	"context"

	"fyne.io/fyne/v2/lang"

	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/shell"
)

// damage offers the last backup when the database turns out to be damaged while the window is open.
type damage struct {
	shell     *shell.Shell
	restart   func() // ends the program and starts it again
	offered   bool   // the user has seen the offer
	restoring bool   // the last backup is wanted in between
}

// met tells the user of damage: at first with the offer.
func (d *damage) met(err error) {
	backup, missing := home.LastBackup(d.shell.Home.Dir)
	made, unknown := home.BackupDate(backup)
	if d.offered || missing != nil || unknown != nil {
		d.shell.Say(language.Error(err))
		return
	}
	d.offered = true
	d.shell.Dialogs.ConfirmLoss(lang.L("The database is damaged"),
		lang.L("A part of the database cannot be read. Its last backup was made on {{.Date}}. Kairos can close, restore that and start again; the damaged file is kept.",
			map[string]any{"Date": language.Printer().DateYear(made)}),
		lang.L("Not now"), lang.L("Restore the last backup"), func() { d.restore(backup) })
}

// restore has the program start again with the backup, if that is sound.
func (d *damage) restore(backup string) {
	d.shell.Work(func(ctx context.Context) error {
		_, err := d.shell.Home.Backups.Check(ctx, backup)
		return err
	}, func(err error) {
		if err != nil {
			d.shell.Dialogs.Inform(lang.L("The database is damaged"), language.Error(err))
			return
		}
		d.restoring = true
		d.restart()
	})
}
