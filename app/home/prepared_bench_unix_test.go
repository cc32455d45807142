//go:build unix

package home_test

import (
	"database/sql"
	"fmt"
	"runtime"
	"syscall"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/poller/preparer"
	"kairos/reader"
	"kairos/reader/content"
)

// BenchmarkPrepared20000 is what a start, the list and a key take with 20,000 articles that are prepared, each with a text and a
// picture, beside a folder with the same articles of which none is. Times are those of the processor: open-ms is to open the folder,
// list-ms the newest unread articles with their counts, look-ms how an article stands that is opened, with the pictures that are
// there; first-ms is the first of these, which reads which pictures there are; note-ms to note that it was opened. heap-MB is what is kept after all that.
func BenchmarkPrepared20000(b *testing.B) {
	for _, prepared := range []int{0, 20_000} {
		b.Run(fmt.Sprint(prepared), func(b *testing.B) {
			dir := b.TempDir()
			ids := manyPrepared(b, dir, prepared)
			b.ResetTimer()
			for b.Loop() {
				measurePrepared(b, dir, ids)
			}
		})
	}
}

func measurePrepared(b *testing.B, dir string, ids []int64) {
	began := processorTime()
	h, err := home.Open(b.Context(), dir, home.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer h.Close()
	lap := func(unit string, n int) {
		now := processorTime()
		b.ReportMetric(float64((now-began).Microseconds())/1000/float64(n), unit)
		began = processorTime()
	}
	lap("open-ms", 1)
	const lists = 20
	for range lists {
		newest, err := h.Store.Articles.IDs(b.Context(), reader.Query{View: reader.Unread, Limit: 100})
		if err != nil || len(newest) < 100 {
			b.Fatal(len(newest), err)
		}
		if _, err := h.Store.Articles.Load(b.Context(), newest); err != nil {
			b.Fatal(err)
		}
	}
	lap("list-ms", lists)
	feeds := map[int64]int64{}
	look := func(id int64) {
		rows, err := h.Store.Articles.Load(b.Context(), []int64{id})
		if err != nil || len(rows) != 1 {
			b.Fatal(rows, err)
		}
		feeds[id] = rows[0].Feed
		text, fetched, err := h.Store.Articles.ShownFullText(b.Context(), id)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := h.Preparer.Look(b.Context(), rows[0], content.Parse(text+"<img src='https://a.test/none.png'>"), fetched); err != nil {
			b.Fatal(err)
		}
	}
	look(ids[0])
	lap("first-ms", 1)
	const looks = 100
	for _, id := range ids[1 : 1+looks] {
		look(id)
	}
	lap("look-ms", looks)
	for _, id := range ids[1 : 1+looks] {
		if err := h.Preparer.NoteOpened(b.Context(), preparer.Article{ID: id, Feed: feeds[id], Whole: true}, true); err != nil {
			b.Fatal(err)
		}
	}
	lap("note-ms", looks)
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapAlloc)/1e6, "heap-MB")
}

// manyPrepared fills a data folder with 20,000 unread articles, and makes them prepared ones if that is wanted.
func manyPrepared(b *testing.B, dir string, prepared int) []int64 {
	h := openFolder(b, dir)
	hometest.Many{Feeds: 200, Articles: 20_000, URL: func(i int) string { return fmt.Sprintf("https://host%d.test/feed", i) }}.Write(b.Context(), b, h)
	if err := h.Store.Write(b.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("UPDATE status SET read = 0")
		return err
	}); err != nil {
		b.Fatal(err)
	}
	hometest.WritePrepared(b.Context(), b, h, prepared, make([]byte, 1000))
	ids, err := h.Store.Articles.IDs(b.Context(), reader.Query{Limit: 200})
	if err != nil {
		b.Fatal(err)
	}
	if err := h.Close(); err != nil {
		b.Fatal(err)
	}
	return ids
}

// processorTime is what this process has taken of the processors.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
