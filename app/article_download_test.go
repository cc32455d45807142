package app

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"kairos/app/widgets"
	"kairos/reader"
)

func TestDownload(t *testing.T) {
	w, q := newTestWindow(t)
	sound, half := strings.Repeat("sound ", 1000), make(chan bool)
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/whole.mp3":
			fmt.Fprint(out, sound)
		case "/endless.mp3":
			out.Header().Set("Content-Length", "1000000")
			fmt.Fprint(out, sound)
			out.(http.Flusher).Flush()
			close(half)
			<-r.Context().Done()
		default:
			http.NotFound(out, r)
		}
	}))
	defer server.Close()
	defer server.CloseClientConnections()
	name := filepath.Join(t.TempDir(), "old.mp3")
	if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	holds := func(want string) bool { body, err := os.ReadFile(name); return err == nil && string(body) == want }

	startDownload(w.shell, 1, server.URL+"/none.mp3", name, func(string) {})
	q.until("it is said", func() bool { return strings.Contains(w.status.message.Text, "404") })
	startDownload(w.shell, 1, server.URL+"/endless.mp3", name, func(string) {})
	<-half
	row := w.status.downloads.Objects[0].(*fyne.Container)
	q.until("the progress is seen", func() bool {
		return strings.HasPrefix(row.Objects[0].(*widget.Label).Text, "Saving old.mp3: 6.0 kB / 1.0 MB")
	})
	row.Objects[1].(*widgets.Button).OnTapped()
	q.until("it is canceled", func() bool {
		return strings.Contains(w.status.message.Text, "canceled") && len(w.status.downloads.Objects) == 0
	})
	if !holds("old") {
		t.Error("what was there is gone")
	}
	startDownload(w.shell, 1, server.URL+"/whole.mp3", name, func(string) {})
	q.until("it is saved", func() bool { return strings.HasPrefix(w.status.message.Text, "Saved as") })
	if !holds(sound) {
		t.Error("it is not what was sent")
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(name), ".kairos*"))
	if len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
	startDownload(w.shell, 1, server.URL+"/whole.mp3", filepath.Join(name, "no folder"), func(string) {})
	q.until("a place that cannot be written to is said", func() bool { return strings.Contains(w.status.message.Text, "no folder") })
}

func TestArticleFiles(t *testing.T) {
	files := articleFiles([]reader.Enclosure{
		{URL: "https://x.example/a/Episode%201.mp3?t=1", Type: "audio/mpeg", Length: 34_000_000},
		{URL: "https://x.example/film.mp4"},
		{URL: "https://x.example/paper.pdf", Type: "application/pdf"},
		{URL: "https://x.example/"},
	}, map[string]reader.Playback{"https://x.example/film.mp4": {Position: 65 * time.Second, Length: time.Hour, Queued: true}})
	var got []string
	for _, f := range files {
		got = append(got, fmt.Sprintf("%s (%s) %v", f.Name, f.Details, f.Plays))
	}
	want := "Episode 1.mp3 (Audio · 34 MB) true|film.mp4 (Video · 58:55 left) true|paper.pdf (application/pdf) false|https://x.example/ (File) false"
	if strings.Join(got, "|") != want {
		t.Errorf("%v", got)
	}
	if a := files[1].Actions; a[0].Text != "Resume at 1:05" || a[1].Text != "Remove from queue" || a[2].Text != "Mark as heard" || len(files[2].Actions) != 0 {
		t.Errorf("%+v", a)
	}
}
