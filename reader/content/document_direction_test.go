package content

import (
	"strings"
	"testing"
)

// showDirections writes the direction of each text of a document before it, and its controls as letters.
func showDirections(d Document) string {
	var parts []string
	add := func(dir Direction, auto int, runs []Run) {
		if auto != 0 {
			parts = append(parts, "unknown")
		}
		parts = append(parts, []string{"", "ltr:", "rtl:"}[dir]+controlNames.Replace(showText(runs)))
	}
	for _, k := range d.Blocks {
		if k.Kind != Table {
			add(k.Dir, k.auto, k.Runs)
			continue
		}
		add(k.Dir, k.auto, []Run{{Text: "table"}})
		for _, row := range k.Rows {
			for _, c := range row {
				add(c.Dir, c.auto, c.Runs)
			}
		}
	}
	return strings.Join(parts, " | ")
}

var controlNames = strings.NewReplacer("\u2066", "[L ", "\u2067", "[R ", "\u2068", "[1 ", "\u2069", "]", "\u202d", "<L ", "\u202e", "<R ", "\u202c", ">", "\n", "/")

func showText(runs []Run) string {
	var b strings.Builder
	writeRuns(&b, runs)
	return b.String()
}

// Blocks have the direction that the nearest element around them says.
func TestDirectionOfBlocks(t *testing.T) {
	for _, c := range [][2]string{
		{`<p>a</p>`, "a"},
		{`<p dir="rtl">a</p><p>b</p>`, "rtl:a | b"},
		{`<P DIR=" RTL ">a</P>`, "rtl:a"},
		{`<p dir="sideways">a</p><p dir>b</p>`, "a | b"},
		{`<p style="color: red; Direction: RTL">a</p><p style="flex-direction:rtl">b</p><p style="direction:inherit">c</p>`, "rtl:a | b | c"},
		{`<p dir="ltr" style="direction:rtl!important">a</p><table style="direction:rtl"><tr><td>b<td>c</table>`, "rtl:a | rtl:table | rtl:b | rtl:c"},
		{`<div dir="rtl"><p>a</p><div><p dir="ltr">b</p>c</div>d</div>e`, "rtl:a | ltr:b | rtl:c | rtl:d | e"},
		{`<div dir=rtl><div>a</div>b</div>c`, "rtl:a | rtl:b | c"},
		{`<p dir=rtl>a<p>b`, "rtl:a | b"},
		{`<div><p dir=rtl>a</div>b`, "rtl:a | b"},
		{`<p dir=rtl>a<ul><li>b</ul>c`, "rtl:a | b | c"},
		{`<p dir=rtl>a<br>b<img src="https://e.org/x.png" width=400>c</p>d`, "rtl:a/b |  | rtl:c | d"},
		{`<ul dir=rtl><li>a<li>b</ul>c`, "rtl:a | rtl:b | c"},
		{`<ul><li dir=rtl>a<ul><li>b</ul><li>c</ul>d`, "rtl:a | rtl:b | c | d"},
		{`<ol><li dir=rtl>a</ol>b`, "rtl:a | b"},
		{`<dl><dt dir=rtl>a<dd>b</dl>`, "rtl:a | b"},
		{`<h2 dir=rtl>a</h2><blockquote dir=rtl><p>b</blockquote>c`, "rtl:a | rtl:b | c"},
		{`<table dir=rtl><tr><td>a<td dir=ltr>b<tr><td>c<td>d</table>e`, "rtl:table | rtl:a | ltr:b | rtl:c | rtl:d | e"},
		{`<div dir=rtl><table><tr><td>a<td>b</table></div>`, "rtl:table | rtl:a | rtl:b"},
		{`<table><tr dir=rtl><td>a<td>b<tr><td>c<td>d</table>`, "table | rtl:a | rtl:b | c | d"},
		{`<table><tr><td dir=rtl>one cell</table>b`, "rtl:one cell | b"},
		{`<div dir=rtl><pre>a</pre><pre dir=ltr>b</pre></div><pre dir=rtl>c</pre>`, "a | ltr:b | rtl:c"},
		{`<details dir=rtl><summary>a</summary>b</details>c`, "rtl:a | rtl:b | c"},
		{`<figure dir=rtl><figcaption>a</figcaption></figure>`, "rtl:a"},
		{`<span dir=rtl><p>a</p><p>b</p></span>c`, "rtl:a | rtl:b | c"},
		{`</div><p dir=rtl></p></p>a`, "a"},
	} {
		if got := showDirections(Parse(Sanitize(c[0], Origin{}))); got != c[1] {
			t.Errorf("%s:\n%s, want\n%s", c[0], got, c[1])
		}
	}
}

