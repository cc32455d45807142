package home

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kairos/reader"
)

// ErrNoBackup says that the data folder has no backup.
var ErrNoBackup = errors.New("there is no backup")

// LastBackup returns the file of the newest weekly backup in a data folder. Errors: ErrNoBackup.
func LastBackup(dir string) (string, error) {
	made, err := filepath.Glob(filepath.Join(dir, backupsFolder, "kairos-*"+BackupExtension))
	if err != nil || len(made) == 0 {
		return "", fmt.Errorf("%w in %s", ErrNoBackup, filepath.Join(dir, backupsFolder))
	}
	return slices.Max(made), nil // by date
}

// BackupDate returns the day on which a weekly backup was made, by the name of its file.
func BackupDate(file string) (time.Time, error) {
	name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "kairos-"), BackupExtension)
	return time.ParseInLocation("2006-01-02", name, time.Local)
}

// RestoreDamaged replaces all data of a folder by those of a backup, also if the file of the folder cannot be read. The caller
// owns the folder. The old file is set aside under the name that is returned. Errors: those of reader.CheckBackup.
func RestoreDamaged(ctx context.Context, dir, backup string, now time.Time) (c reader.BackupContents, aside string, err error) {
	if c, err = reader.CheckBackup(ctx, backup, rooms()...); err != nil {
		return c, "", fmt.Errorf("restore %s: %w", backup, err)
	}
	if err := reader.RemoveStale(dir, filepath.Join(dir, backupsFolder)); err != nil {
		return c, "", fmt.Errorf("remove what an earlier restore left: %w", err)
	}
	if aside, err = restoreInto(ctx, dir, backup, now); !isDamaged(err) {
		return c, aside, err
	}
	aside, err = reader.RestoreDamaged(ctx, dir, backup, now, rooms()...)
	return c, aside, err
}

// ContentsOfDamaged counts what the last backup of a folder holds, and about what Salvage would bring back. Errors: ErrNoBackup, those
// of reader.CheckBackup.
func ContentsOfDamaged(ctx context.Context, dir string) (backup, left reader.BackupContents, err error) {
	file, err := LastBackup(dir)
	if err == nil {
		backup, err = reader.CheckBackup(ctx, file, rooms()...)
	}
	if err == nil {
		left, err = reader.CountReadable(ctx, dir)
	}
	return backup, left, err
}

// Salvage replaces the damaged database of a folder by what can still be read of it. The caller owns the folder. The damaged file is
// set aside under the name that is returned. Errors: reader.ErrNothingLeft, ErrNoBackup if the database is not damaged.
func Salvage(ctx context.Context, dir string, now time.Time) (c reader.BackupContents, aside string, err error) {
	if err := reader.RemoveStale(dir, filepath.Join(dir, backupsFolder)); err != nil {
		return c, "", fmt.Errorf("remove what an earlier restore left: %w", err)
	}
	if err := lookForDamage(ctx, dir, now); !isDamaged(err) {
		return c, "", cmp.Or(err, ErrNoBackup)
	}
	return reader.Salvage(ctx, dir, now, rooms()...)
}

// lookForDamage opens a database and reads all of its tables. The error says where it is damaged.
func lookForDamage(ctx context.Context, dir string, now time.Time) (err error) {
	store, err := reader.Open(ctx, dir, now, rooms()...)
	if err != nil {
		return err
	}
	for table := ""; err == nil; {
		if table, err = store.Storage.CheckNext(ctx, table); table == "" {
			break
		}
	}
	return errors.Join(err, store.Close())
}

func isDamaged(err error) bool {
	fault := reader.FileError(err)
	return fault != nil && fault.Code == reader.Damaged
}

func restoreInto(ctx context.Context, dir, backup string, now time.Time) (aside string, err error) {
	store, err := reader.Open(ctx, dir, now, rooms()...)
	if err != nil {
		return "", err
	}
	aside, err = store.Backups.Restore(ctx, backup, now, rooms()...)
	return aside, errors.Join(err, store.Close())
}
