// Package fonts finds the fonts that are installed on this computer, by family.
package fonts

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/fontscan"
)

// Face is one of the four faces of a family.
type Face int

const (
	Regular Face = iota
	Bold
	Italic
	BoldItalic
	faceCount
)

// Family is a family of fonts.
type Family struct {
	Name  string
	faces [faceCount]source
}

// source is where a face is stored.
type source struct {
	file  string // "": there is none
	index int    // in a collection
	off   float32
}

// Prepare finds the installed fonts for the driver, which else does so when it measures the first text, and collects what that
// leaves: fontscan reads the first font whole to see that it is one, which is 30 MB where that is a Chinese one.
func Prepare() {
	if _, err := fontscan.SystemFonts(silent{}, ""); err == nil { // else the driver draws with its own fonts
		runtime.GC()
	}
}

// List returns the installed families by name. It reads the names of all fonts, which takes about a
// millisecond for five of them.
func List(ctx context.Context) ([]Family, error) {
	folders, err := fontscan.DefaultFontDirectories(silent{})
	if err != nil {
		return nil, fmt.Errorf("find the folders of fonts: %w", err)
	}
	return list(ctx, folders, listed(ctx))
}

// list returns the families in folders and in further files.
func list(ctx context.Context, folders, files []string) ([]Family, error) {
	found := map[string]*Family{}
	var buffer []byte
	seen := map[string]bool{} // folders may lie in each other
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil || d.IsDir() || !isFont(path) || seen[path]:
				return nil // what cannot be read is not offered
			}
			seen[path] = true
			buffer = addFile(found, path, buffer)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for _, path := range files {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if isFont(path) && !seen[path] {
			buffer = addFile(found, path, buffer)
		}
	}
	var families []Family
	for _, f := range found {
		if f.faces[Regular].file != "" {
			families = append(families, *f)
		}
	}
	slices.SortFunc(families, func(a, b Family) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), cmp.Compare(a.Name, b.Name))
	})
	return families, nil
}

func isFont(path string) bool {
	return slices.Contains([]string{".ttf", ".otf", ".ttc", ".otc"}, strings.ToLower(filepath.Ext(path)))
}

// addFile adds the fonts of a file. Those that cannot be read are left out.
func addFile(found map[string]*Family, path string, buffer []byte) []byte {
	file, err := os.Open(path)
	if err != nil {
		return buffer
	}
	defer file.Close()
	loaders, err := opentype.NewLoaders(file)
	if err != nil {
		return buffer
	}
	for i, loader := range loaders {
		var d font.Description
		d, buffer = font.Describe(loader, buffer)
		if d.Family == "" || strings.HasPrefix(d.Family, ".") { // fonts of the system that are not to be chosen
			continue
		}
		if found[d.Family] == nil {
			found[d.Family] = &Family{Name: d.Family}
		}
		found[d.Family].add(d.Aspect, path, i)
	}
	return buffer
}

// add keeps a font where it comes nearest to one of the faces.
func (f *Family) add(a font.Aspect, path string, index int) {
	face, weight := Regular, font.WeightNormal
	if a.Weight >= font.WeightSemibold {
		face, weight = Bold, font.WeightBold
	}
	if a.Style == font.StyleItalic {
		face += Italic
	}
	off := abs(float32(a.Weight)-float32(weight)) + 1000*abs(float32(a.Stretch)-float32(font.StretchNormal))
	if now := &f.faces[face]; now.file == "" || off < now.off {
		*now = source{path, index, off}
	}
}

func abs(x float32) float32 { return max(x, -x) }

// ErrUnreadable means that a font cannot be drawn.
var ErrUnreadable = errors.New("the font cannot be read")

// Load reads a face as a file of its own. A family without it lends another: the bold and the italic
// face for both together, the regular one for any. Errors: those of os, ErrUnreadable.
func (f Family) Load(face Face) ([]byte, error) {
	for _, s := range []source{f.faces[face], f.faces[face&Bold], f.faces[face&Italic], f.faces[Regular]} {
		if s.file != "" {
			return s.load()
		}
	}
	return nil, ErrUnreadable
}

func (s source) load() ([]byte, error) {
	file, err := os.Open(s.file)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	loaders, err := opentype.NewLoaders(file)
	if err != nil || s.index >= len(loaders) {
		return nil, ErrUnreadable
	}
	if _, err := font.NewFont(loaders[s.index]); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrUnreadable, err)
	}
	// Fyne reads no collections.
	var tables []opentype.Table
	for _, tag := range loaders[s.index].Tables() {
		content, err := loaders[s.index].RawTable(tag)
		if err != nil {
			return nil, fmt.Errorf("%w: %v", ErrUnreadable, err)
		}
		tables = append(tables, opentype.Table{Content: lowerLine(tag, content), Tag: tag})
	}
	return opentype.WriteTTF(tables), nil
}

// lowerLine makes the lines of a font higher at the bottom, by a twelfth.
// Fyne (2.8.1, DrawString) draws on the next whole pixel below the baseline, in a picture that is as
// high as a line: the lowest pixel of letters such as g would be cut off.
func lowerLine(tag opentype.Tag, table []byte) []byte {
	at := map[string]int{"hhea": 4, "OS/2": 68}[tag.String()] // the ascender, and behind it the descender
	if at == 0 || len(table) < at+4 {
		return table
	}
	ascender, descender := int16(binary.BigEndian.Uint16(table[at:])), int16(binary.BigEndian.Uint16(table[at+2:]))
	if extra := (int(ascender) - int(descender)) / 12; extra > 0 && int(descender)-extra > math.MinInt16 {
		binary.BigEndian.PutUint16(table[at+2:], uint16(int(descender)-extra))
	}
	return table
}

// Find returns the family with this name among the installed ones, ok false if it is not there any
// more.
func Find(families []Family, name string) (f Family, ok bool) {
	i := slices.IndexFunc(families, func(f Family) bool { return f.Name == name })
	if i < 0 {
		return f, false
	}
	return families[i], true
}

// silent is a logger of fontscan.
type silent struct{}

func (silent) Printf(string, ...any) {}
