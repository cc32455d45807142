package content

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// rewriter goes once over the tokens of a document, as x/net/html reads them, and writes
// those that are kept, with absolute addresses. It builds no tree, so depth costs it
// nothing. What it writes still has to pass the policy, see output.
type rewriter struct {
	Origin
	tokens     *xhtml.Tokenizer
	out        *output
	attrs      attrs        // of the start tag that is being read
	rawElement string       // open element whose text is left out
	srcset     string       // of the last <source>, for a picture whose <img> has no address
	sets       []pictureSet // of the picture that is open
	afterImage bool         // only white space was written since a picture
	linkOpen   bool
	rubyText   bool   // the reading of a word is open, in brackets
	source     string // the whole document
	endTags    map[string]bool
	player     string          // open video or audio; its text for old browsers is left out
	poster     string          // of that video, until a link was written for it
	pluginFile string          // of the open plug-in, until a link was written for it
	targets    map[string]bool // see targetsOf; those that are written are left out
	name       string          // of the element that is being read
	spans      []bool          // open <span>s: it is written, as it has a direction
	isFallback bool            // this is the content of another rewriter's noscript or frame
}

// attrs are the attributes of a tag.
type attrs []attr

type attr struct{ key, value string }

// get returns the value of an attribute, "" where there is none.
func (a attrs) get(key string) string {
	for _, t := range a {
		if t.key == key {
			return t.value
		}
	}
	return ""
}

func (a attrs) has(key string) bool {
	return slices.ContainsFunc(a, func(t attr) bool { return t.key == key })
}

// maxGrowth is how many times as long as a document, and 64 KB, what is written of it may become: relative addresses become absolute
// ones, which would be without an end after a long base.
const maxGrowth = 8

func (w *rewriter) run(s string) {
	w.source = s
	w.tokens = xhtml.NewTokenizer(strings.NewReader(s))
	most := min(MaxHTML, maxGrowth*len(s)+64<<10)
	for kind := w.tokens.Next(); kind != xhtml.ErrorToken && w.out.written.Len() <= most; kind = w.tokens.Next() {
		switch kind {
		case xhtml.TextToken:
			w.text()
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
			name, more := w.tokens.TagName()
			w.start(atom.String(name), more)
		case xhtml.EndTagToken:
			name, _ := w.tokens.TagName()
			w.end(atom.String(name))
		}
	}
	w.endRubyText()
	w.endObject()
}

func (w *rewriter) text() {
	if !w.isFallback && (w.rawElement == "noscript" && !w.afterImage || w.rawElement == "iframe" && !w.hasEndTag("iframe")) {
		w.fallback(string(w.tokens.Raw()))
		return
	}
	if w.rawElement != "" || w.player != "" {
		return
	}
	if w.afterImage && len(bytes.TrimSpace(w.tokens.Raw())) > 0 {
		w.afterImage = false
	}
	w.out.text(w.tokens)
}

// fallback reads what browsers without scripts show, or what a frame without an end
// tag swallowed.
func (w *rewriter) fallback(s string) {
	inner := rewriter{Origin: w.Origin, isFallback: true, out: w.out, targets: w.targets}
	inner.run(s)
}

func (w *rewriter) start(name string, hasAttributes bool) {
	switch name {
	case "script", "style", "title", "textarea", "noembed", "noframes", "noscript", "rp":
		w.rawElement = name
		return
	case "math":
		w.rawElement, w.afterImage = "", false
		w.math()
		return
	case "rt":
		w.endRubyText()
		w.rubyText = true
		w.out.written.WriteString("（")
	case "rb":
		w.endRubyText()
	}
	w.name = ""
	a := w.attributes(name, hasAttributes)
	w.rawElement = ""
	defer w.writeTarget()
	switch name {
	case "wbr":
		w.direction(hasAttributes) // only its name is of use
	case "img", "image", "amp-img":
		w.writeImage(a)
	case "a":
		w.afterImage = false
		w.startLink(a)
	case "picture":
		w.srcset, w.sets = "", nil
	case "source":
		if set := cmp.Or(a.get("srcset"), a.get("data-srcset"), a.get("data-lazy-srcset")); set != "" {
			w.addSet(a, set)
		} else {
			w.playerSource(a)
		}
	case "iframe", "embed":
		if w.writeFrame(a) {
			w.pluginFile = ""
		}
		if name == "iframe" {
			w.rawElement = name
		}
	case "object":
		w.pluginFile = a.get("data")
	case "param":
		w.readParam(a)
	case "video", "audio":
		w.startPlayer(name, a)
	case "details", "li", "ol", "td", "th", "tr":
		w.afterImage = false
		w.writeTag(name, a)
	case "base":
		if u := w.Link(a.get("href")); u != "" {
			w.Base = u
		}
	case "span":
		w.startSpan(hasAttributes)
	default:
		w.startPlain(name, hasAttributes)
	}
}

