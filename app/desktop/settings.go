package desktop

import "strings"

// Settings are how the desktop wants programs to look. The zero value wants nothing.
type Settings struct {
	Scheme    Scheme
	Contrast  bool    // more than usual
	Still     bool    // nothing moves that need not
	TextScale float64 // how many times larger than usual text is; 0 and 1 are as usual
}

// Scheme is whether a desktop is light or dark.
type Scheme int

// The schemes.
const (
	Unknown Scheme = iota
	Light
	Dark
)

func (s Scheme) String() string { return [...]string{"unknown", "light", "dark"}[s] }

// The values of color-scheme (XDG desktop portal, org.freedesktop.appearance).
const (
	noPreference = 0
	preferDark   = 1
	preferLight  = 2
)

// schemeOf is the scheme of a desktop with a preference, and the name of GTK's theme, "" if it is unknown. Without a preference
// the theme tells; a desktop that has none and no theme is light, which is what portals say of those that never heard of dark.
// answered is whether the preference is that of the portal, or there is none.
func schemeOf(answered bool, preference uint32, theme string) Scheme {
	switch {
	case preference == preferDark:
		return Dark
	case preference == preferLight:
		return Light
	case strings.Contains(strings.ToLower(theme), "dark"):
		return Dark
	case answered || theme != "":
		return Light
	}
	return Unknown
}

// Text is never smaller or larger than this, whatever the desktop says.
const (
	leastScale = 0.5
	mostScale  = 3
)

// scale is a scale within its bounds, 0 for what is no scale.
func scale(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	return min(max(x, leastScale), mostScale)
}
