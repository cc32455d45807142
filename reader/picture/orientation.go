package picture

import (
	"bytes"
	"encoding/binary"
	"image"
)

// orientation is that of EXIF 2.32 (§4.6.4, tag 0x0112): 1 is upright, 2 to 8 say how the camera was held.
type orientation int

// exifOrientation reads the orientation of a JPEG file; any other file is upright.
func exifOrientation(body []byte) orientation {
	if !bytes.HasPrefix(body, []byte("\xff\xd8")) {
		return 1
	}
	for at := 2; at+4 <= len(body) && body[at] == 0xff; {
		marker, size := body[at+1], int(binary.BigEndian.Uint16(body[at+2:]))
		switch {
		case marker == 0xff:
			at++
			continue
		case marker == 0xda || size < 2:
			return 1
		case marker == 0xe1:
			if segment := body[at+4 : min(len(body), at+2+size)]; bytes.HasPrefix(segment, []byte("Exif\x00\x00")) {
				return tiffOrientation(segment[6:])
			}
		}
		at += 2 + size
	}
	return 1
}

// tiffOrientation reads the tag in the first directory.
func tiffOrientation(b []byte) orientation {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case bytes.HasPrefix(b, []byte("MM\x00*")):
		order = binary.BigEndian
	case !bytes.HasPrefix(b, []byte("II*\x00")):
		return 1
	}
	if len(b) < 8 {
		return 1
	}
	at := int64(order.Uint32(b[4:]))
	if at+2 > int64(len(b)) {
		return 1
	}
	for n := range int64(order.Uint16(b[at:])) {
		entry := at + 2 + 12*n
		if entry+12 > int64(len(b)) {
			return 1
		}
		if order.Uint16(b[entry:]) == 0x0112 {
			if o := orientation(order.Uint16(b[entry+8:])); o >= 1 && o <= 8 {
				return o
			}
			return 1
		}
	}
	return 1
}

// size returns the size of a picture after it is turned upright, or before.
func (o orientation) size(p image.Point) image.Point {
	if o >= 5 {
		return image.Pt(p.Y, p.X)
	}
	return p
}

// apply turns a picture upright.
func (o orientation) apply(src *image.RGBA) *image.RGBA {
	if o <= 1 {
		return src
	}
	size := src.Bounds().Size()
	to := o.size(size)
	dst := image.NewRGBA(image.Rectangle{Max: to})
	for y := range size.Y {
		for x := range size.X {
			dx, dy := o.at(x, y, size)
			copy(dst.Pix[dy*dst.Stride+4*dx:][:4], src.Pix[y*src.Stride+4*x:][:4])
		}
	}
	return dst
}

// at returns where a pixel of a picture of some size goes.
func (o orientation) at(x, y int, size image.Point) (int, int) {
	right, bottom := size.X-1-x, size.Y-1-y
	switch o {
	case 2:
		return right, y
	case 3:
		return right, bottom
	case 4:
		return x, bottom
	case 5:
		return y, x
	case 6:
		return bottom, x
	case 7:
		return bottom, right
	case 8:
		return y, right
	}
	return x, y
}
