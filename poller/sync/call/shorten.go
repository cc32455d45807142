package call

// Shortened is a value whose texts may be longer than any that are kept. One that is too long keeps nothing else from being read.
type Shortened interface {
	// Shorten is called where a text was cut off: the texts that may have been are dropped.
	Shorten()
}

func isShortened(value any) bool {
	_, ok := value.(Shortened)
	return ok
}

// shortener leaves out of JSON the rest of strings in values that are too long. It works on the text, since the decoder holds a whole
// value.
type shortener struct {
	on     bool  // what is read now is a Shortened
	read   int64 // bytes, with those left out
	values int   // that were shortened

	inString, dropping, cut bool
	length                  int // of the string
	escape                  int // 1 after a backslash; below 0 so many digits follow
}

const (
	maxUncut  = maxValue - 2*maxRead // bytes of a value after which its long strings are cut; other fields have the rest up to maxValue
	maxString = 4 << 10              // bytes of a string that is not long
)

// filter leaves out of p, in place, what is too long, and returns how many bytes are left. before is how many bytes of the value came
// before.
func (f *shortener) filter(p []byte, before int64) (kept int) {
	f.read += int64(len(p))
	for _, b := range p {
		if f.inString && f.escape == 0 {
			if f.dropping = f.on && b != '"' && f.length > maxString && before+int64(kept) > maxUncut; f.dropping {
				f.cut = true
			}
		}
		drop := f.dropping
		f.follow(b)
		if !drop {
			p[kept] = b
			kept++
		}
	}
	return kept
}

// follow notes whether the next byte is within a string, and within an escape sequence of it.
func (f *shortener) follow(b byte) {
	f.length++
	switch {
	case !f.inString:
		f.inString, f.length = b == '"', 0
	case f.escape == 1 && b == 'u':
		f.escape = -4
	case f.escape == 1:
		f.escape = 0
	case f.escape < 0:
		f.escape++
	case b == '\\':
		f.escape = 1
	case b == '"':
		f.inString, f.dropping = false, false
	}
}

// finish shortens a value that was read, if it was cut.
func (f *shortener) finish(value any) {
	if v, ok := value.(Shortened); ok && f.cut {
		v.Shorten()
		f.values++
	}
	f.cut = false
}
