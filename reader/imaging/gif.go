package imaging

import (
	"context"
	"encoding/binary"
	"image/gif"
)

// GIF is what the blocks of an animated GIF say before it is decoded.
type GIF struct {
	Frames int
	Pixels int64 // of all frames, which may be smaller than the picture; decoding takes a byte for each
}

// ScanGIF counts the frames of a GIF by its blocks (GIF89a, §§17–27), without decoding them. It is zero for what is no GIF, and counts
// what comes before the first fault. It counts at least the frames that image/gif decodes.
func ScanGIF(body []byte) (g GIF) {
	const header, frame, extension = 13, 0x2C, 0x21
	if len(body) < header || string(body[:4]) != "GIF8" {
		return GIF{}
	}
	rest := skipColors(body[header:], body[10])
	for len(rest) > 0 {
		switch rest[0] {
		case extension:
			rest = skipExtension(rest[1:])
		case frame:
			if len(rest) < 10 {
				return g
			}
			g.Frames++
			g.Pixels += int64(binary.LittleEndian.Uint16(rest[5:])) * int64(binary.LittleEndian.Uint16(rest[7:]))
			const codeSize = 1
			rest = skipData(skip(skipColors(rest[10:], rest[9]), codeSize))
		default: // the end, or a fault
			return g
		}
	}
	return g
}

func skip(b []byte, n int) []byte { return b[min(n, len(b)):] }

// skipColors skips a table of colors, if the flags say that there is one.
func skipColors(b []byte, flags byte) []byte {
	if flags&0x80 == 0 {
		return b
	}
	return skip(b, 3<<(1+flags&7))
}

// skipExtension skips an extension, which begins with its label, as image/gif reads it: of some it does not obey the size, or the end.
func skipExtension(b []byte) []byte {
	const text, graphicControl, application = 0x01, 0xF9, 0xFF
	if len(b) < 2 {
		return nil
	}
	label, size, b := b[0], int(b[1]), b[1:]
	switch label {
	case text:
		b = skip(b, 13)
	case graphicControl:
		return skip(b, 6)
	case application:
		b = skip(b, 1+size)
	}
	return skipData(b)
}

// skipData skips blocks of data up to the empty one.
func skipData(b []byte) []byte {
	for len(b) > 0 {
		n := int(b[0])
		b = skip(b, 1+n)
		if n == 0 {
			break
		}
	}
	return b
}

// DecodeGIF decodes all frames of a GIF. Its caller has asked ScanGIF what that takes. Errors: *Error, the context's.
func DecodeGIF(ctx context.Context, body []byte) (*gif.GIF, error) {
	g, err := bounded(ctx, func(ctx context.Context) (*gif.GIF, error) {
		g, err := gif.DecodeAll(&patient{ctx, body})
		if err != nil {
			return nil, broken(err)
		}
		return g, nil
	})
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	return g, err
}
