package story

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWithoutStopWords(t *testing.T) {
	for title, want := range map[string]string{
		"The Mill of the River has no Water": "Mill River Water",
		"THE MILL STOPS":                     "MILL STOPS",
		"The war in Ukraine":                 "war Ukraine",
		"Der Krieg war lang":                 "Krieg lang",
		"Die Bahn hat wieder Verspätung":     "Bahn Verspätung",
		"Le moulin de la rivière":            "moulin rivière",
		"中国的天气和人们":                           "中国 天气 人",
		"Kairos 2.5: it's here":              "Kairos 2.5: '",
		"":                                   "",
	} {
		if got := strings.Join(strings.Fields(WithoutStopWords(title)), " "); got != want {
			t.Errorf("%q: %q, not %q", title, got, want)
		}
	}
}

func FuzzWithoutStopWords(f *testing.F) {
	f.Add("The mill of 2.5, 中国的天气\xff")
	f.Fuzz(func(t *testing.T, title string) {
		left := WithoutStopWords(title)
		if len(left) > len(title) || utf8.ValidString(title) && !utf8.ValidString(left) {
			t.Errorf("%q: %q", title, left)
		}
	})
}
