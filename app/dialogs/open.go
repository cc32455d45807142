package dialogs

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/storage"
)

// OpenFile asks for a file to read and calls open with its name. filter, if not nil, selects the files that are offered.
func (s *Stack) OpenFile(filter storage.FileFilter, open func(name string)) {
	d := dialog.NewFileOpen(func(file fyne.URIReadCloser, err error) {
		if err != nil {
			s.jobs.OnError(err)
			return
		}
		if file == nil {
			return
		}
		name := file.URI().Path()
		file.Close()
		open(name)
	}, s.Window)
	d.SetFilter(filter)
	d.SetTitleText(lang.L("Choose a file"))
	d.Resize(s.Fit(760, 520))
	s.showFyne(d)
}
