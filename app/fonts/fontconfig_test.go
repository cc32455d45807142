package fonts

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/go-fonts/liberation/liberationserifbold"
	"github.com/go-fonts/liberation/liberationserifregular"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/fontscan"
)

// configure has fontconfig know the fonts in ~/.fonts of a home folder of its own, which is a link to another folder, and nothing else.
func configure(t *testing.T) (folder string) {
	t.Helper()
	for _, program := range []string{"fc-list", "fc-match"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	home, folder := t.TempDir(), t.TempDir()
	if err := os.Symlink(folder, filepath.Join(home, ".fonts")); err != nil {
		t.Skip(err)
	}
	config := filepath.Join(home, "fonts.conf")
	put(t, config, fmt.Appendf(nil, `<?xml version="1.0"?><fontconfig><dir>~/.fonts</dir><cachedir>%s</cachedir></fontconfig>`, filepath.Join(home, "cache")))
	t.Setenv("HOME", home)
	t.Setenv("FONTCONFIG_FILE", config)
	return folder
}

// Fonts that fontconfig lists are found, also in the home folder that is not that of passwd, and behind a link.
func TestFontsOfFontconfigAreListed(t *testing.T) {
	folder := configure(t)
	put(t, filepath.Join(folder, "regular.ttf"), liberationserifregular.TTF)
	families, err := List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f, ok := Find(families, "Liberation Serif")
	if !ok {
		t.Fatalf("it is not among %d families", len(families))
	}
	if _, err := f.Load(Regular); err != nil {
		t.Error(err)
	}
}

// The driver gets the font that fontconfig has for a letter, and its bold one; a file that is no font any more is passed over.
func TestFontsOfFontconfigAreDrawnWith(t *testing.T) {
	folder := configure(t)
	m := fontscan.NewFontMap(silent{})
	if AddFor(t.Context(), m, 'א') {
		t.Error("a font is added though there is none")
	}
	put(t, filepath.Join(folder, "regular.ttf"), liberationserifregular.TTF)
	put(t, filepath.Join(folder, "bold.ttf"), liberationserifbold.TTF)
	if !AddFor(t.Context(), m, 'א') {
		t.Fatal("no font is added")
	}
	for _, want := range []font.Weight{font.WeightNormal, font.WeightBold} {
		m.SetQuery(fontscan.Query{Families: []string{"Liberation Serif"}, Aspect: font.Aspect{Weight: want}})
		face := m.ResolveFace('א')
		if _, has := face.NominalGlyph('א'); !has {
			t.Errorf("weight %v has no glyph", want)
		}
		if _, aspect := m.FontMetadata(face.Font); aspect.Weight != want {
			t.Errorf("weight %v is drawn in %v", want, aspect.Weight)
		}
	}
	if AddFor(t.Context(), m, '中') {
		t.Error("a font without the letter is added")
	}
}

func TestFontsThatCannotBeRead(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.ttf")
	put(t, broken, []byte("not a font"))
	put(t, broken+"2", liberationserifregular.TTF)
	for _, c := range [][2]string{{broken, "0"}, {broken + "2", "1"}, {broken + "2", "x"}, {broken + "3", "0"}, {"", ""}} {
		if face, _ := faceAt(c[0], c[1]); face != nil {
			t.Errorf("%q is read", c)
		}
	}
	if face, place := faceAt(broken+"2", "65536"); face == nil || place.Index != 0 {
		t.Error("an instance of a variable font is not read")
	}
}
