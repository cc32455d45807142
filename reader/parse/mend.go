package parse

import (
	"bytes"
	"strings"
)

// maxDepth is how deep elements nest in what the feed parser gets to see; the
// tags of deeper ones are left out and their text is kept. Real feeds with
// inline XHTML stay below 60. Without a bound a few kilobytes of compressed
// start tags overflow the stack of any recursive reader.
const maxDepth = 200

// Bounds of what is handed on; what lies beyond them is reported as not read.
// Of articles no feed has two thirds as many; the elements count outside of bodies.
const (
	maxItems    = 10000
	maxElements = 250000
)

// mended is a feed made well-formed, with what the feed parser would not tell.
type mended struct {
	xml     []byte
	atom    bool   // the root is that of Atom
	format  string // of what the feed parser takes for something else, else ""
	base    string // xml:base of the feed, "" without one
	site    string // of CDF, where it is an attribute of the channel
	items   []itemMeta
	early   bool // the document ends before its end
	full    bool // reading ended at a bound
	lost    int  // bytes of an item that was cut off, or beyond a bound
	missing int  // end tags that were not there
	stray   int  // tags that end nothing, or stand where none belongs
	bare    int  // "<" and "&" that begin nothing
}

// itemMeta is what the feed parser does not tell of one item.
type itemMeta struct {
	base     string          // xml:base for its links
	htmlBase string          // xml:base of its body
	about    string          // rdf:about (RSS 1.0 §5.5), or the guid in the midst of Atom
	id       string          // of Atom, which the feed parser would rewrite as an address
	link     string          // of Atom, where the address is the text of the element; of CDF, where it is an attribute
	modified string          // of CDF, or of RSS in the midst of Atom
	author   string          // of the same, as text
	text     map[string]bool // elements of Atom that are declared to be plain text
	filled   bool            // there is an element in it
}

// mender reads XML the way browsers read HTML: in one pass and without a fault
// that would stop it. It writes well-formed XML of the same meaning: one root,
// containers that close at the very end, items that close before the next one
// begins, no comments, declarations and foreign entities, no xml:base (the
// feed parser resolves it wrongly; see itemMeta).
type mender struct {
	mended
	src      []byte
	pos      int
	out      []byte
	stack    []element
	ended    bool // an end tag of the container was seen
	cdf      bool // the root is a channel: attributes of items count
	lone     bool // the root is an entry
	elements int  // outside of bodies, so far
	body     bool // the item's child that is open is text or HTML
	mute     int  // height of the stack at which an element begins of which nothing is handed on, 0 without one
	item     int  // where in the stack the open item is, 0 without one
	itemSrc  int  // where in src it begins
	itemOut  int  // where in out it begins
	itemName []byte
	inline   inline          // the body of XHTML we are in
	xhtml    map[string]bool // prefixes bound to XHTML
	native   map[string]bool // prefixes bound to the namespace of the format
	marks    map[string]int  // where the next of a mark is, see next
}

type element struct {
	name []byte // as written to out
	from []byte // as read
	base string
}

// mend makes the feed whose root starts at the beginning of src well-formed.
// base is the address of the document.
func mend(src []byte, base string) mended {
	m := &mender{src: src, xhtml: map[string]bool{}, native: map[string]bool{}, marks: map[string]int{}}
	m.out = append(make([]byte, 0, len(src)+len(src)/8+256), `<?xml version="1.0" encoding="UTF-8"?>`...)
	m.frame(base)
	for m.pos < len(m.src) {
		i := bytes.IndexByte(m.src[m.pos:], '<')
		if i < 0 {
			i = len(m.src) - m.pos
		}
		m.text(m.src[m.pos : m.pos+i])
		if m.pos += i; m.pos < len(m.src) {
			m.markup(base)
		}
	}
	m.finish()
	return m.mended
}

func (m *mender) text(b []byte) {
	if len(m.stack) > 0 && m.mute == 0 {
		m.escape(b)
	}
	if len(m.out) > 2*len(m.src)+1<<20 {
		m.stop() // no feed swells so
	}
}

// markup handles what begins with the "<" at pos.
func (m *mender) markup(base string) {
	rest := m.src[m.pos:]
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		m.skipComment()
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		m.cdata()
	case bytes.HasPrefix(rest, []byte("<!")):
		m.skipDeclaration()
	case bytes.HasPrefix(rest, []byte("<?")):
		m.skipTo("?>", ">")
	case bytes.HasPrefix(rest, []byte("</")):
		m.endTag()
	default:
		t, size, ok := readTag(rest)
		if !ok {
			m.text([]byte("&lt;"))
			m.bare++
			m.pos++
			return
		}
		m.pos += size
		m.startTag(t, base)
	}
}

func (m *mender) startTag(t tag, base string) {
	m.noteNamespaces(t)
	switch {
	case len(m.stack) == 0:
		m.knownNamespace(&t)
		m.push(t, base)
		if t.closed {
			m.ended = true
		}
		return
	case m.isItem(t.name) && !m.inSource():
		m.startItem(t)
		return
	case m.item == 0 && m.repeatsFrame(t.name):
		return
	}
	if m.closeForgotten(t.name); m.isWord() || m.isLost(t.name) {
		m.stray++
		return
	}
	if len(m.stack) > m.level()+1 && m.mute == 0 && isVoid(t.name) {
		m.writeTag(m.bareName(t.name), t, true)
		return
	}
	if len(m.stack) >= maxDepth {
		return
	}
	if m.mute > 0 || m.isForeign(t) {
		m.pushMute(t)
		return
	}
	if !m.counts(t) {
		m.stop()
		return
	}
	if len(m.stack) == 1 && isName(t.name, "channel") {
		m.knownNamespace(&t)
	}
	m.noteBody(t)
	switch {
	case t.get("mode") == "base64":
		m.pushBase64(t)
	case m.isInline(t):
		m.pushInline(t)
	case m.isXHTMLBody(t):
		m.out = append(m.out, `<content:encoded xmlns:content="http://purl.org/rss/1.0/modules/content/">`...)
		m.stack = append(m.stack, element{name: []byte("content:encoded"), from: t.name})
	default:
		m.push(t, m.stack[len(m.stack)-1].base)
	}
	if t.closed {
		m.pop()
	}
}

