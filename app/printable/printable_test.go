package printable

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

// hostile has the title of a window, the clipboard (OSC 52), C1, DEL, overrides and bytes that are no text.
const hostile = "a\x1b]0;t\x07b\x1b]52;c;ZQ==\x1b\\c\x9b31md\u009b2Je\x7ff\rg\u202egpj.exe\u202ch\u2066i\u2069j"

func TestWriter(t *testing.T) {
	for text, want := range map[string]string{
		"Plain,\ttwo\nlines":         "Plain,\ttwo\nlines",
		"Ünïcödé 漢字 שלום 🎈 a\u200db": "Ünïcödé 漢字 שלום 🎈 a\u200db",
		hostile: "a�]0;t�b�]52;c;ZQ==�\\c�31md�2Je�f�ggpj.exehij",
	} {
		var b strings.Builder
		w := NewWriter(&b)
		for i := range len(text) { // a write may end within a character
			if n, err := io.WriteString(w, text[i:i+1]); n != 1 || err != nil {
				t.Fatal(n, err)
			}
		}
		if b.String() != want {
			t.Errorf("%q\nwant %q", b.String(), want)
		}
	}
}

// JSON has the same value after it.
func TestWriterJSON(t *testing.T) {
	valid := strings.ToValidUTF8(hostile, "") + "漢"
	var b strings.Builder
	w := NewWriter(&b)
	w.EscapeJSON()
	if err := json.NewEncoder(w).Encode(valid); err != nil {
		t.Fatal(err)
	}
	var back string
	if err := json.Unmarshal([]byte(b.String()), &back); err != nil || back != valid {
		t.Errorf("%q (%v)", back, err)
	}
	checkPrintable(t, b.String())
}

func checkPrintable(t *testing.T, text string) {
	t.Helper()
	if i := strings.IndexFunc(text, func(r rune) bool { return isControl(r) || formatsDirection(r) }); i >= 0 || !utf8.ValidString(text) {
		t.Errorf("%q is not printable (at %d)", text, i)
	}
}

func FuzzWriter(f *testing.F) {
	f.Add(hostile, 3, false)
	f.Add("漢\u202e", 1, true)
	f.Fuzz(func(t *testing.T, text string, split int, escape bool) {
		split = max(0, min(split, len(text)))
		var b strings.Builder
		w := NewWriter(&b)
		if escape {
			w.EscapeJSON()
		}
		for _, part := range []string{text[:split], text[split:], "."} {
			if n, err := io.WriteString(w, part); n != len(part) || err != nil {
				t.Fatal(n, err)
			}
		}
		checkPrintable(t, b.String())
	})
}

func BenchmarkWriter(b *testing.B) {
	text := []byte(strings.Repeat("A line of text as feeds have it, schön.\n", 1000))
	w := NewWriter(io.Discard)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		w.Write(text) //nolint:errcheck // io.Discard takes everything
	}
}
