package reader

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"testing"
	"time"

	"kairos/reader/parse"
)

func endUnread(t testing.TB, s *Store, now time.Time) int {
	t.Helper()
	ended, err := s.Articles.EndUnread(t.Context(), now)
	if err != nil {
		t.Fatal(err)
	}
	return len(ended)
}

func setEnds(t testing.TB, s *Store, feed int64, e Ends) {
	t.Helper()
	f, err := s.Feeds.Get(t.Context(), feed)
	if err != nil {
		t.Fatal(err)
	}
	f.Ends = e
	write(t, s, func(tx *sql.Tx) error { return UpdateFeed(t.Context(), tx, f) })
}

// Unread articles end after days or beyond a number, are listed as ended, and do not end again once they are marked unread.
func TestUnreadEnds(t *testing.T) {
	s := open(t, t.TempDir())
	feed := subscribe(t, s, Feed{URL: "https://a.test/"})
	save(t, s, feed, items(6))
	all := list(t, s, Query{})
	if n := endUnread(t, s, epoch.AddDate(9, 0, 0)); n != 0 {
		t.Errorf("without a setting %d end", n)
	}
	mark(t, s, all[1:2], FlagStarred, true)
	putLabel(t, s, saveLabel(t, s, Label{Name: "Keep"}), all[2:3], true)
	snooze(t, s, epoch.Add(time.Hour), false, all[3])
	setEnds(t, s, feed, Ends{Number: 1})
	if n := endUnread(t, s, epoch); n != 2 {
		t.Errorf("%d end beyond the newest", n)
	}
	for _, q := range []Query{{Ended: true}, {Search: "is:ended"}, {Search: "is:ended title"}} {
		if got := list(t, s, q); !slices.Equal(got, all[4:]) {
			t.Errorf("%+v lists %v, want %v", q, got, all[4:])
		}
	}
	if c, err := s.Articles.Counts(t.Context(), epoch, false); err != nil || !c.Ended || c.Total != 3 {
		t.Errorf("%+v, %v", c, err)
	}
	wakeDue(t, s, epoch.Add(time.Hour), false)
	mark(t, s, all[4:5], FlagRead, false)
	if n := endUnread(t, s, epoch.AddDate(0, 0, 1)); n != 0 {
		t.Errorf("%d end that came back, or were marked unread", n)
	}
	mark(t, s, all[4:5], FlagRead, true)
	if got := list(t, s, Query{Ended: true}); !slices.Equal(got, all[5:]) {
		t.Errorf("ended, after one was read: %v", got)
	}
	setEnds(t, s, feed, Ends{Days: 2})
	if n := endUnread(t, s, epoch.AddDate(0, 0, 2)); n != 0 {
		t.Errorf("%d end on the second day", n)
	}
	if n := endUnread(t, s, epoch.AddDate(0, 0, 2).Add(time.Second)); n != 1 {
		t.Errorf("%d end after the second day", n)
	}
}

// A feed and a folder may say otherwise than the general setting.
func TestEndsOfFoldersAndAll(t *testing.T) {
	s := open(t, t.TempDir())
	feeds := subscribeFeeds(t, s, 3)
	for _, f := range feeds {
		save(t, s, f, items(3))
	}
	write(t, s, func(tx *sql.Tx) error {
		if _, err := SetFolders(t.Context(), tx, map[int64]string{feeds[1]: "A"}); err != nil {
			return err
		}
		if err := SetFolder(t.Context(), tx, Place{Path: "A"}, FolderChoices{Ends: Ends{Days: EndNever, Number: 2}}); err != nil {
			return err
		}
		return SetEnds(t.Context(), tx, Ends{Days: 1})
	})
	setEnds(t, s, feeds[2], Ends{Days: EndNever})
	if n := endUnread(t, s, epoch.AddDate(0, 0, 5)); n != 4 {
		t.Errorf("%d end", n)
	}
	for i, want := range []int{0, 2, 3} {
		if got := list(t, s, Query{View: Unread, Feed: feeds[i]}); len(got) != want {
			t.Errorf("of feed %d %d are unread, want %d", i, len(got), want)
		}
	}
}

