// Command empty is the least a program with a window can be, to compare with.
package main

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
)

func main() {
	a := app.NewWithID("org.kairos.Empty")
	w := a.NewWindow("Empty")
	w.Resize(fyne.NewSize(1200, 780))
	w.Show()
	a.Run()
}
