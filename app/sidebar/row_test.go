package sidebar

import (
	"image"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"kairos/app/icon"
	"kairos/app/library"
	"kairos/app/look"
	"kairos/app/session"
	"kairos/app/widgets/widgetstest"
	"kairos/poller"
	"kairos/reader"
)

func feedItem() Item {
	return Item{Place: session.Place{Name: "A feed", Feed: &reader.Feed{ID: 1}}, Indent: 1, Count: 12}
}

func TestRowMarkup(t *testing.T) {
	a := test.NewTempApp(t)
	a.Settings().SetTheme(look.New(look.Light))
	row := newRow()
	row.set(feedItem(), nil, false)
	w := test.NewTempWindow(t, row)
	w.Resize(fyne.NewSize(200, rowHeight+8))
	widgetstest.AssertMarkup(t, "row.xml", row)
	square := image.NewGray(image.Rect(0, 0, 32, 32))
	row.set(feedItem(), &icon.Image{Image: square}, false)
	widgetstest.AssertMarkup(t, "icon.xml", row)
	row.set(feedItem(), &icon.Image{Image: square, LostOnLight: true}, false)
	widgetstest.AssertMarkup(t, "plate.xml", row)
}

func TestTooltipOfACutRow(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	const long = "Everything that is known of the lamps along the harbor, and of those who count them"
	r := newRow()
	for name, want := range map[string]string{"Lamps": "", long: long} {
		r.set(Item{Place: session.Place{Name: name}, icon: icon.Star}, nil, false)
		r.Resize(fyne.NewSize(200, rowHeight))
		if got := r.Tooltip(); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
}

// BenchmarkSetRow measures what the window's goroutine does for a row whose icon is decoded.
func BenchmarkSetRow(b *testing.B) {
	test.NewTempApp(b)
	pic, row := &icon.Image{Image: image.NewNRGBA(image.Rect(0, 0, 32, 32))}, newRow()
	canvas.Refresh(row)
	for b.Loop() {
		row.set(feedItem(), pic, false)
	}
}

// Whoever cannot see the mark of a feed that fails is told.
func TestFailingFeedIsTold(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	p := &Pane{library: &library.Library{Snapshot: &library.Snapshot{States: map[int64]poller.State{2: {Failures: 1}}}}}
	for id, want := range map[int64]string{1: "Lamps, 12 unread", 2: "Lamps, 12 unread, last fetch failed"} {
		r := newRow()
		r.set(p.feedItem(&reader.Feed{ID: id, Title: "Lamps", Unread: 12}), nil, false)
		if got := r.Describe().Name; got != want {
			t.Errorf("feed %d: %q, want %q", id, got, want)
		}
	}
}
