package app

import (
	"strings"

	"kairos/app/widgets"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
)

// help shows what can be done by keys, group by group.
func (w *window) help() {
	columns := []*fyne.Container{widgets.NewColumn(4), widgets.NewColumn(4)}
	lengths := [2]int{}
	for _, g := range w.groups {
		page := w.helpOf(g)
		shorter := 0
		if lengths[1] < lengths[0] {
			shorter = 1
		}
		lengths[shorter] += len(page)
		columns[shorter].Objects = append(columns[shorter].Objects, page...)
	}
	grid := container.NewGridWithColumns(2, columns[0], columns[1])
	scroll := container.NewVScroll(widgets.NewPage(1000, grid))
	size := w.win.Canvas().Size()
	scroll.SetMinSize(fyne.NewSize(min(860, size.Width-80), min(560, size.Height-160)))
	w.dialogs.show(dialog.NewCustom(lang.L("Keys"), lang.L("Close"), scroll, w.win), nil)
}

func (w *window) helpOf(g commandGroup) []fyne.CanvasObject {
	rows := []fyne.CanvasObject{widgets.NewText(g.name, widgets.Heading)}
	add := func(what, keys string) {
		rows = append(rows, widgets.NewLabeled(250, widgets.NewText(what, widgets.Plain), widgets.NewText(keys, widgets.Bold)))
	}
	for _, c := range g.commands {
		if labels := w.keyLabels(c.id); len(labels) > 0 {
			add(c.what, strings.Join(labels[:min(len(labels), maxLabels)], "   "))
		}
		if c.id == "find" { // no command: only the article has links
			add(lang.L("Next link (Enter opens it)"), "Tab")
			add(lang.L("Scroll the code or table selected with Tab"), "←   →")
		}
	}
	return append(rows, widgets.NewSpace(16))
}

// maxLabels is how many chords of a command the help shows; some are the same on other keyboards.
const maxLabels = 2

// keyLabels are the chords of a command as this platform writes them.
func (w *window) keyLabels(id string) []string {
	var labels []string
	for _, c := range w.keys.Chords(id) {
		labels = append(labels, c.Label())
	}
	return labels
}
