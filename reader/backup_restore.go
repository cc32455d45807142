package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
)

// stagingName begins the names of the folders in which a backup is made ready.
const stagingName = "restore-"

// Restore puts what a backup holds in place of what the store holds, in one transaction:
// a program that is killed meanwhile finds the one or the other whole. Before that the
// backup is checked and brought up to date in a copy, and what the store holds is set
// aside beside it, under the name that is returned. Errors: those of CheckBackup.
func (s *Store) Restore(ctx context.Context, backup string, now time.Time, rooms ...Room) (aside string, err error) {
	if s.write == nil {
		return "", ErrReadOnly
	}
	if _, err := CheckBackup(ctx, backup, rooms...); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(filepath.Dir(s.path), stagingName+"*")
	if err != nil {
		return "", fmt.Errorf("restore: %w", explain(err))
	}
	defer os.RemoveAll(dir) //nolint:errcheck // the next start tries again
	if err := s.stage(ctx, backup, dir, now, rooms); err != nil {
		return "", err
	}
	aside = s.path + now.UTC().Format(".aside-20060102-150405")
	if _, err := s.Backup(ctx, aside, now); err != nil {
		return "", fmt.Errorf("set aside what is there: %w", err)
	}
	if err := s.replace(ctx, filepath.Join(dir, FileName)); err != nil {
		return aside, fmt.Errorf("restore: %w", explain(err))
	}
	s.memo.forget()
	// The log is as long as the file now; whoever still reads it puts this off.
	s.write.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)") //nolint:errcheck // nothing is lost without
	s.tell()
	return aside, nil
}

// SweepRestores removes what a restore that was killed has left in a data folder.
func SweepRestores(dir string) error {
	left, err := filepath.Glob(filepath.Join(dir, stagingName+"*", FileName))
	if err != nil {
		return err
	}
	for _, file := range left {
		err = errors.Join(err, os.RemoveAll(filepath.Dir(file)))
	}
	return err
}

// stage brings a copy of a backup up to date in dir and looks whether it is what it
// seems.
func (s *Store) stage(ctx context.Context, backup, dir string, now time.Time, rooms []Room) error {
	if err := copyFile(ctx, backup, filepath.Join(dir, FileName)); err != nil {
		return fmt.Errorf("read the backup: %w", explain(err))
	}
	made, err := Open(ctx, dir, now, rooms...)
	if err != nil {
		return fmt.Errorf("%w: bring the backup up to date: %v", ErrBackupDamaged, err)
	}
	err = s.sameKind(ctx, made)
	if err == nil {
		err = s.keepLogins(ctx, made)
	}
	if err == nil {
		_, err = made.write.ExecContext(ctx, "DELETE FROM setting WHERE key = ?", settingMade)
	}
	return errors.Join(err, made.Close())
}

// keepLogins lets a feed of a backup have a login only if it has one here: passwords are
// kept elsewhere under a feed's number, and that of another feed is none of its business.
func (s *Store) keepLogins(ctx context.Context, made *Store) error {
	const logins = "SELECT id || ' ' || same FROM feed WHERE login = 1"
	ours, err := texts(ctx, s.read, logins)
	if err != nil {
		return err
	}
	theirs, err := texts(ctx, made.write, logins)
	if err != nil {
		return err
	}
	for feed := range theirs {
		if ours[feed] {
			continue
		}
		if _, err := made.write.ExecContext(ctx, "UPDATE feed SET login = 0 WHERE id || ' ' || same = ?", feed); err != nil {
			return err
		}
	}
	return nil
}

// sameKind refuses a file that would do things by itself that ours does not: one that
// holds triggers or views of its own, or pages of another size, was not made by us.
func (s *Store) sameKind(ctx context.Context, made *Store) error {
	const acting = "SELECT name || ' ' || sql FROM sqlite_schema WHERE type IN ('trigger', 'view')"
	ours, err := texts(ctx, s.read, acting)
	if err != nil {
		return err
	}
	theirs, err := texts(ctx, made.write, acting)
	if err != nil {
		return err
	}
	for text := range theirs {
		if !ours[text] {
			return fmt.Errorf("%w: it holds %.100q", ErrNoBackup, text)
		}
	}
	var page, theirPage int
	if err := s.read.QueryRowContext(ctx, "PRAGMA page_size").Scan(&page); err != nil {
		return err
	}
	if err := made.write.QueryRowContext(ctx, "PRAGMA page_size").Scan(&theirPage); err != nil {
		return err
	}
	if page != theirPage {
		return fmt.Errorf("%w: its pages have %d bytes", ErrNoBackup, theirPage)
	}
	return nil
}

func texts(ctx context.Context, db *sql.DB, query string) (map[string]bool, error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[string]bool{}
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		all[text] = true
	}
	return all, rows.Err()
}

// replaceAtOnce is how many pages are copied between two looks at the context.
const replaceAtOnce = 1000

// replace copies a file over ours by SQLite's backup interface: readers see what was
// there until all of it is committed.
func (s *Store) replace(ctx context.Context, file string) error {
	conn, err := s.write.Conn(ctx)
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
		copying, err := restorer.NewRestore(dsn(file, "mode=ro"))
		if err != nil {
			return err
		}
		for more := true; more && err == nil; {
			if err = ctx.Err(); err == nil {
				more, err = copying.Step(replaceAtOnce)
			}
		}
		// Ended before its last page, it takes everything back.
		return errors.Join(err, copying.Finish())
	})
}

// copyFile copies a file until ctx ends.
func copyFile(ctx context.Context, from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	for err == nil {
		if err = ctx.Err(); err == nil {
			_, err = io.CopyN(out, in, 8<<20)
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, out.Close())
}
