package content

import (
	"strings"
	"testing"
)

// What a link within the document leads to is known when it is safe, and read again, whichever element has the name.
func TestTargets(t *testing.T) {
	const source = `<p id="none">Text<sup id="fnref:1"><a href="#fn%3A1">1</a></sup> and <a href="/post#two">2</a> &#8217;</p><h2 id=two>Two</h2>
		<a name='three'></a><p>Three</p><ol><li id="fn:1">A note <a href="#fnref:1">↩</a></li></ol>
		<table><tr><th>A</th><th>B</th></tr><tr><td id="cell">1</td><td>2</td></tr></table><a href=#three>3</a> <a href=#cell>c</a> <a href=#end>e</a><span id=end></span>`
	clean, text := SanitizeWithText(source, Origin{Base: "https://example.org/post"}, 1000)
	if again := Sanitize(clean, Origin{Base: "https://example.org/post"}); again != clean {
		t.Errorf("%s\nbecomes %s", clean, again)
	}
	if !strings.HasPrefix(text, "Text1 and 2 ’") {
		t.Errorf("as a line: %q", text)
	}
	d := Parse(clean)
	for name, want := range map[string]string{"fnref:1": "Text1 and 2 ’", "fn%3A1": "A note ↩", "two": "Two", "three": "Three", "cell": "A\tB\n1\t2", "end": "3 c e"} {
		i, ok := d.Target(name)
		if !ok {
			t.Errorf("%s leads nowhere in %s", name, clean)
		} else if got := (Document{Blocks: d.Blocks[i : i+1]}).PlainText(); got != want && got != "1. "+want {
			t.Errorf("%s leads to %q", name, got)
		}
	}
	if _, ok := d.Target("none"); ok {
		t.Error("a name that no link has is kept")
	}
	if strings.Contains(clean, "none") || strings.Count(clean, "<wbr") != 6 {
		t.Error(clean)
	}
}

// Names cannot end the attribute that they are written into, and each is kept once.
func TestHostileTargets(t *testing.T) {
	source := `<a href='#x"><script>'>1</a><a href="#a&quot;b">2</a><p id='x"><script>'>a</p><p id='a"b'>b</p>` + strings.Repeat(`<a href="#y">y</a><p id=y>`, 1000) +
		`<a href="#` + strings.Repeat("z", 5000) + `">z</a><p id=` + strings.Repeat("z", 5000) + `>`
	if clean := Sanitize(source, Origin{Base: "https://example.org/"}); strings.Count(clean, "<wbr") != 1 || strings.Contains(clean, "<script") {
		t.Error(clean[:300])
	}
}
