package article

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"kairos/app/widgets/widgetstest"
	"kairos/reader/content"
)

// streamTest is a view with a stream of articles 1, 2, 3 …, and what it was told.
type streamTest struct {
	*View
	ids             []int64
	wanted, dropped []int64
	current         []int64
	passed          []int64
	waiting         bool // articles are supplied by hand
}

// openStream shows count articles from the one with this id on. Article i has i % 7 paragraphs of ten lines or so and one more.
func openStream(t *testing.T, count int, at int64) *streamTest {
	t.Helper()
	v, _ := openView(t, fyne.NewSize(500, 600))
	s := &streamTest{View: v}
	for i := range count {
		s.ids = append(s.ids, int64(i+1))
	}
	s.show(at)
	return s
}

func (s *streamTest) show(at int64) {
	s.ShowStream(s.ids, at, StreamEvents{
		Wanted: func(id int64) {
			if s.wanted = append(s.wanted, id); !s.waiting {
				s.give(id)
			}
		},
		Dropped: func(id int64) { s.dropped = append(s.dropped, id) },
		Current: func(id int64) { s.current = append(s.current, id) },
		Passed:  func(ids []int64) { s.passed = append(s.passed, ids...) },
	})
}

func (s *streamTest) give(id int64) { s.Supply(id, streamArticle(id), nil) }

func streamArticle(id int64) Article {
	a := Article{Title: fmt.Sprintf("Article %d", id), Feed: "Feed", Date: "Today"}
	for p := range id%7 + 1 {
		a.Body.Blocks = append(a.Body.Blocks, content.Block{Runs: runs(run(fmt.Sprintf("Article %d, paragraph %d. ", id, p) + strings.Repeat("The lamps were counted. ", 30)))})
	}
	return a
}

// lines returns where the lines on screen are, by their text.
func (s *streamTest) lines() map[string]float32 {
	on := map[string]float32{}
	for _, sl := range s.stream.slots {
		if sl.page.lay == nil {
			continue
		}
		for _, ln := range sl.page.lay.lines {
			if y := sl.page.Position().Y + s.stream.scroll.Content.Position().Y + ln.y; y > -20 && y < s.stream.size.Height {
				on[fmt.Sprint(sl.id, ":", ln.text, ":", ln.Start)] = y
			}
		}
	}
	return on
}

// stays fails if a line that was and is on screen has moved.
func (s *streamTest) stays(t *testing.T, what string, before map[string]float32) {
	t.Helper()
	common := 0
	for line, y := range s.lines() {
		if was, on := before[line]; on {
			if common++; y-was > 1 || was-y > 1 {
				t.Fatalf("%s: line %s moved from %v to %v", what, line, was, y)
			}
		}
	}
	if common < 5 {
		t.Fatalf("%s: only %d lines stayed on screen", what, common)
	}
}

func (s *streamTest) top() (id int64, off float32) { return s.stream.ids[s.stream.at], s.stream.off }

// Ten thousand articles open as ten do: what is near the viewport is asked for, and no more is kept, however far one scrolls.
func TestStreamHoldsOnlyWhatIsNear(t *testing.T) {
	s := openStream(t, 10_000, 5000)
	if n := len(s.wanted); n < 2 || n > 8 {
		t.Errorf("%d articles are asked for", n)
	}
	for range 300 {
		s.PageDown()
		if n := len(s.stream.slots); n > 25 {
			t.Fatalf("%d articles are kept", n)
		}
	}
	if len(s.wanted)-len(s.dropped) != len(s.stream.slots) || len(s.dropped) < 50 {
		t.Errorf("%d asked for, %d dropped, %d there", len(s.wanted), len(s.dropped), len(s.stream.slots))
	}
	asked := len(s.wanted)
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	if id, _ := s.top(); id != 10_000 || len(s.wanted)-asked > 8 {
		t.Errorf("the end is at %d, with %d articles", id, len(s.wanted)-asked)
	}
}

// Articles that turn out higher or lower than estimated, above or below, move nothing that is on screen.
func TestStreamDoesNotJump(t *testing.T) {
	s := openStream(t, 200, 100)
	s.scrollBy(150)
	s.waiting, s.wanted = true, nil
	for range 60 { // upwards, where the articles come late
		before := s.lines()
		s.scrollBy(-70)
		for line := range before {
			before[line] += 70
		}
		s.stays(t, "scrolled up", before)
		before, asked := s.lines(), s.wanted
		s.wanted = nil
		for _, id := range asked {
			if _, there := s.stream.slots[id]; there {
				s.give(id)
			}
		}
		s.stays(t, "supplied", before)
	}
	if id, _ := s.top(); id > 97 {
		t.Errorf("at %d still", id)
	}
}

// An article that comes in from above as a whole is there with its end.
func TestStreamArticleComesFromAbove(t *testing.T) {
	s := openStream(t, 50, 20)
	s.waiting = true
	for _, sl := range s.stream.slots {
		if sl.id < 20 {
			s.stream.drop(sl)
		}
	}
	s.scrollBy(-100)
	if id, off := s.top(); id != 19 || off <= 0 {
		t.Fatalf("at %d, %v", id, off)
	}
	before := s.lines()
	s.give(19)
	s.stays(t, "supplied", before)
}

