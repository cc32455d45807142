package text

import (
	"errors"
	"slices"
	"time"

	"kairos/app/secret"
	"kairos/poller/fetch"
	"kairos/poller/sync"
)

var syncErrors = table[sync.Code]{
	sync.BadAddress:  "“{{.Text}}” is not a web address.",
	sync.Unreachable: "{{.Host}} cannot be reached.",
	sync.Refused:     "{{.Host}} does not accept the user name and password.",
	sync.NoAPI:       "Neither Miniflux, Tiny Tiny RSS nor a Google Reader API was found at {{.Host}}. Check the address.",
	sync.APIOff:      "{{.Host}} does not let apps in. Switch on “Enable API” in its preferences.",
	sync.Moved:       "{{.Host}} has moved to {{.To}}. Use that address for the account.",
	sync.Busy:        "{{.Host}} is busy. Kairos tries again later.",
	sync.Faulty:      "{{.Host}} reported an internal error.",
	sync.Garbled:     "The answer of {{.Host}} is incomplete or unreadable.",
	sync.TooLarge:    "{{.Host}} sent more data than Kairos accepts. What was synced before is kept.",
	sync.Rejected:    "{{.Host}} does not accept this change.",
	sync.NoEdit:      "{{.Host}} lets no app rename feeds or move them to folders. Do that on its own page.",
	sync.NotAdded:    "{{.Host}} did not add the feed.",

	sync.KeyringLocked: "The keyring for passwords is locked. Unlock it and try again.",
	sync.NoPassword:    "This computer does not have the password of this account. Enter it with “Edit…” under Settings > Accounts.",
	sync.NoKeyring:     "Kairos cannot look up the password of this account without a keyring, such as GNOME Keyring or KWallet. Start one, or enter the password with “Edit…” under Settings > Accounts.",
	sync.FeedPassword:  "Kairos cannot pass a feed's password on to a server. Add the feed on the server's own page, or to this computer.",
}

// syncCertificates are the faults of certificates by the codes of servers.
var syncCertificates = map[sync.Code]fetch.CertificateFault{
	sync.Insecure: fetch.Invalid, sync.Untrusted: fetch.Untrusted, sync.Expired: fetch.Expired, sync.OtherName: fetch.OtherName,
}

// SyncError describes why a server to sync with did not do what it was asked.
func (p *Printer) SyncError(e *sync.Error) string {
	host := e.Host
	if host == "" {
		host = p.L("The server")
	}
	if e.BlamesCertificate() {
		return p.certificate(syncCertificates[e.Code], e.Code == sync.Changed, host, p.L("Kairos did not send the password."))
	}
	text := say(p, syncErrors, e.Code, V{"Host": host, "Text": e.Host, "To": e.To})
	if e.Code == sync.NotAdded && e.Words != "" {
		return p.Sentences(text, p.L("It says: “{{.Words}}”.", V{"Words": WithoutStop(e.Words)}))
	}
	if e.OwnAPI {
		return p.Sentences(text, p.L("FreshRSS has an API password of its own. Set it there in your profile, and enter it here."))
	}
	return text
}

// maxNamedRefusals is how many feeds are named of which a server did not accept something.
const maxNamedRefusals = 2

// Refusals describes what a server did not accept of several feeds, in sentences.
func (p *Printer) Refusals(refused []sync.Refusal) []string {
	if len(refused) > maxNamedRefusals && !slices.ContainsFunc(refused, func(r sync.Refusal) bool { return r.Err.Code != sync.NotAdded }) {
		return []string{p.N("The server did not add {{.PluralCount}} feeds: see Needs attention.", len(refused))}
	}
	var texts []string
	for _, r := range refused {
		texts = append(texts, p.Refusal(r))
	}
	return texts
}

// Refusal describes what a server did not accept of a feed.
func (p *Printer) Refusal(r sync.Refusal) string {
	if r.Title == "" {
		return p.SyncError(r.Err)
	}
	return p.L("{{.Feed}}: {{.Said}}", V{"Feed": r.Title, "Said": p.SyncError(r.Err)})
}

// SyncWaits words until when a server is not to be asked.
func (p *Printer) SyncWaits(e *sync.WaitError) string {
	return p.L("{{.Host}} asked Kairos to wait until {{.When}}.", V{"Host": e.Host, "When": p.When(e.Until, e.At)})
}

// AccountStatus describes how an account stands, in sentences.
func (p *Printer) AccountStatus(s sync.Status, now time.Time) string {
	waiting := ""
	if s.Waiting > 0 {
		waiting = p.N("{{.PluralCount}} changes wait to be sent.", s.Waiting)
	}
	return p.Sentences(p.accountState(s, now), waiting)
}

func (p *Printer) accountState(s sync.Status, now time.Time) string {
	stored := p.N("{{.PluralCount}} articles so far", s.Stored)
	switch {
	case s.Syncing && s.Phase == sync.First:
		return p.L("First sync: {{.Articles}}.", V{"Articles": stored})
	case s.Syncing:
		return p.L("Syncing…")
	case s.Paused:
		return p.L("Paused.")
	case s.Error != nil && now.Before(s.NotBefore):
		return p.Sentences(p.SyncError(s.Error), p.L("Next try: {{.When}}.", V{"When": p.When(s.NotBefore, now)}))
	case s.Error != nil:
		return p.SyncError(s.Error)
	case s.Phase == sync.First:
		return p.L("The first sync is not finished: {{.Articles}}.", V{"Articles": stored})
	case s.Synced.IsZero():
		return p.L("Not synced yet.")
	}
	synced := p.L("Last synced: {{.When}}.", V{"When": p.When(s.Synced, now)})
	if !s.Missing.IsZero() {
		return p.Sentences(synced, p.L("The server lists far fewer feeds than before. Kairos keeps the others until {{.When}}, in case they come back.",
			V{"When": p.When(s.Missing.Add(sync.ConfirmAfter), now)}))
	}
	return synced
}

// keyringError describes why a password was not stored or found; ok is false for any other error.
func (p *Printer) keyringError(err error) (text string, ok bool) {
	switch {
	case errors.Is(err, secret.ErrNoKeyring):
		return p.L("This computer has no keyring for passwords. Install one, such as GNOME Keyring or KWallet, and try again."), true
	case errors.Is(err, secret.ErrLocked):
		return p.L("The keyring for passwords is locked. Unlock it and try again."), true
	}
	return "", false
}
