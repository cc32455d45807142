// Package localnet tells hosts of this machine and its local network from hosts of the internet. It is the only place that
// decides this: the guard of poller/fetch refuses requests by it, the reader drops links by it.
package localnet

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// Host reports whether a host (a name or an IP address as it stands in a URL, without its port) belongs to this machine or
// its local network, or is no host of the internet at all. It looks nothing up: what a name of the internet resolves to is
// for Addr.
func Host(host string) bool {
	name, ip, isIP := parse(host)
	if isIP {
		return Addr(ip)
	}
	if endsInNumber(name) {
		return true // no address and no name: top-level domains are never numbers (RFC 3696 §2)
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	return last == name || slices.Contains(localDomains, last) || name == "home.arpa" || strings.HasSuffix(name, ".home.arpa")
}

// Loopback reports whether a host is this machine itself, which is reached without a network (RFC 6761 §6.3 for the names).
func Loopback(host string) bool {
	name, ip, isIP := parse(host)
	return isIP && ip.Unmap().IsLoopback() || name == "localhost" || strings.HasSuffix(name, ".localhost")
}

// localDomains are the top-level domains that the internet's name servers do not know, and a local network's may. .home and
// .corp were applied for as public ones and are withheld since local networks use them (ICANN board, 2018-02-04). .test is
// not among them: programs shall treat such names as any other (RFC 6761 §6.2).
var localDomains = []string{
	"localhost",                                  // RFC 6761 §6.3
	"local",                                      // RFC 6762 §3
	"internal",                                   // ICANN board, 2024-07-29
	"lan", "intranet", "private", "corp", "home", // RFC 6762 appendix G
	"localdomain", // of /etc/hosts
}

// parse reads a host as an IP address in any notation that a resolver may know, or as a name in lower-case ASCII without
// trailing dots.
func parse(host string) (name string, ip netip.Addr, isIP bool) {
	name = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if strings.Contains(name, ":") || beginsWithDigit(name) {
		if ip, err := netip.ParseAddr(name); err == nil {
			return "", ip, true
		}
	}
	if strings.IndexFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		if ascii, err := idna.Lookup.ToASCII(name); err == nil {
			name = ascii
		}
	}
	name = strings.TrimRight(strings.ToLower(name), ".")
	if endsInNumber(name) {
		if ip, ok := parseIPv4(name); ok {
			return "", ip, true
		}
	}
	return name, netip.Addr{}, false
}

// parseIPv4 reads an address of one to four parts, each decimal, octal or hexadecimal, the last of which fills what is
// left (WHATWG URL §3.5, as inet_aton does).
func parseIPv4(s string) (netip.Addr, bool) {
	parts := strings.Split(s, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var value uint64
	for i, part := range parts {
		n, ok := parseNumber(part)
		bits := 8
		if i == len(parts)-1 {
			bits = 8 * (5 - len(parts))
		}
		if !ok || n >= 1<<bits {
			return netip.Addr{}, false
		}
		value = value<<bits | n
	}
	return netip.AddrFrom4([4]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)}), true
}

// parseNumber reads one part of an IPv4 address: 0x is hexadecimal, a leading 0 octal.
func parseNumber(s string) (uint64, bool) {
	base := 10
	switch {
	case strings.HasPrefix(s, "0x"):
		if s = s[2:]; s == "" {
			return 0, true
		}
		base = 16
	case len(s) > 1 && s[0] == '0':
		base = 8
	}
	n, err := strconv.ParseUint(s, base, 33)
	return n, err == nil
}

// endsInNumber reports whether the last label is a number, so that the whole would have to be an address (WHATWG URL §3.5).
func endsInNumber(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if !beginsWithDigit(last) {
		return false
	}
	if strings.Trim(last, "0123456789") == "" {
		return true
	}
	_, isNumber := parseNumber(last)
	return isNumber
}

func beginsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// Addr reports whether an IP address is not of the internet: it is what the IANA special-purpose address registries mark
// as not globally reachable, multicast, or of no assigned block. An address that carries an IPv4 address to another
// network (IPv4-mapped, NAT64, 6to4, Teredo) is what that one is.
func Addr(ip netip.Addr) bool {
	if !ip.IsValid() || ip.Zone() != "" {
		return true
	}
	ip = ip.Unmap()
	if ip.Is4() {
		return !globallyReachable(ip, ipv4Blocks, true)
	}
	inside := ip.As16()
	switch {
	case nat64.Contains(ip):
		return Addr(ipv4(inside[12:]))
	case sixToFour.Contains(ip):
		return Addr(ipv4(inside[2:]))
	case teredo.Contains(ip):
		for i := 12; i < 16; i++ {
			inside[i] ^= 0xff // the client's address stands there inverted (RFC 4380 §4)
		}
		return Addr(ipv4(inside[4:])) || Addr(ipv4(inside[12:]))
	}
	return !globallyReachable(ip, ipv6Blocks, globalUnicast.Contains(ip))
}

func ipv4(b []byte) netip.Addr { return netip.AddrFrom4([4]byte(b[:4])) }

var (
	nat64         = netip.MustParsePrefix("64:ff9b::/96") // RFC 6052
	sixToFour     = netip.MustParsePrefix("2002::/16")    // RFC 3056
	teredo        = netip.MustParsePrefix("2001::/32")    // RFC 4380
	globalUnicast = netip.MustParsePrefix("2000::/3")     // all that is assigned of IPv6 (RFC 4291 §2.4, IANA)
)

// block is an entry of a registry.
type block struct {
	prefix            netip.Prefix
	globallyReachable bool
}

// globallyReachable looks an address up; the first block that holds it decides, and no block means orElse.
func globallyReachable(ip netip.Addr, blocks []block, orElse bool) bool {
	for _, b := range blocks {
		if b.prefix.Contains(ip) {
			return b.globallyReachable
		}
	}
	return orElse
}

// ipv4Blocks are the entries of the IANA IPv4 Special-Purpose Address Registry that are not globally reachable, after the
// exceptions within them. 192.88.99.0/24 (deprecated) has no mark there and counts as not reachable. Not listed since they are
// globally reachable as any other: 192.31.196.0/24, 192.52.193.0/24, 192.175.48.0/24.
var ipv4Blocks = blocks(
	[]string{"192.0.0.9/32", "192.0.0.10/32"},
	[]string{"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
		"192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
		"224.0.0.0/4", "240.0.0.0/4"},
)

// ipv6Blocks are those of the IANA IPv6 Special-Purpose Address Registry within 2000::/3; what lies outside of it is not of
// the internet anyway.
var ipv6Blocks = blocks(
	[]string{"2001:1::1/128", "2001:1::2/128", "2001:1::3/128", "2001:3::/32", "2001:4:112::/48", "2001:20::/28", "2001:30::/28"},
	[]string{"2001::/23", "2001:db8::/32", "3fff::/20"},
)

func blocks(reachable, unreachable []string) (all []block) {
	for _, p := range reachable {
		all = append(all, block{netip.MustParsePrefix(p), true})
	}
	for _, p := range unreachable {
		all = append(all, block{netip.MustParsePrefix(p), false})
	}
	return all
}
