package app

import (
	"bytes"
	"database/sql"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"kairos/app/article"
	"kairos/app/reading"
	"kairos/poller"
	"kairos/reader"
	"kairos/reader/parse"
)

// shownPictures counts the images drawn in the article.
func shownPictures(w *window) (n int) {
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
	walk(w.article.View)
	return n
}

// illustrate adds an article with an image; it returns the number of requests for the image, and its address.
func illustrate(t *testing.T, w *window, q *queue) (asked *atomic.Int32, address string) {
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
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, 1, []parse.Article{{Key: "illustrated", Title: "Illustrated",
			HTML: `<p>Words</p><img src="` + server.URL + `/a.png" alt="Alt">`, Published: noon}}, noon, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w.reload()
	q.until("the article is listed", func() bool { return len(w.session.List.IDs) == 7 })
	return asked, server.URL + "/a.png"
}

func TestImagesAreShownAndCached(t *testing.T) {
	w, q := newTestWindow(t)
	w.win.Resize(fyne.NewSize(1200, 800))
	asked, address := illustrate(t, w, q)
	w.timeline.List.TypedRune('j')
	q.until("the picture is shown", func() bool { return shownPictures(w) == 1 })
	w.timeline.List.TypedRune('j')
	q.until("another article is shown", func() bool { return shownPictures(w) == 0 })
	w.timeline.List.TypedRune('k')
	q.until("the picture is shown again", func() bool { return shownPictures(w) == 1 })
	if asked.Load() != 1 {
		t.Errorf("it was asked for %d times", asked.Load())
	}
	saveTo(w.article.SavePicture(address), w.shell.Home.Dir, "saved.png")
	q.until("it is saved", func() bool { _, err := os.Stat(filepath.Join(w.shell.Home.Dir, "saved.png")); return err == nil })
}

// With battery saver on or automatic loading off, images are requested only when the user asks.
func TestImagesWaitUntilAsked(t *testing.T) {
	for name, hold := range map[string]func(w *window){
		"saver": func(w *window) { w.budget.setSaver(poller.SaverOn) },
		"off":   func(w *window) { w.article.Pictures.SetAutomatic(false) },
	} {
		t.Run(name, func(t *testing.T) {
			w, q := newTestWindow(t)
			w.win.Resize(fyne.NewSize(1200, 800))
			asked, _ := illustrate(t, w, q)
			hold(w)
			q.until("that is so", func() bool { return !w.article.Pictures.MayFetch() })
			w.timeline.List.TypedRune('j')
			q.until("there is a button for it", func() bool { return w.session.Shown != nil && w.article.Bar.Pictures.Visible() })
			if asked.Load() != 0 {
				t.Fatal("it was asked for")
			}
			w.timeline.List.TypedRune('p')
			q.until("the picture is shown", func() bool { return shownPictures(w) == 1 && !w.article.Bar.Pictures.Visible() })
		})
	}
}

func TestStyleIsStored(t *testing.T) {
	w, q := newTestWindow(t)
	w.style.Zoom(1)
	w.style.Set(article.Style{Size: w.article.View.Style().Size, Serif: true})
	w.article.Pictures.SetAutomatic(false)
	want := w.article.View.Style()
	if want.Size <= 16 {
		t.Errorf("larger is %v", want.Size)
	}
	q.until("it is stored", func() bool {
		s, err := w.style.Load(t.Context())
		return err == nil && s.Style.Size == want.Size && s.Style.Serif && !s.Pictures
	})
	w.article.View.SetStyle(article.Style{})
	w.article.Pictures.Automatic = true
	w.style.Restore()
	q.until("it is as it was", func() bool { return w.article.View.Style() == want && !w.article.Pictures.Automatic })
	w.style.Zoom(-1)
	w.style.Zoom(0)
	if got := w.article.View.Style().Size; got != 16 {
		t.Errorf("the usual size is %v", got)
	}
	q.until("that is stored", func() bool {
		s, err := w.style.Load(t.Context())
		return err == nil && s.Style.Size == 0
	})
	q.until("nothing is being stored", func() bool { return w.shell.Pending() == 0 })
	if err := w.shell.Home.Store.Settings.Set(t.Context(), reading.SettingStyle, "{broken"); err != nil {
		t.Fatal(err)
	}
	if s, err := w.style.Load(t.Context()); err != nil || s.Style != (article.Style{}) {
		t.Errorf("a broken setting: %+v, %v", s, err)
	}
}
