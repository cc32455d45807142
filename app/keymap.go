package app

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
)

// settingKeys holds the keys that were changed: commands' ids with their chords, as JSON.
const settingKeys = "app.keys"

// keymap says which chords stand for which command.
type keymap struct {
	own    map[string][]chord // as shipped
	chosen map[string][]chord // as the user changed them
}

func newKeymap(groups []commandGroup) keymap {
	m := keymap{own: map[string][]chord{}, chosen: map[string][]chord{}}
	for _, g := range groups {
		for _, c := range g.commands {
			for _, text := range strings.Fields(c.keys) {
				if k, err := parseChord(text); err == nil {
					m.own[c.id] = append(m.own[c.id], k)
				}
			}
		}
	}
	return m
}

// of returns the chords of a command, the one a menu shows first.
func (m keymap) of(id string) []chord {
	if chosen, ok := m.chosen[id]; ok {
		return chosen
	}
	return m.own[id]
}

// menu returns the chord a menu shows beside a command: the first that only menus get.
func (m keymap) menu(id string) (chord, bool) {
	chords := m.of(id)
	if i := slices.IndexFunc(chords, chord.menuOnly); i >= 0 {
		return chords[i], true
	}
	return chord{}, false
}

// command returns the id of the command a chord stands for, "" if none.
func (m keymap) command(c chord) string {
	for id := range m.own {
		if slices.Contains(m.of(id), c) {
			return id
		}
	}
	for id, chords := range m.chosen {
		if slices.Contains(chords, c) {
			return id
		}
	}
	return ""
}

// bind gives a command these chords and takes them from the commands that had them,
// whose ids it returns.
func (m keymap) bind(id string, chords []chord) (taken []string) {
	for _, c := range chords {
		for had := m.command(c); had != "" && had != id; had = m.command(c) {
			m.chosen[had] = slices.DeleteFunc(slices.Clone(m.of(had)), func(k chord) bool { return k == c })
			taken = append(taken, had)
		}
	}
	m.chosen[id] = chords
	m.forgetUnchanged()
	return taken
}

// reset gives a command its own chords again, as far as no other one was given them.
func (m keymap) reset(id string) {
	delete(m.chosen, id)
	for other, chords := range m.chosen {
		for _, c := range chords {
			if slices.Contains(m.own[id], c) && other != id {
				m.chosen[id] = slices.DeleteFunc(slices.Clone(m.of(id)), func(k chord) bool { return k == c })
			}
		}
	}
}

func (m keymap) forgetUnchanged() {
	for id, chords := range m.chosen {
		if slices.Equal(chords, m.own[id]) {
			delete(m.chosen, id)
		}
	}
}

// changed is what is stored of the map; "" where nothing was changed.
func (m keymap) changed() string {
	if len(m.chosen) == 0 {
		return ""
	}
	texts := map[string][]string{}
	for id, chords := range m.chosen {
		texts[id] = []string{}
		for _, c := range chords {
			texts[id] = append(texts[id], c.text())
		}
	}
	stored, err := json.Marshal(texts)
	if err != nil {
		return "" // a map of texts can be written
	}
	return string(stored)
}

// change takes over what is stored. What it does not know is left out: a newer
// Kairos may know more.
func (m keymap) change(stored string) error {
	if stored == "" {
		return nil
	}
	var texts map[string][]string
	if err := json.Unmarshal([]byte(stored), &texts); err != nil {
		return fmt.Errorf("read the keys: %w", err)
	}
	for id, list := range texts {
		chords := []chord{}
		for _, text := range list {
			if c, err := parseChord(text); err == nil {
				chords = append(chords, c)
			}
		}
		m.chosen[id] = chords
	}
	return nil
}

// loadKeys takes over the keys the user has chosen.
func (w *window) loadKeys() {
	var stored string
	w.work(func(ctx context.Context) (err error) {
		stored, err = w.home.Store.Setting(ctx, settingKeys, "")
		return err
	}, func(err error) {
		if err == nil {
			err = w.keys.change(stored)
		}
		if err != nil {
			w.say(errorText(err))
		}
		w.bindKeys()
	})
}

// saveKeys stores the keys and puts them in force.
func (w *window) saveKeys() {
	w.bindKeys()
	stored := w.keys.changed()
	w.set(settingKeys, stored, nil)
}

// bindKeys puts the keys in force: in the main menu, which shows one chord a command,
// and on the canvas, which takes the others while no text is typed.
func (w *window) bindKeys() {
	w.win.SetMainMenu(w.menu())
	for _, s := range w.extra {
		w.win.Canvas().RemoveShortcut(s)
	}
	w.extra = nil
	for id := range w.commands {
		first, _ := w.keys.menu(id)
		for _, c := range w.keys.of(id) {
			if !c.menuOnly() || c == first {
				continue
			}
			s := shortcutFor(c)
			w.win.Canvas().AddShortcut(s, func(fyne.Shortcut) { w.perform(id) })
			w.extra = append(w.extra, s)
		}
	}
}
