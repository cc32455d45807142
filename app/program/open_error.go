package program

import (
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"kairos/app/language"
	"kairos/app/owner"
	"kairos/app/widgets"
	"kairos/reader"
)

// showOpenError shows a window that tells why the data folder cannot be opened. retry opens it again; startFresh sets
// the file aside first, which only the user decides. Both return what is still wrong.
func showOpenError(a fyne.App, dir string, cause error, retry, startFresh func() error) {
	win := a.NewWindow("Kairos")
	win.Resize(fyne.NewSize(560, 260))
	text := widgets.NewText("", widgets.Plain)
	freshButton := widgets.NewButton(lang.L("Set the file aside and start fresh"), nil)
	freshButton.Importance = widget.HighImportance
	show := func(err error) {
		text.SetText(openErrorText(dir, err), widgets.Plain)
		// A fresh file helps if the file is damaged or too new, not if the folder is the problem.
		freshButton.Hidden = !errors.Is(err, reader.ErrDamaged) && !errors.Is(err, reader.ErrNewer)
		freshButton.Refresh()
	}
	try := func(f func() error) func() {
		return func() {
			if err := f(); err != nil {
				show(err)
				return
			}
			win.Close()
		}
	}
	freshButton.OnTapped = try(startFresh)
	retryButton := widgets.NewButton(lang.L("Try again"), try(retry))
	buttons := container.NewHBox(layout.NewSpacer(), widgets.NewButton(lang.L("Quit"), a.Quit), retryButton, freshButton)
	icon := canvas.NewImageFromResource(a.Icon())
	icon.SetMinSize(fyne.NewSquareSize(56))
	message := widgets.NewColumn(10, widgets.NewText(lang.L("Kairos cannot open its folder"), widgets.Title), text)
	win.SetContent(container.NewPadded(container.NewPadded(container.NewBorder(nil, buttons, nil, nil,
		container.NewBorder(nil, nil, container.NewPadded(container.NewVBox(icon)), nil, container.NewVScroll(message))))))
	win.SetCloseIntercept(a.Quit)
	show(cause)
	win.Canvas().Focus(retryButton)
	win.Show()
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
