package imports

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlitelib "modernc.org/sqlite/lib"

	"kairos/reader/sqlitefile"
)

// database is a copy of a database of another reader, with what its log had.
type database struct {
	*sql.DB
	of  string // the file that was copied
	dir string // of the copy, to be removed

	computed map[string]bool // what is no table of stored values, by names in lower case; set once it is known
}

// maxDatabase is the largest database that is copied.
const maxDatabase = 64 << 30

// copyTries is how often a database is copied that changes meanwhile.
const copyTries = 4

// openDatabase copies a database and opens the copy. Nothing is written beside the original, and no lock is taken: its program may
// run. If it writes while it is copied, it is copied again. Errors: *Error.
func openDatabase(ctx context.Context, path string, o Options) (*database, error) {
	dir, err := os.MkdirTemp(o.Temp, "import-")
	if err != nil {
		return nil, fmt.Errorf("copy %s: %w", path, err)
	}
	db := &database{of: path, dir: dir}
	if err := db.copyWhole(ctx); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if err := sqlitefile.PruneSchema(ctx, db.copied()); err != nil {
		return nil, errors.Join(&Error{Code: Damaged, File: path, Err: err}, os.RemoveAll(dir))
	}
	if db.DB, err = sql.Open("sqlite", sqlitefile.DSN(db.copied(), sqlitefile.ReadCutOff, "_pragma=query_only(1)", "_pragma=mmap_size(0)", "_pragma=cell_size_check(1)")); err != nil {
		return nil, errors.Join(&Error{Code: Damaged, File: path, Err: err}, os.RemoveAll(dir))
	}
	if err := db.bound(ctx); err != nil {
		return nil, errors.Join(&Error{Code: Damaged, File: path, Err: err}, db.Close())
	}
	return db, nil
}

const (
	// maxConnections is how many queries read a database at once: one of articles, and one within it.
	maxConnections = 2
	// maxValue is how many bytes a row of a database has at most, and each of its values.
	maxValue = 4 * MaxText
)

// bound opens the connections, and bounds what they hold in memory. They read nothing that is computed: views, virtual tables and
// columns that are generated could take any time and memory, and no reader has any.
func (db *database) bound(ctx context.Context) error {
	db.SetMaxOpenConns(maxConnections)
	db.SetMaxIdleConns(maxConnections)
	for range maxConnections {
		conn, err := db.Conn(ctx)
		if err != nil {
			return err
		}
		defer conn.Close()
		if _, err := sqlite.Limit(conn, sqlitelib.SQLITE_LIMIT_LENGTH, maxValue); err != nil {
			return err
		}
		err = conn.Raw(func(c any) error { return c.(sqlite.AuthorizerRegisterer).RegisterAuthorizer(db.authorize) })
		if err != nil {
			return err
		}
	}
	return nil
}

// authorize allows what reads stored values.
func (db *database) authorize(action sqlite.AuthorizerActionCode, table, _, _, view string) sqlite.AuthorizerReturnCode {
	if view != "" || action == sqlite.AuthRecursive || action == sqlite.AuthRead && db.computed[strings.ToLower(table)] {
		return sqlite.AuthorizerDeny
	}
	return sqlite.AuthorizerOK
}

// findComputed finds what is no table of stored values.
func (db *database) findComputed(ctx context.Context) error {
	computed := map[string]bool{}
	err := db.each(ctx, `SELECT lower(l.name) FROM pragma_table_list l WHERE l.type IN ('view', 'virtual')
		OR EXISTS (SELECT 1 FROM pragma_table_xinfo(l.name) x WHERE x.hidden IN (2, 3))`, func(rows *sql.Rows) error {
		var name string
		err := rows.Scan(&name)
		computed[name] = true
		return err
	})
	db.computed = computed
	return err
}

func (db *database) copied() string { return filepath.Join(db.dir, "copy.db") }

func (db *database) copyWhole(ctx context.Context) error {
	for range copyTries {
		before := db.state()
		if before[0].size > maxDatabase {
			return &Error{Code: TooLarge, File: db.of}
		}
		for _, suffix := range []string{"", "-wal", "-journal"} {
			if err := copyFile(ctx, db.of+suffix, db.copied()+suffix); err != nil && !(suffix != "" && errors.Is(err, os.ErrNotExist)) {
				return &Error{Code: Damaged, File: db.of + suffix, Err: err}
			}
		}
		if before == db.state() {
			return nil
		}
	}
	return &Error{Code: InUse, File: db.of}
}

type fileState struct {
	size int64
	at   time.Time
}

// state is what shows that a database was written to.
func (db *database) state() (all [3]fileState) {
	for i, suffix := range []string{"", "-wal", "-journal"} {
		if info, err := os.Stat(db.of + suffix); err == nil {
			all[i] = fileState{info.Size(), info.ModTime()}
		}
	}
	return all
}

func copyFile(ctx context.Context, from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return errors.Join(err, removeIfThere(to))
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, contextReader{ctx, in})
	return errors.Join(err, out.Close())
}

