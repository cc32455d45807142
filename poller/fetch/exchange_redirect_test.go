package fetch

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
)

func TestRedirects(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		to := func(code int, where string) { w.Header().Set("Location", where); w.WriteHeader(code) }
		switch r.URL.Path {
		case "/301":
			to(301, "/end")
		case "/308":
			to(308, "301#part")
		case "/302":
			to(302, "end?x=1")
		case "/303":
			to(303, "//"+r.Host+"/end")
		case "/307":
			to(307, "./dir/../end")
		case "/301-302":
			to(301, "/302")
		case "/301-304":
			to(301, "/304")
		case "/304":
			w.WriteHeader(304)
		case "/301-404":
			to(301, "/404")
		case "/404":
			w.WriteHeader(404)
		case "/ftp":
			to(302, "ftp://x.example/")
		case "/self":
			to(302, "/self")
		case "/circle":
			to(301, "/circle2")
		case "/circle2":
			to(301, "/circle")
		case "/count":
			var n int
			_, _ = fmt.Sscan(r.URL.RawQuery, &n)
			if n > 0 {
				to(307, fmt.Sprintf("/count?%d", n-1))
			}
		}
	})
	tests := []struct {
		path, end, permanent string
		code                 Code
	}{
		{"/301", "/end", "/end", ""},
		{"/308", "/end", "/end", ""},
		{"/302", "/end?x=1", "", ""},
		{"/303", "/end", "", ""},
		{"/307", "/end", "", ""},
		{"/301-302", "/end?x=1", "", ""},
		{"/301-304", "/304", "/304", ""},
		{"/301-404", "/404", "", ClientError},
		{"/ftp", "/ftp", "", BadAddress},
		{"/self", "/self", "", RedirectLoop},
		{"/circle", "/circle", "", RedirectLoop},
		{"/count?10", "/count?0", "", ""},
		{"/count?11", "/count?0", "", RedirectLoop},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			c := client(t, Options{})
			r := Request{URL: s.URL + tt.path, Validators: Validators{ETag: `"e"`}}
			var res *Response
			if tt.code != "" {
				res, _ = wantCode(t, c, r, tt.code)
			} else {
				res = mustDo(t, c, r)
			}
			permanent := ""
			if tt.permanent != "" {
				permanent = s.URL + tt.permanent
			}
			if res.URL != s.URL+tt.end || res.MovedTo != permanent {
				t.Errorf("ended at %s, permanent %q", res.URL, res.MovedTo)
			}
		})
	}
}

// hop is the request that a server of a chain got.
type hop struct{ user, tag string }

// chain starts servers each of which redirects to the next; the last one answers.
func chain(t *testing.T, secure ...bool) (c *Client, urls []string, seen []hop) {
	t.Helper()
	seen = make([]hop, len(secure))
	urls = make([]string, len(secure))
	transport := &http.Transport{DisableKeepAlives: true}
	for i := len(secure) - 1; i >= 0; i-- {
		handle := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			user, _, _ := r.BasicAuth()
			seen[i] = hop{user, r.Header.Get("If-None-Match")}
			if r.Header.Get("Referer") != "" || r.Header.Get("Cookie") != "" {
				t.Errorf("hop %d: %v", i, r.Header)
			}
			if i+1 < len(secure) {
				http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
				http.Redirect(w, r, urls[i+1], http.StatusMovedPermanently)
			}
		})
		var s *httptest.Server
		if secure[i] {
			s = httptest.NewTLSServer(handle)
			transport.TLSClientConfig = s.Client().Transport.(*http.Transport).TLSClientConfig
		} else {
			s = httptest.NewServer(handle)
		}
		t.Cleanup(s.Close)
		urls[i] = s.URL + "/"
	}
	return New(Options{Transport: transport}), urls, seen
}

func TestCredentialsStayWithTheirHost(t *testing.T) {
	c, urls, seen := chain(t, false, false)
	mustDo(t, c, Request{URL: urls[0], User: "ann", Password: "x", Validators: Validators{ETag: "e"}})
	if seen[0] != (hop{"ann", "e"}) || seen[1] != (hop{"", "e"}) {
		t.Errorf("sent %+v", seen)
	}
}

func TestCredentialsInALocationAreIgnored(t *testing.T) {
	var user string
	end := serve(t, func(_ http.ResponseWriter, r *http.Request) { user, _, _ = r.BasicAuth() })
	start := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://eve:x@"+end.Listener.Addr().String()+"/", http.StatusFound)
	})
	res := mustDo(t, client(t, Options{}), Request{URL: start.URL})
	if user != "" || res.URL != end.URL+"/" {
		t.Errorf("sent %q to %s", user, res.URL)
	}
}

func TestDowngradeIsNotPermanent(t *testing.T) {
	c, urls, _ := chain(t, true, false)
	if res := mustDo(t, c, Request{URL: urls[0]}); res.MovedTo != "" || res.URL != urls[1] {
		t.Errorf("permanent %q at %s", res.MovedTo, res.URL)
	}
	c, urls, _ = chain(t, false, true)
	if res := mustDo(t, c, Request{URL: urls[0]}); res.MovedTo != urls[1] {
		t.Errorf("permanent %q", res.MovedTo)
	}
}

// A password is sent to its own host alone, and never from https to http.
func TestCredentialsByAddress(t *testing.T) {
	tests := []struct {
		origin, at string
		want       bool
	}{
		{"https://a.example/f", "https://a.example/g", true},
		{"http://a.example/f", "https://A.example:443/g", true},
		{"https://a.example/f", "http://a.example/g", false},
		{"https://a.example/f", "https://b.a.example/", false},
		{"https://a.example/f", "https://a.example:8443/", false},
	}
	for _, tt := range tests {
		origin, _ := url.Parse(tt.origin)
		at, _ := url.Parse(tt.at)
		f := &exchange{c: New(Options{}), r: Request{User: "u"}, origin: origin}
		_, _, got := f.newRequest(t.Context(), at).BasicAuth()
		if got != tt.want {
			t.Errorf("from %s at %s: %v", tt.origin, tt.at, got)
		}
	}
}

// The validators of one resource are not sent to another that it redirects to later.
func TestValidatorsStayWithTheirResource(t *testing.T) {
	target, sent := "/a?token=1", ""
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/feed" {
			http.Redirect(w, r, target, http.StatusFound)
			return
		}
		sent = r.Header.Get("If-None-Match")
		w.Header().Set("ETag", `"1"`)
		if sent == `"1"` { // the same for every resource here
			w.WriteHeader(http.StatusNotModified)
		}
	})
	c := client(t, Options{})
	first := mustDo(t, c, Request{URL: s.URL + "/feed"})
	again := Request{URL: s.URL + "/feed", Validators: first.Validators, ValidatorsURL: first.URL}
	target = "/a?token=2"
	if res := mustDo(t, c, again); !res.NotModified {
		t.Errorf("the same resource was sent %q", sent)
	}
	target = "/b"
	if res := mustDo(t, c, again); res.NotModified || sent != "" {
		t.Errorf("another resource was sent %q", sent)
	}
}
