package app

import (
	"bytes"
	"database/sql"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"testing"

	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"kairos/app/look"
	"kairos/poller/icons"
)

// disc is a round image on a transparent background.
func disc(c color.Color) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 32, 32))
	for y := range 32 {
		for x := range 32 {
			if (x-16)*(x-16)+(y-16)*(y-16) < 200 {
				img.Set(x, y, c)
			}
		}
	}
	return img
}

// giveIcons stores n icons; the first belongs to feed 1.
func giveIcons(tb testing.TB, w *window, n int) {
	tb.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, disc(color.NRGBA{200, 20, 20, 255})); err != nil {
		tb.Fatal(err)
	}
	for _, q := range []string{
		fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
			INSERT INTO icon (id, source, tried, changed, png) SELECT i, 'https://' || i || '.example/', 1, 1, x'%x' FROM n`, n, b.Bytes()),
		"INSERT INTO feed_icon VALUES (1, 1, 1)",
	} {
		if err := w.shell.Home.Store.Write(tb.Context(), func(tx *sql.Tx) error { _, err := tx.Exec(q); return err }); err != nil {
			tb.Fatal(err)
		}
	}
}

// A feed's icon is loaded once, when a row first shows it, and replaces the letter.
func TestIconsAreLoadedOnce(t *testing.T) {
	w, q := newTestWindow(t)
	row := newSidebarRow()
	w.sidebar.update(8, row)
	if row.feedIcon.letter.Hidden || row.feedIcon.letter.Text != "F" || !row.feedIcon.image.Hidden {
		t.Errorf("without an icon: %+v", row.feedIcon.letter)
	}
	giveIcons(t, w, 1)
	w.library.Reload()
	q.until("the icon is there", func() bool { w.sidebar.update(8, row); return row.feedIcon.letter.Hidden })
	shown := row.feedIcon.image.Image
	if shown == nil || shown.Bounds().Dx() != 32 || !row.feedIcon.tile.Hidden {
		t.Errorf("shown is %v", shown)
	}
	w.library.Reload()
	w.timeline.list.Refresh()
	article := newTimelineRow()
	w.timeline.update(0, article)
	if article.icon.image.Image != shown {
		t.Error("the icon of the list is another one")
	}
	if len(w.sidebar.icons.wanted) > 0 {
		t.Errorf("wanted again: %v", w.sidebar.icons.wanted)
	}
}

// The cache of icons is bounded, however many feeds there are.
func TestIconCacheIsBounded(t *testing.T) {
	w, q := newTestWindow(t)
	const feeds = 5 * maxFeedIcons / 2
	giveIcons(t, w, feeds)
	of := map[int64]icons.Icon{}
	for i := int64(1); i <= feeds; i++ {
		of[i] = icons.Icon{ID: i, Changed: 1}
	}
	w.sidebar.icons.set(of)
	for i := int64(1); i <= feeds; i++ {
		w.sidebar.icons.get(i)
		q.until("it is loaded", func() bool { return !w.sidebar.icons.loading })
		if w.sidebar.icons.get(i) == nil {
			t.Fatalf("icon %d is not there", i)
		}
		w.sidebar.icons.get(1) // always on screen
	}
	if n := len(w.sidebar.icons.recent) + len(w.sidebar.icons.earlier); n > 2*maxFeedIcons {
		t.Errorf("%d pictures are kept", n)
	}
	if w.sidebar.icons.get(1) == nil {
		t.Error("what was always shown is forgotten")
	}
}

// Icons that were scrolled past are not decoded; those on screen are.
func TestIconsScrolledPastAreNotDecoded(t *testing.T) {
	w, q := newTestWindow(t)
	const feeds = 10 * maxFeedIconQueue
	giveIcons(t, w, feeds)
	of := map[int64]icons.Icon{}
	for i := int64(1); i <= feeds; i++ {
		of[i] = icons.Icon{ID: i, Changed: 1}
	}
	w.sidebar.icons.set(of)
	for i := int64(1); i <= feeds; i++ {
		w.sidebar.icons.get(i)
	}
	q.until("the last are loaded", func() bool { return !w.sidebar.icons.loading })
	if n := len(w.sidebar.icons.recent); n > maxFeedIconQueue+2 || // the window's own two feeds
		len(w.sidebar.icons.wanted) > 0 || w.sidebar.icons.get(feeds) == nil {
		t.Errorf("%d are decoded, %d wanted", n, len(w.sidebar.icons.wanted))
	}
	const past = 3 // of no feed in the window
	if w.sidebar.icons.get(past) != nil {
		t.Error("one of the first is decoded")
	}
	q.until("it is asked for again", func() bool { return w.sidebar.icons.get(past) != nil })
}

// lostOn tells an icon that would hardly be seen on a background from one that is seen.
func TestIconsLostOnBackground(t *testing.T) {
	test.NewTempApp(t)
	square := image.NewNRGBA(image.Rect(0, 0, 32, 32))
	for i := range square.Pix {
		square.Pix[i] = 0xff
	}
	for name, c := range map[string]struct {
		img         image.Image
		light, dark bool
	}{
		"black": {disc(color.Black), false, true}, "white": {disc(color.White), true, false}, "red": {disc(color.NRGBA{200, 20, 20, 255}), false, false},
		"grey": {disc(color.NRGBA{40, 41, 45, 255}), false, true}, "a white square": {square, false, false},
	} {
		p := newFeedIconImage(c.img)
		if p.lostOnLight != c.light || p.lostOnDark != c.dark {
			t.Errorf("%s is lost on light: %t, on dark: %t", name, p.lostOnLight, p.lostOnDark)
		}
		for v, lost := range map[look.Variant]bool{look.Light: c.light, look.Dark: c.dark} {
			test.ApplyTheme(t, look.New(v))
			row := newSidebarRow()
			row.set(feedItem(), p, false)
			if row.feedIcon.tile.Hidden == lost || row.feedIcon.image.Hidden {
				t.Errorf("%s: variant %d hides the plate: %t", name, v, row.feedIcon.tile.Hidden)
			}
			if plate := row.feedIcon.tile.FillColor; lost && lostOn(c.img, plate) {
				t.Errorf("%s is lost on its plate %v", name, plate)
			}
		}
	}
}

func TestInitial(t *testing.T) {
	for title, want := range map[string]string{
		"A feed": "A", "«über» alles": "Ü", "📰 news": "N", "漢字": "漢", "3sat": "3", "https://www.example.org/feed": "E", "": "•", "…!": "•", "النيل": "ا",
	} {
		if got := initial(title); got != want {
			t.Errorf("%q has %q, want %q", title, got, want)
		}
	}
}

// BenchmarkIconRows shows a screen of rows of a long list of feeds.
func BenchmarkIconRows(b *testing.B) {
	test.NewTempApp(b)
	black := disc(color.Black)
	pic, row := newFeedIconImage(black), newSidebarRow()
	canvas.Refresh(row)
	b.Run("set", func(b *testing.B) {
		for b.Loop() {
			row.set(feedItem(), pic, false)
		}
	})
	b.Run("decode", func(b *testing.B) {
		for b.Loop() {
			newFeedIconImage(black)
		}
	})
}
