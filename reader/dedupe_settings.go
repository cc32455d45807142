package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// DedupeSettings say how a story that several feeds carry is listed and read. The zero value is the
// default.
type DedupeSettings struct {
	Once         bool // list only its first article
	ReadTogether bool // an article read in one feed is read in all; only if Once
}

// Keys of the settings that make up DedupeSettings, each "on" or "off".
const (
	settingOnce         = "reader.fold_stories"
	settingReadTogether = "reader.fold_read"
)

// Settings returns the settings.
func (d Duplicates) Settings(ctx context.Context) (DedupeSettings, error) {
	s, err := readDedupeSettings(ctx, d.db.read)
	return s, classify(err)
}

func readDedupeSettings(ctx context.Context, db Querier) (s DedupeSettings, err error) {
	for key, into := range map[string]*bool{settingOnce: &s.Once, settingReadTogether: &s.ReadTogether} {
		var value string
		err := db.QueryRowContext(ctx, "SELECT value FROM setting WHERE key = ?", key).Scan(&value)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return DedupeSettings{}, fmt.Errorf("read setting %s: %w", key, err)
		}
		*into = value == "on"
	}
	return s, nil
}

// SetDedupe stores the settings. Duplicates.Find then finds the stories among stored articles.
func SetDedupe(ctx context.Context, tx *sql.Tx, s DedupeSettings) error {
	for key, on := range map[string]bool{settingOnce: s.Once, settingReadTogether: s.ReadTogether} {
		value := "off"
		if on {
			value = "on"
		}
		if err := SetSetting(ctx, tx, key, value); err != nil {
			return err
		}
	}
	return nil
}
