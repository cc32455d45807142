package program

import (
	"errors"
	"sync"

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
	"kairos/reader/imports"
)

// wayOut are the ways out of a data folder that cannot be opened.
type wayOut struct {
	retry      func() error                                           // opens it again
	startFresh func() error                                           // sets the file aside first, which only the user decides
	contents   func() (backup, left reader.BackupContents, err error) // counts what restore and salvage would bring back
	restore    func() (string, error)                                 // brings back the last backup, and tells what that is
	salvage    func() (string, error)                                 // brings back what can still be read, and tells what that is
}

// openError is a window that tells why the data folder cannot be opened, and offers what helps.
type openError struct {
	do          func(func()) // on Fyne's goroutine
	win         fyne.Window
	dir         string
	title, text *widgets.Text
	help, other *widgets.DialogButton
	out         wayOut
	missing     error // why there is no backup to restore; nil if there is one
	lost        error // why nothing could be salvaged
	counting    sync.WaitGroup
}

// showOpenError shows a window that tells why the data folder cannot be opened, and offers what helps. Restoring a
// damaged file, or saving what can be read of it, takes a while; if it fails, the next best thing is offered in its place.
func showOpenError(a fyne.App, do func(func()), dir string, cause error, out wayOut) {
	o := &openError{do: do, win: a.NewWindow("Kairos"), dir: dir, out: out}
	o.win.Resize(fyne.NewSize(600, 300))
	o.title, o.text = widgets.NewText("", widgets.Title), widgets.NewText("", widgets.Plain)
	o.help, o.other = widgets.NewDialogButton("", nil), widgets.NewDialogButton(lang.L("Save what can be read"), o.salvage)
	o.help.Importance = widget.HighImportance
	backup, missing := home.LastBackup(dir)
	o.missing = missing
	buttons := container.NewHBox(layout.NewSpacer(), widgets.NewDialogButton(lang.L("Quit"), a.Quit), o.other, o.help)
	icon := canvas.NewImageFromResource(a.Icon())
	icon.SetMinSize(fyne.NewSquareSize(56))
	message := widgets.NewColumn(10, o.title, o.text)
	o.win.SetContent(container.NewPadded(container.NewPadded(container.NewBorder(nil, buttons, nil, nil,
		container.NewBorder(nil, nil, container.NewPadded(container.NewVBox(icon)), nil, container.NewVScroll(message))))))
	o.win.SetCloseIntercept(a.Quit)
	o.show(cause)
	if !o.other.Hidden {
		o.count(lastBackupText(dir, backup))
	}
	o.win.Canvas().Focus(o.help)
	o.win.Show()
}

// show tells what is wrong and offers what helps.
func (o *openError) show(err error) {
	damaged := errors.Is(err, reader.ErrDamaged)
	noBackup := damaged && o.missing != nil || errors.Is(err, o.missing) || errors.Is(err, o.lost)
	said, folder := openErrorText(o.dir, err), map[string]any{"Folder": o.dir}
	title := lang.L("Kairos cannot open its folder")
	if damaged || noBackup {
		title = lang.L("The database is damaged")
	}
	o.title.SetText(title, widgets.Title)
	o.other.Hide()
	switch {
	case damaged && o.missing == nil:
		backup, _ := home.LastBackup(o.dir)
		o.offer(lastBackupText(o.dir, backup), lang.L("Restore the last backup"), o.restore)
		if o.lost == nil {
			o.other.Show()
		}
	case noBackup && o.lost == nil:
		if errors.Is(o.missing, home.ErrNoBackup) {
			said = lang.L("The database in {{.Folder}} is damaged, and there is no backup. Much of it can probably still be read.", folder)
		}
		o.offer(said, lang.L("Save what can be read"), o.salvage)
	// A fresh file helps if the file is damaged or too new, not if the folder is the problem.
	case noBackup, errors.Is(err, reader.ErrNewer):
		if noBackup {
			said = lang.L("The database in {{.Folder}} is damaged, and neither a backup nor anything of it can be read.", folder)
		}
		o.offer(said, lang.L("Set the file aside and start fresh"), o.try(o.out.startFresh))
	default:
		o.offer(said, lang.L("Try again"), o.try(o.out.retry))
	}
}

