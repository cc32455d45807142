package content

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"kairos/reader/readertest"
)

// show writes a document in a short form for tests.
func show(d Document) string {
	var b strings.Builder
	for _, k := range d.Blocks {
		b.WriteString(strings.Repeat("+", k.Fold) + strings.Repeat(">", k.Quote) + strings.Repeat("-", k.Indent) + k.Marker)
		b.WriteString(map[Kind]string{Paragraph: "p", Heading: "h", Item: "i", Code: "c", Rule: "r", Picture: "m", Table: "t", Caption: "f", Term: "d", Summary: "s"}[k.Kind])
		if k.Level > 0 {
			b.WriteString(strings.Repeat("#", k.Level))
		}
		b.WriteString("(" + showRuns(k.Runs))
		if k.Kind == Picture {
			b.WriteString(k.Image.URL)
			if k.Image.Link != "" {
				b.WriteString("→" + k.Image.Link)
			}
		}
		for i, row := range k.Rows {
			if i > 0 {
				b.WriteString("/")
			}
			for j, c := range row {
				if j > 0 {
					b.WriteString("|")
				}
				if c.Header {
					b.WriteString("!")
				}
				if c.Covered {
					b.WriteString("~")
				}
				if columns, rows := c.Span(); columns*rows > 1 {
					fmt.Fprintf(&b, "%dx%d ", columns, rows)
				}
				b.WriteString([]string{"", "<", "=", ">"}[c.Align])
				b.WriteString(showRuns(c.Runs))
			}
		}
		b.WriteString(")\n")
	}
	return b.String()
}

func showRuns(runs []Run) string {
	var b strings.Builder
	for _, r := range runs {
		marks := ""
		for i, m := range []string{"b", "i", "m", "s", "u", "^", "_", "="} {
			if r.Style&(1<<i) != 0 {
				marks += m
			}
		}
		if r.Link != "" {
			marks += "@" + r.Link
		}
		if marks != "" {
			b.WriteString("{" + marks + ":" + r.Text + "}")
		} else {
			b.WriteString(r.Text)
		}
	}
	return strings.ReplaceAll(b.String(), "\n", "⏎")
}

