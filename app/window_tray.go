package app

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"runtime"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"github.com/godbus/dbus/v5"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"kairos/app/look"
	"kairos/assets"
)

// tray is Kairos's icon in the tray, with the number of unread articles on it.
type tray struct {
	desk   desktop.App
	menu   *fyne.Menu
	unread int
}

// newTray shows the icon; its menu offers to show the window and to refresh.
func newTray(desk desktop.App, show, refresh func()) *tray {
	t := &tray{desk: desk, unread: -1}
	t.menu = fyne.NewMenu("Kairos",
		fyne.NewMenuItem(lang.L("Show Kairos"), show),
		fyne.NewMenuItem(lang.L("Refresh"), refresh))
	desk.SetSystemTrayMenu(t.menu)
	t.set(0)
	return t
}

// set shows how many articles are unread.
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

// hasTray reports whether the desktop shows tray icons. On Linux a program on the session bus does (StatusNotifierItem
// specification); without it the icon would appear nowhere.
func hasTray(ctx context.Context) bool {
	if runtime.GOOS != "linux" {
		return true
	}
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") == "" && os.Getenv("XDG_RUNTIME_DIR") == "" {
		return false
	}
	bus, err := dbus.SessionBusPrivateNoAutoStartup(dbus.WithContext(ctx))
	if err != nil {
		return false
	}
	defer bus.Close()
	if bus.Auth(nil) != nil || bus.Hello() != nil {
		return false
	}
	var there bool
	err = bus.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.NameHasOwner", 0, "org.kde.StatusNotifierWatcher").Store(&there)
	return err == nil && there
}

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

// trayIcon is the icon with a count on it, as PNG; without a count, or if it cannot be drawn, the icon alone.
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
