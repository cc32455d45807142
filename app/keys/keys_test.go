package keys

import (
	"runtime"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
)

func TestChords(t *testing.T) {
	for text, want := range map[string]Chord{
		"j":            {Letter: 'j'},
		"?":            {Letter: '?'},
		"+":            {Letter: '+'},
		"J":            {Letter: 'J'},
		"Ctrl++":       {Modifiers: Ctrl, Key: fyne.KeyPlus},
		"Space":        {Key: fyne.KeySpace},
		"Shift+Space":  {Modifiers: fyne.KeyModifierShift, Key: fyne.KeySpace},
		"Ctrl+Shift+K": {Modifiers: Ctrl | fyne.KeyModifierShift, Key: fyne.KeyK},
		"Alt+Enter":    {Modifiers: fyne.KeyModifierAlt, Key: fyne.KeyReturn},
		"Ctrl+,":       {Modifiers: Ctrl, Key: fyne.KeyComma},
		"Del":          {Key: fyne.KeyDelete},
	} {
		got, err := ParseChord(text)
		if err != nil || got != want {
			t.Errorf("ParseChord(%q) = %+v, %v; want %+v", text, got, err, want)
		}
		if got.String() != text {
			t.Errorf("%q is written %q", text, got)
		}
	}
	for _, bad := range []string{"", "Ctrl+"} {
		if c, err := ParseChord(bad); err == nil && c.Key == "" {
			t.Errorf("ParseChord(%q) = %+v, want an error", bad, c)
		}
	}
	c, _ := ParseChord("Ctrl+Shift+Up")
	if c.labelOn("linux") != "Ctrl+Shift+↑" || c.labelOn("darwin") != "⌘⇧↑" {
		t.Errorf("labels: %s, %s", c.labelOn("linux"), c.labelOn("darwin"))
	}
}

// A chord that Fyne has a type for is of that type: only that is triggered.
func TestChordsOfFyne(t *testing.T) {
	for text, want := range map[string]fyne.Shortcut{"Ctrl+Z": &fyne.ShortcutUndo{}, "Ctrl+Y": &fyne.ShortcutRedo{}, "Ctrl+A": &fyne.ShortcutSelectAll{}} {
		c, err := ParseChord(text)
		if got := c.Shortcut(); err != nil || got.ShortcutName() != want.ShortcutName() {
			t.Errorf("%s is %q, want %q (%v)", text, got.ShortcutName(), want.ShortcutName(), err)
		}
	}
}

// A letter is written as menus write it.
func TestLettersAreWrittenAsInMenus(t *testing.T) {
	for text, want := range map[string][2]string{"j": {"J", "J"}, "S": {"Shift+S", "⇧S"}, "?": {"?", "?"}, "[": {"[", "["}, "Ctrl+K": {"Ctrl+K", "⌘K"}} {
		c, _ := ParseChord(text)
		if got := [2]string{c.labelOn("linux"), c.labelOn("darwin")}; got != want {
			t.Errorf("%q is labeled %q, want %q", text, got, want)
		}
		if s, ok := c.Shown().(inMenu); runtime.GOOS != "darwin" && (!ok || s.label != c.Label()) {
			t.Errorf("a menu writes %q as %v", text, s)
		}
	}
}

// shipped are the keys of three commands.
var shipped = map[string]string{"next": "j", "previous": "k", "star": "s"}

func TestMapChanges(t *testing.T) {
	m := NewMap(shipped)
	j, k := Chord{Letter: 'j'}, Chord{Letter: 'k'}
	if m.Command(j) != "next" || m.Command(Chord{Letter: '€'}) != "" {
		t.Fatalf("j stands for %s", m.Command(j))
	}
	if taken := m.Bind("star", []Chord{j, {Letter: 's'}}); !slices.Equal(taken, []string{"next"}) {
		t.Errorf("taken from %v", taken)
	}
	if m.Command(j) != "star" || len(m.Chords("next")) != 0 {
		t.Errorf("j stands for %s, next has %v", m.Command(j), m.Chords("next"))
	}
	again := NewMap(shipped)
	if err := again.Decode(m.Encode()); err != nil || again.Command(j) != "star" || again.Command(k) != "previous" {
		t.Errorf("decoded: j stands for %s, k for %s, %v", again.Command(j), again.Command(k), err)
	}
	again.Reset("next") // j stays with what the user gave it to
	if again.Command(j) != "star" {
		t.Errorf("after Reset(next) j stands for %s", again.Command(j))
	}
	again.Reset("star")
	again.Reset("next")
	if again.Command(j) != "next" || again.Encode() != "" {
		t.Errorf("after both resets j stands for %s, changes %s", again.Command(j), again.Encode())
	}
	if err := again.Decode("{"); err == nil {
		t.Error("malformed JSON is accepted")
	}
	if err := again.Decode(`{"no-such-command":["x"],"next":["Ctrl+","n"]}`); err != nil {
		t.Error(err)
	}
}

// What a menu shows is the label, and what triggers it is the chord.
func TestMenusWriteTheLabel(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("skipped: macOS draws its menus itself")
	}
	for _, text := range []string{"Ctrl+K", "Ctrl+Z", "Ctrl+Shift+Up"} {
		c, err := ParseChord(text)
		if err != nil {
			t.Fatal(err)
		}
		s := c.InMenu()
		if k := s.(fyne.KeyboardShortcut); s.ShortcutName() != c.Shortcut().ShortcutName() || string(k.Key()) != c.Label() || k.Mod() != 0 {
			t.Errorf("%s in a menu: %q written %q", text, s.ShortcutName(), k.Key())
		}
	}
}
