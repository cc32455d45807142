package content

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	xhtml "golang.org/x/net/html"

	"kairos/reader/readertest"
)

func TestSanitize(t *testing.T) {
	const base = "https://example.org/blog/post?x=1"
	for name, c := range map[string]struct{ in, want string }{
		"text":                 {"Tom > Jerry", "Tom &gt; Jerry"},
		"entities only":        {"Tom &amp; Jerry &nbsp;&eacute;", "Tom &amp; Jerry \u00a0é"},
		"blank lines":          {"one\n\ntwo\nthree", "<p>one</p><p>two\nthree</p>"},
		"relative link":        {`<a href="../a b?q">x</a>`, `<a href="https://example.org/a%20b?q">x</a>`},
		"query only":           {`<a href="?y=2">x</a>`, `<a href="https://example.org/blog/post?y=2">x</a>`},
		"fragment":             {`<a href="#n">x</a>`, `<a href="https://example.org/blog/post?x=1#n">x</a>`},
		"scheme-relative":      {`<img src="//cdn.example.org/p.png">`, `<img src="https://cdn.example.org/p.png">`},
		"script":               {`a<script>alert(1)</script>b`, `ab`},
		"handler":              {`<p onclick="x()" style="color:red">a</p>`, `<p>a</p>`},
		"javascript":           {`<a href=" java&#10;script:alert(1)">x</a>`, `x`},
		"data link":            {`<a href="data:text/html,x">x</a>`, `x`},
		"form":                 {`<form action=/x><input name=a>text<button>b</button></form>`, `textb`},
		"pixel":                {`a<img src="https://t.example.com/p" width="1" height="1">b`, `ab`},
		"tracker":              {`<img src="http://feeds.feedburner.com/~r/x/~4/y">`, ``},
		"lazy":                 {`<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/i.png">`, `<img src="https://example.org/i.png">`},
		"srcset":               {`<img srcset="a.jpg 400w, b.jpg 1200w, c.jpg 4000w">`, `<img src="https://example.org/blog/b.jpg" srcset="https://example.org/blog/a.jpg 400w, https://example.org/blog/b.jpg 1200w, https://example.org/blog/c.jpg 4000w">`},
		"picture":              {`<picture><source srcset="w.webp"><img alt="x"></picture>`, `<img src="https://example.org/blog/w.webp" alt="x">`},
		"lazy and noscript":    {`<img data-src="i.png"><noscript><img src="i.png"></noscript>`, `<img src="https://example.org/blog/i.png">`},
		"noscript alone":       {`<p>a</p><noscript><img src="i.png"></noscript>`, `<p>a</p><img src="https://example.org/blog/i.png">`},
		"youtube":              {`<iframe src="//www.youtube.com/embed/abcdefghijk"></iframe>`, `<p><a href="https://www.youtube.com/watch?v=abcdefghijk"><img src="https://i.ytimg.com/vi/abcdefghijk/hqdefault.jpg" alt=""></a></p><p><a href="https://www.youtube.com/watch?v=abcdefghijk">▶ youtube.com</a></p>`},
		"video":                {`<video poster="p.jpg"><source src="v.mp4"><source src="v.ogv">no video</video>`, `<p><a href="https://example.org/blog/v.mp4"><img src="https://example.org/blog/p.jpg" alt=""></a></p><p><a href="https://example.org/blog/v.mp4">▶ example.org/blog/v.mp4</a></p>`},
		"frame without end":    {`safe<iframe src="https://example.com/x"> text`, `safe<p><a href="https://example.com/x">▶ example.com/x</a></p> text`},
		"unknown element":      {`<x-y>a</x-y><span>b</span>`, `ab`},
		"aligned cells":        {`<table align=left><tr align=CENTER style="text-align: justify"><td style="color:red;Text-Align:right">a</td><td align="x">b</td></tr></table>`, `<table><tr align="center"><td align="right">a</td><td>b</td></tr></table>`},
		"open details":         {`<details open><summary open>a</summary></details>`, `<details open="1"><summary>a</summary></details>`},
		"attributes of list":   {`<ol start="3" class="c"><li value="7">a</li></ol>`, `<ol start="3"><li value="7">a</li></ol>`},
		"document for picture": {`<img src="data:image/svg+xml;base64,` + strings.Repeat("PHN2Zy8+", 100) + `">`, ``},
		"drawing in the address": {`<img alt="d" src='data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9" stroke="#f00"/></svg>'>`,
			`<img src="data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciPjxwYXRoIGQ9Ik0wIDBoOSIgc3Ryb2tlPSIjZjAwIi8+PC9zdmc+" alt="d">`},
		"escaped drawing":     {`<img src="data:image/svg+xml,%3Csvg%3E%3Ccircle r='9'/%3E%3C/svg%3E">`, `<img src="data:image/svg+xml;base64,PHN2Zz48Y2lyY2xlIHI9JzknLz48L3N2Zz4=">`},
		"gray box":            {`<img src="data:image/svg+xml,%3Csvg%3E%3Crect width='90' height='90'/%3E%3C/svg%3E">`, ``},
		"drawing for a while": {`<img src="data:image/svg+xml,%3Csvg%3E%3Ccircle r='9'/%3E%3C/svg%3E" data-src="/i.png">`, `<img src="https://example.org/i.png">`},
		"endless drawing":     {`<img src="data:image/svg+xml,<svg><path d='` + strings.Repeat("M0 0", 1<<16) + `'/></svg>">`, ``},
		"small data picture":  {`<img src="data:image/svg+xml;base64,PHN2Zy8+">`, ``},
		"file":                {`<img src="file:///etc/passwd"><a href="file:///etc/passwd">x</a>`, `x`},
		"this machine":        {`<img src="http://127.0.0.1/x.png"><a href="http://localhost:631/">x</a>`, `x`},
		"lazy beside small":   {`<img src="/small.jpg?w=10" data-src="/real.jpg">`, `<img src="https://example.org/real.jpg">`},
		"larger beside real":  {`<img src="/real.jpg" data-orig-file="/huge.jpg">`, `<img src="https://example.org/real.jpg">`},
		"lazy in its own":     {`<img src="/blank.gif" data-whatever="/i.webp?x=1" data-note="a.b">`, `<img src="https://example.org/i.webp?x=1">`},
		"lazy picture":        {`<picture><source data-srcset="a.jpg 600w"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="></picture>`, `<img src="https://example.org/blog/a.jpg">`},
		"hidden picture":      {`a<img src="//t.example.com/p" style="display: none">b<img src="//t.example.com/q" style="width:1px;height:1px">`, `ab`},
		"wide picture":        {`<img src="/p.png" style="max-width:100%;width:10px">`, `<img src="https://example.org/p.png">`},
		"playlist":            {`<iframe src="https://www.youtube.com/embed/videoseries?list=PL1"></iframe>`, `<p><a href="https://www.youtube.com/playlist?list=PL1">▶ youtube.com</a></p>`},
		"film of old":         {`<object><param name="movie" value="http://www.youtube.com/v/abcdefghijk&hl=en"><embed src="http://www.youtube.com/v/abcdefghijk&hl=en"></object>`, `<p><a href="https://www.youtube.com/watch?v=abcdefghijk"><img src="https://i.ytimg.com/vi/abcdefghijk/hqdefault.jpg" alt=""></a></p><p><a href="https://www.youtube.com/watch?v=abcdefghijk">▶ youtube.com</a></p>`},
		"film by parameter":   {`<object><param name="movie" value="http://v.example.com/1"></object>`, `<p><a href="http://v.example.com/1">▶ v.example.com/1</a></p>`},
		"front of a site":     {`a<iframe src="https://example.com/"></iframe>b<frame src="https://example.com/x">`, `ab`},
		"stray percent":       {`<a href="/100%">x</a>`, `<a href="https://example.org/100%25">x</a>`},
		"joined tag":          {`a <<x>img src="http://127.0.0.1/x.png">b`, `a &lt;img src=&#34;http://127.0.0.1/x.png&#34;&gt;b`},
		"example of HTML":     {`<xmp><img src="http://127.0.0.1/x.png"></xmp>`, `&lt;img src=&#34;http://127.0.0.1/x.png&#34;&gt;`},
		"formula":             {`<p>So <math display="block"><mi>x</mi><mo>=</mo><mfrac><mn>1</mn><mn>2</mn></mfrac></math> holds`, `<p>So <i>x</i> = 1/2 holds`},
		"fraction of sums":    {`<math><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><msqrt><mi>c</mi><mo>-</mo><mn>1</mn></msqrt></mfrac></math>`, `(<i>a</i> + <i>b</i>)/√(<i>c</i> - 1)`},
		"scripts":             {"<math><semantics><mrow><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup><mo>+</mo><msup><mi>y</mi>\n<mrow><mo>-</mo><mn>1</mn></mrow></msup></mrow><annotation>x_1^2</annotation></semantics></math>", `<i>x</i><sub>1</sub><sup>2</sup> + <i>y</i><sup>-1</sup>`},
		"sum, root, function": {`<math><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mroot><mi>a</mi><mn>3</mn></mroot><mi>sin</mi><mo>&#x2061;</mo><mfenced><mi>x</mi><mi>y</mi></mfenced></math>`, `∑<sub><i>i</i> = 1</sub><sup><i>n</i></sup><sup>3</sup>√<i>a</i>sin(<i>x</i>, <i>y</i>)`},
		"matrix":              {`<math><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable></math>`, `[1, 2; 3, 4]`},
		"formula too deep":    {"<math>" + strings.Repeat("<mrow>", 2000) + "<mi>x</mi>", `x`},
		"formula too long":    {"<math>" + strings.Repeat("<mn>1</mn>", 10000) + "</math>", strings.Repeat("1", 10000)},
		"formula without end": {`a<math><mi>x</mi><p>b`, `a<i>x</i>b`},
		"script in a formula": {`<math><mi>x</mi><script>alert(1)</script><mtext><img src=x onerror=alert(1)></mtext><mi>&lt;b></mi></math>`, `<i>x</i>&lt;b&gt;`},
		"reading of a word":   {`<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>と<ruby>日<rt>に<rb>本<rt>ほん</ruby>`, `漢字（かんじ）と日（に）本（ほん）`},
		"quotes without tags": {`it's "so"`, `it&#39;s &#34;so&#34;`},
		"controls":            {"<p>a\x00b&#27;c\u009bd\x7f\te</p>" + `<img src="/x.png" alt="&#27;]52;c;&#7;x">`, "<p>abcd\te</p>" + `<img src="https://example.org/x.png" alt="]52;c;x">`},
		"controls in a host":  {"<a href='http://127.0\u0081.0.1/'>a</a><a href='/b\x1bc'>b</a>", `a<a href="https://example.org/bc">b</a>`},
		"width in words":      {`<img src="/a.png" width="100%" height="40px">`, `<img src="https://example.org/a.png" height="40">`},
	} {
		if got := Sanitize(c.in, Origin{Base: base}); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

func TestSanitizeWithoutBase(t *testing.T) {
	if got := Sanitize(`<a href="/x">a</a><img src="y.png"><a href="https://e.org/">b</a>`, Origin{Base: ""}); got != `a<a href="https://e.org/">b</a>` {
		t.Error(got)
	}
}

func TestSanitizeLocalOrigin(t *testing.T) {
	origin := Origin{Base: "http://127.0.0.1/feed", Local: true}
	if got := Sanitize(`<img src="x.png">`, origin); got != `<img src="http://127.0.0.1/x.png">` {
		t.Error(got)
	}
}

func TestSanitizeLimits(t *testing.T) {
	readertest.SkipWithRace(t)
	deep := strings.Repeat("<div><blockquote>", 200000) + "x"
	if got := Sanitize(deep, Origin{Base: ""}); !strings.Contains(got, "x") {
		t.Error("text lost")
	}
	if got := Sanitize(strings.Repeat("ä", MaxHTML), Origin{Base: ""}); len(got) > MaxHTML {
		t.Errorf("%d bytes", len(got))
	}
	if got := Sanitize("<p>"+strings.Repeat("&", MaxHTML), Origin{}); len(got) > MaxHTML+10 {
		t.Errorf("%d bytes of ampersands", len(got))
	}
}

// TestHostileIsLinear: eight times the input may take about eight times as long, not
// sixty-four times.
func TestHostileIsLinear(t *testing.T) {
	readertest.SkipWithRace(t)
	for _, s := range []string{"<video>", "<iframe>", "<noscript>", "<a href=x>", "<b>", "<br>", "<table><tr><td>", "<ul><li>", "<img srcset='a,a,a,a,a'>", "<", "&", "a ", "<pre>\n", "<blockquote>x", "<td>x"} {
		if g := readertest.Growth(func(n int) {
			in := strings.Repeat(s, n/len(s))
			Parse(Sanitize(in, Origin{Base: "https://example.org/"}))
			Text(in, 0)
			Title(in)
		}); g > 30 {
			t.Errorf("%q: %.0f times the time", s, g)
		}
	}
}

func TestFromText(t *testing.T) {
	got, text := FromText("a <b> & c\nsee https://example.org/x?a=1&b=2. httpx\n\n\nhttp://127.0.0.1/", Origin{}, 0)
	want := `<p>a &lt;b&gt; &amp; c<br>see <a href="https://example.org/x?a=1&amp;b=2">https://example.org/x?a=1&amp;b=2</a>. httpx</p><p>http://127.0.0.1/</p>`
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if text != Text(got, 0) {
		t.Errorf("its text is %q", text)
	}
}

// activeContent returns what is active in sanitized HTML, "" for nothing, as an HTML
// parser sees it.
func activeContent(t *testing.T, clean string) string {
	t.Helper()
	z := xhtml.NewTokenizer(strings.NewReader(clean))
	for {
		switch z.Next() {
		case xhtml.ErrorToken:
			return ""
		case xhtml.CommentToken, xhtml.DoctypeToken:
			return "a comment or doctype"
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
			if found := activeTag(z.Token()); found != "" {
				return found
			}
		}
	}
}

func activeTag(tok xhtml.Token) string {
	attrs, ok := elements[tok.Data]
	if !ok {
		return "element " + tok.Data
	}
	for _, a := range tok.Attr {
		if a.Key == "dir" && directions.MatchString(a.Val) && !hasNoContent(tok.Data) {
			continue
		}
		if !slices.Contains(attrs, a.Key) {
			return "attribute " + a.Key
		}
		scheme, _ := schemeOf(strings.TrimSpace(a.Val))
		switch {
		case a.Key == "src" && scheme == "data" && !strings.HasPrefix(a.Val, "data:image/"):
			return "address " + a.Val
		case a.Key == "src" && scheme != "http" && scheme != "https" && scheme != "data",
			a.Key == "href" && (scheme == "data" || !slices.Contains(linkSchemes, scheme)):
			return "address " + a.Val
		}
	}
	return ""
}

func FuzzSanitize(f *testing.F) {
	for _, s := range []string{"<p>a<b>c</p>", `<a href="javascript:x">`, "<svg><style><img src=x onerror=y></style>", "<noscript><p title='</noscript><img src=x onerror=y>'>",
		"&lt;script&gt;", "a&#27;<b title='\x00'>\u009b", "&#27;\x07", "<iframe src=//x><script>", "<math><mtext><table><mglyph><style><img src=x onerror=y>", "<img srcset='a 1x, b 2w,' data-src=//q>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		clean := Sanitize(s, Origin{Base: "https://example.org/a/b"})
		if found := activeContent(t, clean); found != "" {
			t.Fatalf("%s survives in %q", found, clean)
		}
		if strings.ContainsFunc(clean, func(r rune) bool { return unicode.IsControl(r) && !isSpace(byte(r)) }) {
			t.Fatalf("control characters survive in %q", clean)
		}
		Parse(clean)
	})
}

func TestConcurrent(t *testing.T) {
	done := make(chan string)
	for range 12 {
		go func() {
			done <- Sanitize(strings.Repeat(`<p onclick=x><a href="/y">a</a>`, 100), Origin{Base: "https://example.org/"})
		}()
	}
	first := <-done
	for range 3 {
		if <-done != first {
			t.Error("answers differ")
		}
	}
}

// Relative addresses do not become longer without an end.
func TestLongBase(t *testing.T) {
	long := "http://x.example/" + strings.Repeat("a", 1<<16) + "/"
	for name, source := range map[string]string{
		"links":    strings.Repeat("<a href=a>a</a>", 1000),
		"pictures": strings.Repeat("<img src=a>", 1000),
		"sets":     "<img srcset='" + strings.Repeat("a 1x,", 1000) + "'>",
		"notes":    strings.Repeat("<a href=#a>a</a>", 1000),
	} {
		for base, origin := range map[string]Origin{"<base href='" + long + "'>": {}, "": {Base: long}, " ": {Base: "http://x.example/" + strings.Repeat("b", 2000) + "/?" + long}} {
			if got := len(Sanitize(base+source, origin)); got > 20*len(base+source)+len(long) {
				t.Errorf("%s: %d bytes are %d", name, len(base+source), got)
			}
		}
	}
	if got := Sanitize("<a href=b>a</a>", Origin{Base: "http://x.example/a?" + strings.Repeat("q", 1<<16)}); !strings.Contains(got, `"http://x.example/b"`) {
		t.Errorf("a long query of a base: %q", got)
	}
}

// What stands for audio and video without a title is no text of the article; a title is.
func TestTextLeavesMediaAddressesOut(t *testing.T) {
	frame := `<iframe src="https://www.youtube.com/embed/abcdefghijk"></iframe>`
	for source, want := range map[string]string{
		frame + frame + "<p>For these two</p>":                                  "For these two",
		`<p>First</p><video src="https://example.org/a%20b/v.mp4"></video>then`: "First then",
		`<video src="v.mp4" title="A walk"></video>`:                            "A walk",
		`<p><a href="x">▶ Play</a> ▶ 3.5 stars</p>`:                             "▶ Play ▶ 3.5 stars",
	} {
		clean, text := SanitizeWithText(source, Origin{Base: "https://example.org/"}, 100)
		if text != want || Text(clean, 100) != want {
			t.Errorf("%s has the text %q, and %q", clean, text, Text(clean, 100))
		}
	}
}
