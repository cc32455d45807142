package help

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"io/fs"
	"path"

	"golang.org/x/image/draw"

	"kairos/app/article"
	"kairos/app/async"
	"kairos/reader/picture"
)

// pictures are those of the manual in one language, beside its pages.
type pictures struct {
	jobs     *async.Jobs
	files    fs.FS
	language string
}

var _ article.Pictures = pictures{}

// Load implements article.Pictures.
func (p pictures) Load(address string, box image.Point, _ bool, done func(picture.Picture, error)) (cancel func()) {
	var loaded picture.Picture
	p.jobs.Work(func(context.Context) (err error) {
		loaded, err = loadPicture(p.files, path.Join(p.language, path.Base(address)), box)
		return err
	}, func(err error) { done(loaded, err) })
	return func() {}
}

// loadPicture returns a picture no larger than box; a side of 0 sets no limit.
func loadPicture(files fs.FS, name string, box image.Point) (p picture.Picture, err error) {
	file, err := fs.ReadFile(files, name)
	if err != nil {
		return p, err
	}
	whole, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		return p, err
	}
	size := whole.Bounds().Size()
	scale := 1.0
	if box.X > 0 {
		scale = min(scale, float64(box.X)/float64(size.X))
	}
	if box.Y > 0 {
		scale = min(scale, float64(box.Y)/float64(size.Y))
	}
	p = picture.Picture{Width: size.X, Height: size.Y, Opaque: true,
		Image: image.NewRGBA(image.Rect(0, 0, max(1, int(float64(size.X)*scale)), max(1, int(float64(size.Y)*scale))))}
	draw.CatmullRom.Scale(p.Image, p.Image.Bounds(), whole, whole.Bounds(), draw.Src, nil)
	return p, nil
}
