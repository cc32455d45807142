package reading

import (
	"bytes"
	"database/sql"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"kairos/app/home/hometest"
	"kairos/app/shell/shelltest"
	"kairos/reader"
	"kairos/reader/parse"
)

// shownPictures counts the images drawn in the article.
func shownPictures(p *Pane) (n int) {
	var walk func(o fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		switch o := o.(type) {
		case *canvas.Image:
			if o.Image != nil {
				n++
			}
		case fyne.Widget:
			for _, c := range test.WidgetRenderer(o).Objects() {
				walk(c)
			}
		case *fyne.Container:
			for _, c := range o.Objects {
				walk(c)
			}
		}
	}
	walk(p.View)
	return n
}

// illustrate adds an article with an image; it returns its id, the number of requests for the image, and the image's address.
func illustrate(t *testing.T, room *shelltest.Room) (id int64, asked *atomic.Int32, address string) {
	t.Helper()
	var body bytes.Buffer
	if err := png.Encode(&body, image.NewGray(image.Rect(0, 0, 300, 200))); err != nil {
		t.Fatal(err)
	}
	asked = new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		out.Write(body.Bytes())
	}))
	t.Cleanup(server.Close)
	err := room.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, 1, []parse.Article{{Key: "illustrated", Title: "Illustrated",
			HTML: `<p>Words</p><img src="` + server.URL + `/a.png" alt="Alt">`, Published: hometest.Noon}}, hometest.Noon, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	ids, err := room.Home.Store.Articles.IDs(t.Context(), reader.Query{Search: "Illustrated"})
	if err != nil || len(ids) != 1 {
		t.Fatal(ids, err)
	}
	return ids[0], asked, server.URL + "/a.png"
}

func TestImagesAreShownAndCached(t *testing.T) {
	p, room, ids := newPane(t)
	q := room.Queue
	illustrated, asked, address := illustrate(t, room)
	for range 2 {
		p.Open(illustrated)
		q.Until("the picture is shown", func() bool { return shownPictures(p) == 1 })
		p.Open(ids[0])
		q.Until("another article is shown", func() bool { return shownPictures(p) == 0 })
	}
	if asked.Load() != 1 {
		t.Errorf("it was asked for %d times", asked.Load())
	}
	save := p.SavePicture(address)
	save.Folder.SetText(room.Home.Dir)
	save.Name.SetText("saved.png")
	save.Submit()
	q.Until("it is saved", func() bool { _, err := os.Stat(filepath.Join(room.Home.Dir, "saved.png")); return err == nil })
}

// An article whose picture could not be had before is whole as soon as it has come.
func TestArticleIsWholeOnceItsPictureCame(t *testing.T) {
	p, room, ids := newPane(t)
	illustrated, _, _ := illustrate(t, room)
	for _, id := range []int64{illustrated, ids[0]} {
		room.Exec(t, "INSERT INTO lack (article, why, at) VALUES (?, 'no answer', 0)", id)
	}
	p.Open(illustrated)
	room.Queue.Until("it is whole", func() bool {
		left, err := room.Home.Store.Articles.IDs(t.Context(), reader.Query{Search: "is:incomplete"})
		if err != nil {
			t.Fatal(err)
		}
		return slices.Equal(left, ids[:1])
	})
}

// With battery saver on or automatic loading off, images are requested only when the user asks.
func TestImagesWaitUntilAsked(t *testing.T) {
	for name, hold := range map[string]func(*pictures){
		"saver": func(p *pictures) { p.Set(true, true) },
		"off":   func(p *pictures) { p.SetAutomatic(false) },
	} {
		t.Run(name, func(t *testing.T) {
			p, room, _ := newPane(t)
			illustrated, asked, _ := illustrate(t, room)
			hold(p.Pictures)
			p.Open(illustrated)
			room.Queue.Until("there is a button for it", func() bool { return room.Session.IsShown(illustrated) && p.Bar.Pictures.Visible() })
			if asked.Load() != 0 {
				t.Fatal("it was asked for")
			}
			p.View.LoadPictures()
			room.Queue.Until("the picture is shown", func() bool { return shownPictures(p) == 1 && !p.Bar.Pictures.Visible() })
		})
	}
}
