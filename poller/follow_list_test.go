package poller

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/poller/schedule"
	"kairos/reader"
)

// blogroll is a list of feeds on the web.
type blogroll struct {
	feeds []string
	body  string // in place of it

	endsEarly bool
}

func (b *blogroll) serve(out http.ResponseWriter, r *http.Request) {
	if b.body != "" {
		fmt.Fprint(out, b.body)
		return
	}
	fmt.Fprint(out, `<opml version="2.0"><head><title>Friends</title></head><body>`)
	for _, f := range b.feeds {
		fmt.Fprintf(out, `<outline text="%s" xmlUrl="http://%s.example/feed"/>`, f, f)
	}
	if !b.endsEarly {
		fmt.Fprint(out, `</body></opml>`)
	}
}

// follow subscribes to a list of feeds of the web, and fetches it.
func (w *world) follow(b *blogroll, gone reader.ListGone) reader.Feed {
	w.t.Helper()
	w.web.on("/list", b.serve)
	found, err := w.Discover(w.t.Context(), w.web.address("/list"), Login{})
	if err != nil || len(found) != 1 || !found[0].Source.IsList() || found[0].Title != "Friends" {
		w.t.Fatalf("%+v (%v)", found, err)
	}
	f, o, err := w.Subscribe(w.t.Context(), found[0], reader.Feed{Folder: "Blogs", Source: reader.NewListSource(reader.ListSource{Gone: gone})}, nil)
	if err != nil || o.Result != Stored || f.Folder != "Blogs / Friends" {
		w.t.Fatalf("%+v %+v (%v)", f, o, err)
	}
	return f
}

