package parse

import (
	"strings"

	ext "github.com/mmcdole/gofeed/extensions"
)

// addMedia reads the Media RSS of an item: its description as a body, its
// pictures, its audio and video as enclosures (Media RSS 1.5.1).
func (d *draft) addMedia(e ext.Extensions) {
	m := e["media"]
	d.addMediaElements(m)
	for _, g := range m["group"] {
		d.addMediaElements(g.Children)
		for _, c := range g.Children["content"] {
			d.addMediaElements(c.Children)
		}
	}
	for _, c := range m["content"] {
		d.addMediaElements(c.Children)
	}
	for _, i := range e["itunes"]["image"] {
		d.pictures = append(d.pictures, i.Attrs["href"])
	}
}

func (d *draft) addMediaElements(m map[string][]ext.Extension) {
	for _, c := range m["content"] {
		kind := strings.ToLower(c.Attrs["type"] + " " + c.Attrs["medium"])
		switch {
		case strings.Contains(kind, "image"), kind == " " && isImageAddress(c.Attrs["url"]):
			d.pictures = append(d.pictures, c.Attrs["url"])
		case strings.Contains(kind, "audio"), strings.Contains(kind, "video"):
			d.addEnclosure(c.Attrs["url"], c.Attrs["type"], c.Attrs["fileSize"])
		}
	}
	for _, t := range m["thumbnail"] {
		d.pictures = append(d.pictures, t.Attrs["url"])
	}
	for _, t := range m["description"] {
		d.bodies = append(d.bodies, body{text: t.Value, plain: !strings.Contains(t.Attrs["type"], "html")})
	}
}

func isImageAddress(address string) bool {
	address, _, _ = strings.Cut(strings.ToLower(address), "?")
	for _, end := range []string{".jpg", ".jpeg", ".png", ".webp", ".gif"} {
		if strings.HasSuffix(address, end) {
			return true
		}
	}
	return false
}
