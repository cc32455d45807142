package reader

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	sqlitelib "modernc.org/sqlite/lib"
)

// Faults a caller tells apart with errors.Is.
var (
	ErrNewer    = errors.New("this folder was written by a newer version of Kairos")
	ErrOlder    = errors.New("the database must be opened for writing once to be brought up to date")
	ErrDamaged  = errors.New("the database is damaged")
	ErrLocked   = errors.New("the database is in use by another program")
	ErrReadOnly = errors.New("the folder cannot be written to")
	ErrFull     = errors.New("there is no room left on the disk")
	ErrDisk     = errors.New("the disk cannot be read or written")
	ErrNone     = errors.New("there is no database here yet")
	ErrUnknown  = errors.New("no such feed or article")
)

// Faults of a backup that a caller tells apart with errors.Is.
var (
	ErrNoBackup      = errors.New("this file is not a backup of Kairos")
	ErrBackupNewer   = errors.New("this backup was made by a newer version of Kairos; install that version to restore it")
	ErrBackupDamaged = errors.New("this backup is damaged or was cut short; nothing was changed")
)

// Fault returns which of the faults of the file or its folder an error is, nil if it is
// none: what a person is to be told instead of SQLite's own words.
func Fault(err error) error {
	for _, fault := range []error{ErrNewer, ErrOlder, ErrDamaged, ErrLocked, ErrReadOnly, ErrFull, ErrDisk, ErrNone} {
		if errors.Is(err, fault) {
			return fault
		}
	}
	return nil
}

// DuplicateError says that an address is subscribed already.
type DuplicateError struct{ Feed Feed }

func (e *DuplicateError) Error() string {
	return "already subscribed as “" + e.Feed.Title + "”"
}

// classify wraps an error of SQLite or of the file system in the fault that a person can act
// on. Other errors stay as they are.
func classify(err error) error {
	var se *sqlite.Error
	if !errors.As(err, &se) {
		switch {
		case errors.Is(err, fs.ErrPermission):
			return fmt.Errorf("%w: %w", ErrReadOnly, err)
		case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
			return fmt.Errorf("%w: %w", ErrFull, err)
		}
		return err
	}
	kind := map[int]error{
		sqlitelib.SQLITE_FULL:     ErrFull,
		sqlitelib.SQLITE_IOERR:    ErrDisk,
		sqlitelib.SQLITE_NOTADB:   ErrDamaged,
		sqlitelib.SQLITE_CORRUPT:  ErrDamaged,
		sqlitelib.SQLITE_BUSY:     ErrLocked,
		sqlitelib.SQLITE_LOCKED:   ErrLocked,
		sqlitelib.SQLITE_READONLY: ErrReadOnly,
		sqlitelib.SQLITE_PERM:     ErrReadOnly,
		sqlitelib.SQLITE_CANTOPEN: ErrReadOnly,
	}[se.Code()&0xff]
	if se.Code() == sqlitelib.SQLITE_IOERR_SHMSIZE {
		kind = ErrFull // no space for the index of the log
	}
	if kind == nil || errors.Is(err, kind) {
		return err
	}
	return fmt.Errorf("%w: %w", kind, err)
}
