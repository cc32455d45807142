package icon

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/image/bmp"
)

// The pictures of these tests: red on the left, blue on the right, the lowest quarter
// transparent where the kind of picture knows that.
var red, blue = color.NRGBA{200, 20, 20, 255}, color.NRGBA{20, 20, 200, 255}

func flag(w, h int, holes bool) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			switch {
			case holes && y >= h*3/4:
			case x < w/2:
				img.SetNRGBA(x, y, red)
			default:
				img.SetNRGBA(x, y, blue)
			}
		}
	}
	return img
}

func pngOf(tb testing.TB, img image.Image) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// dib is the bitmap of an ICO file of so many bits a pixel, without its mask.
func dib(w, h, bits int) []byte {
	colors := 0
	if bits <= 8 {
		colors = 2
	}
	b := make([]byte, dibHeader)
	binary.LittleEndian.PutUint32(b, dibHeader)
	binary.LittleEndian.PutUint32(b[4:], uint32(w))
	binary.LittleEndian.PutUint32(b[8:], uint32(2*h))
	binary.LittleEndian.PutUint16(b[12:], 1)
	binary.LittleEndian.PutUint16(b[14:], uint16(bits))
	binary.LittleEndian.PutUint32(b[32:], uint32(colors))
	if colors > 0 {
		b = append(b, red.B, red.G, red.R, 0, blue.B, blue.G, blue.R, 0)
	}
	stride := (w*bits + 31) / 32 * 4
	img := flag(w, h, bits == 32)
	for y := h - 1; y >= 0; y-- {
		row := make([]byte, stride)
		for x := range w {
			c := img.NRGBAAt(x, y)
			switch {
			case bits > 8:
				copy(row[x*bits/8:], []byte{c.B, c.G, c.R, c.A}[:bits/8])
			case x >= w/2:
				row[x*bits/8] |= 1 << (8 - bits - x*bits%8)
			}
		}
		b = append(b, row...)
	}
	return b
}

// mask is the mask of an ICO's bitmap: the lowest quarter is not shown.
func mask(w, h int) (b []byte) {
	for y := h - 1; y >= 0; y-- {
		row := make([]byte, (w+31)/32*4)
		for x := range w {
			if y >= h*3/4 {
				row[x/8] |= 0x80 >> (x % 8)
			}
		}
		b = append(b, row...)
	}
	return b
}

// part is a picture of an ICO file.
type part struct {
	side, bits int
	data       []byte
}

func icoOf(parts ...part) []byte {
	b := binary.LittleEndian.AppendUint16([]byte(icoMagic), uint16(len(parts)))
	at := len(b) + icoEntry*len(parts)
	for _, p := range parts {
		b = append(b, byte(p.side), byte(p.side), 0, 0, 1, 0, byte(p.bits), 0)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(p.data)))
		b = binary.LittleEndian.AppendUint32(b, uint32(at))
		at += len(p.data)
	}
	for _, p := range parts {
		b = append(b, p.data...)
	}
	return b
}

