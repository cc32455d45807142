package app

import (
	"database/sql"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/look"
	"kairos/app/session"
	"kairos/app/widgets"
	"kairos/reader"
	"kairos/reader/parse"
)

const (
	shortTitle = "Seven lamps"
	longTitle  = "Seven lamps in the fog, and a lamplighter who counts them every evening before he goes home"
)

// newTestRow returns a row of this density that shows an article.
func newTestRow(t *testing.T, d density, oneFeed bool, title string, read bool) *timelineRow {
	t.Helper()
	r := newTimelineRow()
	r.density, r.oneFeed = d, oneFeed
	r.set(&reader.Article{ID: 1, Title: title, FeedTitle: "Lamps", Read: read, Published: noon,
		Summary: "Whoever counts lamps in the fog has to walk close to each of them, for the one behind it cannot be seen."}, nil, nil, noon)
	test.NewTempWindow(t, r).Resize(fyne.NewSize(320, d.height()+8))
	return r
}

// visible returns the lines of a row that are on screen, from top to bottom.
func visible(r *timelineRow) (lines []*widgets.Line) {
	for _, l := range []*widgets.Line{r.title.Lines[0], r.title.Lines[1], r.summary.Lines[0], r.summary.Lines[1], r.feed, r.age} {
		if l.Visible() && l.Text.Text != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

// A title takes the second line where it needs it, its text what is left; the list of one feed does not repeat its name;
// no two lines overlap.
func TestRowsUseTheirLines(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	for _, c := range []struct {
		density       density
		oneFeed       bool
		title         string
		titles, texts int
	}{
		{rowsNormal, false, shortTitle, 1, 1}, {rowsNormal, false, longTitle, 2, 0},
		{rowsNormal, true, shortTitle, 1, 2}, {rowsNormal, true, longTitle, 2, 1},
		{rowsCompact, false, longTitle, 1, 0}, {rowsCompact, true, longTitle, 1, 0},
	} {
		r := newTestRow(t, c.density, c.oneFeed, c.title, false)
		lines := visible(r)
		titles, texts := 0, 0
		for i, l := range lines {
			switch l {
			case r.title.Lines[0], r.title.Lines[1]:
				titles++
			case r.summary.Lines[0], r.summary.Lines[1]:
				texts++
			}
			for _, other := range lines[:i] {
				if above, left := other.Position().Y+12, other.Position().X+other.Size().Width; above > l.Position().Y && left > l.Position().X {
					t.Errorf("%+v: %q and %q overlap", c, other.Text.Text, l.Text.Text)
				}
			}
			if l.Position().Y+l.MinSize().Height > c.density.height() {
				t.Errorf("%+v: %q ends at %v", c, l.Text.Text, l.Position().Y+l.MinSize().Height)
			}
		}
		if titles != c.titles || texts != c.texts || r.feed.Visible() == (c.oneFeed || c.density == rowsCompact) {
			t.Errorf("%+v: %d lines of title, %d of text, feed %t", c, titles, texts, r.feed.Visible())
		}
	}
}

// In the list of one feed the age has no line of its own: it stands beside the end of the text, or of the title.
func TestAgeStandsBesideAShortText(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	for _, c := range []struct {
		title, text string
		line        float32
	}{{shortTitle, "", rowLine1}, {longTitle, "", rowLine2}, {shortTitle, "Fog.", rowLine2}, {longTitle, "Fog.", rowLine3}, {shortTitle, longTitle, rowLine3}} {
		r := newTimelineRow()
		r.oneFeed = true
		r.set(&reader.Article{ID: 1, Title: c.title, Summary: c.text, Published: noon}, nil, nil, noon)
		test.NewTempWindow(t, r).Resize(fyne.NewSize(320, 78))
		if y := r.age.Position().Y; y < c.line || y > c.line+2 {
			t.Errorf("%+v: the age is at %v", c, y)
		}
		for _, l := range visible(r) {
			if wide := fyne.MeasureText(l.Text.Text, l.TextSize, l.TextStyle).Width; l != r.age && l.Position().Y > r.age.Position().Y-12 && l.Position().Y < r.age.Position().Y+12 && l.Position().X+wide > r.age.Position().X {
				t.Errorf("%+v: %q ends at %v, the age begins at %v", c, l.Text.Text, l.Position().X+wide, r.age.Position().X)
			}
		}
	}
}

// A read title has the full color of text and regular weight, its text a paler one.
// A row shows nothing of the text of the article that it showed before.
func TestARowForgetsTheTextBefore(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	r := newTestRow(t, rowsNormal, true, shortTitle, false)
	r.set(&reader.Article{ID: 2, Title: shortTitle, Published: noon}, nil, nil, noon)
	if lines := visible(r); len(lines) != 2 || lines[0] != r.title.Lines[0] || lines[1] != r.age {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1].Text.Text)
	}
}