func (m *mender) startItem(t tag) {
	if m.item > 0 {
		m.missing++
		m.closeItem()
	}
	if len(m.items) == maxItems {
		m.stop()
		return
	}
	m.ended = m.lone // in RSS 1.0 the items follow the channel
	m.popTo(m.level() + 1)
	m.itemName = t.name
	m.item, m.itemOut, m.itemSrc = len(m.stack), len(m.out), m.pos
	m.knownNamespace(&t)
	m.push(t, m.stack[len(m.stack)-1].base)
	it := itemMeta{base: m.stack[m.item].base, about: t.local("about")}
	it.filled = it.about != ""
	if m.cdf {
		it.link, it.modified = t.fold("href"), t.fold("lastmod")
		it.filled = it.link+it.modified != ""
	}
	m.items = append(m.items, it)
	if t.closed {
		m.closeItem()
	}
}

func (m *mender) closeItem() {
	m.popTo(m.item)
	m.item = 0
}

// counts counts an element against the bound; false where it is reached. Within
// a body the feed parser sees text only.
func (m *mender) counts(t tag) bool {
	if m.item > 0 && len(m.stack) == m.item+1 {
		m.body = m.isBody(t)
	}
	if m.item == 0 || !m.body {
		m.elements += 1 + len(t.attrs)
	}
	return m.elements <= maxElements
}

func (m *mender) isBody(t tag) bool {
	switch strings.ToLower(localName(t.name)) {
	case "description", "summary", "content", "body", "fullitem", "title", "div":
		return bytes.EqualFold(prefixOf(t.name), m.framePrefix()) && t.get("xmlns") == ""
	case "encoded":
		return true
	}
	return false
}

// stop ends the reading at a bound.
func (m *mender) stop() {
	m.full = true
	m.lost = len(m.src) - m.pos
	m.pos = len(m.src)
}

// push writes a start tag and opens its element.
func (m *mender) push(t tag, base string) {
	if own := t.get("xml:base"); own != "" {
		base = resolve(base, own)
	}
	name := t.name
	if len(m.stack) > m.level()+1 {
		name = m.bareName(name)
	} else if m.atom && m.item > 0 && strings.EqualFold(string(name), "description") {
		name = []byte("summary") // RSS in the midst of Atom
	}
	if m.inline.at > 0 && len(m.stack) == m.inline.at+1 {
		m.inline.children++
		if own := t.get("xml:base"); own != "" && m.item > 0 {
			m.items[len(m.items)-1].htmlBase = base
		}
	}
	m.writeTag(name, t, false)
	m.stack = append(m.stack, element{name: name, from: t.name, base: base})
	if len(m.stack) <= 2 && m.item == 0 && (m.atom || isName(t.name, "channel")) {
		m.base = base
	}
}

func (m *mender) endTag() {
	rest := m.src[m.pos:]
	end := m.next(">")
	if end < 0 {
		end = len(rest) - 1
	}
	if next := bytes.IndexByte(rest[1:end], '<'); next >= 0 {
		end = next // "</title<link>": the end of the tag is missing
		m.bare++
	}
	name := tagName(rest[2:])
	m.pos += end + 1
	if len(name) == 0 || len(m.stack) == 0 {
		return
	}
	if m.isFrame(name) {
		if m.item > 0 && m.goesOn() {
			m.stray++
			return
		}
		if m.item > 0 {
			m.missing++
			m.closeItem()
		}
		m.ended = true
		return
	}
	m.closeElement(name)
}

func (m *mender) closeElement(name []byte) {
	floor := m.level()
	if m.item == 0 {
		floor++
	}
	for i := len(m.stack) - 1; i >= floor; i-- {
		if !bytes.Equal(m.stack[i].from, name) && !bytes.EqualFold(m.stack[i].from, name) {
			continue
		}
		if i == m.item && m.goesOn() {
			break
		}
		m.missing += len(m.stack) - 1 - i
		m.popTo(i)
		if i == m.item {
			m.item = 0
		}
		return
	}
	if m.format != "RSS 1.1" || !isName(name, "items") { // its items are taken out of their list
		m.stray++
	}
}

func (m *mender) pop() { m.popTo(len(m.stack) - 1) }

// popTo closes elements until n are open.
func (m *mender) popTo(n int) {
	for len(m.stack) > n {
		top := len(m.stack) - 1
		if top == m.inline.at && top > 0 {
			m.closeInline()
		}
		if m.mute == 0 {
			m.out = append(m.out, "</"...)
			m.out = append(m.out, m.stack[top].name...)
			m.out = append(m.out, '>')
		}
		if m.stack = m.stack[:top]; m.mute == top {
			m.mute = 0
		}
	}
}

// finish closes the document. An item that is still open was cut off: the
// articles before it are complete, it is not.
func (m *mender) finish() {
	m.early = m.early || !m.ended
	if m.item > 0 {
		m.early = true
		m.lost = len(m.src) - m.itemSrc
		m.out = m.out[:m.itemOut]
		m.stack = m.stack[:m.item]
		m.items = m.items[:len(m.items)-1]
		m.item, m.mute, m.inline = 0, 0, inline{}
	}
	m.popTo(0)
	m.xml = m.out
}
