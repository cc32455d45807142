package widgets

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"kairos/app/accessible/describe"
	"kairos/app/primary"
)

// newField returns a field of a window with a text, and the caret at its end.
func newField(t *testing.T, text string) *Entry {
	test.NewTempApp(t)
	e := NewEntry(func() {})
	w := test.NewTempWindow(t, e)
	w.Resize(fyne.NewSize(300, 40))
	w.Canvas().Focus(e)
	test.Type(e, text)
	return e
}

// seen returns what the field draws of its text, from left to right.
func seen(e *Entry) string {
	var parts []*canvas.Text
	for _, o := range e.text.drawn.Objects {
		if part, ok := o.(*canvas.Text); ok {
			at := 0
			for at < len(parts) && parts[at].Position().X < part.Position().X {
				at++
			}
			parts = append(parts[:at], append([]*canvas.Text{part}, parts[at:]...)...)
		}
	}
	var texts []string
	for _, part := range parts {
		texts = append(texts, part.Text)
	}
	return strings.Join(texts, "|")
}

// What is typed stands in its order, at the right where it is read from there.
func TestFieldShowsTextInOrder(t *testing.T) {
	e := newField(t, "שלום: 12 abc")
	if got, want := seen(e), "abc|12|:|שלום"; got != want {
		t.Errorf("draws %q, want %q", got, want)
	}
	if left := e.text.left(); left < 100 {
		t.Errorf("the text begins at %v", left)
	}
	e.SetText("a שלום")
	if got, want := seen(e), "a|שלום"; got != want || e.text.left() > 20 {
		t.Errorf("draws %q at %v, want %q", got, e.text.left(), want)
	}
	e.SetText("plain")
	if e.text.shown != "" || e.text.theirs[1].Hidden {
		t.Error("a plain text is not left to Fyne")
	}
}

// A hint is in its order, too, until something is typed.
func TestFieldShowsHintInOrder(t *testing.T) {
	e := newField(t, "")
	e.SetPlaceHolder("שלום: 12")
	e.Refresh()
	if got, want := seen(e), "12|:|שלום"; got != want {
		t.Errorf("draws %q, want %q", got, want)
	}
	test.Type(e, "a")
	if e.text.shown != "" {
		t.Errorf("still draws %q", e.text.shown)
	}
}

// The arrows move the caret to where it is seen, to every place of it.
func TestFieldArrowsMoveByWhatIsSeen(t *testing.T) {
	e := newField(t, "אב cd")
	for _, key := range []fyne.KeyName{fyne.KeyLeft, fyne.KeyRight} {
		for range 9 {
			e.TypedKey(&fyne.KeyEvent{Name: key})
		}
		end := e.text.x(e.CursorColumn)
		for i := range len([]rune(e.Text)) + 1 {
			if x := e.text.x(i); key == fyne.KeyLeft && x < end || key == fyne.KeyRight && x > end {
				t.Errorf("%s ends at %v, but there is %v", key, end, x)
			}
		}
	}
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	if e.CursorColumn != 1 {
		t.Errorf("one to the left of the right end is %d", e.CursorColumn)
	}
	if at := e.text.caret.Position().X; at < e.text.x(1)-3 || at > e.text.x(1)+3 {
		t.Errorf("the caret is drawn at %v, want %v", at, e.text.x(1))
	}
}

// The mouse puts the caret where it is, and a drag selects what it passes.
func TestFieldMouse(t *testing.T) {
	e := newField(t, "אבגד efgh")
	at := func(char int) fyne.Position { return fyne.NewPos(e.text.x(char)+e.text.scroll.Position().X, 15) }
	for _, char := range []int{1, 2, 3, 6, 7} {
		e.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at(char)}, Button: desktop.MouseButtonPrimary})
		if e.CursorColumn != char {
			t.Errorf("a click before %d puts the caret before %d", char, e.CursorColumn)
		}
	}
	from, to := at(1), at(3)
	e.text.drag.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: to}, Dragged: fyne.NewDelta(to.X-from.X, 0)})
	e.text.drag.DragEnd()
	if got := e.SelectedText(); got != "בג" {
		t.Errorf("a drag selects %q", got)
	}
	var marked float32
	for _, o := range e.text.drawn.Objects {
		if mark, ok := o.(*canvas.Rectangle); ok {
			marked += mark.Size().Width
		}
	}
	if want := from.X - to.X; marked < want-1 || marked > want+1 {
		t.Errorf("%v is marked, want %v", marked, want)
	}
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	if e.CursorColumn != 3 || e.SelectedText() != "" {
		t.Errorf("the arrow to the left leaves the selection before %d", e.CursorColumn)
	}
}

