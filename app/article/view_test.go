package article

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"kairos/app/look"
	"kairos/app/primary"
	"kairos/app/widgets/widgetstest"
	"kairos/reader/content"
)

func run(s string, style ...content.Style) content.Run {
	r := content.Run{Text: s}
	for _, f := range style {
		r.Style |= f
	}
	return r
}

func link(s, url string) content.Run { return content.Run{Text: s, Link: url} }

func runs(r ...content.Run) []content.Run { return r }

// everyKind has every kind of block and every style, with characters of the bundled fonts.
func everyKind() Article {
	cell := func(s string) content.Cell { return content.Cell{Runs: runs(run(s))} }
	head := func(s string) content.Cell { return content.Cell{Runs: runs(run(s)), Header: true} }
	return Article{
		Title: "A title of the size that wraps onto a second line", Link: "https://example.org/article",
		Feed: "The Feed", Author: "An Author", Date: "21 November 2026",
		Body: content.Document{Blocks: []content.Block{
			{Runs: runs(run("Plain, "), run("bold", content.Bold), run(", "), run("italic", content.Italic), run(", "),
				run("both", content.Bold, content.Italic), run(", "), run("code()", content.Mono), run(", "),
				link("a link that is long enough to wrap", "https://example.org/link"), run(", "), run("struck", content.Strike),
				run(", "), run("underlined", content.Underline), run(", "), run("marked", content.Marked), run(", mc"), run("2", content.Sup), run(", H"),
				run("2", content.Sub), run("O."))},
			{Kind: content.Heading, Level: 1, Runs: runs(run("Heading one"))},
			{Kind: content.Heading, Level: 3, Runs: runs(run("Heading three"))},
			{Kind: content.Item, Indent: 1, Marker: "•", Runs: runs(run("An item"))},
			{Kind: content.Item, Indent: 2, Marker: "1.", Runs: runs(run("An item within"))},
			{Kind: content.Item, Indent: 2, Runs: runs(run("Its second paragraph"))},
			{Kind: content.Item, Indent: 1, Marker: "•", Runs: runs(run("Another"))},
			{Quote: 1, Runs: runs(run("Quoted"))},
			{Quote: 2, Runs: runs(run("Quoted within"))},
			{Kind: content.Code, Runs: runs(run("if x {\n\treturn\n\n}\n"))},
			{Kind: content.Rule},
			{Kind: content.Table, Rows: [][]content.Cell{{head("Policy"), head("Delay")}, {cell("uniform"), cell("4.2 h")}, {cell("exact"), cell("1.1 h")}}},
			{Kind: content.Picture, Image: content.Image{URL: "https://example.org/cat.png", Alt: "A cat", Title: "It waits"}},
			{Runs: runs(run("The end."))},
		}},
	}
}

func TestGolden(t *testing.T) {
	for name, variant := range map[string]look.Variant{"light": look.Light, "dark": look.Dark} {
		t.Run(name, func(t *testing.T) {
			v, _ := openView(t, fyne.NewSize(480, 1400))
			test.ApplyTheme(t, look.New(variant))
			v.Display(everyKind())
			v.page.selectRange(textPos{2, 3}, textPos{2, 30})
			widgetstest.AssertMarkup(t, "article_"+name+".xml", v)
		})
	}
}

func TestGoldenMessage(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(400, 300))
	v.Clear("Choose an article")
	widgetstest.AssertMarkup(t, "message.xml", v)
}

// place returns the point of the page at the start (or end) of the first occurrence of s.
func place(t *testing.T, v *View, s string, end bool) fyne.Position {
	t.Helper()
	l := v.page.lay
	for i, txt := range l.texts {
		off := strings.Index(txt.Chars, s)
		if off < 0 {
			continue
		}
		if end {
			off += len(s)
		}
		for j := range l.lines {
			ln := &l.lines[j]
			if ln.text == i && ln.Start <= off && (off < ln.End || off == ln.End && off == len(txt.Chars)) {
				return fyne.NewPos(ln.x+l.offsetX(ln, off), ln.y+txt.leading/2)
			}
		}
	}
	t.Fatalf("%q is not on the page", s)
	return fyne.Position{}
}

func press(v *View, at fyne.Position, mod fyne.KeyModifier) {
	v.page.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}, Button: desktop.MouseButtonPrimary, Modifier: mod})
}

