package reader

import (
	"strings"
	"testing"
)

func TestFeedOrder(t *testing.T) {
	s := open(t, t.TempDir())
	for i, f := range []Feed{
		{Title: "Zebra"}, {Title: "apple"}, {Title: "Feed 10"}, {Title: "Feed 9"}, {Title: "Äpfel"}, {Title: "中文"},
		{Folder: "News 10", Title: "a"}, {Folder: "News 2", Title: "b"}, {Folder: "News 2 / Inner", Title: "c"},
		{Folder: "News 2b", Title: "d"}, {Folder: "news 2", Title: "A2"},
	} {
		f.URL = "https://a.test/" + string(rune('a'+i))
		subscribe(t, s, f)
	}
	feeds, err := s.Feeds.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range feeds {
		got = append(got, strings.TrimPrefix(f.Folder+": "+f.Title, ": "))
	}
	want := "Äpfel|apple|Feed 9|Feed 10|Zebra|中文|News 2: b|news 2: A2|News 2 / Inner: c|News 2b: d|News 10: a"
	if g := strings.Join(got, "|"); g != want {
		t.Errorf("%s\nwant %s", g, want)
	}
	ids, err := s.Articles.feedOrder(t.Context())
	if err != nil || len(ids) != len(feeds) {
		t.Fatal(ids, err)
	}
	for i, id := range ids {
		if id != feeds[i].ID {
			t.Errorf("the orders differ at %d", i)
		}
	}
}

func BenchmarkSortFeeds(b *testing.B) {
	feeds := make([]Feed, 2000)
	for i := range feeds {
		feeds[i] = Feed{ID: int64(i), Title: strings.Repeat("Feed of many names ", i%3) + string(rune('a'+i%26)), Folder: "Folder " + string(rune('a'+i%20))}
	}
	for b.Loop() {
		sortLikeFeeds(feeds, func(f *Feed) (string, string, int64) { return f.Folder, f.Title, f.ID })
	}
}
