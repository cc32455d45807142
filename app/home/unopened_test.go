package home

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"kairos/reader"
	"kairos/reader/parse"
)

// That unread articles of a feed end is offered once; a feed that is kept is not named.
func TestOffersOnce(t *testing.T) {
	c := clockAt(noon)
	h := openHome(t, t.TempDir(), c)
	feeds, _ := withArticles(t, h)
	var many []parse.Article
	for k := range 250 {
		many = append(many, parse.Article{Key: fmt.Sprint(k), Title: "T", Published: noon.Add(-time.Duration(k) * time.Minute)})
	}
	err := h.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, feeds[1], many, noon, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	u := h.Unopened()
	if o, err := u.Next(t.Context()); err != nil || o.Piling.ID != 0 {
		t.Errorf("of a feed that has just come: %+v, %v", o, err)
	}
	c.set(noon.AddDate(0, 0, 20))
	if o, err := u.Next(t.Context()); err != nil || o.Piling.ID != feeds[1] || o.Unread != 0 {
		t.Errorf("%+v, %v", o, err)
	}
	if err := u.OfferedEnds(t.Context(), feeds[1]); err != nil {
		t.Fatal(err)
	}
	if o, err := u.Next(t.Context()); err != nil || o.Piling.ID != 0 {
		t.Errorf("%+v, %v", o, err)
	}
	if err := u.Keep(t.Context(), feeds[0], true); err != nil {
		t.Fatal(err)
	}
	if k, err := u.known(t.Context()); err != nil || !k.Kept[feeds[0]] || k.Kept[feeds[1]] {
		t.Errorf("%+v, %v", k.Kept, err)
	}
	if err := u.Keep(t.Context(), feeds[0], false); err != nil {
		t.Fatal(err)
	}
	if k, err := u.known(t.Context()); err != nil || len(k.Kept) != 0 {
		t.Errorf("%+v, %v", k.Kept, err)
	}
}
