package localnet

import (
	"net/netip"
	"testing"
)

// The IANA special-purpose address registries, IPv4 (RFC 6890 and its updates) and IPv6, as of 2025: every entry with the
// first and the last address of its block, and an address just outside where that one is of the internet. What the
// registries mark "Globally Reachable: False" or "N/A" is local, what they mark "True" is not.
var registry = []struct {
	local, internet []string
	entry           string
}{
	{entry: "0.0.0.0/8 this network, False", local: []string{"0.0.0.0", "0.0.0.1", "0.255.255.255"}, internet: []string{"1.0.0.0"}},
	{entry: "10.0.0.0/8 private use, False", local: []string{"10.0.0.0", "10.255.255.255"}, internet: []string{"9.255.255.255", "11.0.0.0"}},
	{entry: "100.64.0.0/10 shared address space, False", local: []string{"100.64.0.0", "100.64.0.1", "100.127.255.255"}, internet: []string{"100.63.255.255", "100.128.0.0"}},
	{entry: "127.0.0.0/8 loopback, False", local: []string{"127.0.0.0", "127.0.0.1", "127.255.255.255"}, internet: []string{"126.255.255.255", "128.0.0.0"}},
	{entry: "169.254.0.0/16 link local, False", local: []string{"169.254.0.0", "169.254.169.254", "169.254.255.255"}, internet: []string{"169.253.255.255", "169.255.0.0"}},
	{entry: "172.16.0.0/12 private use, False", local: []string{"172.16.0.0", "172.31.255.255"}, internet: []string{"172.15.255.255", "172.32.0.0"}},
	{entry: "192.0.0.0/24 IETF protocol assignments, False", local: []string{"192.0.0.0", "192.0.0.255"}, internet: []string{"191.255.255.255", "192.0.1.0"}},
	{entry: "192.0.0.0/29 IPv4 service continuity, False", local: []string{"192.0.0.1", "192.0.0.7"}},
	{entry: "192.0.0.8/32 dummy address, False", local: []string{"192.0.0.8"}},
	{entry: "192.0.0.9/32 PCP anycast, True", internet: []string{"192.0.0.9"}},
	{entry: "192.0.0.10/32 TURN anycast, True", internet: []string{"192.0.0.10"}},
	{entry: "192.0.0.170/32, 192.0.0.171/32 NAT64 discovery, False", local: []string{"192.0.0.11", "192.0.0.170", "192.0.0.171"}},
	{entry: "192.0.2.0/24 TEST-NET-1, False", local: []string{"192.0.2.0", "192.0.2.255"}, internet: []string{"192.0.3.0"}},
	{entry: "192.31.196.0/24 AS112, True", internet: []string{"192.31.196.0", "192.31.196.255"}},
	{entry: "192.52.193.0/24 AMT, True", internet: []string{"192.52.193.0", "192.52.193.255"}},
	{entry: "192.88.99.0/24 6to4 relay anycast, deprecated, N/A", local: []string{"192.88.99.0", "192.88.99.2", "192.88.99.255"}, internet: []string{"192.88.98.255", "192.88.100.0"}},
	{entry: "192.168.0.0/16 private use, False", local: []string{"192.168.0.0", "192.168.255.255"}, internet: []string{"192.167.255.255", "192.169.0.0"}},
	{entry: "192.175.48.0/24 direct delegation AS112, True", internet: []string{"192.175.48.0", "192.175.48.255"}},
	{entry: "198.18.0.0/15 benchmarking, False", local: []string{"198.18.0.0", "198.19.255.255"}, internet: []string{"198.17.255.255", "198.20.0.0"}},
	{entry: "198.51.100.0/24 TEST-NET-2, False", local: []string{"198.51.100.0", "198.51.100.255"}, internet: []string{"198.51.99.255", "198.51.101.0"}},
	{entry: "203.0.113.0/24 TEST-NET-3, False", local: []string{"203.0.113.0", "203.0.113.255"}, internet: []string{"203.0.112.255", "203.0.114.0"}},
	{entry: "224.0.0.0/4 multicast (RFC 5771), no host", local: []string{"224.0.0.1", "239.255.255.255"}, internet: []string{"223.255.255.255"}},
	{entry: "240.0.0.0/4 reserved, False", local: []string{"240.0.0.0", "255.255.255.254"}},
	{entry: "255.255.255.255/32 limited broadcast, False", local: []string{"255.255.255.255"}},

	{entry: "::1/128 loopback, False", local: []string{"::1"}},
	{entry: "::/128 unspecified, False", local: []string{"::"}},
	{entry: "::/96 IPv4-compatible, deprecated (RFC 4291)", local: []string{"::127.0.0.1", "::8.8.8.8"}},
	{entry: "::ffff:0:0/96 IPv4-mapped, False: the machine connects to the IPv4 address inside, which decides",
		local: []string{"::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:100.64.0.1"}, internet: []string{"::ffff:8.8.8.8"}},
	{entry: "::ffff:0:0:0/96 IPv4-translated (RFC 7915)", local: []string{"::ffff:0:127.0.0.1"}},
	{entry: "64:ff9b::/96 NAT64, True: the IPv4 address inside decides",
		local: []string{"64:ff9b::127.0.0.1", "64:ff9b::192.168.1.1", "64:ff9b::0.0.0.0"}, internet: []string{"64:ff9b::8.8.8.8"}},
	{entry: "64:ff9b:1::/48 local-use NAT64, False", local: []string{"64:ff9b:1::", "64:ff9b:1::8.8.8.8", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"}},
	{entry: "100::/64 discard only, False", local: []string{"100::", "100::ffff:ffff:ffff:ffff"}},
	{entry: "100:0:0:1::/64 dummy prefix, False", local: []string{"100:0:0:1::", "100:0:0:1::1"}},
	{entry: "2001::/23 IETF protocol assignments, False", local: []string{"2001:1ff:ffff::1", "2001:5::1"}, internet: []string{"2001:200::1"}},
	{entry: "2001::/32 Teredo, N/A: the addresses of its server and client decide",
		local: []string{
			"2001::a00:1:0:0:f7f7:f7f7",    // server 10.0.0.1, client 8.8.8.8
			"2001:0:808:808::80ff:fffe",    // client 127.0.0.1, inverted
			"2001:0:808:808:0:0:3f57:fffe", // client 192.168.0.1, inverted
			"2001:0:7f00:1:0:0:f7f7:f7f7"}, // server 127.0.0.1
		internet: []string{"2001:0:808:808:0:0:f7f7:f7f7"}},
	{entry: "2001:1::1/128 PCP anycast, True", internet: []string{"2001:1::1"}},
	{entry: "2001:1::2/128 TURN anycast, True", internet: []string{"2001:1::2"}},
	{entry: "2001:1::3/128 DNS-SD anycast, True", internet: []string{"2001:1::3"}, local: []string{"2001:1::", "2001:1::4"}},
	{entry: "2001:2::/48 benchmarking, False", local: []string{"2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff"}},
	{entry: "2001:3::/32 AMT, True", internet: []string{"2001:3::", "2001:3:ffff:ffff:ffff:ffff:ffff:ffff"}},
	{entry: "2001:4:112::/48 AS112, True", internet: []string{"2001:4:112::", "2001:4:112:ffff:ffff:ffff:ffff:ffff"}, local: []string{"2001:4:111::1", "2001:4:113::1"}},
	{entry: "2001:10::/28 ORCHID, deprecated, False", local: []string{"2001:10::", "2001:1f:ffff::1"}},
	{entry: "2001:20::/28 ORCHIDv2, True", internet: []string{"2001:20::", "2001:2f:ffff::1"}},
	{entry: "2001:30::/28 drone remote ID, True", internet: []string{"2001:30::", "2001:3f:ffff::1"}, local: []string{"2001:40::"}},
	{entry: "2001:db8::/32 documentation, False", local: []string{"2001:db8::", "2001:db8:ffff:ffff::1"}, internet: []string{"2001:db7::1", "2001:db9::1"}},
	{entry: "2002::/16 6to4, N/A: the IPv4 address inside decides",
		local: []string{"2002:7f00:1::", "2002:c0a8:101::1", "2002:a9fe:a9fe::"}, internet: []string{"2002:808:808::1"}},
	{entry: "2620:4f:8000::/48 direct delegation AS112, True", internet: []string{"2620:4f:8000::", "2620:4f:8000:ffff::1"}},
	{entry: "3fff::/20 documentation, False", local: []string{"3fff::", "3fff:fff:ffff::1"}, internet: []string{"3ffe::1", "3fff:1000::1"}},
	{entry: "5f00::/16 SRv6 SIDs, False", local: []string{"5f00::", "5f00:ffff::1"}},
	{entry: "fc00::/7 unique local, False", local: []string{"fc00::", "fd00::1", "fdff:ffff::1"}},
	{entry: "fe80::/10 link local, False", local: []string{"fe80::1", "febf:ffff::1", "fe80::1%eth0"}},
	{entry: "fec0::/10 site local, deprecated (RFC 3879)", local: []string{"fec0::1", "feff::1"}},
	{entry: "ff00::/8 multicast (RFC 4291), no host", local: []string{"ff00::", "ff02::1", "ffff::1"}},
	{entry: "outside 2000::/3 nothing is assigned to the internet", local: []string{"200::1", "1fff::1", "4000::1", "8000::1"}, internet: []string{"2000::1", "2606:4700::1111", "3fff:ffff::1"}},
}

func TestAddressesOfTheRegistries(t *testing.T) {
	for _, r := range registry {
		check := func(address string, want bool) {
			t.Helper()
			ip := netip.MustParseAddr(address)
			if got := Addr(ip); got != want {
				t.Errorf("%s: Addr(%s) = %v", r.entry, address, got)
			}
			if got := Host(address); got != want {
				t.Errorf("%s: Host(%s) = %v", r.entry, address, got)
			}
			if got := Host("[" + address + "]"); ip.Is6() && got != want {
				t.Errorf("%s: Host([%s]) = %v", r.entry, address, got)
			}
			if ip.Is4() {
				if mapped := netip.AddrFrom16(ip.As16()); Addr(mapped) != want {
					t.Errorf("%s: Addr(%s) = %v", r.entry, mapped, !want)
				}
			}
		}
		for _, address := range r.local {
			check(address, true)
		}
		for _, address := range r.internet {
			check(address, false)
		}
	}
	if !Addr(netip.Addr{}) {
		t.Error("no address at all is of the internet")
	}
	if !Addr(netip.MustParseAddr("2606:4700::1111%eth0")) {
		t.Error("an address with a zone is of the internet")
	}
}

func TestNames(t *testing.T) {
	for host, want := range map[string]bool{
		// Names of this machine and its network.
		"localhost": true, "LOCALHOST": true, "localhost.": true, "a.localhost": true, "a.LocalHost.": true, "localhost.localdomain": true,
		"printer.local": true, "nas.lan": true, "A.LAN": true, "x.lan.": true, "a.internal": true, "metadata.google.internal": true,
		"b.home.arpa": true, "home.arpa": true, "x.home": true, "x.corp": true, "x.intranet": true, "x.private": true,
		// Without a dot only this network's own search list knows them.
		"nas": true, "printer": true, "wpad": true, "nas.": true, "com": true, "": true, ".": true, "..": true,
		// As Unicode writes them, too (UTS #46).
		"ＬＯＣＡＬＨＯＳＴ": true, "nas。lan": true, "ｎａｓ．ｌａｎ": true, "１２７.0.0.1": true, "127。0。0。1": true,

		// Names of the internet.
		"example.org": false, "Example.ORG.": false, "local.example": false, "localhost.example.org": false, "lan.example": false,
		"home.arpa.example.org": false, "nothome.arpa": false, "in-addr.arpa": false, "mylocal.org": false, "xn--bcher-kva.example": false,
		"bücher.example": false, "a.b.c.example.co.uk": false, "1.example": false, "127.0.0.1.example.org": false, "x_y.example.org": false,
		"hidden.onion": false, "x.test": false, "x.example": false, "x.invalid": false,
	} {
		if got := Host(host); got != want {
			t.Errorf("Host(%q) = %v", host, got)
		}
	}
}

// An IPv4 address can be written with fewer parts, and in octal and hexadecimal (WHATWG URL §3.5, inet_aton).
func TestNumbersAsHosts(t *testing.T) {
	for host, want := range map[string]bool{
		"2130706433": true, "0177.0.0.1": true, "0x7f.1": true, "0x7F000001": true, "127.1": true, "127.0.1": true, "0": true, "00": true,
		"017700000001": true, "0x7f.0x0.0x0.0x1": true, "3232235777": true, "192.168.257": true, "0xa9fea9fe": true, "127.0.0.1.": true,
		"0300.0250.0.1": true, "10.0x000001": true, "1.": true, "0x": true,
		// These end in a number and are no address: nobody on the internet has such a name.
		"127.0.0.256": true, "1.2.3.4.5": true, "4294967296": true, "08.8.8.8": true, "0x7g.1": true, "127..1": true, "a.127": true,
		"a.0x1": true, "99999999999999999999999": true,

		"134744072": false, "0x08080808": false, "010.8.8.8": false, "8.8.2056": false, "8.526344": false, "8.8.8.8.": false, "0x8.8.8.010": false,
	} {
		if got := Host(host); got != want {
			t.Errorf("Host(%q) = %v", host, got)
		}
	}
}

func TestZonesInHosts(t *testing.T) {
	for _, host := range []string{"fe80::1%eth0", "[fe80::1%25eth0]", "[fe80::1%eth0]", "[::1%lo]", "[2606:4700::1111%25eth0]", "2606:4700::1111%eth0", "[", "[]", "[::1", "::g"} {
		if !Host(host) {
			t.Errorf("Host(%q) is of the internet", host)
		}
	}
}

func TestLoopback(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1": true, "127.8.9.1": true, "127.1": true, "2130706433": true, "::1": true, "[::1]": true, "[::ffff:127.0.0.1]": true,
		"localhost": true, "LocalHost.": true, "feeds.localhost": true, "64:ff9b::127.0.0.1": false,
		"192.168.1.4": false, "10.0.0.1": false, "localhost.example": false, "notlocalhost": false, "example.org": false, "[fe80::1]": false,
		"0.0.0.0": false, "": false, "nas": false,
	} {
		if got := Loopback(host); got != want {
			t.Errorf("Loopback(%q) = %v", host, got)
		}
	}
}
