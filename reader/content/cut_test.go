package content

import "testing"

func TestCut(t *testing.T) {
	for _, c := range []struct {
		line         string
		n            int
		cut, inWords string
	}{
		{"", 5, "", ""},
		{"Kairos", 6, "Kairos", "Kairos"},
		{"Kairos", 5, "Kair…", "Kair…"},
		{"früh, spät", 10, "früh, spät", "früh, spät"},
		{"früh, spät", 7, "früh,…", "früh…"},
		{"früh, spät", 9, "früh, sp…", "früh…"},
		{"a whole word", 11, "a whole wo…", "a whole…"},
		{"日本語の文章", 4, "日本語…", "日本語…"},
	} {
		if got := Cut(c.line, c.n); got != c.cut {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.line, c.n, got, c.cut)
		}
		if got := CutWords(c.line, c.n); got != c.inWords {
			t.Errorf("CutWords(%q, %d) = %q, want %q", c.line, c.n, got, c.inWords)
		}
	}
}

func TestCutBytes(t *testing.T) {
	for most, want := range []string{"", "a", "a", "aé", "aé", "aé", "aé日", "aé日"} {
		if got := CutBytes("aé日", most); got != want {
			t.Errorf("%d bytes: %q, want %q", most, got, want)
		}
	}
}
