package reader

import (
	"database/sql"
	"errors"
	"testing"
	"time"
)

func TestMergeFeeds(t *testing.T) {
	s := open(t, t.TempDir())
	a := subscribe(t, s, Feed{URL: "https://a.example/feed", OwnTitle: "Mine", Folder: "News", Weight: 2})
	b := subscribe(t, s, Feed{URL: "https://b.example/feed", Folder: "Old", Every: 2 * time.Hour, Paused: true})
	type mark struct{ read, starred, deleted int }
	put := func(feed int64, key string, m mark) {
		t.Helper()
		execute(t, s, "INSERT INTO status (feed, key, published, seen, read, starred, deleted) VALUES (?, ?, 1, 1, ?, ?, ?)", feed, key, m.read, m.starred, m.deleted)
	}
	tests := map[string]struct{ a, b, want mark }{
		"read in one":                     {mark{1, 0, 0}, mark{}, mark{1, 0, 0}},
		"starred in the other":            {mark{}, mark{0, 1, 0}, mark{0, 1, 0}},
		"deleted in one":                  {mark{1, 0, 1}, mark{}, mark{1, 0, 1}},
		"deleted, starred in the other":   {mark{1, 0, 1}, mark{0, 1, 0}, mark{1, 1, 0}},
		"neither":                         {mark{}, mark{}, mark{}},
		"deleted in both, starred before": {mark{1, 1, 1}, mark{0, 0, 1}, mark{1, 1, 1}},
	}
	for key, tt := range tests {
		put(a, key, tt.a)
		put(b, key, tt.b)
	}
	put(a, "only a", mark{0, 1, 0})
	put(b, "only b", mark{})
	write(t, s, func(tx *sql.Tx) error { return MergeFeeds(t.Context(), tx, a, b) })
	got := map[string]mark{}
	rows, err := s.Read().Query("SELECT feed, key, read, starred, deleted FROM status")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var feed int64
		var key string
		var m mark
		if err := rows.Scan(&feed, &key, &m.read, &m.starred, &m.deleted); err != nil || feed != b {
			t.Fatal(feed, err)
		}
		got[key] = m
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for key, tt := range tests {
		if got[key] != tt.want {
			t.Errorf("%s: %v, want %v", key, got[key], tt.want)
		}
	}
	if len(got) != len(tests)+2 || got["only a"].starred != 1 {
		t.Errorf("%v", got)
	}
	f, err := s.Feeds.Get(t.Context(), b)
	if err != nil || f.OwnTitle != "Mine" || f.Folder != "Old" || f.Weight != 2 || f.Every != 2*time.Hour || f.Paused {
		t.Errorf("%+v, %v", f, err)
	}
	if _, err := s.Feeds.Get(t.Context(), a); !errors.Is(err, ErrUnknown) {
		t.Errorf("the other feed still exists: %v", err)
	}
}
