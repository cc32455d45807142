package reader

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"modernc.org/sqlite"

	"kairos/reader/sqlitefile"
)

// stagingPrefix begins the names of the folders in which a backup is prepared.
const stagingPrefix = "restore-"

// Restore replaces what the store holds by a backup, in one transaction: if the program is killed
// meanwhile, the one or the other is there whole. Before that, the backup is checked and migrated
// in a copy, and the store is saved beside its file, under the name that is returned. Errors: those
// of CheckBackup.
func (b Backups) Restore(ctx context.Context, backup string, now time.Time, rooms ...Room) (saved string, err error) {
	if b.db.write == nil {
		return "", ErrReadOnly
	}
	if _, err := CheckBackup(ctx, backup, rooms...); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(filepath.Dir(b.db.path), stagingPrefix+"*")
	if err != nil {
		return "", fmt.Errorf("restore: %w", classify(err))
	}
	defer os.RemoveAll(dir) //nolint:errcheck // the next start tries again
	if err := b.stage(ctx, backup, dir, now, rooms); err != nil {
		return "", err
	}
	saved = b.db.path + now.UTC().Format(asideFormat)
	if _, err := b.Create(ctx, saved, now); err != nil {
		return "", fmt.Errorf("save the present contents: %w", err)
	}
	if err := b.replaceContents(ctx, filepath.Join(dir, FileName)); err != nil {
		return saved, fmt.Errorf("restore: %w", classify(err))
	}
	b.search.cache.clear()
	// The log is as long as the file now. A reader that still uses it delays its truncation.
	b.db.write.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)") //nolint:errcheck // a long log does no harm
	b.db.notify()
	return saved, nil
}

// RemoveStale removes what a killed Restore or RestoreDamaged has left in a data folder, and killed Creates there and in the folder of its backups.
func RemoveStale(dir, backups string) error {
	staged, err := filepath.Glob(filepath.Join(dir, stagingPrefix+"*"))
	err = errors.Join(err, takeBackReplacement(dir))
	for _, folder := range staged {
		if isStaging(folder) {
			err = errors.Join(err, os.RemoveAll(folder))
		}
	}
	for _, dir := range []string{dir, backups} {
		parts, failed := filepath.Glob(filepath.Join(dir, partPrefix+"*"))
		err = errors.Join(err, failed)
		for _, file := range parts {
			err = errors.Join(err, removeIfThere(file))
		}
	}
	return err
}

// isStaging reports whether a folder is named as Restore names it, by a number, and holds nothing but a database or what is left
// of one: Restore may be killed before it has copied it, or while it removes it. That of RestoreDamaged holds one of Restore, too.
func isStaging(folder string) bool {
	if _, err := strconv.ParseUint(strings.TrimPrefix(filepath.Base(folder), stagingPrefix), 10, 64); err != nil {
		return false
	}
	entries, err := os.ReadDir(folder)
	return err == nil && !slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		ours := strings.HasPrefix(e.Name(), FileName) || strings.HasPrefix(e.Name(), partPrefix)
		return !ours && !isStaging(filepath.Join(folder, e.Name()))
	})
}

// stage migrates a copy of a backup in dir and checks that it is what it claims to be.
func (b Backups) stage(ctx context.Context, backup, dir string, now time.Time, rooms []Room) error {
	if err := copyFile(ctx, backup, filepath.Join(dir, FileName), nil); err != nil {
		return fmt.Errorf("read the backup: %w", classify(err))
	}
	staged, err := openDatabase(ctx, dir, now, nil, rooms)
	if err != nil {
		return fmt.Errorf("%w: migrate the backup: %v", ErrBackupDamaged, err)
	}
	err = b.checkSchema(ctx, staged)
	if err == nil {
		err = b.removeForeignLogins(ctx, staged)
	}
	if err == nil {
		err = b.removeForeignCertificates(ctx, staged)
	}
	if err == nil {
		_, err = staged.write.ExecContext(ctx, "DELETE FROM setting WHERE key = ?", settingBackupMade)
	}
	if err == nil {
		_, err = staged.write.ExecContext(ctx, "UPDATE account SET recheck = 1")
	}
	return errors.Join(err, staged.close())
}

