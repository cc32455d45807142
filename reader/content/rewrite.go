package content

import (
	"cmp"
	"html"
	"slices"
	"strings"

	xhtml "golang.org/x/net/html"
)

// rewriter goes once over the tokens of a document and writes the ones we
// keep, with absolute addresses. It follows no tree, so depth costs it nothing.
// What it writes still passes the policy.
type rewriter struct {
	Origin
	z        *xhtml.Tokenizer
	out      strings.Builder
	drop     string // raw element whose text is left out until it ends
	srcset   string // last <source> seen, for a picture whose img has no address
	lastImg  bool   // nothing but blanks was written since a picture
	linkOpen bool
	source   string // the whole document
	endTags  map[string]bool
	player   string // video or audio we are in: what it says to old browsers is left out
	poster   string // of that video, until a link was written for it
	film     string // of the plug-in we are in, until a link was written for it
	inside   int    // depth of noscript
}

type attrs map[string]string

func rewrite(s string, from Origin) string {
	w := rewriter{Origin: from}
	w.out.Grow(len(s))
	w.run(s)
	return w.out.String()
}

func (w *rewriter) run(s string) {
	w.source = s
	w.z = xhtml.NewTokenizer(strings.NewReader(s))
	for {
		switch w.z.Next() {
		case xhtml.ErrorToken:
			w.endObject()
			return
		case xhtml.TextToken:
			w.text(w.z.Raw())
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
			w.start()
		case xhtml.EndTagToken:
			name, _ := w.z.TagName()
			w.end(string(name))
		}
	}
}

func (w *rewriter) text(raw []byte) {
	if w.inside == 0 && (w.drop == "noscript" && !w.lastImg || w.drop == "iframe" && !w.ends("iframe")) {
		w.fallback(string(raw))
		return
	}
	if w.drop != "" || w.player != "" {
		return
	}
	if w.lastImg && strings.TrimSpace(string(raw)) != "" {
		w.lastImg = false
	}
	w.out.Write(raw)
}

// fallback reads what browsers without scripts would have shown, or what a frame
// that never ends has swallowed.
func (w *rewriter) fallback(s string) {
	inner := rewriter{Origin: w.Origin, inside: 1}
	inner.run(s)
	w.out.WriteString(inner.out.String())
}

func (w *rewriter) start() {
	raw, more := w.z.TagName()
	name := string(raw)
	switch name {
	case "script", "style", "title", "textarea", "noembed", "noframes", "noscript":
		w.drop = name
		return
	}
	a := w.attributes(name, more)
	w.drop = ""
	switch name {
	case "img", "image", "amp-img":
		w.img(a)
	case "a":
		w.lastImg = false
		w.anchor(a)
	case "source":
		if set := cmp.Or(a["srcset"], a["data-srcset"], a["data-lazy-srcset"]); set != "" {
			w.srcset = set
		} else {
			w.playerSource(a)
		}
	case "iframe", "embed":
		if w.frame(a) {
			w.film = ""
		}
		if name == "iframe" {
			w.drop = name
		}
	case "object":
		w.film = a["data"]
	case "param":
		w.param(a)
	case "video", "audio":
		w.startPlayer(name, a)
	case "li", "ol", "td", "th":
		w.lastImg = false
		w.tag(name, a)
	case "base":
		if u := w.Link(a["href"]); u != "" {
			w.Base = u
		}
	default:
		w.plain(name)
	}
}

// plain writes the tag of an element that needs no attributes.
func (w *rewriter) plain(name string) {
	if _, ok := elements[name]; !ok {
		return
	}
	w.lastImg = w.lastImg && name != "p"
	w.out.WriteByte('<')
	w.out.WriteString(name)
	w.out.WriteByte('>')
}

func (w *rewriter) end(name string) {
	w.drop = ""
	switch name {
	case "picture":
		w.srcset = ""
	case "object":
		w.endObject()
	case w.player:
		w.player = ""
	}
	if name == "a" {
		if !w.linkOpen {
			return
		}
		w.linkOpen = false
	}
	if _, ok := elements[name]; ok || name == "p" {
		w.out.WriteString("</" + name + ">")
	}
}

// wanted are the elements whose attributes matter to us.
var wanted = []string{"a", "amp-img", "audio", "base", "embed", "iframe", "image", "img", "li", "object", "ol", "param", "source", "td", "th", "video"}

func (w *rewriter) attributes(name string, more bool) attrs {
	if !more || !slices.Contains(wanted, name) {
		return nil
	}
	a := attrs{}
	for more {
		var k, v []byte
		k, v, more = w.z.TagAttr()
		if _, twice := a[string(k)]; !twice {
			a[string(k)] = string(v)
		}
	}
	return a
}

// tag writes a tag with those of its attributes that we keep.
func (w *rewriter) tag(name string, a attrs) {
	w.out.WriteString("<" + name)
	for _, k := range elements[name] {
		if v, ok := a[k]; ok && (v != "" || k == "reversed") {
			if k == "reversed" {
				v = "1"
			}
			w.out.WriteString(" " + k + `="` + html.EscapeString(v) + `"`)
		}
	}
	w.out.WriteByte('>')
}

func (w *rewriter) anchor(a attrs) {
	if w.linkOpen {
		w.out.WriteString("</a>")
		w.linkOpen = false
	}
	href := w.Link(a["href"])
	if href == "" {
		return
	}
	w.linkOpen = true
	w.tag("a", attrs{"href": href, "title": a["title"]})
}
