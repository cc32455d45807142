package parse

import (
	"bytes"
	"net/url"
	"slices"
	"strings"
)

// maxDepth is how deep elements nest in what the feed parser gets to see; the
// tags of deeper ones are left out and their text is kept. Real feeds with
// inline XHTML stay below 60. Without a bound a few kilobytes of compressed
// start tags overflow the stack of any recursive reader.
const maxDepth = 200

// mended is a feed made well-formed, with what the feed parser would not tell.
type mended struct {
	xml    []byte
	atom   bool   // the root is that of Atom
	base   string // xml:base of the feed, "" without one
	items  []itemMeta
	early  bool // the document ends before its end
	faults int  // tags that were missing or had no partner
}

// itemMeta is what the feed parser does not tell of one item.
type itemMeta struct {
	base     string          // xml:base for its links
	htmlBase string          // xml:base of its body
	about    string          // rdf:about (RSS 1.0 §5.5)
	id       string          // of Atom, which the feed parser would rewrite as an address
	link     string          // of Atom, where the address is the text of the element
	text     map[string]bool // elements of Atom that are declared to be plain text
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
	item     int  // where in the stack the open item is, 0 without one
	itemOut  int  // where in out it begins
	itemName []byte
	xhtml    map[string]bool // prefixes bound to XHTML
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
	m := &mender{src: src, xhtml: map[string]bool{}, marks: map[string]int{}}
	m.out = append(make([]byte, 0, len(src)+len(src)/8+256), `<?xml version="1.0" encoding="UTF-8"?>`...)
	if local := strings.ToLower(localName(tagName(src[1:]))); local == "channel" {
		m.out = append(m.out, "<rss>"...)
		m.stack = append(m.stack, element{name: []byte("rss"), from: []byte("rss"), base: base})
	} else {
		m.atom = local == "feed"
	}
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
	if len(m.stack) > 0 {
		m.out = appendText(m.out, b)
	}
}

// markup handles what begins with the "<" at pos.
func (m *mender) markup(base string) {
	rest := m.src[m.pos:]
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		m.skipTo("-->", "<!--")
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
			m.pos++
			return
		}
		m.pos += size
		m.startTag(t, base)
	}
}

// level is where in the stack the innermost open part of the feed's frame is:
// the item, else the channel, else the root.
func (m *mender) level() int {
	switch {
	case m.item > 0:
		return m.item
	case len(m.stack) > 1 && isName(m.stack[1].from, "channel"):
		return 1
	}
	return 0
}

