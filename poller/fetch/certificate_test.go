package fetch

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// homeServer is a server with a certificate that nobody known has signed. It counts what it is asked, and lists who logs in.
type homeServer struct {
	*httptest.Server
	asked  int
	logins []string
}

func serveTLS(t *testing.T, address string, certificate *tls.Certificate) *homeServer {
	t.Helper()
	s := &homeServer{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked++
		if user, password, ok := r.BasicAuth(); ok {
			s.logins = append(s.logins, user+" "+password)
		}
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, r.Proto)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.EnableHTTP2 = true
	if certificate != nil {
		s.TLS = &tls.Config{Certificates: []tls.Certificate{*certificate}}
	}
	if address != "" {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		_ = s.Listener.Close()
		s.Listener = l
	}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func (s *homeServer) fingerprint() Fingerprint { return fingerprintOf(s.Certificate()) }

// selfSigned makes a certificate for 127.0.0.1 that is valid until an instant.
func selfSigned(t *testing.T, until time.Time) *tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: until.AddDate(-1, 0, 0), NotAfter: until, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key}
}

// A certificate that is not valid is accepted once the user has trusted it, for its host and port alone. Before that nothing is
// sent, above all no password.
func TestTrustedCertificate(t *testing.T) {
	s, other := serveTLS(t, "", nil), serveTLS(t, "", nil) // the two have the same certificate
	c := client(t, Options{Spacing: -1})
	r := Request{URL: s.URL, User: "ann", Password: "secret"}
	_, e := wantCode(t, c, r, TLS)
	if e.Certificate != Untrusted || e.Fingerprint != s.fingerprint() || e.Changed || s.asked > 0 {
		t.Fatalf("%+v, asked %d times", e, s.asked)
	}
	c.SetTrusted(map[string]Fingerprint{e.Host: e.Fingerprint})
	if got := mustDo(t, c, r); string(got.Body) != "HTTP/2.0" || fmt.Sprint(s.logins) != "[ann secret]" {
		t.Errorf("%q, %v", got.Body, s.logins)
	}
	if _, e = wantCode(t, c, Request{URL: other.URL}, TLS); e.Fingerprint != s.fingerprint() || e.Changed || other.asked > 0 {
		t.Errorf("another port: %+v", e)
	}
	r.URL += "?to=" + url.QueryEscape(other.URL)
	if _, e = wantCode(t, c, r, TLS); e.Host != Host(other.URL) || other.asked > 0 {
		t.Errorf("a redirect to another port: %+v", e)
	}
	if _, e = wantCode(t, c, Request{URL: strings.Replace(s.URL, "127.0.0.1", "localhost", 1)}, TLS); e.Certificate != OtherName {
		t.Errorf("another name: %+v", e)
	}

	asked := s.asked
	c.SetTrusted(nil)
	if _, e = wantCode(t, c, Request{URL: s.URL}, TLS); e.Changed || s.asked > asked {
		t.Errorf("taken back: %+v, asked %d times", e, s.asked-asked)
	}
}

// Sessions with servers of accounts make the same exceptions.
func TestTrustedCertificateOfASession(t *testing.T) {
	s := serveTLS(t, "", nil)
	c := client(t, Options{})
	var got string
	if _, err := c.Do(t.Context(), inSession(http.MethodGet, s.URL, &got)); codeOf(err) != TLS || s.asked > 0 {
		t.Fatalf("%v, asked %d times", err, s.asked)
	}
	c.SetTrusted(map[string]Fingerprint{Host(s.URL): s.fingerprint()})
	if _, err := c.Do(t.Context(), inSession(http.MethodGet, s.URL, &got)); err != nil || s.asked != 1 {
		t.Errorf("%v, asked %d times", err, s.asked)
	}
}

