package timeline

import (
	"bytes"
	"database/sql"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/home/hometest"
	"kairos/app/widgets/widgetstest"
	"kairos/reader"
	"kairos/reader/parse"
)

func TestThumbnailsOnlyIfVisible(t *testing.T) {
	p := newPane(t)
	q, may := p.room.Queue, true
	p.Thumbs.mayFetch = func() bool { return may }
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 300, 200))); err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		out.Write(picture.Bytes())
	}))
	defer server.Close()
	err := p.room.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, 1, []parse.Article{{Key: "illustrated", Title: "Illustrated",
			HTML: `<p>Words</p><img src="` + server.URL + `/a.png" alt="Alt">`, Published: hometest.Noon}}, hometest.Noon, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Reload()
	q.Until("it is listed", func() bool { return len(p.session.List.Loaded) == 7 })
	var a *reader.Article
	for _, row := range p.session.List.Loaded {
		if row.Title == "Illustrated" {
			a = row
		}
	}
	if p.Thumbs.Get(a) != nil || len(p.Thumbs.Loading) != 0 || asked.Load() != 0 {
		t.Fatal("nobody wants pictures in the list")
	}
	p.SetDensity(RowsPictures)
	q.Until("it is there", func() bool { return p.Thumbs.Get(a) != nil })
	// Articles without one are looked at once.
	q.Until("all are known", func() bool {
		for _, row := range p.session.List.Loaded {
			p.Thumbs.Get(row)
		}
		return len(p.Thumbs.Loading) == 0 && len(p.Thumbs.Queue) == 0
	})
	if len(p.Thumbs.Recent) != len(p.session.List.Loaded) {
		t.Errorf("%d of %d are known", len(p.Thumbs.Recent), len(p.session.List.Loaded))
	}
	// With pictures held back only the cache is used.
	may = false
	p.Thumbs.Recent, p.Thumbs.Earlier = map[int64]image.Image{}, nil
	q.Until("it comes from the cache", func() bool { return p.Thumbs.Get(a) != nil })
	if n := asked.Load(); n != 1 {
		t.Errorf("asked %d times", n)
	}
}

// After a backup was restored an id is another article's: neither what is known nor what is being loaded is shown.
func TestThumbnailsAreForgotten(t *testing.T) {
	p := newPane(t)
	p.Reload()
	p.room.Queue.Until("it is listed", func() bool { return len(p.session.List.Loaded) > 2 })
	p.Thumbs.on = true
	l := p.session.List
	known, asked := l.Loaded[l.IDs[0]], l.Loaded[l.IDs[1]]
	p.Thumbs.store(known.ID, image.NewGray(image.Rect(0, 0, 8, 8)))
	p.Thumbs.Get(asked)
	p.Thumbs.Forget()
	if p.Thumbs.Get(known) != nil || p.Thumbs.Loading[asked.ID] {
		t.Error("the picture of another article is shown")
	}
	p.room.Queue.Until("they are loaded", func() bool { return len(p.Thumbs.Loading) == 0 && p.room.Pending() == 0 })
	if _, ok := p.Thumbs.Recent[asked.ID]; ok {
		t.Error("what was asked for before is stored")
	}
}

func TestAnotherThumbnailIsDrawn(t *testing.T) {
	newPane(t)
	r := newRow()
	if refreshed := widgetstest.Refreshed(t, func() { r.setThumbnail(image.NewGray(image.Rect(0, 0, 8, 8))) }); !slices.Contains(refreshed, fyne.CanvasObject(r.thumbnail)) {
		t.Error("the driver goes on to draw the thumbnail of another article")
	}
}
