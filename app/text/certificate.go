package text

import (
	"runtime"

	"kairos/poller/fetch"
)

var certificateFaults = table[fetch.CertificateFault]{
	fetch.Untrusted: "The certificate of {{.Host}} is not signed by anyone this computer trusts.",
	fetch.Expired:   "The certificate of {{.Host}} has expired or is not valid yet.",
	fetch.OtherName: "The certificate of {{.Host}} is for another name.",
	fetch.Invalid:   "The certificate of {{.Host}} is not valid.",
}

// certificate describes what is wrong with the certificate of a host; kept is what was therefore not done, or "".
func (p *Printer) certificate(f fetch.CertificateFault, host, kept string) string {
	help := ""
	switch {
	case f != fetch.Untrusted:
	case runtime.GOOS == "windows" || runtime.GOOS == "darwin": // where Go looks into no file
		help = p.L("If the server is yours, add its certificate to those that your system trusts.")
	default:
		help = p.L("If the server is yours, add its certificate to those that your system trusts, or start Kairos with its file in SSL_CERT_FILE.")
	}
	return p.Sentences(say(p, certificateFaults, f, V{"Host": host}), kept, help)
}
