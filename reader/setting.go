package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
)

// Setting returns the stored value of key, or otherwise if there is none.
func (s *Store) Setting(ctx context.Context, key, otherwise string) (string, error) {
	var value string
	err := s.read.QueryRowContext(ctx, "SELECT value FROM setting WHERE key = ?", key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return otherwise, nil
	}
	if err != nil {
		return otherwise, fmt.Errorf("read setting %s: %w", key, explain(err))
	}
	return value, nil
}

// SettingInt is Setting for whole numbers; what is not one counts as not set.
func (s *Store) SettingInt(ctx context.Context, key string, otherwise int) (int, error) {
	text, err := s.Setting(ctx, key, "")
	if n, bad := strconv.Atoi(text); err == nil && bad == nil {
		return n, nil
	}
	return otherwise, err
}

// Set stores value under key.
func (s *Store) Set(ctx context.Context, key, value string) error {
	return s.Write(ctx, func(tx *sql.Tx) error { return SetTx(ctx, tx, key, value) })
}

// SetTx is Set inside a transaction.
func SetTx(ctx context.Context, tx *sql.Tx, key, value string) error {
	_, err := tx.ExecContext(ctx,
		"INSERT INTO setting VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value)
	if err != nil {
		return fmt.Errorf("set %s: %w", key, err)
	}
	return nil
}