func TestParse(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"bare text":            {" a \n b", "p(a b)\n"},
		"nothing":              {" <p> </p><div>&nbsp;</div>", ""},
		"paragraphs":           {"<p>a<p>b</p>c<div>d<div>e</div></div>", "p(a)\np(b)\np(c)\np(d)\np(e)\n"},
		"blanks over tags":     {"<p> a <b> b </b> c<i> </i>d</p>", "p(a {b:b }c{i: }d)\n"},
		"line break":           {"<p>a <br> b<br><br>c<br></p>", "p(a⏎b⏎⏎c)\n"},
		"styles":               {"<b>a<i>b</b>c</i><code>d</code><s>e</s><u>f</u><sup>g</sup><sub>h</sub><mark>i</mark>", "p({b:a}{bi:b}{i:c}{m:d}{s:e}{u:f}{^:g}{_:h}{=:i})\n"},
		"link":                 {`a <a href="http://x/">b <b>c</b></a> d`, "p(a {@http://x/:b }{b@http://x/:c} d)\n"},
		"heading":              {"<h2>a</h2>b<h3>c<p>d</h3>", "h##(a)\np(b)\nh###(c)\nh###(d)\n"},
		"heading in link":      {`<a href="http://x/"><h2>a</h2><p>b</p></a>`, "h##({@http://x/:a})\np({@http://x/:b})\n"},
		"picture in link":      {`a<a href="http://x/"><img src="http://y/p.png"></a>b`, "p(a)\nm(http://y/p.png→http://x/)\np(b)\n"},
		"formula as a picture": {`so <img src="http://y/f.png" alt="\int f(x)" width="120" height="30"> holds`, "p(so \\int f(x) holds)\n"},
		"decoration in a line": {`so <img src="http://y/d.png" width="16" height="16"> what`, "p(so what)\n"},
		"large smiley":         {`a <img src="http://y/s.png" alt="🙂" width="32" height="32"> b <img src="http://y/a.png" width="32" height="32">`, "p(a 🙂 b)\nm(http://y/a.png)\n"},
		"smiley":               {`a <img src="http://y/s.png" alt=":)" width="16" height="16"> b`, "p(a :) b)\n"},
		"figure":               {`<figure><img src="http://y/p.png"><figcaption>c <b>d</b></figcaption></figure>`, "m(http://y/p.png)\nf(c {b:d})\n"},
		"lists":                {"<ul><li>a<ol start=3><li>b<li><p>c</p><p>d</p></ol><li>e</ul>f", "-•i(a)\n--3.i(b)\n--4.i(c)\n--i(d)\n-•i(e)\np(f)\n"},
		"list backwards":       {`<ol start="2" reversed="1"><li>a</li><li>b</li><li value="9">c</li></ol>`, "-2.i(a)\n-1.i(b)\n-9.i(c)\n"},
		"item without list":    {"<li>a</li><p>b", "-•i(a)\np(b)\n"},
		"picture in item":      {`<ul><li><img src="http://y/p.png">text</li></ul>`, "-•m(http://y/p.png)\n-i(text)\n"},
		"definitions":          {"<dl><dt>a</dt><dd>b</dd></dl>", "d({b:a})\n-i(b)\n"},
		"definitions within":   {"<dl><dt>a<dt>b<dd>c<dl><dt>d<dd>e</dl></dl>f", "d({b:a})\nd({b:b})\n-i(c)\n-d({b:d})\n--i(e)\np(f)\n"},
		"cell over columns":    {"<table><tr><th colspan=2>a</th><th>b</th></tr><tr><td>1<td>2<td>3</table>", "t(!2x1 a|!~|!b/1|2|3)\n"},
		"cell over rows":       {"<table><tr><td rowspan=2>a<td>b<tr><td>c<tr><td>d<td>e</table>", "t(1x2 a|b/~|c/d|e)\n"},
		"cell over both":       {"<table><tr><td rowspan=2 colspan=2>a<td>b<tr><td>c<tr><td>d<td>e<td>f</table>", "t(2x2 a|~|b/~|~|c/d|e|f)\n"},
		"cell to the end":      {"<table><tr><td rowspan=0>a<td>b<tr><td>c<tr><td>d</table>", "t(1x3 a|b/~|c/~|d)\n"},
		"absurd spans":         {"<table><tr><td colspan=999999>a<tr><td rowspan=999999>b<td colspan=-3>c<tr><td>d</table>", "t(2x1 a|~/1x2 b|c/~|d)\n"},
		"row without text":     {"<table><tr><td rowspan=3>a<td>b<tr><td><tr><td>c</table>", "t(1x2 a|b/~|c)\n"},
		"aligned cells":        {`<table><tr align="center"><td>a<td align="right">b<tr><td align="left">c<td>d</table>`, "t(=a|>b/<c|d)\n"},
		"details":              {"a<details><summary>b</summary>c<p>d</details>e", "p(a)\ns({b:b})\n+p(c)\n+p(d)\np(e)\n"},
		"details in details":   {"<details><summary>a</summary><details open=1><summary><h3>b</h3></summary>c</details>d</details>", "s({b:a})\n+s({b:b})\n++p(c)\n+p(d)\n"},
		"details, no summary":  {"<details><p>a</p></details>b", "s()\n+p(a)\np(b)\n"},
		"summary alone":        {"<summary>a</summary>b", "p({b:a})\np(b)\n"},
		"details without end":  {"<table><tr><td><details><summary>a</summary>b</td><td>c<p>d</table>e", "s({b:a})\n+p(b)\np(c)\np(d)\np(e)\n"},
		"quotes":               {"<blockquote>a<blockquote><p>b</p></blockquote><ul><li>c</ul></blockquote>d", ">p(a)\n>>p(b)\n>-•i(c)\np(d)\n"},
		"code":                 {"<pre>\n  a\n\tb <b>c</b>\n</pre>d", "c(  a⏎\tb {b:c})\np(d)\n"},
		"code with break":      {"<pre>a<br>b</pre>", "c(a⏎b)\n"},
		"rule":                 {"a<hr>b", "p(a)\nr()\np(b)\n"},
		"table":                {"<table><caption>x</caption><thead><tr><th>a<th>b<tbody><tr><td>c <b>d</b><td>e<tr><td></table>f", "f(x)\nt(!a|!b/c {b:d}|e)\np(f)\n"},
		"table of layout":      {`<table><tr><td><img src="http://y/p.png"></td><td><p>a</p><p>b</p></td></tr></table>`, "m(http://y/p.png)\np(a)\np(b)\n"},
		"table in table":       {"<table><tr><td>x</td><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>y", "p(x)\nt(a|b)\np(y)\n"},
		"table in item":        {"<ul><li>a<table><tr><td>b<td>c</table>d</ul>", "-•i(a)\n-t(b|c)\n-i(d)\n"},
		"table without end":    {"<table><tr><td>a<td>b", "t(a|b)\n"},
		"quotation":            {"a <q>b</q>", "p(a “b”)\n"},
		"entities":             {"<p>a &lt;b&gt; &amp;amp;</p>", "p(a <b> &amp;)\n"},
		"ends without starts":  {"</p></ul></blockquote></table></td></b></a>a", "p(a)\n"},
	} {
		if d := cmp.Diff(c.want, show(Parse(c.in))); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestPlainText(t *testing.T) {
	got := Parse("<h1>a</h1><ul><li>b<li>c</ul><blockquote>d</blockquote><table><tr><td>1<td>2<tr><td>3<td>4</table>").PlainText()
	if want := "a\n\n• b\n• c\n\n> d\n\n1\t2\n3\t4"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		in   string
		max  int
		want string
	}{
		{"a\n b", 0, "a b"},
		{"<p>a</p><p>b<br>c</p>", 0, "a b c"},
		{"a<b>b</b>c<script>x</script><style>y</style>d", 0, "abcd"},
		{"&lt;b&gt; &amp; c", 0, "<b> & c"},
		{"one two three four", 13, "one two…"},
		{"one two, three", 10, "one two…"},
		{"exactly ten", 11, "exactly ten"},
		{"漢字漢字漢字漢字", 5, "漢字漢字…"},
		{"", 5, ""},
		{`an emoji <img src="e.png" alt="🙂" width="16" height="16">, <img src="p.png" alt="A picture" width="300" height="200">here`, 0, "an emoji 🙂, here"},
	} {
		if got := Text(c.in, c.max); got != c.want {
			t.Errorf("%q to %d is %q, want %q", c.in, c.max, got, c.want)
		}
	}
}

