package reader

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"kairos/reader/sqlitefile"
)

// BackupContents counts what a backup holds.
type BackupContents struct {
	Made     time.Time // zero if unknown: a copy of the file, made by hand
	Feeds    int
	Articles int // without those of feeds that were unsubscribed from, which stay for undo
	Starred  int
	Bytes    int64 // of the file
}

// CheckBackup reads a whole backup and counts what it holds. It changes nothing, and ignores the
// settings in the file for how to read it. Errors: ErrNotABackup, ErrBackupUnreadable, ErrBackupNewer (only with the rooms
// that know the steps), ErrBackupDamaged.
func CheckBackup(ctx context.Context, file string, rooms ...Room) (BackupContents, error) {
	info, err := statBackup(file)
	if err != nil {
		return BackupContents{}, err
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return BackupContents{}, fmt.Errorf("find %s: %w", file, err)
	}
	db, err := sql.Open("sqlite", sqlitefile.DSN(abs, "mode=ro", "immutable=1", "_pragma=query_only(1)", "_pragma=trusted_schema(0)",
		"_pragma=cell_size_check(1)"))
	if err != nil {
		return BackupContents{}, fmt.Errorf("open %s: %w", file, err)
	}
	defer db.Close()
	c, err := readContents(ctx, db, rooms)
	if c.Bytes = info.Size(); errors.Is(classify(err), ErrDamaged) {
		err = fmt.Errorf("%w: %w", ErrBackupDamaged, err)
	}
	return c, err
}

// fileMagic begins each file of SQLite.
const fileMagic = "SQLite format 3\x00"

// statBackup refuses a file that is not SQLite's without opening it as a database.
func statBackup(file string) (os.FileInfo, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBackupUnreadable, err)
	}
	if !info.Mode().IsRegular() {
		return nil, ErrNotABackup
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBackupUnreadable, err)
	}
	defer f.Close()
	var magic [16]byte
	if _, err := io.ReadFull(f, magic[:]); err != nil || !bytes.Equal(magic[:], []byte(fileMagic)) {
		return nil, ErrNotABackup
	}
	return info, nil
}

func readContents(ctx context.Context, db *sql.DB, rooms []Room) (c BackupContents, err error) {
	applied, err := appliedSteps(ctx, db)
	if err != nil {
		return c, err
	}
	if applied["reader"] == 0 {
		return c, ErrNotABackup
	}
	if len(rooms) > 0 {
		if err := checkNotNewer(applied, withOwnTables(rooms)); err != nil {
			return c, fmt.Errorf("%w: %v", ErrBackupNewer, err)
		}
	}
	var integrity string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&integrity); err != nil {
		return c, err
	}
	if integrity != "ok" {
		return c, fmt.Errorf("%w: %s", ErrBackupDamaged, integrity)
	}
	var made int64
	err = db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM feed WHERE removed = 0), (SELECT count(*) FROM status WHERE deleted = 0 AND (starred = 1 OR feed IN (SELECT id FROM feed WHERE removed = 0))),
		(SELECT count(*) FROM status WHERE deleted = 0 AND starred = 1),
		coalesce((SELECT CAST(value AS INTEGER) FROM setting WHERE key = ?), 0)`, settingBackupMade).Scan(&c.Feeds, &c.Articles, &c.Starred, &made)
	if made > 0 {
		c.Made = time.Unix(made, 0).UTC()
	}
	return c, err
}
