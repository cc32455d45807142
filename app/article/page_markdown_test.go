package article

import (
	"strings"
	"testing"
)

func TestCopyAsMarkdown(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"old,", "italic", "**old**, *italic*\n"},
		{"that is", "long enough to", "[that is long enough to](https://example.org/link)\n"},
		{"item", "within", "item\n\n   1. An item within\n"},
		{"Another", "Quoted", "-  Another\n\n> Quoted\n"},
		{"x {", "return", "```\nx {\n\treturn\n```\n"},
		{"4.2", "exact", "| | |\n| --- | --- |\n| | 4.2 h |\n| exact |\n"},
		{"Policy", "4.2 h", "| Policy | Delay |\n| --- | --- |\n| uniform | 4.2 h |\n"},
		{"cat", "It waits", "![A cat](https://example.org/cat.png \"It waits\")\n"},
	} {
		v, _ := openEveryKind(t)
		drag(v, place(t, v, c.from, false), place(t, v, c.to, true))
		if got := v.Markdown(); got != c.want {
			t.Errorf("from %q to %q: %q, want %q", c.from, c.to, got, c.want)
		}
	}
}

func TestCopyTheArticleAsMarkdown(t *testing.T) {
	v, _ := openEveryKind(t)
	whole := v.CopyMarkdown()
	v.SelectAll()
	if all := v.Markdown(); all != whole {
		t.Errorf("all selected it is another one:\n%s\n%s", all, whole)
	}
	for _, want := range []string{"# [A title of the size that wraps onto a second line](https://example.org/article)\n\nThe Feed · An Author · 21 November 2026\n",
		"**bold**, *italic*, ***both***, `code()`", "-  An item\n   1. An item within", "The end.\n"} {
		if !strings.Contains(whole, want) {
			t.Errorf("%q is missing in %s", want, whole)
		}
	}
	v.Clear("nothing")
	if v.Markdown() != "" {
		t.Error("nothing is something")
	}
}
