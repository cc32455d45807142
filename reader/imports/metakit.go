package imports

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
)

// Metakit is an embedded database that stores views by columns; Akregator has one file for each feed. A file begins with "JL" and
// its size, and ends with the place of its root. The root is the structure of the file as text and then, for each property, where
// its columns lie. Numbers in it are written in groups of seven bits, of which the last has its highest bit set.

// maxMetakit is the largest file that is read, in bytes: it is held as a whole.
const maxMetakit = 128 << 20

var errMetakit = errors.New("not a sound Metakit file")

// view is a table of a Metakit file.
type view struct {
	rows  int
	ints  map[string][]int64
	texts map[string][]string
	views map[string][]view // one for each row
}

// number returns a number of a row; 0 if the view has no such column.
func (v *view) number(name string, row int) int64 {
	if column := v.ints[name]; row < len(column) {
		return column[row]
	}
	return 0
}

// text returns a text of a row; "" if the view has no such column.
func (v *view) text(name string, row int) string {
	if column := v.texts[name]; row < len(column) {
		return column[row]
	}
	return ""
}

// property is a column of a view.
type property struct {
	name string
	kind byte // I, L, S, B, V; others are skipped as they have the form of I
	sub  []property
}

// metakit reads one file.
type metakit struct {
	file  []byte
	cells int // that were read so far: a broken file may name one column over and over
}

// maxCells bounds what a file is made to hold.
const maxCells = 4_000_000

// readMetakit reads a file: the views within its root, by name.
func readMetakit(name string) (root view, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return root, err
	}
	if info.Size() > maxMetakit {
		return root, fmt.Errorf("larger than %d bytes", maxMetakit)
	}
	file, err := os.ReadFile(name)
	if err != nil {
		return root, err
	}
	return parseMetakit(file)
}

func parseMetakit(file []byte) (root view, err error) {
	if len(file) < 24 || string(file[:4]) != "JL\x1a\x00" {
		return root, errMetakit
	}
	tail := file[len(file)-8:]
	size, at := int(binary.BigEndian.Uint32(tail)&0xffffff), int(binary.BigEndian.Uint32(tail[4:]))
	if tail[0] != 0x80 || at < 8 || at+size > len(file) || size == 0 {
		return root, errMetakit
	}
	m := &metakit{file: file}
	w := &walk{file[at : at+size]}
	if _, err := w.number(); err != nil {
		return root, err
	}
	n, err := w.number()
	if err != nil || n < 0 || n > len(w.rest) {
		return root, errMetakit
	}
	properties, rest, err := parseProperties(string(w.rest[:n]), 0)
	if err != nil || rest != "" {
		return root, errMetakit
	}
	w.rest = w.rest[n:]
	return m.view(w, properties, 0)
}

// maxNesting is how deep views lie within views.
const maxNesting = 8

// parseProperties reads "name:S,other[sub:I]".
func parseProperties(text string, depth int) (all []property, rest string, err error) {
	if depth > maxNesting {
		return nil, "", errMetakit
	}
	for text != "" && text[0] != ']' {
		at := strings.IndexAny(text, ":[,]")
		if at <= 0 {
			return nil, "", errMetakit
		}
		p := property{name: text[:at]}
		switch text[at] {
		case ':':
			if len(text) < at+2 {
				return nil, "", errMetakit
			}
			p.kind, text = text[at+1], text[at+2:]
		case '[':
			if p.sub, text, err = parseProperties(text[at+1:], depth+1); err != nil {
				return nil, "", err
			}
			if !strings.HasPrefix(text, "]") {
				return nil, "", errMetakit
			}
			p.kind, text = 'V', text[1:]
		default:
			return nil, "", errMetakit
		}
		all = append(all, p)
		text = strings.TrimPrefix(text, ",")
	}
	return all, text, nil
}

// walk reads the numbers that describe a view.
type walk struct{ rest []byte }

func (w *walk) number() (int, error) {
	v := 0
	negative := len(w.rest) > 0 && w.rest[0] == 0
	for k, b := range w.rest {
		if k > 9 {
			break
		}
		v = v<<7 + int(b)
		if b&0x80 != 0 {
			w.rest = w.rest[k+1:]
			if v -= 0x80; negative {
				v = ^v
			}
			return v, nil
		}
	}
	return 0, errMetakit
}

