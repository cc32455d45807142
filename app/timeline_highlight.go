package app

import (
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"kairos/app/look"
	"kairos/app/widgets"
	"kairos/reader"
	"kairos/reader/search"
)

// foundWords are the words of the search whose findings are listed: they are marked in the
// titles of the list and in the article opened from it.
type foundWords struct {
	query string
	marks *search.Marks // nil: none
}

// markFound marks from now on what a list was searched for.
func (w *window) markFound(q reader.Query) {
	text := strings.TrimSpace(q.Within + " " + q.Search)
	t := w.timeline
	if text == t.found.query {
		return
	}
	t.found = foundWords{query: text}
	marks := search.Marks{}
	if text != "" {
		// Each for itself: a quote that is open in one must not swallow the other.
		wanted := search.Parse(q.Within, q.Since.Location())
		wanted.Clauses = append(wanted.Clauses, search.Parse(q.Search, q.Since.Location()).Clauses...)
		marks = wanted.Marks()
	}
	if !marks.None() {
		t.found.marks = &marks
	}
	w.reading.view.Mark(marks)
	t.list.Refresh() // what is listed may stay the same
}

// maxTitleMarks is how many parts of one title are marked.
const maxTitleMarks = 8

// titleMarks lie behind the words of a title that were searched for. A row that shows the
// same title again looks for nothing anew.
type titleMarks struct {
	of      string
	by      *search.Marks
	parts   []search.Stretch
	grounds []*canvas.Rectangle
}

// find looks what of a title is to be marked.
func (m *titleMarks) find(title string, by *search.Marks) {
	if m.of == title && m.by == by {
		return
	}
	m.of, m.by, m.parts = title, by, nil
	if by != nil && !strings.ContainsFunc(title, isRightToLeft) {
		m.parts = by.InTitle(title)
	}
	m.parts = m.parts[:min(len(m.parts), maxTitleMarks)]
}

// isRightToLeft tells letters of the scripts whose lines the driver puts in another order
// than they are written in: where a word stands in them it does not say.
func isRightToLeft(r rune) bool {
	return r >= 0x590 && unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
}

// place lays the grounds behind a title that has been fitted.
func (m *titleMarks) place(w fyne.Widget, title *widgets.Line) {
	seen := len(title.Text.Text)
	if title.Text.Text != title.Content {
		seen -= len("…")
	}
	n := 0
	for _, part := range m.parts {
		if part.Start >= seen {
			break
		}
		m.ground(w, n, title, part.Start, min(part.End, seen))
		n++
	}
	for _, left := range m.grounds[n:] {
		left.Hide()
	}
}

// ground lays one of them.
func (m *titleMarks) ground(w fyne.Widget, n int, title *widgets.Line, start, end int) {
	if n == len(m.grounds) {
		r := canvas.NewRectangle(nil)
		r.CornerRadius = 3
		m.grounds = append(m.grounds, r)
	}
	width := func(at int) float32 {
		return fyne.MeasureText(title.Content[:at], title.TextSize, title.TextStyle).Width
	}
	left := width(start)
	r, at := m.grounds[n], title.Position()
	r.FillColor = widgets.Color(w, look.ColorMatch)
	r.Move(fyne.NewPos(at.X+left, at.Y))
	r.Resize(fyne.NewSize(width(end)-left, title.MinSize().Height))
	r.Show()
}

// objects are the grounds.
func (m *titleMarks) objects() []fyne.CanvasObject {
	objects := make([]fyne.CanvasObject, len(m.grounds))
	for i, r := range m.grounds {
		objects[i] = r
	}
	return objects
}
