package icon

import (
	"image"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"kairos/app/look"
	"kairos/app/widgets"
)

// Side is the side of a feed's icon in a row. At 200 % it is shown in full.
const Side = 16

// Feed shows the icon of a feed, or a tile with its first letter if it has none.
type Feed struct {
	tile   *canvas.Rectangle // also behind an icon that would hardly be seen
	letter *canvas.Text
	image  *canvas.Image
	inset  float32 // of the image in the tile
}

func NewFeed() *Feed {
	i := &Feed{tile: canvas.NewRectangle(nil), letter: canvas.NewText("", nil), image: canvas.NewImageFromImage(nil)}
	i.tile.CornerRadius = 4
	i.letter.TextSize, i.letter.TextStyle.Bold = 10.5, true
	i.image.FillMode = canvas.ImageFillContain
	return i
}

func (i *Feed) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{i.tile, i.letter, i.image}
}

func (i *Feed) Hide() {
	i.tile.Hidden, i.letter.Hidden, i.image.Hidden = true, true, true
}

// Set shows a feed in a row; a paused one is pale.
func (i *Feed) Set(row fyne.Widget, feed int64, title string, p *Image, paused bool) {
	i.image.Hidden = p == nil
	i.letter.Hidden = p != nil
	if p == nil {
		i.tile.Hidden, i.inset = false, 0
		i.tile.FillColor = widgets.Color(row, look.Tile(feed))
		i.letter.Text, i.letter.Color = initial(title), widgets.Color(row, look.ColorTileText)
		if paused {
			i.tile.FillColor = widgets.Color(row, look.ColorBadge)
			i.letter.Color = widgets.Color(row, look.ColorMuted)
		}
		return
	}
	lost := p.LostOnLight
	if look.IsDark(widgets.Color(row, look.ColorSidebar)) {
		lost = p.lostOnDark
	}
	i.tile.Hidden, i.inset = !lost, 0
	if lost {
		i.tile.FillColor, i.inset = widgets.Color(row, look.ColorPictureGround), 2
	}
	i.show(p.Image)
	i.image.Translucency = 0
	if paused {
		i.image.Translucency = 0.5
	}
}

// show shows another image. The driver keeps the texture of an image until that itself is refreshed: what is around it does not do.
func (i *Feed) show(img image.Image) {
	if i.image.Image != img {
		i.image.Image = img
		canvas.Refresh(i.image)
	}
}

// Layout puts the icon at x, with its middle at y.
func (i *Feed) Layout(x, y float32) {
	at := fyne.NewPos(x, y-Side/2)
	i.tile.Resize(fyne.NewSquareSize(Side))
	i.tile.Move(at)
	i.image.Resize(fyne.NewSquareSize(Side - 2*i.inset))
	i.image.Move(at.AddXY(i.inset, i.inset))
	if i.letter.Hidden {
		return
	}
	text := fyne.MeasureText(i.letter.Text, i.letter.TextSize, i.letter.TextStyle)
	i.letter.Resize(text)
	i.letter.Move(at.AddXY((Side-text.Width)/2, (Side-text.Height)/2))
}

// initial is the first letter or digit of a title; of an address, that of its site.
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
