package home

import (
	"context"
	"database/sql"

	"kairos/reader"
)

// Folding is how a story that several feeds carry is shown.
type Folding struct {
	Once     bool // by the article that came first
	Together bool // read there, read everywhere; if Once
}

// Folding returns the setting.
func (h *Home) Folding(ctx context.Context) (f Folding, err error) {
	for key, into := range map[string]*bool{reader.SettingDedupe: &f.Once, reader.SettingDedupeRead: &f.Together} {
		value, err := h.Store.Settings.Get(ctx, key, off)
		if err != nil {
			return f, err
		}
		*into = value == on
	}
	return f, nil
}

const (
	on  = "on"
	off = "off"
)

// SetFolding stores the setting, and then looks through what is stored for the same
// stories, which takes some seconds for a hundred thousand articles; what ctx ends goes
// on later by itself.
func (h *Home) SetFolding(ctx context.Context, f Folding) error {
	err := h.Store.Write(ctx, func(tx *sql.Tx) error {
		for key, set := range map[string]bool{reader.SettingDedupe: f.Once, reader.SettingDedupeRead: f.Together} {
			value := off
			if set {
				value = on
			}
			if err := reader.SetSetting(ctx, tx, key, value); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	_, err = h.Store.Duplicates.Find(ctx)
	return err
}
