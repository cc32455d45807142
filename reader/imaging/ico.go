package imaging

import (
	"cmp"
	"context"
	"encoding/binary"
	"image"
	"image/draw"
	"slices"
)

// An ICO file is a directory of images. Each is a PNG file, or the bitmap of a BMP
// file with a transparency mask of one bit per pixel behind it
// (learn.microsoft.com/previous-versions/ms997538). Existing libraries for it
// allocate as much memory as a file says it needs.
const (
	icoMagic      = "\x00\x00\x01\x00"
	icoHeader     = 6
	icoEntryBytes = 16
	icoMaxEntries = 64 // of the directory that are read
	icoMaxTries   = 3  // images that are tried, the best first
	bmpFileHeader = 14 // which a bitmap in an ICO file lacks
	dibHeader     = 40
)

// decodeICO decodes the smallest image that is large enough, else the largest.
func decodeICO(ctx context.Context, body []byte, o Options) (image.Image, error) {
	entries := icoDirectory(body, o.IconSide)
	err := error(&Error{Code: Broken, Detail: "an ICO file without images"})
	for _, e := range entries[:min(len(entries), icoMaxTries)] {
		var img image.Image
		if img, err = e.decode(ctx, body, o); err == nil {
			return img, nil
		}
	}
	return nil, err
}

// icoEntry is one image of an ICO file.
type icoEntry struct {
	side, bits int
	start, end int // in the file
}

// icoDirectory lists the images of an ICO file, the one that suits side best first.
func icoDirectory(body []byte, side int) (entries []icoEntry) {
	if len(body) < icoHeader {
		return nil
	}
	count := min(int(binary.LittleEndian.Uint16(body[4:])), icoMaxEntries)
	for i := range count {
		at := icoHeader + i*icoEntryBytes
		if at+icoEntryBytes > len(body) {
			break
		}
		raw := body[at : at+icoEntryBytes]
		e := icoEntry{side: int(raw[0]), bits: int(binary.LittleEndian.Uint16(raw[6:]))}
		if e.side == 0 {
			e.side = 256
		}
		size, start := uint64(binary.LittleEndian.Uint32(raw[8:])), uint64(binary.LittleEndian.Uint32(raw[12:]))
		if start >= uint64(len(body)) {
			continue
		}
		e.start, e.end = int(start), int(min(start+size, uint64(len(body))))
		entries = append(entries, e)
	}
	slices.SortStableFunc(entries, func(a, b icoEntry) int {
		aLarge, bLarge := a.side >= side, b.side >= side
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

func (e icoEntry) decode(ctx context.Context, body []byte, o Options) (image.Image, error) {
	data := body[e.start:e.end]
	if pngFormat.matches(data) {
		return pngFormat.decode(ctx, data, o)
	}
	return decodeBitmap(ctx, data, o)
}

// decodeBitmap decodes a bitmap and its mask, which may be missing.
func decodeBitmap(ctx context.Context, data []byte, o Options) (image.Image, error) {
	if len(data) < dibHeader {
		return nil, &Error{Code: Broken, Detail: "an ICO file that ends early"}
	}
	size, height := binary.LittleEndian.Uint32(data), int32(binary.LittleEndian.Uint32(data[8:]))
	bits, colors := uint32(binary.LittleEndian.Uint16(data[14:])), binary.LittleEndian.Uint32(data[32:])
	if bits > 8 {
		colors = 0 // a palette is only a hint here
	} else if colors == 0 {
		colors = 1 << bits
	}
	pixels := bmpFileHeader + size + 4*colors
	file := append(make([]byte, bmpFileHeader), data...)
	copy(file, "BM")
	binary.LittleEndian.PutUint32(file[10:], pixels)
	binary.LittleEndian.PutUint32(file[bmpFileHeader+8:], uint32(height/2)) // it counts the rows of the mask, too
	img, err := bmpFormat.decode(ctx, file, o)
	if err != nil {
		return nil, err
	}
	b := bitmap{image.NewNRGBA(img.Bounds()), height < 0}
	draw.Draw(b.img, b.img.Bounds(), img, image.Point{}, draw.Src)
	if bits != 32 || !b.readAlpha(file[pixels:]) {
		b.applyMask(b.eachRow(file[pixels:], int(bits), func(_, _ []byte) {}))
	}
	return b.img, nil
}

// bitmap is an image whose transparency is still to be read.
type bitmap struct {
	img     *image.NRGBA
	topDown bool
}

// eachRow calls f with each row of the file, whose length is a multiple of four
// bytes, and the row of the image it belongs to. It returns the rest of the file.
func (b bitmap) eachRow(data []byte, bitsPerPixel int, f func(raw, pix []byte)) (rest []byte) {
	bounds := b.img.Bounds()
	stride := (bounds.Dx()*bitsPerPixel + 31) / 32 * 4
	for i := 0; i < bounds.Dy() && len(data) >= stride; i++ {
		y := bounds.Dy() - 1 - i
		if b.topDown {
			y = i
		}
		f(data[:stride], b.img.Pix[y*b.img.Stride:][:b.img.Stride])
		data = data[stride:]
	}
	return data
}

// readAlpha takes the alpha of pixels of 32 bits and reports whether there is
// any: where all pixels are transparent, the mask counts.
func (b bitmap) readAlpha(data []byte) (found bool) {
	b.eachRow(data, 32, func(raw, _ []byte) {
		for x := 3; x < len(raw); x += 4 {
			found = found || raw[x] != 0
		}
	})
	b.eachRow(data, 32, func(raw, pix []byte) {
		for x := 3; found && x < len(pix); x += 4 {
			pix[x] = raw[x]
		}
	})
	return found
}

// applyMask makes transparent the pixels whose bit is set.
func (b bitmap) applyMask(mask []byte) {
	b.eachRow(mask, 1, func(raw, pix []byte) {
		for x := range len(pix) / 4 {
			if raw[x/8]>>(7-x%8)&1 == 1 {
				pix[4*x+3] = 0
			}
		}
	})
}
