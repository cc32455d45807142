package accessible

import (
	"fmt"
	"testing"
)

// largeWindow is about what a full window has: rows, and an article of many paragraphs.
func largeWindow(scrolled int) *Tree {
	t := &Tree{Nodes: map[ID]*Node{FrameID: {ID: FrameID, Role: RoleFrame, Children: []ID{2, 3}}}, Focus: ID(1000 + scrolled)}
	rows := &Node{ID: 2, Role: RoleList}
	for i := range ID(60) {
		id := 1000 + ID(scrolled) + i
		rows.Children = append(rows.Children, id)
		t.Nodes[id] = &Node{ID: id, Role: RoleListItem, Name: fmt.Sprint("Article ", id), States: Selectable}
	}
	article := &Node{ID: 3, Role: RoleDocument}
	for i := range ID(200) {
		article.Children = append(article.Children, 5000+i)
		t.Nodes[5000+i] = &Node{ID: 5000 + i, Role: RoleParagraph, Text: &Text{Content: "The lamplighter counted seven lamps.", Caret: -1}}
	}
	t.Nodes[2], t.Nodes[3] = rows, article
	return t
}

// BenchmarkUpdateWithoutClient is what reporting a tree takes while nobody listens; the window does not even make
// one then.
func BenchmarkUpdateWithoutClient(b *testing.B) {
	s := &Service{wake: make(chan struct{}, 1)}
	t := largeWindow(0)
	b.ReportAllocs()
	for b.Loop() {
		s.Update(t)
	}
}

// BenchmarkChanges compares a window with the same scrolled by a row, every node rebuilt.
func BenchmarkChanges(b *testing.B) {
	before, after := largeWindow(0), largeWindow(1)
	b.ReportAllocs()
	for b.Loop() {
		changes(before, after)
	}
}
