package useraccess

import (
	"context"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Names replaces ids of this data folder by what holds in any other. It returns "" for what is gone.
type Names struct {
	Feed    func(ctx context.Context, id int64) (address string, err error)
	Article func(ctx context.Context, id int64) (key string, err error)
}

// IDs finds what Names has named. It returns 0 for what is not there.
type IDs struct {
	Feed    func(ctx context.Context, tx *sql.Tx, address string) (int64, error)
	Article func(ctx context.Context, tx *sql.Tx, feed int64, key string) (int64, error)
}

// columnKind says how a column of the log is written in a CSV file.
type columnKind uint8

const (
	whole   columnKind = iota // a whole number
	number                    // a number
	text                      // as it is
	moment                    // an instant by RFC 3339, in UTC; "" for none
	feed                      // the address of the feed with this id
	article                   // the key of the article with this id, within the feed before it
)

type column struct {
	name string
	kind columnKind
}

// exportedTable is a table of the log with the columns that are exported, in the order of its key.
type exportedTable struct {
	name    string
	columns []column
}

// exportedTables are the log, and what cannot be learned from it again. What was forgotten with a span is left out: it is not to
// be handed on.
var exportedTables = []exportedTable{
	{"access", []column{{"at", moment}, {"zone", whole}, {"until", moment}, {"source", whole}}},
	{"awake", []column{{"at", moment}, {"since", moment}, {"until", moment}, {"final", whole}}},
	{"presence", []column{{"at", moment}, {"kind", whole}, {"zone", whole}, {"expected", number}}},
	{"learning_pause", []column{{"since", moment}, {"until", moment}, {"forgotten", whole}}},
	{"access_hint", []column{{"given", moment}, {"zone", whole}, {"minute", whole}, {"days", whole}}},
	{"opening", []column{{"at", moment}, {"feed", feed}}},
	{"reading", []column{{"feed", feed}, {"article", article}, {"at", moment}, {"evidence", whole}}},
	{"liking", []column{{"feed", feed}, {"article", article}, {"at", moment}, {"more", whole}}},
	{"interest", []column{{"feed", feed}, {"read", number}, {"passed", number}, {"at", moment}}},
	{"ignored_feature", []column{{"kind", text}, {"text", text}}},
}

// ExportedTables are the names of the tables that Export writes, in the order in which ImportRows is to store them.
func ExportedTables() (names []string) {
	for _, t := range exportedTables {
		names = append(names, t.name)
	}
	return names
}

func exported(name string) (exportedTable, error) {
	for _, t := range exportedTables {
		if t.name == name {
			return t, nil
		}
	}
	return exportedTable{}, fmt.Errorf("there is no table %q", name)
}

func (t exportedTable) columnNames() (names []string) {
	for _, c := range t.columns {
		names = append(names, c.name)
	}
	return names
}

// Export writes a table of the log as CSV with a head, and returns how many rows it has. Rows of feeds and articles that are gone
// are left out.
func (l *Log) Export(ctx context.Context, table string, w io.Writer, names Names) (n int, err error) {
	t, err := exported(table)
	if err != nil {
		return 0, err
	}
	ordered := t.ordered()
	rows, err := l.file.Read().QueryContext(ctx, "SELECT "+strings.Join(t.columnNames(), ", ")+" FROM "+t.name+" ORDER BY "+t.columns[ordered].name)
	if err != nil {
		return 0, fmt.Errorf("export %s: %w", table, err)
	}
	defer rows.Close()
	out := csv.NewWriter(w)
	out.Write(t.columnNames()) //nolint:errcheck // Error reports it
	row, into := make([]any, len(t.columns)), make([]any, len(t.columns))
	for i := range row {
		into[i] = &row[i]
	}
	var alike [][]string // rows whose order would be that of ids, which are others in each data folder
	write := func() error {
		slices.SortFunc(alike, slices.Compare)
		err := out.WriteAll(alike)
		n, alike = n+len(alike), alike[:0]
		return err
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return n, fmt.Errorf("export %s: %w", table, err)
		}
		fields, err := t.fields(ctx, row, names)
		if err != nil {
			return n, fmt.Errorf("export %s: %w", table, err)
		}
		if fields == nil {
			continue
		}
		if len(alike) > 0 && alike[0][ordered] != fields[ordered] {
			if err := write(); err != nil {
				return n, err
			}
		}
		alike = append(alike, fields)
	}
	return n, errors.Join(rows.Err(), write())
}

