package insights

import (
	"database/sql"
	"testing"
	"time"

	"kairos/poller"
	"kairos/reader"
	"kairos/useraccess"
)

// noon is now in these tests: a Tuesday.
var noon = time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)

// life is a made-up history.
type life struct {
	*Insights
	t     testing.TB
	store *reader.Store
	now   time.Time
}

func newLife(t testing.TB) *life {
	t.Helper()
	store, err := reader.Open(t.Context(), t.TempDir(), noon, reader.Room{Name: "useraccess", Steps: useraccess.Steps}, reader.Room{Name: "poller", Steps: poller.Steps})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	l := &life{t: t, store: store, now: noon}
	l.Insights = New(store, useraccess.New(store), func() time.Time { return l.now })
	return l
}

func (l *life) write(f func(exec func(query string, args ...any))) {
	l.t.Helper()
	err := l.store.Write(l.t.Context(), func(tx *sql.Tx) error {
		var failed error
		f(func(query string, args ...any) {
			if failed == nil {
				_, failed = tx.Exec(query, args...)
			}
		})
		return failed
	})
	if err != nil {
		l.t.Fatal(err)
	}
}

// ago is a time before noon.
func ago(days float64) time.Time { return noon.Add(-time.Duration(days * float64(day))) }

func (l *life) feed(id int64, added time.Time) {
	l.t.Helper()
	l.write(func(exec func(string, ...any)) {
		exec("INSERT INTO feed (id, url, same, title, added) VALUES (?1, 'http://a.test/' || ?1, 'a' || ?1, 'Feed ' || ?1, ?2)", id, added.Unix())
	})
}

func (l *life) fetch(feed int64, reason poller.Code, result poller.Result, at ...time.Time) {
	l.t.Helper()
	l.write(func(exec func(string, ...any)) {
		for _, t := range at {
			exec("INSERT INTO ledger (subject, at, reason, why, background, result, status, new, bytes, took, said) VALUES (?, ?, ?, '', 1, ?, 200, 0, 100, 5, '')",
				feed, t.Unix(), string(reason), string(result))
		}
	})
}

func (l *life) article(feed int64, published, seen time.Time) {
	l.t.Helper()
	l.write(func(exec func(string, ...any)) {
		exec("INSERT INTO status (feed, key, published, seen) VALUES (?1, (SELECT count(*) FROM status), ?2, ?3)", feed, published.Unix(), seen.Unix())
	})
}

func (l *life) visit(at ...time.Time) {
	l.t.Helper()
	if _, err := l.log.Import(l.t.Context(), at, l.now); err != nil {
		l.t.Fatal(err)
	}
}

func (l *life) realize(days int) Realized {
	l.t.Helper()
	r, err := l.Realized(l.t.Context(), days)
	if err != nil {
		l.t.Fatal(err)
	}
	return r
}

func codes(notes []Note) (codes []Code) {
	for _, n := range notes {
		codes = append(codes, n.Code)
	}
	return codes
}

// steady is a life of so many days in which all goes well: a fetch every six hours that brings an
// article of an hour before, and visits in the morning and in the evening.
func (l *life) steady(days int) {
	l.t.Helper()
	l.feed(1, ago(float64(days)))
	l.fetch(1, poller.First, poller.Stored, ago(float64(days)))
	var visits []time.Time
	for d := 4*days - 1; d > 0; d-- {
		at := ago(float64(d) / 4)
		l.fetch(1, poller.Planned, poller.Stored, at)
		l.article(1, at.Add(-time.Hour), at)
		if d%2 == 0 {
			visits = append(visits, at.Add(30*time.Minute))
		}
	}
	l.visit(visits...)
}
