package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"modernc.org/sqlite"
	sqlitelib "modernc.org/sqlite/lib"
)

// FileName is the database's name in the data folder.
const FileName = "kairos.db"

// patience is how long another program may hold the file, in milliseconds.
var patience = 5000

// Store is the SQLite file: one connection that writes, a pool that reads.
type Store struct {
	path  string
	write *sql.DB
	read  *sql.DB
	ready *Statements // of read

	mu       sync.Mutex
	watchers map[chan struct{}]bool

	damaged atomic.Bool   // the index of words, as a search has found
	mended  atomic.Bool   // it is built anew for that
	rebuild chan struct{} // wakes the indexer for that
	memo    *memo         // nil where others write

	searches atomic.Int64 // that had to be quick, so far
}

// Room is a part of the program that keeps tables of its own in the file. Its
// steps are applied in order, each once and each in its own transaction; a
// step that has been released is never edited.
type Room struct {
	Name  string
	Steps []string
}

// Open opens the file in dir for writing, creating it if need be, and brings
// the tables of the reader and of rooms up to date at the instant now. Errors:
// ErrNewer, ErrDamaged, ErrLocked, ErrReadOnly, ErrFull, ErrDisk.
func Open(ctx context.Context, dir string, now time.Time, rooms ...Room) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		if err = explain(err); Fault(err) == nil {
			err = fmt.Errorf("%w: %w", ErrReadOnly, err)
		}
		return nil, err
	}
	s, err := storeIn(dir)
	if err != nil {
		return nil, err
	}
	if err := s.openWriter(ctx); err != nil {
		return nil, err
	}
	if err := s.migrate(ctx, now, withOurs(rooms)); err != nil {
		return nil, errors.Join(explain(err), s.write.Close())
	}
	if err := s.openReaders(); err != nil {
		return nil, errors.Join(err, s.write.Close())
	}
	return s, nil
}

// OpenReadOnly opens the file in dir for reading only; it works at any time,
// also beside the process that owns the folder. Errors: ErrNone, ErrNewer,
// ErrOlder, ErrDamaged.
func OpenReadOnly(ctx context.Context, dir string, rooms ...Room) (*Store, error) {
	s, err := storeIn(dir)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(s.path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", ErrNone, err)
	}
	err = s.openChecked(ctx, rooms)
	if (errors.Is(err, ErrReadOnly) || errors.Is(err, ErrFull) || errors.Is(err, ErrDisk)) && !s.hasLog() {
		// Reading a WAL database takes an index beside it, which cannot be made
		// in a folder that cannot be written to; without a log none is needed.
		err = s.openChecked(ctx, rooms, "immutable=1")
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Store) openChecked(ctx context.Context, rooms []Room, options ...string) error {
	if err := s.openReaders(options...); err != nil {
		return err
	}
	if err := s.checkVersion(ctx, withOurs(rooms)); err != nil {
		return errors.Join(explain(err), s.read.Close())
	}
	return nil
}

// hasLog reports whether something may be written that is not in the file yet.
func (s *Store) hasLog() bool {
	info, err := os.Stat(s.path + "-wal")
	return err == nil && info.Size() > 0
}

func storeIn(dir string) (*Store, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", dir, err)
	}
	return &Store{path: filepath.Join(abs, FileName), watchers: map[chan struct{}]bool{}, rebuild: make(chan struct{}, 1)}, nil
}

func withOurs(rooms []Room) []Room {
	return append([]Room{{Name: "reader", Steps: steps}}, rooms...)
}

func (s *Store) openWriter(ctx context.Context) error {
	options := []string{"_txlock=immediate", busyTimeout()}
	if info, err := os.Stat(s.path); err != nil || info.Size() == 0 {
		// Free pages can be given back piecemeal (Compact) only if that is said before
		// anything else is.
		options = append(options, "_pragma=auto_vacuum(INCREMENTAL)")
	}
	db, err := sql.Open("sqlite", dsn(s.path, append(options, "_pragma=journal_mode(WAL)", "_pragma=synchronous(NORMAL)", "_pragma=foreign_keys(1)")...))
	if err != nil {
		return fmt.Errorf("open %s: %w", s.path, err)
	}
	// SQLite has one writer at a time; waiting in Go keeps the order and never
	// meets SQLITE_BUSY among ourselves.
	db.SetMaxOpenConns(1)
	if err := db.PingContext(ctx); err != nil {
		return errors.Join(explain(fmt.Errorf("open %s: %w", s.path, err)), db.Close())
	}
	s.write, s.memo = db, &memo{}
	return nil
}

func (s *Store) openReaders(options ...string) error {
	options = append(options, "mode=ro", busyTimeout(), "_pragma=query_only(1)")
	db, err := sql.Open("sqlite", dsn(s.path, options...))
	if err != nil {
		return fmt.Errorf("open %s: %w", s.path, err)
	}
	db.SetMaxOpenConns(4)
	db.SetMaxIdleConns(idleReaders)
	s.read, s.ready = db, &Statements{db: db}
	return nil
}

func busyTimeout() string { return fmt.Sprintf("_pragma=busy_timeout(%d)", patience) }

// dsn names an absolute path as SQLite's URI filenames do; a drive letter stands
// behind a slash, as it would be taken for a host.
func dsn(path string, options ...string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: strings.Join(options, "&")}
	return u.String()
}

// Close waits for the transaction in flight and closes the file.
func (s *Store) Close() error {
	s.mu.Lock()
	for ch := range s.watchers {
		close(ch)
	}
	s.watchers = nil
	s.mu.Unlock()
	// The writer goes last: only then does SQLite move its log into the file.
	err := s.read.Close()
	if s.write != nil {
		// Renews the statistics queries are planned by, where they have aged.
		s.write.Exec("PRAGMA optimize") //nolint:errcheck // nothing is lost without
		err = errors.Join(err, s.write.Close())
	}
	return err
}

// Path is where the file lies.
func (s *Store) Path() string { return s.path }

// Read is the pool of reading connections.
func (s *Store) Read() *sql.DB { return s.read }

// Prepared are queries of that pool that are kept prepared.
func (s *Store) Prepared() *Statements { return s.ready }

// Write runs f in one transaction and commits it if f returns nil. Watchers
// are told after the commit.
func (s *Store) Write(ctx context.Context, f func(tx *sql.Tx) error) error {
	if s.write == nil {
		return ErrReadOnly
	}
	if err := commit(ctx, s.write, f); err != nil {
		return explain(err)
	}
	s.tell()
	return nil
}

func commit(ctx context.Context, db *sql.DB, f func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it has nothing to do
	if err := f(tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// Watch returns a channel that holds a signal whenever something has been
// committed since the last receive, and a function that ends the watch. It is
// closed with the store.
func (s *Store) Watch() (<-chan struct{}, func()) {
	ch := make(chan struct{}, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watchers == nil {
		close(ch)
		return ch, func() {}
	}
	s.watchers[ch] = true
	return ch, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watchers, ch)
	}
}

func (s *Store) tell() {
	if s.memo != nil {
		s.memo.commits.Add(1)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for ch := range s.watchers {
		select {
		case ch <- struct{}{}:
		default:
		}
	}
}

// explain adds the fault a person can act on to SQLite's own words.
func explain(err error) error {
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
		kind = ErrFull // the index of the log finds no room
	}
	if kind == nil || errors.Is(err, kind) {
		return err
	}
	return fmt.Errorf("%w: %w", kind, err)
}
