// Package keys parses and writes keyboard shortcuts, and finds the command that one stands for. The commands and their usual
// shortcuts stand in app/commands.go.
package keys

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// Ctrl is the modifier of commands: Control, on macOS Command.
const Ctrl = fyne.KeyModifierShortcutDefault

// Chord is a key with the modifiers held beside it. A key that types something, pressed
// without Control, Alt or Super, is the letter it types: "?" and "J" name no Shift.
type Chord struct {
	Modifiers fyne.KeyModifier
	Key       fyne.KeyName // "" where Letter is set
	Letter    rune
}

// modifiers are the modifiers and their names, in the order in which chords are written.
var modifiers = []struct {
	name, mac string
	mod       fyne.KeyModifier
}{
	{"Ctrl", "⌘", Ctrl},
	{"Alt", "⌥", fyne.KeyModifierAlt},
	{"Shift", "⇧", fyne.KeyModifierShift},
}

// keyNames are the usual names of keys that Fyne calls something else.
var keyNames = map[string]fyne.KeyName{
	"Enter": fyne.KeyReturn, "Esc": fyne.KeyEscape, "Del": fyne.KeyDelete, "PgDn": fyne.KeyPageDown, "PgUp": fyne.KeyPageUp,
}

// keySigns replace the names of keys in labels.
var keySigns = map[fyne.KeyName]string{
	fyne.KeyUp: "↑", fyne.KeyDown: "↓", fyne.KeyLeft: "←", fyne.KeyRight: "→",
}

// ErrNoKey says that a text names no key.
var ErrNoKey = errors.New("no such key")

// ParseChord reads a written chord: "j", "?", "Space", "Ctrl+Shift+K". Errors: ErrNoKey.
func ParseChord(text string) (Chord, error) {
	var c Chord
	rest := text
	for again := true; again; {
		again = false
		for _, m := range modifiers {
			if after, ok := strings.CutPrefix(rest, m.name+"+"); ok && after != "" {
				c.Modifiers |= m.mod
				rest, again = after, true
			}
		}
	}
	switch name, known := keyNames[rest]; {
	case rest == "":
		return Chord{}, fmt.Errorf("%w: %q", ErrNoKey, text)
	case known:
		c.Key = name
	case utf8.RuneCountInString(rest) == 1 && c.Modifiers == 0:
		c.Letter, _ = utf8.DecodeRuneInString(rest)
	default:
		c.Key = fyne.KeyName(rest)
	}
	return c, nil
}

// String writes a chord so that parseChord reads it.
func (c Chord) String() string {
	var b strings.Builder
	for _, m := range modifiers {
		if c.Modifiers&m.mod != 0 {
			b.WriteString(m.name + "+")
		}
	}
	if c.Letter != 0 {
		b.WriteRune(c.Letter)
		return b.String()
	}
	for name, key := range keyNames {
		if key == c.Key {
			return b.String() + name
		}
	}
	return b.String() + string(c.Key)
}

// Label writes the chord as keyboards and menus of this platform do, in the language of the window: "J", "Shift+J".
func (c Chord) Label() string { return c.labelOn(runtime.GOOS) }

func (c Chord) labelOn(platform string) string {
	c = c.keyed()
	var b strings.Builder
	for _, m := range modifiers {
		switch {
		case c.Modifiers&m.mod == 0:
		case platform == "darwin":
			b.WriteString(m.mac)
		default:
			b.WriteString(translated(m.name) + "+")
		}
	}
	if sign := keySigns[c.Key]; sign != "" {
		return b.String() + sign
	}
	return b.String() + translated(Chord{Key: c.Key}.String())
}

// MenuOnly reports whether the chord belongs to the main menu: Fyne gives everything with
// Control, Alt or Super to the menu before any widget sees it.
func (c Chord) MenuOnly() bool { return c.Modifiers&^fyne.KeyModifierShift != 0 }

// Shortcut returns the chord as Fyne's shortcut. Some chords have a type of their own in
// Fyne, and only that matches.
func (c Chord) Shortcut() fyne.Shortcut {
	if c.Modifiers == Ctrl {
		switch c.Key {
		case fyne.KeyZ:
			return &fyne.ShortcutUndo{}
		case fyne.KeyY:
			return &fyne.ShortcutRedo{}
		case fyne.KeyA:
			return &fyne.ShortcutSelectAll{}
		}
	}
	return &desktop.CustomShortcut{KeyName: c.Key, Modifier: c.Modifiers}
}

// Held returns the modifiers held down now.
func Held() fyne.KeyModifier {
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok {
		return d.CurrentKeyModifiers()
	}
	return 0
}

// MainKey maps Enter of the number pad to Return.
func MainKey(key fyne.KeyName) fyne.KeyName {
	if key == fyne.KeyEnter {
		return fyne.KeyReturn
	}
	return key
}

// inMenu is a chord as a menu writes it: it triggers what is called name, and is written as label, which Fyne takes for a key.
type inMenu struct{ name, label string }

func (s inMenu) ShortcutName() string  { return s.name }
func (s inMenu) Key() fyne.KeyName     { return fyne.KeyName(s.label) }
func (s inMenu) Mod() fyne.KeyModifier { return 0 }

// InMenu returns the chord as the shortcut of a menu's entry, written as Label.
func (c Chord) InMenu() fyne.Shortcut {
	if runtime.GOOS == "darwin" { // whose own menus need the keys
		return c.Shortcut()
	}
	return inMenu{c.Shortcut().ShortcutName(), c.Label()}
}

// Shown returns the chord as a shortcut that a menu shows and that does nothing: a key without modifiers belongs to whatever
// has the focus. It is nil on macOS, whose own menus would take the key from it.
func (c Chord) Shown() fyne.Shortcut {
	if runtime.GOOS == "darwin" {
		return nil
	}
	return inMenu{"shown:" + c.String(), c.Label()}
}

// keyed is the chord with the key of its letter in the place of that.
func (c Chord) keyed() Chord {
	if c.Letter == 0 {
		return c
	}
	if unicode.IsUpper(c.Letter) {
		c.Modifiers |= fyne.KeyModifierShift
	}
	c.Key, c.Letter = fyne.KeyName(unicode.ToUpper(c.Letter)), 0
	return c
}
