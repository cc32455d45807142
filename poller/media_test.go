package poller

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"kairos/reader"
	"kairos/reader/picture"
)

// shownLines returns the ledger's lines of pictures and files, the newest first.
func (w *world) shownLines() (lines []Outcome) {
	w.t.Helper()
	all, err := w.Ledger(w.t.Context(), 0, 10000)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, o := range all {
		if o.Reason == Picture || o.Reason == File {
			lines = append(lines, o)
		}
	}
	return lines
}

// Pictures are fetched several at once; they are in the ledger but not paid for by the budget.
func TestPicturesOfAnArticle(t *testing.T) {
	w := newWorld(t)
	w.web.posting("/feed", time.Hour)
	f := w.subscribePaths("/feed")[0]
	w.settled()
	var together sync.WaitGroup
	together.Add(2)
	for i := range 40 {
		w.web.on(fmt.Sprintf("/%d.png", i), func(out http.ResponseWriter, r *http.Request) {
			if i < 2 { // these two are of different lanes
				together.Done()
				together.Wait()
			}
			io.WriteString(out, painted(t, 7))
		})
	}
	if pictureLane(w.web.address("/0.png")) == pictureLane(w.web.address("/1.png")) {
		w.web.on("/1.png", w.web.page["/5.png"]) // with this port they are not
		together.Done()
	}
	get := w.Pictures(f.ID)
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			body, err := get(t.Context(), w.web.address(fmt.Sprintf("/%d.png", i)))
			if err != nil || string(body) != painted(t, 7) {
				t.Errorf("%d: %v", i, err)
			}
		})
	}
	all.Wait()
	lines := w.shownLines()
	if len(lines) != 40 || lines[0].Result != Stored || lines[0].Bytes == 0 ||
		!strings.HasPrefix(lines[0].Cause.Site, "127.0.0.1") {
		t.Errorf("%d lines, %+v", len(lines), lines[0])
	}
	if s, err := w.Status(t.Context()); err != nil || s.Spent != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err := w.Snapshot(t.Context(), f.ID); err != nil || s.Last[f.ID].Reason != First {
		t.Errorf("last %+v, %v", s.Last[f.ID], err)
	}
	w.clock.add(40 * 24 * time.Hour)
	fetches := 0
	w.write(func(tx *sql.Tx) error {
		if err := sumLedger(t.Context(), tx, w.clock.Now()); err != nil {
			return err
		}
		return tx.QueryRow("SELECT sum(fetches) FROM ledger_day").Scan(&fetches)
	})
	if fetches != 1 {
		t.Errorf("%d fetches are summed", fetches)
	}
}

// A missing picture is reported, and its feed does not count as failing.
func TestMissingPicture(t *testing.T) {
	w := newWorld(t)
	w.web.posting("/feed", time.Hour)
	w.web.says("/huge", strings.Repeat("x", picture.MaxBody+1))
	w.web.on("/gone", func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(http.StatusGone) })
	f := w.subscribePaths("/feed")[0]
	for path, want := range map[string]string{"/huge": "file-too-large", "/missing": "client", "/gone": "gone"} {
		_, err := w.Pictures(f.ID)(t.Context(), w.web.address(path))
		if err == nil || messageOf(err).Reason() != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, o := range w.shownLines() {
		if o.Result == Failed {
			t.Errorf("%+v", o)
		}
	}
}

// A feed of the web causes no request to the local network, nor does a removed feed.
func TestPicturesStayOutOfTheLocalNetwork(t *testing.T) {
	w := newWorld(t)
	f := w.subscribe(reader.Feed{URL: "https://feeds.example/"})
	w.web.requests()
	for _, feed := range []int64{f.ID, 999} {
		_, err := w.Pictures(feed)(t.Context(), w.web.address("/a.png"))
		if err == nil || !isLocalAddress(err) {
			t.Errorf("%v", err)
		}
	}
	if asked := w.web.requests(); len(asked) > 0 {
		t.Errorf("asked for %v", asked)
	}
}

func TestDownload(t *testing.T) {
	w := newWorld(t)
	w.web.posting("/feed", time.Hour)
	long := strings.Repeat("sound ", 100_000)
	w.web.says("/long.mp3", long)
	f := w.subscribePaths("/feed")[0]
	var to bytes.Buffer
	var progress Progress
	if err := w.Download(t.Context(), f.ID, w.web.address("/long.mp3"), &to, &progress); err != nil || to.String() != long {
		t.Errorf("%d bytes, %v", to.Len(), err)
	}
	if come, _ := progress.Bytes(); come != int64(len(long)) {
		t.Errorf("%d have come", come)
	}
	if lines := w.shownLines(); len(lines) != 1 || lines[0].Reason != File || lines[0].Result != Stored || lines[0].Bytes != 600_000 {
		t.Errorf("%+v", lines)
	}
	if err := w.Download(t.Context(), f.ID, w.web.address("/none"), io.Discard, &progress); err == nil || errors.Is(err, io.EOF) {
		t.Error(err)
	}
}