func TestTitle(t *testing.T) {
	for in, want := range map[string]string{
		" a\n b ": "a b", "a &amp; b": "a & b", "<b>a</b> <i>b</i>": "a b", "Vec<T> is <b>new</b>": "Vec<T> is new",
		"a<br>b": "a b", "1 < 2": "1 < 2", "a<script>x</script>b": "ab", "a<": "a<", "<unclosed": "<unclosed", "a\u200bb": "ab", "photo\u202egnp.exe": "photognp.exe", "&#27;]0;x&#7;": "]0;x", "<!DOCTYPE ~": "<!DOCTYPE ~",
	} {
		if got := Title(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
	if got := PlainTitle("The <b> tag &amp; more"); got != "The <b> tag & more" {
		t.Error(got)
	}
	if got := PlainTitle("<b>is</b> HTML after all"); got != "is HTML after all" {
		t.Error(got)
	}
}

func FuzzDocument(f *testing.F) {
	f.Add("<ul><li>a<table><tr><td><pre>\n x</pre><blockquote><h1>b")
	f.Add("</table><table></td><tr></table><dt><q>&nbsp;<br>")
	f.Add("<p dir=auto><bdi>\u00a0<br> א </bdi><bdo dir=rtl> <td dir=rtl>x</p></bdo>")
	f.Fuzz(func(t *testing.T, s string) {
		for _, k := range Parse(s).Blocks {
			if k.Quote < 0 || k.Indent < 0 || k.Kind == Heading && (k.Level < 1 || k.Level > 6) || k.Kind == Table && len(k.Rows) == 0 {
				t.Fatalf("%+v", k)
			}
			text := k.Kind == Paragraph || k.Kind == Heading || k.Kind == Item || k.Kind == Code
			if text && strings.TrimSpace(showRuns(k.Runs)) == "" {
				t.Fatalf("empty block: %+v", k)
			}
		}
		for _, max := range []int{1, 7, 40} {
			if n := len([]rune(Text(s, max))); n > max {
				t.Fatalf("%d runes of %d", n, max)
			}
		}
	})
}

// FuzzTitle: any title becomes one line of text.
func FuzzTitle(f *testing.F) {
	for _, s := range []string{"a\u202egpj.exe\x1b]0;b\a\u009b", "Vec<T> &amp;amp; <b>x</b>", "<!DOCTYPE", "<script>a", "a<", "&#10;&#0;&nbsp;x", "<br/>\u200b", "</", "<a b='"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, got := range []string{Title(s), PlainTitle(s), Text(s, 0), Line(s)} {
			if strings.ContainsFunc(got, func(r rune) bool { return unicode.IsControl(r) || overridesDirection(r) }) || got != strings.TrimSpace(got) {
				t.Fatalf("%q of %q", got, s)
			}
		}
	})
}

// FuzzSrcset: every candidate is one address.
func FuzzSrcset(f *testing.F) {
	for _, s := range []string{"a.jpg 400w, b.jpg 1200w", "a 1x,b,c 2x", "data:image/png;base64,AA== 2w, b", ",, a ,", "a (x, y) 3w", "a 1e999w"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, c := range splitSrcset(s) {
			if c.url == "" || strings.ContainsAny(c.url, " \t\r\n\f") {
				t.Fatalf("%q in %q", c.url, s)
			}
		}
		bestInSrcset(s)
	})
}

