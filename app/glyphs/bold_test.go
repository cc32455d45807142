package glyphs

import (
	"bytes"
	"strconv"
	"testing"

	"github.com/go-fonts/liberation/liberationserifbold"
	"github.com/go-fonts/liberation/liberationserifregular"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/fontscan"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
)

// withFonts makes fonts those of the system.
func withFonts(t *testing.T, files ...[]byte) {
	t.Helper()
	test.NewTempApp(t)
	lookupRuneFont('א', fontscan.SansSerif, font.Aspect{}) // the driver has looked for its fonts
	before := driverFonts
	t.Cleanup(func() { driverFonts = before })
	driverFonts = fontscan.NewFontMap(silent{})
	latin := theme.DefaultTextBoldFont().Content() // which is found for the language of the system
	if err := driverFonts.AddFont(bytes.NewReader(latin), "Latin", "DejaVu Sans"); err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		if err := driverFonts.AddFont(bytes.NewReader(f), strconv.Itoa(i), "Liberation Serif"); err != nil {
			t.Fatal(err)
		}
	}
}

// Bold letters of a script that the theme's font lacks are drawn with the bold font of the system, also after some were drawn with
// the regular one, after a change of the theme, and beside a font that was chosen.
func TestBoldOfTheSystem(t *testing.T) {
	withFonts(t, liberationserifregular.TTF, liberationserifbold.TTF)
	s := &Script{model: 'א'}
	bold := drawnIn{style: fyne.TextStyle{Bold: true}}
	drawn := func(in drawnIn) font.Weight {
		_, weight := descriptionOf(driverFaces(in.style, in.source, nil).fonts.ResolveFace(s.model))
		return weight
	}
	if w := drawn(bold); w != font.WeightNormal {
		t.Fatalf("the driver draws bold in %v by itself", w)
	}
	s.weigh()
	if s.prefer(bold); drawn(bold) != font.WeightBold {
		t.Errorf("bold is drawn in %v", drawn(bold))
	}
	if s.draw(); s.missing || s.thin {
		t.Errorf("missing %v, thin %v", s.missing, s.thin)
	}
	if regular := (drawnIn{}); drawn(regular) != font.WeightNormal {
		t.Errorf("regular is drawn in %v", drawn(regular))
	}
	faces := len(triedOf(driverFaces(bold.style, nil, nil)).faces)
	for range 3 {
		s.prefer(bold)
	}
	if n := len(triedOf(driverFaces(bold.style, nil, nil)).faces); n != faces {
		t.Errorf("%d faces, then %d", faces, n)
	}
	test.ApplyTheme(t, test.Theme()) // the driver looks again
	if s.prefer(bold); drawn(bold) != font.WeightBold {
		t.Errorf("after a change of the theme bold is drawn in %v", drawn(bold))
	}
	chosen := drawnIn{bold.style, fyne.NewStaticResource("chosen", fyne.CurrentApp().Settings().Theme().Font(fyne.TextStyle{Bold: true}).Content())}
	if s.prefer(chosen); drawn(chosen) != font.WeightBold {
		t.Errorf("beside a chosen font bold is drawn in %v", drawn(chosen))
	}
}

// Without a bold font nothing changes.
func TestNoBoldOfTheSystem(t *testing.T) {
	withFonts(t, liberationserifregular.TTF)
	s := &Script{model: 'א'}
	if s.draw(); s.bold != nil || s.missing || !s.thin {
		t.Errorf("missing %v, thin %v", s.missing, s.thin)
	}
}
