package reader

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// damagedStore writes a store of 20 feeds with 100 articles each, of which every tenth is starred and every third read, and damages
// its file.
func damagedStore(t *testing.T, damage func(file []byte) []byte) (dir string) {
	t.Helper()
	dir = t.TempDir()
	s, err := Open(t.Context(), dir, epoch)
	if err != nil {
		t.Fatal(err)
	}
	feeds := subscribeFeeds(t, s, 20)
	write(t, s, func(tx *sql.Tx) error {
		for _, id := range feeds {
			articles := items(100)
			for i := range articles {
				articles[i].HTML = "<p>" + strings.Repeat("words ", 80) + "</p>"
			}
			if _, err := StoreArticles(t.Context(), tx, id, articles, epoch, time.Time{}); err != nil {
				return err
			}
		}
		return nil
	})
	for _, query := range []string{"UPDATE status SET starred = id % 10 = 0, read = id % 3 = 0", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		if _, err := s.db.write.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, FileName)
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, damage(file), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

const sqlitePage = 4096

// What can be read of a damaged file is saved, with its marks; what is saved is a sound database.
func TestSalvage(t *testing.T) {
	for name, c := range map[string]struct {
		damage          func([]byte) []byte
		feeds, articles int // at least
	}{
		"nothing":             {func(f []byte) []byte { return f }, 20, 2000},
		"the end is cut off":  {func(f []byte) []byte { return f[:len(f)*6/10/sqlitePage*sqlitePage] }, 20, 900},
		"one page in fifty":   {func(f []byte) []byte { return garble(f, 50) }, 20, 1750}, // an inner page, which may be hit, leads to many others
		"one page in ten":     {func(f []byte) []byte { return garble(f, 10) }, 20, 1500},
		"the newest tables":   {clearNewestTables, 20, 1990},
		"pages full of zeros": {func(f []byte) []byte { clear(f[len(f)/2/sqlitePage*sqlitePage:][:8*sqlitePage]); return f }, 20, 1850},
	} {
		t.Run(name, func(t *testing.T) {
			dir := damagedStore(t, c.damage)
			about, err := CountReadable(t.Context(), dir)
			if err != nil {
				t.Error(err)
			}
			contents, aside, err := Salvage(t.Context(), dir, epoch)
			if err != nil || contents.Feeds < c.feeds || contents.Articles < c.articles {
				t.Fatalf("%+v, %v", contents, err)
			}
			if about.Feeds != 0 && (about.Feeds != contents.Feeds || about.Articles < contents.Articles || about.Articles > contents.Articles*12/10) || about.Feeds == 0 && name != "the newest tables" {
				t.Errorf("said to be %+v, is %+v", about, contents)
			}
			if _, err := os.Stat(aside); err != nil {
				t.Error(err)
			}
			s, err := Open(t.Context(), dir, epoch)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			var wrong, orphans int
			err = s.Read().QueryRow(`SELECT count(*) FILTER (WHERE starred <> (id % 10 = 0) OR read <> (id % 3 = 0)), count(*) FILTER (WHERE feed NOT IN (SELECT id FROM feed)
				OR id NOT IN (SELECT id FROM article)) FROM status WHERE deleted = 0`).Scan(&wrong, &orphans)
			if err != nil || wrong > 0 || orphans > 0 {
				t.Errorf("%d marked otherwise, %d without a feed or an article, %v", wrong, orphans, err)
			}
			if ids, err := s.Articles.IDs(t.Context(), Query{}); err != nil || len(ids) != contents.Articles {
				t.Errorf("%d listed, %v", len(ids), err)
			}
			t.Logf("%d feeds, %d articles", contents.Feeds, contents.Articles)
		})
	}
}

// clearNewestTables overwrites the last page of the list of tables.
func clearNewestTables(file []byte) []byte {
	last := int(binary.BigEndian.Uint32(file[100+8:]))
	clear(file[(last-1)*sqlitePage:][:sqlitePage])
	return file
}

// garble overwrites one page in n, but not the first ones.
func garble(file []byte, n int) []byte {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	for at := 20 * sqlitePage; at+sqlitePage <= len(file); at += sqlitePage {
		if r.IntN(n) == 0 {
			for i := range sqlitePage {
				file[at+i] = byte(r.Uint32())
			}
		}
	}
	return file
}

func TestNothingToSalvage(t *testing.T) {
	for name, content := range map[string]string{"empty": "", "text": "hello", "noise": fmt.Sprint(rand.Perm(9999)), "only a header": fileMagic} {
		dir := t.TempDir()
		path := filepath.Join(dir, FileName)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Salvage(t.Context(), dir, epoch); !errors.Is(err, ErrNothingLeft) {
			t.Errorf("%s: %v", name, err)
		}
		if left, err := os.ReadFile(path); err != nil || string(left) != content {
			t.Errorf("%s was changed: %v", name, err)
		}
		if rest, _ := os.ReadDir(dir); len(rest) != 1 {
			t.Errorf("%s: %v is left", name, rest)
		}
	}
}