// A table with absurd spans, or thousands of columns, holds little more than its own cells.
func TestHostileTables(t *testing.T) {
	for name, html := range map[string]string{
		"spans":        "<table><tr><td>a<td>b" + strings.Repeat("<tr>"+strings.Repeat("<td colspan=1000 rowspan=1000>x", 30), 300),
		"5000 columns": "<table>" + strings.Repeat("<tr>"+strings.Repeat("<td rowspan=9>x", 5000), 3),
	} {
		cells := strings.Count(html, "<td")
		places, found := 0, 0
		for _, block := range Parse(html).Blocks {
			for y, row := range block.Rows {
				places += len(row)
				for x := range row {
					if len(row[x].Runs) > 0 {
						found++
					}
					if columns, rows := row[x].Span(); x+columns > len(row) || y+rows > len(block.Rows) {
						t.Fatalf("%s: a cell reaches out of the table", name)
					}
				}
			}
		}
		if found != cells || places > cells+maxCovered {
			t.Errorf("%s: %d of %d cells in %d places", name, found, cells, places)
		}
	}
}

// Rows reach a cell that spans them from far right, and work on wide and long tables grows with their text.
func TestWideTables(t *testing.T) {
	readertest.SkipWithRace(t)
	cells := 0
	for _, k := range Parse("<table><tr>" + strings.Repeat("<td>b", 5000) + "<td rowspan=1000>c" + strings.Repeat("<tr><td>a", 1000) + "</table>").Blocks {
		for _, row := range k.Rows {
			cells += len(row)
		}
	}
	if cells > 5001+1000+maxCovered {
		t.Errorf("%d cells", cells)
	}
	if g := readertest.Growth(func(n int) {
		Parse("<table><tr>" + strings.Repeat("<td>b", n) + strings.Repeat("<tr><td>a", n/2))
	}); g > 30 {
		t.Errorf("%.0f times the time", g)
	}
}

// Cells of a table deep in folds cost what others do.
func TestTableInFolds(t *testing.T) {
	readertest.SkipWithRace(t)
	if g := readertest.Growth(func(n int) {
		Parse(strings.Repeat("<details>", n/2) + "<table>" + strings.Repeat("<tr><td>a", n/2))
	}); g > 30 {
		t.Errorf("%.0f times the time", g)
	}
}
