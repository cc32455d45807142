package fetch

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestHubOf(t *testing.T) {
	tests := map[string]struct {
		fields []string
		want   string
	}{
		"none":                   {nil, ""},
		"plain":                  {[]string{`<https://hub.example/>; rel="hub"`}, "https://hub.example/"},
		"among others":           {[]string{`<https://a.example/f>; rel="self", <https://hub.example/>; rel="hub"`}, "https://hub.example/"},
		"in a field of its own":  {[]string{`</f>; rel=self`, `<https://hub.example/>; rel=hub`}, "https://hub.example/"},
		"the first of two":       {[]string{`<https://one.example/>; rel=hub, <https://two.example/>; rel=hub`}, "https://one.example/"},
		"one of several types":   {[]string{`<https://hub.example/>; rel="alternate HUB"`}, "https://hub.example/"},
		"whatever its case":      {[]string{`<https://hub.example/>;REL=Hub`}, "https://hub.example/"},
		"relative":               {[]string{`<../hub?x=1>; rel="hub"`}, "https://a.example/hub?x=1"},
		"marks inside":           {[]string{`<https://hub.example/?a=1,2;3>; title="a, \"b\"; rel=self"; rel="hub"`}, "https://hub.example/?a=1,2;3"},
		"blanks":                 {[]string{"  <https://hub.example/> ;\trel = \"hub\" ; x"}, "https://hub.example/"},
		"only the first rel":     {[]string{`<https://hub.example/>; rel="self"; rel="hub"`}, ""},
		"part of a word":         {[]string{`<https://hub.example/>; rel="github hub-of"`}, ""},
		"no web address":         {[]string{`<mailto:hub@hub.example>; rel=hub`}, ""},
		"no address":             {[]string{`<http://[::1>; rel=hub, <https://hub.example/>; rel=hub`}, "https://hub.example/"},
		"another resource's":     {[]string{`<https://hub.example/>; rel=hub; anchor="/other"`}, ""},
		"endless":                {[]string{`<https://hub.example/>; rel="hub`}, "https://hub.example/"},
		"open":                   {[]string{`<https://hub.example/`, `;;;=,"`, `<>`, `<`, `>;rel=hub`}, ""},
		"longer than any is":     {[]string{`<https://hub.example/` + strings.Repeat("x", maxLinkLength) + `>; rel=hub`}, ""},
		"a comma without a link": {[]string{`,, ,<https://hub.example/>;;rel=hub;,`}, "https://hub.example/"},
	}
	at, _ := url.Parse("https://a.example/dir/feed.xml")
	for name, tt := range tests {
		if got := hubOf(http.Header{"Link": tt.fields}, at); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// The hub is that of the answer, not of a redirect before it. A 304 may name it, too.
func TestHubOfResponse(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		switch {
		case r.URL.Path == "/old":
			w.Header().Set("Link", `<https://wrong.example/>; rel=hub`)
			http.Redirect(w, r, "/feed", http.StatusFound)
		case r.URL.Path == "/broken":
			w.Header().Set("Link", `<https://wrong.example/>; rel=hub`)
			w.WriteHeader(http.StatusNotFound)
		case r.Header.Get("If-None-Match") != "":
			w.Header().Set("Link", `</second>; rel=hub`)
			w.WriteHeader(http.StatusNotModified)
		default:
			w.Header().Set("Link", `</first>; rel=hub`)
		}
	})
	c := client(t, Options{Spacing: -1})
	if res := mustDo(t, c, Request{URL: s.URL + "/old"}); res.Hub != s.URL+"/first" {
		t.Errorf("%q", res.Hub)
	}
	if res := mustDo(t, c, Request{URL: s.URL + "/feed", Validators: Validators{ETag: `"1"`}}); res.Hub != s.URL+"/second" || !res.NotModified {
		t.Errorf("%+v", res)
	}
	if res, _ := wantCode(t, c, Request{URL: s.URL + "/broken"}, ClientError); res.Hub != "" {
		t.Errorf("of a fault: %q", res.Hub)
	}
}
