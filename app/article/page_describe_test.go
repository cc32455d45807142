package article

import (
	"image"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/accessible/describe/describetest"
	"kairos/app/look"
	"kairos/reader/content"
	"kairos/reader/picture"
)

const toldHTML = `<h2>Lamps</h2><p>The lamplighter counted <b>seven lamps</b>, and an <a href="http://127.0.0.1:9/eighth">eighth</a> lamp ünlit.</p>
<blockquote><p>Whoever counts lamps in the fog</p><ul><li>walks close</li><li>counts twice</li></ul></blockquote>
<pre>lamps := 7 + 1
print(lamps)</pre><ol><li>one</li><li>two<ul><li>deep</li></ul></li></ol>
<figure><img src="http://127.0.0.1:9/lamp.png" alt="A lamp in the fog"><figcaption>By the harbour</figcaption></figure>
<table><tr><th>Street</th><th>Lamps</th></tr><tr><td>Ridge path</td><td></td></tr></table><p>The end.</p>`

// newTold returns a window with a view of a rich article, which has the focus.
func newTold(t *testing.T) (*View, fyne.Window) {
	t.Helper()
	a := test.NewTempApp(t)
	a.Settings().SetTheme(look.New(look.Light))
	v := New()
	w := test.NewTempWindow(t, v)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(420, 1600))
	v.Display(Article{Title: "Counting lamps", Link: "http://127.0.0.1:9/", Feed: "Harbour news", Body: content.Parse(toldHTML)})
	w.Canvas().Focus(v)
	return v, w
}

func tree(t *testing.T, w fyne.Window) *accessible.Tree {
	t.Helper()
	made := describe.Tree(w.Canvas(), accessible.Node{Name: "Test"})
	for _, wrong := range describetest.Lint(made) {
		t.Error(wrong)
	}
	return made
}

func TestArticleIsToldAsDocument(t *testing.T) {
	v, w := newTold(t)
	v.SetCaret(true)
	v.page.caretKey(fyne.KeyDown, 0)
	const want = `frame "Test"
  document "Article" to http://127.0.0.1:9/ [focusable]
    heading "Counting lamps" level 1
      link "Counting lamps" to http://127.0.0.1:9/ [focusable] (press)
    paragraph text "Harbour news" caret 0 [focusable] <-
    heading "Lamps" level 2
    paragraph text "The lamplighter counted seven lamps, and an eighth lamp ünlit."
      link "eighth" to http://127.0.0.1:9/eighth [focusable] (press)
    quote
      paragraph text "Whoever counts lamps in the fog"
      list
        list item text "• walks close" level 1 1/2
        list item text "• counts twice" level 1 2/2
    code text "lamps := 7 + 1\nprint(lamps)"
    list
      list item text "1. one" level 1 1/3
      list item text "2. two" level 1 2/3
      list item text "  • deep" level 2 3/3
    image "A lamp in the fog" to http://127.0.0.1:9/lamp.png (press)
    caption text "By the harbour"
    table
      row
        column header "Street" cell 0,0
        column header "Lamps" cell 0,1
      row
        cell text "Ridge path" cell 1,0
        cell cell 1,1
    paragraph text "The end."
`
	if got := describetest.Listing(tree(t, w)); got != want {
		t.Errorf("it is told as\n%s", got)
	}
}

// A link that Tab has gone to has the focus; when it leaves the link, the text has them.
func TestTabTellsTheLink(t *testing.T) {
	v, w := newTold(t)
	focus := func() accessible.Node { made := tree(t, w); return *made.Nodes[made.Focus] }
	v.SetCaret(true)
	v.tab(false)
	v.tab(false)
	if n := focus(); n.Role != accessible.RoleLink || n.Name != "eighth" {
		t.Errorf("after Tab the focus is at %+v", n)
	}
	v.page.caretKey(fyne.KeyRight, 0)
	if n := focus(); n.Role != accessible.RoleParagraph || !strings.HasPrefix(n.Text.Content, "The lamplighter") {
		t.Errorf("when the caret leaves the link the focus is at %+v", n)
	}
}

