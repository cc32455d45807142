package article

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"kairos/app/look"
	"kairos/app/widgets"
	"kairos/app/widgets/widgetstest"
	"kairos/reader/content"
)

// wideCode is one line far wider than a page, numbered throughout, between short ones.
func wideCode() string {
	var b strings.Builder
	b.WriteString("func short() {\n\twide(")
	for i := range 40 {
		fmt.Fprintf(&b, "argument%02d, ", i)
	}
	return b.String() + "end)\n}"
}

func row(header bool, cells ...string) (out []content.Cell) {
	for _, c := range cells {
		out = append(out, content.Cell{Runs: runs(run(c)), Header: header})
	}
	return out
}

// wideTable has twelve columns and three rows.
func wideTable() content.Block {
	b := content.Block{Kind: content.Table}
	for r := range 3 {
		var cells []string
		for c := range 12 {
			cells = append(cells, fmt.Sprintf("cell %d/%d says some words", r, c))
		}
		b.Rows = append(b.Rows, row(r == 0, cells...))
	}
	return b
}

// broad is an article with code and a table wider than the page.
func broad() Article {
	return Article{Title: "Broad", Body: content.Document{Blocks: []content.Block{
		{Runs: runs(run("Words before, with "), link("a link", "https://a.test/before"), run("."))},
		{Kind: content.Code, Runs: runs(run(wideCode()))},
		{Runs: runs(run("Words between."))},
		wideTable(),
		{Runs: runs(run("Words after, with "), link("another link", "https://a.test/after"), run("."))},
	}}}
}

func openBroad(t testing.TB) (*View, fyne.Window) {
	v, w := openView(t, fyne.NewSize(480, 700))
	v.Display(broad())
	if n := len(v.page.lay.sideScrolls); n != 2 {
		t.Fatalf("%d parts scroll sideways", n)
	}
	return v, w
}

// middle is the point of the page in the middle of a part.
func (s *sideScroll) middle() fyne.Position { return fyne.NewPos(s.x+s.w/2, s.y+s.h/2) }

func wheel(v *View, at fyne.Position, dx, dy float32) {
	v.page.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: at}, Scrolled: fyne.NewDelta(dx, dy)})
}

// turned is how far the wheel takes the page for a distance that Fyne reports.
func turned(v *View, by float32) float32 {
	return widgets.WheelLines(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, by)}, v.page.lineHeight()).Scrolled.DY
}

func TestGoldenSideScroll(t *testing.T) {
	v, _ := openBroad(t)
	code, table := v.page.lay.sideScrolls[0], v.page.lay.sideScrolls[1]
	v.page.sideScroller.scroll(code, 300)
	v.page.sideScroller.scroll(table, table.most())
	from := place(t, v, "argument05", false)
	drag(v, fyne.NewPos(from.X-code.at, from.Y), fyne.NewPos(code.x+100, from.Y))
	widgetstest.AssertMarkup(t, "sideways.xml", v)
}

func TestWheelScrollsSideways(t *testing.T) {
	v, w := openBroad(t)
	for i, s := range v.page.lay.sideScrolls {
		at := s.middle()
		wheel(v, at, -50, -3)
		if s.at != turned(v, 50) || v.one.scroll.Offset.Y != 0 {
			t.Errorf("part %d went %v, the page %v", i, s.at, v.one.scroll.Offset.Y)
		}
		wheel(v, at, -1e6, 0)
		if s.at != s.most() {
			t.Errorf("part %d ends at %v of %v", i, s.at, s.most())
		}
		wheel(v, at, 1e6, 0)
		if s.at != 0 {
			t.Errorf("part %d begins at %v", i, s.at)
		}
	}
	wheel(v, place(t, v, "Words between", false), -50, 0)
	if v.page.lay.sideScrolls[0].at != 0 || v.page.lay.sideScrolls[1].at != 0 {
		t.Error("what is not under the pointer is scrolled")
	}
	w.Resize(fyne.NewSize(480, 200))
	at := v.page.lay.sideScrolls[0].middle()
	test.Scroll(w.Canvas(), at, 0, -30) // it says not where
	if v.one.scroll.Offset.Y != turned(v, 30) || v.page.lay.sideScrolls[0].at != 0 {
		t.Errorf("the wheel takes the page to %v, the code to %v", v.one.scroll.Offset.Y, v.page.lay.sideScrolls[0].at)
	}
	wheel(v, at, -40, 0)
	if v.one.scroll.Offset.Y != turned(v, 30) || v.page.lay.sideScrolls[0].at != turned(v, 40) {
		t.Errorf("sideways, it takes the page to %v, the code to %v", v.one.scroll.Offset.Y, v.page.lay.sideScrolls[0].at)
	}
}

