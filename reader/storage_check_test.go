package reader

import (
	"errors"
	"os"
	"testing"
)

// checkTables checks one table after the other and returns how many there are.
func checkTables(t *testing.T, s *Store) (n int, found error) {
	t.Helper()
	for table := ""; ; n++ {
		var err error
		if table, err = s.Storage.CheckNext(t.Context(), table); err != nil {
			found = err
		}
		if table == "" {
			return n, found
		}
	}
}

// Each page that holds something of ours is looked at, whichever of them is damaged.
func TestDamageIsFoundBeforeItIsMet(t *testing.T) {
	dir := t.TempDir()
	s := fullStore(t, dir)
	tables, err := textSet(t.Context(), s.Read(), "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := checkTables(t, s); n != len(tables) || err != nil {
		t.Fatalf("%d of %d tables (%v)", n, len(tables), err)
	}
	var root int64
	if err := s.Read().QueryRow("SELECT rootpage FROM sqlite_schema WHERE name = 'body'").Scan(&root); err != nil {
		t.Fatal(err)
	}
	name := s.db.path
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt([]byte("damage, damage"), (root-1)*4096)
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := checkTables(t, open(t, dir, Room{"attic", otherSteps})); !errors.Is(err, ErrDamaged) {
		t.Errorf("found: %v", err)
	}
}
