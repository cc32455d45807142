package imaging

import (
	"encoding/xml"
	"strings"
	"unicode/utf8"
)

// maxSVGText is how many characters of text a drawing may have.
const maxSVGText = 5000

// svgSpan is a piece of text in one look.
type svgSpan struct {
	text   string
	font   svgFont
	groups [][]xml.Attr // of the elements around it
	x, y   string       // where it stands; "" after the one before
	dx, dy float64      // how far from there
}

// svgLevel is an element within text that is being read.
type svgLevel struct {
	font   svgFont
	groups [][]xml.Attr
}

// text writes an element of text as the outlines of its letters, which the library draws.
func (w *svgWriter) text(in *xml.Decoder, t xml.StartElement) error {
	spans, err := w.spans(in, t)
	if err != nil {
		return err
	}
	length := 0.0
	for _, a := range t.Attr {
		if a.Name.Local == "textLength" {
			length = svgLength(a.Value, usualSVGFont.size, w.width, 0)
		}
	}
	x, y := 0.0, 0.0
	for len(spans) > 0 {
		n := 1 // of the spans that are anchored together
		for n < len(spans) && spans[n].x == "" && spans[n].y == "" {
			n++
		}
		if x, y, err = w.line(spans[:n], x, y, length); err != nil {
			return err
		}
		spans = spans[n:]
	}
	return nil
}

// line writes spans that follow each other, and returns where they end.
func (w *svgWriter) line(spans []svgSpan, x, y, length float64) (float64, float64, error) {
	first := spans[0]
	x, y = svgLength(first.x, first.font.size, w.width, x), svgLength(first.y, first.font.size, w.height, y)
	width, letters := 0.0, 0
	for _, s := range spans {
		width += s.dx + s.font.advance(s.text)
		letters += utf8.RuneCountInString(s.text)
	}
	spacing := 0.0
	if length > 0 && letters > 1 {
		spacing = (length - width) / float64(letters-1)
		width = length
	}
	switch first.font.anchor {
	case "middle":
		x -= width / 2
	case "end":
		x -= width
	}
	for _, s := range spans {
		x, y = x+s.dx, y+s.dy
		if !s.font.hidden {
			if err := w.outline(s.groups, s.font.outline(s.text, x, y-s.font.rise(), spacing)); err != nil {
				return x, y, err
			}
		}
		x += s.font.advance(s.text) + spacing*float64(utf8.RuneCountInString(s.text))
	}
	return x, y, nil
}

// outline writes a path within groups.
func (w *svgWriter) outline(groups [][]xml.Attr, d string) error {
	if d == "" {
		return nil
	}
	element := func(name string, attr []xml.Attr) xml.StartElement {
		w.shapes++
		return xml.StartElement{Name: xml.Name{Local: name}, Attr: attr}
	}
	path := element("path", []xml.Attr{{Name: xml.Name{Local: "d"}, Value: d}})
	tokens := []xml.Token{path, path.End()}
	for i := len(groups) - 1; i >= 0; i-- {
		g := element("g", groups[i])
		tokens = append(append([]xml.Token{g}, tokens...), g.End())
	}
	for _, t := range tokens {
		if err := w.to.EncodeToken(t); err != nil {
			return err
		}
	}
	return nil
}

// spans reads an element of text up to its end.
func (w *svgWriter) spans(in *xml.Decoder, t xml.StartElement) (spans []svgSpan, err error) {
	var levels []svgLevel
	var next svgSpan // where the next one stands
	open := func(t xml.StartElement) error {
		level := svgLevel{font: w.font()}
		if len(levels) > 0 {
			level = levels[len(levels)-1]
		}
		declarations := declarationsOf(t.Name.Local, t.Attr, w.rules)
		level.font = level.font.in(declarations)
		group, err := w.attributes("g", t.Attr)
		if err != nil {
			return err
		}
		var rest []xml.Attr
		for _, a := range group {
			switch em := level.font.size; a.Name.Local {
			case "x":
				next.x = a.Value
			case "y":
				next.y = a.Value
			case "dx":
				next.dx += svgLength(a.Value, em, w.width, 0)
			case "dy":
				next.dy += svgLength(a.Value, em, w.height, 0)
			case "textLength", "lengthAdjust", "rotate":
			default:
				rest = append(rest, a)
			}
		}
		if own := w.rules[t.Name.Local]; len(own) > 0 {
			level.groups = append(level.groups[:len(level.groups):len(level.groups)], []xml.Attr{{Name: xml.Name{Local: "style"}, Value: strings.Join(own, ";")}})
		}
		level.groups = append(level.groups[:len(level.groups):len(level.groups)], rest)
		levels = append(levels, level)
		if len(levels) > maxSVGLevels {
			return &Error{Code: TooMuchWork, Detail: "the text of a drawing"}
		}
		return nil
	}
	if err := open(t); err != nil {
		return nil, err
	}
	for len(levels) > 0 {
		token, err := in.Token()
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local != "tspan" && t.Name.Local != "a" {
				err = in.Skip()
			} else {
				err = open(t)
			}
			if err != nil {
				return nil, err
			}
		case xml.EndElement:
			levels = levels[:len(levels)-1]
		case xml.CharData:
			s := oneLine(string(t), len(spans) == 0 || next.x != "" || strings.HasSuffix(spans[len(spans)-1].text, " "))
			if s == "" {
				continue
			}
			if w.letters += utf8.RuneCountInString(s); w.letters > maxSVGText {
				return nil, &Error{Code: TooMuchWork, Detail: "the text of a drawing"}
			}
			level := levels[len(levels)-1]
			next.text, next.font, next.groups = s, level.font, level.groups
			spans, next = append(spans, next), svgSpan{}
		}
	}
	if n := len(spans); n > 0 {
		spans[n-1].text = strings.TrimRight(spans[n-1].text, " ")
	}
	return spans, nil
}

// maxSVGLevels is how deep elements within text may be nested.
const maxSVGLevels = 20

// oneLine makes each stretch of white space one blank, and none where a line starts.
func oneLine(s string, starts bool) string {
	words := strings.Fields(s)
	if len(words) == 0 {
		if starts || s == "" {
			return ""
		}
		return " "
	}
	line := strings.Join(words, " ")
	if !starts && strings.ContainsAny(s[:1], " \t\r\n") {
		line = " " + line
	}
	if strings.ContainsAny(s[len(s)-1:], " \t\r\n") {
		line += " "
	}
	return line
}