// A long text scrolls to the caret.
func TestFieldScrollsToCaret(t *testing.T) {
	e := newField(t, strings.Repeat("שלום עולם ", 20))
	x, offset := e.text.x(e.CursorColumn), e.text.scroll.Offset.X
	if x < offset || x > offset+e.text.scroll.Size().Width {
		t.Errorf("the caret is at %v, the field shows from %v on", x, offset)
	}
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	x, offset = e.text.x(0), e.text.scroll.Offset.X
	if x < offset || x > offset+e.text.scroll.Size().Width {
		t.Errorf("the start is at %v, the field shows from %v on", x, offset)
	}
}

// Screen readers are told where characters are seen.
func TestFieldDescribesPlaces(t *testing.T) {
	e := newField(t, "אבגד")
	n := e.Describe()
	a, _ := n.TextBounds(0, 1)
	b, _ := n.TextBounds(3, 4)
	if a.X <= b.X {
		t.Errorf("the first letter is at %v, the last at %v", a.X, b.X)
	}
	if n.Text.Content != "אבגד" || describe.Selection(&e.Entry) != [2]int{4, 4} {
		t.Errorf("%+v", n.Text)
	}
}

// The middle button pastes the primary selection where it is pressed, and what is selected becomes that, but for a password.
func TestPrimarySelection(t *testing.T) {
	selection := "words "
	primary.Use(func(text string) { selection = text }, func() string { return selection })
	defer primary.Use(func(string) {}, func() string { return "" })
	e := NewEntry(func() {})
	test.NewTempWindow(t, e).Resize(fyne.NewSize(300, 40))
	e.SetText("some text")
	mouse := func(button desktop.MouseButton) *desktop.MouseEvent {
		return &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(1, 10)}, Button: button}
	}
	e.MouseDown(mouse(desktop.MouseButtonTertiary))
	if e.Text != "words some text" {
		t.Errorf("pasted: %q", e.Text)
	}
	e.TypedShortcut(&fyne.ShortcutSelectAll{})
	e.MouseUp(mouse(desktop.MouseButtonPrimary))
	if selection != "words some text" {
		t.Errorf("selected: %q", selection)
	}
	e.Password = true
	e.SetText("secret")
	e.TypedShortcut(&fyne.ShortcutSelectAll{})
	if e.MouseUp(mouse(desktop.MouseButtonPrimary)); selection == "secret" {
		t.Error("a password is the selection")
	}
}

// A hint that has no room ends in an ellipsis; nothing is to be scrolled.
func TestHintIsCut(t *testing.T) {
	test.NewTempApp(t)
	win := test.NewTempWindow(t, nil)
	e := NewEntry(nil)
	e.SetPlaceHolder("example.org, or the address of a feed, or a file")
	win.SetContent(container.NewWithoutLayout(e))
	e.Resize(fyne.NewSize(120, e.MinSize().Height))
	for _, o := range describe.DrawnBy(e) {
		if s, ok := o.(*container.Scroll); ok && s.Content.MinSize().Width > s.Size().Width {
			t.Errorf("a hint of %v is scrolled in %v", s.Content.MinSize(), s.Size())
		}
	}
	e.SetText("a text that has no room in this field, but can be scrolled")
	for _, o := range describe.DrawnBy(e) {
		if s, ok := o.(*container.Scroll); ok && s.Content.MinSize().Width <= s.Size().Width {
			t.Errorf("a text of %v is cut to %v", s.Content.MinSize(), s.Size())
		}
	}
}
