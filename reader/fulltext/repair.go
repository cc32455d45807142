package fulltext

import (
	"strings"

	"golang.org/x/net/html"
)

// keepNotes renames the classes of footnotes: readability takes what is called foot-something for the foot of the page.
func keepNotes(doc *html.Node) {
	for n := range doc.Descendants() {
		for i, a := range n.Attr {
			if a.Key == "class" || a.Key == "id" {
				n.Attr[i].Val = notes.Replace(a.Val)
			}
		}
	}
}

var notes = strings.NewReplacer("footnote", "note", "Footnote", "Note", "foot-note", "note")
