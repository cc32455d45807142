package app

import (
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"kairos/app/look"
	"kairos/app/widgets"
)

// iconSide is the side of a feed's picture in a row; at 200 % all of it is shown.
const iconSide = 16

// feedIcon shows a feed's picture; where there is none, a tile with its first letter.
type feedIcon struct {
	tile    *canvas.Rectangle // also behind a picture that would not be seen
	letter  *canvas.Text
	picture *canvas.Image
	inset   float32 // of the picture in the tile
}

func newFeedIcon() *feedIcon {
	i := &feedIcon{tile: canvas.NewRectangle(nil), letter: canvas.NewText("", nil), picture: canvas.NewImageFromImage(nil)}
	i.tile.CornerRadius = 4
	i.letter.TextSize, i.letter.TextStyle.Bold = 10.5, true
	i.picture.FillMode = canvas.ImageFillContain
	return i
}

func (i *feedIcon) objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{i.tile, i.letter, i.picture}
}

func (i *feedIcon) hide() {
	i.tile.Hidden, i.letter.Hidden, i.picture.Hidden = true, true, true
}

// set shows a feed in a row; a quiet one is pale.
func (i *feedIcon) set(row fyne.Widget, feed int64, title string, p *picture, quiet bool) {
	i.picture.Hidden = p == nil
	i.letter.Hidden = p != nil
	if p == nil {
		i.tile.Hidden, i.inset = false, 0
		i.tile.FillColor = widgets.Color(row, look.Tile(feed))
		i.letter.Text, i.letter.Color = initial(title), widgets.Color(row, look.ColorTileText)
		if quiet {
			i.tile.FillColor = widgets.Color(row, look.ColorBadge)
			i.letter.Color = widgets.Color(row, look.ColorMuted)
		}
		return
	}
	lost := p.lostOnLight
	if look.IsDark(widgets.Color(row, look.ColorSidebar)) {
		lost = p.lostOnDark
	}
	i.tile.Hidden, i.inset = !lost, 0
	if lost {
		i.tile.FillColor, i.inset = widgets.Color(row, look.ColorPlate), 2
	}
	i.picture.Image, i.picture.Translucency = p.Image, 0
	if quiet {
		i.picture.Translucency = 0.5
	}
}

// place puts the icon at the left of a line whose middle is y.
func (i *feedIcon) place(x, y float32) {
	at := fyne.NewPos(x, y-iconSide/2)
	i.tile.Resize(fyne.NewSquareSize(iconSide))
	i.tile.Move(at)
	i.picture.Resize(fyne.NewSquareSize(iconSide - 2*i.inset))
	i.picture.Move(at.AddXY(i.inset, i.inset))
	if i.letter.Hidden {
		return
	}
	text := fyne.MeasureText(i.letter.Text, i.letter.TextSize, i.letter.TextStyle)
	i.letter.Resize(text)
	i.letter.Move(at.AddXY((iconSide-text.Width)/2, (iconSide-text.Height)/2))
}

// initial is the letter or digit a title begins with; that of an address is its site's.
func initial(title string) string {
	for _, prefix := range []string{"https://", "http://", "file://", "www."} {
		title = strings.TrimPrefix(title, prefix)
	}
	for _, r := range title {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return string(unicode.ToUpper(r))
		}
	}
	return "•"
}
