package app

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

// trouble says in a window why the data folder cannot be opened. Nothing is
// touched unless its user chooses to: again tries once more, fresh first sets
// the file aside. Both return what is wrong still.
func trouble(a fyne.App, dir string, cause error, again, fresh func() error) {
	win := a.NewWindow("Kairos")
	win.Resize(fyne.NewSize(560, 260))
	text := widgets.NewText("", widgets.Plain)
	anew := widget.NewButton(lang.L("Set the file aside and start fresh"), nil)
	anew.Importance = widget.HighImportance
	say := func(err error) {
		text.SetText(troubleText(dir, err), widgets.Plain)
		// A fresh file helps against what is wrong with the file, not with the folder.
		anew.Hidden = !errors.Is(err, reader.ErrDamaged) && !errors.Is(err, reader.ErrNewer)
		anew.Refresh()
	}
	try := func(f func() error) func() {
		return func() {
			if err := f(); err != nil {
				say(err)
				return
			}
			win.Close()
		}
	}
	anew.OnTapped = try(fresh)
	retry := widget.NewButton(lang.L("Try again"), try(again))
	buttons := container.NewHBox(layout.NewSpacer(), widget.NewButton(lang.L("Quit"), a.Quit), retry, anew)
	sign := canvas.NewImageFromResource(a.Icon())
	sign.SetMinSize(fyne.NewSquareSize(56))
	said := widgets.NewColumn(10, widgets.NewText(lang.L("Kairos cannot open its folder"), widgets.Title), text)
	win.SetContent(container.NewPadded(container.NewPadded(container.NewBorder(nil, buttons, nil, nil,
		container.NewBorder(nil, nil, container.NewPadded(container.NewVBox(sign)), nil, container.NewVScroll(said))))))
	win.SetCloseIntercept(a.Quit)
	say(cause)
	win.Canvas().Focus(retry)
	win.Show()
}

// troubleText says what is wrong with the folder.
func troubleText(dir string, err error) string {
	if errors.Is(err, owner.ErrOwned) {
		return lang.L("Another Kairos is using {{.Folder}}. Close it and try again.", map[string]any{"Folder": dir})
	}
	if fault := reader.FileError(err); fault != nil {
		return language.Printer().FolderError(dir, fault)
	}
	return errorText(err)
}
