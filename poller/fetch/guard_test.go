package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// roundTrips answers without a network.
type roundTrips func(*http.Request) (*http.Response, error)

func (f roundTrips) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func TestIsLocal(t *testing.T) {
	for address, want := range map[string]bool{
		"http://127.1:8080/feed": true, "https://nas/feed": true, "http://[::1]/": true, "http://100.64.0.1/": true, "http://x.lan./": true,
		"http://LOCALHOST/": true, "http://[64:ff9b::a00:1]/": true, "http://[fe80::1%25eth0]/": true, "file:/tmp/feed.xml": true, "file:///a": true,
		"http://user:pw@10.0.0.1/": true, "http://１２７.1/": true,
		"https://example.org/": false, "http://8.8.8.8/": false, "http://localhost@example.org/": false, "http://example.org/?localhost": false,
		"": false, "nas": false, "mailto:a@nas": false, ":": false,
	} {
		if got := IsLocal(address); got != want {
			t.Errorf("IsLocal(%q) = %v", address, got)
		}
	}
}

// A feed of the web asks for nothing in the local network, in whichever notation its host is.
func TestGuardRefusesLocalAddresses(t *testing.T) {
	c := client(t, Options{Transport: roundTrips(func(r *http.Request) (*http.Response, error) {
		t.Errorf("asked %s", r.URL)
		return nil, errors.New("asked")
	})})
	for _, address := range []string{"http://127.0.0.1/", "http://127.1/", "http://0x7f.1/", "http://2130706433/", "http://[::ffff:10.0.0.1]/",
		"http://[64:ff9b::c0a8:1]/", "http://[fe80::1%25eth0]/", "http://nas/", "http://x.lan/", "http://NAS.Local./", "http://100.64.0.1:8080/",
		"http://a.home.arpa/", "http://metadata.google.internal/", "http://１９２.168.1.1/", "http://user:pw@localhost/"} {
		if _, err := c.Do(t.Context(), Request{URL: address}); codeOf(err) != LocalAddress {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func codeOf(err error) Code {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// redirects answers each address with a redirect to the one given for it, others with success, and records the requests.
func redirects(asked *[]string, to map[string]string) roundTrips {
	return func(r *http.Request) (*http.Response, error) {
		*asked = append(*asked, r.URL.String())
		answer := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("ok"))}
		if next := to[r.URL.String()]; next != "" {
			answer.StatusCode = http.StatusFound
			answer.Header.Set("Location", next)
		}
		return answer, nil
	}
}

// The guard checks every hop: the web does not lead into the local network, not even for a feed of that network. Within it a
// feed from there may be redirected, and from there into the web.
func TestGuardAtRedirects(t *testing.T) {
	for name, c := range map[string]struct {
		local bool
		to    map[string]string
		start string
		asked string
		code  Code
	}{
		"web to local":                {false, map[string]string{"http://a.example/": "http://192.168.0.1/admin"}, "http://a.example/", "http://a.example/", LocalAddress},
		"web to web to local":         {false, map[string]string{"http://a.example/": "http://b.example/", "http://b.example/": "http://nas/"}, "http://a.example/", "http://a.example/ http://b.example/", LocalAddress},
		"web to local, local feed":    {true, map[string]string{"http://a.example/": "http://10.0.0.1/"}, "http://a.example/", "http://a.example/", LocalAddress},
		"local to local":              {true, map[string]string{"http://nas/": "http://192.168.0.7/feed"}, "http://nas/", "http://nas/ http://192.168.0.7/feed", ""},
		"local to web":                {true, map[string]string{"http://nas/": "http://a.example/"}, "http://nas/", "http://nas/ http://a.example/", ""},
		"local to web and back again": {true, map[string]string{"http://nas/": "http://a.example/", "http://a.example/": "http://nas/x"}, "http://nas/", "http://nas/ http://a.example/", LocalAddress},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []string
			_, err := client(t, Options{Transport: redirects(&asked, c.to)}).Do(t.Context(), Request{URL: c.start, Local: c.local})
			if codeOf(err) != c.code || strings.Join(asked, " ") != c.asked {
				t.Errorf("asked %v: %v", asked, err)
			}
		})
	}
}

// nameServer answers lookups with the addresses it is given, the next of them each time.
type nameServer struct {
	t       *testing.T
	address string

	mu      sync.Mutex
	answers []netip.Addr
}

func newNameServer(t *testing.T, answers ...string) *nameServer {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	s := &nameServer{t: t, address: conn.LocalAddr().String()}
	for _, a := range answers {
		s.answers = append(s.answers, netip.MustParseAddr(a))
	}
	go s.serve(conn)
	return s
}

// resolver asks the name server.
func (s *nameServer) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", s.address)
	}}
}

func (s *nameServer) serve(conn net.PacketConn) {
	buf := make([]byte, 1500)
	for {
		n, from, err := conn.ReadFrom(buf)
		if err != nil {
			return
		}
		var query dnsmessage.Message
		if err := query.Unpack(buf[:n]); err != nil || len(query.Questions) != 1 {
			s.t.Errorf("query: %v", err)
			return
		}
		reply, err := s.answer(query).Pack()
		if err != nil {
			s.t.Errorf("reply: %v", err)
			return
		}
		_, _ = conn.WriteTo(reply, from)
	}
}

