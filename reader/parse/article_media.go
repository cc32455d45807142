package parse

import (
	"cmp"
	"maps"
	"strings"

	ext "github.com/mmcdole/gofeed/extensions"
)

// addMedia reads the Media RSS of an item: its description as a body, its
// pictures, its audio and video as enclosures (Media RSS 1.5.1).
func (d *draft) addMedia(e ext.Extensions) {
	m := e["media"]
	d.addMediaElements(m)
	for _, g := range m["group"] {
		d.addMediaElements(withoutAlternatives(g.Children))
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

// withoutAlternatives leaves one audio and one video among the contents of a group, which are the same in several qualities: the
// default, else the first.
func withoutAlternatives(group map[string][]ext.Extension) map[string][]ext.Extension {
	chosen := map[string]int{}
	var contents []ext.Extension
	for _, c := range group["content"] {
		kind, _, _ := strings.Cut(strings.ToLower(cmp.Or(c.Attrs["medium"], c.Attrs["type"])), "/")
		at, another := chosen[kind]
		switch {
		case kind != "audio" && kind != "video":
			contents = append(contents, c)
		case !another:
			chosen[kind] = len(contents)
			contents = append(contents, c)
		case c.Attrs["isDefault"] == "true":
			contents[at] = c
		}
	}
	group = maps.Clone(group)
	group["content"] = contents
	return group
}

func (d *draft) addMediaElements(m map[string][]ext.Extension) {
	for _, c := range m["content"] {
		kind := strings.ToLower(c.Attrs["type"] + " " + c.Attrs["medium"])
		switch {
		case strings.Contains(kind, "image"), kind == " " && isImageAddress(c.Attrs["url"]):
			d.pictures = append(d.pictures, c.Attrs["url"])
		case strings.Contains(kind, "audio"), strings.Contains(kind, "video"):
			d.addEnclosure(c.Attrs["url"], c.Attrs["type"], c.Attrs["fileSize"], c.Attrs["duration"])
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
