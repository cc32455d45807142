package sqlitefile

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	_ "modernc.org/sqlite"
)

func TestDriveLetterIsNotAHost(t *testing.T) {
	if got := DSN("C:/Users/a b/kairos.db", "mode=ro"); got != "file:///C:/Users/a%20b/kairos.db?mode=ro" {
		t.Error(got)
	}
}

const page = 4096

// damagedTable writes a table of 1,000 rows, overwrites these pages of its file, and opens that.
func damagedTable(t *testing.T, pages ...int64) *sql.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.db")
	db, err := sql.Open("sqlite", DSN(path))
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec("CREATE TABLE t (id INTEGER PRIMARY KEY, text); INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT i, hex(zeroblob(200)) FROM n")
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, number := range pages {
		if _, err := file.WriteAt(make([]byte, page), (number-1)*page); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if db, err = sql.Open("sqlite", DSN(path, "_pragma=query_only(1)")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// All rows are read but those on damaged pages, each once, however many these are.
func TestRowsGoesRoundDamage(t *testing.T) {
	for name, c := range map[string]struct {
		pages       []int64
		least, most int
	}{
		"nothing":        {nil, 1000, 1000},
		"one page":       {[]int64{50}, 980, 995},
		"the first page": {[]int64{3}, 980, 995},
		"some pages":     {[]int64{20, 40, 41, 60, 90}, 940, 970},
	} {
		var ids []int64
		after, lost, err := Rows(t.Context(), damagedTable(t, c.pages...), "SELECT id, text FROM t WHERE true", "id", func(row []any) error {
			ids = append(ids, row[0].(int64))
			return nil
		})
		if err != nil || (lost != nil) != (c.pages != nil) || len(ids) < c.least || len(ids) > c.most {
			t.Errorf("%s: %d rows, damaged after %d (%v), %v", name, len(ids), after, lost, err)
		}
		slices.Sort(ids)
		if len(slices.Compact(ids)) != len(ids) || lost != nil && (slices.Contains(ids, after+1) || after > 0 && !slices.Contains(ids, after)) {
			t.Errorf("%s: rows come again, or were lost elsewhere than after %d", name, after)
		}
	}
}

// An error of the caller ends reading and is returned.
func TestRowsReturnsTheErrorOfItsCaller(t *testing.T) {
	enough := errors.New("enough")
	n := 0
	if _, _, err := Rows(t.Context(), damagedTable(t, 50), "SELECT id FROM t WHERE true", "id", func([]any) error {
		if n++; n == 950 {
			return enough
		}
		return nil
	}); err != enough || n != 950 {
		t.Errorf("%v after %d rows", err, n)
	}
}
