package fonts

import (
	"os"
	"slices"
	"strings"
)

// packages are those with fonts of Chinese, Japanese and Korean, and of other scripts, by the system's ID in os-release; * is
// the script. From the packages of Noto in each of these systems.
var packages = map[string]struct{ cjk, other string }{
	"debian": {"fonts-noto-cjk", "fonts-noto-core"},
	"ubuntu": {"fonts-noto-cjk", "fonts-noto-core"},
	"fedora": {"google-noto-sans-cjk-fonts", "google-noto-sans-*-fonts"},
	"arch":   {"noto-fonts-cjk", "noto-fonts"},
	"alpine": {"font-noto-cjk", "font-noto-*"},
}

// Package returns the package of this system that has a font of a script, by the names of package glyphs; "" if that is not known.
func Package(script string) string {
	release, err := os.ReadFile("/etc/os-release")
	if err != nil {
		return ""
	}
	return packageOf(string(release), script)
}

// Packages returns the packages of this system that have fonts of scripts, as far as they are known.
func Packages(scripts ...string) (names []string) {
	for _, script := range scripts {
		if name := Package(script); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// packageOf is Package for the content of an os-release.
func packageOf(release, script string) string {
	for _, key := range []string{"ID=", "ID_LIKE="} {
		for line := range strings.Lines(release) {
			value, ok := strings.CutPrefix(strings.TrimSpace(line), key)
			if !ok {
				continue
			}
			for id := range strings.FieldsSeq(strings.Trim(value, `"'`)) {
				p, known := packages[id]
				switch {
				case !known:
				case script == "chinese" || script == "japanese" || script == "korean":
					return p.cjk
				case script == "urdu": // the fonts of Arabic have its letters
					return strings.ReplaceAll(p.other, "*", "arabic")
				default:
					return strings.ReplaceAll(p.other, "*", script)
				}
			}
		}
	}
	return ""
}