// Other widths keep the text at the top, and other articles in the list keep everything.
func TestStreamKeepsItsPlace(t *testing.T) {
	s := openStream(t, 60, 30)
	s.scrollBy(400)
	before := s.lines()
	s.SetStream(append([]int64{1001, 1002, 1003}, s.ids...))
	s.stays(t, "new articles above", before)
	s.SetStream(slices.Concat(s.ids[:20], s.ids[25:]))
	s.stays(t, "articles gone", before)
	id, _ := s.top()
	p := s.stream.slots[id].page
	at, _ := p.topPos()
	s.Resize(fyne.NewSize(420, 600))
	if now, off := s.top(); now != id || p.yOf(at) < off-p.lineHeight() || p.yOf(at) > off+2*p.lineHeight() {
		t.Errorf("narrower: at %d, %v; the text is at %v", now, off, p.yOf(at))
	}
	s.Resize(fyne.NewSize(48, 48))
	s.Resize(fyne.NewSize(420, 300))
	if now, _ := s.top(); now != id {
		t.Errorf("lower: at %d", now)
	}
	s.SetStream(slices.DeleteFunc(slices.Clone(s.ids), func(one int64) bool { return one == id }))
	if now, off := s.top(); now != id+1 || off != 0 {
		t.Errorf("the article at the top gone: at %d, %v", now, off)
	}
}

// Scrolling passes what was on screen, and what the bar skips is not passed.
func TestStreamPassesWhatWasSeen(t *testing.T) {
	s := openStream(t, 100, 1)
	for s.stream.at < 6 {
		if id, _ := s.top(); !s.PageDown() || slices.Contains(s.passed, id) && s.ids[s.stream.at] == id {
			t.Fatal("the article at the top is passed")
		}
	}
	id, _ := s.top()
	if !slices.Equal(s.passed, s.ids[:id-1]) {
		t.Errorf("passed %v before %d", s.passed, id)
	}
	s.passed = nil
	s.stream.scroll.Offset.Y = s.stream.column.high / 2
	s.stream.scroll.OnScrolled(s.stream.scroll.Offset)
	if id, _ := s.top(); id < 30 || id > 70 || len(s.passed) > 0 {
		t.Errorf("the bar leads to %d, and passes %v", id, s.passed)
	}
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	if id, off := s.top(); id != 1 || off != 0 || len(s.passed) > 0 {
		t.Errorf("Home leads to %d, %v, and passes %v", id, off, s.passed)
	}
	s.scrollBy(-50)
	s.waiting = true
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	for range 5 {
		s.scrollBy(-500)
	}
	for range 10 {
		s.scrollBy(300)
	}
	if len(s.passed) > 0 {
		t.Errorf("passed %v, which were not loaded", s.passed)
	}
}

// The last article can be brought to the top, and a page down from its end passes it.
func TestStreamEnd(t *testing.T) {
	s := openStream(t, 8, 1) // article 7 is the shortest
	for s.PageDown() {
	}
	if id, _ := s.top(); id != 8 || s.stream.current != 8 || !slices.Contains(s.passed, 7) || !slices.Contains(s.passed, 8) {
		t.Errorf("at %d, current %d, passed %v", id, s.stream.current, s.passed)
	}
	bar := s.stream.scroll
	if end := s.stream.column.high - s.stream.size.Height; bar.Offset.Y < end-1 {
		t.Errorf("the bar is at %v of %v", bar.Offset.Y, end)
	}
}

// The article at the top is the current one, with which commands work.
func TestStreamCurrent(t *testing.T) {
	s := openStream(t, 40, 3)
	if s.stream.current != 3 || len(s.current) > 0 || !strings.HasPrefix(s.Markdown(), "# Article 3") {
		t.Errorf("current %d, told %v: %.30s", s.stream.current, s.current, s.Markdown())
	}
	for s.stream.current == 3 {
		s.scrollBy(60)
	}
	if s.stream.current != 4 || !slices.Equal(s.current, []int64{4}) || s.stream.slots[4].y > 60 || !strings.HasPrefix(s.Markdown(), "# Article 4") {
		t.Errorf("current %d at %v, told %v", s.stream.current, s.stream.slots[4].y, s.current)
	}
	s.passed = nil
	s.show(5)
	if id, off := s.top(); id != 5 || off != 0 || s.stream.current != 5 || !slices.Equal(s.passed, []int64{4}) {
		t.Errorf("on to %d, %v, passed %v", id, off, s.passed)
	}
	s.show(2)
	if id, off := s.top(); id != 2 || off != 0 || len(s.passed) != 1 {
		t.Errorf("back to %d, %v, passed %v", id, off, s.passed)
	}
}

