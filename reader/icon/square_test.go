package icon

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/png"
	"runtime"
	"strings"
	"testing"

	"kairos/reader/imaging"
	"kairos/reader/imaging/imagingtest"
)

func TestEveryFormat(t *testing.T) {
	for name, p := range imagingtest.All(t) {
		t.Run(name, func(t *testing.T) {
			out, err := squarePNG(t.Context(), p.Body, "")
			if err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(bytes.NewReader(out))
			if err != nil {
				t.Fatal(err)
			}
			if size := img.Bounds().Size(); size != image.Pt(p.Side, p.Side) {
				t.Fatalf("it is %v", size)
			}
			at := func(x, y float64) color.NRGBA {
				return color.NRGBAModel.Convert(img.At(int(x*float64(p.Side)), int(y*float64(p.Side)))).(color.NRGBA)
			}
			if left, right := at(0.25, 0.4), at(0.75, 0.4); !near(left, imagingtest.Red) || !near(right, imagingtest.Blue) {
				t.Errorf("left %v, right %v", left, right)
			}
			opaque := name == "jpeg" || name == "bmp" || strings.HasPrefix(name, "lossy")
			if low := at(0.5, 0.9); (low.A == 0) == opaque {
				t.Errorf("below %v", low)
			}
		})
	}
}

func near(a, b color.NRGBA) bool {
	far := func(x, y uint8) bool { return max(x, y)-min(x, y) > 24 }
	return !far(a.R, b.R) && !far(a.G, b.G) && !far(a.B, b.B) && a.A > 240
}

// An image that is not square is centered.
func TestSquare(t *testing.T) {
	out, err := squarePNG(t.Context(), imagingtest.PNG(t, imagingtest.Flag(60, 45, false)), "")
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	for y, want := range map[int]bool{1: false, 6: true, 16: true, 25: true, 30: false} {
		if _, _, _, a := img.At(16, y).RGBA(); (a > 0) != want || img.Bounds().Dy() != 32 {
			t.Errorf("row %d of %v has alpha %d", y, img.Bounds(), a)
		}
	}
}

// Unusable images are refused before they take memory.
func TestUnusableImages(t *testing.T) {
	wide := imagingtest.DIB(16, 16, 32)
	binary.LittleEndian.PutUint32(wide[4:], 30000)
	binary.LittleEndian.PutUint32(wide[8:], 60000)
	var many []imagingtest.ICOImage
	for range 200 {
		many = append(many, imagingtest.ICOImage{Side: 64, Bits: 32, Data: nil})
	}
	bomb := imagingtest.ICO(many...)
	for i := range many {
		binary.LittleEndian.PutUint32(bomb[imagingtest.ICOHeader+i*imagingtest.ICOEntryBytes+8:], 1<<31)
		binary.LittleEndian.PutUint32(bomb[imagingtest.ICOHeader+i*imagingtest.ICOEntryBytes+12:], 4)
	}
	gifOf := func(w, h byte) []byte {
		return []byte{'G', 'I', 'F', '8', '9', 'a', 0, w, 0, h, 0x80, 0, 0, 1, 2, 3, 4, 5, 6}
	}
	webp := func(w, h byte) []byte { // a canvas of 24 × 24 around an image that claims to be larger
		b := []byte("RIFF\xff\xff\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x17\x00\x00\x17\x00\x00VP8L\x05\x00\x00\x00\x2f")
		return append(b, 0xff, 0xff, 0xff, 0x0f, 0, w, h)
	}
	for name, c := range map[string]struct {
		want string // in the error
		body []byte
	}{
		"nothing":             {"unknown-format", nil},
		"a page":              {"unknown-format", []byte("<!DOCTYPE html><html><body>Not found</body></html>")},
		"text":                {"unknown-format", []byte("404")},
		"a banner":            {"not-square (88 × 31)", imagingtest.PNG(t, imagingtest.Flag(88, 31, false))},
		"a dot":               {"too-small (1 × 1)", imagingtest.PNG(t, imagingtest.Flag(1, 1, false))},
		"air":                 {"transparent", imagingtest.PNG(t, image.NewNRGBA(image.Rect(0, 0, 32, 32)))},
		"a cover":             {"1200 × 1200", imagingtest.PNG(t, imagingtest.Flag(1200, 1200, false))},
		"a png bomb":          {"60000 × 60000", imagingtest.HugePNG(t, 60000, 60000)},
		"half a png":          {"not enough", imagingtest.PNG(t, imagingtest.Flag(64, 64, true))[:90]},
		"a gif bomb":          {"65280 × 65280", gifOf(0xff, 0xff)},
		"a webp bomb":         {"invalid format", webp(0, 0)},
		"an ico of nothing":   {"without images", imagingtest.ICO()},
		"an ico of a bomb":    {"60000 × 60000", imagingtest.ICO(imagingtest.ICOImage{Side: 32, Bits: 32, Data: imagingtest.HugePNG(t, 60000, 60000)})},
		"a wide ico":          {"30000 × 30000", imagingtest.ICO(imagingtest.ICOImage{Side: 32, Bits: 32, Data: wide})},
		"an ico of bombs":     {"unsupported", bomb},
		"half an ico":         {"unexpected EOF", imagingtest.ICO(imagingtest.ICOImage{Side: 32, Bits: 32, Data: imagingtest.DIB(32, 32, 32)[:2000]})},
		"an ico of no colors": {"unsupported", imagingtest.ICO(imagingtest.ICOImage{Side: 16, Bits: 8, Data: bytes.Replace(imagingtest.DIB(16, 16, 8), []byte{2, 0, 0, 0}, []byte{0xff, 0xff, 0xff, 0xff}, 1)})},
		"a huge svg":          {"over 65536 bytes", []byte(`<svg viewBox="0 0 1e300 1e300"><path d="M0 0H1e300V1e300z"/></svg>` + strings.Repeat(" ", maxSVG))},
		"an endless svg":      {"<use>", []byte(`<svg viewBox="0 0 9 9"><defs><use id="a" href="#a"/></defs><use href="#a"/></svg>`)},
		"a dashed svg":        {"dashes", []byte(`<svg viewBox="0 0 9 9"><path style="stroke:red;stroke-dasharray:.0001" d="M0 0H9"/></svg>`)},
		"a styled svg":        {"style sheet", []byte(`<svg viewBox="0 0 9 9"><style>path{fill:red}</style><path d="M0 0H9V9z"/></svg>`)},
		"words off an svg":    {"transparent", []byte(`<svg viewBox="0 0 9 9"><text>K</text></svg>`)},
		"an svg of no size":   {"svg-without-size", []byte(`<svg><path d="M0 0H9V9z"/></svg>`)},
		"a broken svg":        {"syntax", []byte(`<svg viewBox="0 0 9 9"><path d="M0 0H9V9z"/>`)},
		"an odd svg":          {"even-odd", []byte(`<svg viewBox="0 0 9 9"><path fill-rule="evenodd" d="M0 0H9V9zM1 1H8V8z"/></svg>`)},
		"a tangled svg":       {"too-much-work", []byte(`<svg viewBox="0 0 1 1"><path d="M0 0` + strings.Repeat("C9e8 9e8-9e8 9e8 0 0 ", 3000) + `"/></svg>`)},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			out, err := squarePNG(t.Context(), c.body, "")
			runtime.ReadMemStats(&after)
			if unusable := (*imaging.Error)(nil); !errors.As(err, &unusable) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%d bytes, %v", len(out), err)
			}
			if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 24<<20 {
				t.Errorf("allocated %d MB", allocated>>20)
			}
		})
	}
}

