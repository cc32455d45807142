package reading

import (
	"bytes"
	"database/sql"
	"fmt"
	"image"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"kairos/app/home/hometest"
	"kairos/poller/preparer"
	"kairos/reader"
	"kairos/reader/parse"
)

// webPhoto returns a JPEG of a web page, as large as it is shown.
func webPhoto(b testing.TB, shade int) []byte {
	img := image.NewRGBA(image.Rect(0, 0, 1200, 800))
	for i := range img.Pix {
		img.Pix[i] = uint8(i*shade/7 + i/4800)
	}
	var body bytes.Buffer
	if err := jpeg.Encode(&body, img, nil); err != nil {
		b.Fatal(err)
	}
	return body.Bytes()
}

// BenchmarkOpenPrepared opens prepared articles one after the other, each until its picture is painted, among 20,000 that are
// prepared. median-ms is the middle, most-ms the longest. The server is not asked for anything: it would fail.
func BenchmarkOpenPrepared(b *testing.B) {
	p, room, _ := newPane(b)
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if strings.HasSuffix(r.URL.Path, ".jpg") {
			out.Write(webPhoto(b, len(r.URL.Path))) //nolint:errcheck // the picture would be missing
			return
		}
		fmt.Fprintf(out, "<article><img src='%s.jpg'>%s</article>", r.URL.Path, strings.Repeat("<p>The lamplighter walked along the quay and counted the lamps one by one.</p>", 60))
	}))
	defer server.Close()
	const opened = 40
	ids := preparedArticles(b, room.Home.Store, server.URL, opened, 20_000)
	if err := room.Home.Preparer.Take(b.Context(), ids[:opened], false, &preparer.Trip{}); err != nil {
		b.Fatal(err)
	}
	asked.Store(0)
	server.Close()
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		id, start := ids[i%opened], time.Now()
		p.Open(id)
		room.Queue.Until("the picture is shown", func() bool { return room.Session.IsShown(id) && p.FullText && shownPictures(p) == 1 })
		test.WidgetRenderer(p.View).Refresh()
		room.Canvas.Capture()
		took = append(took, time.Since(start))
	}
	if n := asked.Load(); n > 0 {
		b.Errorf("the server was asked %d times", n)
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "most-ms")
}

// preparedArticles stores articles of which the last ones are there as if they had been prepared; the first ones lead to a server.
func preparedArticles(b testing.TB, store *reader.Store, server string, led, others int) []int64 {
	var articles []parse.Article
	for i := range led + others {
		articles = append(articles, parse.Article{Key: fmt.Sprint("prepared", i), Title: fmt.Sprint("Prepared ", i), Link: fmt.Sprintf("%s/%d", server, i),
			HTML: "<p>A line…</p>", Published: hometest.Noon.Add(time.Duration(led+1-i) * time.Second)})
	}
	err := store.Write(b.Context(), func(tx *sql.Tx) error {
		if _, err := reader.StoreArticles(b.Context(), tx, 1, articles, hometest.Noon, time.Time{}); err != nil {
			return err
		}
		text := strings.Repeat("<p>All of it.</p>", 60)
		for _, query := range []string{
			"INSERT INTO full_text (id, html, at) SELECT id, ?1, 0 FROM status WHERE key LIKE 'prepared%' ORDER BY published DESC LIMIT -1 OFFSET ?2",
			"INSERT INTO prepared (article, feed, at, page, done, chance, pictures, missing, bytes, text_size) SELECT id, 1, 0, 1, 1, 0.5, 0, 0, 5000, length(?1) FROM full_text",
		} {
			if _, err := tx.Exec(query, text, led); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	ids, err := store.Articles.IDs(b.Context(), reader.Query{Feed: 1})
	if err != nil {
		b.Fatal(err)
	}
	return ids[:led]
}
