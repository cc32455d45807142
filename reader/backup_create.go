package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"kairos/reader/sqlitefile"
)

// settingBackupMade is set only in a backup: when it was made, in Unix seconds.
const settingBackupMade = "reader.backup_made"

// partPrefix begins the name of a backup until it is complete.
const partPrefix = ".kairos-backup-"

// Create writes everything that the store holds to a file, which is one SQLite file like the store
// itself, and replaces what was there. The backup is written under another name, checked, and then
// renamed. Others can read and write meanwhile.
func (b Backups) Create(ctx context.Context, file string, now time.Time) (c BackupContents, err error) {
	f, err := os.CreateTemp(filepath.Dir(file), partPrefix+"*")
	if err != nil {
		return c, fmt.Errorf("back up: %w", classify(err))
	}
	part := f.Name()
	defer func() {
		if err != nil {
			err = fmt.Errorf("back up: %w", errors.Join(classify(err), removeIfThere(part)))
		}
	}()
	if err := f.Close(); err != nil {
		return c, err
	}
	if err := b.copyTo(ctx, part, now); err != nil {
		return c, err
	}
	if c, err = CheckBackup(ctx, part); err != nil {
		return c, err
	}
	if err := syncFile(part); err != nil {
		return c, err
	}
	return c, os.Rename(part, file)
}

// copyTo writes the store, as one transaction sees it, to an empty file. It opens a connection of
// its own: those of the pool may not attach a file to write to.
func (b Backups) copyTo(ctx context.Context, file string, now time.Time) error {
	db, err := sql.Open("sqlite", sqlitefile.DSN(b.db.path, "mode=ro", busyTimeoutOption()))
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", file)
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	// Nobody else uses the copy yet, so it is written to without a journal.
	backup, err := sql.Open("sqlite", sqlitefile.DSN(file, "_pragma=journal_mode(OFF)", "_pragma=synchronous(OFF)"))
	if err != nil {
		return err
	}
	_, err = backup.ExecContext(ctx, "REPLACE INTO setting VALUES (?, ?)", settingBackupMade, strconv.FormatInt(now.Unix(), 10))
	return errors.Join(err, backup.Close())
}

func syncFile(name string) error {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
