package timeline

import (
	"context"
	"maps"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"kairos/app/look"
	"kairos/app/widgets"
	"kairos/reader"
	"kairos/reader/search"
)

// highlight is the words that the listed articles were searched for. They are highlighted in the titles of the list and
// in the article opened from it.
type highlight struct {
	query    string
	Marks    *search.Marks // nil: none
	excerpts excerpts
	painted  bool // with the list, or soon
}

// newHighlight returns the words that q searches for.
func newHighlight(q reader.Query) highlight {
	h := highlight{query: strings.TrimSpace(q.Within + " " + q.Search)}
	if h.query == "" {
		return h
	}
	// They are parsed apart: a quote left open in one must not swallow the other.
	wanted := search.Parse(q.Within, q.Since)
	wanted.Clauses = append(wanted.Clauses, search.Parse(q.Search, q.Since).Clauses...)
	if marks := wanted.Marks(); !marks.Empty() {
		h.Marks = &marks
	}
	return h
}

// loadExcerpts loads the excerpts of the rows that will be on screen: painting these without and again with them would take
// longer. It may be called on any goroutine.
func (h *highlight) loadExcerpts(ctx context.Context, articles reader.Articles, ids []int64) {
	if h.Marks != nil {
		h.excerpts.texts = excerptsOf(ctx, articles, h.Marks, ids)
	}
}

// highlightSearch highlights from now on what is searched for, in the list when it is shown the next time.
func (t *Pane) highlightSearch(h highlight) {
	if h.query == t.Highlight.query {
		if e := &t.Highlight.excerpts; e.texts == nil {
			e.texts = h.excerpts.texts
		} else {
			maps.Copy(e.texts, h.excerpts.texts)
		}
		return
	}
	t.Highlight = h
	marks := search.Marks{}
	if h.Marks != nil {
		marks = *h.Marks
	}
	t.Highlighted(marks)
}

// maxTitleMarks is how many parts of one title are highlighted.
const maxTitleMarks = 8

// titleMarks highlights the words of a title, or of a line of text, that were searched for. A row that shows the same title
// again does not search it again.
type titleMarks struct {
	inText      bool // the title is a line of text
	title       string
	marks       *search.Marks
	parts       []search.Range
	backgrounds []*canvas.Rectangle
}

// find finds the parts of a title to highlight.
func (m *titleMarks) find(title string, marks *search.Marks) {
	if m.title == title && m.marks == marks {
		return
	}
	m.title, m.marks, m.parts = title, marks, nil
	if marks != nil {
		m.parts = marks.InTitle(title)
		if m.inText {
			m.parts = marks.In(title)
		}
	}
	m.parts = m.parts[:min(len(m.parts), maxTitleMarks)]
}

// layout puts the backgrounds behind a title that has been broken into lines.
func (m *titleMarks) layout(w fyne.Widget, title *widgets.Paragraph) {
	n := 0
	for i, line := range title.Lines {
		from := i * title.Second
		for _, part := range m.parts {
			line.ForStretches(part.Start-from, part.End-from, func(left, right float32) {
				m.background(w, n, line, left, right)
				n++
			})
		}
	}
	for _, left := range m.backgrounds[n:] {
		left.Hide()
	}
}

// background puts background n behind a part of a line.
func (m *titleMarks) background(w fyne.Widget, n int, line *widgets.Line, left, right float32) {
	if n == len(m.backgrounds) {
		r := canvas.NewRectangle(nil)
		r.CornerRadius = 3
		m.backgrounds = append(m.backgrounds, r)
	}
	r, at := m.backgrounds[n], line.Position()
	r.FillColor = widgets.Color(w, look.ColorMatch)
	r.Move(fyne.NewPos(at.X+left, at.Y))
	r.Resize(fyne.NewSize(right-left, line.MinSize().Height))
	r.Show()
}

// objects returns the backgrounds.
func (m *titleMarks) objects() []fyne.CanvasObject {
	objects := make([]fyne.CanvasObject, len(m.backgrounds))
	for i, r := range m.backgrounds {
		objects[i] = r
	}
	return objects
}
