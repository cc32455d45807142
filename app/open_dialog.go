package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/storage"
)

// openDialog asks for a file to read. filter, if not nil, selects the files that are offered.
func (e *env) openDialog(filter storage.FileFilter, open func(name string)) {
	d := dialog.NewFileOpen(func(file fyne.URIReadCloser, err error) {
		if err != nil {
			e.say(errorText(err))
			return
		}
		if file == nil {
			return
		}
		name := file.URI().Path()
		file.Close()
		open(name)
	}, e.win)
	d.SetFilter(filter)
	d.SetTitleText(lang.L("Choose a file"))
	d.Resize(e.dialogs.roomFor(760, 520))
	e.dialogs.show(d, nil)
}
