package reading

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The chapters of an episode that are elsewhere are fetched when it is shown, once, and listed below it; not where pictures are not
// loaded either without being asked for.
func TestChaptersAreShown(t *testing.T) {
	asked := make(chan bool, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- true
		w.Write([]byte(`{"chapters":[{"startTime":61,"title":"The lamps"}]}`)) //nolint:errcheck // it is looked at below
	}))
	defer server.Close()
	p, room, ids := newPane(t)
	room.Exec(t, "INSERT INTO chapters (id, address) VALUES (?, ?)", ids[0], server.URL+"/chapters.json")
	open := func(row int) {
		p.Open(ids[row])
		room.Queue.Until("it is shown", func() bool { return room.Session.IsShown(ids[row]) && room.Pending() == 0 })
	}
	p.Pictures.Set(false, false)
	if open(0); len(asked) != 0 {
		t.Error("it is asked although pictures are not")
	}
	open(1)
	p.Pictures.Set(true, false)
	for range 2 {
		open(0)
		s, err := p.load(t.Context(), ids[0])
		if text := s.body.PlainText(); err != nil || !strings.Contains(text, "Chapters") || !strings.Contains(text, "1:01 The lamps") {
			t.Errorf("shown: %q (%v)", text, err)
		}
		open(1)
	}
	if len(asked) != 1 {
		t.Errorf("asked %d times", len(asked))
	}
}