// webps are the flag of 24 pixels, as Go writes no such pictures.
var webps = map[string]string{
	"lossless webp": "UklGRjoAAABXRUJQVlA4TC0AAAAvF8AFEBcwFAKBJIj9KQYUCCQBDj7W/AfsDsy0bVOSIRmo7fZH9H8CVOCLVAIA",
	"webp": "UklGRtQAAABXRUJQVlA4WAoAAAAQAAAAFwAAFwAAQUxQSBUAAAABDzD/ERFCIJDkLz3AAhH9zyYAAAAAVlA4IJgAAAAwBgCdASoYABgAPi0S" +
		"hkKhoQ3+qgAMAWJZgB2APwrowH4q3AB+gHv/7gBvM3+A6gADVAFl43PSpg5AAP78qE/dubf//n5lxrArEft3kCb9F7///sM/5eQVm/f+vMvs" +
		"WdiaIJwBqNx0gluWue7UDsGkGCnHHu11MZD2m2y//Br7Vkgh98TW2XPNUo9/GwgP8gQ+IDaoDiAAAA==",
	"lossy webp": "UklGRmgAAABXRUJQVlA4IFwAAABQBACdASoYABgAPjEUiEKiISEYBAAgAwSgB0gFGA/ACu/9wAAmkSZLvBhwAP773EfRInf//nYPlHiQEC/j" +
		"3nLde1Nf//0+r/iuhjAJ//p9X3A7VVOl3E7oMpAAAA==",
}

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -50 100 100">
	<g fill="#c81414"><rect x="-50" y="-50" width="50" height="75"/></g><path style="fill:#1414c8" d="M0-50H50V25H0z"/></svg>`

// pictures are the flag in every kind there is, by name; the number is the side of what
// becomes of it.
func pictures(tb testing.TB) map[string]struct {
	body []byte
	side int
} {
	type pic = struct {
		body []byte
		side int
	}
	all := map[string]pic{"png": {pngOf(tb, flag(180, 180, true)), 32}, "small png": {pngOf(tb, flag(16, 16, true)), 16},
		"svg": {[]byte(drawing), 32}}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, flag(64, 64, false), &jpeg.Options{Quality: 95}); err != nil {
		tb.Fatal(err)
	}
	all["jpeg"] = pic{bytes.Clone(b.Bytes()), 32}
	b.Reset()
	pal := image.NewPaletted(image.Rect(0, 0, 32, 32), color.Palette{color.Transparent, red, blue})
	for y := range 24 {
		for x := range 32 {
			pal.SetColorIndex(x, y, uint8(1+x/16))
		}
	}
	if err := gif.Encode(&b, pal, nil); err != nil {
		tb.Fatal(err)
	}
	all["gif"] = pic{bytes.Clone(b.Bytes()), 32}
	b.Reset()
	if err := bmp.Encode(&b, flag(16, 16, false)); err != nil {
		tb.Fatal(err)
	}
	all["bmp"] = pic{bytes.Clone(b.Bytes()), 16}
	for _, bits := range []int{1, 4, 8, 24, 32} {
		all[fmt.Sprintf("ico of %d bits", bits)] = pic{icoOf(part{16, bits, append(dib(16, 16, bits), mask(16, 16)...)}), 16}
	}
	all["ico without a mask"] = pic{icoOf(part{16, 32, dib(16, 16, 32)}), 16}
	all["ico of 256"] = pic{icoOf(part{256, 32, append(dib(256, 256, 32), mask(256, 256)...)}), 32}
	bare := dib(16, 16, 32)
	for i := dibHeader + 3; i < len(bare); i += 4 {
		bare[i] = 0
	}
	all["ico without alpha"] = pic{icoOf(part{16, 32, append(bare, mask(16, 16)...)}), 16}
	all["ico of png"] = pic{icoOf(part{0, 32, pngOf(tb, flag(256, 256, true))}), 32}
	all["ico of many"] = pic{icoOf(part{16, 32, dib(16, 16, 32)}, part{0, 32, pngOf(tb, flag(256, 256, true))},
		part{48, 8, append(dib(48, 48, 8), mask(48, 48)...)}, part{48, 32, dib(48, 48, 32)}), 32}
	for name, text := range webps {
		body, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			tb.Fatal(err)
		}
		all[name] = pic{body, 24}
	}
	return all
}

func TestEveryKindOfPicture(t *testing.T) {
	for name, p := range pictures(t) {
		t.Run(name, func(t *testing.T) {
			out, err := small(p.body)
			if err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(bytes.NewReader(out))
			if err != nil {
				t.Fatal(err)
			}
			if size := img.Bounds().Size(); size != image.Pt(p.side, p.side) {
				t.Fatalf("it is %v", size)
			}
			at := func(x, y float64) color.NRGBA {
				return color.NRGBAModel.Convert(img.At(int(x*float64(p.side)), int(y*float64(p.side)))).(color.NRGBA)
			}
			if left, right := at(0.25, 0.4), at(0.75, 0.4); !near(left, red) || !near(right, blue) {
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

// A picture that is not square stands in the middle of one.
func TestSquare(t *testing.T) {
	out, err := small(pngOf(t, flag(60, 45, false)))
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

// hugePNG is a PNG that says to have any size.
func hugePNG(tb testing.TB, w, h uint32) []byte {
	b := pngOf(tb, flag(8, 8, false))
	binary.BigEndian.PutUint32(b[16:], w)
	binary.BigEndian.PutUint32(b[20:], h)
	binary.BigEndian.PutUint32(b[29:], crc32.ChecksumIEEE(b[12:29]))
	return b
}

// What is no icon is refused before it takes memory.
func TestRefusedPictures(t *testing.T) {
	wide := dib(16, 16, 32)
	binary.LittleEndian.PutUint32(wide[4:], 30000)
	binary.LittleEndian.PutUint32(wide[8:], 60000)
	var many []part
	for range 200 {
		many = append(many, part{64, 32, nil})
	}
	bomb := icoOf(many...)
	for i := range many {
		binary.LittleEndian.PutUint32(bomb[icoHeader+i*icoEntry+8:], 1<<31)
		binary.LittleEndian.PutUint32(bomb[icoHeader+i*icoEntry+12:], 4)
	}
	gifOf := func(w, h byte) []byte {
		return []byte{'G', 'I', 'F', '8', '9', 'a', 0, w, 0, h, 0x80, 0, 0, 1, 2, 3, 4, 5, 6}
	}
	webp := func(w, h byte) []byte { // a canvas of 24 × 24 around a picture that says to be larger
		b := []byte("RIFF\xff\xff\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x17\x00\x00\x17\x00\x00VP8L\x05\x00\x00\x00\x2f")
		return append(b, 0xff, 0xff, 0xff, 0x0f, 0, w, h)
	}
	for name, c := range map[string]struct {
		says string
		body []byte
	}{
		"nothing":             {"no known kind", nil},
		"a page":              {"no known kind", []byte("<!DOCTYPE html><html><body>Not found</body></html>")},
		"text":                {"no known kind", []byte("404")},
		"a banner":            {"88 wide and 31 high", pngOf(t, flag(88, 31, false))},
		"a dot":               {"1 × 1 pixels", pngOf(t, flag(1, 1, false))},
		"air":                 {"transparent", pngOf(t, image.NewNRGBA(image.Rect(0, 0, 32, 32)))},
		"a cover":             {"1200 × 1200", pngOf(t, flag(1200, 1200, false))},
		"a png bomb":          {"60000 × 60000", hugePNG(t, 60000, 60000)},
		"half a png":          {"not enough", pngOf(t, flag(64, 64, true))[:90]},
		"a gif bomb":          {"65280 × 65280", gifOf(0xff, 0xff)},
		"a webp bomb":         {"invalid format", webp(0, 0)},
		"an ico of nothing":   {"without pictures", icoOf()},
		"an ico of a bomb":    {"60000 × 60000", icoOf(part{32, 32, hugePNG(t, 60000, 60000)})},
		"a wide ico":          {"30000 × 30000", icoOf(part{32, 32, wide})},
		"an ico of bombs":     {"unsupported", bomb},
		"half an ico":         {"unexpected EOF", icoOf(part{32, 32, dib(32, 32, 32)[:2000]})},
		"an ico of no colors": {"unsupported", icoOf(part{16, 8, bytes.Replace(dib(16, 16, 8), []byte{2, 0, 0, 0}, []byte{0xff, 0xff, 0xff, 0xff}, 1)})},
		"a huge svg":          {"over 64 kB", []byte(`<svg viewBox="0 0 1e300 1e300"><path d="M0 0H1e300V1e300z"/></svg>` + strings.Repeat(" ", maxSVG))},
		"an endless svg":      {"<use>", []byte(`<svg viewBox="0 0 9 9"><defs><use id="a" href="#a"/></defs><use href="#a"/></svg>`)},
		"a dashed svg":        {"dashes", []byte(`<svg viewBox="0 0 9 9"><path style="stroke:red;stroke-dasharray:.0001" d="M0 0H9"/></svg>`)},
		"a styled svg":        {"style sheet", []byte(`<svg viewBox="0 0 9 9"><style>path{fill:red}</style><path d="M0 0H9V9z"/></svg>`)},
		"a written svg":       {"<text>", []byte(`<svg viewBox="0 0 9 9"><text>K</text></svg>`)},
		"an svg of no size":   {"0 wide", []byte(`<svg><path d="M0 0H9V9z"/></svg>`)},
		"a broken svg":        {"syntax", []byte(`<svg viewBox="0 0 9 9"><path d="M0 0H9V9z"/>`)},
		"an odd svg":          {"even-odd", []byte(`<svg viewBox="0 0 9 9"><path fill-rule="evenodd" d="M0 0H9V9zM1 1H8V8z"/></svg>`)},
		"a tangled svg":       {"too many lines", []byte(`<svg viewBox="0 0 1 1"><path d="M0 0` + strings.Repeat("C9e8 9e8-9e8 9e8 0 0 ", 3000) + `"/></svg>`)},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			out, err := small(c.body)
			runtime.ReadMemStats(&after)
			if !errors.Is(err, ErrPicture) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%d bytes, %v", len(out), err)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 24<<20 {
				t.Errorf("took %d MB", took>>20)
			}
		})
	}
}

// What a drawing says for dark windows, and in units of a page, is passed over.
func TestDrawings(t *testing.T) {
	for name, body := range map[string]string{
		"by class": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><style>.a,.b{fill:#c81414}
			@media (prefers-color-scheme:dark){.a{fill:#fff}.b{fill:#fff}}</style><title>A logo</title><path class="a" d="M0 0H8V8H0z"/></svg>`,
		"in percent":  `<svg width="100%" height="1em" viewBox="0 0 8 8"><path fill="#c81414" d="M0 0H8V8H0z"/></svg>`,
		"by inkscape": `<svg xmlns:i="http://inkscape" width="8" height="8"><i:view><i:grid/></i:view><rect style="fill:#c81414;stroke-dasharray:none" width="8" height="8"/></svg>`,
		"one outline": `<svg viewBox="0 0 8 8"><path fill="#c81414" fill-rule="evenodd" clip-rule="evenodd" d="M0 0H8V8H0z"/></svg>`,
		"a stroke":    `<svg viewBox="0 0 800 800"><path stroke="#c81414" stroke-width="800" d="M400 0V800"/></svg>`,
	} {
		out, err := small([]byte(body))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		img, err := png.Decode(bytes.NewReader(out))
		if err != nil {
			t.Fatal(err)
		}
		if c := color.NRGBAModel.Convert(img.At(20, 16)).(color.NRGBA); !near(c, red) {
			t.Errorf("%s: %v", name, c)
		}
	}
	for _, radius := range []string{"rx", "ry"} {
		out, err := small([]byte(`<svg viewBox="0 0 8 8"><rect ` + radius + `="4" width="8" height="8"/></svg>`))
		if err != nil {
			t.Fatal(err)
		}
		img, _ := png.Decode(bytes.NewReader(out))
		if _, _, _, a := img.At(1, 1).RGBA(); a != 0 {
			t.Errorf("corners of which %s alone is given are not round", radius)
		}
	}
	thin := `<svg viewBox="0 0 800 800"><path stroke="#c81414" stroke-width="50" d="M400 0V800"/></svg>`
	out, err := small([]byte(thin))
	if err != nil {
		t.Fatal(err)
	}
	img, _ := png.Decode(bytes.NewReader(out))
	if _, _, _, a := img.At(10, 16).RGBA(); a != 0 {
		t.Error("a stroke is not scaled with its drawing")
	}
}

// Whatever comes, what is made of it is a small picture or nothing.
func FuzzSmall(f *testing.F) {
	for _, p := range pictures(f) {
		if len(p.body) < 8<<10 {
			f.Add(p.body)
		}
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		out, err := small(body)
		if err != nil {
			if out != nil || !errors.Is(err, ErrPicture) {
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

func BenchmarkSmall(b *testing.B) {
	for _, name := range []string{"png", "ico of many", "svg"} {
		body := pictures(b)[name].body
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := small(body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
