package picture

import (
	"image"

	"golang.org/x/image/draw"
)

// scale scales an image down to a size. It averages blocks of whole pixels first, a few rows at a time, and interpolates
// for the rest, a factor below 2: the library's filters hold four numbers per pixel.
func scale(src image.Image, to image.Point) *image.RGBA {
	size := src.Bounds().Size()
	small := average(src, max(1, size.X/to.X), max(1, size.Y/to.Y))
	if small.Bounds().Size() == to {
		return small
	}
	dst := image.NewRGBA(image.Rectangle{Max: to})
	draw.ApproxBiLinear.Scale(dst, dst.Bounds(), small, small.Bounds(), draw.Src, nil)
	return dst
}

// average makes one pixel of each block of kx × ky.
func average(src image.Image, kx, ky int) *image.RGBA {
	b := src.Bounds()
	dst := image.NewRGBA(image.Rect(0, 0, b.Dx()/kx, b.Dy()/ky))
	if kx == 1 && ky == 1 {
		draw.Draw(dst, dst.Bounds(), src, b.Min, draw.Src)
		return dst
	}
	strip := image.NewRGBA(image.Rect(0, 0, dst.Bounds().Dx()*kx, ky))
	for y := range dst.Bounds().Dy() {
		draw.Draw(strip, strip.Bounds(), src, b.Min.Add(image.Pt(0, y*ky)), draw.Src)
		averageRow(dst.Pix[y*dst.Stride:][:dst.Stride], strip, kx, ky)
	}
	return dst
}

func averageRow(row []uint8, strip *image.RGBA, kx, ky int) {
	n := uint64(kx) * uint64(ky)
	for x := 0; x < len(row); x += 4 {
		var r, g, b, a uint64
		for y := range ky {
			for p := strip.Pix[y*strip.Stride+x*kx:][:4*kx]; len(p) > 0; p = p[4:] {
				r, g, b, a = r+uint64(p[0]), g+uint64(p[1]), b+uint64(p[2]), a+uint64(p[3])
			}
		}
		row[x], row[x+1], row[x+2], row[x+3] = uint8((r+n/2)/n), uint8((g+n/2)/n), uint8((b+n/2)/n), uint8((a+n/2)/n)
	}
}
