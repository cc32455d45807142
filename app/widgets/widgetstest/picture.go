package widgetstest

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// A master is stored and compared at a third of its size: there a letter drawn a little differently, by another version of a
// font or another processor, is a slightly different gray, while a pane, a row or a button that has moved is not.
const shrink = 3

// How much a picture may differ from its master: in so many of ten thousand points by more than pointDiffers, and by so much
// on the average, of 255. A heading more in the sidebar is 24 of ten thousand.
const (
	mostPoints       = 5
	pointDiffers     = 40
	mostOnTheAverage = 0.5
)

// AssertLooks fails unless img looks like its master testdata/pictures/NAME.png. Where it does not, or there is none, what
// was drawn is in testdata/failed, and at its full size in NAME-whole.png. -update accepts it.
func AssertLooks(t *testing.T, name string, img image.Image) {
	t.Helper()
	got := shrunk(img)
	if *Update {
		if err := writePNG(filepath.Join("testdata", "pictures", name+".png"), got); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := readPNG(filepath.Join("testdata", "pictures", name+".png"))
	if err == nil {
		if err = Differ(got, want); err == nil {
			return
		}
	}
	failed := filepath.Join("testdata", "failed")
	for file, picture := range map[string]image.Image{name: got, name + "-whole": img} {
		if err := writePNG(filepath.Join(failed, file+".png"), picture); err != nil {
			t.Error(err)
		}
	}
	t.Errorf("%s: %v; it is in %s", name, err, failed)
}

// Looks reports whether two pictures are the same but for what another font or processor may change.
func Looks(a, b image.Image) bool { return Differ(shrunk(a), shrunk(b)) == nil }

// Differ tells how two shrunk pictures differ; nil: hardly.
func Differ(got, want image.Image) error {
	if got.Bounds() != want.Bounds() {
		return fmt.Errorf("it is %v, not %v", got.Bounds().Size(), want.Bounds().Size())
	}
	points, sum, all := 0, 0, got.Bounds().Dx()*got.Bounds().Dy()
	box := image.Rectangle{}
	for y := range got.Bounds().Dy() {
		for x := range got.Bounds().Dx() {
			d := distance(got.At(x, y), want.At(x, y))
			sum += d
			if d > pointDiffers {
				points++
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if mean := float64(sum) / float64(all); points*10000 > mostPoints*all || mean > mostOnTheAverage {
		return fmt.Errorf("%d of %d points differ, within %v of the whole picture; all points by %.2f on the average", points, all,
			image.Rectangle{box.Min.Mul(shrink), box.Max.Mul(shrink)}, mean)
	}
	return nil
}

// distance is the largest difference in a channel, of 255.
func distance(a, b color.Color) int {
	r, g, bl, _ := a.RGBA()
	r2, g2, b2, _ := b.RGBA()
	d := func(x, y uint32) int { return max(int(x>>8)-int(y>>8), int(y>>8)-int(x>>8)) }
	return max(d(r, r2), d(g, g2), d(bl, b2))
}

// shrunk is img at a third of its size, each point the mean of those in its place.
func shrunk(img image.Image) *image.NRGBA {
	b := img.Bounds()
	small := image.NewNRGBA(image.Rect(0, 0, b.Dx()/shrink, b.Dy()/shrink))
	for y := range small.Bounds().Dy() {
		for x := range small.Bounds().Dx() {
			var sum [3]uint32
			for i := range shrink * shrink {
				r, g, bl, _ := img.At(b.Min.X+x*shrink+i%shrink, b.Min.Y+y*shrink+i/shrink).RGBA()
				sum[0], sum[1], sum[2] = sum[0]+r>>8, sum[1]+g>>8, sum[2]+bl>>8
			}
			const n = shrink * shrink
			small.SetNRGBA(x, y, color.NRGBA{R: uint8(sum[0] / n), G: uint8(sum[1] / n), B: uint8(sum[2] / n), A: 255})
		}
	}
	return small
}

func readPNG(file string) (image.Image, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return png.Decode(f)
}

func writePNG(file string, img image.Image) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := png.Encode(f, img); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
