package fetch

import (
	"cmp"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// Fingerprint is the SHA-256 digest of a certificate, as 64 hexadecimal digits in lower case.
type Fingerprint string

// ParseFingerprint reads a fingerprint as people copy it: in any case, with colons or spaces between the digits, and after the
// "sha256 Fingerprint=" of OpenSSL, or with the full stop of a sentence.
func ParseFingerprint(typed string) (f Fingerprint, ok bool) {
	typed = typed[strings.LastIndexByte(typed, '=')+1:]
	digits := strings.ToLower(strings.NewReplacer(":", "", " ", "", ".", "", "\n", "").Replace(typed))
	digest, err := hex.DecodeString(digits)
	return Fingerprint(digits), err == nil && len(digest) == sha256.Size
}

// String returns the fingerprint as OpenSSL and browsers show it: pairs of capital digits with colons between them.
func (f Fingerprint) String() string {
	var pairs []string
	for digits := strings.ToUpper(string(f)); len(digits) >= 2; digits = digits[2:] {
		pairs = append(pairs, digits[:2])
	}
	return strings.Join(pairs, ":")
}

func fingerprintOf(c *x509.Certificate) Fingerprint {
	digest := sha256.Sum256(c.Raw)
	return Fingerprint(hex.EncodeToString(digest[:]))
}

// SetTrusted sets which certificates the user trusts, one for each host (as Host writes it), though they are signed by nobody
// known, have expired or are for another name. Any other certificate of these hosts has to be valid, as everywhere.
func (c *Client) SetTrusted(trusted map[string]Fingerprint) {
	c.trusted.Store(&trusted)
	for _, transport := range []http.RoundTripper{c.transport, c.sessions} {
		if t, ok := transport.(interface{ trust(map[string]Fingerprint) }); ok {
			t.trust(trusted)
		}
	}
}

// Trusted returns the certificate that the user trusts of a host, "" if it has to be valid.
func (c *Client) Trusted(host string) Fingerprint {
	if trusted := c.trusted.Load(); trusted != nil {
		return (*trusted)[host]
	}
	return ""
}

// refusedFingerprint returns the fingerprint of the certificate that a request to a host failed for; "" if the host's is not to
// blame. A proxy's is not what the user is asked about.
func refusedFingerprint(err error) Fingerprint {
	var verify *tls.CertificateVerificationError
	var network *net.OpError
	if errors.As(err, &network) && network.Op == "proxyconnect" || !errors.As(err, &verify) || len(verify.UnverifiedCertificates) == 0 {
		return ""
	}
	return fingerprintOf(verify.UnverifiedCertificates[0])
}

// certifiedTransport makes requests to hosts with a trusted certificate by transports of their own, one for each host and port: so
// an exception is made for no other host, and their connections serve no other. A hop by plain HTTP never goes by them.
type certifiedTransport struct {
	*http.Transport // for all other hosts
	build           func() *http.Transport

	mu         sync.Mutex
	trusted    map[string]Fingerprint
	exceptions map[string]*http.Transport
}

func newCertifiedTransport(build func() *http.Transport) *certifiedTransport {
	return &certifiedTransport{Transport: build(), build: build, exceptions: map[string]*http.Transport{}}
}

// RoundTrip implements http.RoundTripper.
func (t *certifiedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	return t.of(req.URL).RoundTrip(req)
}

func (t *certifiedTransport) of(u *url.URL) *http.Transport {
	t.mu.Lock()
	defer t.mu.Unlock()
	host := hostOf(u)
	trusted, ok := t.trusted[host]
	if !ok || u.Scheme != "https" {
		return t.Transport
	}
	if t.exceptions[host] == nil {
		t.exceptions[host] = t.build()
		t.exceptions[host].TLSClientConfig = exceptionFor(u.Hostname(), trusted)
	}
	return t.exceptions[host]
}

// trust makes exceptions for these certificates, and no others from now on.
func (t *certifiedTransport) trust(trusted map[string]Fingerprint) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for host, exception := range t.exceptions {
		if trusted[host] != t.trusted[host] {
			exception.CloseIdleConnections()
			delete(t.exceptions, host)
		}
	}
	t.trusted = maps.Clone(trusted)
}

// CloseIdleConnections closes the connections that no request uses.
func (t *certifiedTransport) CloseIdleConnections() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Transport.CloseIdleConnections()
	for _, exception := range t.exceptions {
		exception.CloseIdleConnections()
	}
}

// exceptionFor returns a configuration that accepts one certificate, and else verifies as crypto/tls does. A proxy that is spoken
// to by TLS is verified by its own name.
func exceptionFor(name string, trusted Fingerprint) *tls.Config {
	return &tls.Config{
		InsecureSkipVerify: true, //nolint:gosec // VerifyConnection verifies
		VerifyConnection: func(state tls.ConnectionState) error {
			if fingerprintOf(state.PeerCertificates[0]) == trusted {
				return nil
			}
			// A connection to an IP address has no name.
			return verifyChain(state.PeerCertificates, cmp.Or(state.ServerName, name))
		},
	}
}

func verifyChain(chain []*x509.Certificate, name string) error {
	intermediates := x509.NewCertPool()
	for _, c := range chain[1:] {
		intermediates.AddCert(c)
	}
	if _, err := chain[0].Verify(x509.VerifyOptions{DNSName: name, Intermediates: intermediates}); err != nil {
		return &tls.CertificateVerificationError{UnverifiedCertificates: chain, Err: err}
	}
	return nil
}
