package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// DedupeSettings say how a story that several feeds carry is listed and read. Unless the user says otherwise, it is listed as often
// as it is carried, and read in all feeds at once where it is listed once.
type DedupeSettings struct {
	Once         bool // list only its first article
	Alike        bool // articles that tell the same in other words are one story, too; only if Once
	ReadTogether bool // an article read in one feed is read in all; only if Once
}

// Keys of the settings that make up DedupeSettings, each "on" or "off".
const (
	settingOnce         = "reader.fold_stories"
	settingAlike        = "reader.fold_alike"
	settingReadTogether = "reader.fold_read"
)

// Settings returns the settings.
func (d Duplicates) Settings(ctx context.Context) (DedupeSettings, error) {
	s, err := readDedupeSettings(ctx, d.db.read)
	return s, classify(err)
}

func readDedupeSettings(ctx context.Context, db Querier) (s DedupeSettings, err error) {
	for key, into := range map[string]*bool{settingOnce: &s.Once, settingAlike: &s.Alike, settingReadTogether: &s.ReadTogether} {
		var value string
		err := db.QueryRowContext(ctx, "SELECT value FROM setting WHERE key = ?", key).Scan(&value)
		if errors.Is(err, sql.ErrNoRows) {
			*into = key == settingReadTogether
			continue
		}
		if err != nil {
			return DedupeSettings{}, fmt.Errorf("read setting %s: %w", key, err)
		}
		*into = value == "on"
	}
	return s, nil
}

// SetDedupe stores the settings. Duplicates.Find then finds the stories among stored articles.
func SetDedupe(ctx context.Context, tx *sql.Tx, s DedupeSettings) error {
	if s.Once && !s.Alike {
		if err := forgetAlike(ctx, tx); err != nil {
			return err
		}
	}
	for key, on := range map[string]bool{settingOnce: s.Once, settingAlike: s.Alike, settingReadTogether: s.ReadTogether} {
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

// forgetAlike has all stories found again if some were found by what their articles tell.
func forgetAlike(ctx context.Context, tx *sql.Tx) error {
	var found bool
	if err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM story WHERE alike = ?)", foundAlike).Scan(&found); err != nil || !found {
		return classify(err)
	}
	for _, text := range []string{"UPDATE status SET story = 0 WHERE story <> 0", "DELETE FROM story", "DELETE FROM story_key"} {
		if _, err := tx.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("forget stories: %w", classify(err))
		}
	}
	return nil
}
