package parse

import (
	"bytes"
	"encoding/json"
)

// jsonScan goes over the members of JSON without reading them: it follows
// strings and brackets only, so that neither depth nor a fault within a value
// keeps it from the values behind.
type jsonScan struct {
	b     []byte
	i     int
	early bool // the text ended within a value
}

// each calls f for every member of the object or array that begins here, with
// its key ("" in an array) and its value; where f returns true it has read the
// value itself.
func (s *jsonScan) each(f func(key string, value byte) bool) {
	open := s.peek()
	if open != '{' && open != '[' {
		return
	}
	s.i++
	for {
		key := ""
		c := s.peek()
		switch {
		case s.early:
			return
		case c == '}' || c == ']':
			s.i++
			return
		case c == ',' || c == ':':
			s.i++
			continue
		case c == '"' && open == '{':
			json.Unmarshal(s.value(), &key) //nolint:errcheck // a broken key is none of ours
			if s.peek() == ':' {
				s.i++
			}
			c = s.peek()
		}
		if s.early {
			return
		}
		if !f(key, c) {
			s.value()
		}
	}
}

// peek returns the next byte that is no blank.
func (s *jsonScan) peek() byte {
	s.i += blanks(s.b[s.i:])
	if s.i == len(s.b) {
		s.early = true
		return 0
	}
	return s.b[s.i]
}

// value returns the value that begins here and moves behind it.
func (s *jsonScan) value() []byte {
	s.peek()
	from, depth := s.i, 0
	for s.i < len(s.b) {
		switch c := s.b[s.i]; c {
		case '"':
			s.skipString()
			if s.early {
				return nil
			}
			s.i--
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		default:
			if depth == 0 {
				end := bytes.IndexAny(s.b[s.i:], ",]}: \t\r\n")
				if end < 0 {
					end = len(s.b) - s.i
				}
				s.i += max(end, 1) - 1
			}
		}
		if s.i++; depth <= 0 {
			return s.b[from:s.i]
		}
	}
	s.early = true
	return nil
}

// skipString moves behind the string that begins here.
func (s *jsonScan) skipString() {
	for s.i++; ; {
		end := bytes.IndexAny(s.b[s.i:], `"\`)
		if end < 0 || s.b[s.i+end] == '\\' && s.i+end+1 == len(s.b) {
			s.i, s.early = len(s.b), true
			return
		}
		s.i += end + 1
		if s.b[s.i-1] == '"' {
			return
		}
		s.i++
	}
}

// tidyJSON makes a value well-formed that has line ends and tabs within its
// strings, escapes JSON does not know, or commas before closing brackets.
func tidyJSON(in []byte) []byte {
	if json.Valid(in) {
		return in
	}
	out := make([]byte, 0, len(in)+16)
	quoted := false
	for i := 0; i < len(in); i++ {
		c := in[i]
		switch {
		case c == '"':
			quoted = !quoted
		case quoted && c < ' ':
			out = append(out, `\u00`...)
			out = append(out, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
			continue
		case quoted && c == '\\' && i+1 < len(in):
			if i++; bytes.IndexByte([]byte(`"\/bfnrtu`), in[i]) < 0 {
				out = append(out, '\\')
			}
			out = append(out, '\\', in[i])
			continue
		case !quoted && c == ',' && i+1 < len(in):
			if next := i + 1 + blanks(in[i+1:]); next < len(in) && (in[next] == ']' || in[next] == '}' || in[next] == ',') {
				continue
			}
		}
		out = append(out, c)
	}
	return out
}
