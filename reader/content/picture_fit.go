package content

import (
	"cmp"
	"math"
	"slices"
	"strings"

	xhtml "golang.org/x/net/html"
)

// Column is the place that pictures are shown in.
type Column struct {
	Width float32 // in CSS pixels
	Scale float32 // pixels of the screen for one of CSS
}

// UsualColumn is the column of a window of the usual size.
var UsualColumn = Column{Width: 680, Scale: 1}

// valid returns the column, or the usual one if it cannot be.
func (c Column) valid() Column {
	if !(c.Width >= 1 && c.Width < 1e5 && c.Scale > 0.1 && c.Scale < 100) {
		return UsualColumn
	}
	return c
}

const (
	// sharpEnough is how much a picture may be enlarged without a larger file being looked for.
	sharpEnough = 1.1
	// stillGood is how much a picture may be enlarged before another file is requested for it.
	stillGood = 1.5
)

// sizes are the files that an author gives for a picture in several sizes.
type sizes struct{ sets []pictureSet }

// FitPictures chooses for each picture the file that is shown in a column: the smallest that is large enough. has tells which
// addresses are on this computer: what is there and nearly as large is taken rather than requesting another, and anything that is
// there if nothing can be requested.
func (d Document) FitPictures(c Column, has func(address string) bool, requests bool) {
	for i := range d.Blocks {
		if m := &d.Blocks[i].Image; m.sizes != nil {
			m.URL = m.fit(c.valid(), has, requests)
		}
	}
}

// FitHTML chooses as FitPictures does, and returns sanitized HTML with one address for each picture.
func FitHTML(sanitized string, c Column, has func(address string) bool, requests bool) string {
	if !strings.Contains(sanitized, "srcset=") {
		return sanitized
	}
	var b strings.Builder
	var sources builder
	for z := xhtml.NewTokenizer(strings.NewReader(sanitized)); ; {
		kind := z.Next()
		raw := string(z.Raw())
		if kind == xhtml.ErrorToken {
			return b.String()
		}
		t := z.Token()
		switch tag := kind == xhtml.StartTagToken || kind == xhtml.SelfClosingTagToken; {
		case t.Data == "picture" && kind != xhtml.TextToken:
			sources.sources = nil
		case tag && t.Data == "source":
			sources.source(t)
		case tag && t.Data == "img":
			m := imageOf(t)
			m.sizes, sources.sources = sizesOf(sources.sources, attribute(t, "srcset")), nil
			if m.sizes == nil {
				b.WriteString(raw)
				continue
			}
			t.Attr = slices.DeleteFunc(t.Attr, func(a xhtml.Attribute) bool { return a.Key == "srcset" })
			for i := range t.Attr {
				if t.Attr[i].Key == "src" {
					t.Attr[i].Val = m.fit(c.valid(), has, requests)
				}
			}
			b.WriteString(t.String())
		default:
			b.WriteString(raw)
		}
	}
}

// fit returns the address of the file that is shown in a column.
func (m *Image) fit(c Column, has func(string) bool, requests bool) string {
	width := float64(c.Width)
	if m.Width > 0 {
		width = min(width, float64(m.Width))
	}
	need := width * float64(c.Scale)
	choice := pictureFileOf{url: m.URL}
	var there []pictureFileOf
	chosen := false
	for _, set := range m.sizes.sets {
		for i := range set.files {
			f := set.files[i]
			if f.width == 0 {
				f.width = f.density * max(width, float64(m.Width))
			}
			if f.width*stillGood >= need && has(f.url) || !requests && has(f.url) {
				there = append(there, f)
			}
		}
		if !chosen && float64(c.Width) >= set.from && float64(c.Width) <= set.to {
			choice, chosen = set.smallest(need, max(width, float64(m.Width))), true
		}
	}
	switch {
	case has(choice.url):
	case len(there) > 0:
		distance := func(f pictureFileOf) float64 { return math.Abs(math.Log(f.width / need)) }
		return slices.MinFunc(there, func(a, b pictureFileOf) int { return cmp.Compare(distance(a), distance(b)) }).url
	case has(m.URL):
		return m.URL
	}
	return choice.url
}

// smallest returns the smallest file that is need pixels wide or more, else the largest. width is that of a file of density 1.
func (s *pictureSet) smallest(need, width float64) pictureFileOf {
	for _, f := range s.files {
		if max(f.width, f.density*width)*sharpEnough >= need {
			return f
		}
	}
	return s.files[len(s.files)-1]
}
