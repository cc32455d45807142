package parse

import (
	"bytes"
	"strings"
)

// maxDepth is how deep elements nest in what the feed parser reads; the tags of
// deeper ones are left out and their text is kept. Real feeds with inline XHTML
// stay below 60. Without a limit a few kilobytes of compressed start tags overflow
// the stack of any recursive parser.
const maxDepth = 200

// Limits of what is read; the rest is reported as unread. No feed has two thirds
// as many articles; elements are counted outside of bodies.
const (
	maxItems    = 10000
	maxElements = 250000
)

// repairedXML is a feed as well-formed XML, with what the feed parser does not tell.
type repairedXML struct {
	xml    []byte
	isAtom bool
	format string // where the feed parser takes it for another, else ""
	base   string // xml:base of the feed, "" without one
	site   string // of CDF, where it is an attribute of the channel
	items  []itemMeta

	endsEarly      bool // the document ends before its end tag
	limitReached   bool // reading ended at a limit
	unread         int  // bytes of an item that was cut off, or beyond a limit
	missingEndTags int
	misplacedTags  int // that end nothing, or stand where none belongs
	unescaped      int // "<" and "&" that begin nothing
}

// itemMeta is what the feed parser does not tell about one item.
type itemMeta struct {
	base       string          // xml:base for its links
	htmlBase   string          // xml:base of its body
	about      string          // rdf:about (RSS 1.0 §5.5), or the guid of RSS within Atom
	id         string          // of Atom, which the feed parser would rewrite as an address
	link       string          // of Atom, where the address is the text of the element; of CDF, where it is an attribute
	modified   string          // of CDF, or of RSS within Atom
	author     string          // of RSS within Atom
	plainText  map[string]bool // elements of Atom that are declared to be plain text
	hasContent bool            // there is an element in it
	categories []string

	// What the feed parser does not see (xml_aside.go); zero where it may.
	title, summary     string // summary of Atom, description of RSS
	body               string // content of Atom, content:encoded of RSS
	linkText, guid     string // of RSS
	guidIsNoLink       bool
	published, updated readDate
}

// repairer reads XML as browsers read HTML: in one pass, and no fault stops it. It
// writes well-formed XML of the same meaning: one root; containers close at the
// very end and items before the next one; no comments, declarations and foreign
// entities; no xml:base, which the feed parser resolves wrongly (see itemMeta).
type repairer struct {
	repairedXML
	src        xmlSource
	w          xmlWriter
	namespaces namespaces
	stack      []element

	ended       bool // the end tag of the container was read
	isCDF       bool // the root is a channel: attributes of items count
	isEntry     bool // the root is an entry
	keepsAll    bool // nothing is put aside or left out for speed
	elements    int  // read so far, outside of bodies
	inBody      bool // the open child of the item is text or HTML
	ignoredFrom int  // height of the stack at which an ignored element begins, 0 without one
	item        openItem
	inline      inlineXHTML
}

// openItem is the item that is being read. Its name stays known after its end.
type openItem struct {
	at       int // in the stack, 0 without one
	srcStart int
	outStart int
	name     []byte
	opens    string // "<" and the name
	closes   string // "</" and the name
}

type element struct {
	written []byte // name
	read    []byte // name
	base    string
	start   int       // where in the output its start tag is
	content int       // where in the output its content is
	aside   *string   // where its text belongs if it may be put aside, else nil
	date    *readDate // likewise
}

// repairXML makes the feed whose root starts at the beginning of text well-formed.
// base is the address of the document. With keepsAll it leaves nothing to others than the feed parser.
func repairXML(text []byte, base string, keepsAll bool) repairedXML {
	r := &repairer{
		keepsAll:   keepsAll,
		src:        xmlSource{text: text, marks: map[string]int{}},
		w:          xmlWriter{limit: 2*len(text) + 1<<20},
		namespaces: namespaces{xhtml: map[string]bool{}, native: map[string]bool{}},
	}
	r.w.out = append(make([]byte, 0, len(text)/2+1024), `<?xml version="1.0" encoding="UTF-8"?>`...)
	r.openFrame(base)
	for r.src.pos < len(text) {
		i := bytes.IndexByte(r.src.rest(), '<')
		if i < 0 {
			i = len(r.src.rest())
		}
		r.text(r.src.rest()[:i])
		if r.src.pos += i; r.src.pos < len(text) {
			r.markup(base)
		}
	}
	r.finish()
	return r.repairedXML
}

func (r *repairer) text(b []byte) {
	if len(r.stack) > 0 && r.ignoredFrom == 0 && !r.isBetween(b) {
		r.w.escape(b)
	}
	if r.w.exceeded() {
		r.stopAtLimit()
	}
}

// isBetween recognizes the white space between elements of the frame, which says nothing.
func (r *repairer) isBetween(b []byte) bool {
	return !r.keepsAll && len(r.stack)-1 <= r.frameLevel() && countBlanks(b) == len(b)
}

