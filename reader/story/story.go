// Package story recognizes a story that several feeds carry: by its link, whatever a feed adds to that, by its title, or by what
// its articles tell. It is pure. Its callers judge other evidence, such as the time between two articles.
//
// Link and Title return numbers that are equal. What articles tell is compared by their profiles: Keys finds some that may be
// alike, and Alike decides, once FindBoilerplate has said what of their texts does not count.
package story

import (
	"hash/fnv"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"kairos/reader/content"
)

// How long titles and links are that are looked at, in bytes.
const (
	MaxTitle = 2000 // of a longer one the beginning
	MaxLink  = 8000 // of a longer one nothing
)

// Link returns a number that is equal for links to the same page. It ignores the scheme,
// "www.", a trailing slash, the fragment and tracking parameters. It is 0 for a link that
// identifies no story: none, the front page of a site, one that is not http or https, or too long.
func Link(link string) int64 {
	if link = strings.TrimSpace(link); len(link) > MaxLink {
		return 0
	}
	u, err := url.Parse(link)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return 0
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	for _, before := range []string{"www.", "m.", "mobile.", "amp."} {
		host = strings.TrimPrefix(host, before)
	}
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		host += ":" + port
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	for _, end := range []string{"/amp", "/index.html", "/index.php"} {
		path = strings.TrimRight(strings.TrimSuffix(path, end), "/")
	}
	query := withoutTracking(u.RawQuery)
	if path == "" && query == "" {
		return 0
	}
	return digest(host + path + "?" + query)
}

// withoutTracking returns the parameters of a query that select the page, sorted.
func withoutTracking(query string) string {
	if query == "" {
		return ""
	}
	parts := strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == ';' })
	parts = slices.DeleteFunc(parts, func(part string) bool {
		name, _, _ := strings.Cut(strings.ToLower(part), "=")
		return trackingNames[name] || slices.ContainsFunc(trackingPrefixes, func(p string) bool { return strings.HasPrefix(name, p) })
	})
	slices.Sort(parts)
	return strings.Join(parts, "&")
}

// Tracking parameters tell a site where its readers come from. Names that may also select
// the page, such as "id" or "p", are not among them.
var (
	trackingPrefixes = []string{"utm_", "pk_", "piwik_", "mtm_", "matomo_", "at_", "ns_", "hsa_", "wt_", "__hs", "vero_", "oly_", "ga_"}
	trackingNames    = set("fbclid", "gclid", "dclid", "gbraid", "wbraid", "msclkid", "yclid", "twclid", "igshid", "igsh", "mc_cid",
		"mc_eid", "mkt_tok", "xtor", "smid", "cmpid", "ncid", "cmp", "ref", "ref_src", "referrer", "source", "rss",
		"partner", "campaign", "medium", "spm", "icid", "ito", "amp", "guccounter", "s_cid", "sr_share", "share", "_hsenc", "_hsmi")
)

func set(names ...string) map[string]bool {
	all := make(map[string]bool, len(names))
	for _, name := range names {
		all[name] = true
	}
	return all
}

// minTitle is the shortest title that is not equal to another by chance, in letters; one
// of a script without spaces counts as three.
const minTitle = 24

// Title returns a number that is equal for titles with the same words. It ignores case,
// punctuation and white space. It is 0 for a title that is too short.
func Title(title string) int64 {
	var b strings.Builder
	letters, words := 0, 0
	space := true
	for _, r := range content.CutBytes(strings.TrimSpace(title), MaxTitle) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if space {
				words++
				b.WriteByte(' ')
			}
			space = false
			b.WriteRune(unicode.ToLower(r))
			letters++
			if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) {
				letters += 2
				words++
			}
		case unicode.IsMark(r):
			b.WriteRune(r)
		case r != '\'' && r != '’': // "it's" is one word
			space = true
		}
	}
	if letters < minTitle || words < 4 {
		return 0
	}
	return digest(b.String())
}

// digest returns a hash that is not 0.
func digest(text string) int64 {
	h := fnv.New64a()
	h.Write([]byte(text)) //nolint:errcheck // a hash cannot fail
	return int64(h.Sum64() | 1)
}
