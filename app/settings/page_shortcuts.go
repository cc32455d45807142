package settings

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/dialogs"
	"kairos/app/keys"
	"kairos/app/widgets"
)

// shortcutsPage lists all commands with their keys, which can be changed.
func (d *settingsDialog) shortcutsPage() fyne.CanvasObject {
	list := widgets.NewColumn(2)
	var rows []func()
	update := func() {
		for _, row := range rows {
			row()
		}
	}
	for _, g := range d.Shortcuts.Groups {
		list.Add(widgets.NewText(g.Name, widgets.Heading))
		for _, c := range g.Commands {
			row, show := d.shortcutRow(c, update)
			list.Add(row)
			rows = append(rows, show)
		}
		list.Add(widgets.NewSpace(10))
	}
	list.Add(container.NewHBox(widgets.NewDialogButton(lang.L("Reset all shortcuts"), func() {
		d.Shortcuts.Map.ResetAll()
		d.Shortcuts.Changed()
		update()
	})))
	update()
	return list
}

// shortcutRow is a command with a button that changes its keys; show shows them. changed is called after a change: a key
// may have been taken from another command.
func (d *settingsDialog) shortcutRow(c Command, changed func()) (row fyne.CanvasObject, show func()) {
	shown := widgets.NewText("", widgets.Bold)
	show = func() {
		var labels []string
		for _, chord := range d.Shortcuts.Map.Chords(c.ID) {
			labels = append(labels, chord.Label())
		}
		shown.SetText(strings.Join(labels, "   "), widgets.Bold)
		shown.Hidden = false // also without keys: the row keeps its height
	}
	change := d.iconButton(theme.DocumentCreateIcon(), lang.L("Change shortcut"), c.Title, func() { d.captureShortcut(c, changed) })
	return container.NewBorder(nil, nil, nil, change,
		widgets.NewLabeled(300, widgets.NewInset(widgets.NewText(c.Title, widgets.Plain)), widgets.NewInset(shown))), show
}

// captureShortcut asks for a new key of a command by pressing it. changed is called when the
// dialog has closed.
func (s *Settings) captureShortcut(c Command, changed func()) {
	shortcuts := &s.Shortcuts
	d := &dialogs.Dialog{Title: c.Title, Width: 380}
	bind := func(chords []keys.Chord) {
		shortcuts.Map.Bind(c.ID, chords)
		shortcuts.Changed()
		d.Hide()
	}
	capture := newKeyCapture(func(k keys.Chord) {
		if k == (keys.Chord{Key: fyne.KeyEscape}) {
			d.Hide()
			return
		}
		chords := append([]keys.Chord{k}, keptChords(shortcuts.Map.Chords(c.ID), k)...)
		if has := shortcuts.Map.Command(k); has != "" && has != c.ID {
			d.Hide()
			values := map[string]any{"Key": k.Label(), "Command": s.commandTitle(has)}
			s.Dialogs.Confirm(lang.L("{{.Key}} stands for “{{.Command}}”", values), lang.L("It will then no longer stand for “{{.Command}}”.", values),
				lang.L("Use {{.Key}}", values), func() {
					bind(chords)
					changed()
				})
			return
		}
		bind(chords)
	})
	prompt := widgets.NewText(lang.L("Press the new shortcut."), widgets.Plain)
	d.Content, d.Focus = widgets.NewColumn(8, prompt, capture), capture
	d.Buttons = []*dialogs.Button{
		{Text: lang.L("Reset"), Do: func() {
			shortcuts.Map.Reset(c.ID)
			shortcuts.Changed()
			d.Hide()
		}},
		{Text: lang.L("No shortcut"), Do: func() { bind([]keys.Chord{}) }},
		dialogs.Cancel(),
	}
	shortcuts.Capturing(true)
	d.Closed = func() {
		shortcuts.Capturing(false)
		changed()
	}
	s.Dialogs.Show(d)
}

// commandTitle is how a command is called.
func (s *Settings) commandTitle(id string) string {
	for _, g := range s.Shortcuts.Groups {
		for _, c := range g.Commands {
			if c.ID == id {
				return c.Title
			}
		}
	}
	return id
}

// keptChords returns the chord of a command that stays beside a new one: a command may have
// one with Control and one without.
func keptChords(old []keys.Chord, added keys.Chord) []keys.Chord {
	for _, k := range old {
		if k.MenuOnly() != added.MenuOnly() {
			return []keys.Chord{k}
		}
	}
	return nil
}
