package content

import (
	"html"
	"net/url"
	"regexp"
	"strings"
)

// fragments are the names of places that links within a document may lead to.
var fragments = regexp.MustCompile(`^[^\s"<>&]{1,100}$`)

// targetsOf returns what follows each "#" of a document that begins no character reference. Of the names that elements have, only
// these are kept: a link may lead there.
func targetsOf(s string) map[string]bool {
	names := map[string]bool{}
	for at := strings.IndexByte(s, '#'); at >= 0; at = strings.IndexByte(s, '#') {
		before := s[:at]
		s = s[at+1:]
		end := strings.IndexAny(s, " \t\n\r\"'<>#")
		if end > 0 && !strings.HasSuffix(before, "&") {
			if name := fragmentName(html.UnescapeString(s[:end])); fragments.MatchString(name) {
				names[name] = true
			}
		}
	}
	return names
}

// fragmentName is the name that a fragment stands for (HTML §7.4.6.4): that of an element, which is not percent-encoded.
func fragmentName(fragment string) string {
	if name, err := url.PathUnescape(fragment); err == nil {
		return name
	}
	return fragment
}

// writeTarget marks the place of an element that a link of the document leads to, once.
func (w *rewriter) writeTarget() {
	if w.targets[w.name] {
		delete(w.targets, w.name)
		w.out.startTag("wbr", attrs{{"id", w.name}})
	}
}

// Target finds the block that a fragment of the document's address leads to.
func (d Document) Target(fragment string) (block int, ok bool) {
	name := fragmentName(fragment)
	for i := range d.Blocks {
		for _, target := range d.Blocks[i].Targets {
			if target == name {
				return i, true
			}
		}
	}
	return 0, false
}

// addTarget remembers a name for the block that is open, or comes next.
func (b *builder) addTarget(name string) {
	if name != "" {
		b.targets = append(b.targets, name)
	}
}
