// Package imagingtest makes images of every format that icons are read from.
package imagingtest

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"

	"golang.org/x/image/bmp"
)

// Red and Blue are the colors of Flag.
var Red, Blue = color.NRGBA{200, 20, 20, 255}, color.NRGBA{20, 20, 200, 255}

// Flag returns an image that is red on the left and blue on the right; its lowest
// quarter is transparent on request.
func Flag(w, h int, transparent bool) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			switch {
			case transparent && y >= h*3/4:
			case x < w/2:
				img.SetNRGBA(x, y, Red)
			default:
				img.SetNRGBA(x, y, Blue)
			}
		}
	}
	return img
}

// PNG encodes an image.
func PNG(tb testing.TB, img image.Image) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// DIB returns a flag as the bitmap of an ICO file with some bits per pixel, without its mask.
func DIB(w, h, bits int) []byte {
	colors := 0
	if bits <= 8 {
		colors = 2
	}
	b := make([]byte, DIBHeader)
	binary.LittleEndian.PutUint32(b, DIBHeader)
	binary.LittleEndian.PutUint32(b[4:], uint32(w))
	binary.LittleEndian.PutUint32(b[8:], uint32(2*h))
	binary.LittleEndian.PutUint16(b[12:], 1)
	binary.LittleEndian.PutUint16(b[14:], uint16(bits))
	binary.LittleEndian.PutUint32(b[32:], uint32(colors))
	if colors > 0 {
		b = append(b, Red.B, Red.G, Red.R, 0, Blue.B, Blue.G, Blue.R, 0)
	}
	stride := (w*bits + 31) / 32 * 4
	img := Flag(w, h, bits == 32)
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

// mask returns the mask of an ICO file's bitmap that hides the lowest quarter.
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

// Sizes of the parts of an ICO file, in bytes.
const (
	ICOHeader     = 6
	ICOEntryBytes = 16
	DIBHeader     = 40
)

// ICOImage is an image of an ICO file.
type ICOImage struct {
	Side, Bits int
	Data       []byte
}

// ICO returns a file of some images.
func ICO(parts ...ICOImage) []byte {
	b := binary.LittleEndian.AppendUint16([]byte("\x00\x00\x01\x00"), uint16(len(parts)))
	at := len(b) + ICOEntryBytes*len(parts)
	for _, p := range parts {
		b = append(b, byte(p.Side), byte(p.Side), 0, 0, 1, 0, byte(p.Bits), 0)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(p.Data)))
		b = binary.LittleEndian.AppendUint32(b, uint32(at))
		at += len(p.Data)
	}
	for _, p := range parts {
		b = append(b, p.Data...)
	}
	return b
}

// webps are flags of 24 pixels, since Go cannot encode WebP.
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

// Image is a file.
type Image struct {
	Body []byte
	Side int // of the icon that it becomes, in pixels
}

// All returns a flag in every format, by name.
func All(tb testing.TB) map[string]Image {
	all := map[string]Image{"png": {PNG(tb, Flag(180, 180, true)), 32}, "small png": {PNG(tb, Flag(16, 16, true)), 16},
		"svg": {[]byte(drawing), 32}}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, Flag(64, 64, false), &jpeg.Options{Quality: 95}); err != nil {
		tb.Fatal(err)
	}
	all["jpeg"] = Image{bytes.Clone(b.Bytes()), 32}
	b.Reset()
	pal := image.NewPaletted(image.Rect(0, 0, 32, 32), color.Palette{color.Transparent, Red, Blue})
	for y := range 24 {
		for x := range 32 {
			pal.SetColorIndex(x, y, uint8(1+x/16))
		}
	}
	if err := gif.Encode(&b, pal, nil); err != nil {
		tb.Fatal(err)
	}
	all["gif"] = Image{bytes.Clone(b.Bytes()), 32}
	b.Reset()
	if err := bmp.Encode(&b, Flag(16, 16, false)); err != nil {
		tb.Fatal(err)
	}
	all["bmp"] = Image{bytes.Clone(b.Bytes()), 16}
	for _, bits := range []int{1, 4, 8, 24, 32} {
		all[fmt.Sprintf("ico of %d bits", bits)] = Image{ICO(ICOImage{16, bits, append(DIB(16, 16, bits), mask(16, 16)...)}), 16}
	}
	all["ico without a mask"] = Image{ICO(ICOImage{16, 32, DIB(16, 16, 32)}), 16}
	all["ico of 256"] = Image{ICO(ICOImage{256, 32, append(DIB(256, 256, 32), mask(256, 256)...)}), 32}
	bare := DIB(16, 16, 32)
	for i := DIBHeader + 3; i < len(bare); i += 4 {
		bare[i] = 0
	}
	all["ico without alpha"] = Image{ICO(ICOImage{16, 32, append(bare, mask(16, 16)...)}), 16}
	all["ico of png"] = Image{ICO(ICOImage{0, 32, PNG(tb, Flag(256, 256, true))}), 32}
	all["ico of many"] = Image{ICO(ICOImage{16, 32, DIB(16, 16, 32)}, ICOImage{0, 32, PNG(tb, Flag(256, 256, true))},
		ICOImage{48, 8, append(DIB(48, 48, 8), mask(48, 48)...)}, ICOImage{48, 32, DIB(48, 48, 32)}), 32}
	for name, text := range webps {
		body, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			tb.Fatal(err)
		}
		all[name] = Image{body, 24}
	}
	return all
}

// HugePNG returns a small PNG file that claims a size.
func HugePNG(tb testing.TB, w, h uint32) []byte {
	b := PNG(tb, Flag(8, 8, false))
	binary.BigEndian.PutUint32(b[16:], w)
	binary.BigEndian.PutUint32(b[20:], h)
	binary.BigEndian.PutUint32(b[29:], crc32.ChecksumIEEE(b[12:29]))
	return b
}