func removeIfThere(name string) error {
	if err := os.Remove(name); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// contextReader reads until ctx ends.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

func (db *database) Close() error { return errors.Join(db.DB.Close(), os.RemoveAll(db.dir)) }

// tables returns the names of the tables of a database, in lower case.
func (db *database) tables(ctx context.Context) (map[string]bool, error) {
	names := map[string]bool{}
	err := db.each(ctx, "SELECT coalesce(lower(name), '') FROM sqlite_schema WHERE type = 'table'", func(rows *sql.Rows) error {
		var name string
		err := rows.Scan(&name)
		names[name] = true
		return err
	})
	return names, err
}

// fail says what an error of the database means: that it is damaged, or of a version that has other tables and columns.
func (db *database) fail(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	code := Damaged
	var e *sqlite.Error
	if errors.As(err, &e) && (e.Code() == sqlitelib.SQLITE_ERROR || e.Code() == sqlitelib.SQLITE_AUTH) {
		code = OtherVersion
	}
	return &Error{Code: code, File: db.of, Err: err}
}

// columns returns the names of the columns of a table, in lower case.
func (db *database) columns(ctx context.Context, table string) (columns, error) {
	names := columns{}
	err := db.each(ctx, "SELECT coalesce(lower(name), '') FROM pragma_table_info(?)", func(rows *sql.Rows) error {
		var name string
		err := rows.Scan(&name)
		names[name] = true
		return err
	}, table)
	return names, err
}

// columns are names of columns.
type columns map[string]bool

// or returns a column, or what stands for it in versions that do not have it.
func (c columns) or(name, otherwise string) string {
	if c[strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])] {
		return name
	}
	return otherwise
}

// each calls do for each row of a query.
func (db *database) each(ctx context.Context, query string, do func(rows *sql.Rows) error, args ...any) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return db.fail(ctx, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(rows); err != nil {
			return err
		}
	}
	return db.fail(ctx, rows.Err())
}

// isDamaged reports whether an error says that a file is damaged.
func isDamaged(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == Damaged
}

// maxRows is how many rows are read of a table of feeds, folders or labels, which are held in memory.
const maxRows = 1_000_000

// each calls do for each row of a query, up to maxRows. Rows that do cannot scan are left out; where the table is damaged, reading ends.
// All three are told as a problem.
func (s *file) each(ctx context.Context, table, query string, do func(rows *sql.Rows) error) error {
	var unfit error
	read := 0
	err := s.db.each(ctx, query, func(rows *sql.Rows) error {
		if read++; read > maxRows {
			return nil
		}
		if err := do(rows); err != nil {
			unfit = err
		}
		return nil
	})
	if read > maxRows {
		s.note(Problem{Code: TooMany, File: s.db.of, Place: table, Count: read - maxRows})
	}
	if isDamaged(err) {
		unfit, err = err, nil
	}
	if unfit != nil {
		s.note(damaged(s.db.of, table, unfit))
	}
	return err
}

// values calls do with each value of a column of a table. Where that is damaged they may come several times; it is told when the
// articles are read.
func (s *file) values(ctx context.Context, column, id, from string, do func(value string)) error {
	err := s.db.each(ctx, "SELECT DISTINCT "+column+" FROM "+from, func(rows *sql.Rows) error {
		var value sql.NullString
		err := rows.Scan(&value)
		do(value.String)
		return err
	})
	if !isDamaged(err) {
		return err
	}
	problems := s.Problems
	err = s.rows(ctx, "SELECT "+id+", "+column+" FROM "+from, id, func(row []any) error { do(text(row[1])); return nil })
	s.Problems = problems
	return err
}

// uncounted is the place of the problem that a damaged database does not say how many articles it has. What can be read of it is
// counted as it is read.
const uncounted = "articles"

// queryCounts reads the source's own counts.
func (s *file) queryCounts(ctx context.Context, query string, into ...any) error {
	err := s.db.fail(ctx, s.db.QueryRowContext(ctx, query).Scan(into...))
	if !isDamaged(err) {
		return err
	}
	if one := damaged(s.db.of, uncounted, err); !slices.Contains(s.Problems, one) {
		s.note(one)
	}
	return nil
}

// rows calls do for each row of a query, which ends in its WHERE, by an id that is its first column. Where the database is damaged
// that is gone round, and a problem is told.
func (s *file) rows(ctx context.Context, query, id string, do func(row []any) error) error {
	s.Problems = slices.DeleteFunc(slices.Clone(s.Problems), func(p Problem) bool { return p.Place == uncounted })
	after, lost, err := sqlitefile.Rows(ctx, s.db.DB, query, id, do)
	if lost != nil && err == nil {
		s.note(damaged(s.db.of, fmt.Sprintf("after row %d", after), s.db.fail(ctx, lost)))
	}
	return err
}

// The values of columns, whatever another program has stored in them.

// maxDigits is more bytes than any number of 64 bits has.
const maxDigits = 64

func integer(v any) int64 {
	switch v := v.(type) {
	case int64:
		return v
	case float64:
		return int64(v)
	case bool:
		if v {
			return 1
		}
	case string:
		var n int64
		fmt.Sscan(v[:min(len(v), maxDigits)], &n) //nolint:errcheck // 0 is what is left
		return n
	case []byte:
		return integer(string(v))
	case time.Time:
		return v.Unix()
	}
	return 0
}

func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	case nil:
		return ""
	}
	return fmt.Sprint(v)
}

// MaxText is the longest body of an article that is read, in bytes.
const MaxText = 16 << 20

// body returns a column as the body of an article. One that is longer than any article is left out, and counted.
func (s *file) body(v any) string {
	html := text(v)
	if len(html) <= MaxText {
		return html
	}
	s.leaveOut(Problem{Code: TooLong, File: s.Path})
	return ""
}

// seconds returns a column as a time; zero if it is none.
func seconds(v any) time.Time {
	if n := integer(v); n > 0 && n < 1<<40 {
		return time.Unix(n, 0)
	}
	return time.Time{}
}
