package reader

import (
	"database/sql"
	"errors"
	"fmt"
	"testing"
)

// The writing connection runs statements that it keeps prepared like new ones: two of the same text at
// once, after a fault, after the tables have changed, and more than it keeps.
func TestPreparedStatements(t *testing.T) {
	s := open(t, t.TempDir())
	const insert, list = "INSERT INTO note (n) VALUES (?)", "SELECT n FROM note ORDER BY n"
	must := func(f func(tx *sql.Tx) error) {
		t.Helper()
		if err := s.Write(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	must(func(tx *sql.Tx) error {
		return executeAll(t.Context(), tx, "CREATE TABLE note (n INTEGER PRIMARY KEY)", "INSERT INTO note VALUES (1); INSERT INTO note VALUES (2)")
	})
	broken := errors.New("broken")
	for n := range 3 {
		err := s.Write(t.Context(), func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(t.Context(), insert, 2); err == nil {
				t.Error("a number is stored twice")
			}
			if _, err := tx.ExecContext(t.Context(), insert, 7); err != nil {
				t.Errorf("after a fault: %v", err)
			}
			return broken // and nothing of it stays
		})
		if !errors.Is(err, broken) {
			t.Fatal(err)
		}
		must(func(tx *sql.Tx) error {
			_, err := tx.ExecContext(t.Context(), insert, 10+n)
			return err
		})
	}
	must(func(tx *sql.Tx) error { return executeAll(t.Context(), tx, "ALTER TABLE note ADD COLUMN text TEXT") })
	for n := range 2 * maxPrepared {
		must(func(tx *sql.Tx) error {
			return executeAll(t.Context(), tx, fmt.Sprintf("UPDATE note SET text = '%d'", n))
		})
	}
	must(func(tx *sql.Tx) error {
		outer, err := tx.QueryContext(t.Context(), list)
		if err != nil {
			return err
		}
		defer outer.Close()
		pairs := 0
		for outer.Next() {
			inner, err := tx.QueryContext(t.Context(), list)
			if err != nil {
				return err
			}
			all, err := scanIDs(nil, inner)
			if err != nil || len(all) != 5 || all[4] != 12 {
				return fmt.Errorf("%v, %w", all, err)
			}
			pairs += len(all)
		}
		if pairs != 25 {
			t.Errorf("%d pairs of five", pairs)
		}
		return outer.Err()
	})
}
