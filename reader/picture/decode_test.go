package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"golang.org/x/sync/semaphore"

	"kairos/reader/imaging"
)

// quarters returns an image of red, green, blue and white, clockwise from the top left.
func quarters(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.NRGBA{255, 0, 0, 255}
			switch {
			case x >= w/2 && y < h/2:
				c = color.NRGBA{0, 200, 0, 255}
			case x >= w/2:
				c = color.NRGBA{0, 0, 255, 255}
			case y >= h/2:
				c = color.NRGBA{255, 255, 255, 255}
			}
			img.Set(x, y, c)
		}
	}
	return img
}

func encoded(t testing.TB, img image.Image, kind string) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch kind {
	case "png":
		err = png.Encode(&b, img)
	case "jpeg":
		err = jpeg.Encode(&b, img, &jpeg.Options{Quality: 95})
	case "gif":
		err = gif.Encode(&b, img, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// corners returns the initials of the colors of the corners, clockwise from the top left.
func corners(img image.Image) string {
	b := img.Bounds()
	var names strings.Builder
	for _, p := range []image.Point{{1, 1}, {b.Dx() - 2, 1}, {b.Dx() - 2, b.Dy() - 2}, {1, b.Dy() - 2}} {
		c := color.NRGBAModel.Convert(img.At(p.X, p.Y)).(color.NRGBA)
		switch {
		case c.R > 200 && c.G > 200 && c.B > 200:
			names.WriteByte('w')
		case c.R > 200:
			names.WriteByte('r')
		case c.G > 150:
			names.WriteByte('g')
		case c.B > 200:
			names.WriteByte('b')
		default:
			names.WriteByte('?')
		}
	}
	return names.String()
}

// A white pixel as the smallest WebP there is, lossless.
const whiteWebP = "RIFF\x1a\x00\x00\x00WEBPVP8L\r\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00"

func TestFormats(t *testing.T) {
	img := quarters(60, 40)
	for name, c := range map[string]struct {
		body    []byte
		corners string
		size    image.Point
	}{
		"png":  {encoded(t, img, "png"), "rgbw", image.Pt(60, 40)},
		"jpeg": {encoded(t, img, "jpeg"), "rgbw", image.Pt(60, 40)},
		"gif":  {encoded(t, img, "gif"), "rgbw", image.Pt(60, 40)},
		"svg": {[]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><rect width="60" height="40" fill="#fff"/>` +
			`<rect width="30" height="20" fill="#f00"/><rect x="30" width="30" height="20" fill="#0c0"/><rect x="30" y="20" width="30" height="20" fill="#00f"/></svg>`), "rgbw", image.Pt(60, 40)},
		"webp": {[]byte(whiteWebP), "", image.Pt(1, 1)},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := decode(t.Context(), c.body, image.Point{}, false, room())
			if err != nil {
				t.Fatal(err)
			}
			if got := image.Pt(p.Width, p.Height); got != c.size || p.Image.Bounds().Size() != c.size {
				t.Errorf("it is %v and shown as %v", got, p.Image.Bounds())
			}
			if c.corners != "" && corners(p.Image) != c.corners {
				t.Errorf("its corners are %s, want %s", corners(p.Image), c.corners)
			}
		})
	}
}

func TestFit(t *testing.T) {
	body := encoded(t, quarters(900, 300), "png")
	for box, want := range map[image.Point]image.Point{
		{}:                {900, 300},
		{X: 2000}:         {900, 300}, // never enlarged
		{X: 300}:          {300, 100},
		{X: 300, Y: 50}:   {150, 50},
		{X: 7}:            {7, 2},
		{X: 1, Y: 1}:      {1, 1},
		{X: 450, Y: 9999}: {450, 150},
	} {
		p, err := decode(t.Context(), body, box, false, room())
		if err != nil {
			t.Fatal(err)
		}
		if p.Image.Bounds().Size() != want || p.Width != 900 || p.Height != 300 {
			t.Errorf("in %v it is %v of %d × %d, want %v", box, p.Image.Bounds().Size(), p.Width, p.Height, want)
		}
		if want.X > 6 && want.Y > 40 && corners(p.Image) != "rgbw" {
			t.Errorf("in %v its corners are %s", box, corners(p.Image))
		}
	}
}

// turned is a JPEG file with an EXIF orientation.
func turned(t testing.TB, img image.Image, orientation uint16, order binary.AppendByteOrder) []byte {
	t.Helper()
	tiff := []byte("II*\x00")
	if order == binary.AppendByteOrder(binary.BigEndian) {
		tiff = []byte("MM\x00*")
	}
	tiff = order.AppendUint32(tiff, 8)
	tiff = order.AppendUint16(tiff, 2)
	for _, tag := range []uint16{0x010f, 0x0112} {
		tiff = order.AppendUint16(order.AppendUint16(tiff, tag), 3)
		tiff = order.AppendUint32(tiff, 1)
		tiff = order.AppendUint16(order.AppendUint16(tiff, orientation), 0)
	}
	segment := append([]byte("Exif\x00\x00"), tiff...)
	plain := encoded(t, img, "jpeg")
	out := append([]byte{}, plain[:2]...)
	out = binary.BigEndian.AppendUint16(append(out, 0xff, 0xe1), uint16(len(segment)+2))
	return append(append(out, segment...), plain[2:]...)
}

// Where the corners of a picture end up (EXIF 2.32, table 6).
func TestOrientation(t *testing.T) {
	img := quarters(60, 40)
	for o, want := range map[uint16]string{0: "rgbw", 1: "rgbw", 2: "grwb", 3: "bwrg", 4: "wbgr", 5: "rwbg", 6: "wrgb", 7: "bgrw", 8: "gbwr", 9: "rgbw"} {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			p, err := decode(t.Context(), turned(t, img, o, order), image.Pt(30, 30), false, room())
			if err != nil {
				t.Fatal(err)
			}
			size := image.Pt(30, 20)
			if o >= 5 && o <= 8 {
				size = image.Pt(20, 30)
			}
			if got := corners(p.Image); got != want || p.Image.Bounds().Size() != size || p.Width*size.Y != p.Height*size.X {
				t.Errorf("orientation %d: corners %s, want %s; %v of %d × %d", o, got, want, p.Image.Bounds(), p.Width, p.Height)
			}
		}
	}
}

// isUnusable tells an error of an image from any other.
func isUnusable(err error) bool {
	var e *imaging.Error
	return errors.As(err, &e)
}

// room is memory for a picture.
func room() *semaphore.Weighted { return semaphore.NewWeighted(maxMemory) }

// header is a PNG file that claims a size, and ends.
func header(w, h uint32) []byte { return headerOf(w, h, 8, false) }

// headerOf is header with a number of bits for each color, and maybe in passes.
func headerOf(w, h uint32, bits byte, interlaced bool) []byte {
	chunk := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), w), h)
	chunk = append(chunk, bits, 6, 0, 0, 0)
	if interlaced {
		chunk[len(chunk)-1] = 1
	}
	out := append([]byte("\x89PNG\r\n\x1a\n"), 0, 0, 0, 13)
	return binary.BigEndian.AppendUint32(append(out, chunk...), crc32.ChecksumIEEE(chunk))
}

func TestUnusableImages(t *testing.T) {
	jpg, drawing := encoded(t, quarters(60, 40), "jpeg"), `<svg viewBox="0 0 9 9">%s</svg>`
	for name, c := range map[string]struct{ body, want string }{
		"nothing":          {"", "unknown-format"},
		"a page":           {"<!doctype html><p>Not here", "unknown-format"},
		"20,000 a side":    {string(header(20000, 20000)), "too-many-pixels (20000 × 20000)"},
		"deep in passes":   {string(headerOf(4000, 3500, 16, true)), "too-many-pixels (4000 × 3500)"},
		"no pixels":        {string(header(0, 7)), "broken"},
		"ends early":       {string(jpg[:len(jpg)/2]), "broken"},
		"only a header":    {string(header(30, 30)), "broken"},
		"TIFF":             {"II*\x00\x08\x00\x00\x00\x02\x00\x00\x01\x04\x00\x01\x00\x00\x00\xff\xff\xff\x7f\x01\x01\x04\x00\x01\x00\x00\x00\xff\xff\xff\x7f", "unknown-format"},
		"TIFF from a Mac":  {"MM\x00*\x00\x00\x00\x08" + strings.Repeat("\xff", 4000), "unknown-format"},
		"BigTIFF":          {"II+\x00\x08\x00\x00\x00" + strings.Repeat("\xff", 4000), "unknown-format"},
		"AVIF":             {"\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1" + strings.Repeat("\xff", 4000), "browser-format"},
		"HEIC":             {"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00heicmif1" + strings.Repeat("\xff", 4000), "browser-format"},
		"JPEG XL":          {"\xff\x0a" + strings.Repeat("\xff", 4000), "unknown-format"},
		"JPEG 2000":        {"\x00\x00\x00\x0cjP  \r\n\x87\n" + strings.Repeat("\xff", 4000), "unknown-format"},
		"Photoshop":        {"8BPS\x00\x01" + strings.Repeat("\xff", 4000), "unknown-format"},
		"PDF":              {"%PDF-1.7\n" + strings.Repeat("\xff", 4000), "unknown-format"},
		"PostScript":       {"%!PS-Adobe-3.0 EPSF-3.0\n{} loop", "unknown-format"},
		"QOI":              {"qoif\xff\xff\xff\xff\xff\xff\xff\xff\x04\x00", "unknown-format"},
		"PCX":              {"\x0a\x05\x01\x08\x00\x00\x00\x00\xff\xff\xff\xff" + strings.Repeat("\xff", 4000), "unknown-format"},
		"XPM":              {"/* XPM */ static char *x[] = { \"60000 60000 9 9\",", "unknown-format"},
		"a path of words":  {fmt.Sprintf(drawing, "<textPath>a</textPath>"), "svg-unsupported"},
		"endless words":    {fmt.Sprintf(drawing, "<text>"+strings.Repeat("a", 6000)+"</text>"), "too-much-work"},
		"a page in an SVG": {fmt.Sprintf(drawing, "<foreignObject/>"), "svg-unsupported"},
		"SVG without size": {`<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>`, "svg-without-size"},
		"SVG of 2 MB":      {fmt.Sprintf(drawing, strings.Repeat(" ", 2<<20)), "svg-too-large"},
	} {
		_, err := decode(t.Context(), []byte(c.body), image.Pt(600, 0), false, room())
		if !isUnusable(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Any input becomes an error or a picture that fits.
func FuzzDecode(f *testing.F) {
	for _, kind := range []string{"png", "jpeg", "gif"} {
		f.Add(encoded(f, quarters(16, 8), kind))
	}
	f.Add([]byte(whiteWebP))
	f.Add(turned(f, quarters(16, 8), 6, binary.BigEndian))
	f.Fuzz(func(t *testing.T, body []byte) {
		p, err := decode(t.Context(), body, image.Pt(20, 20), false, room())
		if err == nil && (p.Image.Bounds().Dx() > 20 || p.Image.Bounds().Dy() > 20) {
			t.Errorf("it is %v", p.Image.Bounds())
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	for _, side := range []int{1200, 5000} {
		for _, kind := range []string{"jpeg", "png"} {
			body := encoded(b, quarters(side, side*2/3), kind)
			b.Run(fmt.Sprintf("%s-%d", kind, side), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := decode(b.Context(), body, image.Pt(660, 0), false, room()); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
