package tray

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strconv"

	"fyne.io/fyne/v2/theme"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"kairos/app/look"
	"kairos/assets"
)

// badgeText is a count as it fits onto the icon, "" for none.
func badgeText(n int) string {
	switch {
	case n <= 0:
		return ""
	case n > 99:
		return "99+"
	}
	return strconv.Itoa(n)
}

// iconWith is the icon with a count on it, as PNG; without a count, or if it cannot be drawn, the icon alone.
func iconWith(unread int) []byte {
	text := badgeText(unread)
	if text == "" {
		return assets.TrayIcon
	}
	plain, err := png.Decode(bytes.NewReader(assets.TrayIcon))
	if err != nil {
		return assets.TrayIcon
	}
	pic := image.NewNRGBA(plain.Bounds())
	draw.Draw(pic, pic.Bounds(), plain, plain.Bounds().Min, draw.Src)
	if err := drawBadge(pic, text); err != nil {
		return assets.TrayIcon
	}
	var out bytes.Buffer
	if err := png.Encode(&out, pic); err != nil {
		return assets.TrayIcon
	}
	return out.Bytes()
}

// drawBadge draws text on a rounded background at the bottom right.
func drawBadge(pic *image.NRGBA, text string) error {
	parsed, err := opentype.Parse(theme.DefaultTextBoldFont().Content())
	if err != nil {
		return err
	}
	side := pic.Bounds().Dy()
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: float64(side) / 2, DPI: 72})
	if err != nil {
		return err
	}
	defer face.Close()
	height := side * 9 / 16
	width := min(side, max(height, font.MeasureString(face, text).Ceil()+side/8))
	box := image.Rect(side-width, side-height, side, side)
	ground := look.New(look.Light).Color(look.ColorAccent, theme.VariantLight)
	draw.DrawMask(pic, box, image.NewUniform(ground), image.Point{}, rounded{box, height / 2}, box.Min, draw.Over)
	d := font.Drawer{Dst: pic, Src: image.White, Face: face}
	d.Dot = fixed.P(side-width/2, side-height*3/16)
	d.Dot.X -= d.MeasureString(text) / 2
	d.DrawString(text)
	return nil
}

// rounded is a mask: a rectangle with round corners.
type rounded struct {
	image.Rectangle
	radius int
}

func (r rounded) ColorModel() color.Model { return color.AlphaModel }

func (r rounded) Bounds() image.Rectangle { return r.Rectangle }

func (r rounded) At(x, y int) color.Color {
	inner := r.Inset(r.radius)
	dx := max(inner.Min.X-x, x-inner.Max.X+1, 0)
	dy := max(inner.Min.Y-y, y-inner.Max.Y+1, 0)
	if dx*dx+dy*dy > r.radius*r.radius {
		return color.Alpha{}
	}
	return color.Alpha{A: 0xff}
}
