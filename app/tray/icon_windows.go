package tray

import "encoding/binary"

// systemIcon is an icon of 64 × 64 pixels, given as PNG, as the system wants it: a file of icons with this one.
func systemIcon(png []byte) []byte {
	const header, entry = 6, 16
	ico := []byte{0, 0, 1, 0, 1, 0, // one icon
		64, 64, 0, 0, 1, 0, 32, 0} // its size, no palette, one plane of 32 bits
	ico = binary.LittleEndian.AppendUint32(ico, uint32(len(png)))
	ico = binary.LittleEndian.AppendUint32(ico, header+entry)
	return append(ico, png...)
}
