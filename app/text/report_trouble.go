package text

import (
	"time"

	"kairos/poller/report"
)

// TroubleSince words since when a feed fails, as part of a sentence: "failing since 3 Mar 08:00 (31 days, 36 errors in a
// row)".
func (p *Printer) TroubleSince(t *report.Trouble, now time.Time) string {
	if t.There {
		return p.troubleThere(t, now)
	}
	v := V{"When": p.When(t.Since, now), "Span": p.Span(now.Sub(t.Since))}
	switch {
	case t.Gone:
		return p.L("gone since {{.When}}", v)
	case t.Failures == 1:
		return p.L("failing since {{.When}}", v)
	}
	v["N"] = t.Failures
	return p.L("failing since {{.When}} ({{.Span}}, {{.N}} errors in a row)", v)
}

// troubleThere words since when the server of an account fails to fetch a feed.
func (p *Printer) troubleThere(t *report.Trouble, now time.Time) string {
	v := V{"When": p.When(t.Since, now), "Span": p.Span(now.Sub(t.Since)), "N": t.Failures}
	switch {
	case t.NotAdded:
		return p.L("not added at its server")
	case t.Since.IsZero() && t.Failures == 1:
		return p.L("failing at its server")
	case t.Since.IsZero():
		return p.L("failing at its server ({{.N}} errors in a row)", v)
	case t.Failures == 1:
		return p.L("failing at its server since {{.When}}", v)
	}
	return p.L("failing at its server since {{.When}} ({{.Span}}, {{.N}} errors in a row)", v)
}

var adviceTexts = table[report.Advice]{
	report.AdviceLogin:        "Enter the user name and password that the site gave you.",
	report.AdviceNewLogin:     "The user name or the password is not accepted. Enter them again.",
	report.AdviceKeyring:      "The login could not be read from the system keyring. Unlock it, or enter the login again.",
	report.AdviceForbidden:    "Open the address in the browser. If the site asks for a login there, enter it here too. If it shows the feed, the site turns feed readers away: tell its owner.",
	report.AdviceMissing:      "The feed has probably moved. Look for its new address on its site.",
	report.AdviceGone:         "The site says that the feed will not come back, so Kairos has stopped fetching it. Look for a new address on its site, or unsubscribe. Its articles stay as long as you are subscribed.",
	report.AdviceRefusal:      "Open the address in the browser to see what the site says.",
	report.AdviceBusy:         "You need not do anything: Kairos fetches less often and waits as long as the site asks.",
	report.AdviceServer:       "Only the site can fix this. Kairos keeps trying at least once a day.",
	report.AdviceHostNotFound: "The name of the site could not be found just now. Kairos keeps trying. If you have just entered the address, check its spelling.",
	report.AdviceNoHost:       "The name of the site no longer exists: it has moved or closed. Look for the site under another name, and enter its new address here.",
	report.AdviceBadAddress:   "Correct the address, or look for the feed on its site.",
	report.AdviceNoServer:     "The server is switched off or has moved. Kairos keeps trying at least once a day.",
	report.AdviceTimeout:      "The server is overloaded or cannot be reached from here. If the browser cannot reach it either, you can only wait: Kairos keeps trying at least once a day.",
	report.AdviceSlow:         "The server is overloaded. Kairos keeps trying at least once a day.",
	report.AdviceTLS:          "The certificate of the site is not valid (it may have expired), or something in this network intercepts the connection. The browser shows more.",
	report.AdviceReset:        "The server or the network broke the connection. Kairos keeps trying at least once a day.",
	report.AdviceRedirectLoop: "The site is set up wrongly, or insists on cookies, which Kairos does not keep. Look for another address of the feed.",
	report.AdviceBrowsersOnly: "The site lets only browsers in. Look for another address of the feed, or ask the owner of the site to let feed readers in.",
	report.AdviceLocal:        "Kairos follows no redirect from the web into your local network. If the feed is yours, enter its local address here.",
	report.AdviceLocalName:    "Your network resolves this name to a local address, as sign-in pages and ad blockers do. If the feed is yours, enter its local name or IP address here.",
	report.AdvicePage:         "The feed may have moved, or the site may want a login or your consent first. Open the address in the browser, and look for the feed on its site.",
	report.AdviceOther:        "Something else is at this address now. Look for the feed on its site.",
	report.AdviceBroken:       "Only the site can fix this: tell its owner. Kairos keeps trying at least once a day.",
	report.AdviceShape:        "The layout of the page has changed. Choose its articles again; those that are here stay.",
	report.AdviceList:         "Nothing was changed: the feeds of the list stay. Open its address in the browser, or enter its new one.",
	report.AdviceRobots:       "Kairos keeps to that. Perhaps the site has a feed.",
	report.AdviceFile:         "Check that the file is still there and that you may read it, or enter its new location.",
	report.AdviceFileContent:  "Check what the file contains, or choose another one.",
	report.AdviceWait:         "Kairos keeps trying at least once a day.",
	report.AdviceThere:        "The server keeps trying. You can tell it to try again now.",
	report.AdviceGivenUp:      "The server may have stopped trying: Miniflux stops after three errors in a row, unless its administrator set another number. Tell it to try again. If the feed has moved, add it with its new address.",
	report.AdviceNotAdded:     "The feed is only here. Kairos asks the server again once a day. If the address is wrong, unsubscribe and add the right one; or move the feed to this computer, which fetches it itself.",
}

// Advice describes what the user can do about a feed that fails.
func (p *Printer) Advice(a report.Advice) string { return say(p, adviceTexts, a) }
