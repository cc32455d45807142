package article

import (
	"fyne.io/fyne/v2"

	"kairos/app/bidi"
	"kairos/app/look"
	"kairos/app/typeset"
	"kairos/reader/content"
)

// stylesheet holds the typographic decisions: faces, sizes and distances, for one theme and style.
type stylesheet struct {
	stylesheetKey
	faces       *typeset.Faces
	listIndent  float32        // indent of a list item
	quoteIndent float32        // indent of a quote
	pad         float32        // padding of code, pictures and cells
	column      float32        // largest width of the text
	pace        *pace          // of what is being compiled or laid out; nil: at once
	direction   bidi.Direction // of most of the article that is being compiled
}

// stylesheetKey is everything that a stylesheet takes from a theme and a style. Equal keys make equal stylesheets.
type stylesheetKey struct {
	body, code, title, small, gutter, radius float32
	heading                                  [7]float32 // by level, 1–6
	font, mono                               fyne.Resource
	measure, leading                         float32 // in em
	face                                     *Typeface
}

// withStyle applies a style.
func (k stylesheetKey) withStyle(st Style) stylesheetKey {
	st = st.withDefaults(k.body)
	scale := st.Size / k.body
	for _, size := range []*float32{&k.body, &k.code, &k.title, &k.small} {
		*size = round(*size * scale) // fractional sizes space letters badly
	}
	for i := range k.heading {
		k.heading[i] = round(k.heading[i] * scale)
	}
	k.measure, k.leading, k.face = st.Measure, st.Leading, st.face()
	return k
}

func themeKey(th fyne.Theme) stylesheetKey {
	return stylesheetKey{
		body: th.Size(look.SizeBody), code: th.Size(look.SizeCode),
		title: th.Size(look.SizeTitle), small: th.Size(look.SizeSmall),
		gutter: th.Size(look.SizeGutter), radius: th.Size(look.SizeRadius),
		heading: [7]float32{
			th.Size(look.SizeTitle), th.Size(look.SizeH1), th.Size(look.SizeH2), th.Size(look.SizeH3),
			th.Size(look.SizeH4), th.Size(look.SizeH5), th.Size(look.SizeH6),
		},
		font: th.Font(fyne.TextStyle{}), mono: th.Font(fyne.TextStyle{Monospace: true}),
	}
}

func newStylesheet(th fyne.Theme, st Style) *stylesheet {
	key := themeKey(th).withStyle(st)
	return &stylesheet{
		stylesheetKey: key, faces: typeset.For(th),
		listIndent: 2 * key.body, quoteIndent: 1.25 * key.body, pad: 0.75 * key.body, column: key.measure * key.body,
	}
}

// role is the base look of a text, by its purpose.
type role struct {
	size    float32
	leading float32 // line height, in em
	bold    bool
	italic  bool
	mono    bool
	tint    fyne.ThemeColorName
	dir     bidi.Direction
}

func (s *stylesheet) running() role {
	return role{size: s.body, leading: s.leading, tint: look.ColorText}
}

func (s *stylesheet) caption() role { return role{size: s.small, leading: 1.45, tint: look.ColorMuted} }

func (s *stylesheet) listing() role {
	return role{size: s.code, leading: 1.45, mono: true, tint: look.ColorCodeText}
}

// headline is the role of a heading; level 0 is the title of the article.
func (s *stylesheet) headline(level int) role {
	level = max(0, min(level, 6))
	leading := float32(1.28)
	if level <= 2 { // large letters need less
		leading = 1.22
	}
	return role{size: s.heading[level], leading: leading, bold: true, tint: look.ColorText}
}

// header is the role of a heading cell.
func (s *stylesheet) header() role {
	r := s.running()
	r.bold = true
	return r
}

