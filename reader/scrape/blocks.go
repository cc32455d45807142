package scrape

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// block is a kind of element that repeats, with a link in each.
type block struct {
	path  string // selector of its elements
	items []*html.Node
	links map[string]bool
	text  int // letters of the links, together
	dates int
	heads int // with a heading
}

// maxBlocks is how many kinds of blocks are offered.
const maxBlocks = 3

// leastText is how long the text of a link is at least, on average, if it is to be a title: those of menus are shorter.
const leastText = 16

// repeated returns recipes for blocks of links that repeat, the likeliest first.
func repeated(ctx context.Context, doc *html.Node) (recipes []Recipe) {
	blocks := map[string]*block{}
	around := siblings{linksIn(doc), map[*html.Node]map[string]int{}}
	nodes := 0
	for n := range doc.Descendants() {
		if nodes++; nodes > maxNodes || ctx.Err() != nil {
			break
		}
		if n.Type != html.ElementNode || n.Data != "a" || attribute(n, "href") == "" || isAside(n) {
			continue
		}
		item := around.itemAround(n)
		path := pathOf(item)
		b := blocks[path]
		if b == nil {
			b = &block{path: path, links: map[string]bool{}}
			blocks[path] = b
		}
		if slices.Contains(b.items[max(0, len(b.items)-1):], item) || b.links[attribute(n, "href")] || len(b.items) == maxItems {
			continue // the block has another link
		}
		b.count(item, n)
	}
	likely := slices.DeleteFunc(slices.Collect(maps.Values(blocks)), func(b *block) bool {
		return len(b.items) < leastItems || b.text < leastText*len(b.items)
	})
	slices.SortFunc(likely, func(a, b *block) int {
		return cmp.Or(cmp.Compare(b.score(), a.score()), strings.Compare(a.path, b.path))
	})
	for _, b := range likely[:min(len(likely), maxBlocks)] {
		recipes = append(recipes, Recipe{Kind: Blocks, Item: b.path})
	}
	return recipes
}

func (b *block) count(item, link *html.Node) {
	b.items = append(b.items, item)
	b.links[attribute(link, "href")] = true
	b.text += min(len(strings.TrimSpace(textOf(link))), 120)
	if usualDateOf(item, link) != "" {
		b.dates++
	}
	if first(item, usualTitle) != nil {
		b.heads++
	}
}

// score is how likely a block is one of articles: many, with titles, dates and headings.
func (b *block) score() int {
	n := len(b.items)
	score := min(n, 30) * min(b.text/n, 80)
	if 2*b.dates > n {
		score *= 4
	}
	if 2*b.heads > n {
		score *= 2
	}
	return score
}

// isAside reports whether a node stands in what surrounds the articles of a page: its menus, its head and its foot.
func isAside(n *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		switch p.Data {
		case "article", "main":
			return false
		case "nav", "footer", "aside", "header":
			return true
		}
	}
	return false
}

// maxUp is how many elements an item is above its link at most.
const maxUp = 8

// siblings counts the children of elements that have links, by their kinds.
type siblings struct {
	linked map[*html.Node]bool // elements that are links of articles or have some
	alike  map[*html.Node]map[string]int
}

// linksIn returns the links of a page and what is around them.
func linksIn(doc *html.Node) map[*html.Node]bool {
	linked := map[*html.Node]bool{}
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && anyLink.Match(n) {
			for ; n != nil && !linked[n]; n = n.Parent {
				linked[n] = true
			}
		}
	}
	return linked
}

// of returns how many children of a kind with links an element has.
func (s *siblings) of(parent *html.Node, kind string) int {
	counts := s.alike[parent]
	if counts == nil {
		counts = map[string]int{}
		for n := parent.FirstChild; n != nil; n = n.NextSibling {
			if s.linked[n] || n.Type == html.ElementNode && n.Data == "a" {
				counts[kindOf(n)]++
			}
		}
		s.alike[parent] = counts
	}
	return counts[kind]
}

// itemAround is the element that repeats around a link: the highest one whose siblings of the same kind have links of their own.
func (s *siblings) itemAround(link *html.Node) *html.Node {
	item := link
	for n, up := link, 0; n.Parent != nil && n.Parent.Type == html.ElementNode && n.Data != "body" && up < maxUp; n, up = n.Parent, up+1 {
		if s.of(n.Parent, kindOf(n)) >= leastItems {
			item = n
			if n.Data == "article" || n.Data == "li" || n.Data == "tr" {
				return item
			}
		}
	}
	return item
}

// kindOf is a selector of elements like one: its name and its first class that is no number of its own.
func kindOf(n *html.Node) string {
	for class := range strings.FieldsSeq(attribute(n, "class")) {
		if len(class) < 60 && isName(class) {
			return n.Data + "." + class
		}
	}
	return n.Data
}

// isName reports whether a class can stand in a selector as it is, and has no number, as one of a single article has.
func isName(class string) bool {
	for i, r := range class {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r != '-' && r != '_') {
			return false
		}
	}
	return class != ""
}

// maxPath is how many elements a path has at most.
const maxPath = 4

// pathOf is a selector of an element and those like it: its kind, within those of its parents up to one with an id.
func pathOf(n *html.Node) string {
	path := kindOf(n)
	for p, depth := n.Parent, 1; p != nil && p.Type == html.ElementNode && p.Data != "body" && p.Data != "html" && depth < maxPath; p, depth = p.Parent, depth+1 {
		if id := attribute(p, "id"); isName(id) && len(id) < 60 {
			return "#" + id + " > " + path
		}
		path = kindOf(p) + " > " + path
	}
	return path
}
