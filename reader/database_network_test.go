package reader

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func queryText(t *testing.T, s *Store, query string) (text string) {
	t.Helper()
	if err := s.Read().QueryRowContext(t.Context(), query).Scan(&text); err != nil {
		t.Fatal(err)
	}
	return text
}

// A data folder that moves to a network and back has the journal that is safe there, keeps what it holds, and can be read
// beside the writer.
func TestFolderOnANetwork(t *testing.T) {
	t.Cleanup(func() { isNetworkFolder = onNetwork })
	dir := t.TempDir()
	if isNetworkFolder(dir) {
		t.Skip("skipped: the folder for tests is on a network")
	}
	feeds := 0
	for _, c := range []struct {
		network bool
		want    string
	}{{false, "wal"}, {true, "delete"}, {true, "delete"}, {false, "wal"}} {
		isNetworkFolder = func(string) bool { return c.network }
		s, err := Open(t.Context(), dir, epoch)
		if err != nil {
			t.Fatal(err)
		}
		if got := queryText(t, s, "PRAGMA journal_mode"); got != c.want {
			t.Errorf("on a network %t: journal %s, want %s", c.network, got, c.want)
		}
		_, err = os.Stat(filepath.Join(dir, FileName+"-shm"))
		if errors.Is(err, os.ErrNotExist) != c.network {
			t.Errorf("on a network %t: shared memory: %v", c.network, err)
		}
		beside, err := OpenReadOnly(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if n := queryInt(t, beside, "SELECT count(*) FROM feed"); n != feeds {
			t.Errorf("%d feeds, want %d", n, feeds)
		}
		execute(t, s, "INSERT INTO feed (url, same, added) VALUES (random(), random(), 0)")
		if feeds++; queryInt(t, beside, "SELECT count(*) FROM feed") != feeds {
			t.Error("the reader beside does not see what is written")
		}
		beside.Close()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
