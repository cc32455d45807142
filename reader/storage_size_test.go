package reader

import (
	"strings"
	"testing"

	"kairos/reader/parse"
)

func TestSize(t *testing.T) {
	s := open(t, t.TempDir(), Room{"attic", otherSteps})
	feeds := subscribeFeeds(t, s, 3)
	fat := func(n int) []parse.Article {
		articles := items(n)
		for i := range articles {
			articles[i].HTML = strings.Repeat("words ", 1000)
		}
		return articles
	}
	for i, n := range []int{10, 40, 20} {
		save(t, s, feeds[i], fat(n))
	}
	size, err := s.Storage.Size(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(size.Feeds) != 2 || size.Feeds[0].Feed != feeds[1] || size.Feeds[1].Feed != feeds[2] {
		t.Errorf("the largest feeds are %+v", size.Feeds)
	}
	if f := size.Feeds[0]; f.Articles != 40 || f.Bytes < 240_000 || f.Bytes > 250_000 {
		t.Errorf("the largest feed is %+v", f)
	}
	if size.Texts < 420_000 || size.Lists == 0 || size.Indexes == 0 || size.Rooms == 0 || size.File < size.Texts {
		t.Errorf("%+v", size)
	}
	if sum := size.Texts + size.Lists + size.Indexes + size.Rooms + size.Free; sum > 2*size.File {
		t.Errorf("the parts make %d of %d", sum, size.File)
	}
	if size, err := open(t, t.TempDir()).Storage.Size(t.Context(), 10); err != nil || len(size.Feeds) != 0 || size.File == 0 {
		t.Errorf("an empty store: %+v, %v", size, err)
	}
}

func BenchmarkSize(b *testing.B) {
	s, _ := bigStore(b, 500, 200)
	for b.Loop() {
		if _, err := s.Storage.Size(b.Context(), 10); err != nil {
			b.Fatal(err)
		}
	}
}
