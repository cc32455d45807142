package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
)

// Get returns the stored value of a key, or a default if there is none.
func (s Settings) Get(ctx context.Context, key, byDefault string) (string, error) {
	var value string
	err := s.db.read.QueryRowContext(ctx, "SELECT value FROM setting WHERE key = ?", key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return byDefault, nil
	}
	if err != nil {
		return byDefault, fmt.Errorf("read setting %s: %w", key, classify(err))
	}
	return value, nil
}

// Int is Get for whole numbers; other values count as not set.
func (s Settings) Int(ctx context.Context, key string, byDefault int) (int, error) {
	text, err := s.Get(ctx, key, "")
	if n, bad := strconv.Atoi(text); err == nil && bad == nil {
		return n, nil
	}
	return byDefault, err
}

// Set stores one value in a transaction of its own.
func (s Settings) Set(ctx context.Context, key, value string) error {
	return s.db.transact(ctx, func(tx *sql.Tx) error { return SetSetting(ctx, tx, key, value) })
}

// SetSetting stores a value.
func SetSetting(ctx context.Context, tx *sql.Tx, key, value string) error {
	_, err := tx.ExecContext(ctx,
		"INSERT INTO setting VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value)
	if err != nil {
		return fmt.Errorf("set %s: %w", key, err)
	}
	return nil
}

// WithPrefix returns the settings whose keys start with prefix.
func (s Settings) WithPrefix(ctx context.Context, prefix string) (map[string]string, error) {
	rows, err := s.db.read.QueryContext(ctx, "SELECT key, value FROM setting WHERE substr(key, 1, length(?1)) = ?1", prefix)
	if err != nil {
		return nil, fmt.Errorf("read settings: %w", classify(err))
	}
	defer rows.Close()
	settings := map[string]string{}
	for rows.Next() {
		var key, value string
		if err := rows.Scan(&key, &value); err != nil {
			return nil, fmt.Errorf("read settings: %w", classify(err))
		}
		settings[key] = value
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read settings: %w", classify(err))
	}
	return settings, nil
}

// ReadSettings returns the settings in dir whose keys start with prefix, also of a file that has yet to be migrated. Errors:
// ErrNone, ErrDamaged.
func ReadSettings(ctx context.Context, dir, prefix string) (settings map[string]string, err error) {
	db, err := databaseIn(dir)
	if err != nil {
		return nil, err
	}
	if err := checkFile(db.path); err != nil {
		return nil, err
	}
	if err := db.openReaders(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.read.Close()) }()
	return Settings{db}.WithPrefix(ctx, prefix)
}
