package content

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"kairos/reader/localnet"
)

// Origin tells where HTML comes from.
type Origin struct {
	Base  string // what its addresses are relative to, "" where unknown
	Local bool   // it comes from this machine or its network, and may lead there
}

// Link returns the absolute address of ref, or "" where no link may lead: to
// scripts, files, and this machine or its network.
func (o Origin) Link(ref string) string {
	ref = Resolve(o.Base, ref)
	scheme, _ := schemeOf(ref)
	if scheme == "data" || !slices.Contains(linkSchemes, scheme) || !o.Local && IsLocal(ref) {
		return ""
	}
	return ref
}

// image returns the absolute address of a picture, or "" where none may be loaded from.
func (o Origin) image(ref string) string {
	ref = Resolve(o.Base, ref)
	scheme, _ := schemeOf(ref)
	switch {
	case isDrawing(ref):
		return drawing(ref)
	case scheme == "data" && slices.ContainsFunc(dataPictures, func(p string) bool { return strings.HasPrefix(ref, p) }):
		return ref
	case scheme != "http" && scheme != "https", !o.Local && IsLocal(ref):
		return ""
	}
	return ref
}

// dataPictures are the pictures that an address may hold itself, besides drawings.
var dataPictures = []string{"data:image/png", "data:image/jpeg", "data:image/jpg", "data:image/gif", "data:image/webp"}

// maxBase is how much of a base all that is relative to it may become longer by, in bytes.
const maxBase = 2048

// Resolve returns ref as an absolute address, resolved against base (RFC 3986
// §5.2) after the corrections that browsers make (WHATWG URL §4.4). It is "" where
// that is impossible: without a base, or with one that is not http or https.
func Resolve(base, ref string) string {
	ref = correctAddress(ref)
	if scheme, ok := schemeOf(ref); ok {
		if isWeb(scheme) && hostOf(ref) == "" {
			return ""
		}
		return ref
	}
	b := splitAddress(correctAddress(base))
	if ref == "" || !isWeb(strings.ToLower(b.scheme)) || b.authority == "" || len(b.authority)+len(b.path) > maxBase {
		if strings.HasPrefix(ref, "//") && hostOf(ref) != "" {
			return "https:" + ref
		}
		return ""
	}
	r := splitAddress(ref)
	r.scheme = b.scheme
	switch {
	case strings.HasPrefix(ref, "//"):
		r.path = removeDots(r.path)
	case r.path == "":
		r.authority, r.path = b.authority, b.path
		if r.query == "" && len(b.query) <= maxBase {
			r.query = b.query
		}
	case r.path[0] == '/':
		r.authority, r.path = b.authority, removeDots(r.path)
	default:
		r.authority = b.authority
		r.path = removeDots(b.path[:strings.LastIndexByte(b.path, '/')+1] + r.path)
	}
	if hostOf("//"+r.authority) == "" {
		return ""
	}
	if !strings.HasPrefix(r.path, "/") {
		r.path = "/" + r.path
	}
	return r.scheme + "://" + r.authority + r.path + r.query + r.fragment
}

func isWeb(scheme string) bool { return scheme == "http" || scheme == "https" }

// addressParts are the parts of an address; query and fragment keep their mark.
type addressParts struct{ scheme, authority, path, query, fragment string }

func splitAddress(s string) (a addressParts) {
	if scheme, ok := schemeOf(s); ok {
		a.scheme, s = scheme, s[len(scheme)+1:]
	}
	if i := strings.IndexByte(s, '#'); i >= 0 {
		s, a.fragment = s[:i], s[i:]
	}
	if i := strings.IndexByte(s, '?'); i >= 0 {
		s, a.query = s[:i], s[i:]
	}
	if rest, ok := strings.CutPrefix(s, "//"); ok {
		end := strings.IndexByte(rest, '/')
		if end < 0 {
			end = len(rest)
		}
		a.authority, s = rest[:end], rest[end:]
	}
	a.path = s
	return a
}

// removeDots removes "." and ".." from a path (RFC 3986 §5.2.4).
func removeDots(path string) string {
	if !strings.Contains(path, ".") {
		return path
	}
	var kept []string
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for i, s := range segments {
		last := i == len(segments)-1
		switch s {
		case ".":
		case "..":
			kept = kept[:max(0, len(kept)-1)]
		default:
			kept = append(kept, s)
			last = false
		}
		if last {
			kept = append(kept, "")
		}
	}
	return "/" + strings.Join(kept, "/")
}

