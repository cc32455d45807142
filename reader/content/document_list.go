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
		b.style[0], b.marker = 1, ""
	case "dd":
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
		if len(b.lists) > 0 {
			b.lists = b.lists[:len(b.lists)-1]
		}
	case "dt":
		b.style[0] = 0
	}
}
