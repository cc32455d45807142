package timeline

import (
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/home/hometest"
	"kairos/app/look"
	"kairos/app/widgets"
	"kairos/app/widgets/widgetstest"
	"kairos/reader"
)

const (
	shortTitle = "Seven lamps"
	longTitle  = "Seven lamps in the fog, and a lamplighter who counts them every evening before he goes home"
)

// newTestRow returns a row of this density that shows an article.
func newTestRow(t *testing.T, d Density, oneFeed bool, title string, read bool) *row {
	t.Helper()
	r := newRow()
	r.density, r.oneFeed = d, oneFeed
	r.set(&reader.Article{ID: 1, Title: title, FeedTitle: "Lamps", Read: read, Published: hometest.Noon,
		Summary: "Whoever counts lamps in the fog has to walk close to each of them, for the one behind it cannot be seen."}, nil, nil, hometest.Noon)
	test.NewTempWindow(t, r).Resize(fyne.NewSize(320, d.height()+8))
	return r
}

// visible returns the lines of a row that are on screen, from top to bottom.
func visible(r *row) (lines []*widgets.Line) {
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
		density       Density
		oneFeed       bool
		title         string
		titles, texts int
	}{
		{RowsNormal, false, shortTitle, 1, 1}, {RowsNormal, false, longTitle, 2, 0},
		{RowsNormal, true, shortTitle, 1, 2}, {RowsNormal, true, longTitle, 2, 1},
		{RowsCompact, false, longTitle, 1, 0}, {RowsCompact, true, longTitle, 1, 0},
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
		if titles != c.titles || texts != c.texts || r.feed.Visible() == (c.oneFeed || c.density == RowsCompact) {
			t.Errorf("%+v: %d lines of title, %d of text, feed %t", c, titles, texts, r.feed.Visible())
		}
	}
}

// What takes fewer lines than three stands in the middle of its row, and leaves no line free.
func TestShortRowsAreCentered(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	for _, oneFeed := range []bool{false, true} {
		for _, text := range []string{"", longTitle} {
			r := newRow()
			r.oneFeed = oneFeed
			r.set(&reader.Article{ID: 1, Title: shortTitle, Summary: text, FeedTitle: "Lamps", Published: hometest.Noon}, nil, nil, hometest.Noon)
			test.NewTempWindow(t, r).Resize(fyne.NewSize(420, 78))
			var lines []float32
			for _, l := range visible(r) {
				if l.Text.Text != "" {
					lines = append(lines, l.Position().Y)
				}
			}
			slices.Sort(lines)
			for i := range lines[1:] {
				if gap := lines[i+1] - lines[i]; gap > lineStep+3 {
					t.Errorf("one feed %t, text %q: a gap of %v", oneFeed, text, gap)
				}
			}
			if above, below := lines[0], RowsNormal.height()-lines[len(lines)-1]-16; above-below > 6 || below-above > 8 {
				t.Errorf("one feed %t, text %q: %v above, %v below", oneFeed, text, above, below)
			}
			if dot := r.unread.Position().Y; dot < lines[0] || dot > lines[0]+10 {
				t.Errorf("the dot is at %v, the title at %v", dot, lines[0])
			}
		}
	}
}

// In the list of one feed the age has no line of its own: it stands beside the end of the text, or of the title.
func TestAgeStandsBesideAShortText(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	for _, c := range []struct {
		title, text string
		line        float32
	}{{shortTitle, "", rowLine1 + lineStep}, {longTitle, "", rowLine2 + lineStep/2}, {shortTitle, "Fog.", rowLine2 + lineStep/2}, {longTitle, "Fog.", rowLine3}, {shortTitle, longTitle, rowLine3}} {
		r := newRow()
		r.oneFeed = true
		r.set(&reader.Article{ID: 1, Title: c.title, Summary: c.text, Published: hometest.Noon}, nil, nil, hometest.Noon)
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
	r := newTestRow(t, RowsNormal, true, shortTitle, false)
	r.set(&reader.Article{ID: 2, Title: shortTitle, Published: hometest.Noon}, nil, nil, hometest.Noon)
	if lines := visible(r); len(lines) != 2 || lines[0] != r.title.Lines[0] || lines[1] != r.age {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1].Text.Text)
	}
}

