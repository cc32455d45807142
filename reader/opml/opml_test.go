package opml

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kairos/reader/discover"
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
			{Line: 11, Text: "link", Code: NotAFeed},
			{Line: 12, Text: "no address", Code: NoAddress},
			{Line: 13, Text: "script", Code: BadAddress, Address: &discover.Error{Code: discover.UnsupportedScheme, Scheme: "javascript"}},
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
			t.Errorf("%s: %q, warnings %+v", name, got, l.Warnings)
		}
	}
	if w := read(t, "<opml>\n<body>\n<outline").Warnings; !slices.Equal(w, []Warning{{Code: EndsEarly, Line: 3}}) {
		t.Errorf("%+v", w)
	}
}

func TestNewsboat(t *testing.T) {
	got := read(t, `# my feeds
https://a.example/feed news "~The A feed" daily
http://b.example/ "two words" "!hidden"

"query:Unread:unread = \"yes\""
exec:~/bin/x
https://c.example/
"filter:~/bin/y --keep \"a b\":https://d.example/" tag "~Filtered"
file:///home/ann/feed.xml	"a \"b\"" other`)
	want := List{
		Feeds: []Outline{
			{Title: "The A feed", URL: "https://a.example/feed", Folder: "news"},
			{Title: "b.example", URL: "http://b.example/", Folder: "two words"},
			{Title: "c.example", URL: "https://c.example/"},
			{Title: "/home/ann/feed.xml", URL: "file:///home/ann/feed.xml", Folder: `a "b"`},
		},
		Refused: []Refusal{
			{Line: 5, Text: `query:Unread:unread = "yes"`, Code: SavedSearch},
			{Line: 6, Text: "exec:~/bin/x", Code: NeedsProgram},
			{Line: 8, Text: "Filtered", Code: NeedsProgram},
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestReadErrors(t *testing.T) {
	for _, s := range []string{"", "hello", "<html><body>x</body></html>", "\x00\x01"} {
		if _, err := Read(strings.NewReader(s)); !isNotAList(err) {
			t.Errorf("%q: %v", s, err)
		}
	}
	_, err := Read(bytes.NewReader(make([]byte, maxSize+1)))
	var e *Error
	if !errors.As(err, &e) || e.Code != TooLarge || e.Limit != maxSize {
		t.Error(err)
	}
}

func isNotAList(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == NotAList
}

func TestRoundTrip(t *testing.T) {
	feeds := []Outline{
		{Title: `A & "b" <c>`, URL: "http://a.example/?x=1&y=2", Site: "http://a.example/"},
		{Title: "in News", URL: "http://n.example/", Folder: "News", Attrs: map[string]string{"weight": "0.5", "paused": "yes"}},
		{Title: "deep", URL: "http://d.example/", Folder: "News / Local & near"},
		{Title: "again", URL: "http://e.example/", Folder: "Ünicode 漢字"},
		{Title: "What <b> & &amp;amp; mean in <p>HTML</p>", URL: "http://f.example/", Folder: "<i> & &lt;", Attrs: map[string]string{"title": "feed", "x": " \"a\"\n\tb "}},
		{Title: "a file", URL: "file:///home/ann/my%20feed.xml", Folder: "Files"},
	}
	var b bytes.Buffer
	if err := Write(&b, "My <list>", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), feeds); err != nil {
		t.Fatal(err)
	}
	l := read(t, b.String())
	if d := cmp.Diff(List{Title: "My <list>", Feeds: feeds}, l); d != "" {
		t.Errorf("%s\n%s", d, b.String())
	}
	if strings.Count(b.String(), `text="News"`) != 1 || !strings.Contains(b.String(), "<dateCreated>Fri, 02 Jan 2026 03:04:05 GMT</dateCreated>") {
		t.Error(b.String())
	}
	validate(t, b.Bytes())
}

// validate checks a list against OPML 2.0: well-formed, one head and one body in
// this order, every outline with a text, those of feeds with their address, a date
// in the format of RFC 822, and nothing unknown outside a namespace.
func validate(t *testing.T, list []byte) {
	t.Helper()
	known := map[string]string{"opml": "version", "head": "", "title": "", "dateCreated": "", "body": "", "outline": "text type title xmlUrl htmlUrl"}
	var order []string
	d := xml.NewDecoder(bytes.NewReader(list))
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%s", err, list)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		allowed, ok := known[e.Name.Local]
		if !ok || e.Name.Space != "" {
			t.Errorf("element %v", e.Name)
		}
		if e.Name.Local != "outline" {
			order = append(order, e.Name.Local)
		}
		has := map[string]string{}
		for _, a := range e.Attr {
			if a.Name.Space == "" {
				has[a.Name.Local] = a.Value
			}
			if a.Name.Space == "" && !slices.Contains(strings.Fields(allowed), a.Name.Local) || a.Name.Space != "" && a.Name.Space != namespace && a.Name.Space != "xmlns" {
				t.Errorf("attribute %v of %s", a.Name, e.Name.Local)
			}
		}
		if e.Name.Local == "outline" && (has["text"] == "" || (has["type"] == "rss") != (has["xmlUrl"] != "")) {
			t.Errorf("outline %v", has)
		}
		if e.Name.Local == "opml" && has["version"] != "2.0" {
			t.Errorf("version %q", has["version"])
		}
		if e.Name.Local == "dateCreated" {
			var date string
			if err := d.DecodeElement(&date, &e); err != nil || !regexp.MustCompile(`^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$`).MatchString(date) {
				t.Errorf("date %q (%v)", date, err)
			}
		}
	}
	if d := cmp.Diff([]string{"opml", "head", "title", "dateCreated", "body"}, order); d != "" {
		t.Error(d)
	}
}

// Attributes of one outline, and the feed that they describe.
func TestOutlines(t *testing.T) {
	for attributes, want := range map[string]Outline{
		`xmlUrl="http://a.example/?x=1&amp;copy=2"`:                          {URL: "http://a.example/?x=1&copy=2", Title: "a.example"},
		`xmlUrl="http://a.example/?x=1&copy=2&reg=3&lt=4&times=5"`:           {URL: "http://a.example/?x=1&copy=2&reg=3&lt=4&times=5", Title: "a.example"},
		`xmlUrl="http://a.example/?x=1&amp;amp;y=2&#38;z=3&#x26;w=4"`:        {URL: "http://a.example/?x=1&y=2&z=3&w=4", Title: "a.example"},
		`XMLURL='http://a.example/' TEXT='A &AMP; B'`:                        {URL: "http://a.example/", Title: "A & B"},
		`xmlurl = "http://a.example/" text = "spaced"`:                       {URL: "http://a.example/", Title: "spaced"},
		`xmlUrl="http://a.example/" text="arch&aelig;ology"`:                 {URL: "http://a.example/", Title: "archæology"},
		`xmlUrl="http://a.example/" text="shown" title="the feed's"`:         {URL: "http://a.example/", Title: "shown"},
		`xmlUrl="http://a.example/" text=" " title="the feed's"`:             {URL: "http://a.example/", Title: "the feed's"},
		`xmlUrl="feed:https://a.example/f"`:                                  {URL: "https://a.example/f", Title: "a.example"},
		`xmlUrl="feed://a.example/f"`:                                        {URL: "http://a.example/f", Title: "a.example"},
		`xmlUrl="a.example/a feed.xml"`:                                      {URL: "https://a.example/a%20feed.xml", Title: "a.example"},
		`xmlUrl="http://intranet/feed"`:                                      {URL: "http://intranet/feed", Title: "intranet"},
		`type="rss" url="http://a.example/"`:                                 {URL: "http://a.example/", Title: "a.example"},
		`type="pie" xmlUrl="http://a.example/"`:                              {URL: "http://a.example/", Title: "a.example"},
		`xmlUrl="http://a.example/" htmlUrl="javascript:alert(1)"`:           {URL: "http://a.example/", Title: "a.example"},
		`xmlUrl="http://a.example/" htmlUrl="file:///etc/passwd"`:            {URL: "http://a.example/", Title: "a.example"},
		`xmlUrl="http://a.example/" category=" / , one / , two / x"`:         {URL: "http://a.example/", Title: "a.example", Folder: "one"},
		`xmlUrl="http://a.example/" category="//two// / deep ,three"`:        {URL: "http://a.example/", Title: "a.example", Folder: "two / deep"},
		`xmlUrl="http://a.example/" text="` + strings.Repeat("é", 600) + `"`: {URL: "http://a.example/", Title: strings.Repeat("é", 499) + "…"},
	} {
		l := read(t, `<opml><body><outline `+attributes+`/><outline/></body></opml>`)
		if d := cmp.Diff([]Outline{want}, l.Feeds); d != "" {
			t.Errorf("%.80s: %v %s", attributes, l.Refused, d)
		}
	}
}

func TestRefusals(t *testing.T) {
	for attributes, want := range map[string]Refusal{
		`xmlUrl="vfolder" type="vfolder"`:                            {Code: SavedSearch},
		`xmlUrl="|~/bin/make feed"`:                                  {Code: NeedsProgram},
		`xmlUrl="exec:~/bin/x"`:                                      {Code: NeedsProgram},
		`type="include" url="http://a.example/more.opml"`:            {Code: NotAFeed},
		`type="rss" xmlUrl=" "`:                                      {Code: NoAddress},
		`xmlUrl="mailto:ann@a.example"`:                              {Code: BadAddress, Address: &discover.Error{Code: discover.UnsupportedScheme, Scheme: "mailto"}},
		`xmlUrl="nowhere"`:                                           {Code: BadAddress, Address: &discover.Error{Code: discover.NotAnAddress, Text: "nowhere"}},
		`xmlUrl="http://a.example/` + strings.Repeat("x", 9e3) + `"`: {Code: AddressTooLong},
	} {
		l := read(t, `<opml><body><outline text="x" `+attributes+`/></body></opml>`)
		want.Line, want.Text = 1, "x"
		if d := cmp.Diff([]Refusal{want}, l.Refused); d != "" || len(l.Feeds) != 0 {
			t.Errorf("%.60s: %s", attributes, d)
		}
	}
}

func TestFilteredFeedsWarn(t *testing.T) {
	l := read(t, `<opml><body><outline xmlUrl="http://a.example/" filtercmd="~/bin/x"/><outline xmlUrl="http://b.example/" filtercmd=""/></body></opml>`)
	if len(l.Feeds) != 2 || !slices.Equal(l.Warnings, []Warning{{Code: FilteredFeeds, Count: 1}}) {
		t.Errorf("%+v", l)
	}
}

func TestDeepFoldersKeepTheirPath(t *testing.T) {
	deep, path := "", []string{}
	for i := range 100 {
		deep += fmt.Sprintf("<outline text='%d'>", i)
		if i < maxDepth {
			path = append(path, fmt.Sprint(i))
		}
	}
	l := read(t, "<opml><body>"+deep+"<outline xmlUrl='http://a.example/'/>"+strings.Repeat("</outline>", 100)+"<outline xmlUrl='http://b.example/'/></body></opml>")
	if len(l.Feeds) != 2 || l.Feeds[0].Folder != strings.Join(path, separator) || l.Feeds[1].Folder != "" {
		t.Errorf("%+v", l.Feeds)
	}
}

// Pages exported from iGoogle.
func TestIGoogle(t *testing.T) {
	got := read(t, `<GadgetTabML version="1.0"><Tab title="Garden"><Section><Module type="RSS"><UserPref name="numItems" value="8"/>
		<ModulePrefs xmlUrl="http://a.example/feed"/></Module><Module type="REMOTE"><ModulePrefs/></Module></Section></Tab></GadgetTabML>`)
	if d := cmp.Diff(List{Feeds: []Outline{{Title: "a.example", URL: "http://a.example/feed", Folder: "Garden"}}}, got); d != "" {
		t.Error(d)
	}
}

// A blogroll in FOAF, as planets publish theirs.
func TestFOAF(t *testing.T) {
	got := read(t, `<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"
  xmlns:foaf="http://xmlns.com/foaf/0.1/" xmlns:rss="http://purl.org/rss/1.0/">
<foaf:Group><foaf:name>Planet Garden</foaf:name>
 <foaf:member><foaf:Agent><foaf:name>Ann &amp; Bob</foaf:name>
  <foaf:weblog><foaf:Document rdf:about="http://a.example/"><rdfs:seeAlso><rss:channel rdf:about="http://a.example/feed?x=1&amp;y=2"/></rdfs:seeAlso></foaf:Document></foaf:weblog></foaf:Agent></foaf:member>
 <foaf:member><foaf:Person>
  <foaf:weblog><foaf:Document rdf:about=" "><rdfs:seeAlso><rss:channel rdf:about="http://b.example/feed"></rss:channel></rdfs:seeAlso></foaf:Document></foaf:weblog><foaf:member_name>Cleo</foaf:member_name></foaf:Person></foaf:member>
 <foaf:member><foaf:Agent><foaf:name>None</foaf:name><foaf:weblog><foaf:Document rdf:about="http://c.example/"><rdfs:seeAlso><rss:channel rdf:about=""/></rdfs:seeAlso></foaf:Document></foaf:weblog></foaf:Agent></foaf:member>
</foaf:Group>
<foaf:Agent><foaf:weblog><foaf:Document rdf:about="http://d.example/"><rdfs:seeAlso><rss:channel rdf:about="http://d.example/feed"/></rdfs:seeAlso></foaf:Document></foaf:weblog></foaf:Agent>
</rdf:RDF>`)
	want := List{
		Feeds: []Outline{
			{Title: "Ann & Bob", URL: "http://a.example/feed?x=1&y=2", Site: "http://a.example/", Folder: "Planet Garden"},
			{Title: "Cleo", URL: "http://b.example/feed", Folder: "Planet Garden"},
			{Title: "d.example", URL: "http://d.example/feed", Site: "http://d.example/"},
		},
		Refused: []Refusal{{Line: 9, Text: "None", Code: NoAddress}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if _, err := Read(strings.NewReader(`<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:foaf="http://xmlns.com/foaf/0.1/"><channel rdf:about="http://a.example/"><foaf:maker><foaf:Person><foaf:name>Ann</foaf:name></foaf:Person></foaf:maker></channel></rdf:RDF>`)); !isNotAList(err) {
		t.Errorf("a feed of RSS 1.0: %v", err)
	}
}

func TestIsList(t *testing.T) {
	for text, want := range map[string]bool{
		"<?xml version='1.0'?><opml version='2.0'>": true, "<outline text='a'>": true, "# mine\nhttps://a.example/ tag\n": true,
		"\"query:x:y\"": true, "\xff\xfe<\x00o\x00p\x00m\x00l\x00>\x00": true,
		"<rss version='2.0'>": false, "": false, "hello": false, "<html><a href='x.opml'>": false, "{}": false,
	} {
		if IsList([]byte(text)) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// hostile returns lists of one size, each full of one thing.
func hostile(size int) map[string]string {
	fill := func(head, piece string) string { return head + strings.Repeat(piece, (size-len(head))/len(piece)) }
	return map[string]string{
		"folders":    fill("<opml><body>", "<outline text='x'>"),
		"names":      fill("<opml><body>"+strings.Repeat("<outline text='a folder'>", 1e5), "<outline xmlUrl='a.b'/>"),
		"nameless":   fill("<opml><body>"+strings.Repeat("<outline>", 1e5), "<outline xmlUrl='a.b'/>"),
		"feeds":      fill("<opml><body>", "<outline xmlUrl='a.b'/>"),
		"refused":    fill("<opml><body>", "<outline xmlUrl='x'/>"),
		"own":        fill("<opml><body><outline xmlUrl='a.b' ", "kairos:a1='b' "),
		"attributes": fill("<opml><body><outline ", "a='b' "),
		"quotes":     fill("<opml><body><outline ", `a="`),
		"values":     fill("<opml><body><outline ", `a=""?`),
		"heads":      fill("<opml>", "<head><title></"),
		"lists":      fill("", "<opml") + ">",
		"categories": fill("<opml><outline xmlUrl='a.b' category='", "<b>,") + "'/>",
		"markup":     fill("<opml>", "<outline text='<b>'>"),
		"hosts":      fill("<opml>", "<outline xmlUrl='http://"+strings.Repeat("ü.", 2600)+"'/>"),
		"escapes":    fill("<opml>", "<outline xmlUrl='http://a.b/&"+strings.Repeat("amp;", 1900)+"'/>"),
		"documents":  fill("<RDF xmlns='http://xmlns.com/foaf/0.1/'><Document ", `a=""?`),
		"title":      fill("<opml><head><title>", "<title>"),
		"long title": fill("<opml><body><outline xmlUrl='a.b' text='", "word "),
		"ampersand":  fill("<opml><outline xmlUrl='http://a.b/&", "amp;") + "'/>",
		"comments":   fill("<opml>", "<!--"),
		"addresses":  fill("", "a.b c\n") + "",
		"urls":       fill("http://a.b\n", "a.b c\n"),
		"words":      fill("http://a.b ", "c "),
		"lines":      fill("http://a.b", "\n"),
		"blank":      fill("", "\n"),
		"agents":     fill("<RDF xmlns='http://xmlns.com/foaf/0.1/'>", "<Agent><name>a</name>"),
		"channels":   fill("<RDF xmlns='http://xmlns.com/foaf/0.1/'><Document>", "<channel about='a.b'/>"),
	}
}

// A title whose lower case is longer is read, and the list after it.
func TestTitleOfOtherLength(t *testing.T) {
	long := strings.Repeat("\u0130", 40)
	list, err := Read(strings.NewReader(`<opml><head><title>` + long + `</TITLE></head><body><outline xmlUrl="http://a.test/"/></body></opml>`))
	if err != nil || list.Title != long || len(list.Feeds) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := Read(strings.NewReader(`<opml><outline xmlUrl="http://a.test/"/><title>` + long + `</title`)); err != nil {
		t.Error(err)
	}
}

// TestHostile would time out or exceed the limits if any part of reading were
// quadratic or kept all it saw.
func TestHostile(t *testing.T) {
	for name, text := range hostile(maxSize / 8) {
		l, err := Read(strings.NewReader(text))
		if err != nil && !isNotAList(err) {
			t.Errorf("%s: %v", name, err)
		}
		if len(l.Feeds) > maxFeeds || len(l.Refused) > maxRefused || len(l.Feeds)+len(l.Refused) >= maxRefused && len(l.Warnings) == 0 {
			t.Errorf("%s: %d feeds, %d refused, %+v", name, len(l.Feeds), len(l.Refused), l.Warnings)
		}
		for _, f := range l.Feeds {
			if len(f.Attrs) > maxOwn || len(f.Title) > 4*maxTitle {
				t.Fatalf("%s: %d attributes, a title of %d bytes", name, len(f.Attrs), len(f.Title))
			}
		}
	}
}

func BenchmarkHostile(b *testing.B) {
	for name, text := range hostile(maxSize) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				_, _ = Read(strings.NewReader(text))
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`<opml><head><title>t</title></head><body><outline text="a"><outline xmlUrl="http://a.example" kairos:weight='1'/></outline></body></opml>`))
	f.Add([]byte("http://a.example tag \"~x\"\nquery:x"))
	f.Add([]byte("<outline xmlUrl=\"a.example\" text='<a href=\"x\">' <outline"))
	f.Add([]byte(`<rdf:RDF xmlns:foaf="http://xmlns.com/foaf/0.1/"><foaf:Group><foaf:name>g</foaf:name><foaf:Agent><foaf:Document about="http://a.example"><channel about="http://a.example/f"/></foaf:Document></foaf:Agent></foaf:Group>`))
	f.Add([]byte(`<opml xmlns:kairos="urn:kairos:opml"><outline text="&lt;b&gt; / x" category="/a/b,c"><outline xmlUrl="file:///x" text="&amp;amp;"/>`))
	f.Fuzz(func(t *testing.T, body []byte) {
		l, err := Read(bytes.NewReader(body))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := Write(&b, l.Title, time.Unix(0, 0), l.Feeds); err != nil {
			t.Fatal(err)
		}
		written := slices.Clone(b.Bytes())
		again, err := Read(&b)
		if err != nil {
			t.Fatal(err)
		}
		validate(t, written)
		for i := range l.Feeds {
			l.Feeds[i].User, l.Feeds[i].Password = "", "" // logins are never written
		}
		order := func(a, b Outline) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }
		slices.SortFunc(l.Feeds, order)
		slices.SortFunc(again.Feeds, order)
		if d := cmp.Diff(l.Feeds, again.Feeds); d != "" {
			t.Error(d)
		}
		if again.Title != l.Title || len(again.Refused)+len(again.Warnings) > 0 {
			t.Errorf("%q becomes %q; %v %v", l.Title, again.Title, again.Refused, again.Warnings)
		}
	})
}