// Hidden content is on a surface that is clipped to the part, not on the page.
func TestSideScrollIsClipped(t *testing.T) {
	v, _ := openBroad(t)
	v.SelectAll()
	v.page.finder.find("argument")
	l := v.page.lay
	for _, share := range []float32{0, 0.3, 1} {
		for _, s := range l.sideScrolls {
			v.page.sideScroller.scroll(s, s.most()*share)
		}
		for _, o := range v.page.painter.objects {
			if right := o.Position().X + o.Size().Width; right > l.width || o.Position().X < 0 {
				t.Errorf("%T reaches from %v to %v on a page of %v", o, o.Position().X, right, l.width)
			}
		}
		for _, s := range l.sideScrolls {
			if s.surface.clip.Position() != fyne.NewPos(s.x, s.y) || s.surface.clip.Size() != fyne.NewSize(s.w, s.h) {
				t.Errorf("clipped at %v %v instead of %v", s.surface.clip.Position(), s.surface.clip.Size(), s)
			}
			for _, o := range s.surface.allObjects() {
				if _, text := o.(*canvas.Text); !text && (o.Position().X < -overhang || o.Position().X+o.Size().Width > s.w+overhang) {
					t.Errorf("a rectangle on it reaches %v %v", o.Position(), o.Size())
				}
			}
		}
	}
}

func TestSelectingScrollsSideways(t *testing.T) {
	v, _ := openBroad(t)
	s := v.page.lay.sideScrolls[0]
	from := place(t, v, "argument01", false)
	press(v, from, 0)
	for range 200 {
		v.page.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(s.x+s.w+30, from.Y)}})
	}
	v.page.DragEnd()
	if s.at != s.most() {
		t.Fatalf("the code went to %v of %v", s.at, s.most())
	}
	if got := v.Selected(); !strings.HasPrefix(got, "argument01, argument02") || !strings.HasSuffix(got, "argument39, end)") {
		t.Errorf("selected %q", got)
	}
	v.page.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(s.x+s.w+30, from.Y-300)}})
	if v.page.sideScroller.scroll(s, 200); !strings.Contains(v.Markdown(), "https://a.test/before") {
		t.Errorf("dragged out of the code %q", v.Markdown())
	}
	// A press selects what is visible there now.
	at := place(t, v, "argument10", false)
	v.page.sideScroller.scroll(s, at.X-s.x-100)
	press(v, fyne.NewPos(at.X-s.at+3, at.Y), 0)
	press(v, fyne.NewPos(at.X-s.at+3, at.Y), 0)
	if got := v.Selected(); got != "argument10" {
		t.Errorf("two clicks select %q", got)
	}
}

func TestCopyFromSideScroll(t *testing.T) {
	v, _ := openBroad(t)
	v.SelectAll()
	all := v.Copy()
	for _, want := range []string{wideCode(), "cell 0/10 says some words\tcell 0/11 says some words\ncell 1/0"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is missing in %q", want, all)
		}
	}
	if md := v.Markdown(); !strings.Contains(md, "```\n"+wideCode()+"\n```") || !strings.Contains(md, "| cell 2/0 says some words | cell 2/1") {
		t.Errorf("as Markdown %q", md)
	}
}

