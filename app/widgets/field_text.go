package widgets

import (
	"image/color"
	"slices"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible/describe"
	"kairos/app/bidi"
	"kairos/app/look"
	"kairos/app/typeset"
)

// FieldText draws the text of a field of one line in its order where it has Hebrew or Arabic: Fyne's field draws, measures and
// moves by prefixes of the string. The field keeps its text, what is selected of it, and its undo; only what draws these is
// replaced, the caret is moved, and the mouse and the arrows are led to where the text is seen.
type FieldText struct {
	entry  *widget.Entry
	scroll *container.Scroll
	theirs [2]*widget.RichText // what Fyne draws: the hint, and the text
	caret  fyne.CanvasObject
	clip   *container.Clip
	drawn  *fyne.Container // within clip
	drag   *fieldDrag
	wheel  *wheel

	shown     string // what was measured: the text, or the hint without one; "" where Fyne draws it
	isHint    bool
	text      typeset.Text // of shown
	line      typeset.Line
	fragments []typeset.Fragment
}

// Around draws a field as Fyne does, but for its text where that needs an order, and hands the wheel on to what scrolls around it.
func (f *FieldText) Around(e *widget.Entry, drawn fyne.WidgetRenderer) fyne.WidgetRenderer {
	f.entry, f.drawn = e, container.NewWithoutLayout()
	f.clip, f.drag, f.wheel = container.NewClip(f.drawn), newFieldDrag(f), newWheel(f.wheelTurned)
	for _, o := range drawn.Objects() {
		if s, ok := o.(*container.Scroll); ok && s.Content != nil {
			f.scroll = s
			s.OnScrolled = func(fyne.Position) { f.draw() }
		}
	}
	before := e.OnCursorChanged
	e.OnCursorChanged = func() {
		if before != nil {
			before()
		}
		f.order()
	}
	r := &fieldRenderer{drawn, f}
	f.order()
	return r
}

type fieldRenderer struct {
	fyne.WidgetRenderer
	*FieldText
}

func (r *fieldRenderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.wheel.Resize(size)
	r.order()
}

func (r *fieldRenderer) Refresh() {
	r.WidgetRenderer.Refresh()
	r.order()
}

func (r *fieldRenderer) Objects() []fyne.CanvasObject {
	objects := r.WidgetRenderer.Objects()
	at := slices.IndexFunc(objects, func(o fyne.CanvasObject) bool { return o == fyne.CanvasObject(r.scroll) })
	if r.shown == "" || at < 0 {
		return append(slices.Clip(objects), r.wheel)
	}
	return append(slices.Insert(slices.Clone(objects), at, fyne.CanvasObject(r.clip)), r.drag, r.wheel)
}

// order measures the text, or the hint, and draws it, or leaves it to Fyne.
func (f *FieldText) order() {
	if !f.findParts() {
		return
	}
	f.shown, f.isHint = f.entry.Text, f.entry.Text == ""
	if f.isHint {
		f.shown = f.entry.PlaceHolder
	}
	if f.entry.MultiLine || f.entry.Password && !f.isHint || !bidi.HasRTL(f.shown) {
		f.shown = ""
	}
	f.theirs[0].Hidden = !f.isHint || f.shown != ""
	f.theirs[1].Hidden = f.shown != ""
	if f.shown == "" {
		return
	}
	f.text = typeset.Plain(f.shown, faceOf(theme.TextSize(), f.entry.TextStyle), bidi.Auto)
	lines, fragments := f.text.Lines(typeset.Unlimited)
	f.line, f.fragments = lines[0], fragments
	f.draw()
	if !f.isHint {
		f.showCaret()
	}
}

// findParts finds what Fyne draws the field with, which is there once the field has been drawn.
func (f *FieldText) findParts() bool {
	if f.caret != nil || f.scroll == nil {
		return f.caret != nil
	}
	found := 0
	for _, o := range describe.DrawnBy(f.scroll.Content) {
		switch o := o.(type) {
		case *widget.RichText:
			if found < len(f.theirs) {
				f.theirs[found] = o
			}
			found++
		case *canvas.Rectangle:
			f.caret = o
		}
	}
	if found != len(f.theirs) { // another version of Fyne
		f.scroll = nil
	}
	if f.scroll != nil && f.caret != nil {
		f.theirs[0].Truncation = fyne.TextTruncateEllipsis // a hint that has no room is not scrolled to its end
		f.theirs[0].Refresh()
	}
	return f.scroll != nil && f.caret != nil
}

