package app

import (
	"strings"

	"kairos/app/keys"
	"kairos/app/widgets"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// shortcuts is the page of the keys: every command with its keys, which can be changed.
func (s *settingsDialog) shortcuts() fyne.CanvasObject {
	list := widgets.NewColumn(2)
	for _, g := range s.w.groups {
		list.Add(widgets.NewText(g.name, widgets.Heading))
		for _, c := range g.commands {
			list.Add(s.keysOf(c))
		}
		list.Add(widgets.NewSpace(10))
	}
	reset := widget.NewButton(lang.L("All keys as shipped"), func() {
		s.w.keys.ResetAll()
		s.w.saveKeys()
		s.again()
	})
	list.Add(container.NewHBox(reset))
	return list
}

// keysOf is the row of a command.
func (s *settingsDialog) keysOf(c command) fyne.CanvasObject {
	keys := widgets.NewText("", widgets.Plain)
	show := func() {
		keys.SetText(strings.Join(s.w.keyLabels(c.id), "   "), widgets.Bold)
		keys.Hidden = false
	}
	show()
	change := widget.NewButtonWithIcon("", theme.DocumentCreateIcon(), func() { s.w.captureKeys(c, func() { s.again() }) })
	change.Importance = widget.LowImportance
	return container.NewBorder(nil, nil, nil, change,
		widgets.NewLabeled(300, widgets.NewInset(widgets.NewText(c.title, widgets.Plain)), widgets.NewInset(keys)))
}

// captureKeys asks for the key of a command by pressing it.
func (w *window) captureKeys(c command, changed func()) {
	said := widgets.NewText(lang.L("Press the key, with Ctrl, Alt or Shift if you like."), widgets.Plain)
	var d *dialog.CustomDialog
	done := func(chords []keys.Chord) {
		w.keys.Bind(c.id, chords)
		w.saveKeys()
		d.Hide()
	}
	trap := newKeyTrap(func(k keys.Chord) {
		if k == (keys.Chord{Key: fyne.KeyEscape}) {
			d.Hide()
			return
		}
		done(append([]keys.Chord{k}, otherKind(w.keys.Chords(c.id), k)...))
	})
	d = dialog.NewCustomWithoutButtons(c.title, widgets.NewColumn(8, said, trap), w.win)
	d.SetButtons([]fyne.CanvasObject{
		widget.NewButton(lang.L("Cancel"), func() { d.Hide() }),
		widget.NewButton(lang.L("As shipped"), func() {
			w.keys.Reset(c.id)
			w.saveKeys()
			d.Hide()
		}),
		widget.NewButton(lang.L("No key"), func() { done([]keys.Chord{}) }),
	})
	d.Resize(fyne.NewSize(460, 200))
	w.capturing = true
	w.dialogs.Show(d, func() {
		w.capturing = false
		changed()
	})
	w.win.Canvas().Focus(trap)
}

// otherKind are the chords that stay beside a new one: a command may have one with and
// one without Control.
func otherKind(had []keys.Chord, fresh keys.Chord) []keys.Chord {
	var keep []keys.Chord
	for _, k := range had {
		if k.MenuOnly() != fresh.MenuOnly() && len(keep) == 0 {
			keep = append(keep, k)
		}
	}
	return keep
}

// keyTrap takes the next key, whatever it is.
type keyTrap struct {
	widget.BaseWidget
	took func(keys.Chord)
	text *widgets.Text
	done bool
}

var _ desktop.Keyable = (*keyTrap)(nil)

func newKeyTrap(took func(keys.Chord)) *keyTrap {
	t := &keyTrap{took: took, text: widgets.NewText("…", widgets.Title)}
	t.ExtendBaseWidget(t)
	return t
}

func (t *keyTrap) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(t.text) }

// KeyDown implements desktop.Keyable: Fyne gives it keys before the main menu.
func (t *keyTrap) KeyDown(ev *fyne.KeyEvent) {
	mods := keys.Held()
	switch ev.Name {
	case desktop.KeyControlLeft, desktop.KeyControlRight, desktop.KeyAltLeft, desktop.KeyAltRight,
		desktop.KeyShiftLeft, desktop.KeyShiftRight, desktop.KeySuperLeft, desktop.KeySuperRight, desktop.KeyCapsLock, "":
		return
	}
	if k := (keys.Chord{Modifiers: mods, Key: ev.Name}); k.MenuOnly() || !typesSign(ev.Name) {
		t.take(keys.Chord{Modifiers: mods, Key: keys.MainKey(ev.Name)})
	}
}

// typesSign reports whether a key writes something, so that its sign is to follow.
func typesSign(key fyne.KeyName) bool { return len([]rune(string(key))) == 1 }

// TypedRune implements fyne.Focusable.
func (t *keyTrap) TypedRune(r rune) {
	if r != ' ' {
		t.take(keys.Chord{Letter: r})
	}
}

func (t *keyTrap) take(k keys.Chord) {
	if !t.done {
		t.done = true
		t.took(k)
	}
}

// KeyUp implements desktop.Keyable.
func (t *keyTrap) KeyUp(*fyne.KeyEvent) {}

// TypedKey implements fyne.Focusable; KeyDown has had the key.
func (t *keyTrap) TypedKey(*fyne.KeyEvent) {}

// FocusGained implements fyne.Focusable.
func (t *keyTrap) FocusGained() {}

// FocusLost implements fyne.Focusable.
func (t *keyTrap) FocusLost() {}
