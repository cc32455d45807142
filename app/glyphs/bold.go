package glyphs

import (
	"reflect"
	"slices"
	_ "unsafe" // for go:linkname

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/shaping"

	"fyne.io/fyne/v2"
)

// The driver looks for a font for letters that the theme's lacks without regard to weight: bold text takes the regular face, though
// the system has a bold one. So that one is put before it, in the faces that the driver tries for bold text.

//go:linkname driverFaces fyne.io/fyne/v2/internal/painter.CachedFontFace
func driverFaces(style fyne.TextStyle, source fyne.Resource, o fyne.CanvasObject) *cachedFaces

// cachedFaces is FontCacheItem of Fyne's painter.
type cachedFaces struct{ fonts shaping.Fontmap }

// triedFaces is dynamicFontMap of Fyne's painter.
type triedFaces struct {
	faces  []*font.Face
	family string
}

// drawnIn is what the driver keeps faces by.
type drawnIn struct {
	style  fyne.TextStyle
	source fyne.Resource
}

// boldOf returns the bold face of the family that the system has for regular letters such as model, or of another one; nil if it has
// none.
func boldOf(regular *font.Face, model rune) *font.Face {
	if regular == nil {
		return nil
	}
	family, _ := descriptionOf(regular)
	face := lookupRuneFont(model, family, font.Aspect{Weight: font.WeightBold})
	if face == nil {
		return nil
	}
	if _, weight := descriptionOf(face); !has(face, model) || weight < font.WeightSemibold {
		return nil
	}
	return face
}

func descriptionOf(f *font.Face) (family string, w font.Weight) {
	driverLock.Lock()
	defer driverLock.Unlock()
	if driverFonts == nil {
		return "", 0
	}
	family, aspect := driverFonts.FontMetadata(f.Font)
	return family, aspect.Weight
}

// prefer has the driver draw letters of the script with the face of the window's region, and bold ones with the bold face, from now
// on. It has other faces after each change of the theme.
func (s *Script) prefer(in drawnIn) {
	face := s.own
	if in.style.Bold && s.bold != nil {
		face = s.bold
	}
	if face == nil {
		return
	}
	cached := driverFaces(in.style, in.source, nil)
	if s.preferred[in] == cached {
		return
	}
	if s.preferred == nil {
		s.preferred = map[drawnIn]*cachedFaces{}
	}
	s.preferred[in] = cached
	tried := triedOf(cached)
	if tried == nil {
		return
	}
	at := slices.IndexFunc(tried.faces, func(f *font.Face) bool { return has(f, s.model) })
	if at < 0 {
		tried.faces = append(tried.faces, face)
	} else if _, weight := descriptionOf(tried.faces[at]); at > 0 && (s.own != nil || weight < font.WeightSemibold) { // the first one is the theme's, or was chosen
		tried.faces = slices.Insert(tried.faces, at, face)
	}
}

// triedOf returns the faces that the driver tries, nil if it keeps them in another way than is known here.
func triedOf(cached *cachedFaces) *triedFaces {
	v := reflect.ValueOf(cached.fonts)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct || v.Elem().NumField() != 2 || v.Elem().Type().Size() != reflect.TypeFor[triedFaces]().Size() {
		return nil
	}
	if f := v.Elem().Type().Field(0); f.Name != "faces" || f.Type != reflect.TypeFor[[]*font.Face]() {
		return nil
	}
	return (*triedFaces)(v.UnsafePointer())
}
