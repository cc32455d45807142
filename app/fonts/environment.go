package fonts

import (
	"bytes"
	"os"
	"strings"

	"github.com/go-text/typesetting/font"
)

// DropUnreadable takes the fonts that cannot be read out of the environment and returns their files. Fyne takes the place of
// its own fonts from there, and 2.8.1 crashes when it has to draw with one that is none.
func DropUnreadable() (files []string) {
	for variable, faces := range map[string][]string{
		"FYNE_FONT":           {"Regular", "Bold", "Italic", "BoldItalic"},
		"FYNE_FONT_MONOSPACE": {"Regular"},
		"FYNE_FONT_SYMBOL":    {"Regular"},
	} {
		for _, face := range faces {
			file := strings.ReplaceAll(os.Getenv(variable), "Regular", face)
			data, err := os.ReadFile(file)
			if err != nil {
				continue // Fyne uses its own
			}
			if _, err := font.ParseTTF(bytes.NewReader(data)); err != nil {
				files = append(files, file)
				os.Unsetenv(variable) //nolint:errcheck // the name is valid
				break
			}
		}
	}
	return files
}
