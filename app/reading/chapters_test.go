package reading

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kairos/reader/content"
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

// The link to chapters fetches them where that was not done, and is left out where they are listed.
func TestLinkToChapters(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte(`{"chapters":[{"startTime":61,"title":"The lamps"}]}`)) //nolint:errcheck // it is looked at below
	}))
	defer server.Close()
	p, room, ids := newPane(t)
	address := server.URL + "/chapters.json"
	room.Exec(t, "INSERT INTO chapters (id, address) VALUES (?, ?)", ids[0], address)
	room.Exec(t, "UPDATE body SET html = ? WHERE id = ?", "<p>Notes</p><p>Length: 2:00 · <a href=\""+address+"\">Chapters</a> · Place</p>", ids[0])
	p.Pictures.Set(false, false)
	p.Open(ids[0])
	room.Queue.Until("it is shown", func() bool { return room.Session.IsShown(ids[0]) && room.Pending() == 0 })
	s, err := p.load(t.Context(), ids[0])
	if a := p.content(&s); err != nil || a.Actions[address] != actionChapters {
		t.Fatalf("the link opens the document (%v)", err)
	}
	p.View.OnFile(actionChapters, address)
	room.Queue.Until("they are fetched", func() bool { return room.Pending() == 0 })
	s, err = p.load(t.Context(), ids[0])
	text := s.body.PlainText()
	if a := p.content(&s); err != nil || a.Actions != nil || !strings.Contains(text, "Length: 2:00 · Place") || !strings.Contains(text, "1:01 The lamps") {
		t.Errorf("shown: %q (%v)", text, err)
	}
	alone := []content.Block{{Runs: []content.Run{{Text: "Chapters", Link: address}}}}
	if got := withoutLink(alone, address); len(got) != 0 {
		t.Errorf("an empty paragraph is left: %+v", got)
	}
}
