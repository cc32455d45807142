package parse

import "bytes"

// next returns how far behind pos the next of a mark is, -1 if there is none.
// It remembers what it found, so that a document which opens something a
// million times and never closes it is still read in one pass.
func (m *mender) next(mark string) int {
	at, known := m.marks[mark]
	if !known || at >= 0 && at < m.pos {
		if at = bytes.Index(m.src[m.pos:], []byte(mark)); at >= 0 {
			at += m.pos
		}
		m.marks[mark] = at
	}
	if at < 0 {
		return -1
	}
	return at - m.pos
}

// skipTo moves behind the end mark, or behind the poor one where that is missing.
func (m *mender) skipTo(end, poor string) {
	for _, mark := range []string{end, poor} {
		if i := m.next(mark); i >= 0 {
			m.pos += i + len(mark)
			return
		}
	}
	m.pos = len(m.src)
}

// skipComment moves behind a comment. One in which another begins was never closed.
func (m *mender) skipComment() {
	const open = "<!--"
	end := m.next("-->")
	if end < 0 || bytes.Contains(m.src[m.pos+len(open):m.pos+max(end, len(open))], []byte(open)) {
		m.pos += len(open)
		m.bare++
		return
	}
	m.pos += end + len("-->")
}

func (m *mender) skipDeclaration() {
	end := m.next(">")
	if subset := m.next("["); subset >= 0 && subset < end {
		if i := m.next("]>"); i >= 0 {
			end = i + 1
		}
	}
	if end < 0 {
		m.pos = len(m.src)
		return
	}
	m.pos += end + 1
}

// cdata copies a CDATA section. One whose end is missing swallows the items
// behind it up to the end of the next one; it is ended where its element ends.
func (m *mender) cdata() {
	const open, shut = "<![CDATA[", "]]>"
	end, skip := m.next(shut), len(shut)
	reach := len(m.src) - m.pos
	if end >= 0 {
		reach = end
	}
	start := m.pos
	m.pos += len(open)
	if end < 0 || m.itemName != nil && m.isWithin(open, start+reach) && m.isWithin("</"+string(m.itemName), start+reach) {
		end, skip = -1, 0
		if len(m.stack) > 0 {
			mark := append([]byte("</"), m.stack[len(m.stack)-1].from...)
			end = bytes.Index(m.src[m.pos:start+reach], mark)
		}
		if end < 0 {
			m.pos = len(m.src)
			return
		}
		m.missing++
		end += len(open)
	}
	if len(m.stack) > 0 && m.mute == 0 {
		m.out = append(m.out, m.src[start:start+end]...)
		m.out = append(m.out, shut...)
	}
	m.pos = start + end + skip
}

// isWithin tells whether a mark stands between pos and end.
func (m *mender) isWithin(mark string, end int) bool {
	i := m.next(mark)
	return i >= 0 && m.pos+i < end
}
