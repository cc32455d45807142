package verbs

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A feed of a server whose certificate nobody known has signed is added once the flag names the fingerprint that was told.
func TestTrustCertificate(t *testing.T) {
	asked := 0
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		_, _ = io.WriteString(w, rss("Garden", 3))
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	c := newCommand(t)
	add := func(more ...string) result { return c.try(append([]string{"add", server.URL}, more...)...) }

	r := add()
	_, fingerprint, told := strings.Cut(strings.TrimRight(r.err, ".\n"), "use --trust-certificate ")
	if r.code != exitSome || !told || !strings.Contains(r.err, "is not signed by anyone this computer trusts") {
		t.Fatalf("%+v", r)
	}
	if r := add("--trust-certificate", strings.Repeat("AB", 32)); r.code != exitSome || !strings.Contains(r.err, "That is "+fingerprint) {
		t.Errorf("another one: %+v", r)
	}
	if r := add("--trust-certificate", "12:34"); r.code == exitDone || !strings.Contains(r.err, "64 hexadecimal digits") {
		t.Errorf("none: %+v", r)
	}
	if asked > 0 || c.do("certificate") != "There are none.\n" {
		t.Errorf("asked %d times", asked)
	}
	if r := add("--trust-certificate", strings.ToLower(strings.ReplaceAll(fingerprint, ":", ""))); r.code != exitDone || !strings.Contains(r.out, "Garden  3 articles") {
		t.Errorf("this one: %+v", r)
	}
	host := strings.TrimPrefix(server.URL, "https://")
	if got := c.do("certificate"); got != host+"  "+fingerprint+"\n" {
		t.Errorf("%q", got)
	}
	if lines := c.lines("certificate"); len(lines) != 1 || lines[0]["host"] != host || len(lines[0]["fingerprint"].(string)) != 64 {
		t.Errorf("%v", lines)
	}
	c.do("add", server.URL+"/other")
	c.do("certificate", "remove", server.URL)
	if r := c.try("add", server.URL+"/more"); r.code != exitSome || !strings.Contains(r.err, "is not signed by anyone") {
		t.Errorf("taken back: %+v", r)
	}
	if r := c.try("certificate", "remove", host); r.code != exitUsage {
		t.Errorf("taken back twice: %+v", r)
	}
	c.do("certificate", "trust", host, fingerprint)
	c.do("add", server.URL+"/more")
	if r := c.try("certificate", "trust", host, "abc"); r.code != exitUsage {
		t.Errorf("no fingerprint: %+v", r)
	}
}
