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
	"strings"
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
	eachDrawn(p, func(o fyne.CanvasObject) {
		if picture, ok := o.(*canvas.Image); ok && picture.Image != nil {
			n++
		}
	})
	return n
}

// saysDrawn reports whether a text is drawn in the article.
func saysDrawn(p *Pane, text string) (says bool) {
	eachDrawn(p, func(o fyne.CanvasObject) {
		drawn, ok := o.(*canvas.Text)
		says = says || ok && strings.Contains(drawn.Text, text)
	})
	return says
}

func eachDrawn(p *Pane, f func(fyne.CanvasObject)) {
	var walk func(o fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		f(o)
		switch o := o.(type) {
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
}

// illustrate adds an article with an image; it returns its id, the number of requests for the image, and the image's address.
func illustrate(t *testing.T, room *shelltest.Room) (id int64, asked *atomic.Int32, address string) {
	t.Helper()
	return illustrateFrom(t, room, new(atomic.Bool))
}

// illustrateFrom does so from a server that answers with an error while it is down.
func illustrateFrom(t *testing.T, room *shelltest.Room, down *atomic.Bool) (id int64, asked *atomic.Int32, address string) {
	t.Helper()
	var body bytes.Buffer
	if err := png.Encode(&body, image.NewGray(image.Rect(0, 0, 300, 200))); err != nil {
		t.Fatal(err)
	}
	asked = new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		if down.Load() {
			http.Error(out, "", http.StatusInternalServerError)
			return
		}
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

// A picture that failed while its server was down is tried again when asked to, as after a refresh, and when it is shown again.
func TestFailedImagesAreTriedAgain(t *testing.T) {
	for name, again := range map[string]func(p *Pane, room *shelltest.Room, illustrated, other int64){
		"after a refresh": func(p *Pane, _ *shelltest.Room, _, _ int64) { p.View.RetryPictures() },
		"shown again": func(p *Pane, room *shelltest.Room, illustrated, other int64) {
			p.Open(other)
			room.Queue.Until("another article is shown", func() bool { return room.Session.IsShown(other) })
			p.Open(illustrated)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, room, ids := newPane(t)
			down := new(atomic.Bool)
			down.Store(true)
			illustrated, _, _ := illustrateFrom(t, room, down)
			p.Open(illustrated)
			room.Queue.Until("it has failed", func() bool { return saysDrawn(p, "internal error") })
			down.Store(false)
			again(p, room, illustrated, ids[0])
			room.Queue.Until("the picture is shown", func() bool { return shownPictures(p) == 1 })
		})
	}
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
