package program

import (
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/owner"
	"kairos/app/widgets"
	"kairos/reader"
)

// showOpenError shows a window that tells why the data folder cannot be opened, and offers the one thing that helps. retry opens it
// again; startFresh sets the file aside first, which only the user decides. Both return what is still wrong. restore brings back the
// last backup, which takes a while, and retry follows; if it fails, a fresh start is offered in its place.
func showOpenError(a fyne.App, dir string, cause error, retry, startFresh, restore func() error) {
	win := a.NewWindow("Kairos")
	win.Resize(fyne.NewSize(560, 260))
	text := widgets.NewText("", widgets.Plain)
	help := widgets.NewDialogButton("", nil)
	help.Importance = widget.HighImportance
	var show func(err error)
	backup, missing := home.LastBackup(dir)
	try := func(f func() error) func() {
		return func() {
			if err := f(); err != nil {
				show(err)
				return
			}
			win.Close()
		}
	}
	restoreThenRetry := func() {
		help.Disable()
		text.SetText(lang.L("Restoring…"), widgets.Plain)
		go func() {
			err := restore()
			fyne.Do(func() {
				help.Enable()
				if err != nil {
					if reader.FileError(err) == nil { // the disk may be mended, the backup not
						missing = err
					}
					show(err)
					return
				}
				try(retry)()
			})
		}()
	}
	show = func(err error) {
		damaged := errors.Is(err, reader.ErrDamaged)
		text.SetText(openErrorText(dir, err), widgets.Plain)
		switch {
		case damaged && missing == nil:
			text.SetText(lastBackupText(dir, backup), widgets.Plain)
			help.SetText(lang.L("Restore the last backup"))
			help.OnTapped = restoreThenRetry
		// A fresh file helps if the file is damaged or too new, not if the folder is the problem.
		case damaged, errors.Is(err, reader.ErrNewer), missing != nil && errors.Is(err, missing):
			if errors.Is(missing, home.ErrNoBackup) && damaged {
				text.SetText(lang.L("The database in {{.Folder}} is damaged, and there is no backup.", map[string]any{"Folder": dir}), widgets.Plain)
			}
			help.SetText(lang.L("Set the file aside and start fresh"))
			help.OnTapped = try(startFresh)
		default:
			help.SetText(lang.L("Try again"))
			help.OnTapped = try(retry)
		}
	}
	buttons := container.NewHBox(layout.NewSpacer(), widgets.NewDialogButton(lang.L("Quit"), a.Quit), help)
	icon := canvas.NewImageFromResource(a.Icon())
	icon.SetMinSize(fyne.NewSquareSize(56))
	message := widgets.NewColumn(10, widgets.NewText(lang.L("Kairos cannot open its folder"), widgets.Title), text)
	win.SetContent(container.NewPadded(container.NewPadded(container.NewBorder(nil, buttons, nil, nil,
		container.NewBorder(nil, nil, container.NewPadded(container.NewVBox(icon)), nil, container.NewVScroll(message))))))
	win.SetCloseIntercept(a.Quit)
	show(cause)
	win.Canvas().Focus(help)
	win.Show()
}

// lastBackupText tells that the database is damaged, and of when its last backup is.
func lastBackupText(dir, backup string) string {
	made, err := home.BackupDate(backup)
	if err != nil {
		return lang.L("The database in {{.Folder}} is damaged, but there is a backup.", map[string]any{"Folder": dir})
	}
	return lang.L("The database in {{.Folder}} is damaged; its last backup was made on {{.Date}}.",
		map[string]any{"Folder": dir, "Date": language.Printer().DateYear(made)})
}

// openErrorText tells what is wrong with the folder.
func openErrorText(dir string, err error) string {
	if errors.Is(err, owner.ErrOwned) {
		return lang.L("Another Kairos is using {{.Folder}}. Close it and try again.", map[string]any{"Folder": dir})
	}
	if foreign := (*owner.ForeignError)(nil); errors.As(err, &foreign) {
		return lang.L("{{.Folder}} belongs to {{.User}}. Run Kairos as {{.User}}, or choose another folder with --data.",
			map[string]any{"Folder": foreign.Folder, "User": foreign.User})
	}
	if fault := reader.FileError(err); fault != nil {
		return language.Printer().FolderError(dir, fault)
	}
	return language.Error(err)
}
