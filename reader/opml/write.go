package opml

import (
	"bufio"
	"encoding/xml"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// rfc822 is the format of dates in OPML.
const rfc822 = "Mon, 02 Jan 2006 15:04:05 GMT"

// folder is a node of the tree that paths describe, in the order of appearance.
type folder struct {
	name    string
	folders []*folder
	feeds   []Outline
}

// Write writes feeds as OPML 2.0, every folder once, with our attributes in
// their own namespace. Errors: the writer's.
func Write(w io.Writer, title string, created time.Time, feeds []Outline) error {
	root := &folder{}
	for _, f := range feeds {
		root.at(f.Folder).feeds = append(root.at(f.Folder).feeds, f)
	}
	b := bufio.NewWriter(w)
	b.WriteString(xml.Header)
	b.WriteString(`<opml version="2.0" xmlns:kairos="` + namespace + "\">\n  <head>\n    <title>")
	escape(b, title)
	b.WriteString("</title>\n    <dateCreated>" + created.UTC().Format(rfc822) + "</dateCreated>\n  </head>\n  <body>\n")
	root.write(b, "    ")
	b.WriteString("  </body>\n</opml>\n")
	return b.Flush()
}

// at returns the folder of a path and creates it if it is missing.
func (f *folder) at(path string) *folder {
	parts := strings.Split(path, separator)
	for _, name := range parts[:min(len(parts), maxDepth)] {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		i := slices.IndexFunc(f.folders, func(g *folder) bool { return g.name == name })
		if i < 0 {
			i = len(f.folders)
			f.folders = append(f.folders, &folder{name: name})
		}
		f = f.folders[i]
	}
	return f
}

func (f *folder) write(b *bufio.Writer, indent string) {
	for _, o := range f.feeds {
		o.write(b, indent)
	}
	for _, g := range f.folders {
		b.WriteString(indent + "<outline")
		writeAttr(b, "text", g.name)
		writeAttr(b, "title", g.name)
		b.WriteString(">\n")
		g.write(b, indent+"  ")
		b.WriteString(indent + "</outline>\n")
	}
}

func (o Outline) write(b *bufio.Writer, indent string) {
	title := o.Title
	if title == "" {
		title = o.URL
	}
	b.WriteString(indent + "<outline")
	writeAttr(b, "type", "rss")
	writeAttr(b, "text", title)
	writeAttr(b, "title", title)
	writeAttr(b, "xmlUrl", o.URL)
	if o.Site != "" {
		writeAttr(b, "htmlUrl", o.Site)
	}
	for _, k := range slices.Sorted(maps.Keys(o.Attrs)) {
		if isOwnName(k) {
			writeAttr(b, "kairos:"+k, o.Attrs[k])
		}
	}
	b.WriteString("/>\n")
}

func writeAttr(b *bufio.Writer, name, value string) {
	b.WriteString(" " + name + `="`)
	escape(b, value)
	b.WriteByte('"')
}

// escape fails only if the writer does, which Flush reports.
func escape(b *bufio.Writer, s string) { _ = xml.EscapeText(b, []byte(s)) }