// What is told about a text fits what is drawn: its lines, the places of its characters, and its looks.
func TestTextsAreToldAsDrawn(t *testing.T) {
	v, w := newTold(t)
	made := tree(t, w)
	var n *accessible.Node
	for _, one := range made.Nodes {
		if one.Text != nil && strings.Contains(one.Text.Content, "ünlit") {
			n = one
		}
	}
	chars := []rune(n.Text.Content)
	if len(n.Text.Lines) == 0 || n.Text.Lines[0] < 10 || chars[n.Text.Lines[0]-1] != ' ' {
		t.Errorf("the lines begin at %v", n.Text.Lines)
	}
	if r := n.Text.Runs[0]; !r.Bold || string(chars[r.From:r.To]) != "seven lamps" {
		t.Errorf("the first run is %q, %+v", string(chars[r.From:r.To]), r)
	}
	if l := n.Text.Links[0]; string(chars[l.From:l.To]) != "eighth" {
		t.Errorf("the link is %q", string(chars[l.From:l.To]))
	}
	win := newListener(w)
	end := len(chars)
	last := fyne.Position{}
	for i := range chars {
		box, ok := win.TextBounds(t.Context(), n.ID, i, i+1)
		at := fyne.NewPos(float32(box.Min.X), float32(box.Min.Y))
		if !ok || at.Y < last.Y || at.Y == last.Y && at.X < last.X || !box.In(n.Bounds.Inset(-1)) {
			t.Fatalf("%q at %d is at %v after %v, in %v", chars[i], i, box, last, n.Bounds)
		}
		last = at
		if chars[i] != ' ' {
			if off, ok := win.OffsetAt(t.Context(), n.ID, box.Min.Add(box.Size().Div(4))); !ok || off != i {
				t.Errorf("%q at %d is found at %d, %v", chars[i], i, off, ok)
			}
		}
	}
	win.SelectText(t.Context(), n.ID, end-5, end-1)
	if got := v.Selected(); got != "nlit" {
		t.Errorf("%q is selected", got)
	}
	if text := tree(t, w).Nodes; len(text) != len(made.Nodes) {
		t.Error("a selection changes what there is")
	}
}

// Tab goes on from the caret. The link that it leads to has the focus, and nothing is told as selected; the caret goes on
// from there.
func TestTabFocusesLink(t *testing.T) {
	v, w := newTold(t)
	v.SetCaret(true)
	v.page.caretKey(fyne.KeyDown, fyne.KeyModifierControl)
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyTab})
	made := tree(t, w)
	n := made.Nodes[made.Focus]
	if n == nil || n.Role != accessible.RoleLink || n.Name != "eighth" {
		t.Fatalf("the focus is at %+v", n)
	}
	for _, one := range made.Nodes {
		if one.Text != nil && one.Text.Select[0] != one.Text.Select[1] {
			t.Errorf("%v of %q is selected", one.Text.Select, one.Text.Content)
		}
	}
	v.page.caretKey(fyne.KeyRight, 0)
	made = tree(t, w)
	if n := made.Nodes[made.Focus]; n == nil || n.Role != accessible.RoleParagraph {
		t.Errorf("the caret is at %+v", n)
	}
}

// A picture that only browsers can show says so, and a click opens it there.
func TestUndrawablePicturesOpenInTheBrowser(t *testing.T) {
	v, w := newTold(t)
	f := v.page.pictures.figures()[0]
	v.page.pictures.finish(f, picture.Picture{}, &UndrawableError{Why: "It is odd."})
	var opened string
	v.OnLink = func(link string) { opened = link }
	said := ""
	for _, n := range tree(t, w).Nodes {
		said += n.Name + n.Description
		if n.Text != nil {
			said += n.Text.Content
		}
	}
	v.page.tapFigure(f)
	if opened != f.image.URL || !strings.Contains(said, "It is odd. A click opens it in the browser.") {
		t.Errorf("opened %q, says %q", opened, said)
	}
}

// Whoever reads line by line comes upon pictures: those that are drawn, and those in whose place there are words.
func TestCaretComesUponPictures(t *testing.T) {
	v, w := newTold(t)
	v.SetCaret(true)
	figure := v.page.pictures.figures()[0]
	for _, drawn := range []bool{false, true} {
		if drawn {
			v.page.pictures.finish(figure, picture.Picture{Image: image.NewRGBA(image.Rect(0, 0, 60, 40)), Width: 60, Height: 40}, nil)
		} else {
			v.page.pictures.finish(figure, picture.Picture{}, ErrDeferred)
		}
		v.page.caretKey(fyne.KeyHome, fyne.KeyModifierControl)
		for range 40 {
			v.page.caretKey(fyne.KeyDown, 0)
			made := tree(t, w)
			n := made.Nodes[made.Focus]
			if n.Role == accessible.RoleDocument {
				t.Fatal("the caret is at a place that is not told")
			}
			if n.Role == accessible.RoleImage {
				if n.Name != "A lamp in the fog" || n.Text == nil || n.Text.Caret != 0 {
					t.Errorf("the picture is told as %+v", n)
				}
				break
			}
			if n.Text.Content == "The end." {
				t.Fatalf("drawn %v, the caret passes the picture", drawn)
			}
		}
	}
}

