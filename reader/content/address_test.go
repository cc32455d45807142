package content

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// TestResolve has the examples of RFC 3986 §5.4 and those of what browsers correct.
func TestResolve(t *testing.T) {
	const base = "http://a/b/c/d;p?q"
	for ref, want := range map[string]string{
		"g": "http://a/b/c/g", "./g": "http://a/b/c/g", "g/": "http://a/b/c/g/", "/g": "http://a/g", "//g": "http://g/",
		"?y": "http://a/b/c/d;p?y", "g?y": "http://a/b/c/g?y", "#s": "http://a/b/c/d;p?q#s", "g#s": "http://a/b/c/g#s",
		"g?y#s": "http://a/b/c/g?y#s", ";x": "http://a/b/c/;x", "g;x": "http://a/b/c/g;x", ".": "http://a/b/c/", "./": "http://a/b/c/",
		"..": "http://a/b/", "../": "http://a/b/", "../g": "http://a/b/g", "../..": "http://a/", "../../g": "http://a/g",
		"../../../g": "http://a/g", "/./g": "http://a/g", "/../g": "http://a/g", "g.": "http://a/b/c/g.", ".g": "http://a/b/c/.g",
		"g..": "http://a/b/c/g..", "./../g": "http://a/b/g", "g/./h": "http://a/b/c/g/h", "g/../h": "http://a/b/c/h",
		"g?y/../x": "http://a/b/c/g?y/../x", "g#s/../x": "http://a/b/c/g#s/../x",

		"mailto:x@y": "mailto:x@y", "": "", " http://x/y ": "http://x/y", "http://x/a b": "http://x/a%20b",
		"http://x/a\n\t\tb": "http://x/ab", "http://x/100%": "http://x/100%25", "http://x/%41": "http://x/%41",
		`\\x\y`: "http://x/y", `http:\\x\y?\`: `http://x/y?\`, "http:/x/y": "http://x/y", "http:///x/y": "http://x/y", "http://": "",
		"http://x/?a=1&amp;b=2": "http://x/?a=1&b=2", "http://x/ü": "http://x/ü", "javascript:x": "javascript:x",
		"http://x/\u202egpj.exe?\u009b%": "http://x/%E2%80%AEgpj.exe?%C2%9B%25",
	} {
		if got := Resolve(base, ref); got != want {
			t.Errorf("%q is %q, want %q", ref, got, want)
		}
	}
	for _, base := range []string{"", "not an address", "file:///etc/", "http://"} {
		if got := Resolve(base, "x"); got != "" {
			t.Errorf("x is %q against %q", got, base)
		}
	}
	if got := Resolve("http://a", "x.html"); got != "http://a/x.html" {
		t.Error(got)
	}
}

func TestIsLocal(t *testing.T) {
	for address, want := range map[string]bool{
		"http://localhost/": true, "http://LOCALHOST:8080": true, "http://a.localhost./": true, "http://printer.local/": true,
		"http://127.0.0.1/": true, "http://127.1/": true, "http://2130706433/": true, "http://0x7f.0.0.1/": true, "http://0/": true,
		"http://10.1.2.3/": true, "http://192.168.1.1:80/": true, "http://172.16.0.1/": true, "http://169.254.169.254/": true,
		"http://100.64.1.1/": true, "http://[::1]/": true, "http://[::ffff:127.0.0.1]/": true, "http://[fe80::1]/": true, "http://[fd00::1]/": true,
		"http://user:pw@localhost/": true, "http://nas/": true, "http://[64:ff9b::7f00:1]/": true, "http://１２７.0.0.1/": true, "ftp://localhost/": true, "http://nas.home.arpa/": true,

		"http://example.org/": false, "http://8.8.8.8/": false, "http://[2606:4700::1111]/": false, "http://localhost.example.org/": false,
		"http://localhost@example.org/": false, "mailto:a@localhost": false, "/x": false, "http://172.15.0.1/": false,
	} {
		if got := IsLocal(address); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}

var plain = regexp.MustCompile(`^[a-z0-9./?;=&-]*#?[a-z0-9./?;=&-]*$`)

// FuzzResolve: the result is absolute, does not change when resolved again, and is
// that of the library where nothing needs correction.
func FuzzResolve(f *testing.F) {
	for _, s := range []string{"../a b", "//x", "?q", "#f", `\\x\y`, "http:x", "HTTP://X/%zz", "a/./../..", "http://[::1", "data:image/png,x", "&amp;\n\t x", "x\xc2\x01\x85"} {
		f.Add("http://a.example/b/c/d;p?q", s)
	}
	f.Fuzz(func(t *testing.T, base, ref string) {
		got := Resolve(base, ref)
		if got == "" {
			return
		}
		scheme, ok := schemeOf(got)
		if !ok || isWeb(scheme) && hostOf(got) == "" {
			t.Fatalf("%q against %q is %q", ref, base, got)
		}
		if isWeb(scheme) && !strings.Contains(ref+base, "amp") && Resolve(base, got) != got {
			t.Fatalf("%q against %q is %q, and that %q", ref, base, got, Resolve(base, got))
		}
		IsLocal(got)
		b, err := url.Parse("http://a.example/b/c/d;p?q")
		if err != nil || !plain.MatchString(ref) || ref == "" {
			return
		}
		want, err := b.Parse(ref)
		if err == nil && want.Host != "" && want.Path != "" && want.Fragment != "" && Resolve(b.String(), ref) != want.String() {
			t.Fatalf("%q is %q, want %q", ref, Resolve(b.String(), ref), want)
		}
	})
}