// Another certificate at the same host gets nothing, and the error says that it is another one.
func TestChangedCertificate(t *testing.T) {
	s := serveTLS(t, "", selfSigned(t, time.Now().AddDate(1, 0, 0)))
	c := client(t, Options{Spacing: -1})
	c.SetTrusted(map[string]Fingerprint{Host(s.URL): s.fingerprint()})
	r := Request{URL: s.URL, User: "ann", Password: "secret"}
	mustDo(t, c, r)
	address, before := s.Listener.Addr().String(), s.fingerprint()
	c.CloseIdle()
	s.Close()
	s = serveTLS(t, address, selfSigned(t, time.Now().AddDate(1, 0, 0)))
	_, e := wantCode(t, c, r, TLS)
	if !e.Changed || e.Fingerprint != s.fingerprint() || e.Fingerprint == before || s.asked > 0 {
		t.Errorf("%+v, asked %d times", e, s.asked)
	}
	c.SetTrusted(map[string]Fingerprint{Host(s.URL): e.Fingerprint})
	mustDo(t, c, r)
}

// What is wrong with a certificate makes no difference to who has looked at its fingerprint.
func TestTrustedCertificateMayBeExpiredOrForAnotherName(t *testing.T) {
	expired, named := serveTLS(t, "", selfSigned(t, time.Now().AddDate(0, 0, -1))), serveTLS(t, "", nil)
	for fault, address := range map[CertificateFault]string{Expired: expired.URL, OtherName: strings.Replace(named.URL, "127.0.0.1", "localhost", 1)} {
		c := client(t, Options{})
		_, e := wantCode(t, c, Request{URL: address}, TLS)
		if e.Certificate != fault {
			t.Errorf("%s: %+v", fault, e)
		}
		c.SetTrusted(map[string]Fingerprint{e.Host: e.Fingerprint})
		mustDo(t, c, Request{URL: address})
	}
}

// A proxy passes the certificate of the server on. That of the proxy itself is not what the user is asked about.
func TestTrustedCertificateBehindAProxy(t *testing.T) {
	s := serveTLS(t, "", nil)
	connect := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		there, err := net.Dial("tcp", r.Host)
		if err != nil {
			t.Error(err)
			return
		}
		here, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { _, _ = io.Copy(there, here); _ = there.Close() }()
		go func() { _, _ = io.Copy(here, there); _ = here.Close() }()
	})
	plain, secure := httptest.NewServer(connect), httptest.NewUnstartedServer(connect)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	through := func(proxy string) *Client {
		address, err := url.Parse(proxy)
		if err != nil {
			t.Fatal(err)
		}
		return client(t, Options{Transport: newCertifiedTransport(func() *http.Transport {
			transport := transportBy(&net.Dialer{}, Limits{}.withDefaults())
			transport.Proxy = http.ProxyURL(address)
			return transport
		})})
	}
	c := through(plain.URL)
	_, e := wantCode(t, c, Request{URL: s.URL}, TLS)
	c.SetTrusted(map[string]Fingerprint{e.Host: e.Fingerprint})
	mustDo(t, c, Request{URL: s.URL})

	c = through(secure.URL)
	if _, e := wantCode(t, c, Request{URL: s.URL}, TLS); e.Certificate != Untrusted || e.Fingerprint != "" {
		t.Errorf("a proxy with a certificate of its own: %+v", e)
	}
}

func TestParseFingerprint(t *testing.T) {
	digits := strings.Repeat("0aF9", 16)
	want := Fingerprint(strings.ToLower(digits))
	for _, typed := range []string{digits, want.String(), "sha256 Fingerprint=" + want.String(), " " + strings.ToLower(want.String()) + ".\n"} {
		if got, ok := ParseFingerprint(typed); !ok || got != want {
			t.Errorf("%q: %q, %v", typed, got, ok)
		}
	}
	for _, typed := range []string{"", "0a", digits + "00", strings.Repeat("x", 64)} {
		if _, ok := ParseFingerprint(typed); ok {
			t.Errorf("%q is taken", typed)
		}
	}
}
