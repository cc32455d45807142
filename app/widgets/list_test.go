package widgets

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/glyphs"
	"kairos/app/look"
)

// The row that has the keys is marked in the accent of the appearance in force, also when that changes.
func TestFocusIsMarkedAtTheRow(t *testing.T) {
	a := test.NewTempApp(t)
	a.Settings().SetTheme(look.New(look.Dark))
	bars := map[int]*canvas.Rectangle{}
	l := NewList(Keys{Used: func() {}}, func() int { return 3 }, func() fyne.CanvasObject { return widget.NewLabel("") }, func(int, fyne.CanvasObject) {})
	update := l.UpdateItem
	l.UpdateItem = func(i int, o fyne.CanvasObject) {
		update(i, o)
		bars[i] = o.(*fyne.Container).Objects[1].(*canvas.Rectangle)
	}
	w := test.NewTempWindow(t, l)
	w.Resize(fyne.NewSize(200, 300))
	marked := func() (rows []int) {
		for i := range 3 {
			if bars[i].Visible() {
				rows = append(rows, i)
			}
		}
		return rows
	}
	if rows := marked(); len(rows) != 0 {
		t.Errorf("%v are marked without the focus", rows)
	}
	w.Canvas().Focus(l)
	if rows := marked(); len(rows) != 1 || rows[0] != 0 {
		t.Errorf("%v are marked before any is chosen", rows)
	}
	l.Select(2)
	if rows := marked(); len(rows) != 1 || rows[0] != 2 {
		t.Errorf("%v are marked", rows)
	}
	a.Settings().SetTheme(look.New(look.Sepia))
	l.Refresh()
	if got, want := bars[2].FillColor, look.New(look.Sepia).Color(look.ColorAccent, 0); got != want {
		t.Errorf("in sepia it is %v, not %v", got, want)
	}
	w.Canvas().Unfocus()
	if rows := marked(); len(rows) != 0 {
		t.Errorf("%v stay marked", rows)
	}
}

// A paragraph loses nothing of its text but spaces where it breaks, keeps its width, and breaks words only where it must.
func TestParagraphBreaks(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	for _, text := range []string{
		"", "short", "Two words and more of them, so that there is a second line",
		strings.Repeat("Donaudampfschiff", 8), "读者在早上七点四十分打开窗口，文章已经在那里了，不必等待任何人", "سبعة مصابيح في الضباب وعامل يعدها كل مساء قبل العودة",
	} {
		p := NewParagraph(14)
		p.Content = text
		two := p.Break(150, 150)
		first, second := p.Lines[0].Content, p.Lines[1].Content
		if joined := first + second; strings.ReplaceAll(joined, " ", "") != strings.ReplaceAll(text, " ", "") {
			t.Errorf("%q becomes %q and %q", text, first, second)
		}
		if wide := fyne.MeasureText(first, 14, fyne.TextStyle{}).Width; wide > 150 {
			t.Errorf("%q is %v wide", first, wide)
		}
		if two != (fyne.MeasureText(text, 14, fyne.TextStyle{}).Width > 150) {
			t.Errorf("%q: a second line: %t", text, two)
		}
		if two && strings.Contains(first, " ") && text[p.Second-1] != ' ' {
			t.Errorf("a word is broken: %q, %q", first, second)
		}
		if p.Break(150, 0) || p.Lines[0].Content != text {
			t.Errorf("one line of %q is %q", text, p.Lines[0].Content)
		}
	}
}

// A row chosen while the list was not on screen is in sight when it is.
func TestChosenBeforeItHadRoom(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	l := NewList(Keys{Used: func() {}}, func() int { return 30 }, func() fyne.CanvasObject { return widget.NewLabel("") }, func(int, fyne.CanvasObject) {})
	w := test.NewTempWindow(t, NewSpace(1))
	test.WidgetRenderer(l) // as for a pane that was never shown
	l.Select(0)
	w.SetContent(l)
	w.Resize(fyne.NewSize(200, 300))
	if at := l.GetScrollOffset(); at != 0 {
		t.Errorf("the list is scrolled by %v", at)
	}
}

