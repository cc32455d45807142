package app

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
)

func TestChords(t *testing.T) {
	for text, want := range map[string]chord{
		"j":            {letter: 'j'},
		"?":            {letter: '?'},
		"+":            {letter: '+'},
		"J":            {letter: 'J'},
		"Ctrl++":       {mod: ctrl, key: fyne.KeyPlus},
		"Space":        {key: fyne.KeySpace},
		"Shift+Space":  {mod: fyne.KeyModifierShift, key: fyne.KeySpace},
		"Ctrl+Shift+K": {mod: ctrl | fyne.KeyModifierShift, key: fyne.KeyK},
		"Alt+Enter":    {mod: fyne.KeyModifierAlt, key: fyne.KeyReturn},
		"Ctrl+,":       {mod: ctrl, key: fyne.KeyComma},
		"Del":          {key: fyne.KeyDelete},
	} {
		got, err := parseChord(text)
		if err != nil || got != want {
			t.Errorf("%s is %+v, %v; want %+v", text, got, err, want)
		}
		if got.text() != text {
			t.Errorf("%s is written %s", text, got.text())
		}
	}
	for _, bad := range []string{"", "Ctrl+"} {
		if c, err := parseChord(bad); err == nil && c.key == "" {
			t.Errorf("%q is %+v", bad, c)
		}
	}
	c, _ := parseChord("Ctrl+Shift+Up")
	if c.labelOn("linux") != "Ctrl+Shift+↑" || c.labelOn("darwin") != "⌘⇧↑" {
		t.Errorf("it is shown as %s and %s", c.labelOn("linux"), c.labelOn("darwin"))
	}
}

// No key stands for two commands, and each chord that is shipped can be read.
func TestShippedKeys(t *testing.T) {
	had := map[chord]string{}
	for _, g := range commandGroups() {
		for _, c := range g.commands {
			for _, text := range strings.Fields(c.keys) {
				k, err := parseChord(text)
				if err != nil {
					t.Errorf("%s: %v", c.id, err)
				}
				if other := had[k]; other != "" {
					t.Errorf("%s is for %s and for %s", text, other, c.id)
				}
				had[k] = c.id
			}
		}
	}
}

func TestKeysCanBeChanged(t *testing.T) {
	m := newKeymap(commandGroups())
	j, k := chord{letter: 'j'}, chord{letter: 'k'}
	if m.command(j) != "next" || m.command(chord{letter: '€'}) != "" {
		t.Fatalf("j is %s", m.command(j))
	}
	if taken := m.bind("star", []chord{j, {letter: 's'}}); !slices.Equal(taken, []string{"next"}) {
		t.Errorf("taken from %v", taken)
	}
	if m.command(j) != "star" || len(m.of("next")) != 0 {
		t.Errorf("j is %s, next has %v", m.command(j), m.of("next"))
	}
	again := newKeymap(commandGroups())
	if err := again.change(m.changed()); err != nil || again.command(j) != "star" || again.command(k) != "previous" {
		t.Errorf("stored, j is %s, k is %s, %v", again.command(j), again.command(k), err)
	}
	again.reset("next") // j stays with what the user gave it to
	if again.command(j) != "star" {
		t.Errorf("after a reset of next j is %s", again.command(j))
	}
	again.reset("star")
	again.reset("next")
	if again.command(j) != "next" || again.changed() != "" {
		t.Errorf("j is %s, stored %s", again.command(j), again.changed())
	}
	if err := again.change("{"); err == nil {
		t.Error("broken keys are taken over")
	}
	if err := again.change(`{"no-such-command":["x"],"next":["Ctrl+","n"]}`); err != nil {
		t.Error(err)
	}
}

func TestChangedKeysAct(t *testing.T) {
	w, q := newTestWindow(t)
	w.keys.bind("next", []chord{{letter: 'x'}, {mod: ctrl, key: fyne.KeyJ}, {mod: ctrl, key: fyne.KeyL}})
	w.saveKeys()
	w.timeline.list.TypedRune('j')
	if w.timeline.chosen != 0 {
		t.Error("j still acts")
	}
	w.timeline.list.TypedRune('x')
	if w.timeline.chosen != w.timeline.ids[0] {
		t.Error("x does not")
	}
	w.win.Canvas().(interface{ TypedShortcut(fyne.Shortcut) }).TypedShortcut(shortcutFor(chord{mod: ctrl, key: fyne.KeyL}))
	if w.timeline.chosen != w.timeline.ids[1] {
		t.Error("the second chord with Ctrl does not")
	}
	stored := ""
	q.until("they are stored", func() bool {
		stored, _ = w.home.Store.Setting(t.Context(), settingKeys, "")
		return stored != ""
	})
	w.keys = newKeymap(w.groups)
	w.loadKeys()
	q.until("they are read", func() bool { return w.keys.command(chord{letter: 'x'}) == "next" })
}
