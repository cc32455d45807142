package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"kairos/reader/sqlitefile"
)

// epoch is a Saturday at noon. Tests count other instants from it.
var epoch = time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)

func open(t testing.TB, dir string, rooms ...Room) *Store {
	t.Helper()
	s, err := Open(t.Context(), dir, epoch, rooms...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func write(t testing.TB, s *Store, f func(tx *sql.Tx) error) {
	t.Helper()
	if err := s.Write(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

func execute(t testing.TB, s *Store, query string, args ...any) {
	t.Helper()
	write(t, s, func(tx *sql.Tx) error {
		_, err := tx.Exec(query, args...)
		return err
	})
}

func queryInt(t testing.TB, s *Store, query string, args ...any) (n int) {
	t.Helper()
	if err := s.Read().QueryRowContext(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

var otherSteps = []string{
	"CREATE TABLE box (id INTEGER PRIMARY KEY, what TEXT)",
	"ALTER TABLE box ADD COLUMN weight INTEGER NOT NULL DEFAULT 7",
	"UPDATE box SET what = what || '!'; CREATE INDEX box_what ON box (what)",
}

func backups(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.backup"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestRoomsMigrateStepByStep(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Room{"attic", otherSteps[:1]})
	execute(t, s, "INSERT INTO box (what) VALUES ('hat')")
	s.Close()
	if got := backups(t, dir); len(got) != 0 {
		t.Errorf("a new file was copied: %v", got)
	}

	later := epoch.Add(time.Hour)
	s, err := Open(t.Context(), dir, later, Room{"attic", otherSteps})
	if err != nil {
		t.Fatal(err)
	}
	if n := queryInt(t, s, "SELECT weight FROM box WHERE what = 'hat!'"); n != 7 {
		t.Errorf("weight %d after migrating, want 7", n)
	}
	if n := queryInt(t, s, "SELECT max(number) FROM migration WHERE room = 'attic' AND at = ?", later.Unix()); n != 3 {
		t.Errorf("recorded step %d, want 3", n)
	}
	s.Close()
	got := backups(t, dir)
	if len(got) != 1 {
		t.Fatalf("backups %v, want one", got)
	}
	old, err := sql.Open("sqlite", sqlitefile.DSN(got[0], "mode=ro"))
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	var what string
	if err := old.QueryRow("SELECT what FROM box").Scan(&what); err != nil || what != "hat" {
		t.Errorf("the copy holds %q (%v), want the state before", what, err)
	}

	s, err = Open(t.Context(), dir, later.Add(time.Hour), Room{"attic", otherSteps})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := backups(t, dir); len(got) != 1 {
		t.Errorf("opening without a new step left %d copies", len(got))
	}
	if n := queryInt(t, s, "SELECT count(*) FROM box WHERE what = 'hat!'"); n != 1 {
		t.Error("a step was applied twice")
	}
}

func TestFailedStepIsRolledBack(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, Room{"attic", otherSteps[:1]}).Close()
	broken := append(otherSteps[:2:2], "INSERT INTO box (what) VALUES ('half'); SELECT nonsense FROM nowhere")
	if _, err := Open(t.Context(), dir, epoch, Room{"attic", broken}); err == nil || !strings.Contains(err.Error(), "attic to 3") {
		t.Fatalf("error %v, want one that names the step", err)
	}
	s := open(t, dir, Room{"attic", otherSteps[:2]})
	if n := queryInt(t, s, "SELECT count(*) FROM box"); n != 0 {
		t.Error("half of the failed step was applied")
	}
}

func TestNewerFileIsRefusedAndUnchanged(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Room{"attic", otherSteps})
	execute(t, s, "INSERT INTO box (what) VALUES ('hat')")
	s.Close()
	before, err := os.ReadFile(filepath.Join(dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	for name, rooms := range map[string][]Room{"fewer steps": {{"attic", otherSteps[:2]}}, "no such room": nil} {
		if _, err := Open(t.Context(), dir, epoch, rooms...); !errors.Is(err, ErrNewer) {
			t.Errorf("%s: Open: %v, want ErrNewer", name, err)
		}
		if _, err := OpenReadOnly(t.Context(), dir, rooms...); !errors.Is(err, ErrNewer) {
			t.Errorf("%s: OpenReadOnly: %v, want ErrNewer", name, err)
		}
	}
	after, err := os.ReadFile(filepath.Join(dir, FileName))
	if err != nil || string(before) != string(after) {
		t.Errorf("the file changed (%v)", err)
	}
}

func TestOlderFileIsNotOpenedReadOnly(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, Room{"attic", otherSteps[:1]}).Close()
	if _, err := OpenReadOnly(t.Context(), dir, Room{"attic", otherSteps}); !errors.Is(err, ErrOlder) {
		t.Errorf("%v, want ErrOlder", err)
	}
}

func TestDamagedFiles(t *testing.T) {
	whole := func(t *testing.T, dir string) []byte {
		s := open(t, dir)
		subscribeFeeds(t, s, 50)
		s.Close()
		b, err := os.ReadFile(filepath.Join(dir, FileName))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	cases := map[string]func(b []byte) []byte{
		"garbage":               func([]byte) []byte { return []byte(strings.Repeat("not a database ", 1000)) },
		"a few bytes":           func([]byte) []byte { return []byte("SQLite") },
		"cut in the middle":     func(b []byte) []byte { return b[:len(b)/2] },
		"cut within a page":     func(b []byte) []byte { return b[:len(b)-5000] },
		"cut to its first page": func(b []byte) []byte { return b[:4096] },
		"schema overwritten": func(b []byte) []byte {
			copy(b[100:4096], strings.Repeat("\xff", 3996))
			return b
		},
	}
	for name, damage := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, FileName)
			bad := damage(whole(t, dir))
			if err := os.WriteFile(file, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := OpenReadOnly(t.Context(), dir); !errors.Is(err, ErrDamaged) {
				t.Errorf("OpenReadOnly: %v, want ErrDamaged", err)
			}
			if _, err := Open(t.Context(), dir, epoch); !errors.Is(err, ErrDamaged) {
				t.Errorf("Open: %v, want ErrDamaged", err)
			}
			if b, err := os.ReadFile(file); err != nil || string(b) != string(bad) {
				t.Errorf("the damaged file was touched (%v)", err)
			}
		})
	}
}

func TestEmptyFileIsANewOne(t *testing.T) {
	dir := t.TempDir()
	if _, err := OpenReadOnly(t.Context(), dir); !errors.Is(err, ErrNone) {
		t.Errorf("no file: %v, want ErrNone", err)
	}
	if err := os.WriteFile(filepath.Join(dir, FileName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReadOnly(t.Context(), dir); !errors.Is(err, ErrNone) {
		t.Errorf("empty file: %v, want ErrNone", err)
	}
	s := open(t, dir)
	subscribeFeeds(t, s, 1)
}

func TestFolderCannotBeCreated(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), filepath.Join(file, "data"), epoch); !errors.Is(err, ErrReadOnly) {
		t.Errorf("%v, want ErrReadOnly", err)
	}
}

func TestLockedByAnotherProgram(t *testing.T) {
	defer func(before int) { busyTimeout = before }(busyTimeout)
	busyTimeout = 50
	for _, mode := range []string{"wal", "delete"} {
		t.Run(mode, func(t *testing.T) {
			dir := t.TempDir()
			open(t, dir).Close()
			other, err := sql.Open("sqlite", sqlitefile.DSN(filepath.Join(dir, FileName), "_pragma=locking_mode(exclusive)", "_pragma=journal_mode("+mode+")"))
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			other.SetMaxOpenConns(1)
			if _, err := other.Exec("BEGIN EXCLUSIVE; CREATE TABLE theirs (x)"); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(t.Context(), dir, epoch); !errors.Is(err, ErrLocked) {
				t.Errorf("Open: %v, want ErrLocked", err)
			}
			if _, err := OpenReadOnly(t.Context(), dir); !errors.Is(err, ErrLocked) {
				t.Errorf("OpenReadOnly: %v, want ErrLocked", err)
			}
		})
	}
}

// On a full disk nothing that was stored is lost, and writing works again once there is room.
func TestDiskFull(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	id := subscribeFeeds(t, s, 1)[0]
	save(t, s, id, items(5))
	pages := queryInt(t, s, "PRAGMA page_count")
	if _, err := s.db.write.Exec(fmt.Sprintf("PRAGMA max_page_count = %d", pages)); err != nil {
		t.Fatal(err)
	}
	many := items(2000)
	for range 3 {
		err := s.Write(t.Context(), func(tx *sql.Tx) error {
			_, err := StoreArticles(t.Context(), tx, id, many, epoch, time.Time{})
			return err
		})
		if !errors.Is(err, ErrFull) || FileError(err) != ErrFull {
			t.Errorf("%v, want ErrFull", err)
		}
	}
	mark(t, s, list(t, s, Query{})[:1], FlagStarred, true) // takes no room
	if n := queryInt(t, s, "SELECT count(*) FROM status"); n != 5 {
		t.Errorf("%d articles, want those stored before", n)
	}
	if _, err := s.db.write.Exec("PRAGMA max_page_count = 1000000"); err != nil {
		t.Fatal(err)
	}
	if got := save(t, s, id, many); got.New != 1995 {
		t.Errorf("with room again: %+v", got)
	}
	if n := queryInt(t, s, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"); n != 1 {
		t.Error("the file is damaged")
	}
}

func TestFileError(t *testing.T) {
	for _, err := range []error{nil, errors.New("other"), ErrUnknown, &DuplicateError{}, fmt.Errorf("%w: %w", ErrBackupDamaged, ErrDamaged)} {
		if got := FileError(err); got != nil {
			t.Errorf("%v is %v", err, got)
		}
	}
	if got := FileError(classify(&os.PathError{Op: "mkdir", Path: "data", Err: syscall.ENOSPC})); got != ErrFull {
		t.Errorf("no space left on device is %v", got)
	}
}

func TestOddFolderNames(t *testing.T) {
	for _, name := range []string{"with a blank", "ünïcøde 日本", "100% a?b#c&d=e", "_pragma=foreign_keys(0)", "quo'te"} {
		dir := filepath.Join(t.TempDir(), name)
		s := open(t, dir)
		subscribeFeeds(t, s, 1)
		s.Close()
		if _, err := os.Stat(filepath.Join(dir, FileName)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		r, err := OpenReadOnly(t.Context(), dir)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		r.Close()
	}
}

// In a folder that others may look into they still cannot read when somebody reads what.
func TestOthersCannotReadTheFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir)
	subscribeFeeds(t, s, 1)
	for _, name := range []string{FileName, FileName + "-wal"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v (%v)", name, info.Mode(), err)
		}
	}
}

func TestRelativeFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	s := open(t, "data")
	subscribeFeeds(t, s, 1)
	if _, err := os.Stat(filepath.Join("data", FileName)); err != nil {
		t.Error(err)
	}
}