// What ends is told to the server, in the transaction in which it ends.
func TestEndsAreSentToTheServer(t *testing.T) {
	s := open(t, t.TempDir())
	account := addAccount(t, s, "u")
	feed := addServerFeed(t, s, account, "1", "https://a.test/")
	storeServer(t, s, account, feed, serverArticle("k", false, false))
	setEnds(t, s, feed, Ends{Days: 1})
	endUnread(t, s, epoch.AddDate(1, 0, 0))
	if marks, err := Outbox(t.Context(), s.Read(), account); err != nil || len(marks) != 1 || !marks[0].On || marks[0].Flag != FlagRead {
		t.Errorf("%+v, %v", marks, err)
	}
}

// What ended is unread again as if it had not, unless it was marked otherwise since, and ends again.
func TestEndingIsUndoneAndRedone(t *testing.T) {
	s := open(t, t.TempDir())
	feed := subscribe(t, s, Feed{URL: "https://a.test/"})
	save(t, s, feed, items(2*maxEndBatch))
	all := list(t, s, Query{})
	setEnds(t, s, feed, Ends{Number: 2*maxEndBatch - 1})
	endUnread(t, s, epoch) // the oldest, which stays ended
	setEnds(t, s, feed, Ends{Number: 1})
	ended, err := s.Articles.EndUnread(t.Context(), epoch)
	if want := slices.Sorted(slices.Values(all[1 : len(all)-1])); err != nil || !slices.Equal(slices.Sorted(slices.Values(ended)), want) {
		t.Fatalf("%d have ended, %v", len(ended), err)
	}
	mark(t, s, all[1:2], FlagRead, false)
	mark(t, s, all[1:2], FlagRead, true)
	setEnds(t, s, feed, Ends{})
	set := func(on bool, unread, end int) {
		t.Helper()
		write(t, s, func(tx *sql.Tx) error { return MarkEnded(t.Context(), tx, ended, on, epoch) })
		if u, e := len(list(t, s, Query{View: Unread})), len(list(t, s, Query{Ended: true})); u != unread || e != end {
			t.Errorf("ended again: %v; %d are unread and %d have ended, want %d and %d", on, u, e, unread, end)
		}
	}
	set(false, len(all)-2, 1)
	mark(t, s, all[2:3], FlagStarred, true)
	set(true, 2, len(all)-3)
	set(false, len(all)-2, 1)
	setEnds(t, s, feed, Ends{Number: 1})
	if n := endUnread(t, s, epoch); n != len(all)-4 {
		t.Errorf("%d end again later", n)
	}
}

// A pass that is interrupted has ended whole batches, and the next one goes on.
func TestEndIsInterrupted(t *testing.T) {
	s := open(t, t.TempDir())
	feed := subscribe(t, s, Feed{URL: "https://a.test/"})
	save(t, s, feed, items(3*maxEndBatch))
	setEnds(t, s, feed, Ends{Number: 1})
	changes, stop := s.Watch()
	defer stop()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-changes
		cancel()
	}()
	ended, err := s.Articles.EndUnread(ctx, epoch)
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if got := len(list(t, s, Query{Ended: true})); got < len(ended) || got%maxEndBatch != 0 && got != 3*maxEndBatch-1 {
		t.Errorf("%d reported, %d ended", len(ended), got)
	}
	endUnread(t, s, epoch)
	if got := len(list(t, s, Query{View: Unread})); got != 1 {
		t.Errorf("%d are unread", got)
	}
}

