package search

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestExcerpt(t *testing.T) {
	long := "At the beginning stand many words that nobody looks for. Then the river rises. " + strings.Repeat("More. ", 100)
	for _, c := range []struct{ query, text, want string }{
		{"river", long, "…looks for. Then the river rises."},
		{"beginning", long, ""},
		{"flood", long, ""},
		{"title:river", long, ""},
		{"东京", strings.Repeat("这是一个很长的句子。", 5) + "然后是东京都。", "…"},
		{"river", "", ""},
	} {
		got := Parse(c.query, today).Marks().Excerpt(c.text)
		if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
			t.Errorf("%q shows %q, want %q", c.query, got, c.want)
		}
		if c.want != "" && len(Parse(c.query, today).Marks().In(got)) == 0 {
			t.Errorf("%q shows no place in %q", c.query, got)
		}
		if n := utf8.RuneCountInString(got); n > excerptSize+1 || !utf8.ValidString(got) {
			t.Errorf("%q shows %d characters, %q", c.query, n, got)
		}
	}
}
