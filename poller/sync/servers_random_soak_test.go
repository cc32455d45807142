package sync_test

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"kairos/poller/sync"
	"kairos/poller/sync/synctest"
	"kairos/reader"
)

// TestRandomStepsAtRealServers does random things here and at a real server, and syncs in between. What is here and there is compared
// every hundred steps: every article of the server with its marks, and every feed with its title and folder. KAIROS_SEED repeats a run;
// KAIROS_STEPS is how many steps it takes.
func TestRandomStepsAtRealServers(t *testing.T) {
	eachServer(t, func(s *seat, server synctest.Server, feeds *synctest.Feeds) {
		seed, err := strconv.ParseUint(os.Getenv("KAIROS_SEED"), 10, 64)
		if err != nil {
			seed = uint64(time.Now().UnixNano())
		}
		s.Logf("KAIROS_SEED=%d", seed)
		steps, err := strconv.Atoi(os.Getenv("KAIROS_STEPS"))
		if err != nil {
			steps = 1000
		}
		feeds.Since = time.Now().AddDate(0, 0, -80)
		w := &walk{s, server, feeds, rand.New(rand.NewPCG(seed, 0)), nil}
		for n := range 4 {
			w.subscribeThere(n)
		}
		w.step(syncByHand)
		for n := range steps {
			kind := w.r.IntN(lastStep)
			w.step(kind)
			if n%100 == 99 {
				w.compare(n + 1)
			}
			if s.Failed() {
				return
			}
		}
		s.Logf("%d feeds and %d articles at the end", len(w.feedsHere()), len(w.ids))
	})
}

// walk is a seat where random things happen.
type walk struct {
	*seat
	server synctest.Server
	feeds  *synctest.Feeds
	r      *rand.Rand
	ids    []string // of the articles at the server, as they were lately
}

// The steps of a walk, each with its share of lastStep.
const (
	readThere = 30
	starThere = readThere + 15
	markHere  = starThere + 25
	postThere = markHere + 3
	editThere = postThere + 3
	editHere  = editThere + 3
	feedThere = editHere + 2
	feedHere  = feedThere + 2

	syncByHand = feedHere + 5
	lastStep   = syncByHand + 15 // by itself
)

func (w *walk) step(kind int) {
	w.Helper()
	ctx := w.Context()
	switch {
	case kind < readThere:
		w.check(w.other.SetRead(ctx, w.some(w.ids), w.r.IntN(3) > 0))
	case kind < starThere:
		w.check(w.other.SetStarred(ctx, w.some(w.ids), w.r.IntN(2) > 0))
	case kind < markHere:
		w.markHere()
	case kind < postThere:
		w.feeds.Post()
		w.server.Refresh()
		w.list()
	case kind < editThere:
		if f, ok := w.feedThere(); ok {
			title, folder := w.names("there")
			w.check(w.other.(sync.Editor).Edit(ctx, f.ID, w.change(title, folder)))
		}
	case kind < editHere:
		w.editHere()
	case kind < feedThere:
		// A list without any feed would not be believed.
		if f, ok := w.feedThere(); ok && len(w.feedsThere()) > 3 && len(w.feedsHere()) > 3 && w.r.IntN(2) == 0 {
			w.check(w.other.Unsubscribe(ctx, f.ID))
		} else {
			w.subscribeThere(w.r.IntN(8))
		}
		w.list()
	case kind < feedHere:
		w.subscribeHere()
	default:
		_, err := w.engine.Sync(ctx, w.account, kind <= syncByHand)
		w.check(err)
		w.list()
	}
}

// some returns up to three of them.
func (w *walk) some(ids []string) []string {
	if len(ids) == 0 {
		return nil
	}
	i := w.r.IntN(len(ids))
	return slices.Clone(ids[i:min(len(ids), i+1+w.r.IntN(3))])
}

// names returns a title that servers tell with other letters, and a folder.
func (w *walk) names(side string) (title, folder string) {
	return fmt.Sprintf("%s & %d, <new>; a/b?", side, w.r.IntN(100)), []string{"", "News", "Fun, Games & more"}[w.r.IntN(3)]
}

// change is of the title, of the folder, or of both.
func (w *walk) change(title, folder string) sync.Change {
	return []sync.Change{{Title: &title}, {Folder: &folder}, {Title: &title, Folder: &folder}}[w.r.IntN(3)]
}

func (w *walk) list() {
	w.Helper()
	w.ids = nil
	for _, a := range w.articlesThere() {
		w.ids = append(w.ids, a.ID)
	}
	slices.Sort(w.ids)
}

