package verbs

import (
	"database/sql"
	"net/http"
	"strings"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/reader"
	"kairos/reader/parse"
)

func TestArticlesInOrder(t *testing.T) {
	c, status := newCommand(t), http.StatusOK
	c.do("add", serveHarbour(t, &status))
	newest, oldest := c.lines("articles"), c.lines("articles", "--order", "oldest")
	if len(newest) != 3 || newest[0]["id"] != oldest[2]["id"] || newest[0]["probability"] != nil {
		t.Errorf("newest first %v, oldest first %v", newest, oldest)
	}
	likely := c.lines("articles", "--order", "likely", "--limit", "2")
	if len(likely) != 2 {
		t.Fatalf("%v", likely)
	}
	keys(t, "article", likely[0], "probability reasons")
	if p, ok := likely[0]["probability"].(float64); !ok || p <= 0 || p >= 1 {
		t.Errorf("probability %v", likely[0]["probability"])
	}
	if code := c.run("articles", "--order", "best").code; code == 0 {
		t.Error("an order that does not exist is taken")
	}
}

// Starred articles that were imported without their feed are listed and found.
func TestImportedStarsAreFound(t *testing.T) {
	c := newCommand(t)
	c.file("starred.json", `{"id": "user/-/state/com.google/starred", "items": [{"id": "tag:google.com,2005:reader/item/1", "title": "The mill stops at noon",
		"published": 1760000000, "canonical": [{"href": "http://river.test/mill"}], "summary": {"content": "<p>It does.</p>"},
		"categories": ["user/-/state/com.google/starred", "user/-/label/To do"],
		"origin": {"streamId": "feed/http://river.test/feed", "title": "River", "htmlUrl": "http://river.test/"}}]}`)
	c.do("import", "starred.json")
	for _, search := range []string{"", "mill", "is:starred", `label:"To do"`} {
		if found := c.lines("articles", "--search", search); len(found) != 1 || found[0]["title"] != "The mill stops at noon" {
			t.Errorf("%q: %v", search, found)
		}
	}
}

// With --stories a story that two feeds carry is listed once.
func TestStoriesAreListedOnce(t *testing.T) {
	c, status := newCommand(t), http.StatusOK
	c.do("add", serveHarbour(t, &status))
	h, err := home.Open(t.Context(), c.dir, home.Options{Now: c.now})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Store.Write(t.Context(), func(tx *sql.Tx) error {
		if err := reader.SetDedupe(t.Context(), tx, reader.DedupeSettings{Once: true, Alike: true}); err != nil {
			return err
		}
		now := time.Now()
		for _, title := range []string{"Magnitude 6.2 earthquake strikes off Corvana coast", "Strong quake hits Corvana, knocks out power in Belmar"} {
			feed, err := reader.Subscribe(t.Context(), tx, reader.Feed{URL: "http://" + title[:6] + ".test/"}, now)
			if err != nil {
				return err
			}
			quake := parse.Article{Key: title, Title: title, Published: now, HTML: "<p>A magnitude 6.2 earthquake struck off the coast of Corvana early on Tuesday, cutting power to the port town of Belmar, the seismological office said.</p>"}
			if _, err := reader.StoreArticles(t.Context(), tx, feed, []parse.Article{quake}, now, time.Time{}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	all, once := c.lines("articles"), c.lines("articles", "--stories")
	if len(all) != 5 || len(once) != 4 {
		t.Fatalf("%d articles, %d with --stories", len(all), len(once))
	}
	if all[0]["story"] == nil || all[0]["story"] != all[1]["story"] || all[0]["others"] != 1.0 {
		t.Errorf("stories %v and %v, %v others", all[0]["story"], all[1]["story"], all[0]["others"])
	}
	if told := c.lines("articles", "--search", "is:story"); len(told) != 2 {
		t.Errorf("is:story finds %d", len(told))
	}
	if plain := c.do("articles", "--stories"); !strings.Contains(plain, ", and 1 other") {
		t.Errorf("%s", plain)
	}
}

// A filter that does not exist is told as in the window, where nothing would be found by it.
func TestUnknownFilters(t *testing.T) {
	c := newCommand(t)
	for search, want := range map[string]string{"is:unraed": "There is no filter is:unraed.", "before:tomorrow": "“tomorrow” is not a date.", "titel:river": "There is no filter titel:."} {
		if r := c.try("articles", "--search", search); r.code != exitUsage || !strings.Contains(r.err, want) || r.out != "" {
			t.Errorf("%s: %+v", search, r)
		}
	}
	c.do("add", site(t)+"/posts/a")
	if lines := c.lines("articles", "--search", "is:unread"); len(lines) != 3 {
		t.Errorf("%v", lines)
	}
}
