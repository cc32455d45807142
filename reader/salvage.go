package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kairos/reader/sqlitefile"
)

// ErrNothingLeft says that nothing can be read of a damaged database.
var ErrNothingLeft = errors.New("nothing can be read of the damaged database")

// Salvage replaces the database in dir by what can still be read of it, row by row, and keeps the damaged file under the name that is
// returned. The caller owns the folder. As with RestoreDamaged the one or the other file is there whole at any time. The search index
// is built anew. Errors: ErrNothingLeft.
func Salvage(ctx context.Context, dir string, now time.Time, rooms ...Room) (c BackupContents, aside string, err error) {
	staging, err := os.MkdirTemp(dir, stagingPrefix+"*")
	if err != nil {
		return c, "", fmt.Errorf("salvage: %w", classify(err))
	}
	defer os.RemoveAll(staging) //nolint:errcheck // the next start tries again
	damaged, backup := filepath.Join(staging, FileName+"-damaged"), filepath.Join(staging, FileName+"-salvaged")
	for _, suffix := range []string{"", "-wal"} { // SQLite writes to what it reads with a log
		if err := copyFile(ctx, filepath.Join(dir, FileName+suffix), damaged+suffix, nil); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return c, "", fmt.Errorf("salvage: %w", classify(err))
		}
	}
	if c, err = salvageTo(ctx, staging, damaged, backup, now, rooms); err != nil {
		return c, "", err
	}
	aside, err = RestoreDamaged(ctx, dir, backup, now, rooms...)
	return c, aside, err
}

// salvageTo writes what can be read of a damaged file to a backup.
func salvageTo(ctx context.Context, staging, damaged, backup string, now time.Time, rooms []Room) (c BackupContents, err error) {
	fresh, err := os.MkdirTemp(staging, stagingPrefix+"*")
	if err != nil {
		return c, fmt.Errorf("salvage: %w", classify(err))
	}
	empty, err := Open(ctx, fresh, now, rooms...)
	if err == nil {
		err = empty.Close()
	}
	if err == nil {
		err = copyReadable(ctx, damaged, filepath.Join(fresh, FileName))
	}
	if err != nil {
		return c, fmt.Errorf("salvage: %w", err)
	}
	store, err := Open(ctx, fresh, now, rooms...)
	if err != nil {
		return c, fmt.Errorf("salvage: %w", err)
	}
	c, err = store.Backups.Create(ctx, backup, now)
	if err = errors.Join(err, store.Close()); err == nil && c.Feeds == 0 && c.Articles == 0 {
		err = ErrNothingLeft
	}
	return c, err
}

// CountReadable counts about what Salvage would bring back of the database in dir, which it does not change: zero where that cannot be
// known without a copy. The error is that of ctx.
func CountReadable(ctx context.Context, dir string) (c BackupContents, err error) {
	db, err := sql.Open("sqlite", sqlitefile.DSN(filepath.Join(dir, FileName), "mode=ro", sqlitefile.ReadCutOff, "_pragma=query_only(1)", "_pragma=trusted_schema(0)"))
	if err != nil {
		return c, err
	}
	defer db.Close()
	feeds := map[any]bool{}
	if _, _, err := sqlitefile.Rows(ctx, db, "SELECT id FROM feed WHERE removed = 0", "id", func(row []any) error {
		feeds[row[0]] = true
		return nil
	}); err != nil {
		return c, err
	}
	articles := map[any]bool{} // a damaged page may lead to rows twice
	_, _, err = sqlitefile.Rows(ctx, db, "SELECT id, feed, starred FROM status WHERE deleted = 0", "id", func(row []any) error {
		starred := row[2] == int64(1)
		if id := row[0]; (starred || feeds[row[1]]) && !articles[id] {
			articles[id] = true
			if starred {
				c.Starred++
			}
		}
		return nil
	})
	c.Feeds, c.Articles = len(feeds), len(articles)
	return c, err
}

// copyReadable copies the rows that can be read of a damaged file, which it may mend, into an empty one, without those whose feed or article is lost.
func copyReadable(ctx context.Context, damaged, to string) error {
	if _, err := statBackup(damaged); err != nil {
		return fmt.Errorf("%w: %w", ErrNothingLeft, err)
	}
	if err := sqlitefile.PruneSchema(ctx, damaged); err != nil {
		return classify(err)
	}
	from, err := sql.Open("sqlite", sqlitefile.DSN(damaged, sqlitefile.ReadCutOff, "_pragma=query_only(1)", "_pragma=trusted_schema(0)"))
	if err != nil {
		return err
	}
	defer from.Close()
	// Nobody else uses the new file, and if this ends early it is thrown away.
	into, err := sql.Open("sqlite", sqlitefile.DSN(to, "_pragma=journal_mode(OFF)", "_pragma=synchronous(OFF)", "_pragma=foreign_keys(0)"))
	if err != nil {
		return err
	}
	into.SetMaxOpenConns(1) // with all of its pragmas
	tables, err := salvageable(ctx, into)
	if err == nil {
		err = commit(ctx, into, func(tx *sql.Tx) error {
			for _, t := range tables {
				if err := t.copy(ctx, from, tx); err != nil {
					return fmt.Errorf("table %s: %w", t.name, err)
				}
			}
			if err := dropOrphans(ctx, tx, tables); err != nil {
				return err
			}
			// Where the text is lost, it comes with the next document of the feed that has it: an edit is told by the digest.
			return executeAll(ctx, tx, "UPDATE article SET digest = 0 WHERE id NOT IN (SELECT id FROM body)",
				"INSERT INTO body (id, html) SELECT id, '' FROM article WHERE id NOT IN (SELECT id FROM body)")
		})
	}
	return errors.Join(err, into.Close())
}