func (w *walk) articlesThere() map[string]sync.Article {
	w.Helper()
	all := map[string]sync.Article{}
	for cursor, first := "", true; first || cursor != ""; first = false {
		page, err := w.other.Page(w.Context(), cursor, time.Now().AddDate(-1, 0, 0))
		w.check(err)
		for _, a := range page.Articles {
			all[a.ID] = a
		}
		cursor = page.Next
	}
	return all
}

func (w *walk) feedThere() (sync.Feed, bool) {
	w.Helper()
	list, err := w.other.Feeds(w.Context())
	w.check(err)
	if len(list) == 0 {
		return sync.Feed{}, false
	}
	return list[w.r.IntN(len(list))], true
}

func (w *walk) subscribeThere(n int) {
	w.Helper()
	_, err := w.other.Subscribe(w.Context(), w.feeds.URL(fmt.Sprint("f", n)), "", "")
	w.check(err)
}

func (w *walk) markHere() {
	w.Helper()
	ids, err := w.store.Articles.IDs(w.Context(), reader.Query{})
	w.check(err)
	if len(ids) == 0 {
		return
	}
	i := w.r.IntN(len(ids))
	flag := []reader.Flag{reader.FlagRead, reader.FlagStarred}[w.r.IntN(2)]
	w.write(func(tx *sql.Tx) error {
		_, err := reader.Mark(w.Context(), tx, ids[i:min(len(ids), i+1+w.r.IntN(3))], flag, w.r.IntN(3) > 0)
		return err
	})
}

func (w *walk) feedHere() (reader.Feed, bool) {
	w.Helper()
	list, err := w.store.Feeds.List(w.Context())
	w.check(err)
	if len(list) == 0 {
		return reader.Feed{}, false
	}
	return list[w.r.IntN(len(list))], true
}

func (w *walk) editHere() {
	w.Helper()
	f, ok := w.feedHere()
	if !ok {
		return
	}
	title, folder := w.names("here")
	if w.r.IntN(2) == 0 {
		f.OwnTitle = title
	} else {
		f.Folder = folder
	}
	w.write(func(tx *sql.Tx) error { return reader.UpdateFeed(w.Context(), tx, f) })
}

func (w *walk) subscribeHere() {
	w.Helper()
	if f, ok := w.feedHere(); ok && len(w.feedsThere()) > 3 && w.r.IntN(2) == 0 {
		w.write(func(tx *sql.Tx) error { return reader.Unsubscribe(w.Context(), tx, f.ID, time.Now()) })
		return
	}
	w.write(func(tx *sql.Tx) error {
		url := w.feeds.URL(fmt.Sprint("f", w.r.IntN(8)))
		_, err := reader.Subscribe(w.Context(), tx, reader.Feed{URL: url, Account: w.account}, time.Now())
		var twice *reader.DuplicateError
		if errors.As(err, &twice) {
			return nil
		}
		return err
	})
}

// compare expects that both sides are the same after two synchronizations: the second sends what the first has found to be ours.
func (w *walk) compare(step int) {
	w.Helper()
	for range 2 {
		w.sync()
	}
	if here, there := w.feedsHere(), w.feedsThere(); !slices.Equal(here, there) {
		w.Errorf("after %d steps the feeds here are %q, there %q", step, here, there)
	}
	here := map[string]string{}
	rows, err := w.store.Read().Query("SELECT s.key, s.read, s.starred FROM status s JOIN feed f ON f.id = s.feed WHERE s.account > 0 AND f.removed = 0")
	w.check(err)
	defer rows.Close()
	for rows.Next() {
		var key string
		var read, starred bool
		w.check(rows.Scan(&key, &read, &starred))
		here[key] = fmt.Sprintf("read %t, starred %t", read, starred)
	}
	w.check(rows.Err())
	there := w.articlesThere()
	for id, a := range there {
		if want := fmt.Sprintf("read %t, starred %t", a.Read, a.Starred); here[id] != want {
			w.Errorf("after %d steps %s %s (%s) is %q here, there %s", step, id, a.Title, a.Link, here[id], want)
		}
	}
	for id := range here {
		if _, ok := there[id]; !ok {
			w.Errorf("after %d steps %s is only here", step, id)
		}
	}
	links := 0
	w.check(w.store.Read().QueryRow("SELECT count(*) - count(DISTINCT a.link) FROM status s JOIN article a USING (id) JOIN feed f ON f.id = s.feed WHERE f.removed = 0").Scan(&links))
	if links != 0 {
		w.Errorf("after %d steps %d articles are here twice", step, links)
	}
}
