package glyphs

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/text"
)

func TestScriptsHaveNames(t *testing.T) {
	for _, s := range scripts {
		if got := text.English().MissingFonts([]string{s.Name}, nil); strings.Contains(got, s.Name) {
			t.Errorf("%s has no name: %q", s.Name, got)
		}
	}
}

func TestScriptsOfText(t *testing.T) {
	for _, s := range scripts {
		t.Cleanup(Assume(s.Name, s.Name == "korean", s.Name == "chinese"))
	}
	for _, c := range []struct {
		text, missing string
		thin          bool
	}{
		{"", "", false}, {"Grüße, Ελλάδα, Москва – “…” 😀", "", false},
		{"iOS 18 发布", "", true}, {"한국어", "korean", false}, {"中文 and 한국어", "korean", true},
		{"שלום", "", false}, {"日本のニュース", "", true},
	} {
		if got := Missing(c.text); got != c.missing {
			t.Errorf("in %q %q is missing, want %q", c.text, got, c.missing)
		}
		if got := Thin(c.text, fyne.TextStyle{Bold: true}, nil); got != c.thin {
			t.Errorf("%q is thin: %v", c.text, got)
		}
	}
}

// The driver draws letters that a font has unlike those that none has, and those of the theme bolder where they are bold.
func TestDrawing(t *testing.T) {
	test.NewTempApp(t)
	own := &Script{model: 'Ж'}
	if own.draw(); own.missing || own.thin {
		t.Errorf("of the theme's own font: missing %v, thin %v", own.missing, own.thin)
	}
	none := &Script{model: '\U0010FFFD'}
	if none.draw(); !none.missing || none.thin {
		t.Errorf("in no font: missing %v, thin %v", none.missing, none.thin)
	}
}

func TestModelsAreOfTheirScripts(t *testing.T) {
	for _, s := range scripts {
		var found []string
		in(string(s.model), func(s *Script) bool { found = append(found, s.Name); return true })
		if !slices.Equal(found, []string{s.Name}) {
			t.Errorf("%q is of %q, want %q", s.model, found, s.Name)
		}
	}
}

func BenchmarkThin(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Thin("How a small team keeps the lights on in a very large house", fyne.TextStyle{Bold: true}, nil)
	}
}

func TestJapaneseIsNotCalledChinese(t *testing.T) {
	t.Cleanup(Assume("chinese", true, false))
	t.Cleanup(Assume("japanese", true, false))
	for text, want := range map[string]string{"新しい機能": "japanese", "发布": "chinese", "ニュース発表": "japanese"} {
		if got := Missing(text); got != want {
			t.Errorf("in %q %q is missing, want %q", text, got, want)
		}
	}
}