func TestFindScrollsSideways(t *testing.T) {
	v, _ := openBroad(t)
	for _, words := range []string{"argument33", "end)", "short", "cell 1/10", "cell 2/0", "argument00"} {
		v.page.finder.find(words)
		if len(v.page.finder.matches) != 1 {
			t.Fatalf("%q is found %d times", words, len(v.page.finder.matches))
		}
		ln := v.page.lay.lineOf(v.page.finder.matches[0].from())
		left := ln.x + v.page.lay.offsetX(ln, v.page.finder.matches[0].start) - ln.in.at
		right := ln.x + v.page.lay.offsetX(ln, v.page.finder.matches[0].end) - ln.in.at
		if left < ln.in.x || right > ln.in.x+ln.in.w {
			t.Errorf("%q is at %v–%v, its place is %v wide", words, left, right, ln.in.w)
		}
		marked := 0
		for _, o := range ln.in.surface.below {
			if o.(*canvas.Rectangle).FillColor == v.page.painter.color(look.ColorCurrentMatch) {
				marked++
			}
		}
		if marked != 1 {
			t.Errorf("%q is marked %d times", words, marked)
		}
	}
}

func TestKeysScrollSideways(t *testing.T) {
	v, w := openBroad(t)
	var passed []fyne.KeyName
	v.OnKey = func(ev *fyne.KeyEvent) { passed = append(passed, ev.Name) }
	w.Canvas().Focus(v)
	key := func(names ...fyne.KeyName) {
		for _, n := range names {
			v.TypedKey(&fyne.KeyEvent{Name: n})
		}
	}
	code, table := v.page.lay.sideScrolls[0], v.page.lay.sideScrolls[1]
	key(fyne.KeyRight, fyne.KeyLeft)
	if len(passed) != 2 || code.at != 0 {
		t.Fatalf("before Tab the focus is not on the window: %v", passed)
	}
	key(fyne.KeyTab) // to the link
	key(fyne.KeyRight)
	if v.Selected() != "a link" || len(passed) != 3 || code.at != 0 {
		t.Fatalf("on %q, %d keys are handed on", v.Selected(), len(passed))
	}
	key(fyne.KeyTab, fyne.KeyRight, fyne.KeyRight, fyne.KeyLeft)
	if code.at != 4*v.page.stylesheet.body || table.at != 0 || len(passed) != 3 {
		t.Errorf("the keys took the code to %v", code.at)
	}
	key(fyne.KeyLeft, fyne.KeyLeft)
	if code.at != 0 || len(passed) != 3 {
		t.Errorf("at the end of it %d keys are handed on", len(passed))
	}
	key(fyne.KeyTab, fyne.KeyRight)
	if code.at != 0 || table.at == 0 {
		t.Errorf("on the table the code is at %v, the table at %v", code.at, table.at)
	}
	if top, bottom := v.viewport(); table.y < top || table.y > bottom {
		t.Error("the table is out of sight")
	}
	key(fyne.KeyTab, fyne.KeyRight)
	if v.Selected() != "another link" || len(passed) != 4 {
		t.Errorf("after the table comes %q", v.Selected())
	}
	for _, want := range []int{table.id(), code.id(), 0} {
		if v.page.tabTo(true); v.page.sideScroller.focused != want {
			t.Errorf("back the focus is on %d, not of %d", v.page.sideScroller.focused, want)
		}
	}
	key(fyne.KeyTab, fyne.KeyEscape, fyne.KeyRight)
	if len(passed) != 5 || v.page.sideScroller.focused != 0 {
		t.Error("Escape does not end it")
	}
	key(fyne.KeyTab)
	press(v, place(t, v, "Words before", false), 0)
	if key(fyne.KeyRight); len(passed) != 6 {
		t.Error("a click does not end it")
	}
}

