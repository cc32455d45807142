package reader

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kairos/reader/parse"
	"kairos/reader/readertest"
)

const (
	killedFeeds, killedArticles  = 5, 300
	importKills, manyImportKills = 6, 200
)

// importUntilKilled imports and takes back again and again, and prints what it begins.
func importUntilKilled(dir string) {
	ctx := context.Background()
	s, err := Open(ctx, dir, epoch)
	for err == nil {
		fmt.Println("import")
		var r ImportReport
		r, err = s.Imports.Run(ctx, otherReader(killedFeeds, killedArticles), ImportOptions{Now: epoch, Progress: func(n int) { fmt.Println("staged", n) }})
		if err == nil {
			fmt.Println("undo")
			err = s.Imports.Undo(ctx, r.ID, ImportHooks{})
		}
	}
	fmt.Println("failed", err)
	os.Exit(1)
}

// An import and its undoing are killed at random instants: all of it is there, or nothing, and what the killed process left is
// completed by the next.
func TestKilledImportLeavesAllOrNothing(t *testing.T) {
	readertest.SkipWithRace(t)
	kills, seed := killsOf(t, importKills, manyImportKills)
	r, dir := rand.New(rand.NewPCG(seed, 1)), t.TempDir()
	s := open(t, dir)
	known := subscribe(t, s, Feed{URL: "https://feeds.test/3"}) // of which the other reader knows more
	write(t, s, func(tx *sql.Tx) error {
		_, err := StoreArticles(t.Context(), tx, known, []parse.Article{{Key: "urn:3:1", Title: "Article 1 of 3", Published: epoch.Add(-2 * time.Hour)}, {Key: "mine", Title: "Mine"}}, epoch, time.Time{})
		return err
	})
	nothing := contents(t, s)
	done := runImport(t, s, otherReader(killedFeeds, killedArticles))
	all := contents(t, s)
	if err := s.Imports.Undo(t.Context(), done.ID, ImportHooks{}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	seen := map[string]int{}
	for range kills {
		readertest.KillOnce(t, "READER_TEST_IMPORT", dir, r, 16, func(line string) {
			if strings.HasPrefix(line, "failed") {
				t.Error(line)
			}
		})
		s := open(t, dir)
		// What is new is there or not. The rest of a feed that was known may follow when the program goes on.
		if n := queryInt(t, s, "SELECT count(*) FROM feed WHERE removed = 0"); n != nothing["feeds"] && n != all["feeds"] {
			t.Errorf("%d feeds are seen", n)
		}
		if err := s.Imports.Recover(t.Context(), ImportHooks{}); err != nil {
			t.Fatal(err)
		}
		got := contents(t, s)
		switch {
		case cmp.Equal(got, all):
			seen["all"]++
			list, err := s.Imports.List(t.Context())
			if err != nil || len(list) != 1 {
				t.Fatalf("%+v, %v", list, err)
			}
			if err := s.Imports.Undo(t.Context(), list[0].ID, ImportHooks{}); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(nothing, contents(t, s)); d != "" {
				t.Error(d)
			}
		case cmp.Equal(got, nothing):
			seen["nothing"]++
		default:
			t.Errorf("%v; before %v, complete %v", got, nothing, all)
		}
		if n := queryInt(t, s, "SELECT (SELECT count(*) FROM status) + (SELECT count(*) FROM feed)"); n != 3 {
			t.Errorf("%d rows are left", n)
		}
		checkIntegrity(t, s)
		if err := s.Close(); err != nil || t.Failed() {
			t.Fatal(err)
		}
	}
	t.Log(seen)
}
