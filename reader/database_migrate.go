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

// withOwnTables puts the reader's steps before those of other rooms.
func withOwnTables(rooms []Room) []Room {
	return append([]Room{{Name: "reader", Steps: steps}}, rooms...)
}

// migrate applies the steps that the file has not seen yet, in one transaction: a program that is killed meanwhile leaves
// the file to the version that wrote it. Before that it leaves a copy of the file beside it, if it already holds something.
func (db *database) migrate(ctx context.Context, now time.Time, progress Progress, rooms []Room) error {
	applied, err := appliedSteps(ctx, db.write)
	if err != nil {
		return err
	}
	if err := checkNotNewer(applied, rooms); err != nil {
		return err
	}
	// A read-only file opens without an error, and so do its transactions. Only a change fails,
	// even an empty one, so this finds out before anything depends on it.
	for _, q := range []string{migrationTable, "UPDATE migration SET at = at WHERE false"} {
		if _, err := db.write.ExecContext(ctx, q); err != nil {
			return fmt.Errorf("migration table: %w", err)
		}
	}
	if err := db.mark(ctx); err != nil {
		return err
	}
	if !hasPendingSteps(applied, rooms) {
		return nil
	}
	if len(applied) > 0 {
		if err := db.copyBeforeMigration(ctx, now, progress); err != nil {
			return err
		}
	}
	err = commit(ctx, db.write, func(tx *sql.Tx) error {
		for _, room := range rooms {
			for n := applied[room.Name]; n < len(room.Steps); n++ {
				if err := applyStep(ctx, tx, now, room, n); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err == nil && len(applied) > 0 {
		db.rewriteSmall(ctx)
	}
	return err
}

// maxRewrite is how large a file is at most that is rewritten when it was migrated: that takes a second or two.
const maxRewrite = 128 << 20

// rewriteSmall rewrites the file unless it is large. SQLite makes room for new tables at its start and moves what was there to its end,
// the list of all tables as well; and of a file that is cut off before that list Salvage reads nothing.
func (db *database) rewriteSmall(ctx context.Context) {
	if info, err := os.Stat(db.path); err == nil && info.Size() <= maxRewrite {
		db.write.ExecContext(ctx, "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)") //nolint:errcheck // without room on the disk it stays as it is
	}
}

// mark writes into the header of the file that it is a database of Kairos.
func (db *database) mark(ctx context.Context) error {
	var id int
	err := db.write.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id)
	if err == nil && id != applicationID {
		_, err = db.write.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID))
	}
	if err != nil {
		return fmt.Errorf("mark the file: %w", err)
	}
	return nil
}

func applyStep(ctx context.Context, tx *sql.Tx, now time.Time, room Room, n int) error {
	if _, err := tx.ExecContext(ctx, room.Steps[n]); err != nil {
		return fmt.Errorf("migrate %s to %d: %w", room.Name, n+1, err)
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO migration VALUES (?, ?, ?)", room.Name, n+1, now.Unix())
	return err
}

// checkVersion checks that the file has seen exactly the steps of these rooms. Errors: ErrNone,
// ErrNewer, ErrOlder.
func (db *database) checkVersion(ctx context.Context, rooms []Room) error {
	applied, err := appliedSteps(ctx, db.read)
	if err != nil {
		return err
	}
	switch err := checkNotNewer(applied, rooms); {
	case err != nil:
		return err
	case len(applied) == 0:
		return ErrNone
	case hasPendingSteps(applied, rooms):
		return ErrOlder
	}
	return nil
}

// appliedSteps returns how many steps of each room the file has seen; nil if it is empty.
func appliedSteps(ctx context.Context, db *sql.DB) (map[string]int, error) {
	var exists bool
	err := db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'migration')").Scan(&exists)
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	if !exists {
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

// checkNotNewer returns ErrNewer if the file has seen steps that the rooms do not know.
func checkNotNewer(applied map[string]int, rooms []Room) error {
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

func hasPendingSteps(applied map[string]int, rooms []Room) bool {
	for _, room := range rooms {
		if applied[room.Name] < len(room.Steps) {
			return true
		}
	}
	return false
}

// copyBeforeMigration leaves a copy of the file beside it, under another name until it is complete. The file is closed
// meanwhile, so that it holds all there is; and closing a second handle of it would give up the locks of SQLite
// (sqlite.org/howtocorrupt.html, 2.2).
func (db *database) copyBeforeMigration(ctx context.Context, now time.Time, progress Progress) error {
	to := db.path + now.UTC().Format(".20060102-150405.backup")
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	part := db.path + ".backup.part"
	err := errors.Join(removeIfThere(part), db.write.Close())
	if err == nil && !db.hasLog() {
		err = errors.Join(copyFile(ctx, db.path, part, progress), db.openWriter(ctx))
	} else if err = errors.Join(err, db.openWriter(ctx)); err == nil { // somebody reads it, and the log stays
		_, err = db.write.ExecContext(ctx, "VACUUM INTO ?", part)
	}
	if err == nil {
		err = syncFile(part)
	}
	if err == nil {
		err = os.Rename(part, to)
	}
	if err != nil {
		return fmt.Errorf("back up before migrating: %w", errors.Join(err, removeIfThere(part)))
	}
	return nil
}

func removeIfThere(name string) error {
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
