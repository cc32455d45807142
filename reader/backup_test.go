package reader

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kairos/reader/sqlitefile"
)

// fullStore returns a store with some of everything in it.
func fullStore(t testing.TB, dir string) *Store {
	t.Helper()
	s := open(t, dir, Room{"attic", otherSteps})
	for _, feed := range subscribeFeeds(t, s, 3) {
		save(t, s, feed, items(20))
	}
	ids := list(t, s, Query{})
	mark(t, s, ids[:5], FlagRead, true)
	mark(t, s, ids[3:6], FlagStarred, true)
	mark(t, s, ids[7:8], FlagDeleted, true)
	execute(t, s, "INSERT INTO box (what) VALUES ('hat')")
	if err := s.Settings.Set(t.Context(), "colour", "green"); err != nil {
		t.Fatal(err)
	}
	return s
}

// dump returns everything that a store holds.
func dump(t testing.TB, s *Store) []string {
	t.Helper()
	var all []string
	for _, q := range []string{"SELECT id || url || folder FROM feed", "SELECT id || key || read || starred || deleted FROM status",
		"SELECT id || title || link FROM article", "SELECT id || html FROM body", "SELECT key || value FROM setting", "SELECT what FROM box"} {
		found, err := textSet(t.Context(), s.Read(), q)
		if err != nil {
			t.Fatal(err)
		}
		for text := range found {
			all = append(all, text)
		}
	}
	slices.Sort(all)
	return all
}

