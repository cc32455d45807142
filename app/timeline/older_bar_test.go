package timeline

import (
	"testing"

	"kairos/app/session"
	"kairos/reader"
	"kairos/reader/scrape"
)

// Older articles are offered below feeds that may have some.
func TestOlderIsOfferedWhereThereMayBeSome(t *testing.T) {
	p := newPane(t)
	offered := func(f reader.Feed) bool {
		p.session.Place = session.Place{Key: session.FeedKey(f.ID), Feed: &f}
		p.showOlder()
		return p.older.Visible()
	}
	if !offered(reader.Feed{ID: 1}) {
		t.Error("not below a feed")
	}
	for name, f := range map[string]reader.Feed{"an account's": {ID: 1, Account: 1}, "a page": {ID: 1, Source: reader.PageSource(scrape.Recipe{})},
		"a list": {ID: 1, Source: reader.NewListSource(reader.ListSource{})}} {
		if offered(f) {
			t.Errorf("below %s", name)
		}
	}
	offered(reader.Feed{ID: 1})
	if p.OlderEnded(1); p.older.Visible() || offered(reader.Feed{ID: 1}) || !offered(reader.Feed{ID: 2}) {
		t.Error("below one that has none, or not below another")
	}
}
