package app

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"kairos/app/look"
	"kairos/assets"
)

// tray is Kairos's icon in the tray, with how much is unread.
type tray struct {
	desk   desktop.App
	menu   *fyne.Menu
	unread int
}

func newTray(w *window, desk desktop.App) *tray {
	t := &tray{desk: desk, unread: -1}
	t.menu = fyne.NewMenu("Kairos",
		fyne.NewMenuItem(lang.L("Show Kairos"), func() { w.show("") }),
		fyne.NewMenuItem(lang.L("Refresh"), w.refresh))
	desk.SetSystemTrayMenu(t.menu)
	t.set(0)
	return t
}

// set shows how much is unread.
func (t *tray) set(unread int) {
	if unread == t.unread {
		return
	}
	t.unread = unread
	t.desk.SetSystemTrayIcon(fyne.NewStaticResource("kairos-tray-"+badgeText(unread)+".png", trayIcon(unread)))
	label := lang.L("Show Kairos")
	if unread > 0 {
		label += " (" + countText(unread) + ")"
	}
	t.menu.Items[0].Label = label
	t.menu.Refresh()
}

// badgeText is what fits onto an icon.
func badgeText(n int) string {
	switch {
	case n <= 0:
		return ""
	case n > 99:
		return "99+"
	}
	return strconv.Itoa(n)
}

// trayIcon is the icon with a number on it, as PNG; without one, or where it cannot be
// drawn, the icon alone.
func trayIcon(unread int) []byte {
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

// drawBadge writes text onto a rounded ground at the bottom right.
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

// rounded is a rectangle with round corners, as a mask.
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
