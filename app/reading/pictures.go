package reading

import (
	"context"
	"errors"
	"image"
	"net/url"
	"path"
	"slices"
	"strings"

	"fyne.io/fyne/v2/lang"

	"kairos/app/article"
	"kairos/app/atomicfile"
	"kairos/app/dialogs"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/shell"
	"kairos/reader"
	"kairos/reader/imaging"
	photo "kairos/reader/picture"
)

// pictures loads the images of the article shown. It belongs to Fyne's goroutine.
type pictures struct {
	shell     *shell.Shell
	view      func() *article.View
	shown     func() reader.Article // the zero value for none
	Automatic bool                  // the user wants images to be loaded automatically
	saving    bool                  // battery saver: only images that the user asks for are requested
	Allowed   func()                // called when images may be requested that were not before
}

func newPictures(p *Pane) *pictures {
	return &pictures{shell: p.shell, Automatic: true, Allowed: func() {},
		view: func() *article.View { return p.View },
		shown: func() (a reader.Article) {
			if p.session.Shown != nil {
				a = *p.session.Shown
			}
			return a
		}}
}

// MayFetch reports whether images are requested without the user asking.
func (p *pictures) MayFetch() bool { return p.Automatic && !p.saving }

// Set says whether images are loaded automatically, and whether battery saver is on. Images that waited are loaded.
func (p *pictures) Set(automatic, saving bool) {
	before := p.MayFetch()
	p.Automatic, p.saving = automatic, saving
	p.view().SetStill(saving)
	if p.MayFetch() && !before {
		p.view().LoadAllPictures()
		p.Allowed()
	}
}

// SetAutomatic stores whether images are loaded automatically.
func (p *pictures) SetAutomatic(on bool) {
	p.Set(on, p.saving)
	value := map[bool]string{true: "on", false: "off"}[on]
	p.shell.StoreSetting(home.SettingPictures, value, nil)
}

// Load implements article.Pictures: from the cache, else by a request if one may be made.
func (p *pictures) Load(address string, box image.Point, asked bool, done func(photo.Picture, error)) func() {
	a := p.shown()
	return p.load(a.ID, a.Feed, address, box, asked, done)
}

// articlePictures loads the images of an article of a feed.
type articlePictures struct {
	*pictures
	article, feed int64
}

// Load implements article.Pictures.
func (a articlePictures) Load(address string, box image.Point, asked bool, done func(photo.Picture, error)) func() {
	return a.load(a.article, a.feed, address, box, asked, done)
}

func (p *pictures) load(article, feed int64, address string, box image.Point, asked bool, done func(photo.Picture, error)) func() {
	ctx, cancel := context.WithCancel(p.shell.Ctx)
	var get photo.Get
	came := false
	if asked || p.MayFetch() {
		request := p.shell.Home.Poller.Pictures(feed)
		get = func(ctx context.Context, address string) ([]byte, error) {
			body, err := request(ctx, address)
			came = err == nil
			return body, err
		}
	}
	p.shell.Go(func() {
		pic, err := p.shell.Home.Album.LoadMoving(ctx, address, box, get)
		p.shell.Do(func() {
			if ctx.Err() == nil {
				cancel()
				done(pic, pictureError(err))
			}
		})
		if came {
			p.checkWhole(article)
		}
	})
	return cancel
}

// checkWhole notes that an article is whole if a picture that came was the last that it lacked. It is not called on Fyne's goroutine.
func (p *pictures) checkWhole(article int64) {
	ctx := p.shell.Ctx
	if err := p.shell.Home.Preparer.CheckWhole(ctx, article); err != nil && ctx.Err() == nil {
		p.shell.Do(func() { p.shell.OnError(err) })
	}
}

// noteColumn notes the column that the article pane has now, for the pictures that are prepared.
func (p *Pane) noteColumn() {
	if key, value := p.shell.Home.Column.Change(p.View.Column()); key != "" {
		p.shell.StoreSetting(key, value, nil)
	}
}

// get returns the function that requests images for the article shown.
func (p *pictures) get() photo.Get { return p.shell.Home.Poller.Pictures(p.shown().Feed) }

// undrawable is what keeps pictures from being shown here, but not in browsers.
var undrawable = []imaging.Code{imaging.BrowserFormat, imaging.SVGUnsupported, imaging.SVGTooLarge, imaging.TooMuchWork, imaging.TooManyPixels, imaging.FileTooLarge}

// pictureError describes an error for people.
func pictureError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, photo.ErrNotCached):
		return article.ErrDeferred
	}
	why := language.Error(err)
	if image := (*imaging.Error)(nil); errors.As(err, &image) && slices.Contains(undrawable, image.Code) {
		return &article.UndrawableError{Why: why}
	}
	return errors.New(why)
}

// SavePicture asks where to save an image and writes it as its server has it.
func (p *Pane) SavePicture(address string) *dialogs.Save {
	get := p.Pictures.get()
	return p.shell.Dialogs.SaveFile(lang.L("Save image"), fileName(address, "picture"), nil, func(ctx context.Context, file string) error {
		body, err := p.shell.Home.Album.Body(ctx, address, get)
		if err != nil {
			return err
		}
		return atomicfile.Write(file, body)
	}, func(file string) { p.shell.Say(lang.L("Saved as {{.File}}", map[string]any{"File": file})) })
}

// fileName is a file name for what lies at an address, valid on every system; fallback if the address gives none.
func fileName(address, fallback string) string {
	name := ""
	if u, err := url.Parse(address); err == nil && u.Scheme != "data" {
		name = path.Base(u.Path)
	}
	return validName(name, fallback)
}

// validName is a name without what systems do not allow in the names of files, of at most 120 bytes; fallback if nothing is left.
func validName(name, fallback string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`<>:"/\|?*`, r) {
			return '_'
		}
		return r
	}, name)
	if name = strings.Trim(name, ". _"); name == "" {
		return fallback
	}
	if len(name) > 120 {
		name = strings.ToValidUTF8(name[len(name)-120:], "")
	}
	return name
}
