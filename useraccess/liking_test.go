package useraccess

import (
	"slices"
	"testing"
	"time"
)

func TestLikings(t *testing.T) {
	l, ctx := newLog(t), t.Context()
	at := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	first, second := Liking{at, 1, 10, true}, Liking{at.Add(time.Minute), 2, 11, false}
	for _, like := range []Liking{first, second} {
		if before, err := l.Like(ctx, like); err != nil || before != nil {
			t.Fatalf("%v, %v", before, err)
		}
	}
	changed := Liking{at.Add(time.Hour), 1, 10, false}
	if before, err := l.Like(ctx, changed); err != nil || before == nil || !before.More || !before.At.Equal(at) {
		t.Fatalf("%v, %v", before, err)
	}
	all := func() (articles []int64) {
		likings, err := l.Likings(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, like := range likings {
			articles = append(articles, like.Article)
		}
		return articles
	}
	if got := all(); !slices.Equal(got, []int64{11, 10}) {
		t.Errorf("%v", got)
	}
	if err := l.Unlike(ctx, 11); err != nil || !slices.Equal(all(), []int64{10}) {
		t.Errorf("%v, %v", all(), err)
	}
	if err := l.Clear(ctx); err != nil || len(all()) != 0 {
		t.Errorf("after the log was cleared %v, %v", all(), err)
	}
}
