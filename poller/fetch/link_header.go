package fetch

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// maxLinkLength is the length of the longest address of a link that is kept.
const maxLinkLength = 2000

// hubOf returns the WebSub hub in the Link headers of an answer from u; "" if there is none (WebSub §4, RFC 8288 §3).
func hubOf(h http.Header, u *url.URL) string { return linkTo(h.Values("Link"), u, "hub") }

// Link returns the address in the Link headers of an answer that has a relation to it; "" if there is none (RFC 8288 §3).
func (r *Response) Link(relation string) string {
	u, err := url.Parse(r.URL)
	if err != nil {
		return ""
	}
	return linkTo(r.Links, u, relation)
}

func linkTo(fields []string, u *url.URL, relation string) string {
	for _, field := range fields {
		for field != "" {
			var l link
			if l, field = nextLink(field); !l.has(relation) || l.params["anchor"] != "" {
				continue // a link with an anchor belongs to another resource (RFC 8288 §3.2)
			}
			target, err := u.Parse(l.target)
			if err != nil {
				continue
			}
			if target, err = parseAddress(target.String()); err == nil && len(target.String()) <= maxLinkLength {
				return target.String()
			}
		}
	}
	return ""
}

// link is a link-value of RFC 8288 §3.
type link struct {
	target string
	params map[string]string // by name in lower case; the first of several (§3.3)
}

// has reports whether the link has a relation type, in upper or lower case (RFC 8288 §3.3).
func (l link) has(rel string) bool {
	return slices.ContainsFunc(strings.Fields(l.params["rel"]), func(r string) bool { return strings.EqualFold(r, rel) })
}

// nextLink parses the first link of a field and returns the rest of the field. It skips what is not a link (RFC 8288,
// appendix B.2).
func nextLink(field string) (l link, rest string) {
	_, field, found := strings.Cut(field, "<")
	if !found {
		return l, ""
	}
	target, field, _ := strings.Cut(field, ">")
	l = link{strings.TrimSpace(target), map[string]string{}}
	for {
		field = strings.TrimLeft(field, " \t")
		if !strings.HasPrefix(field, ";") {
			_, rest, _ = strings.Cut(field, ",")
			return l, rest
		}
		var name, value string
		name, value, field = nextParam(field[1:])
		if _, known := l.params[name]; !known && name != "" {
			l.params[name] = value
		}
	}
}

// nextParam parses a parameter: a name, and a token or a quoted string after "=".
func nextParam(field string) (name, value, rest string) {
	end := strings.IndexAny(field, "=;,")
	if end < 0 {
		end = len(field)
	}
	name = strings.ToLower(strings.Trim(field[:end], " \t"))
	if field = field[end:]; !strings.HasPrefix(field, "=") {
		return name, "", field
	}
	field = strings.TrimLeft(field[1:], " \t")
	if strings.HasPrefix(field, `"`) {
		value, rest = unquote(field[1:])
		return name, value, rest
	}
	if end = strings.IndexAny(field, ";,"); end < 0 {
		end = len(field)
	}
	return name, strings.Trim(field[:end], " \t"), field[end:]
}

// unquote parses a quoted string up to its closing quote (RFC 9110 §5.6.4).
func unquote(field string) (value, rest string) {
	var b strings.Builder
	for i := 0; i < len(field); i++ {
		switch c := field[i]; {
		case c == '"':
			return b.String(), field[i+1:]
		case c == '\\' && i+1 < len(field):
			i++
			b.WriteByte(field[i])
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), ""
}