func TestReadTitlesAreNotDimmed(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Dark))
	r := newTestRow(t, RowsNormal, false, shortTitle, true)
	if l := r.title.Lines[0]; l.TextStyle.Bold || l.Color != widgets.Color(r, look.ColorText) || r.unread.Visible() {
		t.Errorf("a read title is %v, bold: %t", l.Color, l.TextStyle.Bold)
	}
	if got := r.summary.Lines[0].Color; got != widgets.Color(r, look.ColorMuted) {
		t.Errorf("its text is %v", got)
	}
}

// At a height of 800 units nine articles are on screen, as in other readers, and in compact rows over twice as many.
// The density is kept over restarts, and what was chosen before there were three of them.
// The row that reports new articles stands above the list, covers none of it, and what is on screen stays where it is.
// What is cut off stands in the tooltip of a row.
func TestTooltipsOfCutRows(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	longer := longTitle + ", which is what lamplighters do"
	for _, c := range []struct {
		density     Density
		title, want string
	}{{RowsNormal, shortTitle, ""}, {RowsNormal, longer, longer}, {RowsCompact, longTitle, longTitle}, {RowsCompact, "Lamps", ""}} {
		if got := newTestRow(t, c.density, false, c.title, false).Tooltip(); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func TestRowMarkup(t *testing.T) {
	a := test.NewTempApp(t)
	a.Settings().SetTheme(look.New(look.Light))
	row := newRow()
	row.set(&reader.Article{Title: "A title that is longer than the row is wide, so that it is cut", Summary: "Text", FeedTitle: "Feed",
		Published: hometest.Noon.Add(-90 * time.Minute), Starred: true}, nil, nil, hometest.Noon)
	w := test.NewTempWindow(t, row)
	w.Resize(fyne.NewSize(320, rowHeight+8))
	widgetstest.AssertMarkup(t, "row.xml", row)
}

// A row shows the picture of its article, and none of the one before.
func TestRowShowsItsThumbnail(t *testing.T) {
	test.NewTempApp(t)
	r := newRow()
	if r.setThumbnail(image.NewGray(image.Rect(0, 0, 8, 8))); r.thumbnail.Hidden || r.thumbnail.Image == nil {
		t.Error("the row does not show it")
	}
	if r.setThumbnail(nil); !r.thumbnail.Hidden {
		t.Error("the next article has it too")
	}
}

// A podcast's row tells how long it plays, or still does, beside its age; the narrow row of one line leaves the place to the title.
func TestRowTellsHowLongItPlays(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	episode := &reader.Article{ID: 1, Title: shortTitle, FeedTitle: "Lamps", Published: hometest.Noon, Plays: 72 * time.Minute}
	begun := *episode
	begun.Left = 18 * time.Minute
	for _, c := range []struct {
		a            *reader.Article
		density      Density
		shows, tells string
	}{
		{episode, RowsNormal, "▸ 1 h 12 min · 5 min", "Lamps, 1 h 12 min, 5 min"},
		{&begun, RowsPictures, "▸ 18 min left · 5 min", "Lamps, 18 min left, 5 min"},
		{episode, RowsCompact, "5 min", "Lamps, 1 h 12 min, 5 min"},
		{&reader.Article{ID: 1, FeedTitle: "Lamps", Published: hometest.Noon}, RowsNormal, "5 min", "Lamps, 5 min"},
		{nil, RowsNormal, "", ""},
	} {
		r := newRow()
		r.density = c.density
		r.set(episode, nil, nil, hometest.Noon)
		r.set(c.a, nil, nil, hometest.Noon.Add(5*time.Minute))
		if got := r.age.Content; got != c.shows {
			t.Errorf("%s: %q, want %q", c.density, got, c.shows)
		}
		if got := r.Describe().Name; !strings.Contains(got, c.tells) {
			t.Errorf("%s: %q lacks %q", c.density, got, c.tells)
		}
	}
}
