package reader

import (
	"bytes"
	"database/sql"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kairos/reader/opml"
)

func importList(t *testing.T, s *Store, text string) (done ImportResult) {
	t.Helper()
	list, err := opml.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, func(tx *sql.Tx) (err error) {
		done, err = ImportFeeds(t.Context(), tx, 0, list, epoch)
		return err
	})
	return done
}

func feedsOf(t *testing.T, s *Store) []Feed {
	t.Helper()
	feeds, err := s.Feeds.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return feeds
}

func TestExportAndImportAreInverse(t *testing.T) {
	from, to := open(t, t.TempDir()), open(t, t.TempDir())
	for _, f := range []Feed{
		{URL: "https://plain.test/feed", Title: "Plain & <simple>", Site: "https://plain.test/"},
		{URL: "https://named.test/feed?a=1&b=2", Title: "Theirs", OwnTitle: "Mine “quoted”"},
		{URL: "https://nested.test/", Title: "Nested", Folder: "News / Local / Ünï"},
		{URL: "https://heavy.test/", Title: "Heavy", Folder: "News", Weight: 2.5, Every: 6 * time.Hour, Paused: true, FullText: true},
		{URL: "https://light.test/", Title: "Light", Folder: "A/B", Weight: WeightLow},
		{URL: "https://untitled.test/rss"},
	} {
		subscribe(t, from, f)
	}
	var text bytes.Buffer
	if n, err := from.Feeds.Export(t.Context(), &text, epoch); n != 6 || err != nil {
		t.Fatal(n, err)
	}
	if done := importList(t, to, text.String()); len(done.Added) != 6 || done.Known != 0 || len(done.Refused) != 0 || len(done.Warnings) != 0 {
		t.Errorf("%+v", done)
	}
	if d := cmp.Diff(feedsOf(t, from), feedsOf(t, to), cmpopts.IgnoreFields(Feed{}, "ID")); d != "" {
		t.Error(d)
	}
	if done := importList(t, to, text.String()); len(done.Added) != 0 || done.Known != 6 {
		t.Errorf("a second time: %+v", done)
	}
}

func TestExportHoldsNoLogin(t *testing.T) {
	s := open(t, t.TempDir())
	subscribe(t, s, Feed{URL: "https://a.test/", Login: true})
	var text bytes.Buffer
	if _, err := s.Feeds.Export(t.Context(), &text, epoch); err != nil || strings.Contains(text.String(), "login") {
		t.Errorf("%s (%v)", text.String(), err)
	}
}

func TestImportOfABrokenList(t *testing.T) {
	s := open(t, t.TempDir())
	done := importList(t, s, `<?xml version="1.0"?>
<opml version="2.0"><head><title>x</title></head><body>
  <outline text="News">
    <outline type="rss" text="One" xmlUrl="https://one.test/feed"/>
    <outline type="rss" text="None" xmlUrl=""/>
    <outline type="rss" text="Mail" xmlUrl="mailto:a@b.test"/>
    <outline type="rss" text="One again" xmlUrl="http://www.one.test/feed/"/>
    <outline type="rss" xmlUrl="https://two.test/feed"/>
    <outline type="rss" text="Three" xmlU`)
	if len(done.Added) != 2 || done.Known != 1 || len(done.Refused) != 2 || len(done.Warnings) == 0 {
		t.Errorf("%+v", done)
	}
	want := []Feed{
		{URL: "https://one.test/feed", Title: "One", OwnTitle: "One", Folder: "News"},
		{URL: "https://two.test/feed", Title: "two.test", Folder: "News"},
	}
	if d := cmp.Diff(want, feedsOf(t, s), cmpopts.IgnoreFields(Feed{}, "ID", "Added", "Weight")); d != "" {
		t.Error(d)
	}
}

func TestImportedAttributesAreLimited(t *testing.T) {
	for value, want := range map[string]Feed{
		`kairos:weight="-1" kairos:every="60"`:           {Weight: WeightNormal, Every: minEvery},
		`kairos:weight="NaN" kairos:every="1e300"`:       {Weight: WeightNormal, Every: maxEvery},
		`kairos:weight="1e9" kairos:every="-5"`:          {Weight: WeightNormal},
		`kairos:weight="0.25" kairos:every="NaN"`:        {Weight: 0.25},
		`kairos:weight="high" kairos:paused="1"`:         {Weight: WeightNormal},
		`kairos:every="7200" kairos:paused="true"`:       {Weight: WeightNormal, Every: 2 * time.Hour, Paused: true},
		`kairos:fulltext="true" kairos:title="feed"`:     {Weight: WeightNormal, FullText: true},
		`kairos:removed="1" kairos:login="true" text=""`: {Weight: WeightNormal},
	} {
		s := open(t, t.TempDir())
		importList(t, s, `<opml xmlns:kairos="urn:kairos:opml"><body><outline type="rss" xmlUrl="https://a.test/" `+value+`/></body></opml>`)
		feeds := feedsOf(t, s)
		if len(feeds) != 1 {
			t.Errorf("%s: %d feeds", value, len(feeds))
			continue
		}
		if d := cmp.Diff(want, feeds[0], cmpopts.IgnoreFields(Feed{}, "ID", "Added", "URL", "Title")); d != "" {
			t.Errorf("%s: %s", value, d)
		}
	}
}

func TestImportResubscribes(t *testing.T) {
	s := open(t, t.TempDir())
	id := subscribe(t, s, Feed{URL: "https://a.test/"})
	unsubscribe(t, s, id, epoch)
	done := importList(t, s, `<opml><body><outline xmlUrl="https://a.test/" text="Back"/></body></opml>`)
	if !cmp.Equal(done.Added, []int64{id}) || done.Known != 0 {
		t.Errorf("%+v", done)
	}
}