func newListener(w fyne.Window) *describe.Window {
	l := describe.NewWindow(w.Canvas(), "", func(f func()) { f() }, func() bool { return true }, func(bool) {})
	l.Listen(true)
	return l
}

// The caret goes through the whole article and back, by each step.
func TestCaret(t *testing.T) {
	v, _ := newTold(t)
	if v.page.caretKey(fyne.KeyRight, 0) {
		t.Error("a caret that is not shown moves")
	}
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF7})
	if !v.caret.on {
		t.Fatal("F7 shows no caret")
	}
	all := 0
	for i, text := range v.page.lay.texts {
		if v.page.lay.lineIndex(textPos{i, 0}) >= 0 {
			all += len(text.Chars)
		}
	}
	for _, c := range []struct {
		name          string
		on, back      fyne.KeyName
		held          fyne.KeyModifier
		atLeast, most int
	}{
		{"character", fyne.KeyRight, fyne.KeyLeft, 0, 200, all + 30},
		{"word", fyne.KeyRight, fyne.KeyLeft, fyne.KeyModifierControl, 40, 90},
		{"line", fyne.KeyDown, fyne.KeyUp, 0, 15, 40},
		{"paragraph", fyne.KeyDown, fyne.KeyUp, fyne.KeyModifierControl, 12, 30},
	} {
		v.page.caretKey(fyne.KeyHome, fyne.KeyModifierControl)
		run := func(key fyne.KeyName) (places []textPos) {
			for last := (textPos{-1, 0}); v.page.head != last && len(places) < 5000; {
				last = v.page.head
				places = append(places, last)
				v.page.caretKey(key, c.held)
			}
			return places
		}
		there := run(c.on)
		for i := 1; i < len(there); i++ {
			if !there[i-1].before(there[i]) && c.name != "line" {
				t.Errorf("by %s from %v to %v", c.name, there[i-1], there[i])
			}
		}
		if len(there) < c.atLeast || len(there) > c.most {
			t.Errorf("%d steps by %s", len(there), c.name)
		}
		if back := run(c.back); back[len(back)-1] != (textPos{}) {
			t.Errorf("back by %s to %v", c.name, back[len(back)-1])
		}
	}
}

// Tab goes to the next link after the caret; when it leaves the article the caret stays. The caret goes from heading to
// heading, too.
func TestCaretGoesByLinksAndHeadings(t *testing.T) {
	v, _ := newTold(t)
	v.SetCaret(true)
	at := func() string { return v.page.lay.texts[v.page.head.text].Chars[v.page.head.off:] }
	for _, step := range []struct {
		key  fyne.KeyName
		want string
	}{{fyne.KeyPageDown, "Lamps"}, {fyne.KeyPageDown, "Lamps"}, {fyne.KeyPageUp, "Counting lamps"}, {fyne.KeyPageUp, "Counting lamps"}} {
		if v.page.caretKey(step.key, fyne.KeyModifierShortcutDefault); at() != step.want {
			t.Errorf("%s goes to %q, not to %q", step.key, at(), step.want)
		}
	}
	v.page.caretKey(fyne.KeyDown, fyne.KeyModifierShortcutDefault)
	v.page.caretKey(fyne.KeyDown, fyne.KeyModifierShortcutDefault)
	if v.tab(false); v.page.focusedLink() != "http://127.0.0.1:9/eighth" {
		t.Errorf("Tab goes to %q", v.page.focusedLink())
	}
	before := v.page.head
	if v.tab(false); v.page.head != before {
		t.Errorf("the caret is at %v, and was at %v", v.page.head, before)
	}
}

func TestCaretSelectsAndOpens(t *testing.T) {
	v, _ := newTold(t)
	opened := ""
	v.OnLink = func(url string) { opened = url }
	v.SetCaret(true)
	v.page.caretKey(fyne.KeyDown, fyne.KeyModifierControl)
	v.page.caretKey(fyne.KeyDown, fyne.KeyModifierControl)
	v.page.caretKey(fyne.KeyDown, fyne.KeyModifierControl)
	for range 3 {
		v.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyRight, Modifier: fyne.KeyModifierControl | fyne.KeyModifierShift})
	}
	if got := v.Selected(); got != "The lamplighter counted " {
		t.Errorf("%q is selected", got)
	}
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if got := v.Selected(); got != "" || v.page.head.off == 0 {
		t.Errorf("%q is selected still, the caret is at %v", got, v.page.head)
	}
	for v.page.linkAtCaret() == "" {
		v.page.caretKey(fyne.KeyRight, fyne.KeyModifierControl)
	}
	if v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}); opened != "http://127.0.0.1:9/eighth" {
		t.Errorf("%q was opened", opened)
	}
}
