package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/sqlite"

	"kairos/reader/sqlitefile"
)

// database is the SQLite file: one connection that writes and a pool that reads.
type database struct {
	path     string
	write    *sql.DB // nil if the file is open for reading only
	read     *sql.DB
	prepared *Statements // of read

	commits atomic.Int64 // so far, those that watchers were told about
	back    atomic.Pointer[backKnown]
	lists   atomic.Int64 // of these, those after which lists may have other feeds or articles

	mu       sync.Mutex // guards watchers
	watchers map[chan struct{}]bool
}

// busyTimeout is how long to wait for another program that holds the file, in milliseconds.
var busyTimeout = 5000

const (
	maxReaders  = 4 // reading connections at a time
	idleReaders = 2 // reading connections kept open while nothing is read
)

// openDatabase opens the file in dir for reading and writing, and migrates it.
func openDatabase(ctx context.Context, dir string, now time.Time, progress Progress, rooms []Room) (*database, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		if err = classify(err); FileError(err) == nil {
			err = fmt.Errorf("%w: %w", ErrReadOnly, err)
		}
		return nil, err
	}
	db, err := databaseIn(dir)
	if err == nil {
		err = checkFile(db.path)
	}
	if err != nil {
		return nil, err
	}
	if err := db.openWriter(ctx); err != nil {
		return nil, err
	}
	if err := db.migrate(ctx, now, progress, withOwnTables(rooms)); err != nil {
		return nil, errors.Join(classify(err), db.write.Close())
	}
	if err := db.openReaders(); err != nil {
		return nil, errors.Join(err, db.write.Close())
	}
	return db, nil
}

// openDatabaseReadOnly opens the file in dir for reading. It changes nothing, so the file must
// be of this version.
func openDatabaseReadOnly(ctx context.Context, dir string, rooms []Room) (*database, error) {
	db, err := databaseIn(dir)
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(db.path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", ErrNone, err)
	}
	if err := checkFile(db.path); err != nil {
		return nil, err
	}
	err = db.openChecked(ctx, rooms)
	if (errors.Is(err, ErrReadOnly) || errors.Is(err, ErrFull) || errors.Is(err, ErrDisk)) && !db.hasLog() {
		// To read a WAL database SQLite makes an index beside it, which fails in a folder that
		// cannot be written to. Without a log it needs none.
		err = db.openChecked(ctx, rooms, "immutable=1")
	}
	if err != nil {
		return nil, err
	}
	return db, nil
}

func databaseIn(dir string) (*database, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", dir, err)
	}
	return &database{path: filepath.Join(abs, FileName), watchers: map[chan struct{}]bool{}}, nil
}

func (db *database) openChecked(ctx context.Context, rooms []Room, options ...string) error {
	if err := db.openReaders(options...); err != nil {
		return err
	}
	if err := db.checkVersion(ctx, withOwnTables(rooms)); err != nil {
		return errors.Join(classify(err), db.read.Close())
	}
	return nil
}

// hasLog reports whether the log may hold changes that are not in the file yet.
func (db *database) hasLog() bool {
	info, err := os.Stat(db.path + "-wal")
	return err == nil && info.Size() > 0
}

func (db *database) openWriter(ctx context.Context) error {
	options := []string{"_txlock=immediate", busyTimeoutOption()}
	if info, err := os.Stat(db.path); err != nil || info.Size() == 0 {
		// SQLite would let others read it where the folder does, and gives its log the rights of the file.
		if f, err := os.OpenFile(db.path, os.O_CREATE|os.O_RDWR, 0o600); err == nil {
			f.Close()
		}
		// Storage.Compact can return free pages bit by bit only if auto_vacuum is set before
		// anything else.
		options = append(options, "_pragma=auto_vacuum(INCREMENTAL)")
	}
	options = append(append(options, journal(filepath.Dir(db.path))...), "_pragma=foreign_keys(1)")
	connector, err := sqlite.NewConnector(sqlitefile.DSN(db.path, options...))
	if err != nil {
		return fmt.Errorf("open %s: %w", db.path, err)
	}
	writer := sql.OpenDB(preparingConnector{connector})
	// SQLite has one writer at a time. Waiting in Go keeps the order and never meets
	// SQLITE_BUSY within this process.
	writer.SetMaxOpenConns(1)
	if err := writer.PingContext(ctx); err != nil {
		return errors.Join(classify(fmt.Errorf("open %s: %w", db.path, err)), writer.Close())
	}
	db.write = writer
	return nil
}

func (db *database) openReaders(options ...string) error {
	options = append(options, "mode=ro", busyTimeoutOption(), "_pragma=query_only(1)")
	readers, err := sql.Open("sqlite", sqlitefile.DSN(db.path, options...))
	if err != nil {
		return fmt.Errorf("open %s: %w", db.path, err)
	}
	readers.SetMaxOpenConns(maxReaders)
	readers.SetMaxIdleConns(idleReaders)
	db.read, db.prepared = readers, &Statements{db: readers}
	return nil
}

func busyTimeoutOption() string { return fmt.Sprintf("_pragma=busy_timeout(%d)", busyTimeout) }

// close ends all watches, waits for the transaction in flight and closes the file.
func (db *database) close() error {
	db.mu.Lock()
	for ch := range db.watchers {
		close(ch)
	}
	db.watchers = nil
	db.mu.Unlock()
	// The writer is closed last: only then does SQLite move its log into the file.
	err := db.read.Close()
	if db.write != nil {
		// Renews aged statistics of the query planner.
		db.write.Exec("PRAGMA optimize") //nolint:errcheck // old statistics do no harm
		err = errors.Join(err, db.write.Close())
	}
	return err
}
