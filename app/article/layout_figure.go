package article

import (
	"cmp"
	"net/url"
	"path"
	"regexp"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"

	"kairos/app/look"
	"kairos/app/typeset"
	"kairos/reader/content"
	"kairos/reader/picture"
)

// figure is a picture of the article, with its place and its state.
type figure struct {
	image  content.Image
	label  int // the text that describes it
	notice int // the text that says why it is not shown
	title  int // the text below it; -1 for none

	state          figureState
	pixels         fyne.Size // its size in pixels, zero until that is known
	picture        picture.Picture
	playback       playback // of an animated picture
	inBrowser      bool     // it can be seen there only
	requested      bool     // by the user
	cancel         func()   // ends the loading
	requestedWidth int      // in pixels

	x, y, w, h float32 // in the layout
	object     *canvas.Image
}

// figureState is what is shown of a figure.
type figureState uint8

const (
	waiting figureState = iota // until its place comes near the viewport
	loading
	shown
	deferred // until the user asks for it
	failed   // notice says why
)

// The place of a picture of unknown size has this ratio of height to width, and at most this height in units. Photographs are
// 3:2, most drawings and screenshots wider.
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

// pictureLabel describes a picture: its alternative text, at least its file name, or its server where nobody can read that name.
func pictureLabel(m content.Image) string {
	if label := truncate(oneLine(m.Alt), 2000); label != "" {
		return label
	}
	if strings.HasPrefix(m.URL, "data:") {
		return lang.L("Image")
	}
	address, _, _ := strings.Cut(m.URL, "?")
	u, err := url.Parse(address)
	if err != nil {
		return lang.L("Image")
	}
	name := truncate(oneLine(path.Base(u.Path)), 120)
	if name == "" || name == "." || name == "/" || isCode(strings.TrimSuffix(name, path.Ext(name))) {
		name = cmp.Or(u.Hostname(), lang.L("Image"))
	}
	return name
}

// isCode reports whether the name of a file is one that only programs read: a digest, a number, an address in Base64.
func isCode(name string) bool { return code.MatchString(name) }

var code = regexp.MustCompile(`[A-Za-z0-9+=]{25}|^[0-9A-Fa-f-]{16,}$|^[0-9_-]{10,}$`)

// truncate cuts a text to a length in bytes.
func truncate(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// notice is the text that says why a picture is not shown.
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

// size is the size of a figure on a page of a width: from the picture, else from the author, else the default.
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

// maxFigureHeight limits the height of a place, in units: nobody scrolls through a picture of one by a million pixels.
const maxFigureHeight = 20_000

// layFigure lays a picture and its texts out and returns its bottom.
func (l *layouter) layFigure(f *figure, x, y, width float32) float32 {
	size := f.size(width)
	f.x, f.y, f.w, f.h = x, y, size.Width, min(size.Height, maxFigureHeight)
	switch f.state {
	case shown:
		l.decorations = append(l.decorations, l.figureDecoration(f, x, y, f.w))
		l.lines = append(l.lines, line{Line: typeset.Line{End: len(l.texts[f.label].Chars), First: len(l.fragments), Last: len(l.fragments)}, text: f.label, x: x, y: y}) // for the caret
	case deferred, failed:
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

// figureDecoration is the decoration of a figure: a frame until the picture is loaded.
func (l *layouter) figureDecoration(f *figure, x, y, width float32) decoration {
	return decoration{x: x, y: y, w: width, h: f.h, fill: look.ColorCode, edge: look.ColorFrame, radius: l.radius, figure: f}
}

// layFrame lays a frame out in place of a picture. With words, its texts are shown in full; else only if there is room.
func (l *layouter) layFrame(f *figure, x, y, width float32, words bool) (height float32) {
	pad := min(l.pad, width/4)
	l.decorations = append(l.decorations, l.figureDecoration(f, x, y, width))
	m, lines, fragments := len(l.decorations)-1, len(l.lines), len(l.fragments)
	bottom := l.wrap(f.label, x+pad, y+pad, width-2*pad)
	if words {
		if l.texts[f.notice].Chars != "" {
			bottom = l.wrap(f.notice, x+pad, bottom+2, width-2*pad)
		}
		l.decorations[m].h = bottom + pad - y
	} else if bottom+pad > y+f.h {
		l.lines, l.fragments = l.lines[:lines], l.fragments[:fragments]
	}
	return l.decorations[m].h
}
