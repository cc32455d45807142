// Package icon draws the icons of feeds and labels, and those of commands that the theme does not have.
package icon

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/look"
	"kairos/reader"
)

// Theme returns an icon of the theme.
func Theme(name fyne.ThemeIconName) fyne.Resource { return theme.Current().Icon(name) }

// Icons that the theme does not have.
var (
	Insights    = SVG("insights", `<path d="M4 20V4h2v14h14v2H4zm4-4v-5h3v5H8zm5 0V6h3v10h-3zm5 0V9h3v7h-3z"/>`)
	Tag         = SVG("tag", `<path fill-rule="evenodd" d="M4 3h7.2c.5 0 1 .2 1.4.6l7.8 7.8a2 2 0 0 1 0 2.8l-6.2 6.2a2 2 0 0 1-2.8 0L3.6 12.6A2 2 0 0 1 3 11.2V4a1 1 0 0 1 1-1zM7.5 6a1.5 1.5 0 1 0 0 3a1.5 1.5 0 1 0 0-3z"/>`) // with a hole
	Unread      = SVG("unread", `<circle cx="12" cy="12" r="5"/>`)
	Snooze      = SVG("snooze", `<path fill-rule="evenodd" d="M12 3a9 9 0 1 1 0 18a9 9 0 0 1 0-18zm0 2a7 7 0 1 0 0 14a7 7 0 0 0 0-14zM9 8h6v1.6L11.4 14H15v2H9v-1.6l3.6-4.4H9V8z"/>`)
	Ended       = SVG("ended", `<path d="M6 3h12v2h-1v3l-3.5 4l3.5 4v3h1v2H6v-2h1v-3l3.5-4L7 8V5H6V3zm3 2v2.3l3 3.4l3-3.4V5H9z"/>`)
	Star        = SVG("star", `<path d="M12 3L14.8 8.7L21 9.6L16.5 14L17.6 20.2L12 17.3L6.4 20.2L7.5 14L3 9.6L9.2 8.7z"/>`)
	StarOutline = SVG("star-outline", `<path fill-rule="evenodd" d="M12 3L14.8 8.7L21 9.6L16.5 14L17.6 20.2L12 17.3L6.4 20.2L7.5 14L3 9.6L9.2 8.7zM10.15 9.96L6.06 10.55L9.03 13.46L8.3 17.55L12 15.63L15.7 17.55L14.97 13.46L17.94 10.55L13.85 9.96L12 6.2z"/>`)
)

func SVG(name, shapes string) fyne.Resource {
	return theme.NewThemedResource(fyne.NewStaticResource(name+".svg", []byte(
		`<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" fill="#000000">`+shapes+`</svg>`)))
}

// labelColor is the color of a label.
func labelColor(l reader.Label) fyne.ThemeColorName { return look.Tile(int64(l.Color)) }

// Label is a tag in the color of a label.
func Label(l reader.Label) fyne.Resource {
	return theme.NewColoredResource(Tag, labelColor(l))
}

// LabelNames returns the names of the labels with these ids.
func LabelNames(labels []reader.Label, ids []int64) string {
	var names []string
	for _, l := range labels {
		if slices.Contains(ids, l.ID) {
			names = append(names, l.Name)
		}
	}
	return strings.Join(names, lang.X("join.parts", ", "))
}
