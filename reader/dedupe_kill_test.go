package reader

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kairos/reader/readertest"
)

const (
	joinedArticles           = 2000
	joinKills, manyJoinKills = 8, 100
)

// joinUntilKilled finds the stories among stored articles, and prints when it has committed something and when it is done.
func joinUntilKilled(dir string) {
	ctx := context.Background()
	s, err := Open(ctx, dir, epoch)
	if err == nil {
		committed, end := s.Watch()
		defer end()
		go func() {
			for range committed {
				fmt.Println("committed")
			}
		}()
		fmt.Println("begins")
		_, err = s.Duplicates.Find(ctx)
	}
	fmt.Println("done", err)
	os.Exit(0)
}

// A process is killed at random instants while it joins articles into stories: what it has done stays and is not done again, and
// in the end the stories are those of one that was never interrupted.
func TestKilledJoiningLosesNothing(t *testing.T) {
	readertest.SkipWithRace(t)
	kills, seed := killsOf(t, joinKills, manyJoinKills)
	r, whole := rand.New(rand.NewPCG(seed, 33)), t.TempDir()
	want := unjoinedStore(t, whole)
	killed := 0
	for killed < kills {
		dir := copyStore(t, whole)
		for examined := 0; ; {
			done := killJoining(t, dir, r)
			now := checkJoined(t, dir)
			if now < examined {
				t.Fatalf("of %d articles that were examined %d are left", examined, now)
			}
			if examined = now; done {
				break
			}
			if killed++; killed >= kills {
				finishJoining(t, dir)
				break
			}
		}
		s := open(t, dir)
		if got := storiesOf(t, s); got != want {
			t.Errorf("after kills the stories are others: %d and %d bytes", len(got), len(want))
		}
		s.Close()
	}
}

// unjoinedStore stores articles that are to be joined, and returns the stories that they make.
func unjoinedStore(t *testing.T, dir string) (want string) {
	t.Helper()
	s := open(t, dir)
	all := dealtReports(joinedArticles)
	feeds := subscribeFeeds(t, s, len(all))
	write(t, s, func(tx *sql.Tx) error {
		for i, articles := range all {
			for j := range articles {
				articles[j].Published = epoch.Add(articles[j].Published.Sub(epoch) / 20)
			}
			if _, err := StoreArticles(t.Context(), tx, feeds[i], articles, epoch, time.Time{}); err != nil {
				return err
			}
		}
		return SetDedupe(t.Context(), tx, DedupeSettings{Once: true, Alike: true})
	})
	s.Close()
	other := copyStore(t, dir)
	finishJoining(t, other)
	s = open(t, other)
	defer s.Close()
	if n := queryInt(t, s, "SELECT count(*) FROM status WHERE story <> 0"); n < joinedArticles/10 {
		t.Fatalf("%d articles belong to a story", n)
	}
	return storiesOf(t, s)
}

func finishJoining(t *testing.T, dir string) {
	t.Helper()
	s := open(t, dir)
	defer s.Close()
	if _, err := s.Duplicates.Find(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// copyStore copies a closed store into a new folder.
func copyStore(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	content, err := os.ReadFile(filepath.Join(dir, FileName))
	if err == nil {
		err = os.WriteFile(filepath.Join(to, FileName), content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// storiesOf returns all that was found of stories.
func storiesOf(t *testing.T, s *Store) (text string) {
	t.Helper()
	err := s.Read().QueryRow(`SELECT group_concat(s.id || ' ' || s.story || ' ' || y.link || ' ' || y.title || ' ' || y.alike, ',' ORDER BY s.id)
		FROM status s JOIN story y USING (id)`).Scan(&text)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// killJoining starts the process and kills it, unless it is done before.
func killJoining(t *testing.T, dir string, r *rand.Rand) (done bool) {
	t.Helper()
	readertest.KillOnce(t, "READER_TEST_STORIES", dir, r, 5, func(line string) {
		if text, is := strings.CutPrefix(line, "done "); is {
			if done = true; text != "<nil>" {
				t.Error(text)
			}
		}
	})
	return done
}

// checkJoined returns how many articles were examined and compared, of which each is known with the numbers it was compared by.
func checkJoined(t *testing.T, dir string) int {
	t.Helper()
	s := open(t, dir)
	defer s.Close()
	checkIntegrity(t, s)
	if n := queryInt(t, s, "SELECT count(*) FROM story_key WHERE article NOT IN (SELECT id FROM story WHERE alike <> 0)"); n != 0 {
		t.Errorf("%d numbers are of articles that were not compared", n)
	}
	if n := queryInt(t, s, "SELECT count(*) FROM status s WHERE story <> 0 AND story NOT IN (SELECT id FROM status)"); n != 0 {
		t.Errorf("%d articles belong to stories without a first article", n)
	}
	return queryInt(t, s, "SELECT (SELECT count(*) FROM story) + (SELECT count(*) FROM story WHERE alike <> 0)")
}
