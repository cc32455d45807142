package reader

import (
	"database/sql"
	"slices"
	"testing"
	"time"

	"kairos/reader/parse"
)

func savePlayback(t testing.TB, s *Store, article int64, url string, p Playback) {
	t.Helper()
	write(t, s, func(tx *sql.Tx) error { return SavePlayback(t.Context(), tx, article, url, p) })
}

func queue(t testing.TB, s *Store) (urls []string) {
	t.Helper()
	all, err := s.Articles.Queue(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		urls = append(urls, one.URL)
	}
	return urls
}

func TestPlayback(t *testing.T) {
	s := open(t, t.TempDir())
	feed := subscribeFeeds(t, s, 1)[0]
	save(t, s, feed, items(3))
	ids := list(t, s, Query{})
	savePlayback(t, s, ids[2], "c", Playback{Queued: true})
	savePlayback(t, s, ids[0], "a", Playback{Queued: true})
	savePlayback(t, s, ids[0], "a2", Playback{Heard: true})
	savePlayback(t, s, 999, "none", Playback{Queued: true})
	savePlayback(t, s, ids[2], "c", Playback{Position: 90 * time.Second, Length: time.Hour, Queued: true}) // keeps its place
	if got := queue(t, s); !slices.Equal(got, []string{"c", "a"}) {
		t.Errorf("queue %v", got)
	}
	for order, want := range map[Order][]int64{NewestFirst: {ids[0], ids[2]}, QueueOrder: {ids[2], ids[0]}} {
		if got := list(t, s, Query{Queued: true, Order: order}); !slices.Equal(got, want) {
			t.Errorf("in order %d listed %v of %v, want %v", order, got, ids, want)
		}
	}
	for search, want := range map[string][]int64{"is:begun": {ids[2]}, "is:heard": {ids[0]}, "is:queued": {ids[0], ids[2]}, "is:queued -is:begun": {ids[0]}} {
		if got := list(t, s, Query{Search: search}); !slices.Equal(got, want) {
			t.Errorf("%s finds %v of %v, want %v", search, got, ids, want)
		}
	}
	played, err := s.Articles.Playbacks(t.Context(), ids[2])
	if err != nil || played["c"] != (Playback{Position: 90 * time.Second, Length: time.Hour, Queued: true}) {
		t.Errorf("%+v (%v)", played, err)
	}
	// An edit stores the files of an article again; what was played of them stays.
	edited := items(3)
	edited[0].HTML, edited[0].Enclosures = "<p>Edited</p>", []parse.Enclosure{{URL: "a"}}
	save(t, s, feed, edited)
	if got := queue(t, s); len(got) != 2 {
		t.Errorf("after an edit: %v", got)
	}
	savePlayback(t, s, ids[2], "c", Playback{Heard: true})
	savePlayback(t, s, ids[2], "c", Playback{Queued: true}) // at the end
	if got := queue(t, s); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("queue %v", got)
	}
	if got := list(t, s, Query{Queued: true, Order: QueueOrder}); !slices.Equal(got, []int64{ids[0], ids[2]}) {
		t.Errorf("listed %v of %v", got, ids)
	}
	mark(t, s, ids[:1], FlagDeleted, true)
	if got := queue(t, s); !slices.Equal(got, []string{"c"}) {
		t.Errorf("with a deleted article: %v", got)
	}
}

func TestQueuedArticlesAreKept(t *testing.T) {
	s := open(t, t.TempDir())
	ids := saveUnlisted(t, s, subscribeFeeds(t, s, 1)[0], 3)
	mark(t, s, ids, FlagRead, true)
	savePlayback(t, s, ids[1], "x", Playback{Queued: true})
	setRetention(t, s, Retention{Keep: Keep{Days: 30}})
	cleanUp(t, s, day(99))
	if got := list(t, s, Query{Queued: true}); !slices.Equal(got, ids[1:2]) {
		t.Errorf("%v are left", got)
	}
}

// Articles tell how long they play, and what is left of one that was begun. A feed's length comes to episodes that are stored
// already.
func TestPlayingTimes(t *testing.T) {
	s := open(t, t.TempDir())
	feed := subscribeFeeds(t, s, 1)[0]
	two := items(2)
	for i := range two {
		two[i].Enclosures = []parse.Enclosure{{URL: "https://a.test/cover.png", Type: "image/png"}, {URL: "https://a.test/a.mp3", Type: "audio/mpeg"}, {URL: "https://a.test/b.mp3", Seconds: 61}}
	}
	two[1].Enclosures = two[1].Enclosures[:2]
	save(t, s, feed, two)
	ids := list(t, s, Query{})
	expect := func(what string, want ...time.Duration) {
		t.Helper()
		all, err := s.Articles.Load(t.Context(), ids)
		if err != nil {
			t.Fatal(err)
		}
		if got := []time.Duration{all[0].Plays, all[0].Left, all[1].Plays, all[1].Left}; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	expect("of another file", 61*time.Second, 0, 0, 0)
	two[0].Enclosures[1].Seconds, two[1].Enclosures[1].Seconds = 2530, 4320
	save(t, s, feed, two)
	expect("told later", 2530*time.Second, 0, 4320*time.Second, 0)
	savePlayback(t, s, ids[0], "https://a.test/a.mp3", Playback{Position: 530 * time.Second})
	savePlayback(t, s, ids[1], "https://a.test/a.mp3", Playback{Position: time.Hour, Length: time.Hour})
	expect("begun", 2530*time.Second, 2000*time.Second, time.Hour, 0)
	savePlayback(t, s, ids[0], "https://a.test/a.mp3", Playback{Position: time.Minute, Length: time.Hour})
	savePlayback(t, s, ids[1], "https://a.test/a.mp3", Playback{Heard: true})
	expect("as the player knows", time.Hour, 59*time.Minute, 4320*time.Second, 0)
	_, files, err := s.Articles.Body(t.Context(), ids[0])
	if err != nil || len(files) != 3 || files[1].Seconds != 2530 {
		t.Errorf("%+v (%v)", files, err)
	}
}
