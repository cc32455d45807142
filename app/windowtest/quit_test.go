//go:build window

package windowtest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// openBesideHangingServers opens a window with feeds whose servers never finish their answers, and returns when all feeds
// are being fetched.
func openBesideHangingServers(tb testing.TB, d *desktop, kairos string) *program {
	tb.Helper()
	asked := make(chan struct{}, 100)
	var list strings.Builder
	list.WriteString("<opml><body>")
	for i := range 3 {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if i > 0 {
				fmt.Fprint(w, "<rss><channel>")
				w.(http.Flusher).Flush()
			}
			asked <- struct{}{}
			<-r.Context().Done()
		}))
		tb.Cleanup(s.Close)
		tb.Cleanup(s.CloseClientConnections)
		fmt.Fprintf(&list, `<outline xmlUrl="%s/feed" text="Stuck"/>`, s.URL)
	}
	list.WriteString("</body></opml>")
	file := filepath.Join(tb.TempDir(), "list.opml")
	if err := os.WriteFile(file, []byte(list.String()), 0o600); err != nil {
		tb.Fatal(err)
	}
	p := d.start(kairos, filepath.Join(tb.TempDir(), "data"))
	d.until("the window is there", func() bool { return d.title() != "" })
	p.verb("import", "--local", file)
	for range 3 {
		<-asked
	}
	return p
}

// Quitting does not wait for servers, and the canceled fetches do not count as errors.
func TestQuitBesideHangingServers(t *testing.T) {
	kairos, d := binary(t, buildChecked), newDesktop(t)
	p := openBesideHangingServers(t, d, kairos)
	d.key("ctrl+q")
	p.end()
	feeds := p.verb("feeds")
	if len(feeds) != 3 {
		t.Errorf("%d feeds", len(feeds))
	}
	for _, f := range feeds {
		if f["error"] != "" {
			t.Errorf("blamed: %v", f)
		}
	}
}

// BenchmarkQuit measures from the key press to the end of the process, xdotool included, while servers hang.
func BenchmarkQuit(b *testing.B) {
	kairos, d := binary(b, buildShipped), newDesktop(b)
	for b.Loop() {
		b.StopTimer()
		p := openBesideHangingServers(b, d, kairos)
		<-time.After(time.Second) // until it is painted
		b.StartTimer()
		d.key("ctrl+q")
		p.end()
	}
}
