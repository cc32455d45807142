// Package story recognises one story that several feeds carry: by its link, whatever each
// feed has put around it, or by its title. It is pure: what time lies between two
// articles, and what else speaks for or against them, is its callers' to see.
package story

import (
	"hash/fnv"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// Link is a number that two links share if they lead to one page: scheme, "www.", a
// trailing slash, the fragment and what tells a site where its readers come from do not
// count. It is 0 where a link tells nothing: none, the front page of a site, no address
// of the web.
func Link(link string) int64 {
	u, err := url.Parse(strings.TrimSpace(link))
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
	query := kept(u.RawQuery)
	if path == "" && query == "" {
		return 0
	}
	return number(host + path + "?" + query)
}

// kept are the parameters of a query that say which page is meant, in one order.
func kept(query string) string {
	if query == "" {
		return ""
	}
	parts := strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == ';' })
	parts = slices.DeleteFunc(parts, func(part string) bool {
		name, _, _ := strings.Cut(strings.ToLower(part), "=")
		return tracking[name] || slices.ContainsFunc(trackingPrefixes, func(p string) bool { return strings.HasPrefix(name, p) })
	})
	slices.Sort(parts)
	return strings.Join(parts, "&")
}

// What sites and senders put into links to see where their readers come from. Names that
// may also say which page is meant, such as "id" or "p", are not among them.
var (
	trackingPrefixes = []string{"utm_", "pk_", "piwik_", "mtm_", "matomo_", "at_", "ns_", "hsa_", "wt_", "__hs", "vero_", "oly_", "ga_"}
	tracking         = set("fbclid", "gclid", "dclid", "gbraid", "wbraid", "msclkid", "yclid", "twclid", "igshid", "igsh", "mc_cid",
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

// leastTitle is how much a title has to say to be the same by more than chance, in
// letters; one of a script without spaces says as much as three.
const leastTitle = 24

// Title is a number that two titles share if they say the same: case, punctuation and
// space do not count. It is 0 where a title says too little to tell.
func Title(title string) int64 {
	var b strings.Builder
	letters, words := 0, 0
	space := true
	for _, r := range title {
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
	if letters < leastTitle || words < 4 {
		return 0
	}
	return number(b.String())
}

// number is a digest that is not 0.
func number(text string) int64 {
	h := fnv.New64a()
	h.Write([]byte(text)) //nolint:errcheck // a hash cannot fail
	return int64(h.Sum64() | 1)
}
