package reading

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"kairos/poller/preparer"
	"kairos/reader/content"
)

// The picture that is prepared is the very one that the window shows: the file that its column needs. In a column of nearly the same
// width it is shown, too, and nothing is asked for.
func TestPreparedPicturesFitTheColumn(t *testing.T) {
	p, room, ids := newPane(t)
	var mu sync.Mutex
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.URL.Path)
		out.Write(webPhoto(t, 3)) //nolint:errcheck // the picture would be missing
	}))
	defer server.Close()
	requests := func() []string {
		mu.Lock()
		defer mu.Unlock()
		was := asked
		asked = nil
		return was
	}
	local := content.Origin{Base: server.URL, Local: true}
	store := func(id int64) {
		html := content.Sanitize(fmt.Sprintf(`<p>Words.<picture><source media="(min-width: 100em)" srcset="/%d-huge.jpg"><img src="/%[1]d.jpg" srcset="/%[1]d-300.jpg 300w, /%[1]d-620.jpg 620w, /%[1]d-1240.jpg 1240w"></picture>`, id), local)
		room.Exec(t, "UPDATE body SET html = ? WHERE id = ?", html, id)
	}
	for _, id := range ids[:3] {
		store(id)
	}
	open := func(id int64) {
		t.Helper()
		p.Open(id)
		room.Queue.Until("the picture is shown", func() bool { return room.Session.IsShown(id) && shownPictures(p) == 1 })
	}
	open(ids[0])
	if got := requests(); !slices.Equal(got, []string{fmt.Sprintf("/%d-620.jpg", ids[0])}) {
		t.Errorf("asked for %v in a column of %v", got, p.View.Column())
	}
	if err := room.Home.Preparer.Take(t.Context(), ids[1:3], false, &preparer.Trip{}); err != nil {
		t.Fatal(err)
	}
	if got := requests(); len(got) != 2 || !slices.Contains(got, fmt.Sprintf("/%d-620.jpg", ids[1])) {
		t.Errorf("prepared %v", got)
	}
	server.Close()
	open(ids[1])
	room.Place(p.Object, 340, 500)
	open(ids[2])
	if c := p.View.Column(); c.Width > 330 {
		t.Errorf("a column of %v", c)
	}
	if got := requests(); len(got) > 0 {
		t.Errorf("asked again for %v", got)
	}
}
