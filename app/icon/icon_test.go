package icon

import (
	"image"
	"image/color"
	"testing"

	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"kairos/app/look"
)

func disc(c color.Color) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 32, 32))
	for y := range 32 {
		for x := range 32 {
			if (x-16)*(x-16)+(y-16)*(y-16) < 200 {
				img.Set(x, y, c)
			}
		}
	}
	return img
}

func TestIconsLostOnBackground(t *testing.T) {
	test.NewTempApp(t)
	square := image.NewNRGBA(image.Rect(0, 0, 32, 32))
	for i := range square.Pix {
		square.Pix[i] = 0xff
	}
	for name, c := range map[string]struct {
		img         image.Image
		light, dark bool
	}{
		"black": {disc(color.Black), false, true}, "white": {disc(color.White), true, false}, "red": {disc(color.NRGBA{200, 20, 20, 255}), false, false},
		"grey": {disc(color.NRGBA{40, 41, 45, 255}), false, true}, "a white square": {square, false, false},
	} {
		p := newImage(c.img)
		if p.LostOnLight != c.light || p.lostOnDark != c.dark {
			t.Errorf("%s is lost on light: %t, on dark: %t", name, p.LostOnLight, p.lostOnDark)
		}
		for v, lost := range map[look.Variant]bool{look.Light: c.light, look.Dark: c.dark} {
			test.ApplyTheme(t, look.New(v))
			icon := NewFeed()
			icon.Set(widget.NewLabel(""), 1, "A feed", p, false)
			if icon.tile.Hidden == lost || icon.image.Hidden {
				t.Errorf("%s: variant %d hides the plate: %t", name, v, icon.tile.Hidden)
			}
			if plate := icon.tile.FillColor; lost && lostOn(c.img, plate) {
				t.Errorf("%s is lost on its plate %v", name, plate)
			}
		}
	}
}

func TestInitial(t *testing.T) {
	for title, want := range map[string]string{
		"A feed": "A", "«über» alles": "Ü", "📰 news": "N", "漢字": "漢", "3sat": "3", "https://www.example.org/feed": "E", "": "•", "…!": "•", "النيل": "ا",
	} {
		if got := initial(title); got != want {
			t.Errorf("%q has %q, want %q", title, got, want)
		}
	}
}

// BenchmarkDecode measures how long the goroutine that decodes takes for an icon that is a picture by now.
func BenchmarkDecode(b *testing.B) {
	test.NewTempApp(b)
	black := disc(color.Black)
	for b.Loop() {
		newImage(black)
	}
}