// column reads where a column lies, and returns it.
func (m *metakit) column(w *walk) ([]byte, error) {
	size, err := w.number()
	if err != nil || size == 0 {
		return nil, err
	}
	at, err := w.number()
	if err != nil || size < 0 || at < 0 || at > len(m.file) || size > len(m.file)-at {
		return nil, errMetakit
	}
	return m.file[at : at+size], nil
}

// view reads a view, after the number before it.
func (m *metakit) view(w *walk, properties []property, depth int) (v view, err error) {
	v = view{ints: map[string][]int64{}, texts: map[string][]string{}, views: map[string][]view{}}
	if v.rows, err = w.number(); err != nil || v.rows <= 0 {
		return v, err
	}
	if m.cells += v.rows * len(properties); v.rows > maxCells || m.cells > maxCells || depth > maxNesting {
		return v, errMetakit
	}
	for _, p := range properties {
		switch p.kind {
		case 'V':
			v.views[p.name], err = m.subviews(w, p, v.rows, depth)
		case 'S', 'B':
			v.texts[p.name], err = m.strings(w, v.rows)
		default:
			var column []byte
			if column, err = m.column(w); err == nil {
				v.ints[p.name], err = numbers(column, v.rows)
			}
		}
		if err != nil {
			return v, err
		}
	}
	return v, nil
}

func (m *metakit) subviews(w *walk, p property, rows, depth int) ([]view, error) {
	column, err := m.column(w)
	if err != nil || column == nil {
		return make([]view, rows), err
	}
	all := make([]view, rows)
	inner := &walk{column}
	for k := range all {
		if _, err := inner.number(); err != nil {
			return nil, err
		}
		if all[k], err = m.view(inner, p.sub, depth+1); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// strings reads a column of texts, which end with a zero: the texts one after the other, their sizes, and where those lie that
// are too long to stand among the others.
func (m *metakit) strings(w *walk, rows int) ([]string, error) {
	data, err := m.column(w)
	if err != nil {
		return nil, err
	}
	sizes := make([]int64, rows)
	if data != nil {
		column, err := m.column(w)
		if err != nil {
			return nil, err
		}
		if sizes, err = numbers(column, rows); err != nil {
			return nil, err
		}
	}
	memos, err := m.column(w)
	if err != nil {
		return nil, err
	}
	texts := make([]string, rows)
	for k, size := range sizes {
		if size < 0 || size > int64(len(data)) {
			return nil, errMetakit
		}
		texts[k] = strings.TrimSuffix(string(data[:size]), "\x00")
		data = data[size:]
	}
	inner := &walk{memos}
	for row := 0; len(inner.rest) > 0; row++ {
		skip, err := inner.number()
		if err != nil {
			return nil, err
		}
		text, err := m.column(inner)
		if row += skip; err != nil || row < 0 || row >= rows {
			return nil, errMetakit
		}
		texts[row] = strings.TrimSuffix(string(text), "\x00")
	}
	return texts, nil
}

// smallWidths are the bits of a number in a column of few rows, by rows and bytes of the column.
var smallWidths = [7][6]int{
	{8, 16, 1, 32, 2, 4},
	{4, 8, 1, 16, 2, 0},
	{2, 4, 8, 1, 0, 16},
	{2, 4, 0, 8, 1, 0},
	{1, 2, 4, 0, 8, 0},
	{1, 2, 4, 0, 0, 8},
	{1, 2, 0, 4, 0, 0},
}

// numbers reads a column of numbers, all of the same width; those of a byte and more have a sign.
func numbers(column []byte, rows int) ([]int64, error) {
	all := make([]int64, rows)
	if len(column) == 0 {
		return all, nil
	}
	width := len(column) * 8 / rows
	if rows <= 7 && len(column) <= 6 {
		width = smallWidths[rows-1][len(column)-1]
	}
	switch width {
	case 1, 2, 4:
		if rows*width > len(column)*8 {
			return nil, errMetakit
		}
		for k := range all {
			bit := k * width
			all[k] = int64(column[bit/8]>>(bit%8)) & (1<<width - 1)
		}
	case 8, 16, 32, 64:
		step := width / 8
		if rows*step > len(column) {
			return nil, errMetakit
		}
		for k := range all {
			cell := column[k*step:]
			switch step {
			case 1:
				all[k] = int64(int8(cell[0]))
			case 2:
				all[k] = int64(int16(binary.LittleEndian.Uint16(cell)))
			case 4:
				all[k] = int64(int32(binary.LittleEndian.Uint32(cell)))
			default:
				all[k] = int64(binary.LittleEndian.Uint64(cell))
			}
		}
	default:
		return nil, errMetakit
	}
	return all, nil
}