// ordered is the column by which rows are ordered: the first instant, else the first of all.
func (t exportedTable) ordered() int {
	return max(0, slices.IndexFunc(t.columns, func(c column) bool { return c.kind == moment }))
}

// fields writes a row; nil if it is of something that is gone.
func (t exportedTable) fields(ctx context.Context, row []any, names Names) ([]string, error) {
	fields := make([]string, len(row))
	for i, c := range t.columns {
		var err error
		id, _ := row[i].(int64)
		switch c.kind {
		case moment:
			if id != 0 {
				fields[i] = time.Unix(id, 0).UTC().Format(time.RFC3339)
			}
			continue
		case feed:
			fields[i], err = names.Feed(ctx, id)
		case article:
			fields[i], err = names.Article(ctx, id)
		default:
			fields[i] = fmt.Sprint(row[i])
			continue
		}
		if err != nil || fields[i] == "" {
			return nil, err
		}
	}
	return fields, nil
}

// ImportError says which line of a CSV file cannot be read.
type ImportError struct {
	Table string
	Line  int
	Err   error
}

func (e *ImportError) Error() string {
	return fmt.Sprintf("%s.csv, line %d: %v", e.Table, e.Line, e.Err)
}

func (e *ImportError) Unwrap() error { return e.Err }

// rowsAtOnce is how many rows ReadTable hands on together.
const rowsAtOnce = 5000

// ReadTable reads what Export has written of a table, checks it, and hands on its rows in portions that ImportRows takes. Errors:
// *ImportError, behind which nothing is read; yield's.
func ReadTable(table string, r io.Reader, yield func(rows string) error) error {
	t, err := exported(table)
	if err != nil {
		return err
	}
	in := csv.NewReader(r)
	in.ReuseRecord = true
	head, err := in.Read()
	if err != nil || strings.Join(head, ",") != strings.Join(t.columnNames(), ",") {
		return &ImportError{table, 1, errors.Join(errHead, err)}
	}
	anything := IDs{Feed: func(context.Context, *sql.Tx, string) (int64, error) { return 1, nil },
		Article: func(context.Context, *sql.Tx, int64, string) (int64, error) { return 1, nil }}
	var portion strings.Builder
	out, n := csv.NewWriter(&portion), 0
	flush := func() error {
		if out.Flush(); n == 0 {
			return nil
		}
		rows := portion.String()
		portion.Reset()
		n = 0
		return yield(rows)
	}
	for {
		fields, err := in.Read()
		if errors.Is(err, io.EOF) {
			return flush()
		}
		if err == nil {
			_, err = t.row(context.Background(), nil, fields, anything)
		}
		if err != nil {
			return errors.Join(flush(), importError(table, in, err))
		}
		if err := out.Write(fields); err != nil {
			return err
		}
		if n++; n == rowsAtOnce {
			if err := flush(); err != nil {
				return err
			}
		}
	}
}

func importError(table string, in *csv.Reader, err error) error {
	line, _ := in.FieldPos(0)
	if broken := (*csv.ParseError)(nil); errors.As(err, &broken) {
		line, err = broken.Line, broken.Err
	}
	return &ImportError{table, line, err}
}

