package glyphs

import (
	"bytes"
	"testing"

	"github.com/go-fonts/liberation/liberationserifbold"
	"github.com/go-fonts/liberation/liberationserifregular"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// Where a font has a family for each region, characters are drawn as in the language of the window, bold ones, too.
func TestCharactersOfTheRegion(t *testing.T) {
	for _, c := range []struct {
		name, language string
		families       []string
		want           string
	}{
		{"Chinese", "zh_Hans", []string{"Test CJK JP", "Test CJK SC"}, "testcjksc"},
		{"Chinese beside a family without region", "zh_Hans", []string{"Test Han Sans", "Test Han Sans SC"}, "testhansanssc"},
		{"another language", "de", []string{"Test CJK JP", "Test CJK SC"}, "testcjkjp"},
		{"no family for it", "zh_Hans", []string{"Test CJK JP", "Other SC"}, "testcjkjp"},
		{"found at once", "zh_Hans", []string{"Test CJK SC", "Test CJK JP"}, "testcjksc"},
	} {
		t.Run(c.name, func(t *testing.T) {
			withFonts(t)
			for _, family := range c.families {
				for _, file := range [][]byte{liberationserifregular.TTF, liberationserifbold.TTF} {
					if err := driverFonts.AddFont(bytes.NewReader(file), family+string(file[len(file)-1:]), family); err != nil {
						t.Fatal(err)
					}
				}
			}
			DrawFor(c.language)
			t.Cleanup(func() { DrawFor("") })
			s := &Script{model: 'א'}
			for range 2 { // the second time after a change of the theme
				s.weigh()
				for _, style := range []fyne.TextStyle{{}, {Bold: true}, {Monospace: true}} {
					s.prefer(drawnIn{style: style})
					face := driverFaces(style, nil, nil).fonts.ResolveFace(s.model)
					if family, weight := descriptionOf(face); family != c.want || style.Bold != (weight > 400) {
						t.Errorf("%+v is drawn with %s in %v", style, family, weight)
					}
				}
				test.ApplyTheme(t, test.Theme())
			}
		})
	}
}
