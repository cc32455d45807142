package settings

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/keys"
	"kairos/app/widgets"
)

// keyCapture takes the next key, whichever it is.
type keyCapture struct {
	widget.BaseWidget
	onChord func(keys.Chord)
	text    *widgets.Text
	ring    widgets.FocusRing
	done    bool
}

var _ desktop.Keyable = (*keyCapture)(nil)

func newKeyCapture(onChord func(keys.Chord)) *keyCapture {
	c := &keyCapture{onChord: onChord, text: widgets.NewText("…", widgets.Title)}
	c.ExtendBaseWidget(c)
	return c
}

// Describe implements describe.Describer.
func (c *keyCapture) Describe() describe.Node {
	return describe.Node{Node: accessible.Node{Role: accessible.RoleEntry, Name: lang.L("Press the new shortcut."), States: accessible.Focusable}}
}

// CreateRenderer implements fyne.Widget.
func (c *keyCapture) CreateRenderer() fyne.WidgetRenderer {
	return c.ring.Around(c, widget.NewSimpleRenderer(container.New(layout.NewCustomPaddedLayout(4, 4, 12, 12), c.text)))
}

// KeyDown implements desktop.Keyable: Fyne calls it before it asks the main menu.
func (c *keyCapture) KeyDown(ev *fyne.KeyEvent) {
	held := keys.Held()
	switch ev.Name {
	case desktop.KeyControlLeft, desktop.KeyControlRight, desktop.KeyAltLeft, desktop.KeyAltRight,
		desktop.KeyShiftLeft, desktop.KeyShiftRight, desktop.KeySuperLeft, desktop.KeySuperRight, desktop.KeyCapsLock, "":
		return
	}
	if k := (keys.Chord{Modifiers: held, Key: ev.Name}); k.MenuOnly() || !typesLetter(ev.Name) {
		c.capture(keys.Chord{Modifiers: held, Key: keys.MainKey(ev.Name)})
	}
}

// typesLetter reports whether a key types something: then TypedRune follows with what.
func typesLetter(key fyne.KeyName) bool { return len([]rune(string(key))) == 1 }

// TypedRune implements fyne.Focusable.
func (c *keyCapture) TypedRune(r rune) {
	if r != ' ' {
		c.capture(keys.Chord{Letter: r})
	}
}

func (c *keyCapture) capture(k keys.Chord) {
	if !c.done {
		c.done = true
		c.onChord(k)
	}
}

// KeyUp implements desktop.Keyable.
func (c *keyCapture) KeyUp(*fyne.KeyEvent) {}

// TypedKey implements fyne.Focusable; KeyDown has handled the key.
func (c *keyCapture) TypedKey(*fyne.KeyEvent) {}

// FocusGained implements fyne.Focusable.
func (c *keyCapture) FocusGained() {
	c.ring.On = true
	c.Refresh()
}

// FocusLost implements fyne.Focusable.
func (c *keyCapture) FocusLost() {
	c.ring.On = false
	c.Refresh()
}
