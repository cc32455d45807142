package app

import (
	"fyne.io/fyne/v2"
)

func settingRow(name string, control fyne.CanvasObject, hint string) fyne.CanvasObject {
	return namedRow(settingName, name, control, hint)
}

// settingName is the width of the names of settings.
const settingName = 190

func namedRow(width float32, name string, control fyne.CanvasObject, hint string) fyne.CanvasObject {
	right := newColumn(4, control)
	if hint != "" {
		right.Add(newText(hint, mutedTone))
	}
	return newLabeled(width, newInset(newText(name, plainTone)), right)
}

// rows sets settings below each other.
func rows(objects ...fyne.CanvasObject) fyne.CanvasObject {
	return newColumn(16, objects...)
}
