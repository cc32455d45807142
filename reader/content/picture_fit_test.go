package content

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

const (
	threeWidths = `<img src="m.jpg" srcset="s.jpg 300w, m.jpg 800w, l.jpg 1600w">`
	inPicture   = `<picture><source media="(min-width: 900px)" srcset="wide.jpg 1800w"><source type="image/avif" srcset="x.avif"><source media="(max-width: 25em)" srcset="tall.jpg 400w, tall2.jpg 800w"><img src="i.jpg"></picture>`
)

// shownIn returns the file of the first picture that is shown in a column.
func shownIn(html string, c Column, requests bool, there ...string) string {
	clean := Sanitize(html, Origin{Base: "https://x.test/"})
	d := Parse(clean)
	has := func(address string) bool {
		for _, name := range there {
			if address == "https://x.test/"+name {
				return true
			}
		}
		return false
	}
	d.FitPictures(c, has, requests)
	for _, b := range d.Blocks {
		if b.Kind == Picture {
			if fitted := FitHTML(clean, c, has, requests); LeadPicture(fitted) != b.Image.URL || strings.Contains(fitted, "srcset") {
				return fitted
			}
			return strings.TrimPrefix(b.Image.URL, "https://x.test/")
		}
	}
	return ""
}

func TestFitPictures(t *testing.T) {
	for _, c := range []struct {
		html         string
		width, scale float32
		want         string
	}{
		{threeWidths, 250, 1, "s.jpg"},
		{threeWidths, 320, 1, "s.jpg"}, // a tenth too small is sharp enough
		{threeWidths, 700, 1, "m.jpg"},
		{threeWidths, 700, 2, "l.jpg"},
		{threeWidths, 3000, 2, "l.jpg"},
		{`<img src="a.jpg" width="200" srcset="s.jpg 300w, l.jpg 1600w">`, 700, 1, "s.jpg"}, // it is shown in 200
		{`<img src="a.jpg" srcset="b.jpg 2x, c.jpg 3x">`, 700, 1, "a.jpg"},
		{`<img src="a.jpg" srcset="b.jpg 2x, c.jpg 3x">`, 700, 1.5, "b.jpg"},
		{`<img src="a.jpg" width=700 srcset="b.jpg 2x">`, 300, 2, "a.jpg"}, // it is made smaller
		{`<img src="a.jpg" srcset="b.jpg 2x">`, 700, 4, "b.jpg"},
		{inPicture, 1000, 1, "wide.jpg"},
		{inPicture, 700, 1, "i.jpg"},
		{inPicture, 390, 1, "tall.jpg"},
		{inPicture, 390, 2, "tall2.jpg"},
		{`<picture><source type="image/webp; q=1" srcset="a.webp 300w, b.webp 900w"><img src="i.jpg" srcset="j.jpg 900w"></picture>`, 700, 1, "b.webp"},
		{`<picture><source media="print" srcset="p.jpg"><source media="(prefers-color-scheme: dark)" srcset="d.jpg"><img src="i.jpg"></picture>`, 700, 1, "i.jpg"},
		{`<picture><source media="screen and (width >= 500px) and (max-width: 800px)" srcset="p.jpg"><img src="i.jpg"></picture>`, 700, 1, "p.jpg"},
		{`<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="a.jpg" data-srcset="s.jpg 300w, m.jpg 900w">`, 700, 1, "m.jpg"},
		{`<img src="a.jpg" srcset="http://127.0.0.1/x.jpg 700w, //pixel.wp.com/g.gif 800w, bad 0w, bad -1x, bad NaNw, data:image/png;base64,AAAA 900w">`, 700, 1, "a.jpg"},
		{`<img src="a.jpg" srcset="w_300,h_200/s.jpg 300w, w_900,h_600/m.jpg 900w,">`, 700, 1, "w_900,h_600/m.jpg"},
		{threeWidths, float32(math.NaN()), 0, "m.jpg"},
	} {
		if got := shownIn(c.html, Column{c.width, c.scale}, true); got != c.want {
			t.Errorf("%s in %v × %v: %s, not %s", c.html, c.width, c.scale, got, c.want)
		}
	}
}

