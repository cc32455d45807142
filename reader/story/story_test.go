package story

import (
	"strings"
	"testing"
)

func TestLink(t *testing.T) {
	const page = "https://lamp.test/2026/seven-lamps"
	for _, same := range []string{
		"http://www.lamp.test/2026/seven-lamps/", "https://LAMP.test:443/2026/seven-lamps#comments", page + "?utm_source=rss&utm_medium=feed&fbclid=1",
		" https://m.lamp.test/2026/seven-lamps/amp/ ", page + "?ref=planet", page + "/index.html", page + "?",
	} {
		if Link(same) != Link(page) || Link(same) == 0 {
			t.Errorf("%s is not %s", same, page)
		}
	}
	if Link("https://a.test/?p=1&q=2&utm_x=3") != Link("http://a.test/?q=2&p=1") {
		t.Error("the order of parameters makes two links differ")
	}
	seen := map[int64]string{Link(page): page}
	for _, other := range []string{"https://lamp.test/2026/Seven-lamps", page + "?page=2", page + "-2", "https://lamp.test:8080/2026/seven-lamps",
		"https://other.test/2026/seven-lamps", "https://lamp.test/?p=12", "https://lamp.test/?p=13", "https://lamp.test/2026%2Fseven-lamps"} {
		if n := Link(other); n == 0 || seen[n] != "" {
			t.Errorf("%s is %q", other, seen[n])
		} else {
			seen[n] = other
		}
	}
	for _, nothing := range []string{"", "https://lamp.test", "https://www.lamp.test/", "https://lamp.test/?utm_source=x", "mailto:a@b.test", "urn:1", "://", "/2026/seven-lamps", "javascript:1"} {
		if Link(nothing) != 0 {
			t.Errorf("%q is not 0", nothing)
		}
	}
}

func TestTitle(t *testing.T) {
	const title = "Lamplighters count seven lamps – it’s a record"
	for _, same := range []string{"LAMPLIGHTERS count  seven lamps: it's a record!", "“Lamplighters count seven lamps”, its a record\n"} {
		if Title(same) != Title(title) || Title(same) == 0 {
			t.Errorf("%s is not %s", same, title)
		}
	}
	for _, other := range []string{"Lamplighters count eight lamps – it’s a record", "Lamplighters count sevenlamps – it’s a record"} {
		if Title(other) == Title(title) || Title(other) == 0 {
			t.Errorf("%s is %s", other, title)
		}
	}
	for _, little := range []string{"", "Open thread", "Links for 2026-03-07", "Supercalifragilisticexpialidocious", "漢字のテスト", strings.Repeat("!", 99)} {
		if Title(little) != 0 {
			t.Errorf("%q is not 0", little)
		}
	}
	if Title("灯台守が七つの灯りを数える") == 0 {
		t.Error("a title without spaces is 0")
	}
}

func FuzzStory(f *testing.F) {
	f.Add("https://a.test/%zz?;;&=&utm_")
	f.Add(strings.Repeat("words ", 400)) // longer than what is looked at
	f.Add("\xff\xfe title of several words, and more")
	f.Fuzz(func(t *testing.T, text string) {
		if Link(text) != Link(" "+text+" ") {
			t.Error("white space makes two links differ")
		}
		if Title(text) != Title(" "+text+" ") {
			t.Error("white space makes two titles differ")
		}
	})
}

func BenchmarkLinkAndTitle(b *testing.B) {
	for b.Loop() {
		Link("https://www.lamp.test/2026/03/07/seven-lamps?utm_source=rss&utm_medium=feed")
		Title("Lamplighters count seven lamps – it’s a record")
	}
}