func drag(v *View, from, to fyne.Position) {
	press(v, from, 0)
	v.page.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: to}})
	v.page.DragEnd()
}

// openEveryKind shows everyKind and returns the clock of the view.
func openEveryKind(t *testing.T) (*View, *time.Time) {
	v, _ := openView(t, fyne.NewSize(480, 1400))
	now := time.Unix(0, 0)
	v.page.now = func() time.Time { now = now.Add(time.Minute); return now }
	v.Display(everyKind())
	return v, &now
}

func TestDragSelectsAcrossBlocks(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"bold", "bold", "bold"},
		{"link that", "enough", "link that is long enough"},
		{"O.", "one", "O.\n\nHeading one"},
		{"item", "within", "item\n  1. An item within"},
		{"Its second", "Another", "Its second paragraph\n• Another"},
		{"Quoted", "return", "Quoted\n\nQuoted within\n\nif x {\n\treturn"},
		{"uniform", "1.1", "uniform\t4.2 h\nexact\t1.1"},
		{"An Author", "Plain", "An Author · 21 November 2026\n\nPlain"},
	} {
		v, _ := openEveryKind(t)
		from, to := place(t, v, c.from, false), place(t, v, c.to, true)
		drag(v, from, to)
		if got := v.Selected(); got != c.want {
			t.Errorf("from %q to %q: %q, want %q", c.from, c.to, got, c.want)
		}
		drag(v, to, from)
		if got := v.Selected(); got != c.want {
			t.Errorf("backwards from %q to %q: %q, want %q", c.to, c.from, got, c.want)
		}
	}
}

func TestClicksSelect(t *testing.T) {
	v, _ := openEveryKind(t)
	now := time.Unix(0, 0)
	v.page.now = func() time.Time { return now }
	at := place(t, v, "item within", false)
	at.X++
	for _, want := range []string{"", "item", "An item within", ""} {
		now = now.Add(100 * time.Millisecond)
		press(v, at, 0)
		v.page.MouseUp(nil)
		if got := v.Selected(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	now = now.Add(time.Second)
	press(v, at, 0)
	press(v, place(t, v, "Another", true), fyne.KeyModifierShift)
	if got, want := v.Selected(), "item within\n\nIts second paragraph\n• Another"; got != want {
		t.Errorf("with Shift: %q, want %q", got, want)
	}
}

func TestDragAfterDoubleClickSelectsWords(t *testing.T) {
	v, _ := openEveryKind(t)
	v.page.now = func() time.Time { return time.Unix(0, 0) }
	at := place(t, v, "second par", false)
	at.X += 3
	press(v, at, 0)
	press(v, at, 0)
	v.page.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: place(t, v, "paragr", true)}})
	if got := v.Selected(); got != "second paragraph" {
		t.Errorf("forwards %q", got)
	}
	v.page.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: place(t, v, "ts second", false)}})
	if got := v.Selected(); got != "Its second" {
		t.Errorf("backwards %q", got)
	}
}

func TestSelectAllAndCopy(t *testing.T) {
	v, _ := openEveryKind(t)
	copied := ""
	v.OnCopied = func(s string) { copied = s }
	if v.Copy() != "" || copied != "" {
		t.Error("something was copied without a selection")
	}
	v.TypedShortcut(&fyne.ShortcutSelectAll{})
	v.TypedShortcut(&fyne.ShortcutCopy{})
	for i, want := range []string{"A title of", "The Feed · An Author", "• An item\n  1. An item within\n", "Policy\tDelay\nuniform", "The end."} {
		if !strings.Contains(copied, want) {
			t.Errorf("part %d %q is missing in %q", i, want, copied)
		}
	}
	if clip := fyne.CurrentApp().Clipboard().Content(); clip != copied {
		t.Errorf("the clipboard has %q", clip)
	}
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if v.Selected() != "" {
		t.Error("Escape keeps the selection")
	}
}

