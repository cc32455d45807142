package discover

import (
	"net"
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// Normalize turns what a person types or drops into the window (example.com,
// feed:https://…, <https://…>, a line of text with an address in it) into an
// absolute http or https address. Errors: *Error.
func Normalize(typed string) (string, error) {
	s := unwrap(typed)
	if s == "" {
		return "", &Error{Code: NoAddress}
	}
	if strings.ContainsAny(s, " \t\r\n") {
		if s = findAddress(s); s == "" {
			return "", &Error{Code: NotAnAddress, Text: notAddresses(typed)}
		}
	}
	s = stripFeedScheme(s)
	switch scheme := schemeOf(s); scheme {
	case "http", "https":
		s = scheme + "://" + strings.TrimLeft(s[len(scheme)+1:], "/")
	case "":
		s = withScheme(s)
	default:
		return "", &Error{Code: UnsupportedScheme, Scheme: scheme}
	}
	u, err := url.Parse(s)
	if err != nil {
		return "", &Error{Code: NotAnAddress, Text: typed}
	}
	return normalizeHost(u, typed)
}

// maxHost is more bytes than any name of a host has in any writing: 253 in ASCII (RFC 1035, section 2.3.4).
const maxHost = 1000

func normalizeHost(u *url.URL, typed string) (string, error) {
	if u.User != nil && u.Path == "" && u.RawQuery == "" && !hasScheme(typed) {
		return "", &Error{Code: MailAddress, Text: unwrap(typed)}
	}
	if len(u.Hostname()) > maxHost {
		return "", &Error{Code: NotAnAddress, Text: unwrap(typed)}
	}
	host, err := idna.Lookup.ToASCII(u.Hostname())
	if err != nil || host == "" {
		host = strings.ToLower(u.Hostname())
	}
	if len(host) > maxHost || !isHost(host) && !(isLabel(host) && hasScheme(typed) && !strings.ContainsAny(unwrap(typed), " \t\r\n")) {
		return "", &Error{Code: NotAnAddress, Text: unwrap(typed)}
	}
	if p := u.Port(); p != "" {
		u.Host = net.JoinHostPort(host, p)
	} else if strings.Contains(host, ":") {
		u.Host = "[" + host + "]"
	} else {
		u.Host = host
	}
	u.Fragment, u.RawFragment = "", ""
	return unwrap(u.String()), nil // a quote may have stood before the fragment
}

// unwrap removes white space and the quotes and brackets that people paste with an address.
func unwrap(s string) string {
	s = strings.TrimFunc(s, func(r rune) bool { return r <= ' ' || r == '\u00a0' || r == '\ufeff' || r == '\u200b' })
	for {
		t := strings.Trim(s, "\"<>“”„‘’«»`")
		if len(t) > 1 && t[0] == '\'' && t[len(t)-1] == '\'' { // a single one may belong to the address
			t = t[1 : len(t)-1]
		}
		t = strings.TrimPrefix(strings.TrimSpace(t), "view-source:")
		if len(t) >= 4 && strings.EqualFold(t[:4], "url:") {
			t = t[4:]
		}
		if t == s {
			return s
		}
		s = t
	}
}

var scheme = regexp.MustCompile("(?i:http)")

// findAddress finds the address in a line of text.
func findAddress(s string) string {
	for _, word := range strings.Fields(s) {
		if at := scheme.FindStringIndex(word); at != nil && strings.Contains(word[at[0]:], "://") {
			return strings.TrimRight(unwrap(word[at[0]:]), ".,;)")
		}
	}
	return ""
}

// notAddresses returns what of a text with spaces is no address: the words that are none beside one that is, or all of it.
func notAddresses(typed string) string {
	words := strings.Fields(typed)
	var none []string
	for _, word := range words {
		host, _, _ := strings.Cut(unwrap(word), "/")
		if _, known := publicsuffix.PublicSuffix(strings.ToLower(host)); !known || !isHost(host) {
			none = append(none, word)
		}
	}
	if len(none) == 0 {
		none = words
	}
	return strings.Join(none, " ")
}

// feedSchemes open a feed reader; an address, or a host that is asked by the scheme named here, follows them.
var feedSchemes = map[string]string{"feed": "http", "feeds": "https", "rss": "http", "pcast": "http", "itpc": "http", "podcast": "http"}

func stripFeedScheme(s string) string {
	before, after, _ := strings.Cut(s, ":")
	web, ok := feedSchemes[strings.ToLower(before)]
	if !ok || len(before) == len(s) {
		return s
	}
	inner := strings.TrimLeft(after, "/")
	if scheme := schemeOf(inner); scheme == "http" || scheme == "https" {
		return inner
	}
	return web + "://" + inner
}

// schemeOf returns the scheme in lower case, "" without one, as in "localhost:80".
func schemeOf(s string) string {
	i := strings.IndexByte(s, ':')
	if i <= 0 {
		return ""
	}
	for j, c := range strings.ToLower(s[:i]) {
		if c >= 'a' && c <= 'z' || j > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-') {
			continue
		}
		return ""
	}
	if i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9' {
		return ""
	}
	return strings.ToLower(s[:i])
}

func hasScheme(typed string) bool { return schemeOf(unwrap(typed)) != "" }

// withScheme adds the scheme to an address typed without one: http for hosts of
// the private network, https for all others.
func withScheme(s string) string {
	s = strings.TrimLeft(s, "/")
	for _, typo := range []string{"http//", "https//"} {
		s = strings.TrimPrefix(s, typo)
	}
	if name, host, ok := strings.Cut(strings.TrimPrefix(s, "@"), "@"); ok && strings.HasPrefix(s, "@") {
		return "https://" + host + "/@" + name // a Fediverse handle
	}
	host, _, _ := strings.Cut(s, "/")
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	if host == "localhost" || strings.HasSuffix(host, ".local") || net.ParseIP(strings.Trim(host, "[]")) != nil {
		return "http://" + s
	}
	return "https://" + s
}

// isLabel reports whether h is a host name without a dot, as hosts of a private network have.
func isLabel(h string) bool {
	return h != "" && strings.Trim(h, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}

func isHost(h string) bool {
	if net.ParseIP(h) != nil || h == "localhost" {
		return true
	}
	dot := strings.Index(h, ".")
	return dot > 0 && !strings.HasSuffix(h, "..") && !strings.ContainsAny(h, " %<>\"'`{}|\\^!$&()*+,;=")
}

// SameFeed returns a key that is equal for addresses that seem to be of one feed.
// It ignores the scheme, "www.", letter case and default port of the host, a
// trailing slash, the fragment, "feed:" and utm_ parameters.
func SameFeed(address string) string {
	s := stripFeedScheme(strings.TrimSpace(address))
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		return s
	}
	host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	}
	if p := u.Port(); p != "" && p != "80" && p != "443" {
		host += ":" + p
	}
	key := host + strings.TrimRight(u.EscapedPath(), "/")
	var query []string
	for _, q := range strings.Split(u.RawQuery, "&") {
		if q != "" && !strings.HasPrefix(strings.ToLower(q), "utm_") {
			query = append(query, q)
		}
	}
	if len(query) > 0 {
		key += "?" + strings.Join(query, "&")
	}
	return key
}