func TestReadTitlesAreNotDimmed(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Dark))
	r := newTestRow(t, rowsNormal, false, shortTitle, true)
	if l := r.title.Lines[0]; l.TextStyle.Bold || l.Color != widgets.Color(r, look.ColorText) || r.unread.Visible() {
		t.Errorf("a read title is %v, bold: %t", l.Color, l.TextStyle.Bold)
	}
	if got := r.summary.Lines[0].Color; got != widgets.Color(r, look.ColorMuted) {
		t.Errorf("its text is %v", got)
	}
}

// At a height of 800 units nine articles are on screen, as in other readers, and in compact rows over twice as many.
func TestRowsOnScreen(t *testing.T) {
	w, _ := newTestWindow(t)
	w.win.Resize(fyne.NewSize(1280, 800))
	for d, least := range map[density]int{rowsNormal: 9, rowsPictures: 9, rowsCompact: 20} {
		w.setDensity(d)
		if n := int(w.timeline.list.Size().Height / w.timeline.rowStep()); n < least {
			t.Errorf("%q: %d rows", d, n)
		}
	}
}

// The density is kept over restarts, and what was chosen before there were three of them.
func TestDensityIsKept(t *testing.T) {
	w, _ := newTestWindow(t)
	w.setDensity(rowsCompact)
	prefs := w.shell.App.Preferences()
	if loadDensity(prefs) != rowsCompact {
		t.Error("it is lost")
	}
	w.setDensity(rowsNormal)
	if prefs.SetBool(prefPictures, true); loadDensity(prefs) != rowsPictures {
		t.Error("the pictures are lost")
	}
}

// The row that tells of new articles stands above the list, covers none of it, and what is on screen stays where it is.
func TestNewArticlesHaveTheirOwnRow(t *testing.T) {
	w, q := newTestWindow(t)
	w.win.Resize(fyne.NewSize(1000, 400))
	tl := w.timeline
	tl.list.Select(2)
	tl.list.ScrollToOffset(tl.rowStep())
	at := func() float32 { // of the third article on the window
		return fyne.CurrentApp().Driver().AbsolutePositionForObject(tl.list).Y + float32(index(tl.session.List.IDs, tl.session.List.Current))*tl.rowStep() - tl.list.GetScrollOffset()
	}
	before := at()
	err := w.shell.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, 1, []parse.Article{{Key: "x", Title: "x", Published: noon.Add(time.Minute)}}, noon, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	tl.reload()
	q.until("it is announced", func() bool { return len(tl.session.List.IDs) == 7 && tl.newArticles.Visible() })
	if end := tl.newArticles.Position().Y + tl.newArticles.Size().Height; end <= 0 || tl.newArticles.Size().Width != tl.pane.Size().Width {
		t.Errorf("the row has %v", tl.newArticles.Size())
	}
	list := fyne.CurrentApp().Driver().AbsolutePositionForObject(tl.list).Y
	button := fyne.CurrentApp().Driver().AbsolutePositionForObject(tl.newArticles)
	if button.Y+tl.newArticles.Size().Height > list {
		t.Errorf("it ends at %v, the list begins at %v", button.Y+tl.newArticles.Size().Height, list)
	}
	if after := at(); after != before {
		t.Errorf("the article has moved from %v to %v", before, after)
	}
	test.Tap(tl.newArticles.Button)
	if tl.newArticles.Visible() || tl.list.GetScrollOffset() != 0 {
		t.Errorf("a tap leads to %v", tl.list.GetScrollOffset())
	}
}

func index(ids []int64, id int64) int {
	for i := range ids {
		if ids[i] == id {
			return i
		}
	}
	return -1
}

// What is cut off stands in the tooltip of a row.
func TestTooltipsOfCutRows(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	longer := longTitle + ", which is what lamplighters do"
	for _, c := range []struct {
		density     density
		title, want string
	}{{rowsNormal, shortTitle, ""}, {rowsNormal, longer, longer}, {rowsCompact, longTitle, longTitle}, {rowsCompact, "Lamps", ""}} {
		if got := newTestRow(t, c.density, false, c.title, false).Tooltip(); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
	r := newSidebarRow()
	for name, want := range map[string]string{"Lamps": "", longTitle: longTitle} {
		r.set(sidebarItem{Place: session.Place{Name: name}, icon: starIcon}, nil, false)
		r.Resize(fyne.NewSize(200, sidebarRowHeight))
		if got := r.Tooltip(); got != want {
			t.Errorf("%q in the sidebar: %q", name, got)
		}
	}
}
