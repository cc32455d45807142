package home

import (
	"net"
	neturl "net/url"
	"strings"

	"kairos/poller/sync/connect"
)

// accountName is what an account is called if the user has no name for it: its host, after what its server is called where the host
// says nothing, as an address or a name of the own network.
func accountName(kind, address string) string {
	host := hostOf(address)
	u, err := neturl.Parse(address)
	if err != nil || net.ParseIP(u.Hostname()) == nil && strings.Contains(u.Hostname(), ".") {
		return host
	}
	switch {
	case connect.Kind(kind) == connect.Miniflux:
		return "Miniflux (" + host + ")"
	case connect.Kind(kind) == connect.TinyTinyRSS:
		return "Tiny Tiny RSS (" + host + ")"
	case strings.HasSuffix(u.Path, "/greader.php"):
		return "FreshRSS (" + host + ")"
	}
	return host
}

// hostOf returns the host of an address, with its port.
func hostOf(address string) string {
	u, err := neturl.Parse(address)
	if err != nil {
		return address
	}
	return u.Host
}
