package parse

import (
	"cmp"
	"html"
	"strconv"
	"strings"

	ext "github.com/mmcdole/gofeed/extensions"

	"kairos/reader/content"
)

// extras are what the namespaces of a feed tell about an article besides its body:
// its length and chapters, its source and place, where it is discussed. What the
// feed says about every article (a comment form on the article's own page) is not
// among them.
type extras struct {
	episode  string // "Season 2, episode 7"
	persons  []string
	duration int64 // seconds; 0: unknown, or a file of the article has it
	chapters []chapter
	address  string // of chapters that are not in the feed
	links    []extra
	place    extra
}

type chapter struct {
	start       string // on the clock; "" if it is unknown
	title, link string
}

// extra is a text with a label or a link, or both.
type extra struct{ label, text, link string }

// maxChapters is how many chapters of an article are kept.
const maxChapters = 300

// readExtras reads the namespaces podcast, psc (Podlove chapters), itunes, media,
// thr (RFC 4685) and georss.
func readExtras(e ext.Extensions) (x extras) {
	x.duration = readPlayingTime(extValue(e, "itunes", "duration"))
	x.episode = readEpisode(e)
	x.persons = readPersons(e["podcast"]["person"])
	for _, group := range e["psc"]["chapters"] {
		for _, c := range group.Children["chapter"] {
			if len(x.chapters) < maxChapters {
				one := chapter{title: c.Attrs["title"], link: c.Attrs["href"]}
				if start, ok := readClock(c.Attrs["start"]); ok {
					one.start = clockTime(int64(start))
				}
				x.chapters = append(x.chapters, one)
			}
		}
	}
	for _, c := range e["podcast"]["chapters"] {
		if len(x.chapters) == 0 {
			x.address = c.Attrs["url"]
			x.links = append(x.links, extra{link: c.Attrs["url"], text: "Chapters"})
		}
	}
	for _, t := range e["podcast"]["transcript"] {
		x.links = append(x.links, extra{link: t.Attrs["url"], text: "Transcript"})
		break
	}
	for _, r := range e["thr"]["in-reply-to"] {
		x.links = append(x.links, extra{link: r.Attrs["href"], text: "In reply to"})
		break
	}
	x.place = readPlace(e["georss"])
	return x
}

// readEpisode names the season and episode by the numbers that the feed gives, those of Podcasting 2.0 first.
func readEpisode(e ext.Extensions) string {
	var parts []string
	for _, name := range []string{"season", "episode"} {
		number := cmp.Or(extValue(e, "podcast", name), extValue(e, "itunes", name))
		if n, err := strconv.ParseFloat(strings.TrimSpace(number), 64); err == nil && n > 0 && n < 1e6 {
			parts = append(parts, name+" "+strconv.FormatFloat(n, 'f', -1, 64))
		}
	}
	text := strings.Join(parts, ", ")
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// maxPersons is how many persons of an episode are named.
const maxPersons = 20

// readPersons names the persons of an episode with their roles; the role is that of a host where the feed names none.
func readPersons(persons []ext.Extension) (named []string) {
	for _, p := range persons[:min(len(persons), maxPersons)] {
		name := extra{text: p.Value, link: p.Attrs["href"]}.html()
		if name == "" {
			continue
		}
		role := strings.ToLower(content.PlainTitle(cmp.Or(p.Attrs["role"], "host")))
		named = append(named, name+" ("+html.EscapeString(role)+")")
	}
	return named
}

// readPlace reads a place that has a name (GeoRSS Simple).
func readPlace(geo map[string][]ext.Extension) (p extra) {
	for _, name := range []string{"featurename", "featureName"} {
		for _, n := range geo[name] {
			p = extra{label: "Place", text: n.Value}
		}
	}
	for _, point := range geo["point"] {
		if at := strings.Fields(point.Value); len(at) == 2 && p.text != "" {
			p.link = "geo:" + at[0] + "," + at[1] // RFC 5870
		}
	}
	return p
}

// html writes the extras for below a body.
func (x extras) html() string {
	var parts []string
	if x.episode != "" {
		parts = append(parts, x.episode)
	}
	if x.duration > 0 {
		parts = append(parts, "Length: "+clockTime(x.duration))
	}
	if len(x.persons) > 0 {
		parts = append(parts, "With "+strings.Join(x.persons, ", "))
	}
	for _, l := range append(x.links, x.place) {
		if s := l.html(); s != "" {
			parts = append(parts, s)
		}
	}
	text := ""
	if len(parts) > 0 {
		text = "<p>" + strings.Join(parts, " · ") + "</p>"
	}
	return text + chaptersHTML(x.chapters)
}

// chaptersHTML lists chapters, "" if there are none.
func chaptersHTML(chapters []chapter) string {
	if len(chapters) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("<h4>Chapters</h4><ul>")
	for _, c := range chapters {
		b.WriteString("<li>" + c.start + " " + extra{text: c.title, link: c.link}.html() + "</li>")
	}
	return b.String() + "</ul>"
}

func (e extra) html() string {
	text := html.EscapeString(content.PlainTitle(e.text))
	if text == "" {
		return ""
	}
	if e.link != "" {
		text = `<a href="` + html.EscapeString(strings.TrimSpace(e.link)) + `">` + text + "</a>"
	}
	if e.label != "" {
		text = e.label + ": " + text
	}
	return text
}

// samePage reports whether two addresses differ in their fragment only.
func samePage(a, b string) bool {
	a, _, _ = strings.Cut(a, "#")
	b, _, _ = strings.Cut(b, "#")
	return strings.TrimSuffix(a, "/") == strings.TrimSuffix(b, "/")
}
