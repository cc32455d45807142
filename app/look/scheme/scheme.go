// Package scheme learns whether the desktop is light or dark, and follows it while Kairos runs.
//
// Fyne asks a portal only, in a way that those before xdg-desktop-portal 1.17 do not know, and is dark without an answer: on a
// light desktop Kairos would be dark.
package scheme

import "strings"

// Scheme is how a desktop looks.
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

// desktop is what a desktop says of itself.
type desktop struct {
	preference uint32 // noPreference also if there is no portal
	portal     bool   // there is one
	theme      string // name of the theme of GTK, "" if it is unknown
}

// scheme is how the desktop looks. Without a preference its theme tells; one that has none and no theme is light, which is
// what portals say of those that never heard of dark.
func (d desktop) scheme() Scheme {
	switch {
	case d.preference == preferDark:
		return Dark
	case d.preference == preferLight:
		return Light
	case strings.Contains(strings.ToLower(d.theme), "dark"):
		return Dark
	case d.portal || d.theme != "":
		return Light
	}
	return Unknown
}
