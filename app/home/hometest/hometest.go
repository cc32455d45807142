// Package hometest gives tests a small data folder.
package hometest

import (
	"context"
	"database/sql"
	"fmt"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/imports"
	"kairos/reader/parse"
)

// Noon is now in the data folder.
var Noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// Open returns a data folder with two feeds, 1 at the top level and 2 in the folder News. Each
// has three unread articles, two hours apart. The test closes it after everything that uses it
// has ended.
func Open(ctx context.Context, t testing.TB) *home.Home { return OpenWith(ctx, t, home.Options{}) }

// OpenWith is Open with other servers, another keyring or another clock.
func OpenWith(ctx context.Context, t testing.TB, o home.Options) *home.Home {
	t.Helper()
	if o.Now == nil {
		o.Now = func() time.Time { return Noon }
	}
	if o.Places == nil {
		o.Places = &imports.Places{} // whatever readers are on this computer
	}
	o.Client = fetch.New(fetch.Options{Now: o.Now, Spacing: -1}) // by a clock that stands still a wait would never end
	h, err := home.Open(ctx, t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	err = h.Store.Write(ctx, func(tx *sql.Tx) error {
		for i, folder := range []string{"", "News"} {
			if err := subscribe(ctx, tx, i, folder); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func subscribe(ctx context.Context, tx *sql.Tx, i int, folder string) error {
	feed := reader.Feed{URL: fmt.Sprintf("http://127.0.0.1:9/%d", i), Title: fmt.Sprintf("Feed %d", i), Folder: folder}
	id, err := reader.Subscribe(ctx, tx, feed, Noon)
	if err != nil {
		return err
	}
	var articles []parse.Article
	for n := range 3 {
		articles = append(articles, parse.Article{Key: fmt.Sprint(n), Title: fmt.Sprintf("Article %d of feed %d", n, i),
			Summary: "The lamplighter counted seven lamps.", HTML: fmt.Sprintf("<p>Body %d of feed %d</p>", n, i),
			Link: "http://127.0.0.1:9/", Published: Noon.Add(-time.Duration(2*n+i) * time.Hour)})
	}
	_, err = reader.StoreArticles(ctx, tx, id, articles, Noon, time.Time{})
	return err
}
