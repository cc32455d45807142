package app

import (
	"context"
	"errors"
	"image"
	"net/url"
	"path"
	"strings"

	"fyne.io/fyne/v2/lang"

	"kairos/app/article"
	"kairos/app/home"
	photo "kairos/reader/picture"
)

// settingPictures is whether pictures are loaded by themselves: "on" or "off".
const settingPictures = "view.pictures"

// pictures are those of the article shown. They belong to Fyne's goroutine.
type pictures struct {
	w      *window
	load   bool // by themselves
	saving bool // nothing is asked for that was not asked for
}

func newPictures(w *window) *pictures { return &pictures{w: w, load: true} }

// automatic reports whether pictures are asked for without the reader's asking.
func (p *pictures) automatic() bool { return p.load && !p.saving }

// set says whether pictures come by themselves, and whether requests are to be saved. Those that wait for it are
// then loaded.
func (p *pictures) set(load, saving bool) {
	before := p.automatic()
	p.load, p.saving = load, saving
	if p.automatic() && !before {
		p.w.reading.view.LoadPictures()
		p.w.thumbs.forget()
	}
}

// setLoad stores whether pictures come by themselves.
func (p *pictures) setLoad(on bool) {
	p.set(on, p.saving)
	value := map[bool]string{true: "on", false: "off"}[on]
	p.w.set(settingPictures, value, nil)
}

// Load implements article.Pictures: from the cache, else by a request where one may be made.
func (p *pictures) Load(address string, box image.Point, asked bool, done func(photo.Picture, error)) func() {
	ctx, cancel := context.WithCancel(p.w.Ctx)
	var get photo.Get
	if asked || p.automatic() {
		get = p.get()
	}
	p.w.Go(func() {
		pic, err := p.w.home.Album.Load(ctx, address, box, get)
		if ctx.Err() != nil {
			return
		}
		p.w.Do(func() {
			if ctx.Err() == nil {
				cancel()
				done(pic, pictureError(err))
			}
		})
	})
	return cancel
}

// get makes the requests for the article shown.
func (p *pictures) get() photo.Get {
	var feed int64
	if a := p.w.reading.shown; a != nil {
		feed = a.Feed
	}
	return p.w.home.Poller.Pictures(feed)
}

// pictureError is an error as a sentence for people.
func pictureError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, photo.ErrNotCached):
		return article.ErrHeld
	}
	return errors.New(errorText(err))
}

// savePicture asks where a picture is to be kept and writes it there as its server has it.
func (w *window) savePicture(address string) *saving {
	get := w.pictures.get()
	return w.saveDialog(lang.L("Save picture"), fileName(address, "picture"), nil, func(ctx context.Context, file string) error {
		body, err := w.home.Album.Body(ctx, address, get)
		if err != nil {
			return err
		}
		return home.WriteFile(file, body)
	}, func(file string) { w.say(lang.L("Saved as {{.File}}", map[string]any{"File": file})) })
}

// fileName is a name for what lies at an address, safe on every system.
func fileName(address, otherwise string) string {
	name := ""
	if u, err := url.Parse(address); err == nil && u.Scheme != "data" {
		name = path.Base(u.Path)
	}
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`<>:"/\|?*`, r) {
			return '_'
		}
		return r
	}, name)
	if name = strings.Trim(name, ". _"); name == "" {
		return otherwise
	}
	if len(name) > 120 {
		name = strings.ToValidUTF8(name[len(name)-120:], "")
	}
	return name
}
