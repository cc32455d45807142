package reader

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"modernc.org/sqlite"
)

// TestMain lets a test start this program again to kill it.
func TestMain(m *testing.M) {
	if dir := os.Getenv("READER_TEST_WRITER"); dir != "" {
		writeUntilKilled(dir)
	}
	if dir := os.Getenv("READER_TEST_MIGRATION"); dir != "" {
		migrateUntilKilled(dir)
	}
	if what := os.Getenv("READER_TEST_UPKEEP"); what != "" {
		keepUpUntilKilled(what)
	}
	if dir := os.Getenv("READER_TEST_IMPORT"); dir != "" {
		importUntilKilled(dir)
	}
	if dir := os.Getenv("READER_TEST_STORIES"); dir != "" {
		joinUntilKilled(dir)
	}
	os.Exit(m.Run())
}

// killsOf returns how many kills a test deals, which are many if KAIROS_SOAK is set, and by what seed: KAIROS_SEED, or another each time.
func killsOf(t *testing.T, some, many int) (kills int, seed uint64) {
	t.Helper()
	kills, seed = some, uint64(time.Now().UnixNano())
	if os.Getenv("KAIROS_SOAK") != "" {
		kills = many
	}
	if s, err := strconv.ParseUint(os.Getenv("KAIROS_SEED"), 10, 64); err == nil {
		seed = s
	}
	t.Logf("%d kills; KAIROS_SEED=%d deals the same ones, as far as instants can be had again", kills, seed)
	return kills, seed
}

// checkIntegrity fails if SQLite finds the file damaged.
func checkIntegrity(t *testing.T, s *Store) {
	t.Helper()
	var sound string
	if err := s.Read().QueryRow("PRAGMA integrity_check").Scan(&sound); err != nil || sound != "ok" {
		t.Errorf("integrity: %s, %v", sound, err)
	}
}

// writeUntilKilled commits one feed after the other, prints each number after its commit, and never
// closes the store.
func writeUntilKilled(dir string) {
	s, err := Open(context.Background(), dir, epoch)
	for i := 1; err == nil; i++ {
		err = s.Write(context.Background(), func(tx *sql.Tx) error {
			_, err := Subscribe(context.Background(), tx, Feed{URL: fmt.Sprintf("https://feeds.test/%d", i)}, epoch)
			return err
		})
		fmt.Println(i)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func TestKilledWriterLosesNoCommit(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "READER_TEST_WRITER="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	printed := 0
	for printed < 20 {
		if _, err := fmt.Fscan(out, &printed); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := fmt.Fscan(out, &printed); err != nil {
			break
		}
	}
	cmd.Wait() //nolint:errcheck // it was killed

	r, err := OpenReadOnly(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	n := queryInt(t, r, "SELECT count(*) FROM feed")
	r.Close()
	if n < printed {
		t.Errorf("%d feeds are stored, %d were committed", n, printed)
	}
	s := open(t, dir)
	if got := queryInt(t, s, "SELECT count(*) FROM feed"); got != n {
		t.Errorf("opened for writing there are %d feeds, read only there were %d", got, n)
	}
}

// migrateUntilKilled ends this program in the midst of its last migration, as the system would.
func migrateUntilKilled(dir string) {
	sqlite.MustRegisterScalarFunction("die", 0, func(*sqlite.FunctionContext, []driver.Value) (driver.Value, error) {
		if self, err := os.FindProcess(os.Getpid()); err != nil || self.Kill() != nil {
			return nil, errors.New("it cannot be killed")
		}
		select {} // until the system has done it
	})
	steps := append(otherSteps[:2:2], "UPDATE box SET what = 'half'; SELECT die()")
	_, err := Open(context.Background(), dir, epoch, Room{"attic", steps})
	fmt.Println(err)
}

// A migration that was killed leaves the file as the earlier version wrote it, and to both versions.
func TestKilledMigrationLeavesTheFileToBothVersions(t *testing.T) {
	dir := t.TempDir()
	earlier := Room{"attic", otherSteps[:1]}
	s := open(t, dir, earlier)
	execute(t, s, "INSERT INTO box (what) VALUES ('hat')")
	s.Close()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "READER_TEST_MIGRATION="+dir)
	if out, err := cmd.CombinedOutput(); err == nil || len(out) > 0 {
		t.Fatalf("it was to be killed: %v, and said %s", err, out)
	}
	if names := backups(t, dir); len(names) != 1 {
		t.Errorf("copies: %v", names)
	}
	r, err := OpenReadOnly(t.Context(), dir, earlier)
	if err != nil {
		t.Fatal(err)
	}
	if n := queryInt(t, r, "SELECT count(*) FROM box WHERE what = 'hat'"); n != 1 {
		t.Error("the hat is lost")
	}
	r.Close()
	open(t, dir, earlier).Close()
	if s = open(t, dir, Room{"attic", otherSteps}); queryInt(t, s, "SELECT weight FROM box WHERE what = 'hat!'") != 7 {
		t.Error("the next start does not migrate")
	}
}
