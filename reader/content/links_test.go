package content

import (
	"slices"
	"strings"
	"testing"
)

func TestLinks(t *testing.T) {
	clean := Sanitize(`<p>See <a href="/one?a=1&amp;b=2">one</a>, <a title="x > y" href="https://other.example/two">two</a>,
		<a href="/one?a=1&amp;b=2">one again</a>, <a name="here">no link</a> and <abbr title="href=">an abbreviation</abbr>.</p>`,
		Origin{Base: "https://a.example/feed"})
	want := []string{"https://a.example/one?a=1&b=2", "https://other.example/two"}
	if got := Links(clean, 9); !slices.Equal(got, want) {
		t.Errorf("%q, want %q, of %s", got, want, clean)
	}
	if got := Links(clean, 1); !slices.Equal(got, want[:1]) {
		t.Errorf("the first is %q", got)
	}
	if got := Links(strings.Repeat("<a ", 1e5), 9); len(got) > 0 {
		t.Errorf("%q of broken HTML", got)
	}
}
