package poller

import (
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// onSmallDisk is a world whose data folder is a disk of its own, of so many bytes.
func onSmallDisk(t *testing.T, bytes string, leastFree int64) *world {
	w := &world{t: t, space: -1, reads: &dealtReader{leastFree: leastFree}}
	w.place = func(dir string) {
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+bytes); err != nil {
			t.Skip("only root can mount a small disk:", err)
		}
		t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) }) //nolint:errcheck // it ends with the machine
	}
	return w.begin()
}

// On a disk that is really full the articles of the feed are there, their status page says why no more are prepared, and nothing
// half is left. Once there is room, it goes on.
func TestReallyFullDisk(t *testing.T) {
	w := onSmallDisk(t, "5m", -1)
	w.web.magazine(t, "/feed", 12)
	for name := range w.web.paths() {
		if strings.HasSuffix(name, ".png") {
			w.web.on(name, func(out http.ResponseWriter, _ *http.Request) { out.Write(make([]byte, 400_000)) }) //nolint:errcheck // the client would miss it
		}
	}
	f := w.subscribePaths("/feed")[0]
	w.prepared()
	if n := len(w.upcoming()); n != 12 {
		t.Errorf("%d articles", n)
	}
	report := func() bool {
		r, err := w.Preparer().FeedReport(t.Context(), f.ID)
		if err != nil {
			t.Fatal(err)
		}
		return r.DiskFull
	}
	if !report() {
		t.Error("the status of the feed says nothing")
	}
	if s := w.stateOf(f.ID); s.Failures != 0 || !s.Message.IsZero() {
		t.Errorf("the feed is blamed: %+v", s)
	}
	pictures, err := filepath.Glob(filepath.Join(w.dir, "pictures", "*"))
	if err != nil || len(pictures) == 0 || len(pictures) > 12 {
		t.Errorf("%d pictures, %v", len(pictures), err)
	}
	for _, name := range pictures {
		if info, err := os.Stat(name); err != nil || info.Size() != 400_000 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(w.dir, "pictures", ".part-*")); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
	// There is room again.
	if err := syscall.Mount("tmpfs", w.dir, "tmpfs", syscall.MS_REMOUNT, "size=60m"); err != nil {
		t.Fatal(err)
	}
	w.clock.add(time.Hour)
	w.byHand(f.ID)
	w.prepared()
	for _, u := range w.upcoming() {
		if a := w.look(u.ID); !a.Whole {
			t.Errorf("%+v", a)
		}
	}
	if report() {
		t.Error("the status of the feed still says that the disk is full")
	}
}

// What is prepared leaves the last of a disk to the articles of feeds.
func TestPreparingLeavesRoomOnTheDisk(t *testing.T) {
	w := onSmallDisk(t, "60m", 0)
	w.web.magazine(t, "/feed", 3)
	w.web.on("/feed-0-lead.png", func(out http.ResponseWriter, _ *http.Request) { io.WriteString(out, painted(t, 7)) })
	f := w.subscribePaths("/feed")[0]
	w.prepared()
	if asked := w.web.askedPaths(".png"); len(asked) > 0 {
		t.Errorf("asked for %v", asked)
	}
	if r, err := w.Preparer().FeedReport(t.Context(), f.ID); err != nil || !r.DiskFull || len(w.upcoming()) != 3 {
		t.Errorf("%+v, %v", r, err)
	}
}

// paths returns the paths that are served.
func (w *web) paths() map[string]http.HandlerFunc {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.page)
}
