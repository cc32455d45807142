package synctest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Fake is a server in memory that speaks all protocols as the real servers do, which Contract shows. Its user is anna.
type Fake struct {
	*httptest.Server
	now func() time.Time // called under mu

	faulting sync.Mutex // guards fault; before mu
	fault    Fault

	mu         sync.Mutex // guards what follows
	session    int        // of the Google Reader interface: a number that a restart forgets
	requests   int
	feeds      []*fakeFeed
	entries    []*Entry
	categories []string // the first has the feeds of no folder
	labels     []string // none: the server keeps none, as Miniflux
	numbers    int64
}

// FakePassword is the password of a fake server.
const FakePassword = "correct horse & battery"

// Entry is an article of a fake server.
type Entry struct {
	ID                          int64
	Feed                        int64
	Title, Link, HTML           string
	Published, Created, Changed time.Time
	Read, Starred               bool
	Labels                      []string
}

type fakeFeed struct {
	id                   int64
	url, title, category string
	failures             int
	message              string // of the last of them
}

// Fault may answer a request in place of the server. It returns whether it has, and calls handle if the request is to take effect
// all the same. One is asked at a time.
type Fault func(w http.ResponseWriter, r *http.Request, handle http.HandlerFunc) bool

// NewFake starts a fake server with that clock.
func NewFake(t testing.TB, now func() time.Time) *Fake {
	f := &Fake{now: now, categories: []string{"All"}}
	mux := http.NewServeMux()
	f.miniflux(mux)
	f.greader(mux)
	f.ttrss(mux)
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handle := func(w http.ResponseWriter, r *http.Request) {
			f.mu.Lock()
			defer f.mu.Unlock()
			mux.ServeHTTP(w, r)
		}
		f.mu.Lock()
		f.requests++
		w.Header().Set("Date", f.now().UTC().Format(http.TimeFormat))
		f.mu.Unlock()
		if !f.fails(w, r, handle) {
			handle(w, r)
		}
	}))
	f.Config.ErrorLog = nil
	t.Cleanup(f.Close)
	return f
}

// Do changes or reads what the server has, and the time.
func (f *Fake) Do(do func(entries []*Entry)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do(f.entries)
}

func (f *Fake) fails(w http.ResponseWriter, r *http.Request, handle http.HandlerFunc) bool {
	f.faulting.Lock()
	defer f.faulting.Unlock()
	return f.fault != nil && f.fault(w, r, handle)
}

// SetFault has a fault asked at every request from now on; nil: none.
func (f *Fake) SetFault(fault Fault) {
	f.faulting.Lock()
	defer f.faulting.Unlock()
	f.fault = fault
}

// Requests returns how many requests there were.
func (f *Fake) Requests() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.requests
}

// Restart forgets sessions and tokens.
func (f *Fake) Restart() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.session++
}

// Post adds an article to a feed.
func (f *Fake) Post(url, title string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, one := range f.feeds {
		if one.url == url {
			f.post(one, title, url+"/"+title, "<p>Text of "+title+"</p>", f.now().Add(-time.Minute))
		}
	}
}

func (f *Fake) post(feed *fakeFeed, title, link, html string, published time.Time) {
	f.numbers++
	f.entries = append(f.entries, &Entry{ID: f.numbers, Feed: feed.id, Title: title, Link: link, HTML: html, Published: published, Created: f.now(), Changed: f.now()})
}

// Mark marks an article as another client does.
func (f *Fake) Mark(title string, read, starred bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, e := range f.entries {
		if e.Title == title {
			e.Read, e.Starred, e.Changed = read, starred, f.now()
		}
	}
}

// Label puts a label on an article as another client does, and takes it off again. With an empty title there is the label alone.
func (f *Fake) Label(title, label string, on bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.addLabel(label)
	for _, e := range f.entries {
		if e.Title == title {
			e.label(label, on)
		}
	}
}

func (f *Fake) addLabel(name string) bool {
	if slices.Contains(f.categories, name) {
		return false
	}
	if !slices.Contains(f.labels, name) {
		f.labels = append(f.labels, name)
	}
	return true
}

func (e *Entry) label(name string, on bool) {
	e.Labels = slices.DeleteFunc(e.Labels, func(other string) bool { return other == name })
	if on {
		e.Labels = append(e.Labels, name)
	}
}

// Subscribe adds a feed, with the three articles that feeds of ServeFeeds have.
func (f *Fake) Subscribe(url, category string) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.subscribe(url, category).id
}

func (f *Fake) subscribe(url, category string) *fakeFeed {
	for _, one := range f.feeds {
		if one.url == url {
			return one
		}
	}
	f.numbers++
	name := strings.TrimSuffix(url[strings.LastIndexByte(url, '/')+1:], ".xml")
	feed := &fakeFeed{id: f.numbers, url: url, title: name, category: cmp.Or(category, f.categories[0])}
	f.addCategory(feed.category)
	f.feeds = append(f.feeds, feed)
	for i := 1; i <= 3; i++ {
		f.post(feed, fmt.Sprintf("Tom & Jerry %d", i), strings.TrimSuffix(url, ".xml")+"/"+strconv.Itoa(i), bodyOf(name, i), firstDay.AddDate(0, 0, i))
	}
	return feed
}

// Fail lets a feed have failed so many times in a row, with these words; 0 lets it work again.
func (f *Fake) Fail(url string, times int, message string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	one := f.subscribe(url, "")
	one.failures, one.message = times, message
}

// AddFolder adds a folder.
func (f *Fake) AddFolder(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.addCategory(name)
}

func (f *Fake) addCategory(name string) int {
	if i := slices.Index(f.categories, name); i >= 0 {
		return i + 1
	}
	f.categories = append(f.categories, name)
	return len(f.categories)
}

func (f *Fake) feed(id string) *fakeFeed {
	for _, one := range f.feeds {
		if strconv.FormatInt(one.id, 10) == strings.TrimPrefix(id, "feed/") {
			return one
		}
	}
	return nil
}

func (f *Fake) unsubscribe(feed *fakeFeed) {
	f.feeds = slices.DeleteFunc(f.feeds, func(one *fakeFeed) bool { return one == feed })
	f.entries = slices.DeleteFunc(f.entries, func(e *Entry) bool { return e.Feed == feed.id })
}

// Feeds returns "title in category" of each feed, in order.
func (f *Fake) Feeds() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var names []string
	for _, one := range f.feeds {
		names = append(names, one.title+" in "+one.category)
	}
	return sorted(names)
}

func answer(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}
