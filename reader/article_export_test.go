package reader

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"

	"kairos/reader/export"
	"kairos/reader/opml"
	"kairos/reader/parse"
)

func TestExportStarred(t *testing.T) {
	s := open(t, t.TempDir())
	feeds := subscribeFeeds(t, s, 3)
	for _, feed := range feeds {
		articles := items(120)
		articles[0].Link = ""
		save(t, s, feed, articles)
	}
	var ids []int64
	for _, feed := range feeds[:2] {
		ids = append(ids, list(t, s, Query{Feed: feed})[:110]...)
	}
	mark(t, s, ids, FlagStarred, true)
	mark(t, s, ids[5:6], FlagDeleted, true)
	write(t, s, func(tx *sql.Tx) error { return Unsubscribe(t.Context(), tx, feeds[1], epoch) })

	var b strings.Builder
	if n, err := s.Articles.Export(t.Context(), &b, export.JSONFeed, "Starred articles", Query{View: Starred}); n != 219 || err != nil {
		t.Fatal(n, err)
	}
	feed, err := parse.Parse(t.Context(), []byte(b.String()), parse.Options{})
	if err != nil || len(feed.Articles) != 219 || len(feed.Warnings) != 0 {
		t.Fatalf("%d articles, %v (%v)", len(feed.Articles), feed.Warnings, err)
	}
	if a := feed.Articles[0]; a.HTML != "<p>Text 120</p>" || !a.Published.Equal(epoch) || !strings.Contains(a.Key, "#key-120") {
		t.Errorf("%+v", a)
	}
	b.Reset()
	if n, err := s.Feeds.ExportStarred(t.Context(), &b, epoch); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	if list, err := opml.Read(strings.NewReader(b.String())); err != nil || len(list.Feeds) != 2 {
		t.Errorf("%+v (%v)", list, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := s.Articles.Export(ctx, &b, export.Markdown, "Starred articles", Query{View: Starred}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
