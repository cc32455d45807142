package content

import (
	"strconv"

	xhtml "golang.org/x/net/html"
)

// list is an open list.
type list struct {
	ordered bool
	step    int
	next    int
}

func (b *builder) startList(t xhtml.Token) {
	b.flush()
	switch t.Data {
	case "ul", "dl":
		b.lists = append(b.lists, list{})
	case "ol":
		l := list{ordered: true, step: 1, next: 1}
		if attribute(t, "reversed") != "" {
			l.step = -1
		}
		if n, err := strconv.Atoi(attribute(t, "start")); err == nil {
			l.next = n
		}
		b.lists = append(b.lists, l)
	case "li":
		b.marker = b.nextMarker(t)
	case "dt":
		b.style[0], b.term, b.marker = 1, true, ""
	case "dd":
		b.endTerm()
		b.marker = ""
	}
}

func (b *builder) nextMarker(t xhtml.Token) string {
	if len(b.lists) == 0 || !b.lists[len(b.lists)-1].ordered {
		return "•"
	}
	l := &b.lists[len(b.lists)-1]
	if n, err := strconv.Atoi(attribute(t, "value")); err == nil {
		l.next = n
	}
	n := l.next
	l.next += l.step
	return strconv.Itoa(n) + "."
}

func (b *builder) endList(name string) {
	b.flush()
	b.marker = ""
	switch name {
	case "ul", "ol", "dl":
		b.endTerm()
		if len(b.lists) > 0 {
			b.lists = b.lists[:len(b.lists)-1]
		}
	case "dt":
		b.endTerm()
	}
}

// endTerm ends a term, which has an end tag or not.
func (b *builder) endTerm() {
	if b.term {
		b.style[0], b.term = 0, false
	}
}
