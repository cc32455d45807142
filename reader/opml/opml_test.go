package opml

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func read(t *testing.T, s string) List {
	t.Helper()
	l, err := Read(strings.NewReader(s))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestRead(t *testing.T) {
	got := read(t, `<?xml version="1.0" encoding="utf-8"?>
<!-- <outline xmlUrl="http://commented.example/"/> -->
<opml version="2.0" xmlns:kairos="urn:kairos:opml"><head><title>Mine &amp; yours</title></head><body>
<outline text="News">
  <outline text="Local &amp; near" title="">
    <outline type="rss" text="A" xmlUrl="http://a.example/feed" htmlUrl="http://a.example/" kairos:weight="2" kairos:every="6h"/>
  </outline>
  <outline TEXT='B "b"' XMLURL='feed:https://b.example/rss?x=1&y=2' />
</outline>
<outline text="C" type="rss" xmlUrl=" http://c.example/ " category="/Tech/Go,/Other"></outline>
<outline text="link" type="link" url="http://l.example/"/>
<outline text="no address" type="rss"/>
<outline text="script" xmlUrl="javascript:alert(1)"/>
<outline xmlUrl="http://untitled.example/x"/>
</body></opml>`)
	want := List{
		Title: "Mine & yours",
		Feeds: []Outline{
			{Title: "A", URL: "http://a.example/feed", Site: "http://a.example/", Folder: "News / Local & near", Attrs: map[string]string{"weight": "2", "every": "6h"}},
			{Title: `B "b"`, URL: "https://b.example/rss?x=1&y=2", Folder: "News"},
			{Title: "C", URL: "http://c.example/", Folder: "Tech / Go"},
			{Title: "untitled.example", URL: "http://untitled.example/x"},
		},
		Refused: []Refusal{
			{11, "link", "it is a link, not a feed"},
			{12, "no address", "it has no address"},
			{13, "script", "its address is not one of the web"},
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestBroken(t *testing.T) {
	for name, c := range map[string]struct {
		in     string
		titles string
		warned bool
	}{
		"cut":               {"<opml><body><outline text='a' xmlUrl='http://a.example'/><outline text='b' xmlUrl='http://b.ex", "a", true},
		"less in value":     {`<opml><body><outline text="a < b" xmlUrl="http://a.example"/></body></opml>`, "a < b", false},
		"quotes in value":   {`<opml><body><outline text="the "best" one" xmlUrl="http://a.example"/></body></opml>`, `the "best" one`, false},
		"HTML in value":     {`<opml><body><outline text="x" description="by <a href="http://z.example" rel="me">z</a>." xmlUrl="http://a.example"/></body></opml>`, "x", false},
		"quote missing":     {"<opml><body><outline text=\"x xmlUrl=http://q.example>\n<outline text='y' xmlUrl='http://a.example'/></body></opml>", "y", false},
		"without quotes":    {`<opml><body><outline text=x xmlUrl=http://a.example/></body></opml>`, "x", false},
		"ends missing":      {`<opml><body><outline text="f"><outline text="a" xmlUrl="http://a.example"><outline text="b" xmlUrl="http://b.example"></body></opml>`, "a,b", false},
		"ends too many":     {`<opml><body></outline></outline><outline text="a" xmlUrl="http://a.example"/></outline></body></opml>`, "a", false},
		"latin":             {"<?xml version='1.0' encoding='iso-8859-1'?><opml><body><outline text='\xdcber' xmlUrl='http://a.example'/></body></opml>", "Über", false},
		"no opml around it": {`<outline text="a" xmlUrl="http://a.example"/></body>`, "a", false},
		"comment open":      {`<opml><body><!-- <outline text="a" xmlUrl="http://a.example"/></body></opml>`, "a", false},
	} {
		l := read(t, c.in)
		var titles []string
		for _, f := range l.Feeds {
			titles = append(titles, f.Title)
		}
		if got := strings.Join(titles, ","); got != c.titles || (len(l.Warnings) > 0) != c.warned {
			t.Errorf("%s: %q, warnings %q", name, got, l.Warnings)
		}
	}
	if w := read(t, "<opml>\n<body>\n<outline").Warnings; len(w) != 1 || !strings.Contains(w[0], "line 3") {
		t.Errorf("%q", w)
	}
}

func TestNewsboat(t *testing.T) {
	got := read(t, `# my feeds
https://a.example/feed news "~The A feed" daily
http://b.example/ "two words" "!hidden"

"query:Unread:unread = \"yes\""
exec:~/bin/x
https://c.example/`)
	want := List{
		Feeds: []Outline{
			{Title: "The A feed", URL: "https://a.example/feed", Folder: "news"},
			{Title: "b.example", URL: "http://b.example/", Folder: "two words"},
			{Title: "c.example", URL: "https://c.example/"},
		},
		Refused: []Refusal{
			{5, `query:Unread:unread = "yes"`, "it is made by Newsboat itself"},
			{6, "exec:~/bin/x", "it is made by Newsboat itself"},
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestNoList(t *testing.T) {
	for _, s := range []string{"", "hello", "<html><body>x</body></html>", "\x00\x01"} {
		if _, err := Read(strings.NewReader(s)); !errors.Is(err, ErrNoList) {
			t.Errorf("%q: %v", s, err)
		}
	}
	if _, err := Read(bytes.NewReader(make([]byte, maxSize+1))); !errors.Is(err, ErrTooBig) {
		t.Error(err)
	}
}

func TestRoundTrip(t *testing.T) {
	feeds := []Outline{
		{Title: `A & "b" <c>`, URL: "http://a.example/?x=1&y=2", Site: "http://a.example/"},
		{Title: "in News", URL: "http://n.example/", Folder: "News", Attrs: map[string]string{"weight": "0.5", "paused": "yes"}},
		{Title: "deep", URL: "http://d.example/", Folder: "News / Local & near"},
		{Title: "again", URL: "http://e.example/", Folder: "Ünicode 漢字"},
	}
	var b bytes.Buffer
	if err := Write(&b, "My <list>", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), feeds); err != nil {
		t.Fatal(err)
	}
	l := read(t, b.String())
	if d := cmp.Diff(List{Title: "My <list>", Feeds: feeds}, l); d != "" {
		t.Errorf("%s\n%s", d, b.String())
	}
	if strings.Count(b.String(), `text="News"`) != 1 || !strings.Contains(b.String(), "<dateCreated>Fri, 02 Jan 2026 03:04:05 UTC</dateCreated>") {
		t.Error(b.String())
	}
}

// TestHostileIsLinear would not end in time if any part of reading were quadratic.
func TestHostileIsLinear(t *testing.T) {
	for _, s := range []string{
		"<opml><body>" + strings.Repeat("<outline text='x'>", 300000),
		"<opml><body><outline " + strings.Repeat(`a="`, 300000),
		"<opml><body><outline " + strings.Repeat(`a='b' `, 300000),
		"<opml><head><title>" + strings.Repeat("<title>", 1000000),
		strings.Repeat("<!--", 1000000) + "<opml>",
	} {
		start := time.Now()
		if _, err := Read(strings.NewReader(s)); err != nil && !errors.Is(err, ErrNoList) {
			t.Error(err)
		}
		if d := time.Since(start); d > 30*time.Second {
			t.Errorf("%.40q took %v", s, d)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`<opml><head><title>t</title></head><body><outline text="a"><outline xmlUrl="http://a.example" kairos:weight='1'/></outline></body></opml>`))
	f.Add([]byte("http://a.example tag \"~x\"\nquery:x"))
	f.Add([]byte("<outline xmlUrl=\"a.example\" text='<a href=\"x\">' <outline"))
	f.Fuzz(func(t *testing.T, body []byte) {
		l, err := Read(bytes.NewReader(body))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := Write(&b, l.Title, time.Unix(0, 0), l.Feeds); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&b)
		if err != nil {
			t.Fatal(err)
		}
		if len(again.Feeds) != len(l.Feeds) {
			t.Fatal(fmt.Sprint(len(again.Feeds), " feeds after writing, before ", len(l.Feeds)))
		}
	})
}
