package fetch

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
)

var errPrivate = errors.New("it lies in this machine's network")

// Private reports whether a host is named as one of this machine's own network.
func Private(host string) bool {
	host = strings.Trim(strings.ToLower(strings.TrimSuffix(host, ".")), "[]")
	if ip, err := netip.ParseAddr(host); err == nil {
		return privateIP(ip)
	}
	last := host[strings.LastIndex(host, ".")+1:]
	return last == host || last == "local" || last == "localhost" || last == "lan" || last == "internal" || strings.HasSuffix(host, ".home.arpa")
}

// shared are the addresses between a provider and its customers (RFC 6598).
var shared = netip.MustParsePrefix("100.64.0.0/10")

func privateIP(ip netip.Addr) bool {
	ip = ip.Unmap()
	return ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsUnspecified() || shared.Contains(ip)
}

// publicKey marks the context of a request that must not lead into this machine's network.
type publicKey struct{}

// public marks a request, unless a proxy connects in its place: that one may well be of this machine.
func public(req *http.Request) *http.Request {
	if proxy, err := http.ProxyFromEnvironment(req); err != nil || proxy != nil {
		return req
	}
	return req.WithContext(context.WithValue(req.Context(), publicKey{}, true))
}

// controlDial refuses a connection to what a name of the web turned out to be.
func controlDial(ctx context.Context, _, address string, _ syscall.RawConn) error {
	if ctx.Value(publicKey{}) == nil {
		return nil
	}
	if to, err := netip.ParseAddrPort(address); err == nil && privateIP(to.Addr()) {
		return errPrivate
	}
	return nil
}
