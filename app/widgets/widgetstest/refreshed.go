package widgetstest

import (
	"testing"

	"fyne.io/fyne/v2"
)

// Refreshed returns the objects that do refreshes one by one: the driver draws another image only if it is among them.
func Refreshed(t testing.TB, do func()) []fyne.CanvasObject {
	t.Helper()
	before := fyne.CurrentApp()
	d := &refreshDriver{Driver: before.Driver()}
	fyne.SetCurrentApp(refreshApp{before, d})
	defer fyne.SetCurrentApp(before)
	do()
	return d.refreshed
}

type refreshApp struct {
	fyne.App
	driver *refreshDriver
}

func (a refreshApp) Driver() fyne.Driver { return a.driver }

type refreshDriver struct {
	fyne.Driver
	refreshed []fyne.CanvasObject
}

func (d *refreshDriver) CanvasForObject(o fyne.CanvasObject) fyne.Canvas {
	return refreshCanvas{d.Driver.CanvasForObject(o), d}
}

type refreshCanvas struct {
	fyne.Canvas
	driver *refreshDriver
}

func (c refreshCanvas) Refresh(o fyne.CanvasObject) {
	c.driver.refreshed = append(c.driver.refreshed, o)
}
