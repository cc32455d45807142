package reader

import (
	"database/sql"
	"testing"
)

func TestFullTextIsKeptAndFound(t *testing.T) {
	s, _ := searchStore(t)
	id := int64(queryInt(t, s, "SELECT id FROM status WHERE key = 'flood'"))
	check := func(html string, fetched bool) {
		t.Helper()
		if got, was, err := s.Articles.ShownFullText(t.Context(), id); got != html || was != fetched || err != nil {
			t.Errorf("shown with %q, fetched %v, %v", got, was, err)
		}
	}
	check("", false)
	indexEverything(t, s)
	write(t, s, func(tx *sql.Tx) error { return StoreFullText(t.Context(), tx, id, "<p>The hippopotamus.</p>", epoch) })
	check("<p>The hippopotamus.</p>", true)
	for _, when := range []string{"waiting", "indexed"} {
		for _, search := range []string{"hippopotamus", "rhein"} {
			if got := keys(t, s, Query{Search: search, Feed: 1}); got != "flood" && got != "flood fair" {
				t.Errorf("%s: %s finds %q", when, search, got)
			}
		}
		indexEverything(t, s)
	}
	write(t, s, func(tx *sql.Tx) error { return ShowFullText(t.Context(), tx, id, false) })
	check("", true)
	write(t, s, func(tx *sql.Tx) error { return StoreFullText(t.Context(), tx, id, "<p>Again.</p>", epoch) })
	check("<p>Again.</p>", true)
}
