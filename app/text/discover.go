package text

import "kairos/reader/discover"

var discoverErrors = table[discover.Code]{
	discover.NoAddress:         "There is no address.",
	discover.NotAnAddress:      "“{{.Text}}” is not a web address.",
	discover.MailAddress:       "“{{.Text}}” is an email address, not a web address.",
	discover.UnsupportedScheme: "Kairos can subscribe to http and https addresses only, not to “{{.Scheme}}:”.",
	discover.NoFeed:            "No feed was found.",
	discover.SignInPage:        "The site shows a page to sign in or to consent instead.",
}

// discoverError describes why an address leads to no feed, with what is there instead.
func (p *Printer) discoverError(e *discover.Error) string {
	text := say(p, discoverErrors, e.Code, V{"Text": e.Text, "Scheme": e.Scheme})
	if e.Cause == nil {
		return text
	}
	return p.Sentences(text, p.Error(e.Cause))
}