// The part that the keys scroll has a frame.
func TestFocusFrameOfSideScroll(t *testing.T) {
	v, w := openBroad(t)
	rings := func() (n int) {
		for _, o := range v.page.painter.above {
			if r, ok := o.(*canvas.Rectangle); ok && r.StrokeWidth > 0 {
				n++
			}
		}
		return n
	}
	w.Canvas().Focus(v)
	v.page.tabTo(false)
	if rings() != 0 {
		t.Error("a link has a ring")
	}
	if v.page.tabTo(false); rings() != 1 {
		t.Error("the code has none")
	}
	if w.Canvas().Unfocus(); rings() != 0 {
		t.Error("it has one without the focus")
	}
	if w.Canvas().Focus(v); rings() != 1 {
		t.Error("it has none when the focus is back")
	}
}

func TestScrollBarIsDragged(t *testing.T) {
	v, _ := openBroad(t)
	now := v.page.lay.sideScrolls[1]
	x, width, way := now.bar()
	y := now.y + now.h - barRoom/2
	v.page.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x+1, y)}})
	if v.page.Cursor() != desktop.DefaultCursor || v.page.sideScroller.hovered != now.id() {
		t.Error("the bar is not under the pointer")
	}
	drag(v, fyne.NewPos(x+5, y), fyne.NewPos(x+5+way/2, y+100))
	if got, want := now.at, now.most()/2; got < want-1 || got > want+1 || v.Selected() != "" {
		t.Errorf("at %v instead of %v, selected %q", got, want, v.Selected())
	}
	drag(v, fyne.NewPos(x+way/2+width-2, y), fyne.NewPos(5000, y))
	if now.at != now.most() {
		t.Errorf("dragged to the end it is at %v", now.at)
	}
	press(v, fyne.NewPos(now.x+barInset+1, y), 0)
	v.page.MouseUp(nil)
	if now.at != 0 {
		t.Errorf("a press at the begin of the strip leaves it at %v", now.at)
	}
	drag(v, place(t, v, "Words between", false), place(t, v, "between", true))
	if now.at != 0 || v.Selected() != "Words between" {
		t.Errorf("the bar was not let go: %v %q", now.at, v.Selected())
	}
	v.page.MouseOut()
	if v.page.sideScroller != (sideScroller{page: v.page}) {
		t.Errorf("left over: %+v", v.page.sideScroller)
	}
}

// The scroll bar of a part higher than the viewport is in the viewport; at the end of the part it is there.
func TestScrollBarStaysInTheViewport(t *testing.T) {
	v, w := openBroad(t)
	w.Resize(fyne.NewSize(480, 200))
	s := v.page.lay.sideScrolls[1]
	for _, y := range []float32{0, s.y - 190, s.y - 100, s.y + 20, s.y + s.h - 150, s.y + s.h - 20} {
		v.scrollTo(y)
		top, bottom := v.viewport()
		if s.surface == nil || s.y >= bottom || s.y+s.h <= top {
			continue
		}
		bar := s.thumb.Position().Y
		if want := min(bottom, s.y+s.h); s.y < bottom-2*barRoom && (bar < want-barRoom || bar+s.thumb.Size().Height > want) || bar < s.y {
			t.Errorf("seen are %v–%v, the table %v–%v, its bar %v", top, bottom, s.y, s.y+s.h, bar)
		}
		if l := v.page.lay; l.barAt(fyne.NewPos(s.x+50, bar+1)) != s || l.barAt(fyne.NewPos(s.x+50, bar-barRoom)) != nil {
			t.Errorf("the bar at %v is not where it is taken hold of", bar)
		}
	}
}