// startPlain writes the start tag of an element without attributes but its direction.
func (w *rewriter) startPlain(name string, hasAttributes bool) {
	if _, ok := elements[name]; !ok {
		return
	}
	w.afterImage = w.afterImage && name != "p"
	if dir := w.direction(hasAttributes); dir != "" {
		w.out.startTag(name, attrs{{"dir", dir}})
	} else {
		w.out.startTag(name, nil)
	}
}

// startSpan writes a span with a direction, as what it is then: isolated.
func (w *rewriter) startSpan(hasAttributes bool) {
	dir := w.direction(hasAttributes)
	w.spans = append(w.spans, dir != "")
	if dir != "" {
		w.out.startTag("bdi", attrs{{"dir", dir}})
	}
}

func (w *rewriter) endSpan() {
	n := len(w.spans)
	if n == 0 {
		return
	}
	if w.spans[n-1] {
		w.out.endTag("bdi")
	}
	w.spans = w.spans[:n-1]
}

// direction reads the attributes of a tag for its direction, "" if it has none.
func (w *rewriter) direction(more bool) string {
	var dir, style string
	for more {
		var key, value []byte
		key, value, more = w.tokens.TagAttr()
		switch string(key) {
		case "dir":
			dir = string(value)
		case "id":
			w.name = string(value)
		case "style":
			style = string(value)
		}
	}
	return directionOf(dir, style)
}

// directionOf is the direction that an attribute or a style stands for, "" for none. The style wins, as in browsers.
func directionOf(dir, style string) string {
	if m := styleDirection.FindStringSubmatch(strings.ToLower(style)); m != nil {
		return m[1]
	}
	if dir = strings.ToLower(strings.TrimSpace(dir)); directions.MatchString(dir) {
		return dir
	}
	return ""
}

// styleDirection finds the direction in a style.
var styleDirection = regexp.MustCompile(`(?:^|[;\s])direction\s*:\s*(ltr|rtl)\b`)

// endRubyText closes the reading of a word: its end tag may be left out.
func (w *rewriter) endRubyText() {
	if w.rubyText {
		w.rubyText = false
		w.out.written.WriteString("）")
	}
}

func (w *rewriter) end(name string) {
	w.rawElement = ""
	switch name {
	case "rt", "ruby":
		w.endRubyText()
	case "picture":
		w.srcset, w.sets = "", nil
		return // it is written with its <img>
	case "object":
		w.endObject()
	case "span":
		w.endSpan()
	case w.player:
		w.player = ""
	}
	if name == "a" {
		if !w.linkOpen {
			return
		}
		w.linkOpen = false
	}
	if _, ok := elements[name]; ok {
		w.out.endTag(name)
	}
}

// withAttributes are the elements whose attributes are read.
var withAttributes = []string{"a", "amp-img", "audio", "base", "details", "embed", "iframe", "image", "img", "li", "object", "ol", "param", "source", "td", "th", "tr", "video"}

func (w *rewriter) attributes(name string, more bool) attrs {
	if !slices.Contains(withAttributes, name) {
		return nil
	}
	w.attrs = w.attrs[:0]
	for more {
		var key, value []byte
		key, value, more = w.tokens.TagAttr()
		switch string(key) {
		case "id":
			w.name = string(value)
			continue
		case "name":
			if name == "a" && w.name == "" {
				w.name = string(value)
			}
		case "class", "rel", "target", "sizes", "loading", "decoding", "border":
			continue // read of no element
		}
		w.attrs = append(w.attrs, attr{atom.String(key), dropControls(string(value))})
	}
	return w.attrs
}

// writeTag writes a start tag with the attributes that are kept.
func (w *rewriter) writeTag(name string, a attrs) {
	var kept [7]attr
	n := 0
	if dir := directionOf(a.get("dir"), a.get("style")); dir != "" && !hasNoContent(name) {
		kept[n] = attr{"dir", dir}
		n++
	}
	for _, k := range elements[name] {
		v := a.get(k)
		switch {
		case (k == "reversed" || k == "open") && a.has(k):
			v = "1"
		case k == "align":
			v = a.alignment()
		}
		if v != "" {
			kept[n] = attr{k, v}
			n++
		}
	}
	w.out.startTag(name, kept[:n])
}

// alignment is how a cell or a row is aligned, by its attribute or its style; "" if neither says.
func (a attrs) alignment() string {
	asked := strings.ToLower(a.get("align"))
	if m := textAlign.FindStringSubmatch(strings.ToLower(a.get("style"))); m != nil {
		asked = m[1]
	}
	if !alignments.MatchString(asked) {
		return ""
	}
	return asked
}

// textAlign finds the alignment in a style.
var textAlign = regexp.MustCompile(`(?:^|[;\s])text-align\s*:\s*(left|center|right)\b`)

func (w *rewriter) startLink(a attrs) {
	if w.linkOpen {
		w.out.endTag("a")
		w.linkOpen = false
	}
	href := w.Link(a.get("href"))
	if href == "" {
		return
	}
	w.linkOpen = true
	w.writeTag("a", attrs{{"href", href}, {"title", a.get("title")}, {"dir", directionOf(a.get("dir"), a.get("style"))}})
}
