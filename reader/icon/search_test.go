package icon

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"kairos/reader/imaging/imagingtest"
	"kairos/reader/readertest"
)

// web answers on loopback and records the requests.
type web struct {
	*httptest.Server
	pages map[string]string
	asked []string
}

func newWeb(t *testing.T, pages map[string]string) *web {
	w := &web{pages: pages}
	w.Server = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		w.asked = append(w.asked, r.URL.Path)
		body, ok := w.pages[r.URL.Path]
		switch {
		case strings.HasPrefix(body, "→"):
			http.Redirect(out, r, strings.TrimPrefix(body, "→"), http.StatusFound)
		case ok:
			fmt.Fprint(out, body)
		default:
			http.NotFound(out, r)
		}
	}))
	t.Cleanup(w.Close)
	return w
}

// get is a plain Get.
func get(ctx context.Context, r Request) (Answer, error) {
	resp, err := http.Get(r.URL)
	if err != nil {
		return Answer{}, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusNotModified {
		return Answer{}, ErrUnchanged
	}
	if resp.StatusCode != http.StatusOK {
		return Answer{}, errors.New(resp.Status)
	}
	body := make([]byte, 0, r.MaxBody)
	for len(body) < cap(body) {
		n, err := resp.Body.Read(body[len(body):cap(body)])
		if body = body[:len(body)+n]; err != nil {
			break
		}
	}
	return Answer{URL: resp.Request.URL.String(), Body: body, Truncated: len(body) == cap(body)}, nil
}

// run takes a search to its end and returns the errors of its steps.
func run(t *testing.T, s *Search) (found *Found, errs []error) {
	t.Helper()
	for range 20 {
		if s.Next() == "" {
			return s.Found(), errs
		}
		if err := s.Step(t.Context(), get); err != nil {
			errs = append(errs, err)
		}
	}
	t.Fatal("the search does not end")
	return nil, nil
}

func TestSearch(t *testing.T) {
	icon, page := string(imagingtest.PNG(t, imagingtest.Flag(48, 48, true))), "<html><head>%s</head><body>"
	inline := `<link rel=icon href="data:image/png;base64,` + base64.StdEncoding.EncodeToString([]byte(icon)) + `">`
	drawing := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M0 0h16v16H0z"/></svg>`
	for name, c := range map[string]struct {
		pages map[string]string
		known string
		asked string
		found string
	}{
		"named":               {map[string]string{"/": fmt.Sprintf(page, `<link rel="shortcut icon" href="/i.png">`), "/i.png": icon}, "", "/ /i.png", "/i.png"},
		"unnamed":             {map[string]string{"/": fmt.Sprintf(page, ""), "/favicon.ico": icon}, "", "/ /favicon.ico", "/favicon.ico"},
		"no page":             {map[string]string{"/favicon.ico": icon}, "", "/ /favicon.ico", "/favicon.ico"},
		"nothing":             {nil, "", "/ /favicon.ico", ""},
		"known":               {map[string]string{"/k.png": icon}, "/k.png", "/k.png", "/k.png"},
		"no longer known":     {map[string]string{"/": fmt.Sprintf(page, `<link rel=icon href=k.png><link rel=icon href=l.png>`), "/l.png": icon}, "/k.png", "/k.png / /l.png", "/l.png"},
		"favicon named":       {map[string]string{"/": fmt.Sprintf(page, `<link rel=icon href=favicon.ico>`)}, "", "/ /favicon.ico", ""},
		"moved":               {map[string]string{"/": "→/en/", "/en/": fmt.Sprintf(page, `<link rel=icon href=i.png>`), "/en/i.png": "→/i2.png", "/i2.png": icon}, "", "/ /en/ /en/i.png /i2.png", "/i2.png"},
		"broken ones":         {map[string]string{"/": fmt.Sprintf(page, `<link rel=icon href=a><link rel=icon href=b><link rel=icon href=c>`), "/a": "no picture", "/c": icon, "/favicon.ico": icon}, "", "/ /a /b /favicon.ico", "/favicon.ico"},
		"all requests":        {map[string]string{"/": fmt.Sprintf(page, `<link rel=icon href=a><link rel=icon href=b>`)}, "/k", "/k / /a /b /favicon.ico", ""},
		"in the page":         {map[string]string{"/": fmt.Sprintf(page, inline)}, "", "/", "-"},
		"unsupported drawing": {map[string]string{"/": fmt.Sprintf(page, `<link rel=icon href="data:image/svg+xml,<svg viewBox='0 0 9 9'><text>K</text></svg>">`), "/favicon.ico": icon}, "", "/ /favicon.ico", "/favicon.ico"},
		"manifest":            {map[string]string{"/": fmt.Sprintf(page, `<link rel=manifest href="/app/m.json">`), "/app/m.json": `{"icons":[{"src":"mask.png","sizes":"48x48","purpose":"maskable"},{"src":"i.png","sizes":"192x192","type":"image/png"}]}`, "/app/i.png": icon}, "", "/ /app/m.json /app/i.png", "/app/i.png"},
		"broken manifest":     {map[string]string{"/": fmt.Sprintf(page, `<link rel=manifest href=m.json>`), "/m.json": `{"icons":`, "/favicon.ico": icon}, "", "/ /m.json /favicon.ico", "/favicon.ico"},
		"manifest unneeded":   {map[string]string{"/": fmt.Sprintf(page, `<link rel=manifest href=m.json><link rel=icon href=i.png>`), "/m.json": "{}", "/i.png": icon}, "", "/ /i.png", "/i.png"},
		"mask":                {map[string]string{"/": fmt.Sprintf(page, `<link rel="mask-icon" href="/m.svg" color="#f00">`), "/m.svg": drawing}, "", "/ /m.svg", "/m.svg"},
		"mask is the last":    {map[string]string{"/": fmt.Sprintf(page, `<link rel="mask-icon" href="/m.svg"><link rel="apple-touch-icon" href="/t.png">`), "/t.png": icon}, "", "/ /t.png", "/t.png"},
		"drawing":             {map[string]string{"/": fmt.Sprintf(page, `<link rel=icon href="/d" type="image/svg+xml" sizes=any>`), "/d": drawing}, "", "/ /d", "/d"},
		"too large":           {map[string]string{"/": fmt.Sprintf(page, `<link rel=icon href=a>`), "/a": icon + strings.Repeat("\x00", maxImageBytes)}, "", "/ /a /favicon.ico", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWeb(t, c.pages)
			known := c.known
			if known != "" {
				known = w.URL + known
			}
			found, _ := run(t, SearchSite(w.URL+"/", known))
			if got := strings.Join(w.asked, " "); got != c.asked {
				t.Errorf("asked for %s, want %s", got, c.asked)
			}
			switch {
			case c.found == "" && found != nil:
				t.Errorf("found %s", found.URL)
			case c.found == "-" && (found == nil || found.URL != "" || len(found.PNG) == 0):
				t.Errorf("found %+v", found)
			case strings.HasPrefix(c.found, "/") && (found == nil || found.URL != w.URL+c.found || len(found.PNG) == 0):
				t.Errorf("found %+v", found)
			}
		})
	}
}