// The scroll bar of a long table is above its cells: a click on it does not reach them.
func TestClickOnScrollBarOpensNoLink(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(300, 200))
	b := content.Block{Kind: content.Table}
	for range 30 {
		var cells []content.Cell
		for range 30 {
			cells = append(cells, content.Cell{Runs: runs(link("a link", "https://a.test/"))})
		}
		b.Rows = append(b.Rows, cells)
	}
	v.Display(Article{Body: content.Document{Blocks: []content.Block{b}}})
	opened := 0
	v.OnLink = func(string) { opened++ }
	for y := float32(0); y < 60; y++ {
		v.scrollTo(y)
		s := v.page.lay.sideScrolls[0]
		for x := s.x; x < s.x+s.w; x += 10 {
			at := fyne.NewPos(x, s.floor-barRoom/2)
			v.page.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}})
			if v.page.Cursor() != desktop.DefaultCursor {
				t.Fatalf("at %v the pointer is not on the bar", at)
			}
			press(v, at, 0)
			v.page.Tapped(&fyne.PointEvent{Position: at})
			v.page.MouseUp(nil)
		}
	}
	if opened != 0 {
		t.Errorf("%d links are opened", opened)
	}
}

// Hidden links cannot be clicked.
func TestHiddenLinksAreNotClicked(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(480, 700))
	long := strings.Repeat("x", 100)
	v.Display(Article{Body: content.Document{Blocks: []content.Block{{Kind: content.Code, Runs: runs(run(long), link(long, "https://a.test/"), run(long))}}}})
	s := v.page.lay.sideScrolls[0]
	y := v.page.lay.lines[0].y + 3
	at := func(x float32) string { url, _ := v.page.lay.linkAt(x, y); return url }
	if at(s.x+30) != "" || at(s.x+s.w+200) != "" {
		t.Error("there is a link before it is scrolled to")
	}
	v.page.sideScroller.scroll(s, v.page.lay.texts[0].Spans[0].Face.Width(long)+100)
	if at(s.x+1) == "" || at(s.x+s.w-1) == "" {
		t.Error("there is no link where it was scrolled to")
	}
	if at(s.x-1) != "" || at(s.x+s.w+1) != "" {
		t.Error("it goes on beside the code")
	}
	v.page.sideScroller.scroll(s, 0)
	if v.page.tabTo(false); v.page.sideScroller.focused != s.id() {
		t.Error("the first stop is not the code")
	}
	if v.page.tabTo(false); v.Selected() != long || s.at < 100 {
		t.Errorf("Tab to the link leaves the code at %v", s.at)
	}
}

// A part stays scrolled at another size, as far as it still scrolls, but not in another article.
func TestSideScrollSurvivesResize(t *testing.T) {
	v, w := openBroad(t)
	side := func(i int) *sideScroll { return v.page.lay.sideScrolls[i] }
	v.page.sideScroller.scroll(side(0), 320)
	v.page.sideScroller.scroll(side(1), 160)
	w.Resize(fyne.NewSize(520, 600))
	if side(0).at != 320 || side(1).at != 160 {
		t.Errorf("in another width at %v and %v", side(0).at, side(1).at)
	}
	v.SetStyle(Style{Size: 24})
	if side(0).at != 480 || side(1).at != 240 {
		t.Errorf("half as large again at %v and %v", side(0).at, side(1).at)
	}
	v.SetStyle(Style{})
	v.page.layOutAgain()
	if side(0).at != 320 || side(1).at != 160 {
		t.Errorf("set again at %v and %v", side(0).at, side(1).at)
	}
	w.Canvas().Focus(v)
	v.page.tabTo(false)
	v.page.tabTo(false)
	v.SetStyle(Style{Size: MinSize, Measure: MaxMeasure})
	w.Resize(fyne.NewSize(8000, 600))
	if n := len(v.page.lay.sideScrolls); n == 2 {
		t.Errorf("with all the room there is %d parts scroll", n)
	}
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	v.SetStyle(Style{})
	w.Resize(fyne.NewSize(480, 600))
	v.Display(broad())
	if side(0).at != 0 || side(1).at != 0 || v.page.sideScroller.focused != 0 {
		t.Errorf("shown again at %v and %v", side(0).at, side(1).at)
	}
}

