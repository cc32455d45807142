package hometest

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/poller"
	"kairos/poller/schedule"
	"kairos/useraccess"
)

// History is a made-up life with Kairos.
type History struct {
	Feeds int                   // added to those that are there
	Days  int                   // of visits and articles up to now; fetches are kept for 30
	URL   func(feed int) string // the addresses of the feeds; nil: where nobody answers

	Titles func(feed, n int) (title, text string) // of the articles; nil: they are cleaned up already
}

// Names of the made-up feeds.
var names = []string{"The Harbour Gazette", "Notes from the Tram Depot", "Compiler Weather", "Plain Text Quarterly", "Slow Astronomy", "The Moss Report",
	"Kitchen Arithmetic", "Letters from the Ridge Path", "Small Hours Radio", "A Catalogue of Bridges", "Paper Planes", "The Understudy"}

// Live writes a history into a data folder: visits in the morning, at noon and in the evening, later on
// weekends; a computer that sleeps at night; feeds that post by day, each at its own pace, fetched before
// the visits; what was expected of each day; and a plan for the coming day. It is the same each time.
func Live(ctx context.Context, t testing.TB, h *home.Home, l History) {
	t.Helper()
	now, r := h.Now(), rand.New(rand.NewPCG(7, 11))
	begin := now.AddDate(0, 0, -l.Days)
	jitter := func(sd float64) time.Duration { return time.Duration(r.NormFloat64() * sd * float64(time.Minute)) }
	var visits []time.Time
	for d := range l.Days + 1 {
		midnight := time.Date(begin.Year(), begin.Month(), begin.Day()+d, 0, 0, 0, 0, now.Location())
		hours := []float64{7.5, 12.6, 20.2}
		if wd := midnight.Weekday(); wd == time.Saturday || wd == time.Sunday {
			hours = []float64{9.8, 19}
		}
		for _, hour := range hours {
			if at := midnight.Add(time.Duration(hour * float64(time.Hour))).Add(jitter(11)); r.Float64() < 0.9 && at.After(begin) && at.Before(now) {
				visits = append(visits, at.Truncate(time.Second))
			}
		}
		up := midnight.Add(6*time.Hour + 30*time.Minute)
		if down := midnight.Add(23 * time.Hour); up.Before(now) && d > 0 {
			if down.After(now) {
				down = now
			}
			if err := h.Log.NoteAwake(ctx, up, down); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := h.Log.Import(ctx, visits, now); err != nil {
		t.Fatal(err)
	}
	err := h.Store.Write(ctx, func(tx *sql.Tx) error {
		if l.URL == nil {
			l.URL = func(feed int) string { return fmt.Sprintf("http://127.0.0.1:9/history/%d", feed) }
		}
		w := &historyWriter{tx: tx, ctx: ctx, rand: r, now: now, begin: begin, visits: visits, titles: l.Titles}
		for i := range l.Feeds {
			w.feed(i, l.URL(i))
		}
		w.ledger()
		w.expectations()
		return w.err
	})
	if err != nil {
		t.Fatal(err)
	}
	h.Insights.Forget()
}

// historyWriter writes what happened to feeds.
type historyWriter struct {
	ctx        context.Context
	tx         *sql.Tx
	rand       *rand.Rand
	now, begin time.Time
	visits     []time.Time
	titles     func(feed, n int) (title, text string)
	articles   int // so far
	lines      []historyLine
	err        error
}

// historyLine is a line of the ledger.
type historyLine struct {
	feed     int64
	at       time.Time
	why      poller.Code
	result   poller.Result
	articles int
}

func (w *historyWriter) exec(query string, args ...any) (id int64) {
	if w.err != nil {
		return 0
	}
	done, err := w.tx.ExecContext(w.ctx, query, args...)
	if w.err = err; err == nil {
		id, w.err = done.LastInsertId()
	}
	return id
}

func (w *historyWriter) feed(i int, url string) {
	title := names[i%len(names)]
	if i >= len(names) {
		title = fmt.Sprintf("%s, part %d", title, i/len(names)+1)
	}
	id := w.exec("INSERT INTO feed (url, same, title, added) VALUES (?1, ?1, ?2, ?3)", url, title, w.begin.Unix())
	perDay := 0.2 + 6/float64(1+i%9)
	var posts []time.Time
	for at := w.begin; ; {
		at = at.Add(time.Duration(w.rand.ExpFloat64() / perDay * 24 * float64(time.Hour)))
		if at.After(w.now) {
			break
		}
		if hour := at.Hour(); hour >= 7 && hour < 22 || w.rand.Float64() < 0.15 {
			posts = append(posts, at.Truncate(time.Second))
		}
	}
	kept := w.now.AddDate(0, 0, -30)
	if w.begin.After(kept) {
		kept = w.begin
	}
	w.lines = append(w.lines, historyLine{id, kept, poller.First, poller.Unchanged, 0})
	var learned schedule.Posts
	first := count(posts, kept)
	learned.Document(kept, dated(posts[max(0, first-shown):first]), first)
	all, come := posts, first
	for _, f := range w.fetches(kept, i) {
		n := 0
		for len(posts) > 0 && !posts[0].After(f) {
			if posts[0].After(kept) {
				n++
			}
			w.articles++
			seen := f
			if posts[0].Before(kept) {
				seen = posts[0].Add(time.Hour)
			}
			article := w.exec("INSERT INTO status (feed, key, published, seen, read) VALUES (?, ?, ?, ?, 1)", id, fmt.Sprint(w.articles), posts[0].Unix(), seen.Unix())
			if w.titles != nil {
				title, text := w.titles(i, w.articles)
				w.exec("INSERT INTO article (id, title, link, author, summary, digest) VALUES (?, ?, ?, '', ?, 0)", article, title, url, text)
				w.exec("INSERT INTO body (id, html) VALUES (?, ?)", article, "<p>"+text+"</p>")
			}
			if w.rand.IntN(8) == 0 && i%4 != 3 {
				w.exec("INSERT OR IGNORE INTO opening (at, feed) VALUES (?, ?)", f.Add(time.Minute).Unix(), id)
				w.exec("INSERT INTO reading (feed, article, at, evidence) VALUES (?, ?, ?, ?)", id, article, f.Add(time.Minute).Unix(), useraccess.Read)
			}
			posts = posts[1:]
		}
		now := count(all, f)
		learned.Document(f, dated(all[max(0, now-shown):now]), now-come)
		come = now
		result := poller.Unchanged
		if n > 0 {
			result = poller.Stored
		} else if w.rand.IntN(40) == 0 {
			result = poller.Failed
		}
		w.lines = append(w.lines, historyLine{id, f, poller.Planned, result, n})
	}
	if n := len(w.lines); n > 0 {
		tally, err := learned.Tally.MarshalBinary()
		if w.err == nil {
			w.err = err
		}
		w.exec("INSERT INTO poll (subject, address, tried, fetched, upto, posted, tally) VALUES (?, ?, ?, ?, ?, ?, ?)", id, url,
			w.lines[n-1].at.Unix(), w.lines[n-1].at.Unix(), learned.UpTo.Unix(), max(0, learned.Newest.Unix()), tally)
	}
	w.plan(id, i)
}

// shown is how many items the documents of a made-up feed show.
const shown = 40

// dated are the dates of the items of a document, newest first.
func dated(posts []time.Time) []time.Time {
	dates := slices.Clone(posts)
	slices.Reverse(dates)
	return dates
}

// count counts the posts up to a time.
func count(posts []time.Time, upTo time.Time) int {
	n := 0
	for n < len(posts) && !posts[n].After(upTo) {
		n++
	}
	return n
}

// fetches returns when a feed was fetched: before nearly all visits, and now and then else.
func (w *historyWriter) fetches(from time.Time, i int) (all []time.Time) {
	for n, v := range w.visits {
		if v.After(from) && (n+i)%7 != 0 {
			all = append(all, v.Add(-time.Duration(2+i*7%23)*time.Minute).Truncate(time.Second))
		}
		if v.After(from) && (n+i)%3 == 0 {
			all = append(all, v.Add(-time.Duration(90+i*13%170)*time.Minute).Truncate(time.Second))
		}
	}
	slices.SortFunc(all, time.Time.Compare)
	return slices.DeleteFunc(all, func(at time.Time) bool { return !at.After(from) || at.After(w.now) })
}

// ledger writes the lines in the order in which they came.
func (w *historyWriter) ledger() {
	slices.SortStableFunc(w.lines, func(a, b historyLine) int { return a.at.Compare(b.at) })
	for _, l := range w.lines {
		reason, err := json.Marshal(schedule.Reason{Code: schedule.Planned, Visit: l.at.Add(10 * time.Minute).Truncate(30 * time.Minute).UTC()})
		if err != nil {
			w.err = err
		}
		said := ""
		if l.result == poller.Failed {
			said = `{"code":"status","status":503,"host":"127.0.0.1"}`
		}
		w.exec("INSERT INTO ledger (subject, at, reason, why, background, result, status, new, bytes, took, said) VALUES (?, ?, ?, ?, 1, ?, 200, ?, ?, 40, ?)",
			l.feed, l.at.Unix(), string(l.why), string(reason), string(l.result), l.articles, 900+l.articles*2400, said)
	}
}

// plan plans fetches of a feed before the usual visits of the coming day.
func (w *historyWriter) plan(feed int64, i int) {
	type instant struct { // as rows that moved to the agenda
		At           int64         `json:"at"`
		Code         schedule.Code `json:"code"`
		Why          string        `json:"why"`
		Value, Posts float64
	}
	var planned []instant
	for n, hour := range []float64{7.5, 12.5, 20, 31.5, 36.5} {
		visit := time.Date(w.now.Year(), w.now.Month(), w.now.Day(), 0, 0, 0, 0, w.now.Location()).Add(time.Duration(hour * float64(time.Hour)))
		at := visit.Add(-time.Duration(4+(i*17+n*5)%60) * time.Minute)
		if at.Before(w.now) || (i+n)%4 == 0 {
			continue
		}
		why, err := json.Marshal(schedule.Reason{Code: schedule.Planned, Visit: visit, Posts: float64(i % 4)})
		if err != nil {
			w.err = err
		}
		planned = append(planned, instant{at.Unix(), schedule.Planned, string(why), float64(1+i*7%10) / 2, float64(i % 4)})
	}
	if len(planned) == 0 {
		return
	}
	stored, err := json.Marshal(planned)
	if err != nil {
		w.err = err
	}
	w.exec("INSERT INTO agenda (subject, next, instants) VALUES (?, ?, ?)", feed, planned[0].At, string(stored))
}

// expectations are what each day was expected to bring.
func (w *historyWriter) expectations() {
	for d := 30; d > 0; d-- {
		day := time.Date(w.now.Year(), w.now.Month(), w.now.Day()-d, 0, 0, 0, 0, w.now.Location())
		if day.Before(w.begin) {
			continue
		}
		var articles int
		if w.err == nil {
			w.err = w.tx.QueryRowContext(w.ctx, "SELECT count(*) FROM status WHERE published BETWEEN ? AND ?", day.Unix(), day.AddDate(0, 0, 1).Unix()).Scan(&articles)
		}
		w.exec("INSERT INTO expectation (day, since, until, visits, articles) VALUES (?, ?, ?, ?, ?)", day.Format(time.DateOnly), day.Add(time.Minute).Unix(),
			day.AddDate(0, 0, 1).Unix(), 2.4+0.3*w.rand.NormFloat64(), float64(articles)*(1+0.1*w.rand.NormFloat64()))
	}
}