// ImportRows adds rows that ReadTable has handed on to their table, and returns those that are new, for RemoveRows; "" if none is. What
// is there already stays, and rows of feeds and articles that are not there are left out. Relearn is to follow. Errors: *ImportError.
func ImportRows(ctx context.Context, tx *sql.Tx, table, rows string, ids IDs) (added string, err error) {
	t, err := exported(table)
	if err != nil {
		return "", err
	}
	insert, err := tx.PrepareContext(ctx, t.insert())
	if err != nil {
		return "", fmt.Errorf("import %s: %w", table, err)
	}
	defer insert.Close()
	in := csv.NewReader(strings.NewReader(rows))
	in.ReuseRecord = true
	var news [][]any
	for {
		fields, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", importError(table, in, err)
		}
		row, err := t.row(ctx, tx, fields, ids)
		if err != nil {
			return "", importError(table, in, err)
		}
		if row == nil {
			continue
		}
		done, err := insert.ExecContext(ctx, row...)
		if err != nil {
			return "", fmt.Errorf("import %s: %w", table, err)
		}
		if n, err := done.RowsAffected(); err != nil {
			return "", err
		} else if n > 0 {
			news = append(news, row)
		}
	}
	if len(news) == 0 {
		return "", nil
	}
	text, err := json.Marshal(news)
	return string(text), err
}

// RemoveRows takes back what ImportRows has added, except what has changed since. Relearn is to follow.
func RemoveRows(ctx context.Context, tx *sql.Tx, table, added string) error {
	t, err := exported(table)
	if err != nil {
		return err
	}
	in := json.NewDecoder(strings.NewReader(added))
	in.UseNumber() // ids and instants are whole
	var rows [][]any
	if err := in.Decode(&rows); err != nil {
		return fmt.Errorf("take an import of %s back: %w", table, err)
	}
	remove, err := tx.PrepareContext(ctx, "DELETE FROM "+t.name+" WHERE ("+strings.Join(t.columnNames(), ", ")+") = ("+marksFrom1(len(t.columns))+")")
	if err != nil {
		return fmt.Errorf("take an import of %s back: %w", table, err)
	}
	defer remove.Close()
	for _, row := range rows {
		if len(row) != len(t.columns) {
			continue
		}
		for i, value := range row {
			if n, is := value.(json.Number); is {
				if whole, err := n.Int64(); err == nil {
					row[i] = whole
				} else if row[i], err = n.Float64(); err != nil {
					return err
				}
			}
		}
		if _, err := remove.ExecContext(ctx, row...); err != nil {
			return fmt.Errorf("take an import of %s back: %w", table, err)
		}
	}
	return nil
}

var errHead = errors.New("the first line does not name the columns")

// insert adds a row unless it is there. Hints have no key of their own.
func (t exportedTable) insert() string {
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(t.columns)), ", ")
	names := strings.Join(t.columnNames(), ", ")
	return "INSERT INTO " + t.name + " (" + names + ") SELECT " + marks + " WHERE NOT EXISTS (SELECT 1 FROM " + t.name +
		" WHERE (" + names + ") = (" + marksFrom1(len(t.columns)) + ")) ON CONFLICT DO NOTHING"
}

// marksFrom1 is "?1, ?2, …".
func marksFrom1(n int) string {
	marks := make([]string, n)
	for i := range marks {
		marks[i] = "?" + strconv.Itoa(i+1)
	}
	return strings.Join(marks, ", ")
}

// row reads the fields of a row; nil if it is of something that is not there.
func (t exportedTable) row(ctx context.Context, tx *sql.Tx, fields []string, ids IDs) ([]any, error) {
	row := make([]any, len(fields))
	var of int64 // the feed of the row
	for i, c := range t.columns {
		var err error
		switch c.kind {
		case text:
			row[i] = strings.Clone(fields[i])
		case number:
			row[i], err = strconv.ParseFloat(fields[i], 64)
		case whole:
			row[i], err = strconv.ParseInt(fields[i], 10, 64)
		case moment:
			row[i], err = parseMoment(fields[i])
		case feed:
			if of, err = ids.Feed(ctx, tx, fields[i]); err == nil && of == 0 {
				return nil, nil
			}
			row[i] = of
		case article:
			var id int64
			if id, err = ids.Article(ctx, tx, of, fields[i]); err == nil && id == 0 {
				return nil, nil
			}
			row[i] = id
		}
		if err != nil {
			return nil, err
		}
	}
	return row, nil
}

func parseMoment(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	return at.Unix(), err
}

// Relearn learns again from the whole log up to now, after ImportRows and RemoveRows.
func Relearn(ctx context.Context, tx *sql.Tx, now time.Time) error { return relearn(ctx, tx, now) }
