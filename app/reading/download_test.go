package reading

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"kairos/app/home"
	"kairos/app/shell/shelltest"
	"kairos/app/widgets"
)

func TestDownload(t *testing.T) {
	room := shelltest.New(t, home.Options{})
	q := room.Queue
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

	startDownload(room.Shell, 1, server.URL+"/none.mp3", name, func(string) {})
	q.Until("it is said", func() bool { return strings.Contains(room.Host.Said, "404") })
	startDownload(room.Shell, 1, server.URL+"/endless.mp3", name, func(string) {})
	<-half
	row := room.Host.Progress[0].(*fyne.Container)
	q.Until("the progress is seen", func() bool {
		return strings.HasPrefix(row.Objects[0].(*widget.Label).Text, "Saving old.mp3: 6.0 kB / 1.0 MB")
	})
	row.Objects[1].(*widgets.Button).OnTapped()
	q.Until("it is canceled", func() bool {
		return strings.Contains(room.Host.Said, "canceled") && len(room.Host.Progress) == 0
	})
	if !holds("old") {
		t.Error("what was there is gone")
	}
	startDownload(room.Shell, 1, server.URL+"/whole.mp3", name, func(string) {})
	q.Until("it is saved", func() bool { return strings.HasPrefix(room.Host.Said, "Saved as") })
	if !holds(sound) {
		t.Error("it is not what was sent")
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(name), ".kairos*"))
	if len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
	startDownload(room.Shell, 1, server.URL+"/whole.mp3", filepath.Join(name, "no folder"), func(string) {})
	q.Until("a place that cannot be written to is said", func() bool { return strings.Contains(room.Host.Said, "no folder") })
}