// Other files of an article are shown wherever it is, and the current one stays where it is.
func TestStreamShowsOtherFiles(t *testing.T) {
	s := openStream(t, 40, 1)
	for s.stream.current == 1 {
		s.scrollBy(60)
	}
	has := func(id int64, text string) bool {
		return slices.ContainsFunc(s.stream.slots[id].page.lay.paragraphs(), func(p string) bool { return strings.Contains(p, text) })
	}
	for _, id := range []int64{1, 2, 1} {
		name, y := fmt.Sprintf("episode%d.mp3", id), s.stream.slots[2].y
		if s.SetFilesOf(id, []File{{Name: name, URL: "https://example.org/" + name}}); !has(id, name) {
			t.Errorf("the file of %d is not shown", id)
		}
		if now := s.stream.slots[2].y; now-y > 1 || y-now > 1 || s.stream.current != 2 {
			t.Errorf("with the file of %d the current article moves from %v to %v, and %d is current", id, y, now, s.stream.current)
		}
	}
	s.SetFilesOf(1, nil)
	s.SetFilesOf(40, []File{{Name: "far away"}})
	if has(1, "episode1.mp3") {
		t.Error("the file stays")
	}
}

// Another list begins where it is asked to, and nothing else of it becomes current on the way.
func TestStreamOfAnotherList(t *testing.T) {
	s := openStream(t, 40, 3)
	for range 20 {
		s.PageDown()
	}
	s.current, s.passed = nil, nil
	s.ids = []int64{101, 102, 103, 104, 105}
	s.show(102)
	if id, off := s.top(); id != 102 || off != 0 || s.stream.current != 102 || len(s.current) > 0 || len(s.passed) > 0 {
		t.Errorf("at %d, %v, current %d; told about %v and %v", id, off, s.stream.current, s.current, s.passed)
	}
}

// A click makes the article under the pointer the current one, and text selected there is copied although it is not at the top.
func TestStreamSelection(t *testing.T) {
	s := openStream(t, 40, 7)
	second := s.stream.slots[8].page
	at := fyne.NewPos(250, second.lay.lines[0].y+2)
	second.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}, Button: desktop.MouseButtonPrimary})
	if s.stream.current != 8 || !slices.Equal(s.current, []int64{8}) {
		t.Fatalf("current %d", s.stream.current)
	}
	second.MouseUp(nil)
	s.SelectAll()
	s.scrollBy(30)
	if s.stream.current != 8 || !strings.HasPrefix(s.Copy(), "Article 8") {
		t.Errorf("current %d, copied %.20q", s.stream.current, s.Copy())
	}
	for range 40 {
		s.scrollBy(100)
	}
	if s.stream.current == 8 || s.Selected() != "" || second.selected() != "" {
		t.Errorf("current %d, selected %.20q", s.stream.current, s.Selected())
	}
}

// Words are found in the current article, however long that is, and then in the one that is current next.
func TestStreamFind(t *testing.T) {
	s := openStream(t, 40, 6)
	s.Find()
	test.Type(s.bar.entry, "paragraph")
	for range 6 {
		s.FindNext(1)
		if top, bottom := s.viewport(); s.stream.current != 6 {
			t.Fatalf("current %d", s.stream.current)
		} else if ln := s.page.lay.lineOf(s.page.finder.matches[s.page.finder.current].from()); ln.y < top || ln.y > bottom {
			t.Errorf("match at %v, from %v to %v is on screen", ln.y, top, bottom)
		}
	}
	s.show(9)
	if n := len(s.page.finder.matches); n != 3 || s.bar.count.Text != "1 of 3" {
		t.Errorf("found %d, %q", n, s.bar.count.Text)
	}
	s.CloseFind()
	if !strings.EqualFold(s.Selected(), "paragraph") {
		t.Errorf("selected %q", s.Selected())
	}
	s.Clear("Nothing")
	if s.stream != nil || s.page != s.one.page {
		t.Error("the stream is still there")
	}
}

// A stream looks as it did when somebody last looked at it: whole articles, a line between them, an accent at the current one.
func TestGoldenStream(t *testing.T) {
	s := openStream(t, 10, 7)
	s.scrollBy(150)
	widgetstest.AssertMarkup(t, "stream.xml", s.View)
}

// A long article that comes in pieces moves nothing that is on screen, neither from below nor from above.
func TestStreamOfLongArticles(t *testing.T) {
	s := openStream(t, 9, 7)
	var later []func()
	s.Later = func(do func()) { later = append(later, do) }
	long := streamArticle(1)
	for range 400 {
		long.Body.Blocks = append(long.Body.Blocks, streamArticle(6).Body.Blocks...)
	}
	s.scrollBy(120)
	s.waiting = true
	for _, id := range []int64{8, 6} {
		for _, sl := range s.stream.slots {
			if sl.id == id {
				s.stream.drop(sl)
			}
		}
		s.stream.place()
		if id == 6 {
			s.scrollBy(-200)
		}
		before := s.lines()
		s.Supply(id, long, nil)
		for len(later) > 0 {
			do := later[0]
			later = later[1:]
			do()
			s.stays(t, fmt.Sprintf("article %d in pieces", id), before)
		}
		s.stays(t, fmt.Sprintf("article %d", id), before)
		if h := s.stream.height(int(id) - 1); h < 100_000 || h != s.stream.snap(s.stream.slots[id].page.height()) {
			t.Errorf("article %d is %v high", id, h)
		}
	}
}
