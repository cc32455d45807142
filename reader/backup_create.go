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
	"strconv"
	"time"
)

// Faults of a backup that a caller tells apart with errors.Is.
var (
	ErrNoBackup      = errors.New("this file is not a backup of Kairos")
	ErrBackupNewer   = errors.New("this backup was made by a newer version of Kairos; install that version to restore it")
	ErrBackupDamaged = errors.New("this backup is damaged or was cut short; nothing was changed")
)

// settingMade is in a backup alone: when it was made, in Unix seconds.
const settingMade = "reader.backup_made"

// Contents says what a backup holds.
type Contents struct {
	Made     time.Time // zero if it does not say: a copy of the file, made by hand
	Feeds    int
	Articles int
	Starred  int
	Bytes    int64
}

// Backup writes everything the store holds to the file to, instead of what may be there:
// one SQLite file, as the store is one. It is checked before it takes its name, and until
// then nothing is there of it. Reading and writing go on meanwhile.
func (s *Store) Backup(ctx context.Context, to string, now time.Time) (c Contents, err error) {
	f, err := os.CreateTemp(filepath.Dir(to), ".kairos-*")
	if err != nil {
		return c, fmt.Errorf("back up: %w", explain(err))
	}
	part := f.Name()
	defer func() {
		if err != nil {
			err = fmt.Errorf("back up: %w", errors.Join(explain(err), removeIfThere(part)))
		}
	}()
	if err := f.Close(); err != nil {
		return c, err
	}
	if err := s.copyInto(ctx, part, now); err != nil {
		return c, err
	}
	if c, err = CheckBackup(ctx, part); err != nil {
		return c, err
	}
	if err := syncFile(part); err != nil {
		return c, err
	}
	return c, os.Rename(part, to)
}

// copyInto writes the store into an empty file, as one transaction sees it. It does so
// through a connection of its own: the readers' may not attach a file to write to.
func (s *Store) copyInto(ctx context.Context, file string, now time.Time) error {
	db, err := sql.Open("sqlite", dsn(s.path, "mode=ro", busyTimeout()))
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", file)
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	// The copy is still nobody's: it needs no journal to be written to.
	made, err := sql.Open("sqlite", dsn(file, "_pragma=journal_mode(OFF)", "_pragma=synchronous(OFF)"))
	if err != nil {
		return err
	}
	_, err = made.ExecContext(ctx, "REPLACE INTO setting VALUES (?, ?)", settingMade, strconv.FormatInt(now.Unix(), 10))
	return errors.Join(err, made.Close())
}

func syncFile(name string) error {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// CheckBackup reads a backup from its first page to its last and says what it holds.
// It changes nothing, and believes nothing that the file says of how to read it. Errors:
// ErrNoBackup, ErrBackupNewer (only with the rooms that know the steps), ErrBackupDamaged.
func CheckBackup(ctx context.Context, file string, rooms ...Room) (Contents, error) {
	info, err := looksLikeFile(file)
	if err != nil {
		return Contents{}, err
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return Contents{}, fmt.Errorf("find %s: %w", file, err)
	}
	db, err := sql.Open("sqlite", dsn(abs, "mode=ro", "immutable=1", "_pragma=query_only(1)", "_pragma=trusted_schema(0)",
		"_pragma=cell_size_check(1)"))
	if err != nil {
		return Contents{}, fmt.Errorf("open %s: %w", file, err)
	}
	defer db.Close()
	c, err := contents(ctx, db, rooms)
	if c.Bytes = info.Size(); errors.Is(explain(err), ErrDamaged) {
		err = fmt.Errorf("%w: %w", ErrBackupDamaged, err)
	}
	return c, err
}

// looksLikeFile refuses what is no SQLite file without asking SQLite.
func looksLikeFile(file string) (os.FileInfo, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, fmt.Errorf("the backup cannot be read: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, ErrNoBackup
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("the backup cannot be read: %w", err)
	}
	defer f.Close()
	var magic [16]byte
	if _, err := io.ReadFull(f, magic[:]); err != nil || !bytes.Equal(magic[:], []byte("SQLite format 3\x00")) {
		return nil, ErrNoBackup
	}
	return info, nil
}

func contents(ctx context.Context, db *sql.DB, rooms []Room) (c Contents, err error) {
	applied, err := appliedSteps(ctx, db)
	if err != nil {
		return c, err
	}
	if applied["reader"] == 0 {
		return c, ErrNoBackup
	}
	if len(rooms) > 0 {
		if err := notNewer(applied, withOurs(rooms)); err != nil {
			return c, fmt.Errorf("%w: %v", ErrBackupNewer, err)
		}
	}
	var said string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&said); err != nil {
		return c, err
	}
	if said != "ok" {
		return c, fmt.Errorf("%w: %s", ErrBackupDamaged, said)
	}
	var made int64
	err = db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM feed WHERE removed = 0), (SELECT count(*) FROM status WHERE deleted = 0),
		(SELECT count(*) FROM status WHERE deleted = 0 AND starred = 1),
		coalesce((SELECT CAST(value AS INTEGER) FROM setting WHERE key = ?), 0)`, settingMade).Scan(&c.Feeds, &c.Articles, &c.Starred, &made)
	if made > 0 {
		c.Made = time.Unix(made, 0).UTC()
	}
	return c, err
}
