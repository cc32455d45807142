package fonts

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/go-fonts/liberation/liberationserifbold"
	"github.com/go-fonts/liberation/liberationserifitalic"
	"github.com/go-fonts/liberation/liberationserifregular"
	"github.com/go-text/typesetting/font"
)

func put(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// collection puts two fonts into one file.
func collection(a, b []byte) []byte {
	head := append([]byte("ttcf"), 0, 1, 0, 0, 0, 0, 0, 2)
	at := [2]uint32{20, 20 + uint32(len(a))}
	head = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(head, at[0]), at[1])
	out := head
	for i, f := range [][]byte{a, b} {
		f = bytes.Clone(f)
		for n := range binary.BigEndian.Uint16(f[4:]) { // places are counted from the beginning of the file
			place := f[12+16*int(n)+8:]
			binary.BigEndian.PutUint32(place, binary.BigEndian.Uint32(place)+at[i])
		}
		out = append(out, f...)
	}
	return out
}

func TestFamilies(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "a", "regular.ttf"), liberationserifregular.TTF)
	put(t, filepath.Join(dir, "both.TTC"), collection(liberationserifbold.TTF, liberationserifitalic.TTF))
	put(t, filepath.Join(dir, "broken.ttf"), []byte("not a font"))
	put(t, filepath.Join(dir, "notes.txt"), liberationserifregular.TTF)
	families, err := list(t.Context(), []string{dir, filepath.Join(dir, "a"), filepath.Join(dir, "none")}, nil)
	if err != nil || len(families) != 1 || families[0].Name != "Liberation Serif" {
		t.Fatalf("%+v (%v)", families, err)
	}
	f, ok := Find(families, "Liberation Serif")
	if _, other := Find(families, "Other"); !ok || other {
		t.Error("found wrongly")
	}
	want := map[Face]font.Aspect{Regular: {Style: font.StyleNormal, Weight: font.WeightNormal}, Bold: {Style: font.StyleNormal, Weight: font.WeightBold},
		Italic: {Style: font.StyleItalic, Weight: font.WeightNormal}, BoldItalic: {Style: font.StyleNormal, Weight: font.WeightBold}}
	for face, aspect := range want {
		content, err := f.Load(face)
		if err != nil {
			t.Fatal(err)
		}
		read, err := font.ParseTTF(bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		if was, _ := font.ParseTTF(bytes.NewReader(liberationserifregular.TTF)); face == Regular {
			before, _ := was.FontHExtents()
			if now, ok := read.FontHExtents(); !ok || now.Ascender != before.Ascender || now.Descender > before.Descender-0.05*float32(read.Upem()) {
				t.Errorf("lines reach from %v to %v, those of the file from %v to %v", now.Ascender, now.Descender, before.Ascender, before.Descender)
			}
		}
		if got := read.Describe().Aspect; got.Style != aspect.Style || got.Weight != aspect.Weight {
			t.Errorf("face %d is %v, want %v", face, got, aspect)
		}
	}
	os.Remove(filepath.Join(dir, "both.TTC"))
	if _, err := f.Load(Bold); err == nil {
		t.Error("a font that is gone is read")
	}
}

// What is read to find the fonts is not kept.
func TestPrepareKeepsLittle(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	Prepare()
	runtime.ReadMemStats(&after)
	if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept > 8<<20 {
		t.Errorf("%d bytes are kept", kept)
	}
}

func TestInstalled(t *testing.T) {
	families, err := List(t.Context())
	if err != nil {
		t.Skip(err)
	}
	for _, f := range families[:min(20, len(families))] {
		if _, err := f.Load(Regular); err != nil {
			t.Logf("%s: %v", f.Name, err)
		}
	}
	t.Logf("%d families", len(families))
}

// Fyne crashes at fonts in the environment that are none.
func TestUnreadableFontsLeaveTheEnvironment(t *testing.T) {
	folder := t.TempDir()
	broken, regular, bold := filepath.Join(folder, "broken.ttf"), filepath.Join(folder, "F-Regular.ttf"), filepath.Join(folder, "F-Bold.ttf")
	put(t, broken, []byte("not a font"))
	put(t, regular, liberationserifregular.TTF)
	t.Setenv("FYNE_FONT", regular)
	t.Setenv("FYNE_FONT_MONOSPACE", broken)
	t.Setenv("FYNE_FONT_SYMBOL", filepath.Join(folder, "missing.ttf"))
	if got := DropUnreadable(); !slices.Equal(got, []string{broken}) || os.Getenv("FYNE_FONT_MONOSPACE") != "" || os.Getenv("FYNE_FONT") != regular {
		t.Errorf("dropped %q", got)
	}
	for _, endless := range []string{"/dev/zero", folder} {
		t.Setenv("FYNE_FONT_MONOSPACE", endless)
		if got := DropUnreadable(); !slices.Equal(got, []string{endless}) && runtime.GOOS != "windows" {
			t.Errorf("dropped %q, not %s", got, endless)
		}
	}
	put(t, bold, []byte("not a font"))
	if got := DropUnreadable(); !slices.Equal(got, []string{bold}) || os.Getenv("FYNE_FONT") != "" {
		t.Errorf("dropped %q", got)
	}
}