// BenchmarkEndUnread ends all but the newest of a feed of 100,000 unread articles, and then finds that nothing is left to end.
func BenchmarkEndUnread(b *testing.B) {
	s := open(b, b.TempDir())
	feed := subscribe(b, s, Feed{URL: "https://a.test/"})
	const n = 100_000
	for from := 0; from < n; from += 10_000 {
		chunk := make([]parse.Article, 10_000)
		for i := range chunk {
			chunk[i] = parse.Article{Key: time.Duration(from + i).String(), Title: "T", Published: epoch.Add(-time.Duration(from+i) * time.Minute)}
		}
		save(b, s, feed, chunk)
	}
	setEnds(b, s, feed, Ends{Days: 30, Number: 1})
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			if got := endUnread(b, s, epoch); got != n-1 {
				b.Fatal(got)
			}
			b.StopTimer()
			execute(b, s, "UPDATE status SET read = 0, ended = 0")
			b.StartTimer()
		}
	})
	endUnread(b, s, epoch)
	b.Run("none", func(b *testing.B) {
		for b.Loop() {
			if got := endUnread(b, s, epoch); got != 0 {
				b.Fatal(got)
			}
		}
	})
}

// What a choice would end is counted before it is made, and what ended by it is found when another one is.
func TestEndingBeforeAndAfter(t *testing.T) {
	s := open(t, t.TempDir())
	one, two := subscribe(t, s, Feed{URL: "https://a.test/", Folder: "News"}), subscribe(t, s, Feed{URL: "https://b.test/", Folder: "News" + FolderSeparator + "Local"})
	other := subscribe(t, s, Feed{URL: "https://c.test/"})
	for _, feed := range []int64{one, two, other} {
		save(t, s, feed, items(6))
	}
	now := epoch.AddDate(0, 0, 30)
	count := func(c EndsChoice) [2]int {
		ending, unread, err := s.Articles.Ending(t.Context(), c, now)
		if err != nil {
			t.Fatal(err)
		}
		return [2]int{ending, unread}
	}
	mark(t, s, list(t, s, Query{Feed: two})[5:], FlagStarred, true)
	setEnds(t, s, other, Ends{Number: EndNever})
	news := Place{Path: "News"}
	for _, c := range []struct {
		choice EndsChoice
		want   [2]int
	}{
		{EndsChoice{Feed: one, Ends: Ends{Number: 1}}, [2]int{5, 6}},
		{EndsChoice{Feed: one, Ends: Ends{Number: 4, Days: 1000}}, [2]int{2, 6}},
		{EndsChoice{Feed: one, Ends: Ends{Number: 4, Days: 1}}, [2]int{6, 6}},
		{EndsChoice{Feed: one}, [2]int{0, 6}},
		{EndsChoice{Folder: news, Ends: Ends{Number: 1}}, [2]int{9, 12}},
		{EndsChoice{Folder: Place{Path: "News" + FolderSeparator + "Local"}, Ends: Ends{Number: 1}}, [2]int{4, 6}},
		{EndsChoice{Folder: Place{Path: "Nowhere"}, Ends: Ends{Number: 1}}, [2]int{0, 0}},
		{EndsChoice{Ends: Ends{Number: 1}}, [2]int{9, 18}},
		{EndsChoice{Ends: Ends{Number: -5, Days: -1}}, [2]int{0, 18}},
	} {
		if got := count(c.choice); got != c.want {
			t.Errorf("%+v: %v, want %v", c.choice, got, c.want)
		}
	}
	setEnds(t, s, one, Ends{Number: 2})
	if n := endUnread(t, s, now); n != 4 {
		t.Fatalf("%d have ended", n)
	}
	for e, want := range map[Ends]int{{}: 4, {Number: 2}: 0, {Number: 5}: 3, {Number: EndNever}: 4} {
		if ids, err := s.Articles.EndedBefore(t.Context(), EndsChoice{Feed: one, Ends: e}, now); err != nil || len(ids) != want {
			t.Errorf("%+v: %v would come back, want %d, %v", e, ids, want, err)
		}
	}
}
