package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/icon"
	"kairos/app/session"
	"kairos/app/shell"
	"kairos/app/widgets"
)

var sidebarIcon = icon.SVG("sidebar", `<path fill-rule="evenodd" d="M5 4h14a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zm5 2v12h9V6zM5 6v12h3V6z"/>`)

// firstKey is a key that stands for a command, "" if none does.
func (w *window) firstKey(command string) string {
	if labels := w.keyLabels(command); len(labels) > 0 {
		return labels[0]
	}
	return ""
}

// sidebarName says what the button of the sidebar does now.
func (w *window) sidebarName() string {
	if w.panes.Shown(session.PaneSidebar) {
		return lang.L("Hide sidebar")
	}
	return lang.L("Show sidebar")
}

// newToolbar returns the row at the top: buttons, the search and battery saver.
func (w *window) newToolbar() fyne.CanvasObject {
	button := shell.Commands{Perform: func(command string) { w.shell.Used(); w.perform(command) }, Key: w.firstKey}.Button
	back := widgets.NewToolButton(w.sidebarName(), sidebarIcon, func() {
		w.shell.Used()
		if !w.goBack() {
			w.toggleSidebar()
		}
	})
	back.NoName, back.Text = true, ""
	back.Key = func() string {
		if w.panes.CanGoBack() {
			return ""
		}
		return w.firstKey("sidebar")
	}
	opener := button(lang.L("Search"), theme.SearchIcon(), "search")
	bar := widgets.NewToolbar([]fyne.CanvasObject{back,
		button(lang.L("Add feed"), theme.ContentAddIcon(), "add"),
		button(lang.L("Refresh"), theme.ViewRefreshIcon(), "refresh"),
		button(lang.L("Mark all read"), theme.ConfirmIcon(), "read-all"),
	}, w.search.Object, opener, []fyne.CanvasObject{w.budget.button})
	w.search.OnOpen, w.budget.resized = bar.OpenField, bar.Object.Refresh
	w.panes.Changed = func() {
		name, icon := w.sidebarName(), sidebarIcon
		if w.panes.CanGoBack() {
			name, icon = lang.L("Back"), theme.NavigateBackIcon()
		}
		back.Name = name
		if back.Icon != icon {
			back.SetIcon(icon)
		}
		w.shell.Do(w.bindKeys) // the check mark of the sidebar; not while the window is laid out
	}
	return container.NewVBox(bar.Object, widget.NewSeparator())
}
