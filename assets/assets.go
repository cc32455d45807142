// Package assets holds the files Kairos brings along: its icon and its desktop entry.
package assets

import (
	"embed"
	"io/fs"
)

// Icon is the icon of the application: PNG, 512 × 512.
//
//go:embed kairos.png
var Icon []byte

// IconSVG is the same drawing as a scalable file, for desktops that install one.
//
//go:embed kairos.svg
var IconSVG []byte

// TrayIcon is the icon for the tray, in one gray for light and dark panels: PNG, 64 × 64. A PNG, because trays do not
// read SVG.
//
//go:embed kairos-tray.png
var TrayIcon []byte

// TraySVG is the drawing of TrayIcon.
//
//go:embed kairos-tray.svg
var TraySVG []byte

// DesktopEntry is the launcher file of the freedesktop Desktop Entry Specification, with @EXEC@ for the command.
//
//go:embed org.kairos.Reader.desktop.in
var DesktopEntry string

// MIMETypes tells the Shared MIME-info Database of the types that Kairos opens and others may not know.
//
//go:embed org.kairos.Reader.mime.xml
var MIMETypes string

// Translations are the texts of the window by language, in the folder translations: JSON as go-i18n reads it, the
// English text being the key.
//
//go:embed translations/*.json
var Translations embed.FS

// Starter is a short list of well-known feeds by topic, for those who come without one: OPML.
//
//go:embed starter.opml
var Starter []byte

//go:embed help
var help embed.FS

// Help is the manual: a folder for each language, named as in Translations, with pages in Markdown and pictures in PNG, which
// “make manual-pictures” takes of the window.
func Help() fs.FS {
	files, err := fs.Sub(help, "help")
	if err != nil {
		panic(err) // the name is valid
	}
	return files
}
