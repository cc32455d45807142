package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/reading"
	"kairos/app/settings"
)

// showShareMenu shows the menu Share beside the article. It takes the focus.
func (w *window) showShareMenu() {
	if len(w.session.List.Targets()) == 0 {
		w.shell.Say(lang.L("Select an article first."))
		return
	}
	items := w.share.Items(w.items)
	for _, item := range items {
		item.Shortcut = nil
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(w.article.Object)
	menu := widget.NewPopUpMenu(fyne.NewMenu("", items...), w.win.Canvas())
	menu.ShowAtPosition(at.AddXY(8, 40))
	menu.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
}

func newShareActions(w *window) *reading.Share {
	return &reading.Share{Shell: w.shell, View: w.article.View, Shown: w.session.Reading, Targets: w.session.List.Targets,
		Manage: func() { newSettings(w).Open(settings.Sharing) }, Changed: w.bindKeys, Open: func(link string) { w.shell.OpenLink(link) }}
}
