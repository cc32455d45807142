package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

const migrationTable = `CREATE TABLE IF NOT EXISTS migration (
	room   TEXT    NOT NULL,
	number INTEGER NOT NULL,
	at     INTEGER NOT NULL,
	PRIMARY KEY (room, number)
) WITHOUT ROWID`

// migrate applies the steps a room has not seen yet. Before the first step to a
// file that already holds something, a copy of the file is left beside it.
func (s *Store) migrate(ctx context.Context, now time.Time, rooms []Room) error {
	applied, err := appliedSteps(ctx, s.write)
	if err != nil {
		return err
	}
	if err := notNewer(applied, rooms); err != nil {
		return err
	}
	// A file that was made read-only opens without complaint, and so do its
	// transactions; a change, though of nothing, shows it before anything depends
	// on it.
	for _, q := range []string{migrationTable, "UPDATE migration SET at = at WHERE false"} {
		if _, err := s.write.ExecContext(ctx, q); err != nil {
			return fmt.Errorf("migration table: %w", err)
		}
	}
	if len(applied) > 0 && pending(applied, rooms) {
		if err := s.backup(ctx, now); err != nil {
			return err
		}
	}
	for _, room := range rooms {
		for n := applied[room.Name]; n < len(room.Steps); n++ {
			if err := s.step(ctx, now, room, n); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Store) step(ctx context.Context, now time.Time, room Room, n int) error {
	return commit(ctx, s.write, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, room.Steps[n]); err != nil {
			return fmt.Errorf("migrate %s to %d: %w", room.Name, n+1, err)
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO migration VALUES (?, ?, ?)", room.Name, n+1, now.Unix())
		return err
	})
}

func (s *Store) checkVersion(ctx context.Context, rooms []Room) error {
	applied, err := appliedSteps(ctx, s.read)
	if err != nil {
		return err
	}
	switch err := notNewer(applied, rooms); {
	case err != nil:
		return err
	case len(applied) == 0:
		return ErrNone
	case pending(applied, rooms):
		return ErrOlder
	}
	return nil
}

// appliedSteps returns how many steps of each room the file has seen; none if it
// is empty.
func appliedSteps(ctx context.Context, db *sql.DB) (map[string]int, error) {
	var there bool
	err := db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'migration')").Scan(&there)
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	if !there {
		return nil, nil
	}
	rows, err := db.QueryContext(ctx, "SELECT room, max(number) FROM migration GROUP BY room")
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	defer rows.Close()
	applied := map[string]int{}
	for rows.Next() {
		var room string
		var number int
		if err := rows.Scan(&room, &number); err != nil {
			return nil, err
		}
		applied[room] = number
	}
	return applied, rows.Err()
}

func notNewer(applied map[string]int, rooms []Room) error {
	known := map[string]int{}
	for _, room := range rooms {
		known[room.Name] = len(room.Steps)
	}
	for room, n := range applied {
		if n > known[room] {
			return fmt.Errorf("%w (%s is at step %d, known is %d)", ErrNewer, room, n, known[room])
		}
	}
	return nil
}

func pending(applied map[string]int, rooms []Room) bool {
	for _, room := range rooms {
		if applied[room.Name] < len(room.Steps) {
			return true
		}
	}
	return false
}

func (s *Store) backup(ctx context.Context, now time.Time) error {
	to := s.path + now.UTC().Format(".20060102-150405.backup")
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	if _, err := s.write.ExecContext(ctx, "VACUUM INTO ?", to); err != nil {
		return fmt.Errorf("back up before migrating: %w", errors.Join(err, removeIfThere(to)))
	}
	return nil
}

func removeIfThere(name string) error {
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
