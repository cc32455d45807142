package reader

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// asideFormat is appended to the name of a database that is set aside, with the time in UTC.
const asideFormat = ".aside-20060102-150405"

// RestoreDamaged puts a backup in the place of the database in dir, which is not opened and is kept under the name that is
// returned. The caller owns the folder. The new file replaces the old one in one step: if the program is killed meanwhile, the one or
// the other is there whole, and RemoveStale takes back what was begun. Errors: those of CheckBackup.
func RestoreDamaged(ctx context.Context, dir, backup string, now time.Time, rooms ...Room) (aside string, err error) {
	if _, err := CheckBackup(ctx, backup, rooms...); err != nil {
		return "", err
	}
	staging, err := os.MkdirTemp(dir, stagingPrefix+"*")
	if err != nil {
		return "", fmt.Errorf("restore: %w", classify(err))
	}
	defer os.RemoveAll(staging) //nolint:errcheck // the next start tries again
	if err := restoreIntoNew(ctx, staging, backup, now, rooms); err != nil {
		return "", err
	}
	path := filepath.Join(dir, FileName)
	aside = path + now.UTC().Format(asideFormat)
	for _, suffix := range []string{"", "-wal"} {
		if err := keepAs(ctx, path+suffix, aside+suffix); err != nil {
			return "", fmt.Errorf("keep the damaged file: %w", classify(err))
		}
	}
	// SQLite would apply the log of the old file to the new one.
	err = errors.Join(removeIfThere(path+"-wal"), removeIfThere(path+"-shm"))
	if err == nil {
		err = os.Rename(filepath.Join(staging, FileName), path)
	}
	if err != nil {
		return aside, fmt.Errorf("restore: %w", classify(err))
	}
	return aside, nil
}

// restoreIntoNew makes a database of a backup in an empty folder, as one file without a log.
func restoreIntoNew(ctx context.Context, dir, backup string, now time.Time, rooms []Room) error {
	store, err := Open(ctx, dir, now, rooms...)
	if err != nil {
		return err
	}
	_, err = store.Backups.Restore(ctx, backup, now, rooms...)
	if err = errors.Join(err, store.Close()); err != nil {
		return err
	}
	path := filepath.Join(dir, FileName)
	if _, err := os.Stat(path + "-wal"); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("restore: the log of %s is still there (%v)", path, err)
	}
	return syncFile(path)
}

// keepAs gives a file, if it is there, a second name; where the file system has no links it copies it.
func keepAs(ctx context.Context, file, as string) error {
	err := os.Link(file, as)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return copyFile(ctx, file, as, nil)
}

// takeBackReplacement undoes what a killed RestoreDamaged did before it replaced the file: the file has no second name any more, and
// its log again.
func takeBackReplacement(dir string) error {
	path := filepath.Join(dir, FileName)
	present, err := os.Lstat(path)
	if err != nil {
		return nil // there is none, or it cannot be opened either
	}
	asides, err := filepath.Glob(path + ".aside-*")
	for _, aside := range asides {
		kept, failed := os.Lstat(aside)
		if failed != nil || strings.HasSuffix(aside, "-wal") || !os.SameFile(present, kept) {
			continue
		}
		if _, missing := os.Lstat(path + "-wal"); errors.Is(missing, fs.ErrNotExist) {
			if failed := os.Rename(aside+"-wal", path+"-wal"); !errors.Is(failed, fs.ErrNotExist) {
				err = errors.Join(err, failed)
			}
		}
		err = errors.Join(err, removeIfThere(aside+"-wal"), removeIfThere(aside))
	}
	return err
}
