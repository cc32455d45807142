package article

import (
	"path"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"

	"kairos/app/look"
	"kairos/reader/content"
	"kairos/reader/picture"
)

// figure is a picture of the article: a place for it, and what has come of it.
type figure struct {
	image  content.Image
	label  int // texts: what it shows in words,
	notice int // why it is not seen,
	title  int // and what is said below it; -1 for none

	state          figureState
	pixels         fyne.Size // its size in pixels, once that is known
	picture        picture.Picture
	requested      bool   // by the reader's hand
	cancel         func() // what is under way
	requestedWidth int    // pixels of width asked for

	x, y, w, h float32 // where it is laid out
	object     *canvas.Image
}

// figureState says what is seen of a figure.
type figureState uint8

const (
	waiting figureState = iota // its place has not come near yet
	loading
	shown
	held   // until the reader asks for it
	failed // notice says why
)

// Without a size of the author's a picture gets a place of this shape, at most this high: photographs are three to two,
// most drawings and screenshots wider.
const (
	defaultAspect = 0.6
	defaultHeight = 400
)

func (s *stylesheet) compilePicture(c *compiled, b block, m content.Image) {
	f := &figure{image: m, title: -1}
	label := pictureLabel(m)
	b.kind, b.figure = pictureBlock, f
	t := s.text([]content.Run{{Text: label, Link: m.Link}}, s.caption())
	c.add(b, t)
	f.label = c.blocks[len(c.blocks)-1].text
	f.notice = c.addLoose(&text{notCopied: true, block: -1})
	if title := oneLine(m.Title); title != "" && title != label {
		t := s.text([]content.Run{{Text: title}}, s.caption())
		t.separator = "\n"
		f.title = c.addLoose(t)
	}
	c.figures = append(c.figures, f)
}

// pictureLabel describes a picture: what it shows, or at least its file name.
func pictureLabel(m content.Image) string {
	label := truncate(oneLine(m.Alt), 2000)
	if label == "" && !strings.HasPrefix(m.URL, "data:") {
		label = truncate(path.Base(strings.SplitN(m.URL, "?", 2)[0]), 120)
	}
	if label == "" || label == "." || label == "/" {
		label = lang.L("Image")
	}
	return label
}

// clipped cuts a text to a length.
func truncate(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// showCount sets why a picture is not seen.
func (s *stylesheet) notice(why string) *text {
	r := s.caption()
	r.italic = true
	t := s.text([]content.Run{{Text: truncate(oneLine(why), 500)}}, r)
	if t == nil {
		t = &text{}
	}
	t.notCopied = true
	return t
}

// place is the size a figure has on a page: its own as far as it is known, else the author's, else a usual one.
func (f *figure) size(width float32) fyne.Size {
	said := fyne.NewSize(float32(f.image.Width), float32(f.image.Height))
	switch {
	case f.pixels.Width > 0:
		w := f.pixels.Width
		if said.Width > 0 {
			w = said.Width
		} else if said.Height > 0 {
			w = said.Height * f.pixels.Width / f.pixels.Height
		}
		w = max(1, min(w, width))
		return fyne.NewSize(w, max(1, w*f.pixels.Height/f.pixels.Width))
	case said.Width > 0 && said.Height > 0:
		w := min(said.Width, width)
		return fyne.NewSize(w, max(1, w*said.Height/said.Width))
	case said.Width > 0:
		w := min(said.Width, width)
		return fyne.NewSize(w, min(w*defaultAspect, defaultHeight))
	case said.Height > 0:
		return fyne.NewSize(min(said.Height/defaultAspect, width), said.Height)
	}
	return fyne.NewSize(width, min(width*defaultAspect, defaultHeight))
}

// maxFigureHeight bounds a place: a picture of one pixel by a million is not worth an hour of scrolling.
const maxFigureHeight = 20_000

// figure lays a picture and what is said of it.
func (l *layout) layFigure(f *figure, x, y, width float32) float32 {
	size := f.size(width)
	f.x, f.y, f.w, f.h = x, y, size.Width, min(size.Height, maxFigureHeight)
	switch f.state {
	case shown:
		l.decorations = append(l.decorations, l.figureDecoration(f, x, y, f.w))
	case held, failed:
		f.w = width
		f.h = l.layFrame(f, x, y, width, true)
	default:
		l.layFrame(f, x, y, f.w, false)
	}
	bottom := y + f.h
	if f.title >= 0 {
		bottom = l.wrap(f.title, x, bottom+round(l.body*0.35), width)
	}
	return bottom
}

// place is the mark of a figure: a frame as long as the picture is not there.
func (l *layout) figureDecoration(f *figure, x, y, width float32) decoration {
	return decoration{x: x, y: y, w: width, h: f.h, fill: look.ColorCode, edge: look.ColorFrame, radius: l.radius, figure: f}
}

// frame stands for a picture that is not seen. Its words are laid if they are to be read, or if there is room for them.
func (l *layout) layFrame(f *figure, x, y, width float32, words bool) (height float32) {
	pad := min(l.pad, width/4)
	l.decorations = append(l.decorations, l.figureDecoration(f, x, y, width))
	m, lines, fragments := len(l.decorations)-1, len(l.lines), len(l.fragments)
	bottom := l.wrap(f.label, x+pad, y+pad, width-2*pad)
	if words {
		if len(l.texts[f.notice].words) > 0 {
			bottom = l.wrap(f.notice, x+pad, bottom+2, width-2*pad)
		}
		l.decorations[m].h = bottom + pad - y
	} else if bottom+pad > y+f.h {
		l.lines, l.fragments = l.lines[:lines], l.fragments[:fragments]
	}
	return l.decorations[m].h
}

// figureAt returns the figure at a point of the page, nil where there is none.
func (l *layout) figureAt(x, y float32) *figure {
	first, last := l.decorationsByY.within(y, y)
	for i := first; i < last; i++ {
		if m := &l.decorations[i]; m.figure != nil && y >= m.y && y < m.y+m.h && x >= m.x && x < m.x+m.w {
			return m.figure
		}
	}
	return nil
}
