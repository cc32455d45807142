package keys

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Map says which chords stand for which command. Commands go by their ids.
type Map struct {
	shipped map[string][]Chord
	changed map[string][]Chord // by the user
}

// NewMap returns the map as shipped: each command's chords, separated by spaces. Chords that
// ParseChord refuses are left out.
func NewMap(shipped map[string]string) Map {
	m := Map{shipped: map[string][]Chord{}, changed: map[string][]Chord{}}
	for id, texts := range shipped {
		for _, text := range strings.Fields(texts) {
			if k, err := ParseChord(text); err == nil {
				m.shipped[id] = append(m.shipped[id], k)
			}
		}
	}
	return m
}

// ResetAll gives every command its shipped chords back.
func (m Map) ResetAll() { clear(m.changed) }

// Chords returns the chords of a command, the one a menu shows first.
func (m Map) Chords(id string) []Chord {
	if chosen, ok := m.changed[id]; ok {
		return chosen
	}
	return m.shipped[id]
}

// MenuChord returns the chord a menu shows beside a command: its first menu-only chord.
func (m Map) MenuChord(id string) (Chord, bool) {
	chords := m.Chords(id)
	if i := slices.IndexFunc(chords, Chord.MenuOnly); i >= 0 {
		return chords[i], true
	}
	return Chord{}, false
}

// Command returns the command a chord stands for, "" if none.
func (m Map) Command(c Chord) string {
	for id := range m.shipped {
		if slices.Contains(m.Chords(id), c) {
			return id
		}
	}
	for id, chords := range m.changed {
		if slices.Contains(chords, c) {
			return id
		}
	}
	return ""
}

// Bind gives a command these chords and returns the commands they were taken from.
func (m Map) Bind(id string, chords []Chord) (taken []string) {
	for _, c := range chords {
		for had := m.Command(c); had != "" && had != id; had = m.Command(c) {
			m.changed[had] = slices.DeleteFunc(slices.Clone(m.Chords(had)), func(k Chord) bool { return k == c })
			taken = append(taken, had)
		}
	}
	m.changed[id] = chords
	m.dropUnchanged()
	return taken
}

// Reset gives a command its shipped chords back, except those bound to another command.
func (m Map) Reset(id string) {
	delete(m.changed, id)
	for other, chords := range m.changed {
		for _, c := range chords {
			if slices.Contains(m.shipped[id], c) && other != id {
				m.changed[id] = slices.DeleteFunc(slices.Clone(m.Chords(id)), func(k Chord) bool { return k == c })
			}
		}
	}
}

// dropUnchanged forgets changes that ended at the shipped chords.
func (m Map) dropUnchanged() {
	for id, chords := range m.changed {
		if slices.Equal(chords, m.shipped[id]) {
			delete(m.changed, id)
		}
	}
}

// Encode returns the changes as JSON, "" if there are none.
func (m Map) Encode() string {
	if len(m.changed) == 0 {
		return ""
	}
	texts := map[string][]string{}
	for id, chords := range m.changed {
		texts[id] = []string{}
		for _, c := range chords {
			texts[id] = append(texts[id], c.String())
		}
	}
	stored, err := json.Marshal(texts)
	if err != nil {
		return "" // never: maps of strings can be encoded
	}
	return string(stored)
}

// Decode applies stored changes. Chords it cannot read are left out: a newer Kairos may know
// more keys. Errors: those of encoding/json.
func (m Map) Decode(stored string) error {
	if stored == "" {
		return nil
	}
	var texts map[string][]string
	if err := json.Unmarshal([]byte(stored), &texts); err != nil {
		return fmt.Errorf("read the keys: %w", err)
	}
	for id, list := range texts {
		chords := []Chord{}
		for _, text := range list {
			if c, err := ParseChord(text); err == nil {
				chords = append(chords, c)
			}
		}
		m.changed[id] = chords
	}
	return nil
}
