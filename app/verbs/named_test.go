package verbs

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Verbs take a feed by its address, its title or a part of the title that no other has, too, and say which ones a text may name.
func TestFeedsByName(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, rss(strings.ReplaceAll(r.URL.Path[1:], "_", " "), 2))
	}))
	defer site.Close()
	c := newCommand(t)
	c.do("add", site.URL+"/Town_News", site.URL+"/World_News", site.URL+"/Town", site.URL+"/1")
	for text, want := range map[string]float64{"1": 1, "4": 4, "world": 2, "WORLD news": 2, "town": 3, site.URL + "/World_News": 2, " wn N": 1} {
		if lines := c.lines("feeds", text); len(lines) != 1 || lines[0]["id"] != want {
			t.Errorf("%q: %v, not %v", text, lines, want)
		}
	}
	for text, want := range map[string]string{"news": `"news" may be one of 2 feeds: 1 Town News, 2 World News. Give more of the title, or the ID`,
		"sports": `there is no feed "sports"`, "": `there is no feed ""`, "7": "there is no feed 7"} {
		for _, verb := range [][]string{{"feeds", text}, {"fetch", text}, {"set", text, "paused=on"}, {"remove", text}, {"articles", "--feed", text}, {"take", text}} {
			if r := c.try(verb...); r.code != exitUsage || !strings.Contains(r.err, want) {
				t.Errorf("%q: %+v", verb, r)
			}
		}
	}
	if lines := c.lines("articles", "--feed", "world"); len(lines) != 2 || lines[0]["feed"] != 2.0 {
		t.Errorf("%v", lines)
	}
	if line := c.lines("set", "world", "title=Earth")[0]; line["id"] != 2.0 || line["title"] != "Earth" {
		t.Errorf("%v", line)
	}
	if line := c.lines("remove", "earth")[0]; line["id"] != 2.0 {
		t.Errorf("%v", line)
	}
}
