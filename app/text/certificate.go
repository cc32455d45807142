package text

import "kairos/poller/fetch"

var certificateFaults = table[fetch.CertificateFault]{
	fetch.Untrusted: "The certificate of {{.Host}} is not signed by anyone this computer trusts.",
	fetch.Expired:   "The certificate of {{.Host}} has expired or is not valid yet.",
	fetch.OtherName: "The certificate of {{.Host}} is for another name.",
	fetch.Invalid:   "The certificate of {{.Host}} is not valid.",
}

// certificate describes what is wrong with the certificate of a host; kept is what was therefore not done, or "".
func (p *Printer) certificate(f fetch.CertificateFault, changed bool, host, kept string) string {
	if changed {
		return p.Sentences(p.L("The certificate of {{.Host}} is not the one that you trusted. Somebody may be between you and the server.", V{"Host": host}), kept)
	}
	return p.Sentences(say(p, certificateFaults, f, V{"Host": host}), kept, p.L("If the server is yours, you can trust its certificate."))
}