// removeForeignLogins keeps the login of a feed only if the feed has one here, too, at the same address: passwords are
// stored elsewhere under the feed's id, and a feed must not get the password of another one.
func (b Backups) removeForeignLogins(ctx context.Context, staged *database) error {
	const logins = "SELECT id || ' ' || url FROM feed WHERE login = 1"
	ours, err := textSet(ctx, b.db.read, logins)
	if err != nil {
		return err
	}
	theirs, err := textSet(ctx, staged.write, logins)
	if err != nil {
		return err
	}
	for feed := range theirs {
		if ours[feed] {
			continue
		}
		if _, err := staged.write.ExecContext(ctx, "UPDATE feed SET login = 0 WHERE id || ' ' || url = ?", feed); err != nil {
			return err
		}
	}
	return nil
}

// SettingCertificate begins the settings that hold the fingerprint of the certificate the user trusts of a host; "" is none.
const SettingCertificate = "certificate."

// removeForeignCertificates keeps trust in a certificate only if the user has it here, too: whoever made the backup could read along.
func (b Backups) removeForeignCertificates(ctx context.Context, staged *database) error {
	const certificates = "SELECT key || ' ' || value FROM setting WHERE key GLOB '" + SettingCertificate + "*'"
	ours, err := textSet(ctx, b.db.read, certificates)
	if err != nil {
		return err
	}
	theirs, err := textSet(ctx, staged.write, certificates)
	for trust := range theirs {
		if err == nil && !ours[trust] {
			_, err = staged.write.ExecContext(ctx, "DELETE FROM setting WHERE key || ' ' || value = ?", trust)
		}
	}
	return err
}

// checkSchema refuses a file that Kairos did not make: one with triggers, views or computed columns that ours does
// not have, which would act by themselves, or with pages of another size.
func (b Backups) checkSchema(ctx context.Context, staged *database) error {
	const active = `SELECT name || ' ' || sql FROM sqlite_schema s WHERE type IN ('trigger', 'view')
		OR type = 'table' AND EXISTS (SELECT 1 FROM pragma_table_xinfo(s.name) x WHERE x.hidden IN (2, 3))`
	ours, err := textSet(ctx, b.db.read, active)
	if err != nil {
		return err
	}
	theirs, err := textSet(ctx, staged.write, active)
	if err != nil {
		return err
	}
	for text := range theirs {
		if !ours[text] {
			return fmt.Errorf("%w: it holds %.100q", ErrNotABackup, text)
		}
	}
	var page, theirPage int
	if err := b.db.read.QueryRowContext(ctx, "PRAGMA page_size").Scan(&page); err != nil {
		return err
	}
	if err := staged.write.QueryRowContext(ctx, "PRAGMA page_size").Scan(&theirPage); err != nil {
		return err
	}
	if page != theirPage {
		return fmt.Errorf("%w: its pages have %d bytes", ErrNotABackup, theirPage)
	}
	return nil
}

func textSet(ctx context.Context, db Querier, query string) (map[string]bool, error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	set := map[string]bool{}
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		set[text] = true
	}
	return set, rows.Err()
}

// replaceBatch is how many pages are copied before the context is looked at again.
const replaceBatch = 1000

// replaceContents copies a file over ours through SQLite's backup interface: readers see the old
// contents until all of the new ones are committed.
func (b Backups) replaceContents(ctx context.Context, file string) error {
	conn, err := b.db.write.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Raw(func(driver any) error {
		restorer, ok := driver.(interface {
			NewRestore(source string) (*sqlite.Backup, error)
		})
		if !ok {
			return errors.New("this build of SQLite cannot restore")
		}
		copying, err := restorer.NewRestore(sqlitefile.DSN(file, "mode=ro"))
		if err != nil {
			return err
		}
		for more := true; more && err == nil; {
			if err = ctx.Err(); err == nil {
				more, err = copying.Step(replaceBatch)
			}
		}
		// Finished before its last page, it rolls everything back.
		return errors.Join(err, copying.Finish())
	})
}

// Progress is told how many bytes of how many have been copied.
type Progress func(done, total int64)

// A file is copied piece by piece, and written to the disk so often that the progress is that of the disk.
const (
	copyChunk = 8 << 20
	syncChunk = 32 * copyChunk
)

// copyFile copies a file to a new one until ctx ends, by the system's own copying: file systems like Btrfs and XFS let the two
// share what they hold. progress may be nil.
func copyFile(ctx context.Context, from, to string, progress Progress) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	for done := int64(0); err == nil; {
		if progress != nil {
			progress(done, info.Size())
		}
		if err = ctx.Err(); err == nil {
			_, err = io.CopyN(out, in, copyChunk)
		}
		if done += copyChunk; err == nil && done%syncChunk == 0 {
			err = out.Sync()
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, out.Close())
}
