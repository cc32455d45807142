package app

import (
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/home"
	"kairos/reader"
)

// trouble says in a window why the data folder cannot be opened. Nothing is
// touched unless its user chooses to: again tries once more, fresh first sets
// the file aside. Both return what is wrong still.
func trouble(a fyne.App, dir string, cause error, again, fresh func() error) {
	win := a.NewWindow("Kairos")
	win.Resize(fyne.NewSize(560, 240))
	text := widget.NewLabel("")
	text.Wrapping = fyne.TextWrapWord
	anew := widget.NewButton(lang.L("Keep that file and start with a fresh one"), nil)
	anew.Importance = widget.HighImportance
	say := func(err error) {
		text.SetText(spoken(home.Trouble(dir, err)))
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
	buttons := container.NewHBox(widget.NewButton(lang.L("Quit"), a.Quit), widget.NewButton(lang.L("Try again"), try(again)), anew)
	win.SetContent(container.NewPadded(container.NewBorder(nil, container.NewCenter(buttons), nil, nil, text)))
	win.SetCloseIntercept(a.Quit)
	say(cause)
	win.Show()
}
