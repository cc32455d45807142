package icon

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"image"
	"image/draw"
	"slices"
)

// An ICO file is a directory of pictures, each a PNG or the bitmap of a BMP file and a
// mask of a bit a pixel behind it (learn.microsoft.com/previous-versions/ms997538). The
// libraries there are for it take the memory that a file says it needs.
const (
	icoMagic   = "\x00\x00\x01\x00"
	icoHeader  = 6
	icoEntry   = 16
	icoEntries = 64 // of which are looked at
	icoTries   = 3  // pictures tried, the best first
	bmpHeader  = 14 // of a file, which a bitmap lacks
	dibHeader  = 40
)

// decodeICO decodes the smallest picture that is large enough, else the largest.
func decodeICO(body []byte) (image.Image, error) {
	entries := icoDirectory(body)
	err := fmt.Errorf("%w: an ICO file without pictures", ErrPicture)
	for _, e := range entries[:min(len(entries), icoTries)] {
		var img image.Image
		if img, err = e.decode(body); err == nil {
			return img, nil
		}
	}
	return nil, err
}

// entry is one picture of an ICO file.
type entry struct {
	side, bits int
	from, to   int // in the file
}

// icoDirectory lists the pictures, the best first.
func icoDirectory(body []byte) (entries []entry) {
	if len(body) < icoHeader {
		return nil
	}
	count := min(int(binary.LittleEndian.Uint16(body[4:])), icoEntries)
	for i := range count {
		at := icoHeader + i*icoEntry
		if at+icoEntry > len(body) {
			break
		}
		raw := body[at : at+icoEntry]
		e := entry{side: int(raw[0]), bits: int(binary.LittleEndian.Uint16(raw[6:]))}
		if e.side == 0 {
			e.side = 256
		}
		size, from := uint64(binary.LittleEndian.Uint32(raw[8:])), uint64(binary.LittleEndian.Uint32(raw[12:]))
		if from >= uint64(len(body)) {
			continue
		}
		e.from, e.to = int(from), int(min(from+size, uint64(len(body))))
		entries = append(entries, e)
	}
	slices.SortStableFunc(entries, func(a, b entry) int {
		aLarge, bLarge := a.side >= Size, b.side >= Size
		switch {
		case aLarge != bLarge && aLarge:
			return -1
		case aLarge != bLarge:
			return 1
		case aLarge:
			return cmp.Or(cmp.Compare(a.side, b.side), cmp.Compare(b.bits, a.bits))
		}
		return cmp.Or(cmp.Compare(b.side, a.side), cmp.Compare(b.bits, a.bits))
	})
	return entries
}

// decode decodes a picture of whatever kind.
func (e entry) decode(body []byte) (image.Image, error) {
	data := body[e.from:e.to]
	if pngFormat.matches(data) {
		return pngFormat.read(data)
	}
	return decodeBitmap(data)
}

// decodeBitmap decodes a bitmap and its mask, which may be missing.
func decodeBitmap(data []byte) (image.Image, error) {
	if len(data) < dibHeader {
		return nil, fmt.Errorf("%w: an ICO file that ends early", ErrPicture)
	}
	size, high := binary.LittleEndian.Uint32(data), int32(binary.LittleEndian.Uint32(data[8:]))
	bits, colors := uint32(binary.LittleEndian.Uint16(data[14:])), binary.LittleEndian.Uint32(data[32:])
	if bits > 8 {
		colors = 0 // those it may name are but a hint
	} else if colors == 0 {
		colors = 1 << bits
	}
	pixels := bmpHeader + size + 4*colors
	file := append(make([]byte, bmpHeader), data...)
	copy(file, "BM")
	binary.LittleEndian.PutUint32(file[10:], pixels)
	binary.LittleEndian.PutUint32(file[bmpHeader+8:], uint32(high/2)) // it counts the mask's rows, too
	img, err := bmpFormat.read(file)
	if err != nil {
		return nil, err
	}
	m := masked{image.NewNRGBA(img.Bounds()), high < 0}
	draw.Draw(m.img, m.img.Bounds(), img, image.Point{}, draw.Src)
	if bits != 32 || !m.alpha(file[pixels:]) {
		m.cut(m.rows(file[pixels:], int(bits), func(_, _ []byte) {}))
	}
	return m.img, nil
}

// masked is a bitmap whose transparency is still to be read.
type masked struct {
	img     *image.NRGBA
	topDown bool
}

// rows calls f with each row of the picture, as the file has them: of so many bits a
// pixel, of four bytes or a multiple. It returns what is left of the file.
func (m masked) rows(data []byte, bits int, f func(raw, pix []byte)) (rest []byte) {
	b := m.img.Bounds()
	stride := (b.Dx()*bits + 31) / 32 * 4
	for i := 0; i < b.Dy() && len(data) >= stride; i++ {
		y := b.Dy() - 1 - i
		if m.topDown {
			y = i
		}
		f(data[:stride], m.img.Pix[y*m.img.Stride:][:m.img.Stride])
		data = data[stride:]
	}
	return data
}

// alpha takes the transparency of pixels of 32 bits, and reports whether there is any: if
// all of them are said to be transparent, the mask counts.
func (m masked) alpha(data []byte) (there bool) {
	m.rows(data, 32, func(raw, _ []byte) {
		for x := 3; x < len(raw); x += 4 {
			there = there || raw[x] != 0
		}
	})
	m.rows(data, 32, func(raw, pix []byte) {
		for x := 3; there && x < len(pix); x += 4 {
			pix[x] = raw[x]
		}
	})
	return there
}

// cut leaves out what the mask does.
func (m masked) cut(mask []byte) {
	m.rows(mask, 1, func(raw, pix []byte) {
		for x := range len(pix) / 4 {
			if raw[x/8]>>(7-x%8)&1 == 1 {
				pix[4*x+3] = 0
			}
		}
	})
}
