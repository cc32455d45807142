package content

import (
	"strings"
	"unicode"
	"unicode/utf8"

	xhtml "golang.org/x/net/html"
)

// Bounds of one formula. A longer or deeper one keeps its text.
const (
	maxMath      = 64 << 10 // bytes
	maxMathDepth = 40
)

// math reads a formula in MathML (w3.org/TR/mathml-core) up to its end tag, and writes it in a line: fractions with a slash,
// scripts as sup and sub.
func (w *rewriter) math() {
	var source strings.Builder
	source.WriteString("<math>")
	for open := 1; open > 0; {
		kind := w.tokens.Next()
		if kind == xhtml.ErrorToken {
			break
		}
		source.Write(w.tokens.Raw())
		name, _ := w.tokens.TagName()
		switch {
		case string(name) != "math":
		case kind == xhtml.StartTagToken:
			open++
		case kind == xhtml.EndTagToken:
			open--
		}
		if source.Len() > maxMath { // the rest follows as any other text
			break
		}
	}
	f := formula{}
	nodes, err := xhtml.ParseFragment(strings.NewReader(source.String()), nil)
	if err != nil { // deeper than x/net/html reads
		f.tokens(source.String())
	}
	for _, n := range nodes {
		f.node(n, 0)
	}
	w.fallback(f.String())
}

// formula writes the nodes of MathML as HTML in a line.
type formula struct{ strings.Builder }

func (f *formula) text(s string) { f.WriteString(xhtml.EscapeString(s)) }

// infix are operators with a space at each side, unless they stand before what they apply to.
const infix = "=+−-<>±∓×·≤≥≠≈≡∼≃∝∈∉⊂⊆⊃⊇∪∩→←↔⇒⇐⇔↦∧∨"

func (f *formula) node(n *xhtml.Node, depth int) {
	switch {
	case n.Type == xhtml.TextNode:
		f.text(mathSpace(n.Data))
		return
	case n.Type != xhtml.ElementNode && n.Type != xhtml.DocumentNode:
		return
	case depth > maxMathDepth:
		f.text(textOf(n))
		return
	}
	parts := elementsOf(n)
	part := func(i int) {
		if i < len(parts) {
			f.node(parts[i], depth+1)
		}
	}
	script := func(name string, i int) {
		if i < len(parts) && parts[i].Data != "none" {
			f.WriteString("<" + name + ">")
			part(i)
			f.WriteString("</" + name + ">")
		}
	}
	switch n.Data {
	case "annotation", "annotation-xml", "mphantom", "script", "style":
	case "semantics", "maction":
		part(0)
	case "mi":
		name := mathSpace(textOf(n))
		if utf8.RuneCountInString(name) == 1 {
			f.WriteString("<i>" + xhtml.EscapeString(name) + "</i>")
		} else {
			f.text(name)
		}
	case "mo":
		f.operator(n)
	case "mspace":
		f.WriteString(" ")
	case "mfrac":
		f.grouped(parts, 0, depth)
		f.WriteString("/")
		f.grouped(parts, 1, depth)
	case "msqrt":
		f.WriteString("√")
		f.bracketed(len(parts) > 1 || len(parts) == 1 && isCompound(parts[0]), func() { f.children(n, depth) })
	case "mroot":
		script("sup", 1)
		f.WriteString("√")
		f.grouped(parts, 0, depth)
	case "msup", "mover":
		part(0)
		script("sup", 1)
	case "msub", "munder":
		part(0)
		script("sub", 1)
	case "msubsup", "munderover":
		part(0)
		script("sub", 1)
		script("sup", 2)
	case "mfenced":
		f.text(fence(n, "open", "("))
		for i := range parts {
			if i > 0 {
				f.WriteString(", ")
			}
			part(i)
		}
		f.text(fence(n, "close", ")"))
	case "mtable":
		f.WriteString("[")
		f.separated(parts, "; ", depth)
		f.WriteString("]")
	case "mtr", "mlabeledtr":
		f.separated(parts, ", ", depth)
	default:
		f.children(n, depth)
	}
}

// tokens writes the text of MathML without its structure.
func (f *formula) tokens(s string) {
	z := xhtml.NewTokenizer(strings.NewReader(s))
	for kind := z.Next(); kind != xhtml.ErrorToken; kind = z.Next() {
		if kind == xhtml.TextToken {
			f.text(string(z.Text()))
		}
	}
}

func (f *formula) children(n *xhtml.Node, depth int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		f.node(c, depth+1)
	}
}

func (f *formula) separated(nodes []*xhtml.Node, by string, depth int) {
	for i, n := range nodes {
		if i > 0 {
			f.WriteString(by)
		}
		f.node(n, depth+1)
	}
}

func (f *formula) bracketed(brackets bool, write func()) {
	if brackets {
		f.WriteString("(")
	}
	write()
	if brackets {
		f.WriteString(")")
	}
}

// grouped writes node i, in brackets if it consists of several.
func (f *formula) grouped(nodes []*xhtml.Node, i, depth int) {
	if i < len(nodes) {
		f.bracketed(isCompound(nodes[i]), func() { f.node(nodes[i], depth+1) })
	}
}

func (f *formula) operator(n *xhtml.Node) {
	sign := mathSpace(textOf(n))
	before := n.PrevSibling
	for before != nil && before.Type != xhtml.ElementNode {
		before = before.PrevSibling
	}
	switch {
	case sign == "\u2061" || sign == "\u2062" || sign == "\u2063" || sign == "\u2064": // invisible
	case sign != "" && strings.Contains(infix, sign) && before != nil && before.Data != "mo":
		f.text(" " + sign + " ")
	case sign == ",":
		f.WriteString(", ")
	default:
		f.text(sign)
	}
}

// isCompound reports whether a node needs brackets where it is a part of another.
func isCompound(n *xhtml.Node) bool {
	switch parts := elementsOf(n); n.Data {
	case "mrow", "mstyle", "mpadded", "semantics":
		return len(parts) > 1 || len(parts) == 1 && isCompound(parts[0])
	case "mfrac":
		return true
	}
	return false
}

func elementsOf(n *xhtml.Node) (elements []*xhtml.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == xhtml.ElementNode {
			elements = append(elements, c)
		}
	}
	return elements
}

// textOf returns the text of a node of any depth.
func textOf(n *xhtml.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == xhtml.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// mathSpace drops the space around text, which means nothing in MathML, and keeps one between words.
func mathSpace(s string) string { return strings.Join(strings.FieldsFunc(s, unicode.IsSpace), " ") }

func fence(n *xhtml.Node, key, usual string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return usual
}
