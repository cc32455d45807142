package away

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/poller"
	"kairos/poller/likely"
	"kairos/reader"
	"kairos/reader/parse"
	"kairos/useraccess"
)

var (
	now   = time.Date(2026, 3, 20, 8, 0, 0, 0, time.UTC)
	since = now.AddDate(0, 0, -10)
)

// newSource returns a source of feeds that begin to be known long ago; posts are in days before now.
func newSource(t testing.TB, feeds map[string][]float64) (Source, map[string]int64) {
	t.Helper()
	store, err := reader.Open(t.Context(), t.TempDir(), now, reader.Room{Name: "useraccess", Steps: useraccess.Steps}, reader.Room{Name: "poller", Steps: poller.Steps})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	log := useraccess.New(store)
	clock := func() time.Time { return now }
	p := poller.New(store, log, poller.Options{Now: clock})
	ids := map[string]int64{}
	err = store.Write(t.Context(), func(tx *sql.Tx) error {
		if err := reader.SetDedupe(t.Context(), tx, reader.DedupeSettings{Once: true}); err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(feeds)) {
			id, err := reader.Subscribe(t.Context(), tx, reader.Feed{URL: "http://" + name + ".test/", Title: name}, now)
			if err != nil {
				return err
			}
			ids[name] = id
			for k, days := range feeds[name] {
				at := now.Add(-time.Duration(days * 24 * float64(time.Hour)))
				a := parse.Article{Key: fmt.Sprint(k), Title: fmt.Sprintf("%s %d", name, k), Link: fmt.Sprintf("http://%s.test/%d", name, k), Published: at}
				if days == 1.5 {
					a.Title = "The same story of everywhere"
				}
				if _, err := reader.StoreArticles(t.Context(), tx, id, []parse.Article{a}, at, since); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return Source{Store: store, Poller: p, Likely: likely.New(store, log, p.Interests, clock), Dedupe: true}, ids
}

// every returns posts every so many days from one day before now to another.
func every(step, from, to float64) (days []float64) {
	for d := from; d >= to; d -= step {
		days = append(days, d)
	}
	return days
}

func TestSummary(t *testing.T) {
	s, ids := newSource(t, map[string][]float64{
		"steady": append(every(1, 80, 0.5), 1.5),
		"busy":   append(every(2, 80, 11), every(0.25, 9, 0.6)...),
		"silent": every(3, 80, 9.5),
		"gone":   every(3, 200, 60), // was silent before
		"other":  {1.5},
		"quiet":  every(1, 30, 1),
	})
	write(t, s, func(tx *sql.Tx) error {
		f, err := reader.GetFeed(t.Context(), tx, ids["quiet"])
		if err != nil {
			return err
		}
		f.Quiet = true
		return reader.UpdateFeed(t.Context(), tx, f)
	})
	sum, err := s.Read(t.Context(), since, now)
	if err != nil {
		t.Fatal(err)
	}
	if len(sum.Busy) != 1 || sum.Busy[0].Feed != ids["busy"] || sum.Busy[0].Usual > 7 || sum.Busy[0].Articles < 30 {
		t.Errorf("busy: %+v", sum.Busy)
	}
	if len(sum.Silent) != 1 || sum.Silent[0].Feed != ids["silent"] || sum.Silent[0].Longest != 3*24*time.Hour {
		t.Errorf("silent: %+v", sum.Silent)
	}
	if len(sum.Likely) != maxLikely || sum.Likely[0].Title == "" || sum.Likely[0].Reason.Chance <= 0 {
		t.Errorf("likely: %+v", sum.Likely)
	}
	if len(sum.Stories) != 1 && !slices.ContainsFunc(sum.Likely, func(a Article) bool { return a.Title == "The same story of everywhere" }) || len(sum.Stories) == 1 && sum.Stories[0].Carriers != 2 {
		t.Errorf("stories: %+v", sum.Stories)
	}
	if len(sum.Rest()) != len(sum.Articles)-maxLikely {
		t.Errorf("%d of %d are the rest", len(sum.Rest()), len(sum.Articles))
	}
	n := 0
	for _, c := range sum.ByFeed {
		if c.Feed == ids["quiet"] {
			t.Error("a quiet feed is counted")
		}
		n += c.Articles
	}
	if n != len(sum.Articles) || sum.Feeds != len(sum.ByFeed) || len(sum.Failed) != 0 {
		t.Errorf("%d articles by feed, %d in all; failed %v", n, len(sum.Articles), sum.Failed)
	}
}

// However stories are listed, what several feeds tell is told once, among what will probably be read as well. What was told to stand
// out stands there when it is read, and the sum of what came stays.
func TestToldOnce(t *testing.T) {
	const title = "Making a Ruby C library even faster"
	s, ids := newSource(t, map[string][]float64{"a": every(1, 9, 1), "b": every(1, 9, 1), "c": every(1, 9, 1)})
	write(t, s, func(tx *sql.Tx) error {
		if err := reader.SetDedupe(t.Context(), tx, reader.DedupeSettings{}); err != nil {
			return err
		}
		for i, name := range []string{"a", "b", "c"} {
			for k := range 12 {
				a := parse.Article{Key: fmt.Sprint("same", k), Title: fmt.Sprintf("%s, part %d", title, k), Link: fmt.Sprintf("http://%s.test/same/%d", name, k), Published: now.AddDate(0, 0, -1)}
				if _, err := reader.StoreArticles(t.Context(), tx, ids[name], []parse.Article{a}, now.AddDate(0, 0, -1), since); err != nil {
					return err
				}
			}
			for k := range 2 { // of one feed twice, an hour after another
				a := parse.Article{Key: fmt.Sprint("twice", k), Title: "What everybody here has read this week", Link: fmt.Sprintf("http://%s.test/week/%d", name, k), Published: now.AddDate(0, 0, -1-k).Add(time.Duration(-i) * time.Hour)}
				if _, err := reader.StoreArticles(t.Context(), tx, ids[name], []parse.Article{a}, now.AddDate(0, 0, -1), since); err != nil {
					return err
				}
			}
		}
		return nil
	})
	s.Dedupe = false
	sum, err := s.Read(t.Context(), since, now)
	if err != nil {
		t.Fatal(err)
	}
	if sum.Came != 69 || len(sum.Articles) != 69 || sum.Feeds != 3 {
		t.Errorf("%d came, %d are left, of %d feeds", sum.Came, len(sum.Articles), sum.Feeds)
	}
	titles := map[string]bool{}
	for _, a := range slices.Concat(sum.Likely, sum.Stories) {
		if titles[a.Title] {
			t.Errorf("%q is told twice", a.Title)
		}
		titles[a.Title] = true
		if tells := strings.HasPrefix(a.Title, title); tells != (a.Carriers == 3) {
			t.Errorf("%q: %d feeds tell it", a.Title, a.Carriers)
		}
	}
	if len(sum.Likely) != maxLikely || len(sum.Stories) == 0 {
		t.Errorf("%d are likely, %d are stories", len(sum.Likely), len(sum.Stories))
	}
	read := sum.Rest()
	read = append(read, sum.Likely[0].ID)
	write(t, s, func(tx *sql.Tx) error {
		_, err := reader.Mark(t.Context(), tx, read, reader.FlagRead, true)
		return err
	})
	again, err := s.Again(t.Context(), &sum, now)
	if err != nil {
		t.Fatal(err)
	}
	if again.Came != sum.Came || again.Feeds != sum.Feeds || len(again.Articles) != maxLikely-1 {
		t.Errorf("%d came of %d feeds, %d are left", again.Came, again.Feeds, len(again.Articles))
	}
	if !slices.Equal(idsOf(again.Likely), idsOf(sum.Likely)) || !again.Likely[0].Read || again.Likely[1].Read {
		t.Errorf("likely: %v, before %v", again.Likely, sum.Likely)
	}
}

func write(t testing.TB, s Source, f func(*sql.Tx) error) {
	t.Helper()
	if err := s.Store.Write(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

// Without feeds, with a clock that was set back, and when it is given up, there is nothing to tell, and no panic.
func TestNothingCame(t *testing.T) {
	s, _ := newSource(t, nil)
	for _, from := range []time.Time{since, now, now.AddDate(1, 0, 0), {}} {
		if sum, err := s.Read(t.Context(), from, now); err != nil || len(sum.Articles) != 0 || len(sum.Busy)+len(sum.Silent) != 0 {
			t.Errorf("%+v, %v", sum, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Read(ctx, since, now); err == nil {
		t.Error("it went on")
	}
}

// BenchmarkRead tells what came of 200 feeds with 500 articles each, 20,000 of them unread.
func BenchmarkRead(b *testing.B) {
	feeds := map[string][]float64{}
	for k := range 200 {
		feeds[fmt.Sprintf("f%d", k)] = every(0.1, 50, 0.1)
	}
	s, _ := newSource(b, feeds)
	for b.Loop() {
		if _, err := s.Read(b.Context(), since, now); err != nil {
			b.Fatal(err)
		}
	}
}
