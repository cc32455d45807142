package bidi

import (
	"fmt"
	"strings"
	"testing"
)

// shown returns the runs of a text with their levels, and "<" for those that are turned.
func shown(s string, rtl bool) string {
	var out []string
	for _, r := range Runs(s, rtl) {
		turn := ""
		if r.Turn {
			turn = "<"
		}
		out = append(out, fmt.Sprintf("%s%d%s", s[:r.Bytes], r.Level, turn))
		s = s[r.Bytes:]
	}
	return strings.Join(out, "|") + s
}

func TestRuns(t *testing.T) {
	for _, c := range []struct {
		text string
		rtl  bool
		want string
	}{
		{"", false, ""},
		{"plain words", false, "plain words0"},
		{"אב: גד", true, "אב1|: 1<|גד1"},
		{"עם 12 in", false, "עם 1|122| in0"}, // the number is not joined with what follows it
		{"«אב» cd", true, "«1<|אב1|» 1<|cd2"},
		{"אבعر", true, "אב1|عر1"},
		{"אָב", true, "אָב1"},
		{"a\u202eb", false, "a\u202e0|b1<"},
	} {
		if got := shown(c.text, c.rtl); got != c.want {
			t.Errorf("the runs of %q are %s, want %s", c.text, got, c.want)
		}
	}
}

func TestIsRTL(t *testing.T) {
	for text, want := range map[string]bool{"": false, "12: ש a": true, "a ש": false, "\u2067ש\u2069 a": false, "\u2066a\u2069 ש": true} {
		if IsRTL(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

func TestHasRTL(t *testing.T) {
	for text, want := range map[string]bool{"": false, "Grüße – “…” 中文 😀 a\u200bb": false, "a ש": true, "a\u202eb": true, "…\u2028": false} {
		if HasRTL(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

func FuzzRuns(f *testing.F) {
	f.Add("مرحبا שלום a 12 ב\n", true)
	f.Add("\u2067\u202e(a\u2069[\u0301]", false)
	f.Fuzz(func(t *testing.T, s string, rtl bool) {
		s = strings.ToValidUTF8(s, "\uFFFD")
		total := 0
		for _, r := range Runs(s, rtl) {
			total += r.Bytes
		}
		if total != len(s) {
			t.Fatalf("the runs of %q have %d bytes", s, total)
		}
	})
}

func TestParagraph(t *testing.T) {
	hebrew := Mostly("דבר חדש: iPhone של Apple בישראל")
	if hebrew != RightToLeft || Mostly("iPhone, in Hebrew: אב") != LeftToRight || Mostly("12") != LeftToRight {
		t.Error("the language of a text is not found")
	}
	for _, c := range []struct {
		text   string
		around Direction
		want   Direction
	}{
		{"iPhone של", LeftToRight, LeftToRight}, {"iPhone של", hebrew, RightToLeft}, {"28.11.2026", hebrew, RightToLeft},
		{"only English", hebrew, LeftToRight}, {"English first, then בית המשפט העליון דחה inside", hebrew, LeftToRight}, {"Go 1.26 שֻׁחְרְרָה היום", hebrew, RightToLeft},
		{"בית, then English to the end", hebrew, RightToLeft}, {"The New York Times מדווח", hebrew, RightToLeft}, {"git הוא כלי", hebrew, RightToLeft},
		{"Ice on the weir — מזג האוויר היום", hebrew, LeftToRight}, {"纽约 时报 מדווח", hebrew, RightToLeft}, {"12% — ו-Go", hebrew, RightToLeft},
		{"של iPhone", LeftToRight, RightToLeft}, {"12", Auto, LeftToRight},
	} {
		if got := Paragraph(c.text, c.around); got != c.want {
			t.Errorf("%q is of direction %d, want %d", c.text, got, c.want)
		}
	}
}

func TestIsolate(t *testing.T) {
	if got := Isolate("plain"); got != "plain" {
		t.Errorf("%q", got)
	}
	if s := Isolate("א") + ": 3"; IsRTL(s) || WithoutControls(s) != "א: 3" {
		t.Errorf("%q", s)
	}
}
