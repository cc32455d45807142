package verbs

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestFetchOlder(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		next := ""
		if r.URL.RawQuery == "" {
			next = `"next_url":"http://` + r.Host + `/?p=2",`
		}
		fmt.Fprintf(out, `{"version":"https://jsonfeed.org/version/1.1","title":"A",%s"items":[{"id":"%s","title":"T%[2]s","content_text":"x"}]}`, next, "1"+r.URL.RawQuery)
	}))
	defer s.Close()
	c := newCommand(t)
	c.do("add", s.URL)
	id := fmt.Sprint(objects(t, c.do("feeds", "--json"))[0]["id"])
	lines := objects(t, c.do("fetch", "--older", id, "--json"))
	if last := lines[len(lines)-1]; last["found"] != 1.0 || last["end"] != "all" {
		t.Errorf("%v", lines)
	}
	if out := c.do("fetch", "--older", id); !strings.Contains(out, "There are no more.") {
		t.Error(out)
	}
	for _, args := range [][]string{{"fetch", "--older"}, {"fetch", "--older", "99"}} {
		if r := c.try(args...); r.code != 2 || r.err == "" {
			t.Errorf("%v: %+v", args, r)
		}
	}
	if n := len(objects(t, c.do("articles", "--json"))); n != 2 {
		t.Errorf("%d articles", n)
	}
}
