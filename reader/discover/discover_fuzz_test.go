package discover

import (
	"context"
	"net/url"
	"strings"
	"testing"
)

// FuzzFind searches arbitrary pages; every address they lead to answers with the
// same page.
func FuzzFind(f *testing.F) {
	f.Add("https://example.org/a/", "text/html", `</f>; rel="alternate"; type="application/rss+xml"`, `<!doctype html><base href="/x/"><link rel="alternate" type="application/atom+xml" href="f" title="A &amp; b"><a href="rss.xml">RSS<img alt=x></a>`)
	f.Add("https://www.youtube.com/@x", "text/html", "", `<link rel=canonical href="https://www.youtube.com/channel/UCx"><meta http-equiv=refresh content="0;url=/y">`)
	f.Add("github.com/a/b", "", "", `<rss><channel><title>x</title></channel></rss>`)
	f.Add("https://podcasts.apple.com/us/podcast/x/id1", "", "", `{"feedUrl":"https:\/\/a.example\/\u0026"}`)
	f.Add("https://example.org/", "text/html; charset=iso-2022-jp", "<", "<meta name=generator content=Hugo><script src=/wp-content/x id=mastodon><frame src=//[::1]:x>")
	f.Fuzz(func(t *testing.T, address, contentType, link, body string) {
		requests := 0
		found, err := Find(context.Background(), address, func(_ context.Context, asked string) (Page, error) {
			requests++
			if u, err := url.Parse(asked); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
				t.Errorf("asked for %q", asked)
			}
			return Page{URL: asked, ContentType: contentType, Links: []string{link}, Body: []byte(body)}, nil
		})
		if requests > maxRequests || (err == nil) != (len(found) > 0) {
			t.Errorf("%d requests, %d found, %v", requests, len(found), err)
		}
		for _, c := range found {
			u, err := url.Parse(c.URL)
			if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || strings.ContainsAny(c.Title, "\n\t") {
				t.Errorf("found %+v", c)
			}
		}
	})
}

// FuzzNormalize checks that a normalized address stays the same.
func FuzzNormalize(f *testing.F) {
	for _, s := range []string{"example.com", "feed:https://a.example/?x=1#y", "“http://bücher.example:80/ä”", "@ann@social.example", "http//x.example", "see https://a.example/.", "http://[::1]/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		address, err := Normalize(typed)
		if err != nil {
			return
		}
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			t.Fatalf("%q becomes %q (%v)", typed, address, err)
		}
		again, err := Normalize(address)
		if err != nil || again != address {
			t.Errorf("%q becomes %q, then %q (%v)", typed, address, again, err)
		}
		if SameFeed(address) != SameFeed(again) || SameFeed(address) == "" {
			t.Errorf("%q: key %q", address, SameFeed(address))
		}
	})
}

// BenchmarkPage scans pages of the largest size, full of what is looked for.
func BenchmarkPage(b *testing.B) {
	for name, piece := range map[string]string{
		"links": `<a href=b>x</a>`, "feeds": `<a href="/rss.xml">rss feed</a>`, "next pages": `<a href="/blog">Blog</a>`, "declared": `<link rel=alternate type=application/rss+xml href=f>`,
		"open": `<a><b>`, "quotes": `<a href="`, "files": `"x/wp-content/`, "text": "lorem ipsum ",
	} {
		page := Page{URL: "https://example.org/", Body: []byte(strings.Repeat(piece, (16<<20)/len(piece)))}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(page.Body)))
			for b.Loop() {
				softwarePaths(scanPage(page))
			}
		})
	}
}