func TestLinks(t *testing.T) {
	v, _ := openEveryKind(t)
	var opened []string
	hovered := ""
	v.OnLink = func(url string) { opened = append(opened, url) }
	v.OnHover = func(url string) { hovered = url }
	middle := func(s string) fyne.Position { p := place(t, v, s, false); p.X += 3; return p }
	for _, s := range []string{"bold", "long enough", "to wrap", "A title", "A cat", "The end", "Policy"} {
		at := middle(s)
		press(v, at, 0)
		v.page.Tapped(&fyne.PointEvent{Position: at})
	}
	want := "https://example.org/link https://example.org/link https://example.org/article"
	if got := strings.Join(opened, " "); got != want {
		t.Errorf("opened %s", got)
	}
	for s, want := range map[string]desktop.Cursor{"enough": desktop.PointerCursor, "bold": desktop.TextCursor} {
		v.page.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: middle(s)}})
		if v.page.Cursor() != want || (hovered != "") != (s == "enough") {
			t.Errorf("over %q the cursor is %v, the link %q", s, v.page.Cursor(), hovered)
		}
	}
	v.page.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(1, 1)}})
	if v.page.Cursor() != desktop.DefaultCursor {
		t.Errorf("in the margin the cursor is %v", v.page.Cursor())
	}
}

func TestMenu(t *testing.T) {
	v, _ := openEveryKind(t)
	copied := ""
	v.OnCopied = func(s string) { copied = s }
	labels := func(m *fyne.Menu) (out []string) {
		for _, i := range m.Items {
			out = append(out, i.Label)
		}
		return out
	}
	at := place(t, v, "enough", false)
	m := v.page.menu(fyne.NewPos(at.X+2, at.Y))
	if got := strings.Join(labels(m), "|"); got != "Open link|Copy link|Copy the link's text||Copy|Copy the article as Markdown|Select all" {
		t.Errorf("menu of a link: %s", got)
	}
	m.Items[1].Action()
	if copied != "https://example.org/link" {
		t.Errorf("copied %q", copied)
	}
	if m = v.page.menu(place(t, v, "bold", false)); len(m.Items) != 3 || !m.Items[0].Disabled {
		t.Errorf("menu of text without a selection: %v", labels(m))
	}
}

func TestKeys(t *testing.T) {
	v, w := openView(t, fyne.NewSize(500, 400))
	v.Display(prose(2000, 1))
	var keys []fyne.KeyName
	typed := ""
	v.OnKey = func(ev *fyne.KeyEvent) { keys = append(keys, ev.Name) }
	v.OnRune = func(r rune) { typed += string(r) }
	w.Canvas().Focus(v)
	test.Type(v, "jk")
	for _, k := range []fyne.KeyName{fyne.KeyDown, fyne.KeyPageDown, fyne.KeySpace, fyne.KeyEscape, fyne.KeyLeft} {
		v.TypedKey(&fyne.KeyEvent{Name: k})
	}
	if typed != "jk" || len(keys) != 3 || keys[0] != fyne.KeySpace {
		t.Errorf("handed on %v and %q", keys, typed)
	}
	if y := v.one.scroll.Offset.Y; y < 350 || y > 450 {
		t.Errorf("a line and a page down lead to %v", y)
	}
	pages := 0
	for v.PageDown() {
		pages++
	}
	if bottom := v.page.height() - 400; v.one.scroll.Offset.Y != bottom || pages < 3 {
		t.Errorf("after %d pages at %v, not %v", pages, v.one.scroll.Offset.Y, bottom)
	}
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	if v.one.scroll.Offset.Y != 0 || v.PageUp() {
		t.Error("Home is not the top")
	}
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	if v.PageDown() {
		t.Error("End is not the end")
	}
	v.Display(prose(2000, 2))
	if v.one.scroll.Offset.Y != 0 {
		t.Error("a new article is not shown from its top")
	}
}

func TestFocusRingIsHiddenAfterClicks(t *testing.T) {
	v, w := openView(t, fyne.NewSize(480, 400))
	v.Display(everyKind())
	w.Canvas().Focus(v)
	if !v.focus.rect.Visible() {
		t.Error("no ring after focusing by keyboard")
	}
	press(v, fyne.NewPos(100, 100), 0)
	if v.focus.rect.Visible() || w.Canvas().Focused() != fyne.Focusable(v) {
		t.Error("a click leaves the ring, or does not focus")
	}
}

