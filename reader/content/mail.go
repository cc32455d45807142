package content

import (
	"net/url"
	"strings"
	"unicode"
)

// MailLink returns a mailto address (RFC 6068) with its recipients, subject and body only: other fields can attach files of this
// computer or add recipients that are not seen.
func MailLink(u *url.URL) *url.URL {
	mail := &url.URL{Scheme: "mailto", Opaque: recipients(u.Opaque)}
	var fields []string
	for field := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(field, "=")
		name, err := url.PathUnescape(name)
		value, wrong := url.PathUnescape(value) // a "+" is one
		switch name = strings.ToLower(name); {
		case err != nil || wrong != nil:
		case name == "to":
			fields = append(fields, "to="+recipients(value))
		case name == "subject":
			fields = append(fields, "subject="+escapeField(withoutControls(value)))
		case name == "body":
			fields = append(fields, "body="+escapeField(value))
		}
	}
	mail.RawQuery = strings.Join(fields, "&")
	return mail
}

// recipients returns addresses with commas between them, "" for what is no percent-encoding.
func recipients(text string) string {
	text, err := url.PathUnescape(text)
	if err != nil {
		return ""
	}
	return strings.NewReplacer("%2C", ",", "%40", "@").Replace(escapeField(withoutControls(text)))
}

// withoutControls removes line ends among others, after which another header could follow.
func withoutControls(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
}

func escapeField(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