// text makes a text of runs in a role. It returns nil if they have no text.
func (s *stylesheet) text(runs []content.Run, r role) *text {
	t := &text{runs: runs, block: -1}
	length := 0
	for _, run := range runs {
		length += len(run.Text)
	}
	str := make([]byte, 0, length)
	var spans []typeset.Span
	for _, run := range runs {
		if run.Text == "" {
			continue
		}
		shown, size, style := s.look(run, r)
		source := s.face.Font(style)
		look := t.lookNumber(shown)
		for words := normalize(run.Text); words != ""; {
			n, font := len(words), source
			if source != nil {
				var has bool
				if n, has = s.faces.CoveredPrefix(words, source); !has {
					font = nil
				}
			}
			str = append(str, words[:n]...)
			words = words[n:]
			spans = extend(spans, typeset.Span{End: len(str), Face: s.faces.Face(size, style, font), Look: look, Spaced: !style.Monospace})
		}
	}
	for len(str) > 0 && str[len(str)-1] == '\n' {
		str = str[:len(str)-1]
	}
	if len(str) == 0 {
		return nil
	}
	s.baseline(t, r)
	if r.dir == bidi.Auto {
		r.dir = bidi.Paragraph(string(str), s.direction)
	}
	t.Text = typeset.New(string(str), clip(spans, len(str)), r.dir, s.pace.did)
	return t
}

// lookNumber returns the number of a look, which it adds unless it is that of the text before.
func (t *text) lookNumber(look textLook) int {
	if n := len(t.looks); n == 0 || t.looks[n-1] != look {
		t.looks = append(t.looks, look)
	}
	return len(t.looks) - 1
}

// extend adds a span, or makes the last one longer if it looks the same.
func extend(spans []typeset.Span, sp typeset.Span) []typeset.Span {
	if n := len(spans) - 1; n >= 0 && spans[n].Face == sp.Face && spans[n].Look == sp.Look {
		spans[n].End = sp.End
		return spans
	}
	return append(spans, sp)
}

// clip cuts spans off at the end of their text.
func clip(spans []typeset.Span, end int) []typeset.Span {
	for i := range spans {
		if spans[i].End >= end {
			spans[i].End = end
			return spans[:i+1]
		}
	}
	return spans
}

func (s *stylesheet) baseline(t *text, r role) {
	style := fyne.TextStyle{Bold: r.bold, Italic: r.italic, Monospace: r.mono}
	face := s.faces.Face(r.size, style, s.face.Font(style))
	t.leading = round(r.size * r.leading)
	t.baseline = round((t.leading-face.Height)/2 + face.Ascent)
}

// Superscript and subscript, in em of the text around them.
const (
	scriptSize = 0.72
	supRise    = 0.36
	subRise    = -0.14
)

// look returns how a run looks in a role, and the size and style of its face.
func (s *stylesheet) look(run content.Run, r role) (sp textLook, size float32, style fyne.TextStyle) {
	style = fyne.TextStyle{
		Bold:      r.bold || run.Style&content.Bold != 0,
		Italic:    r.italic || run.Style&content.Italic != 0,
		Monospace: r.mono || run.Style&content.Mono != 0,
	}
	size, sp = r.size, textLook{color: r.tint, link: run.Link}
	if style.Monospace && !r.mono {
		// The monospace face has a larger x-height than the text face.
		size, sp.ground, sp.color = round(size*s.code/s.body), look.ColorCode, look.ColorCodeText
	}
	switch {
	case run.Style&content.Sup != 0:
		size, sp.rise = size*scriptSize, supRise*size
	case run.Style&content.Sub != 0:
		size, sp.rise = size*scriptSize, subRise*size
	}
	if run.Style&content.Marked != 0 {
		sp.ground = look.ColorMarked
		if sp.color == look.ColorMuted {
			sp.color = look.ColorText
		}
	}
	switch {
	case run.Link != "" && run.Style&content.Sup != 0: // a note's number stands out without a line, which would cross it
		sp.color = look.ColorLink
	case run.Link != "":
		sp.color, sp.underline = look.ColorLink, look.ColorLinkLine
	case run.Style&content.Underline != 0:
		sp.underline = sp.color
	}
	sp.struckThrough = run.Style&content.Strike != 0
	if style.Monospace { // there is only one monospace face
		style = fyne.TextStyle{Monospace: true}
	}
	return sp, size, style
}

func round(x float32) float32 { return float32(int(x + 0.5)) }