func (m *mender) startTag(t tag, base string) {
	m.noteNamespaces(t)
	switch {
	case len(m.stack) == 0:
		m.knownNamespace(t)
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
	m.closeForgotten(t.name)
	if len(m.stack) > m.level()+1 && isVoid(t.name) {
		m.writeTag(m.bareName(t.name), t, true)
		return
	}
	if len(m.stack) >= maxDepth {
		return
	}
	m.noteBody(t)
	switch {
	case t.get("mode") == "base64":
		m.pushBase64(t)
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

// knownNamespace replaces the namespace of an Atom feed that is none of Atom's
// (drafts, https, typing errors): the feed parser would take all of it for foreign.
func (m *mender) knownNamespace(t tag) {
	name := "xmlns"
	if p := prefixOf(t.name); len(p) > 0 {
		name += ":" + string(p)
	}
	if ns := strings.TrimSpace(t.get(name)); m.atom && ns != "" && ns != "http://www.w3.org/2005/Atom" && ns != "http://purl.org/atom/ns#" {
		t.set(name, "http://www.w3.org/2005/Atom")
	}
}

func (m *mender) isItem(name []byte) bool {
	if m.itemName != nil {
		return bytes.EqualFold(name, m.itemName)
	}
	want := "item"
	if m.atom {
		want = "entry"
	}
	return isName(name, want) && bytes.EqualFold(prefixOf(name), m.framePrefix())
}

// inSource tells whether we are inside atom:source, which may describe another feed.
func (m *mender) inSource() bool {
	return m.item > 0 && len(m.stack) > m.item+1 && isName(m.stack[m.item+1].from, "source")
}

// framePrefix is the prefix the feed's own elements carry; that of an RDF root
// is the one of RDF and not theirs.
func (m *mender) framePrefix() []byte {
	if m.atom {
		return prefixOf(m.stack[0].from)
	}
	if len(m.stack) > 1 {
		return prefixOf(m.stack[1].from)
	}
	return nil
}

// repeatsFrame tells the start of a second document or channel behind the first.
func (m *mender) repeatsFrame(name []byte) bool {
	if bytes.EqualFold(name, m.stack[0].from) {
		return true
	}
	return !m.atom && m.level() == 1 && bytes.EqualFold(name, m.stack[1].from)
}

func (m *mender) startItem(t tag) {
	if m.item > 0 {
		m.faults++
		m.closeItem()
	}
	m.ended = false // in RSS 1.0 the items follow the channel
	m.popTo(m.level() + 1)
	m.itemName = t.name
	m.item, m.itemOut = len(m.stack), len(m.out)
	m.push(t, m.stack[len(m.stack)-1].base)
	m.items = append(m.items, itemMeta{base: m.stack[m.item].base, about: t.local("about")})
	if t.closed {
		m.closeItem()
	}
}

func (m *mender) closeItem() {
	m.popTo(m.item)
	m.item = 0
}

// push writes a start tag and opens its element.
func (m *mender) push(t tag, base string) {
	if own := t.get("xml:base"); own != "" {
		base = resolve(base, own)
	}
	name := t.name
	if len(m.stack) > m.level()+1 {
		name = m.bareName(name)
	}
	m.writeTag(name, t, false)
	m.stack = append(m.stack, element{name: name, from: t.name, base: base})
	if len(m.stack) <= 2 && m.item == 0 && (m.atom || isName(t.name, "channel")) {
		m.base = base
	}
}

// closeForgotten closes an element of text that the next element of the item
// shows to be without its end tag.
func (m *mender) closeForgotten(name []byte) {
	top := len(m.stack) - 1
	if m.item == 0 || top != m.item+1 {
		return
	}
	next := strings.ToLower(string(name))
	switch strings.ToLower(string(m.stack[top].from)) {
	case "title", "link", "guid", "pubdate", "category", "comments", "id", "updated", "published":
		if !slices.Contains(itemChildren, next) {
			return
		}
	case "description", "summary":
		if !slices.Contains(itemChildren[:6], next) {
			return
		}
	default:
		return
	}
	m.faults++
	m.pop()
}

// itemChildren are elements of an item; the first six mean nothing else in a body of HTML either.
var itemChildren = []string{"pubdate", "guid", "content:encoded", "enclosure", "dc:creator", "dc:date",
	"title", "link", "description", "category", "comments", "author", "id", "updated", "published", "summary", "content"}

func (m *mender) endTag() {
	rest := m.src[m.pos:]
	end := m.next(">")
	if end < 0 {
		end = len(rest) - 1
	}
	if next := bytes.IndexByte(rest[1:end], '<'); next >= 0 {
		end = next // "</title<link>": the end of the tag is missing
		m.faults++
	}
	name := tagName(rest[2:])
	m.pos += end + 1
	if len(name) == 0 || len(m.stack) == 0 {
		return
	}
	if m.isFrame(name) {
		if m.item > 0 {
			m.closeItem()
		}
		m.ended = true
		return
	}
	m.closeElement(name)
}

// isFrame tells the end tag of the root or the channel. Those are closed at
// the end of the document only, so that one that comes too early costs nothing.
func (m *mender) isFrame(name []byte) bool {
	if bytes.EqualFold(name, m.stack[0].from) {
		return true
	}
	return len(m.stack) > 1 && !m.atom && isName(m.stack[1].from, "channel") && bytes.EqualFold(name, m.stack[1].from)
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
		m.faults += len(m.stack) - 1 - i
		m.popTo(i)
		if i == m.item {
			m.item = 0
		}
		return
	}
	m.faults++
}

func (m *mender) pop() { m.popTo(len(m.stack) - 1) }

// popTo closes elements until n are open.
func (m *mender) popTo(n int) {
	for len(m.stack) > n {
		m.out = append(m.out, "</"...)
		m.out = append(m.out, m.stack[len(m.stack)-1].name...)
		m.out = append(m.out, '>')
		m.stack = m.stack[:len(m.stack)-1]
	}
}

// finish closes the document. An item that is still open was cut off: the
// articles before it are complete, it is not.
func (m *mender) finish() {
	m.early = !m.ended
	if m.item > 0 {
		m.out = m.out[:m.itemOut]
		m.stack = m.stack[:m.item]
		m.items = m.items[:len(m.items)-1]
		m.item = 0
	}
	m.popTo(0)
	m.xml = m.out
}

// resolve returns ref against base (RFC 3986 §5), or ref where that cannot be done.
func resolve(base, ref string) string {
	ref = strings.TrimSpace(ref)
	b, err := url.Parse(base)
	if err != nil || base == "" {
		return ref
	}
	u, err := b.Parse(ref)
	if err != nil {
		return ref
	}
	return u.String()
}
