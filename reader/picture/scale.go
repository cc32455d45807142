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
	if photo, ok := src.(*image.YCbCr); ok && kx*ky > 1 {
		if small := averageYCbCr(photo, kx, ky); small != nil {
			src, kx, ky = small, 1, 1
		}
	}
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

// averageYCbCr is average before colors are converted, which is linear: of four pixels of a photograph one is then converted, and its
// planes of color, which have fewer pixels, are averaged less. It returns nil if a block has no whole number of these.
func averageYCbCr(src *image.YCbCr, kx, ky int) *image.YCbCr {
	b := src.Bounds()
	hx, hy := subsampling(src.SubsampleRatio)
	if hx == 0 || kx%hx != 0 || ky%hy != 0 || b.Min != (image.Point{}) {
		return nil
	}
	dst := image.NewYCbCr(image.Rect(0, 0, b.Dx()/kx, b.Dy()/ky), image.YCbCrSubsampleRatio444)
	averagePlane(dst.Y, dst.YStride, dst.Rect.Max, src.Y, src.YStride, kx, ky)
	averagePlane(dst.Cb, dst.CStride, dst.Rect.Max, src.Cb, src.CStride, kx/hx, ky/hy)
	averagePlane(dst.Cr, dst.CStride, dst.Rect.Max, src.Cr, src.CStride, kx/hx, ky/hy)
	return dst
}

// subsampling returns how many pixels share a color across and down; 0 if that is not known.
func subsampling(r image.YCbCrSubsampleRatio) (x, y int) {
	switch r {
	case image.YCbCrSubsampleRatio444:
		return 1, 1
	case image.YCbCrSubsampleRatio422:
		return 2, 1
	case image.YCbCrSubsampleRatio420:
		return 2, 2
	case image.YCbCrSubsampleRatio440:
		return 1, 2
	case image.YCbCrSubsampleRatio411:
		return 4, 1
	case image.YCbCrSubsampleRatio410:
		return 4, 2
	}
	return 0, 0
}

// averagePlane makes one value of each block of kx × ky.
func averagePlane(dst []uint8, dstStride int, size image.Point, src []uint8, srcStride, kx, ky int) {
	n := uint32(kx * ky)
	sums := make([]uint32, size.X)
	for y := range size.Y {
		clear(sums)
		for k := range ky {
			row := src[(y*ky+k)*srcStride:][:size.X*kx]
			if kx == 2 {
				for x := range sums {
					sums[x] += uint32(row[2*x]) + uint32(row[2*x+1])
				}
				continue
			}
			for x := range sums {
				for _, v := range row[x*kx : (x+1)*kx] {
					sums[x] += uint32(v)
				}
			}
		}
		out := dst[y*dstStride:][:size.X]
		for x, sum := range sums {
			out[x] = uint8((sum + n/2) / n)
		}
	}
}
