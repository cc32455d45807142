package content

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	"kairos/reader/readertest"
)

func TestMarkdown(t *testing.T) {
	for name, c := range map[string]struct{ html, want string }{
		"words":     {"<p>Plain <b>bold</b>, <i>it <b>both</b></i> and <code>co`de</code>.<br>Next</p>", "Plain **bold**, *it* ***both*** and `` co`de ``.\\\nNext\n"},
		"links":     {`<p>See <a href="http://x.example/a (b)">the <b>page</b></a> now</p>`, "See [the **page**](http://x.example/a%20%28b%29) now\n"},
		"headings":  {"<h2>Two</h2><p>a</p>", "## Two\n\na\n"},
		"lists":     {"<ul><li>a<ol start=9><li>b</li><li>c</li></ol></li><li><p>d</p><p>e</p></li></ul>", "-  a\n   9. b\n   10. c\n-  d\n\n   e\n"},
		"quotes":    {"<blockquote><p>a</p><p>b<br>c</p></blockquote><p>d</p>", "> a\n>\n> b\\\n> c\n\nd\n"},
		"code":      {"<pre>if x {\n\ty ```\n}</pre>", "````\nif x {\n\ty ```\n}\n````\n"},
		"picture":   {`<a href="http://x.example/l"><img src="http://x.example/p.png" alt="A [b]" title='T "q"'></a>`, `[![A \[b\]](http://x.example/p.png "T \"q\"")](http://x.example/l)` + "\n"},
		"table":     {"<table><tr><th>a</th><th>b|c</th></tr><tr><td>1</td><td>2</td></tr></table>", "| a | b\\|c |\n| --- | --- |\n| 1 | 2 |\n"},
		"headless":  {"<table><tr><td>1</td><td>2</td></tr></table>", "| | |\n| --- | --- |\n| 1 | 2 |\n"},
		"no blocks": {"<p># no</p><p>1. no</p><p>- no</p><p>1986 was</p><p>a_b*c &lt;d&gt;</p>", "\\# no\n\n1\\. no\n\n\\- no\n\n1986 was\n\na\\_b\\*c \\<d>\n"},
		"rule":      {"<p>a</p><hr><p>b</p>", "a\n\n---\n\nb\n"},
		"nothing":   {"", ""},
	} {
		if diff := cmp.Diff(c.want, Parse(Sanitize(c.html, Origin{Base: "http://y/"})).Markdown()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A Markdown parser reads the same text from what is written.
func TestMarkdownRoundTrip(t *testing.T) {
	reader := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	for _, source := range []string{
		"<h1>A *title* #</h1><p>1. One\n<b>bold</b><i>italic</i> &amp;amp; &lt;b&gt; a_b_c http://x.example/_y_</p>",
		"<ul><li>a<ul><li>b<ul><li>c <code>`</code></li></ul></li></ul></li></ul>",
		"<ol><li><p>a</p><pre>code\n\n  more</pre><p>b</p></li><li>c</li></ol>",
		"<blockquote><ul><li>a</li></ul><blockquote>b</blockquote></blockquote>",
		"<p>=====</p><p>+ a</p><p>~~~ a</p><p>a\\b [c](d) ![e](f)</p><p>| a | b |</p>",
		"<p>x<sup>2</sup> H<sub>2</sub>O <s>gone</s> <u>under</u> <mark>pen</mark></p>",
	} {
		d := Parse(Sanitize(source, Origin{Base: "http://y/"}))
		var page bytes.Buffer
		if err := reader.Convert([]byte(d.Markdown()), &page); err != nil {
			t.Fatal(err)
		}
		words := func(d Document) string { return strings.Join(strings.Fields(d.PlainText()), " ") }
		if diff := cmp.Diff(words(d), words(Parse(Sanitize(page.String(), Origin{Base: "http://y/"})))); diff != "" {
			t.Errorf("%s\nas Markdown: %s\n%s", source, d.Markdown(), diff)
		}
	}
}

// Work on code of nothing but backticks, which stands between more of them, grows with their number.
func TestMarkdownOfBackticks(t *testing.T) {
	readertest.SkipWithRace(t)
	for _, tag := range []string{"pre", "code"} {
		g := readertest.Growth(func(n int) {
			text := Parse("<" + tag + ">" + strings.Repeat("`", n) + "</" + tag + ">").Markdown()
			if got := strings.Count(text, "`"); got < 3*n {
				t.Errorf("%s: %d backticks stand between %d", tag, n, got-n)
			}
		})
		if g > 16 {
			t.Errorf("%s: %.0f times the time", tag, g)
		}
	}
}

// What is short and stands deep in lists and quotes, in many rows of a wide table or in many parts of a long link grows within bounds.
func TestMarkdownIsBounded(t *testing.T) {
	readertest.SkipWithRace(t)
	for name, source := range map[string]string{
		"lines in lists":  strings.Repeat("<ul><li>", 300) + "<pre>" + strings.Repeat("a\n", 1<<19) + "</pre>",
		"lines in quotes": strings.Repeat("<blockquote>", 300) + "<pre>" + strings.Repeat("a\n", 1<<19) + "</pre>",
		"items in lists":  strings.Repeat("<ul><li>", 300) + strings.Repeat("<li>a", maxBlocks),
		"parts of a link": `<a href="http://x.example/` + strings.Repeat("a", 1<<20) + `">` + strings.Repeat("<p>a", 100),
		"pictures linked": `<a href="http://x.example/` + strings.Repeat("a", 1<<20) + `">` + strings.Repeat("<img src=http://x.example/i>", 100),
		"cells of tables": "<table>" + strings.Repeat("<tr><td>a", 5000) + "<tr>" + strings.Repeat("<td>b", 5000),
	} {
		html := Sanitize(source, Origin{Base: "http://y/"})
		if got := len(Parse(html).Markdown()); got > 12*max(len(source), 1<<20) {
			t.Errorf("%s: %d bytes of HTML are %d of Markdown", name, len(source), got)
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add("<p>a<b>b</b></p><table><tr><td>1<td>2</table>")
	f.Add("\x00")
	f.Fuzz(func(t *testing.T, source string) {
		if text := Parse(Sanitize(source, Origin{Base: "http://y/"})).Markdown(); strings.Contains(text, "\x00") {
			t.Errorf("%q", text)
		}
	})
}