// names returns the titles of the feeds that are subscribed to, those of paused ones in parentheses.
func (w *world) names() string {
	w.t.Helper()
	feeds, err := w.store.Feeds.List(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	var names []string
	for _, f := range feeds {
		name := f.Title
		if f.Paused {
			name = "(" + name + ")"
		}
		if !f.Source.IsList() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// notes returns the titles of the articles of a list, the oldest first.
func (w *world) notes(list reader.Feed) string {
	w.t.Helper()
	ids, err := w.store.Articles.IDs(w.t.Context(), reader.Query{Feed: list.ID, Order: reader.OldestFirst})
	if err != nil {
		w.t.Fatal(err)
	}
	articles, err := w.store.Articles.Load(w.t.Context(), ids)
	if err != nil {
		w.t.Fatal(err)
	}
	var titles []string
	for _, a := range articles {
		titles = append(titles, a.Title)
	}
	return strings.Join(titles, ", ")
}

// again fetches a list by hand, a while later.
func (w *world) again(f reader.Feed) Outcome {
	w.t.Helper()
	w.clock.add(time.Hour)
	outcomes, err := w.Fetch(w.t.Context(), []int64{f.ID}, nil)
	if err != nil || len(outcomes) != 1 {
		w.t.Fatal(outcomes, err)
	}
	return outcomes[0]
}

// A list becomes a folder that follows it. What comes to it and goes from it is noted; what is no list changes nothing.
func TestFollowedList(t *testing.T) {
	for gone, want := range map[reader.ListGone]string{reader.GoneKeep: "ann bob cid dan", reader.GonePause: "(bob) ann cid dan", reader.GoneUnsubscribe: "ann cid dan"} {
		t.Run(string(gone), func(t *testing.T) {
			w := newWorld(t)
			w.subscribe(reader.Feed{URL: "http://dan.example/feed", OwnTitle: "dan"})
			b := &blogroll{feeds: []string{"ann", "bob", "dan"}}
			f := w.follow(b, gone)
			if n := w.number("SELECT count(*) FROM feed WHERE folder = 'Blogs / Friends'"); n != 3 {
				t.Errorf("%d feeds are in the folder of the list", n)
			}
			if names := w.names(); names != "ann bob dan" || w.notes(f) != "" {
				t.Fatalf("%s; %s", names, w.notes(f))
			}
			for _, body := range []string{"<html><body>Not here</body></html>", `<opml><body></body></opml>`, "", strings.Repeat("x", 1000)} {
				b.body = body + " "
				if o := w.again(f); o.Result != Failed {
					t.Errorf("%.20q: %+v", body, o)
				}
				if names := w.names(); names != "ann bob dan" {
					t.Errorf("%.20q: %s", body, names)
				}
			}
			b.body = ""
			b.feeds = []string{"ann", "cid"}
			if o := w.again(f); o.Result != Stored {
				t.Fatalf("%+v", o)
			}
			if got := w.names(); got != want || w.notes(f) != "+ cid, − bob" && w.notes(f) != "− bob, + cid" {
				t.Errorf("%s, want %s; %s", got, want, w.notes(f))
			}
			changes, err := w.ListChanges(t.Context(), f.ID, 9)
			came := slices.IndexFunc(changes, func(c ListChange) bool { return !c.Left })
			if err != nil || len(changes) != 2 || came < 0 || changes[came].Title != "cid" || !changes[1-came].Left || changes[1-came].Title != "bob" || changes[0].At.IsZero() {
				t.Errorf("%+v, %v", changes, err)
			}
		})
	}
}

// A feed with something unread is not unsubscribed, and one that the user has unsubscribed does not come back.
func TestFollowedListLosesNothing(t *testing.T) {
	w := newWorld(t)
	b := &blogroll{feeds: []string{"ann", "bob"}}
	f := w.follow(b, reader.GoneUnsubscribe)
	ann := w.number("SELECT id FROM feed WHERE url LIKE '%ann%'")
	w.exec("INSERT INTO status (feed, key, published, seen) VALUES (?, 'x', 1, 1)", ann)
	w.exec("UPDATE feed SET removed = 1 WHERE url LIKE '%bob%'")
	b.feeds = []string{"bob", "cid"}
	w.again(f)
	if names := w.names(); names != "(ann) cid" {
		t.Error(names)
	}
	w.exec("UPDATE feed SET paused = 1, own_title = 'cid' WHERE url LIKE '%cid%'")
	named, err := w.Followed(t.Context(), f.ID)
	if err != nil || len(named.Feeds) != 1 || named.Feeds[0].Title != "cid" || !named.Feeds[0].Paused || named.Unsubscribed != 1 || named.Brought() != 1 || len(named.Resumable()) != 1 {
		t.Errorf("%+v, %v", named, err)
	}
}

// A site that names its blogroll offers it beside its feeds.
func TestBlogrollIsOffered(t *testing.T) {
	w := newWorld(t)
	w.web.on("/", func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Type", "text/html")
		fmt.Fprint(out, `<html><head><link rel="alternate" type="application/rss+xml" href="/feed"><link rel="blogroll" type="text/xml" href="/.well-known/recommendations.opml" title="I read"></head></html>`)
	})
	w.web.on("/feed", func(out http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(out, `<rss version="2.0"><channel><title>A</title><item><title>T</title><guid>1</guid></item></channel></rss>`)
	})
	found, err := w.Discover(t.Context(), w.web.address("/"), Login{})
	if err != nil || len(found) != 2 || found[1].Title != "I read" || found[1].URL != w.web.address("/.well-known/recommendations.opml") {
		t.Errorf("%+v (%v)", found, err)
	}
}

// Whose address is typed is what was meant, and no feed of its host; asked again it is known.
func TestTypedListIsAlone(t *testing.T) {
	w := newWorld(t)
	w.web.says("/list.opml", `<opml version="2.0"><head><title>Friends</title></head><body><outline type="rss" text="A" xmlUrl="https://a.test/feed"/></body></opml>`)
	w.web.says("/feed", `<rss version="2.0"><channel><title>A</title><item><title>T</title><guid>1</guid></item></channel></rss>`)
	address := w.web.address("/list.opml")
	found, err := w.Discover(t.Context(), address, Login{})
	if err != nil || len(found) != 1 || found[0].URL != address || found[0].Title != "Friends" || len(w.web.requests()) != 1 {
		t.Fatalf("%+v (%v)", found, err)
	}
	if _, _, err := w.Subscribe(t.Context(), found[0], reader.Feed{}, nil); err != nil {
		t.Fatal(err)
	}
	var known *reader.DuplicateError
	if _, err := w.Discover(t.Context(), address, Login{}); !errors.As(err, &known) {
		t.Error(err)
	}
}

// A list is looked at about once a day, whatever budget lies idle and however many feeds came to it, and the plan expects no articles
// of it.
func TestFollowedListIsPlannedOnceADay(t *testing.T) {
	w := newWorld(t)
	b := &blogroll{feeds: []string{"ann", "bob"}}
	f := w.follow(b, reader.GoneKeep)
	for i := range 20 {
		b.feeds = append(b.feeds, fmt.Sprintf("new%d", i))
		w.again(f)
	}
	w.exec("DELETE FROM ledger")
	w.exec("UPDATE feed SET paused = 1 WHERE id <> ?", f.ID)
	w.live(3 * day)
	looks := w.number("SELECT count(*) FROM ledger l JOIN subject i ON i.id = l.subject WHERE i.feed = ? AND result IN ('stored', 'unchanged')", f.ID)
	if looks < 2 || looks > 4 {
		t.Errorf("%d looks in three days", looks)
	}
	s, err := w.Snapshot(t.Context(), f.ID)
	if err != nil || s.Shares[f.ID].Fetches != 1 {
		t.Errorf("%+v, %v", s.Shares[f.ID], err)
	}
	state := w.stateOf(f.ID).For(w.feed(f.ID))
	if gap, cause := state.Gap(); gap != 23*time.Hour || cause != schedule.GapList || postsPerHour(state) != 0 {
		t.Errorf("%s, %s, %g an hour", gap, cause, postsPerHour(state))
	}
}

// A list that names other feeds each time, and is hardly ever complete, brings no more than a few hundred a day.
func TestListThatChangesAllTheTime(t *testing.T) {
	const atFirst, each, aDay = 20, 150, 200
	w := newWorld(t)
	b, n := &blogroll{}, 0
	name := func(most int) {
		for b.feeds = nil; len(b.feeds) < most; n++ {
			b.feeds = append(b.feeds, fmt.Sprint("f", n))
		}
	}
	name(atFirst)
	f := w.follow(b, reader.GonePause)
	for k := range 4 {
		name(each)
		b.endsEarly = k > 0
		w.again(f)
	}
	if came := len(strings.Fields(w.names())); came < atFirst+each || came > atFirst+aDay {
		t.Errorf("%d feeds", came)
	}
	w.clock.add(25 * time.Hour)
	name(1)
	if w.again(f); !strings.Contains(w.names(), b.feeds[0]) {
		t.Errorf("no feed came on the next day: %s", w.names())
	}
}