// What is there is shown while it is nearly large enough, and in any size without a network.
func TestFitPicturesToWhatIsThere(t *testing.T) {
	for _, c := range []struct {
		html     string
		width    float32
		requests bool
		there    []string
		want     string
	}{
		{threeWidths, 1000, true, []string{"m.jpg"}, "m.jpg"},
		{threeWidths, 1400, true, []string{"m.jpg", "s.jpg"}, "m.jpg"}, // src
		{threeWidths, 1400, true, []string{"s.jpg"}, "l.jpg"},
		{threeWidths, 1400, false, []string{"s.jpg"}, "s.jpg"},
		{threeWidths, 250, true, []string{"l.jpg"}, "l.jpg"},
		{threeWidths, 700, true, []string{"l.jpg", "m.jpg"}, "m.jpg"},
		{threeWidths, 600, true, []string{"l.jpg", "x.jpg"}, "l.jpg"},
		{threeWidths, 700, false, nil, "m.jpg"},
		{inPicture, 700, true, []string{"wide.jpg"}, "wide.jpg"},
		{`<img src="a.jpg" srcset="b.jpg 900w">`, 700, true, []string{"a.jpg"}, "a.jpg"},
	} {
		if got := shownIn(c.html, Column{c.width, 1}, c.requests, c.there...); got != c.want {
			t.Errorf("%s in %v with %v: %s, not %s", c.html, c.width, c.there, got, c.want)
		}
	}
}

// What was stored in several sizes passes the policy again as it is, and differs from one size in nothing else.
func TestSizesAreStored(t *testing.T) {
	for _, html := range []string{threeWidths, inPicture, `<p>a<picture><source srcset="a.jpg"><img></picture>`, `<picture><source media="(min-width:1px)" srcset="a.jpg 2x"></picture><img src=b>`} {
		o := Origin{Base: "https://x.test/"}
		clean := Sanitize(html, o)
		if again := SanitizeAgain(clean, o); again != clean {
			t.Errorf("%s\nbecomes %s", clean, again)
		}
		if one := WithoutSizes(clean); strings.Contains(one, "srcset") || strings.Contains(one, "<picture") || Parse(one).PlainText() != Parse(clean).PlainText() {
			t.Errorf("one size: %s", one)
		}
	}
}

// Of many files that differ little, few are kept.
func TestManySizes(t *testing.T) {
	var set strings.Builder
	for w := 100; w < 6000; w += 100 {
		fmt.Fprintf(&set, "/%s.jpg?w=%d %dw, ", strings.Repeat("x", 150), w, w)
	}
	clean := Sanitize(`<img src="a.jpg" srcset="`+set.String()+`">`, Origin{Base: "https://x.test/"})
	if n := strings.Count(clean, "w,") + 1; n < 8 || n > 20 {
		t.Errorf("%d files", n)
	}
}

func FuzzFitPictures(f *testing.F) {
	for _, s := range []string{threeWidths, inPicture, `<picture><source media="(min-width:1e9px)" srcset=",,, a 1w"><img src=x>`} {
		f.Add(s, float32(700), float32(1))
	}
	f.Fuzz(func(t *testing.T, html string, width, scale float32) {
		o := Origin{Base: "https://x.test/"}
		clean := Sanitize(html, o)
		if again := SanitizeAgain(clean, o); strings.Count(again, "srcset") != strings.Count(clean, "srcset") {
			t.Errorf("%q\nbecomes %q", clean, again)
		}
		d := Parse(clean)
		d.FitPictures(Column{width, scale}, func(string) bool { return len(html)%2 == 0 }, true)
		for _, b := range d.Blocks {
			if b.Kind == Picture && b.Image.sizes != nil && !strings.HasPrefix(b.Image.URL, "http") && !strings.HasPrefix(b.Image.URL, "data:image/") {
				t.Errorf("%q is shown of %q", b.Image.URL, clean)
			}
		}
	})
}