// markup reads what begins with the "<" at the position.
func (r *repairer) markup(base string) {
	rest := r.src.rest()
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		if !r.src.skipComment() {
			r.unescaped++
		}
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		r.cdata()
	case bytes.HasPrefix(rest, []byte("<!")):
		r.src.skipDeclaration()
	case bytes.HasPrefix(rest, []byte("<?")):
		r.src.skipTo("?>", ">")
	case bytes.HasPrefix(rest, []byte("</")):
		r.endTag()
	default:
		t, size, ok := readTag(rest)
		if !ok {
			r.text([]byte("&lt;"))
			r.unescaped++
			r.src.pos++
			return
		}
		r.src.pos += size
		r.startTag(t, base)
	}
}

func (r *repairer) startTag(t tag, base string) {
	r.namespaces.note(t, r.isAtom)
	switch {
	case len(r.stack) == 0:
		r.fixNamespace(&t)
		r.push(t, base)
		if t.empty {
			r.ended = true
		}
		return
	case r.isItem(t.name) && !r.inAtomSource():
		r.startItem(t)
		return
	case r.item.at == 0 && r.repeatsFrame(t.name):
		return
	}
	if r.closeUnended(t.name); r.inTextElement() || r.isMisplacedHTML(t.name) {
		r.misplacedTags++
		return
	}
	if len(r.stack) > r.frameLevel()+1 && r.ignoredFrom == 0 && isVoid(t.name) {
		r.w.startTag(r.namespaces.withoutXHTML(t.name), t, true)
		return
	}
	if len(r.stack) >= maxDepth {
		return
	}
	if r.ignoredFrom > 0 || r.isIgnored(t) {
		if r.ignoredFrom == 0 && r.isCategory(t) {
			r.noteCategory(t)
		}
		r.pushIgnored(t)
		return
	}
	if !r.countElement(t) {
		r.stopAtLimit()
		return
	}
	if len(r.stack) == 1 && isName(t.name, "channel") {
		r.fixNamespace(&t)
	}
	r.noteItemElement(t)
	switch {
	case t.get("mode") == "base64":
		r.pushBase64(t)
	case r.isInlineXHTML(t):
		r.pushInlineXHTML(t)
	case r.isXHTMLBody(t):
		r.w.out = append(r.w.out, `<content:encoded xmlns:content="http://purl.org/rss/1.0/modules/content/">`...)
		r.items[len(r.items)-1].body = "" // the last one counts
		r.stack = append(r.stack, element{written: []byte("content:encoded"), read: t.name})
	default:
		r.push(t, r.stack[len(r.stack)-1].base)
	}
	if t.empty {
		r.pop()
	}
}

func (r *repairer) startItem(t tag) {
	if r.item.at > 0 {
		r.missingEndTags++
		r.closeItem()
	}
	if len(r.items) == maxItems {
		r.stopAtLimit()
		return
	}
	r.ended = r.isEntry // in RSS 1.0 the items follow the channel
	r.popTo(r.frameLevel() + 1)
	r.item = openItem{at: len(r.stack), outStart: len(r.w.out), srcStart: r.src.pos, name: t.name,
		opens: "<" + string(t.name), closes: "</" + string(t.name)}
	r.fixNamespace(&t)
	r.push(t, r.stack[len(r.stack)-1].base)
	it := itemMeta{base: r.stack[r.item.at].base, about: t.getLocal("about")}
	it.hasContent = it.about != ""
	if r.isCDF {
		it.link, it.modified = t.getFold("href"), t.getFold("lastmod")
		it.hasContent = it.link+it.modified != ""
	}
	r.items = append(r.items, it)
	if t.empty {
		r.closeItem()
	}
}

func (r *repairer) closeItem() {
	r.popTo(r.item.at)
	r.item.at = 0
}

// countElement counts an element, and reports whether the limit allows it. Within
// a body the feed parser sees only text.
func (r *repairer) countElement(t tag) bool {
	if r.item.at > 0 && len(r.stack) == r.item.at+1 {
		r.inBody = r.isBody(t)
	}
	if r.item.at == 0 || !r.inBody {
		r.elements += 1 + len(t.attrs)
	}
	return r.elements <= maxElements
}

func (r *repairer) isBody(t tag) bool {
	switch strings.ToLower(localName(t.name)) {
	case "description", "summary", "content", "body", "fullitem", "title", "div":
		return bytes.EqualFold(prefixOf(t.name), r.framePrefix()) && t.get("xmlns") == ""
	case "encoded":
		return true
	}
	return false
}

// stopAtLimit ends the reading.
func (r *repairer) stopAtLimit() {
	r.limitReached = true
	r.unread = len(r.src.rest())
	r.src.skipAll()
}

