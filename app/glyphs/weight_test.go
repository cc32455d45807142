package glyphs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/go-fonts/liberation/liberationserifregular"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/fontscan"

	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
)

// variable is a font with an axis of weight from 100 to 900, as which it is drawn with 100.
func variable(t *testing.T) []byte {
	t.Helper()
	loader, err := opentype.NewLoader(bytes.NewReader(liberationserifregular.TTF))
	if err != nil {
		t.Fatal(err)
	}
	axis := binary.BigEndian.AppendUint32([]byte("wght"), 100<<16)
	axis = binary.BigEndian.AppendUint32(axis, 100<<16)
	axis = append(binary.BigEndian.AppendUint32(axis, 900<<16), 0, 0, 1, 0)
	tables := []opentype.Table{{Tag: opentype.MustNewTag("fvar"), Content: append([]byte{0, 1, 0, 0, 0, 16, 0, 2, 0, 1, 0, 20, 0, 0, 0, 8}, axis...)}}
	for _, tag := range loader.Tables() {
		content, err := loader.RawTable(tag)
		if err != nil {
			t.Fatal(err)
		}
		if tag == opentype.MustNewTag("OS/2") {
			binary.BigEndian.PutUint16(content[4:], 100)
		}
		tables = append(tables, opentype.Table{Tag: tag, Content: content})
	}
	return opentype.WriteTTF(tables)
}

func TestVariableFontsHaveTheirWeight(t *testing.T) {
	test.NewTempApp(t)
	const letter = 'Ж'
	lookupRuneFont(letter, fontscan.SansSerif, font.Aspect{}) // the driver has looked for its fonts
	before := driverFonts
	t.Cleanup(func() { driverFonts = before })
	driverFonts = fontscan.NewFontMap(silent{})
	for _, f := range []struct {
		name    string
		content []byte
	}{{"Thin", variable(t)}, {"Static", liberationserifregular.TTF}} {
		if err := driverFonts.AddFont(bytes.NewReader(f.content), f.name, f.name); err != nil {
			t.Fatal(err)
		}
	}
	at := func(family string, w font.Weight) float32 {
		coords := lookupRuneFont(letter, family, font.Aspect{Weight: w}).Coords()
		if len(coords) == 0 {
			return 0
		}
		return 100 + 800*float32(coords[0])/(1<<14)
	}
	drawn := lookupRuneFont(letter, "Thin", font.Aspect{})
	for _, family := range []string{"Thin", "Static"} {
		weigh(lookupRuneFont(letter, family, font.Aspect{}), letter)
		weigh(lookupRuneFont(letter, family, font.Aspect{}), letter)
	}
	if got := 100 + 800*float32(drawn.Coords()[0])/(1<<14); got != 400 {
		t.Errorf("what is drawn with already has the weight %v", got)
	}
	for _, c := range []struct {
		family string
		weight font.Weight
		want   float32
	}{{"Thin", 0, 400}, {"Thin", font.WeightNormal, 400}, {"Thin", font.WeightBold, 700}, {"Static", font.WeightBold, 0}} {
		if got := at(c.family, c.weight); got != c.want {
			t.Errorf("%s in the weight %v is drawn with %v, want %v", c.family, c.weight, got, c.want)
		}
	}
}

// Letters are drawn with fonts that only fontconfig finds, also where the driver found none at all.
func TestFontsOfFontconfigAreDrawnWith(t *testing.T) {
	if _, err := exec.LookPath("fc-match"); err != nil {
		t.Skip(err)
	}
	test.NewTempApp(t)
	lookupRuneFont('א', fontscan.SansSerif, font.Aspect{}) // the driver has looked for its fonts
	before := driverFonts
	t.Cleanup(func() { driverFonts = before })
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("FONTCONFIG_FILE", filepath.Join(home, "fonts.conf"))
	for name, content := range map[string][]byte{
		"fonts.conf":       fmt.Appendf(nil, `<?xml version="1.0"?><fontconfig><dir>~/.fonts</dir><cachedir>%s/cache</cachedir></fontconfig>`, home),
		".fonts/serif.ttf": liberationserifregular.TTF,
	} {
		file := filepath.Join(home, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, content, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	latin := fontscan.NewFontMap(silent{})
	if err := latin.AddFont(bytes.NewReader(theme.DefaultTextBoldFont().Content()), "Latin", ""); err != nil {
		t.Fatal(err)
	}
	for _, found := range []*fontscan.FontMap{nil, latin} {
		test.ApplyTheme(t, test.Theme()) // the driver looks again
		driverFonts = found
		s := &Script{model: 'א'}
		if s.draw(); s.missing {
			t.Errorf("it is not drawn (any others: %v)", found != nil)
		}
	}
	none := &Script{model: '中'}
	if none.draw(); !none.missing {
		t.Error("a letter that no font has is drawn")
	}
}

type silent struct{}

func (silent) Printf(string, ...any) {}