func TestReadingBesideTheWriter(t *testing.T) {
	dir := t.TempDir()
	w := open(t, dir)
	r, err := OpenReadOnly(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	subscribeFeeds(t, w, 3)
	if n := queryInt(t, r, "SELECT count(*) FROM feed"); n != 3 {
		t.Errorf("the reader sees %d feeds, want 3", n)
	}
	if err := r.Write(t.Context(), func(*sql.Tx) error { return nil }); !errors.Is(err, ErrReadOnly) {
		t.Errorf("writing: %v, want ErrReadOnly", err)
	}
	if _, err := r.Read().Exec("DELETE FROM feed"); err == nil {
		t.Error("the read-only store can write")
	}
	if _, err := w.Read().Exec("DELETE FROM feed"); err == nil {
		t.Error("the writer's reading connection can write")
	}
}

func TestCloseLeavesOneFile(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	subscribeFeeds(t, s, 3)
	if _, err := s.Feeds.List(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v (%v)", entries, err)
	}
}

// The copy before a migration is complete or not there: what a killed or canceled one leaves is removed, and the file
// stays as it is.
func TestCopyBeforeMigrationIsWholeOrAbsent(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Room{"attic", otherSteps[:1]})
	execute(t, s, "INSERT INTO box (what) VALUES ('hat')")
	s.Close()
	part := filepath.Join(dir, FileName+".backup.part")
	if err := os.WriteFile(part, []byte("SQLite form"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	later, rooms := epoch.Add(time.Hour), Room{"attic", otherSteps}
	if _, err := OpenTelling(ctx, dir, later, func(int64, int64) { cancel() }, rooms); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*backup*")); err != nil || len(left) > 0 {
		t.Errorf("a canceled copy leaves %v (%v)", left, err)
	}

	reader, err := OpenReadOnly(t.Context(), dir, Room{"attic", otherSteps[:1]}) // has the log kept
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if n := queryInt(t, reader, "SELECT count(*) FROM box"); n != 1 {
		t.Fatalf("%d hats", n)
	}
	var done, total int64
	if s, err = OpenTelling(t.Context(), dir, later, func(d, of int64) { done, total = d, of }, rooms); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if total == 0 || done > total+copyChunk {
		t.Errorf("%d of %d bytes copied", done, total)
	}
	files := backups(t, dir)
	if _, err := os.Stat(part); err == nil || len(files) != 1 {
		t.Fatalf("copies: %v, and the part", files)
	}
	if c, err := CheckBackup(t.Context(), files[0]); err != nil {
		t.Errorf("the copy: %+v, %v", c, err)
	}
}

func TestFailedWriteIsRolledBackWithoutNotice(t *testing.T) {
	s := open(t, t.TempDir())
	changed, stop := s.Watch()
	defer stop()
	broken := errors.New("broken")
	err := s.Write(t.Context(), func(tx *sql.Tx) error {
		if _, err := Subscribe(t.Context(), tx, Feed{URL: "https://a.test/"}, epoch); err != nil {
			t.Error(err)
		}
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if n := queryInt(t, s, "SELECT count(*) FROM feed"); n != 0 {
		t.Error("half a transaction was stored")
	}
	select {
	case <-changed:
		t.Error("watchers were told about a rolled back change")
	default:
	}
}

func TestWatchCoalesces(t *testing.T) {
	s := open(t, t.TempDir())
	changed, stop := s.Watch()
	other, stopOther := s.Watch()
	change := func() { execute(t, s, "INSERT INTO setting VALUES (random(), '')") }
	for range 5 {
		change()
	}
	<-changed
	select {
	case <-changed:
		t.Error("five commits before a receive gave two signals")
	default:
	}
	stop()
	change()
	select {
	case <-changed:
		t.Error("watchers were told after the watch ended")
	default:
	}
	<-other
	s.Close()
	if _, open := <-other; open {
		t.Error("the channel is open after the store was closed")
	}
	stopOther()
	closed, stop := s.Watch()
	stop()
	if _, open := <-closed; open {
		t.Error("a watch of a closed store is open")
	}
}

func TestSettings(t *testing.T) {
	s := open(t, t.TempDir())
	if v, err := s.Settings.Get(t.Context(), "a", "otherwise"); v != "otherwise" || err != nil {
		t.Error(v, err)
	}
	for _, c := range []struct {
		value string
		want  int
	}{{"12", 12}, {"-3", -3}, {"many", 7}, {"", 7}} {
		if err := s.Settings.Set(t.Context(), "a", c.value); err != nil {
			t.Fatal(err)
		}
		if v, err := s.Settings.Int(t.Context(), "a", 7); v != c.want || err != nil {
			t.Errorf("%q is %d (%v), want %d", c.value, v, err, c.want)
		}
	}
}

// A transaction that is canceled fails for that, whatever its statements say of it.
func TestCanceledTransaction(t *testing.T) {
	s := open(t, t.TempDir())
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		err := s.Write(ctx, func(tx *sql.Tx) error {
			prepared, err := tx.Prepare("SELECT 1")
			cancel()
			for err == nil {
				_, err = prepared.Exec()
			}
			return err
		})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("%v", err)
		}
	}
}

// One whose context ends before it is committed says so, too.
func TestCanceledCommit(t *testing.T) {
	s := open(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	err := s.Write(ctx, func(tx *sql.Tx) error {
		cancel()
		for { // until it is rolled back
			if _, err := tx.ExecContext(t.Context(), "SELECT 1"); errors.Is(err, sql.ErrTxDone) {
				return nil
			}
			runtime.Gosched()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
