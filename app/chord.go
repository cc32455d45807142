package app

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
)

// ctrl is the modifier of commands: Control, on macOS Command.
const ctrl = fyne.KeyModifierShortcutDefault

// chord is a key with the modifiers held beside it. A letter or sign without
// Control, Alt or Super is what it types, so that ? and J need no Shift here.
type chord struct {
	mod    fyne.KeyModifier
	key    fyne.KeyName // "" where letter is set
	letter rune
}

// modifiers are the names of the modifiers in texts of chords, in their order.
var modifiers = []struct {
	name, mac string
	mod       fyne.KeyModifier
}{
	{"Ctrl", "⌘", ctrl},
	{"Alt", "⌥", fyne.KeyModifierAlt},
	{"Shift", "⇧", fyne.KeyModifierShift},
}

// keyNames are the keys people know under another name than Fyne does.
var keyNames = map[string]fyne.KeyName{
	"Enter": fyne.KeyReturn, "Esc": fyne.KeyEscape, "Del": fyne.KeyDelete, "PgDn": fyne.KeyPageDown, "PgUp": fyne.KeyPageUp,
}

// keySigns are what keys look like in a text that is only read.
var keySigns = map[fyne.KeyName]string{
	fyne.KeyUp: "↑", fyne.KeyDown: "↓", fyne.KeyLeft: "←", fyne.KeyRight: "→",
}

var errNoKey = errors.New("no such key")

// parseChord reads a chord as text writes it: "j", "?", "Space", "Ctrl+Shift+K".
func parseChord(text string) (chord, error) {
	var c chord
	rest := text
	for again := true; again; {
		again = false
		for _, m := range modifiers {
			if after, ok := strings.CutPrefix(rest, m.name+"+"); ok && after != "" {
				c.mod |= m.mod
				rest, again = after, true
			}
		}
	}
	switch name, known := keyNames[rest]; {
	case rest == "":
		return chord{}, fmt.Errorf("%w: %q", errNoKey, text)
	case known:
		c.key = name
	case utf8.RuneCountInString(rest) == 1 && c.mod == 0:
		c.letter, _ = utf8.DecodeRuneInString(rest)
	default:
		c.key = fyne.KeyName(rest)
	}
	return c, nil
}

// text writes a chord so that parseChord reads it.
func (c chord) text() string {
	var b strings.Builder
	for _, m := range modifiers {
		if c.mod&m.mod != 0 {
			b.WriteString(m.name + "+")
		}
	}
	if c.letter != 0 {
		b.WriteRune(c.letter)
		return b.String()
	}
	for name, key := range keyNames {
		if key == c.key {
			return b.String() + name
		}
	}
	return b.String() + string(c.key)
}

// label writes a chord as this platform's keyboards do.
func (c chord) label() string { return c.labelOn(runtime.GOOS) }

func (c chord) labelOn(platform string) string {
	text := c.text()
	sign := keySigns[c.key]
	if platform != "darwin" {
		if sign != "" {
			text = strings.TrimSuffix(text, string(c.key)) + sign
		}
		return text
	}
	var b strings.Builder
	for _, m := range modifiers {
		if c.mod&m.mod != 0 {
			b.WriteString(m.mac)
			text = strings.Replace(text, m.name+"+", "", 1)
		}
	}
	if sign != "" {
		text = sign
	}
	return b.String() + text
}

// menuOnly reports whether only the main menu may have the chord: Fyne gives
// everything with Control, Alt or Super to it before any widget sees it.
func (c chord) menuOnly() bool { return c.mod&^fyne.KeyModifierShift != 0 }