// Styles for dark mode and lengths relative to a page are ignored.
func TestSVG(t *testing.T) {
	for name, body := range map[string]string{
		"by class": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><style>.a,.b{fill:#c81414}
			@media (prefers-color-scheme:dark){.a{fill:#fff}.b{fill:#fff}}</style><title>A logo</title><path class="a" d="M0 0H8V8H0z"/></svg>`,
		"in percent":  `<svg width="100%" height="1em" viewBox="0 0 8 8"><path fill="#c81414" d="M0 0H8V8H0z"/></svg>`,
		"by inkscape": `<svg xmlns:i="http://inkscape" width="8" height="8"><i:view><i:grid/></i:view><rect style="fill:#c81414;stroke-dasharray:none" width="8" height="8"/></svg>`,
		"one outline": `<svg viewBox="0 0 8 8"><path fill="#c81414" fill-rule="evenodd" clip-rule="evenodd" d="M0 0H8V8H0z"/></svg>`,
		"a stroke":    `<svg viewBox="0 0 800 800"><path stroke="#c81414" stroke-width="800" d="M400 0V800"/></svg>`,
	} {
		out, err := squarePNG(t.Context(), []byte(body), "")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		img, err := png.Decode(bytes.NewReader(out))
		if err != nil {
			t.Fatal(err)
		}
		if c := color.NRGBAModel.Convert(img.At(20, 16)).(color.NRGBA); !near(c, imagingtest.Red) {
			t.Errorf("%s: %v", name, c)
		}
	}
	for _, radius := range []string{"rx", "ry"} {
		out, err := squarePNG(t.Context(), []byte(`<svg viewBox="0 0 8 8"><rect `+radius+`="4" width="8" height="8"/></svg>`), "")
		if err != nil {
			t.Fatal(err)
		}
		img, _ := png.Decode(bytes.NewReader(out))
		if _, _, _, a := img.At(1, 1).RGBA(); a != 0 {
			t.Errorf("corners of which %s alone is given are not round", radius)
		}
	}
	thin := `<svg viewBox="0 0 800 800"><path stroke="#c81414" stroke-width="50" d="M400 0V800"/></svg>`
	out, err := squarePNG(t.Context(), []byte(thin), "")
	if err != nil {
		t.Fatal(err)
	}
	img, _ := png.Decode(bytes.NewReader(out))
	if _, _, _, a := img.At(10, 16).RGBA(); a != 0 {
		t.Error("a stroke is not scaled with its drawing")
	}
}

// Any input becomes a small icon or an error.
func FuzzSquarePNG(f *testing.F) {
	for _, p := range imagingtest.All(f) {
		if len(p.Body) < 8<<10 {
			f.Add(p.Body)
		}
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		out, err := squarePNG(t.Context(), body, "")
		if err != nil {
			if unusable := (*imaging.Error)(nil); out != nil || !errors.As(err, &unusable) {
				t.Errorf("%d bytes with %v", len(out), err)
			}
			return
		}
		c, err := png.DecodeConfig(bytes.NewReader(out))
		if err != nil || c.Width != c.Height || c.Width > Size || len(out) > 8<<10 {
			t.Errorf("%+v of %d bytes, %v", c, len(out), err)
		}
	})
}

func BenchmarkSquarePNG(b *testing.B) {
	for _, name := range []string{"png", "ico of many", "svg"} {
		body := imagingtest.All(b)[name].Body
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := squarePNG(b.Context(), body, ""); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