// With dir=auto the first strong letter in an element decides for all in it, but for elements with a direction of their own.
func TestDirectionByTheFirstLetter(t *testing.T) {
	for _, c := range [][2]string{
		{`<p dir=auto>a</p><p dir=auto>א</p><p dir=auto>1, م</p><p dir=auto>12</p>`, "ltr:a | rtl:א | rtl:1, م | ltr:12"},
		{`<div dir=auto><p>12</p><p>שלום</p><p>a</p></div><p>a`, "rtl:12 | rtl:שלום | rtl:a | a"},
		{`<div dir=auto><p dir=ltr>a</p><p>שלום</p></div>`, "ltr:a | rtl:שלום"},
		{`<p dir=auto><bdi>a</bdi> שלום</p>`, "rtl:[1 a] שלום"},
		{`<table dir=auto><tr><td>1<td>م</table>`, "rtl:table | rtl:1 | rtl:م"},
	} {
		if got := showDirections(Parse(Sanitize(c[0], Origin{}))); got != c[1] {
			t.Errorf("%s:\n%s, want\n%s", c[0], got, c[1])
		}
	}
}

// A part of a line with a direction is isolated, and one that overrides that of its letters does; text of one direction has no need.
func TestDirectionInLines(t *testing.T) {
	for _, c := range [][2]string{
		{`<p>a <bdi>שלום</bdi>: 3</p>`, "a [1 שלום]: 3"},
		{`<p>a <span dir=rtl>b!</span> c</p>`, "a [R b!] c"},
		{`<p>a <span dir=ltr>b!</span> <bdi>c</bdi></p>`, "a b! c"},
		{`<p dir=rtl>א <span class=x><span dir=ltr>b!</span></span> ג</p>`, "rtl:א [L b!] ג"},
		{`<p><bdo dir=rtl>abc</bdo> d</p>`, "[R <R abc>] d"},
		{`<p><bdo>abc</bdo></p>`, "abc"},
		{"<p>photo\u202egnp.exe &#8237;x</p>", "photognp.exe x"},
		{`<p>א <b dir=ltr>b<b>c</b></b> <em>ד</em></p>`, "א [L bc] ד"},
		{`<p>א <a href="https://e.org/" dir=ltr>b</a></p>`, "א [L b]"},
		{`<p>א <span dir=ltr>b <br> c</span> d</p>`, "א [L b/[L c] d"},
		{`<p>א <span dir=ltr>b</p><p>ג`, "א [L b | ג"},
		{`<p>א <bdi> </bdi>&nbsp;<bdi>&nbsp;</bdi></p><p><bdi>&nbsp;</bdi></p>`, "א [1 ]"},
		{`</bdi></span><p>א</p>`, "א"},
	} {
		got := strings.ReplaceAll(showDirections(Parse(Sanitize(c[0], Origin{}))), "\u00a0", "")
		if got != c[1] {
			t.Errorf("%s:\n%q, want\n%q", c[0], got, c[1])
		}
	}
}

func TestSanitizedDirections(t *testing.T) {
	for _, c := range [][2]string{
		{`<p dir="RTL" class="x">a</p>`, `<p dir="rtl">a</p>`},
		{`<p dir="rtl;x" onclick=y>a</p>`, `<p>a</p>`},
		{`<span>a<span dir=auto>b</span></span>c</span>`, `a<bdi dir="auto">b</bdi>c`},
		{`<td dir=rtl align=left>a</td><ol dir=ltr start=3>`, `<td dir="rtl" align="left">a</td><ol dir="ltr" start="3">`},
		{`<a dir=rtl href="https://e.org/">a</a>`, `<a dir="rtl" href="https://e.org/">a</a>`},
		{`<br dir=rtl><hr dir=ltr><img dir=rtl src="https://e.org/x.png">`, `<br><hr dir="ltr"><img src="https://e.org/x.png">`},
	} {
		got := Sanitize(c[0], Origin{})
		if got != c[1] {
			t.Errorf("%s: %s, want %s", c[0], got, c[1])
		}
		if again := SanitizeAgain(got, Origin{}); again != got {
			t.Errorf("%s: then %s", got, again)
		}
	}
}

// However deep and unbalanced, elements with a direction cost little.
func TestHostileDirections(t *testing.T) {
	for _, s := range []string{`<div dir=auto>`, `<bdi>1`, `<bdo dir=rtl>`, `<span dir=rtl>x<p>`, `<ul dir=rtl><li dir=auto>`, `<table dir=rtl><td dir=ltr>x`, `</bdi><p dir=auto>א`} {
		if d := Parse(Sanitize(strings.Repeat(s, 1<<20/len(s)), Origin{})); len(d.Blocks) > maxBlocks {
			t.Errorf("%s: %d blocks", s, len(d.Blocks))
		}
	}
}
