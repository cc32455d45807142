package search

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// marked puts brackets around the parts that a search marks.
func marked(search, text string, title bool) string {
	m := Parse(search, time.Time{}).Marks()
	found := m.In(text)
	if title {
		found = m.InTitle(text)
	}
	for _, s := range slices.Backward(found) {
		text = text[:s.Start] + "[" + text[s.Start:s.End] + "]" + text[s.End:]
	}
	return text
}

func TestMarks(t *testing.T) {
	for _, c := range []struct{ search, text, want string }{
		{"river", "The River and the riverbank, upriver", "The [River] and the [river]bank, upriver"},
		{"river flood", "Floods of a river", "[Flood]s of a [river]"},
		{`"big flood"`, "A big flood, big floods; BIG – flood", "A [big flood], big floods; [BIG – flood]"},
		{"-river flood", "A river, a flood", "A river, a [flood]"},
		{"river OR flood", "A river, a flood", "A [river], a [flood]"},
		{"feed:river is:unread before:2026-01-31 author:flood", "A river, a flood, 2026", "A river, a flood, 2026"},
		{"feed:river flood", "A river, a flood", "A river, a [flood]"},
		{"title:river flood", "A river, a flood", "A river, a [flood]"},
		{"facade", "Façades, FAC\u0327ADE", "[Façade]s, [FAC\u0327ADE]"},
		{"strasse", "Straße, Straßen", "[Straße], [Straße]n"},
		{"stras", "Straße", "[Straß]e"},
		{"don't", "I don’t", "I [don’t]"},
		{"o", "o on", "[o] on"},
		{"東京", "東京都と京都", "[東京]都と京都"},
		{"京都", "東京都と京都。", "東[京都]と[京都]。"},
		{"都", "東京都と京都", "東京[都]と京[都]"},
		{`"東京都"`, "東京都、東京 都", "[東京都]、東京 都"},
		{"부산", "부산에서", "[부산]에서"},
		{"ไทย", "ภาษาไทย", "ภาษา[ไทย]"},
		{"", "A river", "A river"},
		{`"`, "A \" river", "A \" river"},
		{"river river riv", "river", "[river]"},
		{"a\xffb", "a\xffb ab", "[a\xffb] [ab]"},
		{"co-op", "A co op, coop", "A [co op], coop"},
		{"c++", "C++17, (c++), c, C", "[C++]17, ([c++]), c, C"},
		{"c+", "C++, c", "[C++], c"},
		{"C#", "C# and c and F#", "[C#] and c and F#"},
		{".net", "ASP.NET, .NET", "ASP.NET, [.NET]"},
		{"#go", "#golang, go, x #go", "[#go]lang, go, x [#go]"},
		{`"#go"`, "#golang, #go", "#golang, [#go]"},
		{"@zoe", "@Zoë, zoe", "[@Zoë], zoe"},
	} {
		if got := marked(c.search, c.text, false); got != c.want {
			t.Errorf("%s in %q: %q, want %q", c.search, c.text, got, c.want)
		}
	}
	for _, c := range []struct{ search, text, want string }{
		{"title:river", "A river", "A [river]"}, {"o", "o on", "[o] [o]n"}, {"author:river", "A river", "A river"},
	} {
		if got := marked(c.search, c.text, true); got != c.want {
			t.Errorf("%s in the title %q: %q, want %q", c.search, c.text, got, c.want)
		}
	}
}

// Marks finds the same words as the index.
func TestSplitWordsAgreesWithFold(t *testing.T) {
	for _, text := range append([]string{"Straße, “co-op” don’t", "東京都と京都 2026年 Tokyo東京Tower", "ภาษาไทย", "한국어 a b", "e\u0301 ﬁn ½ Ⅻ", "a\u00adb\u200dc",
		"ё й İ ẞ ſ", "شَدّة", "", " ", "😀 flood😀", "a\xffb"}, strings.Fields(strings.Repeat("x ", 3))...) {
		f := wordWriter{limit: maxFold, start: -1}
		f.text(text)
		f.end()
		var words []string
		for _, w := range splitWords(text) {
			words = append(words, w.word)
			if w.Start < 0 || w.End > len(text) || w.Start >= w.End {
				t.Errorf("%q: %+v", text, w)
			}
		}
		if got := strings.Join(words, " "); got != strings.TrimSpace(string(f.out)) {
			t.Errorf("%q: %q, Fold has %q", text, got, f.out)
		}
	}
}

func FuzzMarks(f *testing.F) {
	f.Add("river 東", "A ríver 東京")
	f.Add("\"a b\" -c", "a\xff b")
	f.Fuzz(func(t *testing.T, search, text string) {
		end := 0
		for _, s := range Parse(search, time.Time{}).Marks().InTitle(text) {
			if s.Start < end || s.End <= s.Start || s.End > len(text) {
				t.Fatalf("%q in %q: %+v after %d", search, text, s, end)
			}
			end = s.End
		}
	})
}

func BenchmarkMarks(b *testing.B) {
	m := Parse("river flo 東京", time.Time{}).Marks()
	title := "The river that counted seven lamps: how a flood came to the city, and why"
	body := strings.Repeat(title+" ", 30_000/14)
	b.Run("title", func(b *testing.B) {
		for b.Loop() {
			m.InTitle(title)
		}
	})
	b.Run("30,000 words", func(b *testing.B) {
		for b.Loop() {
			m.In(body)
		}
	})
}
