package home

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/reader"
	"kairos/reader/readertest"
)

// asOf is the instant up to which the data folders in testdata/upgrades were used.
var asOf = time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)

// earlierFolders are the files in testdata/upgrades: what a data folder held in an earlier version, as SQL. A schema is
// dumped there when it is released, and not changed any more.
func earlierFolders(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("testdata/upgrades/*.sql")
	if err != nil || len(found) < 6 {
		t.Fatalf("%d earlier data folders (%v)", len(found), err)
	}
	return found
}

func database(t *testing.T, file string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file://"+filepath.ToSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}

// earlierFolder makes the data folder that is written down in a file.
func earlierFolder(t *testing.T, from string) (dir string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	db := database(t, filepath.Join(dir, reader.FileName))
	for _, query := range []string{"PRAGMA auto_vacuum = INCREMENTAL", "PRAGMA journal_mode = WAL", "BEGIN; " + string(text) + "COMMIT"} {
		if _, err := db.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// column reads a column of text.
func column(t *testing.T, db *sql.DB, query string, args ...any) (found []string) {
	t.Helper()
	rows, err := db.Query(query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		found = append(found, text)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return found
}

// columns says of each table what its columns are. How the index of the search stores its words is SQLite's business.
func columns(t *testing.T, db *sql.DB) map[string][]string {
	t.Helper()
	tables := map[string][]string{"sqlite_sequence": {"name", "seq"}}
	for _, table := range column(t, db, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
		AND (name NOT LIKE 'search%' OR name = 'search_waiting')`) {
		tables[table] = column(t, db, "SELECT name FROM pragma_table_info(?)", table)
	}
	return tables
}

// rows reads these columns of all rows of a table.
func rows(t *testing.T, db *sql.DB, table string, columns []string) []string {
	t.Helper()
	each := make([]string, len(columns))
	for i, c := range columns {
		each[i] = "'" + c + "=' || quote(" + c + ")"
	}
	return column(t, db, "SELECT "+strings.Join(each, " || ' ' || ")+" AS row FROM "+table+" ORDER BY row")
}

// added are the tables that a migration may add rows to; to all others it adds none.
var added = map[string]bool{"migration": true, "feed": true, "search_waiting": true, "sqlite_sequence": true, "poll": true, "refresh_feed": true}

// subjects are what is polled: feeds, and accounts as the feeds below zero that they once were.
const subjects = "(SELECT id AS subject, coalesce(feed, -account) AS feed FROM subject)"

// moved are the tables that a migration has replaced: where their rows are now.
var moved = map[string]string{
	"instant": `(SELECT feed, value->>'at' AS at, value->>'code' AS code, value->>'why' AS why, value->>'value' AS value, value->>'posts' AS posts
		FROM agenda JOIN ` + subjects + ` USING (subject), json_each(instants))`,
	"poll":       "(SELECT * FROM poll JOIN " + subjects + " USING (subject))",
	"cycle":      "(SELECT * FROM cycle JOIN " + subjects + " USING (subject))",
	"agenda":     "(SELECT * FROM agenda JOIN " + subjects + " USING (subject))",
	"mention":    "(SELECT * FROM mention JOIN " + subjects + " USING (subject))",
	"ledger":     "(SELECT *, " + oldFeed + " AS feed FROM ledger)",
	"ledger_day": "(SELECT *, " + oldFeed + " AS feed FROM ledger_day)",
	"bucket":     "(SELECT 1 AS one, per_day, days, at FROM bucket WHERE account = 0)",
	"refresh":    "(SELECT r.account, r.per_day, coalesce(days, 0.0) AS days, coalesce(at / 1000, 0) AS at FROM refresh r LEFT JOIN bucket b USING (account))",
	"refresh_feed": `(SELECT feed, iif(tried, tried + 600, 0) AS tried, iif(failures, 0, tried + 600) AS fetched, failures, iif(not_before, not_before + 600, 0) AS not_before
		FROM poll JOIN ` + subjects + ` USING (subject))`,
}

// oldFeed is the feed that a subject was: what belonged to an account follows the last of the feeds, whether it is still there or not.
const oldFeed = `(SELECT iif(subject <= seq, subject, seq - subject) FROM sqlite_sequence WHERE name = 'feed')`

// dropped are the tables that a migration drops, since what they hold is of no use any more.
var dropped = map[string]bool{"share": true}

// checkNothingLost compares all that a data folder held, field by field, with what is in it now. except names columns that
// may differ.
func checkNothingLost(t *testing.T, before, now *sql.DB, except ...string) {
	t.Helper()
	const isTable = "SELECT name FROM sqlite_schema WHERE name = ?"
	migrated := len(column(t, now, isTable, "subject")) > 0
	for name, names := range columns(t, before) {
		table := name
		names = slices.DeleteFunc(names, func(c string) bool { return slices.Contains(except, name+"."+c) })
		old := rows(t, before, name, names)
		if migrated {
			table = cmp.Or(moved[name], name)
		}
		switch {
		case dropped[name] && len(column(t, now, isTable, name)) == 0:
			continue
		case name == "feed" && migrated:
			old = slices.DeleteFunc(old, func(row string) bool { return strings.Contains(row, "removed=-2") }) // an account
		}
		present := rows(t, now, table, names)
		if !added[name] && len(old) != len(present) {
			t.Errorf("%s had %d rows and has %d", name, len(old), len(present))
		}
		for _, row := range old {
			i := slices.Index(present, row)
			if i < 0 {
				t.Errorf("%s: %s is lost; there are %q", name, row, present)
				continue
			}
			present = slices.Delete(present, i, i+1)
		}
	}
	if migrated {
		feeds := "SELECT count(*) FROM feed WHERE id < 0 UNION ALL SELECT count(*) FROM feed f LEFT JOIN subject i ON i.feed = f.id WHERE i.id IS NULL"
		accounts := "SELECT count(*) FROM account a LEFT JOIN subject i ON i.account = a.id WHERE (a.removed = 0) <> (i.id IS NOT NULL)"
		if got := column(t, now, feeds+" UNION ALL "+accounts); !slices.Equal(got, []string{"0", "0", "0"}) {
			t.Errorf("what is polled: %q", got)
		}
	}
	if bad := append(column(t, now, "SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'"),
		column(t, now, `SELECT "table" || ' ' || rowid FROM pragma_foreign_key_check`)...); len(bad) > 0 {
		t.Errorf("the file is damaged: %q", bad)
	}
}

// schema reads what tables, indexes and triggers there are, without the comments in them.
func schema(t *testing.T, file string) []string {
	made := column(t, database(t, file), "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
	for i, text := range made {
		made[i] = strings.Join(strings.Fields(comment.ReplaceAllString(text, "")), " ")
	}
	return made
}

var comment = regexp.MustCompile("--.*")

func TestUpgradeLosesNothing(t *testing.T) {
	readertest.SkipWithRace(t)
	fresh := t.TempDir()
	h, err := Open(t.Context(), fresh, Options{})
	if err != nil {
		t.Fatal(err)
	}
	h.Close()
	wanted := schema(t, filepath.Join(fresh, reader.FileName))
	for _, from := range earlierFolders(t) {
		t.Run(filepath.Base(from), func(t *testing.T) {
			before := database(t, filepath.Join(earlierFolder(t, from), reader.FileName))
			dir := earlierFolder(t, from)
			now := func() time.Time { return asOf }
			h, err := Open(t.Context(), dir, Options{Now: now})
			if err != nil {
				t.Fatal(err)
			}
			checkRead(t, h)
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			after := database(t, filepath.Join(dir, reader.FileName))
			checkNothingLost(t, before, after)
			got := schema(t, filepath.Join(dir, reader.FileName))
			for _, made := range got {
				if !slices.Contains(wanted, made) {
					t.Errorf("only an upgraded folder has %s", made)
				}
			}
			if len(got) != len(wanted) {
				t.Errorf("an upgraded folder has %d tables, indexes and triggers, a new one %d", len(got), len(wanted))
			}
			pending := len(column(t, after, "SELECT room FROM migration")) > len(column(t, before, "SELECT room FROM migration"))
			copies, err := filepath.Glob(filepath.Join(dir, "*.backup"))
			if err != nil || len(copies) > 1 || (len(copies) == 1) != pending {
				t.Fatalf("copies of the file before: %v (%v)", copies, err)
			}
			for _, name := range copies {
				checkNothingLost(t, before, database(t, name))
			}
		})
	}
}

// checkRead looks at an upgraded folder as the window does.
func checkRead(t *testing.T, h *Home) {
	t.Helper()
	feeds, err := h.Store.Feeds.List(t.Context())
	i := slices.IndexFunc(feeds, func(f reader.Feed) bool { return f.ID == 1 })
	if err != nil || i < 0 {
		t.Fatalf("feeds %+v (%v)", feeds, err)
	}
	if f := feeds[i]; f.Title != "My river" || f.Folder != "News/Nature" || f.Weight != 2 || f.Every != 6*time.Hour || f.Unread != 1 {
		t.Errorf("the first feed is %+v", f)
	}
	for what, want := range map[string]reader.Query{
		"[2 6]":     {View: reader.Starred, Accounts: []int64{0}},
		"[5 2]":     {View: reader.Unread, Accounts: []int64{0}},
		"[2 1]":     {Search: "river", Accounts: []int64{0}},
		"[5 2 1 6]": {Accounts: []int64{0}},
	} {
		ids, err := h.Store.Articles.IDs(t.Context(), want)
		if got := fmt.Sprint(ids); got != what || err != nil {
			t.Errorf("%+v lists %v (%v), want %v", want, got, err, what)
		}
	}
}

func TestEarlierFolderIsRestored(t *testing.T) {
	readertest.SkipWithRace(t)
	for _, from := range earlierFolders(t) {
		t.Run(filepath.Base(from), func(t *testing.T) {
			old := filepath.Join(earlierFolder(t, from), reader.FileName)
			before := database(t, old)
			dir := t.TempDir()
			h, err := Open(t.Context(), dir, Options{Now: func() time.Time { return asOf }})
			if err != nil {
				t.Fatal(err)
			}
			err = h.Store.Write(t.Context(), func(tx *sql.Tx) error {
				_, err := reader.Subscribe(t.Context(), tx, reader.Feed{URL: "https://other.test/"}, asOf)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := h.Backups.Restore(t.Context(), old); err != nil {
				t.Fatal(err)
			}
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			// The passwords are not in the backup, and the server knows better what it has by now.
			checkNothingLost(t, before, database(t, filepath.Join(dir, reader.FileName)), "feed.login", "account.recheck")
		})
	}
}

// Of a folder of an earlier version whose file is cut off after the upgrade, what stands before the cut is salvaged.
func TestUpgradedFolderIsSalvaged(t *testing.T) {
	readertest.SkipWithRace(t)
	for _, from := range earlierFolders(t) {
		t.Run(filepath.Base(from), func(t *testing.T) {
			dir := earlierFolder(t, from)
			file := filepath.Join(dir, reader.FileName)
			db := database(t, file)
			if _, err := db.Exec("CREATE TABLE much (x); INSERT INTO much VALUES (zeroblob(8000000))"); err != nil {
				t.Fatal(err)
			}
			db.Close()
			h, err := Open(t.Context(), dir, Options{Now: func() time.Time { return asOf }})
			if err != nil {
				t.Fatal(err)
			}
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(file, 4<<20); err != nil {
				t.Fatal(err)
			}
			if left, _, err := Salvage(t.Context(), dir, asOf); err != nil || left.Feeds < 2 || left.Articles < 4 {
				t.Errorf("%+v, %v", left, err)
			}
		})
	}
}

func TestNewerFolderIsRefused(t *testing.T) {
	for _, room := range []string{"reader", "poller", "a room of the future"} {
		dir := earlierFolder(t, "testdata/upgrades/reader-18.sql")
		file := filepath.Join(dir, reader.FileName)
		db := database(t, file)
		if _, err := db.Exec("INSERT INTO migration VALUES (?, 99, 0)", room); err != nil {
			t.Fatal(err)
		}
		db.Close()
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for name, open := range map[string]func(context.Context, string, Options) (*Home, error){"Open": Open, "OpenReadOnly": OpenReadOnly} {
			if _, err := open(t.Context(), dir, Options{}); !errors.Is(err, reader.ErrNewer) {
				t.Errorf("%s: %s: %v, want ErrNewer", room, name, err)
			}
		}
		h, err := Open(t.Context(), t.TempDir(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.Backups.Restore(t.Context(), file); !errors.Is(err, reader.ErrBackupNewer) {
			t.Errorf("%s: restored: %v, want ErrBackupNewer", room, err)
		}
		h.Close()
		if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
			t.Errorf("%s: the file was changed (%v)", room, err)
		}
	}
}
