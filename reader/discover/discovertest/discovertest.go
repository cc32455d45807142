// Package discovertest serves made-up sites on loopback under any name, and tells
// what a search on one of them should find. A site is a txtar archive: its files
// are the answers, named by their addresses; one that begins with "→" is a
// redirect, one that begins with "!" an error of that status. The comment above
// the files has lines that begin with
//
//	find      what a person types
//	requests  how many requests reach a server
//	feed      the address and title of a feed that is found, in this order
//	none      a part of the error, where no feed is found
//	link      a Link header field of the first answer
package discovertest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"
)

// Site is one archive.
type Site struct {
	Name     string
	Find     string
	Requests int
	Feeds    []string // address, blank, title
	None     string

	link    string
	answers map[string]string // by address
}

// Sites reads the archives of a folder.
func Sites(t testing.TB, dir string) []Site {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no sites in %s (%v)", dir, err)
	}
	var sites []Site
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sites = append(sites, parse(t, strings.TrimSuffix(filepath.Base(name), ".txtar"), text))
	}
	return sites
}

func parse(t testing.TB, name string, text []byte) Site {
	t.Helper()
	s := Site{Name: name, answers: map[string]string{}}
	archive := txtar.Parse(text)
	for line := range strings.Lines(string(archive.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		value = strings.TrimSpace(value)
		switch key {
		case "find":
			s.Find = value
		case "requests":
			s.Requests, _ = strconv.Atoi(value)
		case "feed":
			s.Feeds = append(s.Feeds, value)
		case "none":
			s.None = value
		case "link":
			s.link = value
		case "", "#":
		default:
			t.Fatalf("%s: unknown line %q", name, line)
		}
	}
	for _, f := range archive.Files {
		s.answers[f.Name] = strings.TrimSpace(string(f.Data))
	}
	if s.Find == "" || s.Requests == 0 || (s.None == "") == (s.Feeds == nil) {
		t.Fatalf("%s is incomplete", name)
	}
	return s
}

// Web is a server on loopback that answers for all hosts of a site.
type Web struct {
	site   Site
	server *url.URL

	mu       sync.Mutex
	requests []string
}

// Serve serves a site until the test ends.
func (s Site) Serve(t testing.TB) *Web {
	w := &Web{site: s}
	server := httptest.NewServer(http.HandlerFunc(w.answer))
	t.Cleanup(server.Close)
	w.server, _ = url.Parse(server.URL)
	return w
}

// RoundTrip sends a request to loopback, whatever its host and scheme.
func (w *Web) RoundTrip(r *http.Request) (*http.Response, error) {
	sent := r.Clone(r.Context())
	sent.Header.Set("X-Requested-Address", r.URL.String())
	sent.URL.Scheme, sent.URL.Host = w.server.Scheme, w.server.Host
	answer, err := http.DefaultTransport.RoundTrip(sent)
	if answer != nil {
		answer.Request = r
	}
	return answer, err
}

func (w *Web) answer(out http.ResponseWriter, r *http.Request) {
	address := r.Header.Get("X-Requested-Address")
	w.mu.Lock()
	first := len(w.requests) == 0
	w.requests = append(w.requests, address)
	w.mu.Unlock()
	if first && w.site.link != "" {
		out.Header().Set("Link", w.site.link)
	}
	text, there := w.site.answers[address]
	code, body, isError := strings.Cut(strings.TrimPrefix(text, "!"), " ")
	switch to, moved := strings.CutPrefix(text, "→"); {
	case !there:
		http.NotFound(out, r)
	case moved:
		http.Redirect(out, r, strings.TrimSpace(to), http.StatusFound)
	case strings.HasPrefix(text, "!") && isError:
		status, _ := strconv.Atoi(code)
		http.Error(out, body, status)
	default:
		out.Header().Set("Content-Type", http.DetectContentType([]byte(text)))
		fmt.Fprint(out, text)
	}
}

// Requests returns the addresses that were requested, in order.
func (w *Web) Requests() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.requests)
}
