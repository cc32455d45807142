package app

import (
	"strings"

	"kairos/app/dialogs"
	"kairos/app/help"
	"kairos/app/widgets"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
)

// showKeys shows the keys of all commands, group by group.
func (w *window) showKeys() {
	columns := []*fyne.Container{widgets.NewColumn(4), widgets.NewColumn(4)}
	lengths := [2]int{}
	for _, g := range w.groups {
		rows := w.keyRows(g)
		shorter := 0
		if lengths[1] < lengths[0] {
			shorter = 1
		}
		lengths[shorter] += len(rows)
		columns[shorter].Objects = append(columns[shorter].Objects, rows...)
	}
	grid := widgets.NewColumns(widgets.NarrowWidth, theme.Padding(), columns[0], columns[1])
	w.shell.Dialogs.Show(&dialogs.Dialog{Title: lang.L("Keys"), Content: widgets.NewVScroll(widgets.NewPage(1000, grid)),
		Width: 920, Height: 560, Buttons: []*dialogs.Button{dialogs.Do(lang.L("Close"), w.shell.Dialogs.CloseTop)}})
}

// showHelp shows the manual.
func (w *window) showHelp() { help.Open(w.shell, w.words(), w.article.View.Style()) }

// words are the commands as the manual names them. One without a key has the name of its entry in the menu.
func (w *window) words() help.Words {
	title := func(id string) string { return w.commands[id].title }
	return help.Words{Title: title, Say: lang.L, Key: func(id string) string {
		if labels := w.keyLabels(id); len(labels) > 0 {
			return labels[0]
		}
		return title(id)
	}}
}

// keyRows lists the keys of one group of commands.
func (w *window) keyRows(g commandGroup) []fyne.CanvasObject {
	rows := []fyne.CanvasObject{widgets.NewText(g.name, widgets.Heading)}
	add := func(title, keys string) {
		rows = append(rows, widgets.NewLabeled(250, widgets.NewText(title, widgets.Plain), widgets.NewText(keys, widgets.Bold)))
	}
	for _, c := range g.commands {
		if labels := w.keyLabels(c.id); len(labels) > 0 {
			add(c.title, strings.Join(labels[:min(len(labels), maxLabels)], "   "))
		}
		if c.id == "find" { // the article handles these keys itself
			add(lang.L("Next link (Enter opens it)"), "Tab")
			add(lang.L("Scroll focused code or table"), "←   →")
		}
	}
	return append(rows, widgets.NewSpace(16))
}

// maxLabels is how many chords of a command are shown. Some are the same key on different keyboards.
const maxLabels = 2

// keyLabels returns the chords of a command as this platform writes them.
func (k *commandKeys) keyLabels(id string) []string {
	var labels []string
	for _, c := range k.keys.Chords(id) {
		labels = append(labels, c.Label())
	}
	return labels
}