// Only what is near the viewport has canvas objects.
func TestLongArticleHasFewObjects(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(600, 500))
	v.Display(prose(30_000, 1))
	for {
		if n := len(v.page.painter.objects); n > 400 || n < 20 {
			t.Fatalf("%d objects at %v", n, v.one.scroll.Offset.Y)
		}
		top, bottom := v.viewport()
		if v.page.drawn.top > top || v.page.drawn.bottom < min(bottom, v.page.height()) {
			t.Fatalf("drawn %v–%v, seen %v–%v", v.page.drawn.top, v.page.drawn.bottom, top, bottom)
		}
		if !v.PageDown() {
			return
		}
	}
}

func TestResize(t *testing.T) {
	v, w := openView(t, fyne.NewSize(900, 500))
	v.Display(prose(5000, 3))
	v.scrollTo(3000)
	before, ok := v.page.topPos()
	if !ok {
		t.Fatal("nothing at the top")
	}
	w.Resize(fyne.NewSize(400, 500))
	after, _ := v.page.topPos()
	if after.text != before.text || before.off-after.off > 120 || after.off-before.off > 120 {
		t.Errorf("at the top was %v and is %v", before, after)
	}
	if min := v.MinSize(); min.Width > 100 || min.Height > 100 {
		t.Errorf("cannot shrink below %v", min)
	}
	for _, size := range []fyne.Size{{Width: 0, Height: 0}, {Width: 1, Height: 300}, {Width: 3000, Height: 10}, {Width: 600, Height: 500}} {
		v.Resize(size)
	}
}

func TestDisplayWithoutWindow(t *testing.T) {
	test.NewTempApp(t)
	test.ApplyTheme(t, look.New(look.Light))
	v := New()
	v.Display(everyKind())
	v.SelectAll()
	v.PageDown()
	v.Clear("")
	v.SelectAll()
	if v.Selected() != "" {
		t.Error("a cleared view has a selection")
	}
	v.Display(Article{})
	v.Resize(fyne.NewSize(300, 300))
	if len(v.page.lay.texts) != 1 {
		t.Error("an empty article says nothing")
	}
}

func TestDragBelowTheViewportScrolls(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(500, 400))
	v.Display(prose(2000, 1))
	drag(v, fyne.NewPos(200, 200), fyne.NewPos(200, 440))
	if v.one.scroll.Offset.Y <= 0 || v.Selected() == "" {
		t.Errorf("scrolled to %v", v.one.scroll.Offset.Y)
	}
}

func TestThemeChangeUpdatesTheLayout(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(480, 400))
	v.Display(everyKind())
	height := v.page.height()
	test.ApplyTheme(t, theme.DefaultTheme())
	v.Refresh()
	if v.page.stylesheet.body <= 0 || len(v.page.lay.lines) == 0 {
		t.Error("a foreign theme leaves nothing to see")
	}
	test.ApplyTheme(t, bigger{look.New(look.Dark)})
	v.Refresh()
	if v.page.height() <= height {
		t.Errorf("bigger text takes %v after %v", v.page.height(), height)
	}
}

type bigger struct{ fyne.Theme }

func (b bigger) Size(n fyne.ThemeSizeName) float32 { return 1.5 * b.Theme.Size(n) }

// Text is drawn on whole pixels at every scale, also after the scale has changed.
func TestTextIsOnWholePixels(t *testing.T) {
	v, w := openView(t, fyne.NewSize(480, 1400))
	v.Display(everyKind())
	for _, scale := range []float32{1.5, 1.25, 2, 1} {
		w.Canvas().(software.WindowlessCanvas).SetScale(scale)
		v.page.drawVisible()
		for _, o := range v.page.painter.middle {
			x, y := o.Position().X*scale, o.Position().Y*scale
			if dx, dy := x-round(x), y-round(y); max(dx, -dx, dy, -dy) > 0.01 {
				t.Fatalf("at scale %v a text is at pixel %v, %v", scale, x, y)
			}
		}
	}
}