// A server that does not answer is not asked again; others are.
func TestUnreachable(t *testing.T) {
	dead := newWeb(t, nil)
	dead.Close()
	if found, errs := run(t, SearchSite(dead.URL+"/", "")); found != nil || len(errs) != 1 || !errors.Is(errs[0], ErrUnreachable) {
		t.Errorf("%+v, %v", found, errs)
	}
	live := newWeb(t, map[string]string{"/favicon.ico": string(imagingtest.PNG(t, imagingtest.Flag(32, 32, true)))})
	if found, errs := run(t, SearchSite(live.URL+"/", dead.URL+"/k.png")); found == nil || len(errs) != 2 {
		t.Errorf("%+v, %v", found, errs)
	}
}

// An image alone leads nowhere else, and one that has not changed is kept.
func TestSearchImage(t *testing.T) {
	w := newWeb(t, map[string]string{"/": `<link rel=icon href=/b>`, "/b": string(imagingtest.PNG(t, imagingtest.Flag(32, 32, true)))})
	if found, errs := run(t, SearchImage(w.URL+"/a")); found != nil || len(errs) != 1 || len(w.asked) != 1 {
		t.Errorf("%+v, %v, %v", found, errs, w.asked)
	}
	same := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(http.StatusNotModified) }))
	defer same.Close()
	for _, s := range []*Search{SearchImage(same.URL + "/a"), SearchSite(same.URL+"/", same.URL+"/a")} {
		if found, errs := run(t, s); found == nil || !found.Unchanged || found.URL != same.URL+"/a" || found.PNG != nil || len(errs) > 0 {
			t.Errorf("%+v, %v", found, errs)
		}
	}
}

