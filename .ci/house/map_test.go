package house

import (
	"flag"
	"fmt"
	"go/doc"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the map of the packages in CONTRIBUTING.md")

const (
	contributing = "CONTRIBUTING.md"
	mapBegins    = "<!-- The map, from the package comments: go test ./.ci/house -update -->\n"
	mapEnds      = "<!-- end of the map -->"
)

// mapOf is a table of all packages with the first sentences of their comments; those that only tests use are left out.
func (h *house) mapOf() string {
	var b strings.Builder
	b.WriteString("\n| package | what it does |\n|---|---|\n")
	for _, r := range slices.SortedFunc(slices.Values(h.packages), func(a, b *room) int { return strings.Compare(a.dir, b.dir) }) {
		if strings.HasSuffix(r.dir, "test") || strings.Contains(r.dir, "test/") || r.dir == "." {
			continue
		}
		fmt.Fprintf(&b, "| `%s`%s | %s |\n", r.dir, h.readme(r.dir), r.synopsis())
	}
	return b.String() + "\n"
}

// synopsis is what a package comment says first, without the name of the package.
func (r *room) synopsis() string {
	for _, s := range r.source {
		if text := s.tree.Doc.Text(); text != "" {
			text = (&doc.Package{}).Synopsis(text)
			return strings.TrimSuffix(strings.TrimPrefix(text, "Package "+r.name+" "), ".")
		}
	}
	return ""
}

// readme is a link to the page of a room, if it has one.
func (h *house) readme(dir string) string {
	if _, err := fs.Stat(h.files, dir+"/README.md"); err != nil {
		return ""
	}
	return " ([page](" + dir + "/README.md))"
}

// mapIsComplete: a new line of code finds its room on the map.
func mapIsComplete(h *house) []string {
	text, _ := h.read(contributing)
	_, rest, begins := strings.Cut(text, mapBegins)
	found, _, ends := strings.Cut(rest, mapEnds)
	if !begins || !ends {
		return []string{contributing + " has no map"}
	}
	var broken []string
	rows := strings.Split(h.mapOf(), "\n")
	for _, row := range rows {
		if !strings.Contains(found, row) {
			broken = append(broken, contributing+" lacks "+row+": run go test ./.ci/house -update")
		}
	}
	for row := range strings.Lines(found) {
		if row = strings.TrimSuffix(row, "\n"); !slices.Contains(rows, row) {
			broken = append(broken, contributing+" has "+row+": run go test ./.ci/house -update")
		}
	}
	return broken
}

func TestUpdateMap(t *testing.T) {
	if !*update {
		t.Skip("-update writes the map")
	}
	h, err := inspectHouse(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	text, err := h.read(contributing)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(text, mapBegins)
	_, after, ok := strings.Cut(rest, mapEnds)
	if !ok {
		t.Fatal("there is no place for the map")
	}
	if err := os.WriteFile("../../"+contributing, []byte(before+mapBegins+h.mapOf()+mapEnds+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