// push writes a start tag and opens its element.
func (r *repairer) push(t tag, base string) {
	if own := t.get("xml:base"); own != "" {
		base = resolve(base, own)
	}
	name := t.name
	if len(r.stack) > r.frameLevel()+1 {
		name = r.namespaces.withoutXHTML(name)
	} else if r.isAtom && r.item.at > 0 && strings.EqualFold(string(name), "description") {
		name = []byte("summary") // RSS within Atom
	}
	if r.inline.at > 0 && len(r.stack) == r.inline.at+1 {
		r.inline.children++
		if own := t.get("xml:base"); own != "" && r.item.at > 0 {
			r.items[len(r.items)-1].htmlBase = base
		}
	}
	e := element{written: name, read: t.name, base: base, start: len(r.w.out), aside: r.asideField(name), date: r.asideDate(name)}
	if e.aside != nil {
		if *e.aside = ""; !r.isAside(t) {
			e.aside = nil
		}
	}
	if e.date != nil {
		*e.date = readDate{}
	}
	r.w.startTag(name, t, false)
	e.content = len(r.w.out)
	r.stack = append(r.stack, e)
	if len(r.stack) <= 2 && r.item.at == 0 && (r.isAtom || isName(t.name, "channel")) {
		r.base = base
	}
}

func (r *repairer) endTag() {
	rest := r.src.rest()
	end := r.src.next(">")
	if end < 0 {
		end = len(rest) - 1
	}
	if next := bytes.IndexByte(rest[1:end], '<'); next >= 0 {
		end = next // "</title<link>": the end of the tag is missing
		r.unescaped++
	}
	name := tagName(rest[2:])
	r.src.pos += end + 1
	if len(name) == 0 || len(r.stack) == 0 {
		return
	}
	if !r.isFrame(name) {
		r.closeElement(name)
		return
	}
	if r.item.at > 0 && r.itemContinues() {
		r.misplacedTags++
		return
	}
	if r.item.at > 0 {
		r.missingEndTags++
		r.closeItem()
	}
	r.ended = true
}

func (r *repairer) closeElement(name []byte) {
	floor := r.frameLevel()
	if r.item.at == 0 {
		floor++
	}
	for i := len(r.stack) - 1; i >= floor; i-- {
		if !bytes.Equal(r.stack[i].read, name) && !bytes.EqualFold(r.stack[i].read, name) {
			continue
		}
		if i == r.item.at && r.itemContinues() {
			break
		}
		r.missingEndTags += len(r.stack) - 1 - i
		r.popTo(i)
		if i == r.item.at {
			r.item.at = 0
		}
		return
	}
	if r.format != rss11 || !isName(name, "items") { // its items are taken out of their list
		r.misplacedTags++
	}
}

func (r *repairer) pop() { r.popTo(len(r.stack) - 1) }

// popTo closes elements until height are open.
func (r *repairer) popTo(height int) {
	for len(r.stack) > height {
		top := len(r.stack) - 1
		if top == r.inline.at && top > 0 {
			r.closeInlineXHTML()
		}
		if r.ignoredFrom == 0 {
			if e := r.stack[top]; r.setAside(e) {
				r.w.cut(e.start)
			} else {
				r.w.endTag(e.written)
			}
		}
		if r.stack = r.stack[:top]; r.ignoredFrom == top {
			r.ignoredFrom = 0
		}
	}
}

// cdata copies a CDATA section. A section without an end swallows the items up to
// the end of the next section; it is ended where its element ends.
func (r *repairer) cdata() {
	const open, shut = "<![CDATA[", "]]>"
	src := &r.src
	end, skip := src.next(shut), len(shut)
	reach := len(src.rest())
	if end >= 0 {
		reach = end
	}
	start := src.pos
	src.pos += len(open)
	if end < 0 || r.item.name != nil && src.hasBefore(open, start+reach) && src.hasBefore(r.item.closes, start+reach) {
		end, skip = -1, 0
		if len(r.stack) > 0 {
			mark := append([]byte("</"), r.stack[len(r.stack)-1].read...)
			end = bytes.Index(src.text[src.pos:start+reach], mark)
		}
		if end < 0 {
			src.skipAll()
			return
		}
		r.missingEndTags++
		end += len(open)
	}
	if len(r.stack) > 0 && r.ignoredFrom == 0 {
		r.w.out = append(r.w.out, src.text[start:start+end]...)
		r.w.out = append(r.w.out, shut...)
	}
	src.pos = start + end + skip
}

// finish closes the document. An item that is still open was cut off and is
// dropped; those before it are complete.
func (r *repairer) finish() {
	r.endsEarly = r.endsEarly || !r.ended
	if r.item.at > 0 {
		r.endsEarly = true
		r.unread = len(r.src.text) - r.item.srcStart
		r.w.out = r.w.out[:r.item.outStart]
		r.stack = r.stack[:r.item.at]
		r.items = r.items[:len(r.items)-1]
		r.item.at, r.ignoredFrom, r.inline = 0, 0, inlineXHTML{}
	}
	r.popTo(0)
	r.xml = r.w.out
	r.unescaped += r.w.unescaped
}
