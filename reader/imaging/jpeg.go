package imaging

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/jpeg"
)

// jpegFormat measures a file before it is decoded: a scan of a few bytes goes over all blocks of an image, and a file of a
// megabyte has room for forty thousand of them.
var jpegFormat = rasterFormat{"jpeg", "\xff\xd8\xff", jpeg.DecodeConfig, jpeg.Decode, jpegMemory, jpegWork}

// maxJPEGBlocks is how many blocks of 8 × 8 all scans of a JPEG file may visit: ten times those of the largest photo that
// is shown. Visiting one takes up to 60 ns.
const maxJPEGBlocks = 24_000_000

// Markers of ITU T.81, table B.1.
const (
	jpegBaseline    = 0xc0
	jpegExtended    = 0xc1
	jpegProgressive = 0xc2
	jpegRestart0    = 0xd0
	jpegRestart7    = 0xd7
	jpegStart       = 0xd8
	jpegScan        = 0xda
	jpegAdobe       = 0xee
	jpegFill        = 0xff
)

// jpegFrame is what the markers of a JPEG file say of it.
type jpegFrame struct {
	progressive bool
	converted   bool         // its colors are RGB or CMYK, which the decoder copies
	blocks      map[byte]int // of each component, by its identifier
	visited     int          // blocks, by all scans
}

// readJPEG reads the markers of a JPEG file (ITU T.81, annex B). What it cannot read, the decoder cannot either.
func readJPEG(body []byte) (f jpegFrame) {
	for len(body) >= 4 {
		at := bytes.IndexByte(body, 0xff)
		if at < 0 || at+4 > len(body) {
			return f
		}
		body = body[at:]
		marker, size := body[1], int(binary.BigEndian.Uint16(body[2:]))
		if marker == 0 || marker == jpegFill || marker >= jpegRestart0 && marker <= jpegStart {
			// Within a scan: a byte of data, a marker of its own without a segment. A filler comes before a marker.
			body = body[1:]
			continue
		}
		segment := body[4:max(4, min(len(body), 2+size))]
		switch marker {
		case jpegBaseline, jpegExtended, jpegProgressive:
			f.readFrame(segment)
			f.progressive = marker == jpegProgressive
		case jpegAdobe:
			f.converted = f.converted || len(segment) >= 12 && segment[11] == 0
		case jpegScan:
			f.readScan(segment)
		}
		body = body[min(len(body), 2+max(2, size)):]
	}
	return f
}

// readFrame reads the size of the image and of its components (B.2.2).
func (f *jpegFrame) readFrame(s []byte) {
	if len(s) < 6 {
		return
	}
	height, width := int(binary.BigEndian.Uint16(s[1:])), int(binary.BigEndian.Uint16(s[3:]))
	components := s[6:]
	components = components[:min(len(components), 3*int(s[5]))/3*3]
	across, down := 1, 1
	for c := components; len(c) > 0; c = c[3:] {
		across, down = max(across, int(c[1]>>4)), max(down, int(c[1]&15))
	}
	columns, rows := (width+8*across-1)/(8*across), (height+8*down-1)/(8*down)
	f.blocks = map[byte]int{}
	for c := components; len(c) > 0; c = c[3:] {
		f.blocks[c[0]] = columns * rows * int(c[1]>>4) * int(c[1]&15)
	}
	f.converted = f.converted || len(f.blocks) == 4 || bytes.HasPrefix(components, []byte("R")) && len(f.blocks) == 3
}

// readScan counts the blocks that a scan visits (B.2.3).
func (f *jpegFrame) readScan(s []byte) {
	if len(s) == 0 {
		return
	}
	for c := s[1:]; len(c) >= 2 && len(c) > len(s)-1-2*int(s[0]); c = c[2:] {
		f.visited += max(1, f.blocks[c[0]])
	}
}

// all counts the blocks of all components.
func (f *jpegFrame) all() (n int) {
	for _, blocks := range f.blocks {
		n += blocks
	}
	return n
}

// jpegMemory counts a byte for each sample; four more in a progressive image, whose coefficients are all held at once; and
// the copy of an image whose colors the decoder converts.
func jpegMemory(body []byte, c image.Config) int64 {
	f := readJPEG(body)
	samples := int64(f.all()) * 64
	memory := samples
	if f.progressive {
		memory += 4 * samples
	}
	if f.converted {
		memory += 4 * int64(c.Width) * int64(c.Height)
	}
	return max(memory, int64(c.Width)*int64(c.Height))
}

func jpegWork(body []byte) error {
	if f := readJPEG(body); f.visited > maxJPEGBlocks {
		return &Error{Code: TooMuchWork, Detail: "the scans of a JPEG file"}
	}
	return nil
}