// A place that is left is at the top again when the article is shown again, also in a view that gets its size later and another
// width. It is told where the end is in sight.
func TestScrollToPlace(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	var blocks []content.Block
	for range 40 {
		blocks = append(blocks, content.Block{Kind: content.Paragraph, Runs: []content.Run{{Text: strings.Repeat("Many words. ", 40)}}})
	}
	a := Article{Title: "Long", Body: content.Document{Blocks: blocks}}
	v := New()
	if _, _, known := v.Place(); known {
		t.Error("an empty view knows a place")
	}
	w := test.NewTempWindow(t, v)
	w.Resize(fyne.NewSize(500, 300))
	v.Display(a)
	if at, end, known := v.Place(); !known || end || at != (Place{}) {
		t.Errorf("at the top: %+v", at)
	}
	v.PageDown()
	v.PageDown()
	at, _, known := v.Place()
	if !known || at.Text == 0 {
		t.Fatalf("two pages below: %+v", at)
	}
	v.Display(a)
	v.ScrollTo(at)
	if got, _, _ := v.Place(); got != at {
		t.Errorf("shown again at %+v, was left at %+v", got, at)
	}
	later := New()
	later.Display(a)
	later.ScrollTo(at)
	if _, _, known := later.Place(); known {
		t.Error("a view without a size knows a place")
	}
	test.NewTempWindow(t, later).Resize(fyne.NewSize(700, 300))
	if got, _, known := later.Place(); !known || got.Text != at.Text {
		t.Errorf("with a size at %+v, was left at %+v", got, at)
	}
	v.scrollTo(v.page.height())
	if got, end, known := v.Place(); !known || !end || got.Text <= at.Text {
		t.Errorf("at the end: %+v, %v", got, end)
	}
	later.Display(Article{Title: "Short"})
	later.ScrollTo(at)
	if got, _, _ := later.Place(); got != (Place{}) {
		t.Errorf("in an article without that text: %+v", got)
	}
}

// What is selected becomes the primary selection when the button is let go.
func TestPrimarySelection(t *testing.T) {
	selection := ""
	primary.Use(func(text string) { selection = text }, func() string { return selection })
	defer primary.Use(func(string) {}, func() string { return "" })
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	v := New()
	test.NewTempWindow(t, v).Resize(fyne.NewSize(500, 300))
	v.Display(Article{Title: "Title", Body: content.Document{Blocks: []content.Block{{Kind: content.Paragraph, Runs: []content.Run{{Text: "Some words."}}}}}})
	up := &desktop.MouseEvent{Button: desktop.MouseButtonPrimary}
	if v.page.MouseUp(up); selection != "" {
		t.Errorf("without a selection: %q", selection)
	}
	v.page.selectRange(textPos{len(v.page.lay.texts) - 1, 0}, textPos{len(v.page.lay.texts) - 1, 4})
	if v.page.MouseUp(up); selection != "Some" {
		t.Errorf("selected: %q", selection)
	}
	if v.page.selectAll(); !strings.Contains(selection, "Some words.") {
		t.Errorf("all: %q", selection)
	}
}

// A click into the article, a move of its caret and a link that is opened by a key tell that somebody reads it; so does scrolling, but
// for a stream, where that leads from one article to the next.
func TestChosenByTheUser(t *testing.T) {
	key := func(name fyne.KeyName) func(*View) {
		return func(v *View) { v.TypedKey(&fyne.KeyEvent{Name: name}) }
	}
	wheel := func(v *View) { v.page.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -100)}) }
	click := func(v *View) { press(v, fyne.NewPos(60, 60), 0) }
	for name, c := range map[string]struct {
		do           func(*View)
		one, streams bool
	}{
		"a click":                     {click, true, true},
		"the wheel":                   {wheel, true, false},
		"a page":                      {func(v *View) { v.PageDown() }, true, false},
		"End":                         {key(fyne.KeyEnd), true, false},
		"Up at the top":               {key(fyne.KeyUp), false, false},
		"the caret":                   {func(v *View) { v.SetCaret(true); key(fyne.KeyRight)(v) }, true, true},
		"a link":                      {func(v *View) { v.activateLink("https://a.test/") }, true, true},
		"a place that is returned to": {func(v *View) { v.ScrollTo(Place{Text: 5}) }, false, false},
	} {
		v, _ := openView(t, fyne.NewSize(480, 400))
		count := 0
		v.OnChosen = func() { count++ }
		v.Display(everyKind())
		if c.do(v); count > 0 != c.one {
			t.Errorf("%s: chosen %d times", name, count)
		}
		s := openStream(t, 5, 1)
		count, s.OnChosen = 0, v.OnChosen
		if c.do(s.View); count > 0 != c.streams {
			t.Errorf("%s in a stream: chosen %d times", name, count)
		}
	}
}
