package imagingtest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// ScansJPEG returns a gray progressive JPEG of side × side pixels in a number of scans: each goes over all blocks again.
func ScansJPEG(side, scans int) []byte {
	var b bytes.Buffer
	segment := func(marker byte, body ...byte) {
		b.Write([]byte{0xff, marker})
		b.Write(binary.BigEndian.AppendUint16(nil, uint16(len(body)+2)))
		b.Write(body)
	}
	codes := func(class, symbol byte) []byte { return append(append([]byte{class, 1}, make([]byte, 15)...), symbol) }
	blocks := (side + 7) / 8 * ((side + 7) / 8)
	b.WriteString("\xff\xd8")
	segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)
	segment(0xc2, 8, byte(side>>8), byte(side), byte(side>>8), byte(side), 1, 1, 0x11, 0)
	segment(0xc4, codes(0x00, 0x00)...) // a bit for no difference
	segment(0xc4, codes(0x10, 0xe0)...) // 15 bits for 16,384 blocks at their end
	segment(0xda, 1, 1, 0, 0, 0, 0x00)
	b.Write(make([]byte, (blocks+7)/8))
	for range scans - 1 {
		segment(0xda, 1, 1, 0, 1, 63, 0x10)
		b.Write(make([]byte, ((blocks+16383)/16384*15+7)/8))
	}
	b.WriteString("\xff\xd9")
	return b.Bytes()
}

// RectanglesSVG returns a drawing of n rectangles that all cover it.
func RectanglesSVG(side, n int) []byte {
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %[1]d">%s</svg>`, side,
		strings.Repeat(fmt.Sprintf(`<rect width="%d" height="%[1]d" fill="#abc"/>`, side), n))
}

// StopsSVG returns a drawing of n shapes filled by a gradient of stops.
func StopsSVG(side, n, stops int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %[1]d"><defs><linearGradient id="g">`, side)
	for i := range stops {
		fmt.Fprintf(&b, `<stop offset="%g" stop-color="#%06x"/>`, float64(i)/float64(stops), i)
	}
	b.WriteString("</linearGradient></defs>")
	for range n {
		fmt.Fprintf(&b, `<rect width="%d" height="%[1]d" fill="url(#g)"/>`, side)
	}
	b.WriteString("</svg>")
	return b.Bytes()
}

// LinesSVG returns a drawing of one shape of n lines from corner to corner.
func LinesSVG(side, n int) []byte {
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %[1]d"><path d="M0 0%s"/></svg>`, side,
		strings.Repeat(fmt.Sprintf("L%d %[1]dL1 0", side), n/2))
}

// StylesSVG returns a drawing whose style sheet gives n declarations to each of n classes.
func StylesSVG(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><style>.a`)
	for i := range n {
		fmt.Fprintf(&b, ",.c%d", i)
	}
	b.WriteString("{")
	for i := range n {
		fmt.Fprintf(&b, "p%d:1;", i)
	}
	b.WriteString(`}</style><rect class="a" width="9" height="9"/></svg>`)
	return b.Bytes()
}