func (s *nameServer) answer(query dnsmessage.Message) *dnsmessage.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := query.Questions[0]
	m := &dnsmessage.Message{Header: dnsmessage.Header{ID: query.ID, Response: true, RecursionAvailable: true}, Questions: query.Questions}
	if len(s.answers) == 0 || s.answers[0].Is4() != (q.Type == dnsmessage.TypeA) {
		return m
	}
	ip := s.answers[0]
	if len(s.answers) > 1 {
		s.answers = s.answers[1:]
	}
	header := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}
	if ip.Is4() {
		m.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AResource{A: ip.As4()}}}
	} else {
		m.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AAAAResource{AAAA: ip.As16()}}}
	}
	return m
}

var errReached = errors.New("connecting to the internet")

// resolvingClient returns a client that resolves names by s. It records the addresses on the internet that it would connect to,
// and fails there.
func resolvingClient(t *testing.T, s *nameServer, reached *[]string) *Client {
	limits := Limits{}.withDefaults()
	dialer := newDialer(limits)
	dialer.Resolver = s.resolver()
	guard := dialer.ControlContext
	dialer.ControlContext = func(ctx context.Context, network, address string, conn syscall.RawConn) error {
		if err := guard(ctx, network, address, conn); err != nil {
			return err
		}
		if to := netip.MustParseAddrPort(address); !to.Addr().IsLoopback() {
			*reached = append(*reached, to.Addr().String())
			return errReached
		}
		return nil
	}
	return client(t, Options{Transport: newTransport(limits, dialer), Spacing: -1})
}

// A name of the web may resolve to an address of the local network, at once or only the second time (DNS rebinding). What
// counts is the address that is connected to.
func TestGuardAtDialling(t *testing.T) {
	asked := 0
	web := serve(t, func(http.ResponseWriter, *http.Request) { asked++ })
	port := ":" + web.URL[strings.LastIndexByte(web.URL, ':')+1:]
	for _, ip := range []string{"127.0.0.1", "::1", "10.0.0.1", "100.64.0.1", "0.0.0.0", "169.254.169.254", "64:ff9b::7f00:1", "fd00::1"} {
		var reached []string
		c := resolvingClient(t, newNameServer(t, ip), &reached)
		for _, local := range []bool{false, true} { // not for a feed of the local network either: its own name is one of there
			_, err := c.Do(t.Context(), Request{URL: "http://a.example" + port, Local: local})
			if codeOf(err) != ResolvesLocally || len(reached) > 0 || asked > 0 {
				t.Errorf("%s: %v, connected to %v, asked %d times", ip, err, reached, asked)
			}
		}
	}

	var reached []string
	c := resolvingClient(t, newNameServer(t, "93.184.216.34", "127.0.0.1"), &reached)
	if _, err := c.Do(t.Context(), Request{URL: "http://a.example" + port}); !errors.Is(err, errReached) || fmt.Sprint(reached) != "[93.184.216.34]" {
		t.Errorf("first: %v, connected to %v", err, reached)
	}
	if _, err := c.Do(t.Context(), Request{URL: "http://a.example" + port}); codeOf(err) != ResolvesLocally || asked > 0 {
		t.Errorf("second: %v, asked %d times", err, asked)
	}
}

// A name of the local network resolves to addresses of that network, for its feeds alone.
func TestLocalFeedsWork(t *testing.T) {
	asked := 0
	web := serve(t, func(http.ResponseWriter, *http.Request) { asked++ })
	port := ":" + web.URL[strings.LastIndexByte(web.URL, ':')+1:]
	var reached []string
	c := resolvingClient(t, newNameServer(t, "127.0.0.1"), &reached)
	for _, host := range []string{"127.0.0.1", "feeds.lan", "nas.home.arpa"} {
		mustDo(t, c, Request{URL: "http://" + host + port})
	}
	if asked != 3 {
		t.Errorf("asked %d times", asked)
	}
	if _, err := c.Do(t.Context(), Request{URL: "http://feeds.lan" + port}); codeOf(err) != LocalAddress || asked != 3 {
		t.Errorf("for a feed of the web: %v", err)
	}
}

// A feed of the web cannot use a connection that is still open from a feed of the local network.
func TestGuardIgnoresOpenConnections(t *testing.T) {
	asked := 0
	web := serve(t, func(http.ResponseWriter, *http.Request) { asked++ })
	c := client(t, Options{Spacing: -1})
	mustDo(t, c, Request{URL: web.URL})
	if _, err := c.Do(t.Context(), Request{URL: web.URL}); codeOf(err) != LocalAddress || asked != 1 {
		t.Errorf("%v, asked %d times", err, asked)
	}
}

// The proxy of the environment may be in the local network; what is requested through it may not.
func TestGuardWithProxy(t *testing.T) {
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked = append(asked, r.URL.String()) }))
	t.Cleanup(proxy.Close)
	address, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	limits := Limits{}.withDefaults()
	transport := newTransport(limits, newDialer(limits))
	transport.Proxy = http.ProxyURL(address)
	c := client(t, Options{Transport: transport, Spacing: -1})
	if _, err := c.Do(t.Context(), Request{URL: "http://a.example/feed"}); err != nil {
		t.Error(err)
	}
	if _, err := c.Do(t.Context(), Request{URL: "http://192.168.0.1/feed"}); codeOf(err) != LocalAddress {
		t.Error(err)
	}
	if fmt.Sprint(asked) != "[http://a.example/feed]" {
		t.Errorf("asked %v", asked)
	}
}
