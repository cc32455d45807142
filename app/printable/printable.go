// Package printable writes text from feeds and servers without what would control the terminal that shows it.
package printable

import (
	"fmt"
	"io"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// Writer writes UTF-8 to Out. Tabs and line ends stay, formatting of direction is left out (CVE-2021-42574), and escape
// sequences, other control characters and broken UTF-8 become U+FFFD.
type Writer struct {
	Out     io.Writer
	mu      sync.Mutex // guards escaped
	escaped *transform.Writer
	json    bool
}

// NewWriter returns a Writer to out.
func NewWriter(out io.Writer) *Writer {
	w := &Writer{Out: out}
	w.escaped = transform.NewWriter(out, w)
	return w
}

// EscapeJSON makes w write what is not printable as an escape of JSON, which keeps its value. Outside of strings JSON has
// none of it.
func (w *Writer) EscapeJSON() { w.json = true }

// Write writes text, which may end within a character: the rest of that is written with the next text. It is safe for concurrent
// use.
func (w *Writer) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.escaped.Write(text)
}

// Reset is part of transform.Transformer.
func (*Writer) Reset() {}

// Transform is part of transform.Transformer.
func (w *Writer) Transform(dst, src []byte, atEOF bool) (written, read int, err error) {
	for read < len(src) {
		if !atEOF && !utf8.FullRune(src[read:]) {
			return written, read, transform.ErrShortSrc
		}
		r, size := utf8.DecodeRune(src[read:])
		text := src[read : read+size]
		switch {
		case r == utf8.RuneError && size == 1, !w.json && isControl(r):
			text = []byte("\uFFFD")
		case w.json && (isControl(r) || formatsDirection(r)):
			text = fmt.Appendf(nil, `\u%04x`, r)
		case formatsDirection(r):
			text = nil
		}
		if len(text) > len(dst)-written {
			return written, read, transform.ErrShortDst
		}
		written += copy(dst[written:], text)
		read += size
	}
	return written, read, nil
}

func isControl(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

// formatsDirection recognizes what embeds, overrides or isolates a direction for the text after it (UAX #9, table 4).
func formatsDirection(r rune) bool {
	return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}
