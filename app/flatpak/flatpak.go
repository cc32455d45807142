// Package flatpak tells whether Kairos runs inside a Flatpak: there the files of the desktop, its buses and the processes of
// others are not to be seen, and portals stand for them.
package flatpak

import "os"

// Info is the file that every Flatpak has at its root (flatpak-metadata(5)). The environment would not do: a terminal that
// is a Flatpak hands its own on to the programs of the system.
var Info = "/.flatpak-info"

// Inside reports whether this process runs inside a Flatpak.
func Inside() bool {
	_, err := os.Stat(Info)
	return err == nil
}
