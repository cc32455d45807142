package story

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

func TestSame(t *testing.T) {
	at := time.Date(2026, 11, 28, 8, 0, 0, 0, time.UTC)
	const title = "Lamplighters count seven lamps, a record"
	articles := []Carried{
		{Feed: 1, Title: title, Published: at},
		{Feed: 2, Title: title, Published: at.Add(time.Hour)},
		{Feed: 3, Title: title, Published: at.AddDate(0, 0, 9)}, // of another week
		{Feed: 4, Link: "https://lamp.test/a", Published: at},
		{Feed: 5, Link: "http://www.lamp.test/a/", Title: title, Published: at}, // joins both
		{Feed: 6, Title: "The weekly column of everybody here", Published: at},
		{Feed: 6, Title: "The weekly column of everybody here", Published: at},
		{Feed: 7, Story: 9},
		{Feed: 8, Story: 9},
		{Feed: 9},
	}
	want := []int{0, 0, 2, 0, 0, 5, 6, 7, 7, 9}
	if got := Same(articles); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	var column []Carried
	for feed := range int64(MaxArticles + 1) {
		column = append(column, Carried{Feed: feed, Title: title, Published: at})
	}
	if got := Same(column); got[1] != 1 || len(Same(nil)) != 0 {
		t.Errorf("a column is a story: %v", got)
	}
}

// Of a title that feeds repeat, what they published within minutes is one story.
func TestSameOfRepeatedTitles(t *testing.T) {
	at := time.Date(2026, 11, 28, 8, 0, 0, 0, time.UTC)
	var articles []Carried
	for _, a := range []struct{ feed, minutes int }{{1, 0}, {1, 40}, {1, 80}, {2, 80}, {2, 0}, {3, 43}, {2, 120}, {1, 121}, {2, 122}} {
		articles = append(articles, Carried{Feed: int64(a.feed), Title: "Traffic on the ring road is heavy", Published: at.Add(time.Duration(a.minutes) * time.Minute)})
	}
	want := []int{0, 1, 2, 2, 0, 1, 6, 7, 8} // of the last three, one feed has two
	if got := Same(articles); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// BenchmarkSame joins 20,000 articles.
func BenchmarkSame(b *testing.B) {
	var articles []Carried
	for k := range 20_000 {
		articles = append(articles, Carried{Feed: int64(k % 200), Title: fmt.Sprintf("Lamplighters count %d lamps, a record", k/3), Link: fmt.Sprintf("https://lamp.test/%d", k/2)})
	}
	for b.Loop() {
		Same(articles)
	}
}