func TestSideScrollFromRightToLeft(t *testing.T) {
	v, w := openView(t, fyne.NewSize(480, 700))
	words := strings.TrimSpace(strings.Repeat("كلمات طويلة ", 30))
	v.Display(Article{Body: content.Document{Blocks: []content.Block{
		{Kind: content.Code, Runs: runs(run("مرحبا\n" + words))},
		{Kind: content.Table, Rows: [][]content.Cell{row(false, "أول", words, words, words), row(false, "ثان", words, words, "آخر")}},
	}}})
	checkLayout(t, v.page.lay)
	if len(v.page.lay.sideScrolls) != 2 {
		t.Fatalf("%d parts scroll", len(v.page.lay.sideScrolls))
	}
	for i, s := range v.page.lay.sideScrolls {
		if s.at != s.most() {
			t.Errorf("part %d begins at %v of %v", i, s.at, s.most())
		}
		ln := v.page.lay.lineOf(textPos{text: s.first})
		if right := ln.x + ln.Width - s.at; right < s.x+s.w-20 || right > s.x+s.w {
			t.Errorf("its first line ends at %v of %v", right, s.x+s.w)
		}
		v.page.sideScroller.scroll(s, s.at-100)
	}
	w.Resize(fyne.NewSize(440, 700))
	for i, s := range v.page.lay.sideScrolls {
		if got := s.most() - s.at; got < 99.9 || got > 100.1 {
			t.Errorf("in another width part %d is %v from its beginning", i, got)
		}
	}
	s := v.page.lay.sideScrolls[0]
	v.page.sideScroller.scroll(s, s.most()/2)
	at := fyne.NewPos(s.x+s.w/2, v.page.lay.lines[1].y+3)
	press(v, at, 0)
	press(v, at, 0)
	if got := v.Selected(); got != "كلمات" && got != "طويلة" && got != " " {
		t.Errorf("two clicks select %q", got)
	}
}

// Of a line of 1 MB and a table of 10,000 cells only what is visible is drawn.
func TestHugeSideScrollHasFewObjects(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(480, 700))
	table := func(rows, cols int) (b content.Block) {
		b.Kind = content.Table
		for r := range rows {
			var cells []string
			for c := range cols {
				cells = append(cells, fmt.Sprintf("cell %d/%d", r, c))
			}
			b.Rows = append(b.Rows, row(r == 0, cells...))
		}
		return b
	}
	for name, b := range map[string]content.Block{
		"word": {Kind: content.Code, Runs: runs(run(strings.Repeat("x", 1<<20)))},
		"line": {Kind: content.Code, Runs: runs(run(strings.Repeat("some code(); ", 80_000)))},
		"100":  table(100, 100), "5000": table(2, 5000), "2": table(5000, 2),
	} {
		v.Display(Article{Body: content.Document{Blocks: []content.Block{b}}})
		v.SelectAll()
		v.page.finder.find("c")
		for _, share := range []float32{0, 0.0001, 0.5, 1} {
			for _, s := range v.page.lay.sideScrolls {
				v.page.sideScroller.scroll(s, s.most()*share)
				if len(s.surface.middle) == 0 {
					t.Errorf("%s: nothing is seen at %v", name, share)
				}
			}
			count := len(v.page.painter.objects)
			for _, st := range v.page.painter.surfaces[:v.page.painter.surfacesUsed] {
				count += len(st.allObjects())
				for _, o := range st.middle {
					if width := o.MinSize().Width; width > 480 {
						t.Errorf("%s: a texture is %v wide", name, width)
					}
				}
			}
			if count > 1000 {
				t.Errorf("%s: %d objects", name, count)
			}
		}
	}
}