// salvageTable is a table of which rows are copied.
type salvageTable struct {
	name    string
	columns []string
	key     []string // primary key of a table without row ids
	foreign [][3]string
}

// salvageable lists the tables of a new file. Those that a trigger watches come last: what it would add is there then, and stays.
func salvageable(ctx context.Context, db *sql.DB) (tables []salvageTable, err error) {
	names, err := queryTexts(ctx, db, `SELECT t.name FROM pragma_table_list t WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%'
		AND t.name NOT IN ('migration', 'search_waiting', 'search_older')
		ORDER BY EXISTS (SELECT 1 FROM sqlite_schema s WHERE s.type = 'trigger' AND s.tbl_name = t.name), t.name`)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		t := salvageTable{name: name}
		if t.columns, err = columnsOf(ctx, db, name); err != nil {
			return nil, err
		}
		if t.key, err = queryTexts(ctx, db, "SELECT i.name FROM pragma_table_info(?1) i JOIN pragma_table_list t ON t.schema = 'main' AND t.name = ?1 AND t.wr = 1 WHERE i.pk > 0 ORDER BY i.pk", name); err != nil {
			return nil, err
		}
		foreign, err := queryTexts(ctx, db, `SELECT "from" || ' ' || "table" || ' ' || coalesce("to", 'id') FROM pragma_foreign_key_list(?)`, name)
		if err != nil {
			return nil, err
		}
		for _, f := range foreign {
			t.foreign = append(t.foreign, [3]string(strings.Fields(f)))
		}
		tables = append(tables, t)
	}
	return tables, nil
}

func columnsOf(ctx context.Context, db *sql.DB, table string) ([]string, error) {
	return queryTexts(ctx, db, "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid", table)
}

func queryTexts(ctx context.Context, db *sql.DB, query string, args ...any) (texts []string, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, rows.Err()
}

// copy copies the rows of a table that can be read. Those without row ids are read from both ends, up to where they are damaged.
func (t *salvageTable) copy(ctx context.Context, from *sql.DB, tx *sql.Tx) error {
	there, err := columnsOf(ctx, from, t.name)
	if err != nil || len(there) == 0 {
		return ctx.Err() // all of it is lost, or it is of an older version
	}
	columns := slices.DeleteFunc(slices.Clone(t.columns), func(c string) bool { return !slices.Contains(there, c) })
	list := strings.Join(columns, ", ")
	insert, err := tx.PrepareContext(ctx, "INSERT OR IGNORE INTO "+t.name+" ("+list+") VALUES (?"+strings.Repeat(", ?", len(columns)-1)+")")
	if err != nil {
		return err
	}
	defer insert.Close()
	copyRow := func(row []any) error {
		_, err := insert.ExecContext(ctx, row[1:]...)
		return err
	}
	if len(t.key) == 0 {
		_, _, err := sqlitefile.Rows(ctx, from, "SELECT rowid, "+list+" FROM "+t.name+" WHERE true", "rowid", copyRow)
		return err
	}
	for _, order := range []string{"", " DESC"} {
		lost, err := sqlitefile.Each(ctx, from, "SELECT 0, "+list+" FROM "+t.name+" ORDER BY "+strings.Join(t.key, order+", ")+order, copyRow)
		if lost == nil || err != nil {
			return err
		}
	}
	return nil
}

// dropOrphans deletes rows whose parent is lost, and articles of which only the status is left.
func dropOrphans(ctx context.Context, tx *sql.Tx, tables []salvageTable) error {
	for {
		dropped := int64(0)
		drop := func(query string) error {
			done, err := tx.ExecContext(ctx, query)
			if err != nil {
				return err
			}
			n, err := done.RowsAffected()
			dropped += n
			return err
		}
		if err := drop("DELETE FROM status WHERE deleted = 0 AND id NOT IN (SELECT id FROM article)"); err != nil {
			return err
		}
		for _, t := range tables {
			for _, f := range t.foreign {
				if err := drop("DELETE FROM " + t.name + " WHERE " + f[0] + " IS NOT NULL AND " + f[0] + " NOT IN (SELECT " + f[2] + " FROM " + f[1] + ")"); err != nil {
					return err
				}
			}
		}
		if dropped == 0 {
			return nil
		}
	}
}
