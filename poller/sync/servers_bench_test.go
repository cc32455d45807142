package sync_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/sync"
	"kairos/poller/sync/connect"
	"kairos/poller/sync/synctest"
	"kairos/reader"
)

// serveMany serves feeds of n articles of 3 kB, one an hour.
func serveMany(b testing.TB, n int) (address string) {
	body := strings.Repeat("Some words of an article, and some more. ", 75)
	now := time.Now()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/rss+xml")
		fmt.Fprintf(w, `<rss version="2.0"><channel><title>%s</title><link>http://%s%s</link><description>Many</description>`, r.URL.Path, r.Host, r.URL.Path)
		for i := range n {
			fmt.Fprintf(w, `<item><title>Article %d</title><link>http://%s%s/%d</link><guid>%[3]s/%[1]d</guid><pubDate>%s</pubDate><description>%s</description></item>`,
				i, r.Host, r.URL.Path, i, now.Add(-time.Duration(i)*time.Hour).Format(time.RFC1123Z), body)
		}
		fmt.Fprint(w, `</channel></rss>`)
	}))
	b.Cleanup(server.Close)
	return server.URL
}

// pageClock tells when the second page of a first synchronization is asked for: the first is stored then, and can be read.
type pageClock struct {
	sync.Service
	pages  int
	second time.Time
}

func (c *pageClock) Page(ctx context.Context, cursor string, since time.Time) (sync.Page, error) {
	if c.pages++; c.pages == 2 {
		c.second = time.Now()
	}
	return c.Service.Page(ctx, cursor, since)
}

// BenchmarkRealServers measures an account with 300 feeds and 20,100 unread articles at a real server: until the first page is in
// the list, until all are here, a difference of nothing and its requests, until 5,000 marks made here are there, until one mark
// made here is there, and until one made there is here.
func BenchmarkRealServers(b *testing.B) {
	const feeds, each = 300, 67
	for _, kind := range []synctest.Kind{synctest.Miniflux, synctest.FreshRSS} {
		b.Run(string(kind), func(b *testing.B) {
			address := serveMany(b, each)
			server := synctest.Start(b, kind)
			password := server.APIPassword
			if kind == synctest.Miniflux {
				password = server.Password
			}
			found, err := connect.Find(b.Context(), "", server.URL, server.User, password, fetch.New(fetch.Options{}))
			if err != nil {
				b.Fatal(err)
			}
			s := newSeat(b, found, server.User, password)
			for i := range feeds {
				if _, err := s.other.Subscribe(b.Context(), fmt.Sprintf("%s/%d.xml", address, i), "", "Many"); err != nil {
					b.Fatal(err)
				}
			}
			for b.Loop() {
				s = newSeat(b, found, server.User, password)
				s.measure(b, feeds*each)
			}
		})
	}
}

func (s *seat) measure(b *testing.B, articles int) {
	clock := &pageClock{Service: s.service}
	s.service = clock
	seconds := func(what string, do func()) {
		began := time.Now()
		do()
		b.ReportMetric(time.Since(began).Seconds(), "s-"+what)
	}
	began := time.Now()
	seconds("first", func() {
		if r := s.sync(); r.New != articles {
			b.Fatalf("%+v", r)
		}
	})
	b.ReportMetric(clock.second.Sub(began).Seconds(), "s-list")
	letOverlapPass(b)
	if _, err := s.engine.Sync(s.Context(), s.account, false); err != nil {
		b.Fatal(err)
	}
	seconds("nothing", func() {
		r, err := s.engine.Sync(s.Context(), s.account, false)
		s.check(err)
		b.ReportMetric(float64(r.Requests), "requests-nothing")
	})
	_, ids := s.unread()
	mark := func(ids []int64, read bool) func() {
		return func() {
			s.write(func(tx *sql.Tx) error {
				_, err := reader.Mark(s.Context(), tx, ids, reader.FlagRead, read)
				return err
			})
			r, err := s.engine.Send(s.Context(), s.account)
			if s.check(err); r.Sent != len(ids) {
				b.Fatalf("%+v", r)
			}
		}
	}
	seconds("there", mark(ids[:1], true))
	marks, err := s.other.Marks(s.Context())
	s.check(err)
	s.check(s.other.SetRead(s.Context(), marks.Unread[:1], true))
	seconds("here", func() {
		if r, err := s.engine.Sync(s.Context(), s.account, false); err != nil || r.Marked != 1 {
			b.Fatalf("%+v, %v", r, err)
		}
	})
	_, ids = s.unread()
	seconds("marks", mark(ids[:5000], true))
	mark(ids[:5000], false)()
	s.check(s.other.SetRead(s.Context(), marks.Unread[:1], false))
}

// letOverlapPass waits until the articles that the server has just got are older than what a difference asks for again: as they
// are when somebody adds an account that was used before.
func letOverlapPass(b *testing.B) {
	passed, cancel := context.WithTimeout(b.Context(), 2*time.Minute+5*time.Second)
	defer cancel()
	<-passed.Done()
}
