// Package preferences stores how the window looks and is arranged: among the settings of the data folder, where a session that
// ends in the middle of a change loses neither the others nor the value before. Fyne writes its own preferences in place.
package preferences

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"strconv"

	"kairos/reader"
)

// Values are preferences by their keys, as Fyne has them as well.
type Values interface {
	String(key string) string
	Bool(key string) bool
	Float(key string) float64
	SetString(key, value string)
	SetBool(key string, value bool)
	SetFloat(key string, value float64)
}

// prefix is what the keys have before them among the settings.
const prefix = "window."

// imported is the setting that says that Fyne's preferences were taken over.
const imported = prefix + "imported"

// Preferences are Values in memory, of which each change is stored. They belong to one goroutine.
type Preferences struct {
	stored  map[string]string // by the keys of the settings
	changed map[string]string // before Bind
	store   func(key, value string)
}

var _ Values = (*Preferences)(nil)

// Read reads the preferences of the data folder dir, which need not be open. Where there are none, or none that can be read, they
// are those that older versions kept in Fyne's.
func Read(ctx context.Context, dir string, old Values) *Preferences {
	stored, err := reader.ReadSettings(ctx, dir, prefix)
	p := &Preferences{stored: stored, changed: map[string]string{}}
	if err != nil || stored[imported] == "" {
		p.stored = fromFyne(old)
	}
	return p
}

// Bind reads the preferences from the settings of an open data folder, and stores there what was changed since Read. From now on
// each change goes to store, with the key of a setting.
func (p *Preferences) Bind(ctx context.Context, s *reader.Store, store func(key, value string)) error {
	p.store = store
	stored, err := s.Settings.WithPrefix(ctx, prefix)
	if err != nil {
		return err
	}
	changed := p.changed
	if stored[imported] == "" {
		changed = maps.Clone(p.stored)
		maps.Copy(changed, p.changed)
		changed[imported] = "yes"
	}
	maps.Copy(stored, changed)
	p.stored, p.changed = stored, nil
	if len(changed) == 0 {
		return nil
	}
	return s.WriteAside(ctx, func(tx *sql.Tx) error {
		for key, value := range changed {
			if err := reader.SetSetting(ctx, tx, key, value); err != nil {
				return fmt.Errorf("store preferences: %w", err)
			}
		}
		return nil
	})
}

// StoreAll stores all of them, after a backup has replaced the settings: it is about what was read, not about this window.
func (p *Preferences) StoreAll() {
	for key, value := range p.stored {
		p.store(key, value)
	}
}

// String returns "" for what is not set, as Bool and Float return false and 0.
func (p *Preferences) String(key string) string { return p.stored[prefix+key] }

// Bool implements Values.
func (p *Preferences) Bool(key string) bool { return p.String(key) == "true" }

// Float implements Values.
func (p *Preferences) Float(key string) float64 {
	f, err := strconv.ParseFloat(p.String(key), 64)
	if err != nil {
		return 0
	}
	return f
}

// SetString sets a preference and has it stored.
func (p *Preferences) SetString(key, value string) {
	key = prefix + key
	if p.stored[key] == value {
		return
	}
	p.stored[key] = value
	if p.store == nil {
		p.changed[key] = value
		return
	}
	p.store(key, value)
}

// SetBool implements Values.
func (p *Preferences) SetBool(key string, value bool) { p.SetString(key, strconv.FormatBool(value)) }

// SetFloat implements Values.
func (p *Preferences) SetFloat(key string, value float64) {
	p.SetString(key, strconv.FormatFloat(value, 'g', -1, 64))
}

// What versions before 0.2 kept in Fyne's preferences.
var (
	oldStrings = []string{"look", "look.desktop", "language", "list.group", "list.density", "panes.layout"}
	oldBools   = []string{"list.oldest", "list.hide-read", "list.pictures", "panes.sidebar-hidden"}
	oldFloats  = []string{"window.width", "window.height", "panes.sidebar", "panes.list", "panes.list-height"}
)

func fromFyne(old Values) map[string]string {
	p := &Preferences{stored: map[string]string{}, changed: map[string]string{}}
	for _, key := range oldStrings {
		p.SetString(key, old.String(key))
	}
	for _, key := range oldBools {
		p.SetBool(key, old.Bool(key))
	}
	for _, key := range oldFloats {
		p.SetFloat(key, old.Float(key))
	}
	return p.stored
}
