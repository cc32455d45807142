package parse

import (
	"bytes"
	"encoding/json"
)

// jsonScanner goes over the members of JSON without reading them. It follows only
// strings and brackets, so that neither depth nor a fault within a value hides the
// values behind it.
type jsonScanner struct {
	text      []byte
	pos       int
	endsEarly bool // within a value
}

// each calls f for every member of the object or array at the position, with its
// key ("" in an array) and the first byte of its value. f returns true if it has
// read the value itself.
func (s *jsonScanner) each(f func(key string, value byte) bool) {
	open := s.peek()
	if open != '{' && open != '[' {
		return
	}
	s.pos++
	for {
		key := ""
		c := s.peek()
		switch {
		case s.endsEarly:
			return
		case c == '}' || c == ']':
			s.pos++
			return
		case c == ',' || c == ':':
			s.pos++
			continue
		case c == '"' && open == '{':
			json.Unmarshal(s.value(), &key) //nolint:errcheck // a broken key matches nothing
			if s.peek() == ':' {
				s.pos++
			}
			c = s.peek()
		}
		if s.endsEarly {
			return
		}
		if !f(key, c) {
			s.value()
		}
	}
}

// peek returns the next byte that is not white space.
func (s *jsonScanner) peek() byte {
	s.pos += countBlanks(s.text[s.pos:])
	if s.pos == len(s.text) {
		s.endsEarly = true
		return 0
	}
	return s.text[s.pos]
}

// value returns the value at the position and moves behind it.
func (s *jsonScanner) value() []byte {
	s.peek()
	from, depth := s.pos, 0
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; c {
		case '"':
			s.skipString()
			if s.endsEarly {
				return nil
			}
			s.pos--
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		default:
			if depth == 0 {
				end := bytes.IndexAny(s.text[s.pos:], ",]}: \t\r\n")
				if end < 0 {
					end = len(s.text) - s.pos
				}
				s.pos += max(end, 1) - 1
			}
		}
		if s.pos++; depth <= 0 {
			return s.text[from:s.pos]
		}
	}
	s.endsEarly = true
	return nil
}

// skipString moves behind the string at the position.
func (s *jsonScanner) skipString() {
	for s.pos++; ; {
		end := bytes.IndexAny(s.text[s.pos:], `"\`)
		if end < 0 || s.text[s.pos+end] == '\\' && s.pos+end+1 == len(s.text) {
			s.pos, s.endsEarly = len(s.text), true
			return
		}
		s.pos += end + 1
		if s.text[s.pos-1] == '"' {
			return
		}
		s.pos++
	}
}

// repairJSON makes a value well-formed that has line ends and tabs in its strings,
// unknown escapes, or commas before closing brackets.
func repairJSON(in []byte) []byte {
	if json.Valid(in) {
		return in
	}
	out := make([]byte, 0, len(in)+16)
	inString := false
	for i := 0; i < len(in); i++ {
		c := in[i]
		switch {
		case c == '"':
			inString = !inString
		case inString && c < ' ':
			out = append(out, `\u00`...)
			out = append(out, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
			continue
		case inString && c == '\\' && i+1 < len(in):
			if i++; bytes.IndexByte([]byte(`"\/bfnrtu`), in[i]) < 0 {
				out = append(out, '\\')
			}
			out = append(out, '\\', in[i])
			continue
		case !inString && c == ',' && i+1 < len(in):
			if next := i + 1 + countBlanks(in[i+1:]); next < len(in) && (in[next] == ']' || in[next] == '}' || in[next] == ',') {
				continue
			}
		}
		out = append(out, c)
	}
	return out
}