// Bold text whose letters the driver draws no bolder is drawn twice.
func TestBoldWithoutABoldFont(t *testing.T) {
	test.NewTempApp(t)
	for _, c := range []struct {
		text       string
		thin, bold bool
		want       int
	}{{"发布", true, true, 2}, {"发布", true, false, 1}, {"发布", false, true, 1}, {"News", true, true, 1}} {
		undo := glyphs.Assume("chinese", false, c.thin)
		l := NewLine(14)
		l.Content, l.TextStyle.Bold = c.text, c.bold
		l.Fit(3, 4, 100)
		if got := l.Objects(); len(got) != c.want {
			t.Errorf("%+v: %d texts", c, len(got))
		} else if at := got[len(got)-1].Position(); c.want == 2 && (at.X <= 3 || at.X > 4 || at.Y != 4) {
			t.Errorf("the second one is at %v", at)
		}
		l.Hidden = true
		if got := l.Objects(); len(got) != 1 {
			t.Errorf("hidden: %d texts", len(got))
		}
		undo()
	}
}

// Text that begins in a script whose font has another baseline stands as high as other text.
func TestBaselineOfOtherScripts(t *testing.T) {
	test.NewTempApp(t)
	defer glyphs.AssumeDrop("chinese", 0.15)()
	for text, want := range map[string]float32{"发布": 18, "《发布》": 18, "Apple 发布": 18, "News": 20} {
		l := NewLine(14)
		l.Content = text
		if l.Fit(3, 20, 100); l.Position().Y != want {
			t.Errorf("%q is at %v, want %v", text, l.Position().Y, want)
		}
	}
}

// Each font of a check box's label, and of a tool's name, has the line of Latin text.
func TestMixedLabelsHaveOneBaseline(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.Light))
	defer glyphs.AssumeDrop("chinese", 0.15)()
	c := NewCheck("标题包含 story：标")
	c.Resize(c.MinSize())
	var parts []string
	right := float32(0)
	for _, o := range test.WidgetRenderer(c).Objects() {
		if text, ok := o.(*canvas.Text); ok {
			parts = append(parts, text.Text)
			want := float32(-2)
			if text.Text == " story" {
				want = 0
			}
			if text.Position().Y != want || text.Position().X < right {
				t.Errorf("%q is at %v", text.Text, text.Position())
			}
			right = text.Position().X + text.Size().Width
		}
	}
	if strings.Join(parts, "|") != "标题包含| story|：标" {
		t.Errorf("%q", parts)
	}
	label := func(name string) fyne.Position {
		b := NewToolButton(name, nil, nil)
		b.Resize(b.MinSize())
		b.Refresh()
		for _, o := range test.WidgetRenderer(b).Objects() {
			if _, ok := o.(*widget.RichText); ok {
				return o.Position()
			}
		}
		return fyne.Position{}
	}
	if low, high := label("Refresh"), label("刷新"); low.Y-high.Y != 2 {
		t.Errorf("%v, %v", low, high)
	}
}

// In a list without a choice the list has the keys: the first arrow chooses the first row, and that is to be heard.
func TestListWithoutChoiceHasTheFocus(t *testing.T) {
	test.NewTempApp(t)
	l := NewList(Keys{Used: func() {}}, func() int { return 3 }, func() fyne.CanvasObject { return widget.NewLabel("Row") }, func(int, fyne.CanvasObject) {})
	l.Name = "Articles"
	w := test.NewTempWindow(t, l)
	w.Resize(fyne.NewSize(200, 200))
	w.Canvas().Focus(l)
	focus := func() accessible.Role {
		tree := describe.Tree(w.Canvas(), accessible.Node{Name: "Test"})
		return tree.Nodes[tree.Focus].Role
	}
	if role := focus(); role != accessible.RoleList {
		t.Errorf("role %d has the focus", role)
	}
	l.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if role := focus(); role != accessible.RoleListItem || l.Chosen != 0 {
		t.Errorf("role %d has the focus, row %d is chosen", role, l.Chosen)
	}
}
