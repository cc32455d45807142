package text

import (
	"errors"
	"time"

	"kairos/poller/handoff"
	"kairos/poller/sync"
)

var handoffErrors = table[handoff.Code]{
	handoff.Missing:   "The folder {{.Path}} is not there. Kairos does not create it, since it may be a drive that is not plugged in.",
	handoff.Full:      "There is no room left in {{.Path}}.",
	handoff.Denied:    "Kairos may not write to {{.Path}}.",
	handoff.Unusable:  "Kairos cannot write to {{.Path}}.",
	handoff.NameTaken: "Too many files in {{.Path}} have the name of this article.",
	handoff.NoAddress: "This article has no address that could be stored there.",
}

// handoffServerErrors are for what a server says where it is no account.
var handoffServerErrors = table[sync.Code]{
	sync.Refused:    "{{.Host}} does not accept the login.",
	sync.NoAPI:      "{{.Host}} does not answer like a server of this kind. Check the address.",
	sync.Moved:      "{{.Host}} has moved to {{.To}}. Add the destination again with that address.",
	sync.Rejected:   "{{.Host}} does not accept this article.",
	sync.TooLarge:   "{{.Host}} sent more data than Kairos accepts.",
	sync.NoPassword: "This computer does not have the password of this destination. Enter it again.",
	sync.NoKeyring:  "This computer has no keyring for passwords. Install one, such as GNOME Keyring or KWallet, and try again.",
}

// HandoffError describes why an article was not delivered.
func (p *Printer) HandoffError(e *handoff.Error) string {
	if e.Server == nil {
		return say(p, handoffErrors, e.Code, V{"Path": e.Path})
	}
	if _, own := handoffServerErrors[e.Server.Code]; own {
		host := e.Server.Host
		if host == "" {
			host = p.L("The server")
		}
		return say(p, handoffServerErrors, e.Server.Code, V{"Host": host, "To": e.Server.To})
	}
	return p.SyncError(e.Server)
}

// destinationError describes why a destination cannot be added; ok is false for any other error.
func (p *Printer) destinationError(err error) (text string, ok bool) {
	var fault *handoff.Error
	switch {
	case errors.As(err, &fault):
		return p.HandoffError(fault), true
	case errors.Is(err, handoff.ErrPlainHTTP):
		return p.L("The address begins with http: the password would cross the internet unencrypted."), true
	case errors.Is(err, handoff.ErrNoFolder):
		return p.L("Choose a folder that exists."), true
	}
	return "", false
}

// DestinationStatus describes how a destination stands, in sentences.
func (p *Printer) DestinationStatus(s handoff.Status, now time.Time) string {
	waiting, refused := "", ""
	if s.Waiting > 0 {
		waiting = p.N("{{.PluralCount}} articles wait to be sent.", s.Waiting)
	}
	if s.Refused > 0 {
		refused = p.N("{{.PluralCount}} articles were not accepted.", s.Refused)
	}
	return p.Sentences(p.destinationState(s, now), waiting, refused)
}

func (p *Printer) destinationState(s handoff.Status, now time.Time) string {
	switch {
	case s.Paused:
		return p.L("Paused.")
	case s.Trouble != nil && now.Before(s.NotBefore):
		return p.Sentences(p.HandoffError(s.Trouble), p.L("Next try: {{.When}}.", V{"When": p.When(s.NotBefore, now)}))
	case s.Trouble != nil:
		return p.HandoffError(s.Trouble)
	case s.Sending && s.Waiting > 0:
		return p.L("Sending…")
	case s.Delivered == 0:
		return p.L("Nothing sent yet.")
	}
	return p.Sentences(p.N("{{.PluralCount}} articles sent.", s.Delivered), p.L("Last sent: {{.When}}.", V{"When": p.When(s.Last, now)}))
}