func (o *openError) offer(said, label string, do func()) {
	o.help.OnTapped = do
	o.help.SetText(label)
	o.text.SetText(said, widgets.Plain)
}

// try returns a function that closes the window once f succeeds.
func (o *openError) try(f func() error) func() {
	return func() {
		if err := f(); err != nil {
			o.show(err)
			return
		}
		o.win.Close()
	}
}

// count adds to what is said of the last backup what it holds, and what can be read from the damaged file.
func (o *openError) count(said string) {
	o.counting.Add(1)
	go func() {
		backup, left, err := o.out.contents()
		o.counting.Done()
		o.do(func() {
			if o.help.Disabled() || o.other.Hidden { // one of them is being brought back, or is there
				return
			}
			if err != nil {
				o.missing = err
				o.show(reader.ErrDamaged)
				return
			}
			if !backup.Made.IsZero() {
				said = lang.L("The database in {{.Folder}} is damaged.", map[string]any{"Folder": o.dir}) + "\n\n" + choiceText(backup, left)
			}
			o.text.SetText(said, widgets.Plain)
		})
	}()
}

// work does something that takes a while, which tells what it has brought back.
func (o *openError) work(doing string, do func() (string, error), title string, failed func(error)) {
	o.help.Disable()
	o.other.Disable()
	o.text.SetText(doing, widgets.Plain)
	go func() {
		o.counting.Wait() // Windows replaces no file that is open
		said, err := do()
		o.do(func() {
			o.help.Enable()
			o.other.Enable()
			if err != nil {
				failed(err)
				o.show(err)
				return
			}
			o.other.Hide()
			o.title.SetText(title, widgets.Title)
			o.offer(said, lang.L("Open Kairos"), o.try(o.out.retry))
			o.win.Canvas().Focus(o.help)
		})
	}()
}

func (o *openError) restore() {
	o.work(lang.L("Restoring…"), o.out.restore, lang.L("Restore complete"), func(err error) {
		if reader.FileError(err) == nil { // the disk may be mended, the backup not
			o.missing = err
		}
	})
}

func (o *openError) salvage() {
	o.work(lang.L("Reading what is left…"), o.out.salvage, lang.L("Kairos has saved what could be read"), func(err error) {
		if fault := reader.FileError(err); fault == nil || fault.Code == reader.Damaged { // a full disk has more to read once there is room
			o.lost = err
		}
	})
}

// broughtBackText tells what a restore or a salvage has brought back, and where the damaged file is.
func broughtBackText(c reader.BackupContents, aside string) string {
	return lang.L("These are here again: {{.Contents}}. The damaged file is kept as {{.File}}.", map[string]any{"Contents": contentsText(c), "File": aside})
}

// choiceText compares a backup with what can be read from the damaged file.
func choiceText(backup, left reader.BackupContents) string {
	made, words := backup.Made.Local(), language.Printer()
	text := lang.L("The backup of {{.Date}}, {{.Time}} holds {{.Contents}}.",
		map[string]any{"Date": words.DateYear(made), "Time": words.Clock(made), "Contents": contentsText(backup)})
	if left.Feeds > 0 {
		text += "\n\n" + lang.L("About {{.Contents}} can still be read from the damaged file.", map[string]any{"Contents": contentsText(left)})
	}
	return text + "\n\n" + lang.L("The damaged file is kept, whatever you choose.")
}

func contentsText(c reader.BackupContents) string {
	return language.Printer().SourceCounts(imports.Counts{Feeds: c.Feeds, Articles: c.Articles, Starred: c.Starred})
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
