package home

import (
	"runtime/debug"
	"strings"
)

// What the linker sets: the version, the day of the commit that was built (2006-01-02; "" if Go alone built it), and the address
// of the project, as in FyneApp.toml ("" as long as there is none). The day is not Go's own stamp, which a build from an archive
// lacks: both are to be the same.
var (
	Version   = "0.1.0"
	Committed = ""
	Website   = ""
)

// Build tells what a program was built from; what is unknown is "".
type Build struct {
	Version   string `json:"version"`
	Committed string `json:"committed,omitempty"`
	Go        string `json:"go,omitempty"`
	Fyne      string `json:"fyne,omitempty"` // the command alone has none
}

// Built tells what this program was built from.
func Built() Build {
	b := Build{Version: Version, Committed: Committed}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Go = strings.TrimPrefix(info.GoVersion, "go")
	for _, m := range info.Deps {
		if m.Path == "fyne.io/fyne/v2" {
			b.Fyne = strings.TrimPrefix(m.Version, "v")
		}
	}
	return b
}

// String returns one line: 0.1.0 (2026-11-23, Go 1.26.4, Fyne 2.8.1).
func (b Build) String() string {
	var parts []string
	for _, part := range [][2]string{{"", b.Committed}, {"Go ", b.Go}, {"Fyne ", b.Fyne}} {
		if part[1] != "" {
			parts = append(parts, part[0]+part[1])
		}
	}
	if len(parts) == 0 {
		return b.Version
	}
	return b.Version + " (" + strings.Join(parts, ", ") + ")"
}