// left is where the text begins in what scrolls: text that is read from right to left ends at the right of the field.
func (f *FieldText) left() float32 {
	pad := theme.InnerPadding()
	if f.text.RTL && !f.isHint {
		return max(pad, f.scroll.Size().Width-pad-theme.InputBorderSize()-f.line.Width)
	}
	return pad
}

// x is the place of the caret before a character, in what scrolls.
func (f *FieldText) x(char int) float32 {
	off := 0
	for ; char > 0 && off < len(f.shown); char-- {
		_, n := utf8.DecodeRuneInString(f.shown[off:])
		off += n
	}
	return f.left() + f.text.OffsetX(f.fragments, off)
}

// charAt is the character before which the caret stands nearest to a place of what scrolls.
func (f *FieldText) charAt(x float32) int {
	return utf8.RuneCountInString(f.shown[:f.text.OffsetAt(f.line, f.fragments, x-f.left())])
}

// draw draws the text, and what is selected below it.
func (f *FieldText) draw() {
	if f.shown == "" {
		return
	}
	f.clip.Move(f.scroll.Position())
	f.clip.Resize(f.scroll.Size())
	f.drag.Move(f.scroll.Position())
	f.drag.Resize(f.scroll.Size())
	top, height := theme.InnerPadding()-theme.InputBorderSize(), f.text.Spans[0].Face.Height
	left := f.left() - f.scroll.Offset.X
	f.drawn.Objects = nil
	if from, to := f.selected(); !f.isHint && from != to && f.entry.SelectedText() != "" {
		f.text.ForStretches(f.fragments, from, to, func(a, b float32) {
			mark := canvas.NewRectangle(Color(f.entry, theme.ColorNameSelection))
			mark.Move(fyne.NewPos(left+a, top))
			mark.Resize(fyne.NewSize(b-a, height))
			f.drawn.Add(mark)
		})
	}
	ink := Color(f.entry, look.ColorText)
	switch {
	case f.isHint:
		ink = Color(f.entry, theme.ColorNamePlaceHolder)
	case f.entry.Disabled():
		ink = Color(f.entry, theme.ColorNameDisabled)
	}
	for _, fragment := range f.fragments {
		f.drawn.Add(f.piece(&fragment, left, top, ink))
	}
	f.hideSelection()
	f.clip.Refresh()
}

func (f *FieldText) piece(fragment *typeset.Fragment, left, top float32, ink color.Color) fyne.CanvasObject {
	face := f.text.Spans[fragment.Span].Face
	t := canvas.NewText(f.text.Drawn(fragment), ink)
	t.TextSize, t.TextStyle = face.Size, face.StyleOf(t.Text)
	t.Move(fyne.NewPos(left+fragment.X, top-dropOf(t.Text, face.Size, face.Style)))
	t.Resize(fyne.NewSize(fragment.Width, face.Height))
	return t
}

// selected returns the bytes that are selected.
func (f *FieldText) selected() (from, to int) {
	chars := []rune(f.shown)
	s := describe.Selection(f.entry)
	return len(string(chars[:min(s[0], len(chars))])), len(string(chars[:min(s[1], len(chars))]))
}

// hideSelection takes away what Fyne would mark as selected.
func (f *FieldText) hideSelection() {
	for _, o := range describe.DrawnBy(f.scroll.Content) {
		w, ok := o.(fyne.Widget)
		if _, text := o.(*widget.RichText); !ok || text {
			continue
		}
		for _, mark := range describe.DrawnBy(w) {
			mark.Resize(fyne.Size{})
		}
	}
}

// showCaret moves the caret to where the text is seen, and scrolls to it.
func (f *FieldText) showCaret() {
	x := f.x(f.entry.CursorColumn)
	f.caret.Move(fyne.NewPos(x-theme.InputBorderSize()/2, f.caret.Position().Y))
	room, pad, at := f.scroll.Size().Width, 2*theme.InnerPadding(), f.scroll.Offset
	switch {
	case room <= 2*pad:
		return
	case x-pad < at.X:
		at.X = max(0, x-pad)
	case x+pad > at.X+room:
		at.X = x + pad - room
	}
	if at != f.scroll.Offset {
		f.scroll.ScrollToOffset(at)
	}
}

// Describe tells where characters of the field are seen.
func (f *FieldText) Describe(n *describe.Node) {
	if f.shown == "" || f.isHint {
		return
	}
	n.TextBounds = func(from, to int) (fyne.Position, fyne.Size) {
		a, b := f.x(from), f.x(max(from, to))
		at := f.scroll.Position().AddXY(min(a, b)-f.scroll.Offset.X, theme.InnerPadding())
		return at, fyne.NewSize(max(1, a-b, b-a), f.text.Spans[0].Face.Height)
	}
}