// correctAddress drops what browsers drop (white space at the ends, tabs and line ends
// with the indentation behind them), escapes spaces within, other invisible characters
// and a "%" that escapes nothing, and corrects "&amp;" that was escaped once too often and slashes that
// are backslashes or missing.
func correctAddress(s string) string {
	if isCorrect(s) {
		return s
	}
	s = strings.TrimFunc(s, func(r rune) bool { return r <= ' ' || r == '\u00a0' || r == '\ufeff' })
	if strings.ContainsFunc(s, func(r rune) bool { return r == ' ' || r == '%' || unicode.IsControl(r) || overridesDirection(r) }) {
		s = escapeInvisible(s)
	}
	s = strings.ReplaceAll(s, "&amp;", "&")
	scheme, ok := schemeOf(s)
	if ok && !isWeb(scheme) {
		return s
	}
	if end := strings.IndexAny(s+"?", "?#"); strings.Contains(s[:end], `\`) {
		s = strings.ReplaceAll(s[:end], `\`, "/") + s[end:]
	}
	if ok && !strings.HasPrefix(s[len(scheme):], "://") || strings.HasPrefix(s[len(scheme):], ":///") {
		s = scheme + "://" + strings.TrimLeft(s[len(scheme)+1:], "/")
	}
	return s
}

// isCorrect recognizes addresses of the web with nothing to correct, as most are.
func isCorrect(s string) bool {
	rest, ok := strings.CutPrefix(s, "https://")
	if !ok {
		if rest, ok = strings.CutPrefix(s, "http://"); !ok {
			return false
		}
	}
	for i := 0; i < len(rest); i++ {
		if c := rest[i]; c <= ' ' || c >= 0x7f || c == '%' || c == '&' || c == '\\' {
			return false
		}
	}
	return rest != "" && rest[0] != '/'
}

func escapeInvisible(s string) string {
	var b strings.Builder
	afterBreak := false // behind a line end
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == ' ' && afterBreak:
		case c == ' ':
			b.WriteString("%20")
		case c == '\n', c == '\r', c == '\t':
			afterBreak = true
			continue
		case c < ' ', c == 0x7f:
		case c == '%' && (i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2])):
			b.WriteString("%25")
		default:
			b.WriteByte(c)
		}
		afterBreak = afterBreak && s[i] == ' '
	}
	return escapeControls(b.String())
}

// escapeControls escapes characters beyond ASCII that control a terminal or the direction of text.
func escapeControls(s string) string {
	var b strings.Builder
	for i, size := 0, 0; i < len(s); i += size {
		var r rune
		if r, size = utf8.DecodeRuneInString(s[i:]); unicode.IsControl(r) || overridesDirection(r) {
			b.WriteString(url.PathEscape(s[i : i+size]))
		} else {
			b.WriteString(s[i : i+size])
		}
	}
	return b.String()
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// schemeOf returns the scheme of an address in lower case (RFC 3986 §3.1).
func schemeOf(s string) (string, bool) {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == ':':
			return strings.ToLower(s[:i]), i > 0
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		case i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return "", false
		}
	}
	return "", false
}

func hostOf(s string) string {
	host := splitAddress(s).authority
	if plain := strings.Trim(host, "."); plain != "" && !strings.ContainsFunc(plain, isUnusualInHost) {
		return strings.ToLower(plain)
	}
	host = host[strings.LastIndexByte(host, '@')+1:]
	if u, err := url.Parse("//" + host); err == nil {
		host = u.Hostname()
	}
	if strings.ContainsFunc(host, func(r rune) bool { return r >= utf8.RuneSelf }) {
		if plain, err := idna.Lookup.ToASCII(host); err == nil {
			host = plain // equivalent digits and letters
		}
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

// isUnusualInHost recognizes characters that most hosts do not have.
func isUnusualInHost(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-')
}

// IsLocal reports whether an address leads to this machine or its local network.
func IsLocal(s string) bool {
	scheme, ok := schemeOf(s)
	return ok && (isWeb(scheme) || scheme == "ftp") && localnet.Host(hostOf(s))
}