func backUp(t testing.TB, s *Store) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "my backup?.kairos")
	if _, err := s.Backups.Create(t.Context(), file, epoch); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestBackupAndRestore(t *testing.T) {
	s := fullStore(t, t.TempDir())
	want := dump(t, s)
	file := backUp(t, s)
	if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read it: %v (%v)", info.Mode(), err)
	}
	c, err := CheckBackup(t.Context(), file, Room{"attic", otherSteps})
	if err != nil || c.Feeds != 3 || c.Articles != 59 || c.Starred != 3 || !c.Made.Equal(epoch) || c.Bytes == 0 {
		t.Errorf("%+v (%v)", c, err)
	}

	dir := t.TempDir()
	other := open(t, dir, Room{"attic", otherSteps})
	save(t, other, subscribe(t, other, Feed{URL: "https://other.test/"}), items(4))
	before := dump(t, other)
	changed, stop := other.Watch()
	defer stop()
	now := epoch.Add(time.Hour)
	aside, err := other.Backups.Restore(t.Context(), file, now, Room{"attic", otherSteps})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, dump(t, other)); diff != "" {
		t.Error(diff)
	}
	<-changed
	// The store can be written to as before.
	id := subscribe(t, other, Feed{URL: "https://later.test/"})
	if saved := save(t, other, id, items(2)); saved.New != 2 {
		t.Errorf("%+v", saved)
	}
	var mode string
	if err := other.db.write.QueryRow("PRAGMA journal_mode").Scan(&mode); err != nil || mode != "wal" {
		t.Error(mode, err)
	}
	// The contents before were saved and can be restored in turn.
	if filepath.Dir(aside) != dir {
		t.Error(aside)
	}
	if _, err := other.Backups.Restore(t.Context(), aside, now.Add(time.Hour), Room{"attic", otherSteps}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, dump(t, other)); diff != "" {
		t.Error(diff)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, stagingPrefix+"*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestBackupReplacesAnOlderOne(t *testing.T) {
	s := fullStore(t, t.TempDir())
	file := backUp(t, s)
	execute(t, s, "DELETE FROM feed WHERE id = 1")
	if _, err := s.Backups.Create(t.Context(), file, day(1)); err != nil {
		t.Fatal(err)
	}
	if c, err := CheckBackup(t.Context(), file); err != nil || c.Feeds != 2 || !c.Made.Equal(day(1)) {
		t.Errorf("%+v (%v)", c, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := s.Backups.Create(ctx, file, day(2)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if c, err := CheckBackup(t.Context(), file); err != nil || !c.Made.Equal(day(1)) {
		t.Errorf("the older backup is gone: %+v (%v)", c, err)
	}
	if files, _ := os.ReadDir(filepath.Dir(file)); len(files) != 1 {
		t.Errorf("left behind: %v", files)
	}
	if _, err := s.Backups.Create(t.Context(), filepath.Join(t.TempDir(), "no folder", "x"), epoch); err == nil {
		t.Error("backed up into a missing folder")
	}
}

// The password stored for feed 1 is not sent to the feed 1 of a backup, which may be another one, nor to an address that a
// made-up backup gives to feed 3.
func TestRestoredFeedDoesNotGetAnotherFeedsLogin(t *testing.T) {
	source := fullStore(t, t.TempDir())
	execute(t, source, "UPDATE feed SET login = 1")
	execute(t, source, "UPDATE feed SET url = 'https://thief.test/' WHERE id = 3")
	file := backUp(t, source)
	s := fullStore(t, t.TempDir())
	execute(t, s, "UPDATE feed SET login = 1")
	execute(t, s, "UPDATE feed SET url = 'https://elsewhere.test/', same = 'elsewhere.test/' WHERE id = 1")
	if _, err := s.Backups.Restore(t.Context(), file, epoch, Room{"attic", otherSteps}); err != nil {
		t.Fatal(err)
	}
	if got, err := textSet(t.Context(), s.Read(), "SELECT id || ' ' || login FROM feed"); err != nil || !got["1 0"] || !got["2 1"] || !got["3 0"] {
		t.Errorf("logins: %v (%v)", got, err)
	}
}

func TestOlderBackupIsMigrated(t *testing.T) {
	dir := t.TempDir()
	old := open(t, dir, Room{"attic", otherSteps[:1]})
	execute(t, old, "INSERT INTO box (what) VALUES ('hat')")
	file := backUp(t, old)
	s := open(t, t.TempDir(), Room{"attic", otherSteps})
	if _, err := s.Backups.Restore(t.Context(), file, epoch, Room{"attic", otherSteps}); err != nil {
		t.Fatal(err)
	}
	if n := queryInt(t, s, "SELECT weight FROM box WHERE what = 'hat!'"); n != 7 {
		t.Error(n)
	}
}

// An invalid backup gives an error with the right code, and nothing has changed.
func TestInvalidBackupsAreRefused(t *testing.T) {
	source := fullStore(t, t.TempDir())
	good, err := os.ReadFile(backUp(t, source))
	if err != nil {
		t.Fatal(err)
	}
	altered := func(query string) []byte {
		file := backUp(t, source)
		db, err := sql.Open("sqlite", sqlitefile.DSN(file))
		if err != nil {
			t.Fatal(err)
		}
		_, err = db.Exec(query)
		if err = errors.Join(err, db.Close()); err != nil {
			t.Fatal(query, err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	torn := bytes.Clone(good)
	for i := len(torn) / 3; i < len(torn)*2/3; i++ {
		torn[i] = byte(i * 7)
	}
	hostile := []byte("PK\x03\x04" + strings.Repeat("../../../etc/passwd", 100))
	cases := []struct {
		name string
		text []byte
		want error
	}{
		{"empty", nil, ErrNotABackup},
		{"a picture", []byte("\x89PNG\r\n\x1a\n" + strings.Repeat("x", 5000)), ErrNotABackup},
		{"an archive", hostile, ErrNotABackup},
		{"only a header", good[:100], ErrBackupDamaged},
		{"cut short", good[:len(good)/2], ErrBackupDamaged},
		{"a page short", good[:len(good)-4096], ErrBackupDamaged},
		{"damaged", torn, ErrBackupDamaged},
		{"noise after a header", append(bytes.Clone(good[:16]), bytes.Repeat([]byte{0xAA}, 8192)...), ErrBackupDamaged},
		{"of another program", altered("DROP TABLE migration"), ErrNotABackup},
		{"of a newer version", altered("INSERT INTO migration VALUES ('reader', 9999, 0)"), ErrBackupNewer},
		{"of a newer room", altered("INSERT INTO migration VALUES ('cellar', 1, 0)"), ErrBackupNewer},
		{"with a trigger", altered("CREATE TRIGGER t AFTER INSERT ON status BEGIN DELETE FROM status; END"), ErrNotABackup},
		{"with a view", altered("ALTER TABLE body RENAME TO b; CREATE VIEW body AS SELECT * FROM b"), ErrNotABackup},
		{"with a trigger that says it is an index", altered("CREATE TRIGGER t AFTER INSERT ON status BEGIN DELETE FROM status; END; PRAGMA writable_schema = 1; UPDATE sqlite_schema SET type = 'index' WHERE name = 't'"), ErrBackupDamaged},
		{"with a computed column", altered("ALTER TABLE feed ADD COLUMN x AS (hex(zeroblob(100000000)))"), ErrNotABackup},
		{"without tables", altered("DROP TABLE setting"), nil},
		{"with other pages", altered("PRAGMA page_size = 8192; VACUUM"), ErrNotABackup},
	}
	dir := t.TempDir()
	s := fullStore(t, dir)
	before := dump(t, s)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "x.kairos")
			if err := os.WriteFile(file, c.text, 0o600); err != nil {
				t.Fatal(err)
			}
			aside, err := s.Backups.Restore(t.Context(), file, epoch, Room{"attic", otherSteps})
			if err == nil || c.want != nil && !errors.Is(err, c.want) || aside != "" {
				t.Errorf("error %v, saved as %q; want %v", err, aside, c.want)
			}
			if diff := cmp.Diff(before, dump(t, s)); diff != "" {
				t.Error(diff)
			}
			if text, err := os.ReadFile(file); err != nil || !bytes.Equal(text, c.text) {
				t.Error("the file was touched", err)
			}
		})
	}
	for _, file := range []string{filepath.Join(dir, "none"), dir} {
		if _, err := s.Backups.Restore(t.Context(), file, epoch); err == nil {
			t.Errorf("restored %s", file)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 3 {
		t.Errorf("files left in the folder: %v (%v)", files, err)
	}
}

func TestInterruptedRestoreChangesNothing(t *testing.T) {
	dir := t.TempDir()
	s := fullStore(t, dir)
	file := backUp(t, s)
	execute(t, s, "DELETE FROM feed WHERE id = 2")
	before := dump(t, s)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := s.Backups.Restore(ctx, file, epoch, Room{"attic", otherSteps}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := s.Backups.replaceContents(ctx, file); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if diff := cmp.Diff(before, dump(t, s)); diff != "" {
		t.Error(diff)
	}
	left := filepath.Join(dir, stagingPrefix+"1")
	for _, name := range []string{left, filepath.Join(dir, stagingPrefix+"2"), filepath.Join(dir, stagingPrefix+"mine")} { // the second was not begun
		if err := os.Mkdir(name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(left, FileName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := RemoveStale(dir, filepath.Join(dir, "backups")); err != nil {
		t.Fatal(err)
	}
	if found, _ := filepath.Glob(filepath.Join(dir, stagingPrefix+"*")); fmt.Sprint(found) != fmt.Sprint([]string{filepath.Join(dir, stagingPrefix+"mine")}) {
		t.Errorf("left: %v", found)
	}
}

// A query that is under way sees the old contents, later ones see the restored ones.
func TestReadersSurviveARestore(t *testing.T) {
	s := fullStore(t, t.TempDir())
	file := backUp(t, s)
	execute(t, s, "DELETE FROM feed WHERE id = 2")
	rows, err := s.Read().Query("SELECT id FROM status ORDER BY id")
	if err != nil || !rows.Next() {
		t.Fatal(err)
	}
	if _, err := s.Backups.Restore(t.Context(), file, epoch, Room{"attic", otherSteps}); err != nil {
		t.Fatal(err)
	}
	if n := queryInt(t, s, "SELECT count(*) FROM status"); n != 60 {
		t.Errorf("%d articles after the restore", n)
	}
	seen := 1
	for rows.Next() {
		seen++
	}
	if err := rows.Err(); err != nil || seen != 40 {
		t.Errorf("read %d rows (%v)", seen, err)
	}
}
