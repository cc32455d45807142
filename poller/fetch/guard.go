package fetch

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"

	"kairos/reader/localnet"
)

// The guard keeps feeds of the web out of this machine and its local network, where many a device does what it is asked
// without asking who asks. Every request of Kairos passes it, at each hop:
//
//   - An address with a host of the local network (localnet.Host: an IP address in any notation, a name without a dot or
//     in a local domain) is asked only if Request.Local says that the feed is from there itself, and only as long as no hop
//     led through the web: a server of the web sends nobody into the local network. A Session is asked wherever it is.
//   - A host of the web is never connected to at an address of the local network (localnet.Addr), whatever its name
//     resolves to at that moment and whichever feed it is for. A proxy is connected to in any case: it is the user's.
//
// So a feed belongs to the local network by its address as the user gave it, not by what a name resolves to: a public name
// that resolves to a private address is one of the web, and is refused.

// IsLocal reports whether an address is of this machine or its local network: that of a file, or of a web server there.
// The feeds that have one may lead into that network.
func IsLocal(address string) bool {
	if strings.HasPrefix(address, "file:") {
		return true
	}
	u, err := parseAddress(address)
	return err == nil && localnet.Host(u.Hostname())
}

var (
	errLocalAddress    = errors.New("it lies in this machine's network")
	errResolvesLocally = errors.New("the name resolves to an address of this machine's network")
)

// admit is the guard at names. It looks at a hop before anything is asked.
func (x *exchange) admit(u *url.URL) *Error {
	switch local := localnet.Host(u.Hostname()); {
	case x.r.Session != nil: // the user typed its host, which it does not leave
	case !local:
		x.r.Local = false // whatever comes after this hop, a server of the web says so
	case !x.r.Local:
		return x.newError(LocalAddress, u, errLocalAddress)
	}
	return nil
}

// guardedTransport is the guard at dialling: it connects to addresses of the local network only for hosts of there and for
// proxies. That depends on the host alone, so that requests may share connections.
type guardedTransport struct{ *certifiedTransport }

// RoundTrip implements http.RoundTripper.
func (t guardedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if localnet.Host(req.URL.Hostname()) || t.proxied(req) {
		req = req.WithContext(context.WithValue(req.Context(), dialsLocal{}, true))
	}
	return t.certifiedTransport.RoundTrip(req)
}

// proxied reports whether a proxy connects to the host.
func (t guardedTransport) proxied(req *http.Request) bool {
	if t.Proxy == nil {
		return false
	}
	proxy, err := t.Proxy(req)
	return err == nil && proxy != nil
}

// dialsLocal marks the context of a request whose connection may be to the local network.
type dialsLocal struct{}

// newDialer returns a dialer that looks at each address after the name was resolved, before it connects.
func newDialer(l Limits) *net.Dialer {
	return &net.Dialer{Timeout: l.Connect, KeepAlive: -1, ControlContext: controlDial}
}

func controlDial(ctx context.Context, _, address string, _ syscall.RawConn) error {
	if ctx.Value(dialsLocal{}) != nil {
		return nil
	}
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if localnet.Addr(to.Addr()) {
		return errResolvesLocally
	}
	return nil
}
