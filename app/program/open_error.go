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

// wayOut are the ways out of a data folder that cannot be opened.
type wayOut struct {
	retry      func() error           // opens it again
	startFresh func() error           // sets the file aside first, which only the user decides
	restore    func() error           // brings back the last backup
	salvage    func() (string, error) // brings back what can still be read, and tells what that is
}

// showOpenError shows a window that tells why the data folder cannot be opened, and offers the one thing that helps. Restoring a
// damaged file, or saving what can be read of it, takes a while; if it fails, the next best thing is offered in its place.
func showOpenError(a fyne.App, dir string, cause error, out wayOut) {
	win := a.NewWindow("Kairos")
	win.Resize(fyne.NewSize(560, 260))
	title, text := widgets.NewText("", widgets.Title), widgets.NewText("", widgets.Plain)
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
	offer := func(said, label string, do func()) {
		help.OnTapped = do
		help.SetText(label)
		text.SetText(said, widgets.Plain)
	}
	work := func(doing string, do func() error, done func(err error)) func() {
		return func() {
			help.Disable()
			text.SetText(doing, widgets.Plain)
			go func() {
				err := do()
				fyne.Do(func() {
					help.Enable()
					done(err)
				})
			}()
		}
	}
	restore := work(lang.L("Restoring…"), out.restore, func(err error) {
		if err != nil {
			if reader.FileError(err) == nil { // the disk may be mended, the backup not
				missing = err
			}
			show(err)
			return
		}
		try(out.retry)()
	})
	var saved string
	var lost error
	salvage := work(lang.L("Reading what is left…"), func() (err error) { saved, err = out.salvage(); return err }, func(err error) {
		if err != nil {
			if fault := reader.FileError(err); fault == nil || fault.Code == reader.Damaged { // a full disk has more to read once there is room
				lost = err
			}
			show(err)
			return
		}
		title.SetText(lang.L("Kairos has saved what could be read"), widgets.Title)
		offer(saved, lang.L("Open Kairos"), try(out.retry))
	})
	show = func(err error) {
		damaged := errors.Is(err, reader.ErrDamaged)
		noBackup := damaged && missing != nil || errors.Is(err, missing) || errors.Is(err, lost)
		said := openErrorText(dir, err)
		title.SetText(lang.L("Kairos cannot open its folder"), widgets.Title)
		switch {
		case damaged && missing == nil:
			offer(lastBackupText(dir, backup), lang.L("Restore the last backup"), restore)
		case noBackup && lost == nil:
			if errors.Is(missing, home.ErrNoBackup) {
				said = lang.L("The database in {{.Folder}} is damaged, and there is no backup. Much of it can probably still be read.", map[string]any{"Folder": dir})
			}
			offer(said, lang.L("Save what can be read"), salvage)
		// A fresh file helps if the file is damaged or too new, not if the folder is the problem.
		case noBackup, errors.Is(err, reader.ErrNewer):
			if noBackup {
				said = lang.L("The database in {{.Folder}} is damaged, and neither a backup nor anything of it can be read.", map[string]any{"Folder": dir})
			}
			offer(said, lang.L("Set the file aside and start fresh"), try(out.startFresh))
		default:
			offer(said, lang.L("Try again"), try(out.retry))
		}
	}
	buttons := container.NewHBox(layout.NewSpacer(), widgets.NewDialogButton(lang.L("Quit"), a.Quit), help)
	icon := canvas.NewImageFromResource(a.Icon())
	icon.SetMinSize(fyne.NewSquareSize(56))
	message := widgets.NewColumn(10, title, text)
	win.SetContent(container.NewPadded(container.NewPadded(container.NewBorder(nil, buttons, nil, nil,
		container.NewBorder(nil, nil, container.NewPadded(container.NewVBox(icon)), nil, container.NewVScroll(message))))))
	win.SetCloseIntercept(a.Quit)
	show(cause)
	win.Canvas().Focus(help)
	win.Show()
}

// salvagedText tells what could still be read, and where the damaged file is.
func salvagedText(left reader.BackupContents, aside string) string {
	words := language.Printer()
	return lang.L("{{.Feeds}} and {{.Articles}} could be read, and are here again. The damaged file is kept as {{.File}}.",
		map[string]any{"Feeds": words.Feeds(left.Feeds), "Articles": words.Articles(left.Articles), "File": aside})
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
