package verbs

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

func TestDestinationFolder(t *testing.T) {
	c := newCommand(t)
	folder := filepath.Join(c.cwd, "Notes")
	c.do("add", shortened(t))
	article := c.lines("articles")
	first, second := strconv.Itoa(int(article[0]["id"].(float64))), strconv.Itoa(int(article[1]["id"].(float64)))
	if said := c.do("destination"); !strings.Contains(said, "sent nowhere") {
		t.Errorf("%q", said)
	}
	for _, wrong := range [][]string{{"add", "folder", "Notes"}, {"add", "pigeon", "x"}, {"add", "wallabag", "bag.test"}, {"send", "9"}, {"retry", "x"}, {"remove", "9"}, {"add", "folder"}} {
		if got := c.try(append([]string{"destination"}, wrong...)...); got.code != exitUsage || got.err == "" {
			t.Errorf("%q: %+v", wrong, got)
		}
	}
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	c.do("mark", first, "starred")
	d := c.one("destination", "add", "folder", "Notes")
	keys(t, "destination add", d, "id kind name address starred paused waiting refused delivered unsent last")
	if d["address"] != folder || d["unsent"] != 1.0 || d["waiting"] != 0.0 || d["name"] != "Notes" {
		t.Errorf("%v", d)
	}
	c.do("mark", second, "starred")
	if got := c.one("destination", "list"); got["waiting"] != 1.0 {
		t.Errorf("%v", got)
	}
	sent := c.one("destination", "send", "1")
	keys(t, "destination send", sent, "id name sent waiting")
	if sent["sent"] != 1.0 {
		t.Errorf("%v", sent)
	}
	names := func() (names []string) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	if got := names(); len(got) != 1 || !strings.HasSuffix(got[0], ".md") {
		t.Errorf("%q", got)
	}
	for range 2 {
		c.do("destination", "send", "1", "--starred")
		c.do("destination", "send", "1", first)
	}
	if got := names(); len(got) != 2 {
		t.Errorf("%q", got)
	}
	if err := os.Rename(folder, folder+" away"); err != nil {
		t.Fatal(err)
	}
	if got := c.try("destination", "send", "1", first); got.code != exitSome || !strings.Contains(got.err, "is not there") {
		t.Errorf("%+v", got)
	}
	if got := c.one("destination"); got["errorCode"] != "missing" || got["waiting"] != 1.0 {
		t.Errorf("%v", got)
	}
	if err := os.Rename(folder+" away", folder); err != nil {
		t.Fatal(err)
	}
	c.do("destination", "retry", "1")
	if said := c.do("destination", "pause", "1"); !strings.Contains(said, "Paused.") {
		t.Errorf("%q", said)
	}
	c.do("destination", "resume", "1")
	c.do("destination", "discard", "1")
	if said := c.do("destination", "remove", "1"); said != "removed Notes\n" || len(names()) != 2 {
		t.Errorf("%q", said)
	}
}

// A token comes from the standard input, is in no output, and goes with the requests.
func TestDestinationLinkding(t *testing.T) {
	c := newAccountCommand(t)
	c.do("add", shortened(t))
	var stored atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Authorization") != "Token t0ken":
			w.WriteHeader(http.StatusUnauthorized)
		case r.URL.Path == "/api/tags/":
			_, _ = io.WriteString(w, `{"results":[]}`)
		case r.URL.Path == "/api/bookmarks/check/":
			_, _ = io.WriteString(w, `{"bookmark":null}`)
		default:
			fmt.Fprintf(w, `{"id":%d}`, stored.Add(1))
		}
	}))
	defer server.Close()
	add := []string{"destination", "add", "linkding", server.URL + "/bookmarks", "--password-stdin"}
	if r := c.with("wrong\n", add...); r.code != exitUsage || !strings.Contains(r.err, "does not accept the login") {
		t.Errorf("%+v", r)
	}
	if r := c.with("t\n", "destination", "add", "linkding", "http://links.example.org", "--password-stdin"); r.code != exitUsage || !strings.Contains(r.err, "--plain-http") {
		t.Errorf("%+v", r)
	}
	if r := c.with("\n", add...); r.code != exitUsage || !strings.Contains(r.err, "the token is empty") {
		t.Errorf("%+v", r)
	}
	if r := c.with("t0ken\n", add...); r.code != exitDone || strings.Contains(r.out+r.err, "t0ken") {
		t.Errorf("%+v", r)
	}
	id := strconv.Itoa(int(c.lines("articles")[0]["id"].(float64)))
	c.want(exitDone, "", "mark", id, "starred")
	c.want(exitDone, "1 sent, 0 wait", "destination", "send", "1")
	c.want(exitDone, "0 sent, 0 wait", "destination", "send", "1")
	c.want(exitDone, "removed", "destination", "remove", "1")
	if stored.Load() != 1 || len(c.ring.Items) != 0 {
		t.Errorf("%d stored, %d secrets left", stored.Load(), len(c.ring.Items))
	}
}