func TestLinks(t *testing.T) {
	const page = `<!doctype html><head><meta charset=utf-8><title>A & B</title><base href="/img/">
		<link rel="stylesheet" href="icon.css"><link rel="mask-icon" href="m.svg" color=red><link rel=icon>
		<link rel="apple-touch-icon" sizes="180x180" href="touch180.png"><LINK REL="Apple-Touch-Icon-Precomposed" sizes=57x57 href="touch57.png">
		<link rel="icon" type="image/svg+xml" sizes=any href="v"><link rel="icon" href="w.SVG?1">
		<link rel="icon" sizes="16x16" href="16.png"><link rel="icon" sizes="24X24" href="24.png">
		<link rel="icon" media="(prefers-color-scheme: dark)" sizes="32x32" href="dark.png">
		<link rel="icon" sizes="192x192" href="192.png"><link rel="icon" sizes="16x16 48x48" href="48.ico"/>
		<link rel="shortcut icon" href="//cdn.example.net/a.ico#x"><link rel="icon" href="//cdn.example.net/a.ico">
		<link rel=icon href="ftp://example.com/f.ico"><link rel=icon href="javascript:1"></head>
		<body><link rel=icon sizes=32x32 href="late.png"></body>`
	links, _ := iconLinks(Answer{URL: "https://example.com/blog/", Body: []byte(page)})
	var got []string
	for _, l := range links {
		got = append(got, l.url)
	}
	want := []string{"https://example.com/img/48.ico", "https://example.com/img/192.png", "https://cdn.example.net/a.ico",
		"https://example.com/img/w.SVG?1", "https://example.com/img/v", "https://example.com/img/touch57.png",
		"https://example.com/img/touch180.png", "https://example.com/img/24.png", "https://example.com/img/16.png", "https://example.com/img/m.svg"}
	slices.Sort(got[3:5]) // neither drawing says its size
	slices.Sort(want[3:5])
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestOrigin(t *testing.T) {
	for address, want := range map[string]string{
		"https://Example.com/a/b?c": "https://example.com/", "http://me:secret@example.com:8080": "http://example.com:8080/",
		"file:///home/feed.xml": "", "": "", "example.com": "", "https://": "", "data:image/png,x": "",
	} {
		if got := Origin(address); got != want {
			t.Errorf("%q belongs to %q, not %q", address, got, want)
		}
	}
}

// Real pages lead to addresses of the web.
func TestCorpus(t *testing.T) {
	pages, withIcon := 0, 0
	for name, body := range readertest.CorpusFiles(t, "discovery", "readability", "realworld") {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		pages++
		links, _ := iconLinks(Answer{URL: "https://example.com/", Body: body})
		if len(links) > 0 {
			withIcon++
		}
		for _, l := range links {
			if u, err := url.Parse(l.url); err != nil || u.Scheme != "data" && u.Host == "" {
				t.Errorf("%s: %s", name, l.url)
			}
		}
	}
	if withIcon < 30 {
		t.Errorf("%d of %d pages name an icon", withIcon, pages)
	}
}

// A page that is not the first of its site is asked alone.
func TestSearchPage(t *testing.T) {
	icon := string(imagingtest.PNG(t, imagingtest.Flag(48, 48, true)))
	w := newWeb(t, map[string]string{"/blog/": `<link rel=icon href=i.png>`, "/blog/i.png": icon})
	if found, _ := run(t, SearchPage(w.URL+"/blog/", "")); found == nil || found.URL != w.URL+"/blog/i.png" {
		t.Errorf("found %+v", found)
	}
	w = newWeb(t, map[string]string{"/blog/": ""})
	if found, _ := run(t, SearchPage(w.URL+"/blog/", "")); found != nil || strings.Join(w.asked, " ") != "/blog/" {
		t.Errorf("found %+v, asked for %v", found, w.asked)
	}
}

// A mask has the color that its page names.
func TestMaskColor(t *testing.T) {
	w := newWeb(t, map[string]string{"/": `<link rel="mask-icon" href="/m.svg" color="#ff0000">`,
		"/m.svg": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M0 0h16v16H0z"/></svg>`})
	found, errs := run(t, SearchSite(w.URL+"/", ""))
	if found == nil {
		t.Fatal(errs)
	}
	img, err := png.Decode(bytes.NewReader(found.PNG))
	if err != nil {
		t.Fatal(err)
	}
	if r, g, b, a := img.At(9, 9).RGBA(); r != 0xffff || g != 0 || b != 0 || a != 0xffff {
		t.Errorf("drawn in %x %x %x %x", r, g, b, a)
	}
}

// A site whose page is behind a login elsewhere has not the icon of that login.
func TestLoginElsewhere(t *testing.T) {
	icon := string(imagingtest.PNG(t, imagingtest.Flag(48, 48, true)))
	login := newWeb(t, map[string]string{"/": `<link rel=icon href=/login.png><form><input type="password"></form>`, "/login.png": icon, "/favicon.ico": icon})
	site := newWeb(t, map[string]string{"/": "→" + login.URL + "/"})
	found, errs := run(t, SearchSite(site.URL+"/", ""))
	if found != nil || len(errs) == 0 || !errors.Is(errs[0], errSignIn) {
		t.Errorf("found %+v, %v", found, errs)
	}
	if len(login.asked) != 1 {
		t.Errorf("the login is asked for %v", login.asked)
	}
}
