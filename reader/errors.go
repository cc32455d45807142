package reader

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"syscall"

	"modernc.org/sqlite"
	sqlitelib "modernc.org/sqlite/lib"

	"kairos/reader/imports"
)

// ErrorCode names an error that a person can act on.
type ErrorCode string

const (
	Newer            ErrorCode = "newer"             // a newer version of Kairos has written the file
	Older            ErrorCode = "older"             // the file must be opened for writing once, to be migrated
	Damaged          ErrorCode = "damaged"           // the file is not a sound database
	Locked           ErrorCode = "locked"            // another program is using the file
	ReadOnly         ErrorCode = "read-only"         // the file or its folder cannot be written to
	Foreign          ErrorCode = "foreign"           // another program made the file, or it is a link or a pipe
	Shared           ErrorCode = "shared"            // other users can write to the folder
	Full             ErrorCode = "full"              // the disk is full
	Disk             ErrorCode = "disk"              // the disk cannot be read or written
	NoLocks          ErrorCode = "no-locks"          // the file system has no locks
	None             ErrorCode = "none"              // there is no file yet
	Unknown          ErrorCode = "unknown"           // no such feed, article, rule, label or saved search
	SnoozeTime       ErrorCode = "snooze-time"       // an article comes back later than now, and within two years
	LabelName        ErrorCode = "label-name"        // no name, or one that is too long
	LabelExists      ErrorCode = "label-exists"      // another label has this name
	AccountExists    ErrorCode = "account-exists"    // another account has this server and user
	NotABackup       ErrorCode = "not-a-backup"      // the file is something else
	BackupUnreadable ErrorCode = "backup-unreadable" // the file cannot be opened
	BackupNewer      ErrorCode = "backup-newer"      // a newer version of Kairos has made the backup
	BackupDamaged    ErrorCode = "backup-damaged"    // the backup is damaged or incomplete
)

// Error is an error that a person can act on. Others wrap it, together with the error of SQLite or
// of the file system.
type Error struct {
	Code ErrorCode `json:"code"`
}

func (e *Error) Error() string {
	switch e.Code {
	case Newer:
		return "the database was written by a newer version"
	case Older:
		return "the database is of an older version"
	case Damaged:
		return "the database is damaged"
	case Locked:
		return "the database is locked by another program"
	case ReadOnly:
		return "the folder cannot be written to"
	case Foreign:
		return "the database is not one of Kairos"
	case Shared:
		return "other users can write to the folder"
	case Full:
		return "the disk is full"
	case Disk:
		return "the disk cannot be read or written"
	case NoLocks:
		return "the file system has no locks"
	case None:
		return "there is no database"
	case Unknown:
		return "no such feed or article"
	case SnoozeTime:
		return "articles can be put away until a time to come, within two years"
	case LabelName:
		return "the name of a label is missing or too long"
	case LabelExists:
		return "another label has this name"
	case AccountExists:
		return "there is an account of this server and user"
	case NotABackup:
		return "the file is not a backup"
	case BackupUnreadable:
		return "the backup cannot be read"
	case BackupNewer:
		return "the backup was made by a newer version"
	case BackupDamaged:
		return "the backup is damaged"
	}
	return string(e.Code)
}

// One error for each code, for errors.Is.
var (
	ErrNewer            error = &Error{Newer}
	ErrOlder            error = &Error{Older}
	ErrDamaged          error = &Error{Damaged}
	ErrLocked           error = &Error{Locked}
	ErrReadOnly         error = &Error{ReadOnly}
	ErrForeign          error = &Error{Foreign}
	ErrShared           error = &Error{Shared}
	ErrFull             error = &Error{Full}
	ErrDisk             error = &Error{Disk}
	ErrNoLocks          error = &Error{NoLocks}
	ErrNone             error = &Error{None}
	ErrUnknown          error = &Error{Unknown}
	ErrSnoozeTime       error = &Error{SnoozeTime}
	ErrLabelName        error = &Error{LabelName}
	ErrLabelExists      error = &Error{LabelExists}
	ErrAccountExists    error = &Error{AccountExists}
	ErrNotABackup       error = &Error{NotABackup}
	ErrBackupUnreadable error = &Error{BackupUnreadable}
	ErrBackupNewer      error = &Error{BackupNewer}
	ErrBackupDamaged    error = &Error{BackupDamaged}
)

// FileError returns the error of the file, its disk or its folder that err wraps; nil if it wraps
// none, or one of a backup. Damage is one also where a query met it.
func FileError(err error) *Error {
	if other := (*imports.Error)(nil); errors.As(err, &other) {
		return nil // of the file of another reader
	}
	var e *Error
	var query *sqlite.Error
	if !errors.As(err, &e) && errors.As(err, &query) {
		if errors.As(classify(query), &e); e != nil && e.Code != Damaged {
			return nil
		}
	}
	if e == nil {
		return nil
	}
	switch e.Code {
	case Newer, Older, Damaged, Locked, ReadOnly, Foreign, Shared, Full, Disk, NoLocks, None:
		return e
	}
	return nil
}

// DuplicateError says that an address is already subscribed to.
type DuplicateError struct{ Feed Feed }

func (e *DuplicateError) Error() string {
	return fmt.Sprintf("already subscribed to %s as %q", e.Feed.URL, e.Feed.Title)
}

// Windows' numbers for a full disk (winerror.h).
const (
	errorHandleDiskFull    = syscall.Errno(39)
	errorDiskFull          = syscall.Errno(112)
	errorDiskQuotaExceeded = syscall.Errno(1295)
)

// IsFull reports whether an error is that of a full disk, or of the user's quota of it.
func IsFull(err error) bool {
	return errors.Is(err, ErrFull) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || runtime.GOOS == "windows" &&
		(errors.Is(err, errorHandleDiskFull) || errors.Is(err, errorDiskFull) || errors.Is(err, errorDiskQuotaExceeded))
}

// classify wraps an error of SQLite or of the file system in the Error that a person can act on.
// Other errors stay as they are.
func classify(err error) error {
	var se *sqlite.Error
	if !errors.As(err, &se) {
		switch {
		case errors.Is(err, fs.ErrPermission):
			return fmt.Errorf("%w: %w", ErrReadOnly, err)
		case IsFull(err):
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
