package fonts

import (
	"bytes"
	"os"
	"strings"

	"github.com/go-text/typesetting/font"
)

// maxFont is larger than any font: the largest for Chinese have 30 MB.
const maxFont = 100 << 20

// DropUnreadable takes the fonts that cannot be read out of the environment and returns their files. Fyne takes the place of
// its own fonts from there, and 2.8.1 crashes when it has to draw with one that is not a font.
func DropUnreadable() (files []string) {
	for variable, faces := range map[string][]string{
		"FYNE_FONT":           {"Regular", "Bold", "Italic", "BoldItalic"},
		"FYNE_FONT_MONOSPACE": {"Regular"},
		"FYNE_FONT_SYMBOL":    {"Regular"},
	} {
		for _, face := range faces {
			file := strings.ReplaceAll(os.Getenv(variable), "Regular", face)
			is, err := os.Stat(file)
			if err != nil {
				continue // Fyne uses its own
			}
			if !is.Mode().IsRegular() || is.Size() > maxFont || !readable(file) {
				files = append(files, file)
				os.Unsetenv(variable) //nolint:errcheck // the name is valid
				break
			}
		}
	}
	return files
}

// readable reports whether a file is a font, or cannot be opened, when Fyne uses its own.
func readable(file string) bool {
	data, err := os.ReadFile(file)
	if err != nil {
		return true
	}
	_, err = font.ParseTTF(bytes.NewReader(data))
	return err == nil
}
