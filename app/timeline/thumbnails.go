package timeline

import (
	"context"
	"image"
	"slices"

	"kairos/app/shell"
	"kairos/reader"
	"kairos/reader/content"
)

const (
	thumbnailSide     = 56  // units
	thumbnailPixels   = 112 // as on a screen of twice the density
	maxThumbnails     = 256 // in each of the two generations of the cache, 50 kB each
	maxThumbnailQueue = 32  // what was scrolled past is not wanted any more
	thumbnailLoaders  = 4   // at the same time
)

// thumbnails loads small images of the articles on screen, if the user wants them. It belongs to Fyne's goroutine.
type thumbnails struct {
	shell           *shell.Shell
	on              bool                  // the rows show pictures
	Recent, Earlier map[int64]image.Image // by article, in two generations; nil: the article has none
	Queue           []int64               // the last one asked for first
	Loading         map[int64]bool
	forgotten       int         // times that everything was: what was asked for before is of other articles
	mayFetch        func() bool // whether images may be requested without the user asking
	changed         func()      // called when there are other images to show
}

func NewThumbnails(sh *shell.Shell, mayFetch func() bool, changed func()) *thumbnails {
	return &thumbnails{shell: sh, Recent: map[int64]image.Image{}, Loading: map[int64]bool{},
		mayFetch: mayFetch, changed: changed}
}

// Get returns the thumbnail of an article. It is nil if the article has none or it is not loaded yet; it then is.
func (t *thumbnails) Get(a *reader.Article) image.Image {
	if !t.on || a == nil {
		return nil
	}
	for _, known := range []map[int64]image.Image{t.Recent, t.Earlier} {
		if img, ok := known[a.ID]; ok {
			t.store(a.ID, img)
			return img
		}
	}
	if t.Loading[a.ID] || slices.Contains(t.Queue, a.ID) {
		return nil
	}
	t.Queue = append([]int64{a.ID}, t.Queue...)
	t.Queue = t.Queue[:min(len(t.Queue), maxThumbnailQueue)]
	t.loadNext()
	return nil
}

// Clear empties the cache, so that what could not be loaded is tried again.
func (t *thumbnails) Clear() {
	t.Recent, t.Earlier = map[int64]image.Image{}, nil
	if t.on {
		t.changed()
	}
}

// Forget is Clear after the articles were replaced by others: what is being loaded is not wanted either.
func (t *thumbnails) Forget() {
	t.forgotten++
	t.Queue, t.Loading = nil, map[int64]bool{}
	t.Clear()
}

func (t *thumbnails) store(id int64, img image.Image) {
	if len(t.Recent) >= maxThumbnails {
		t.Recent, t.Earlier = map[int64]image.Image{}, t.Recent
	}
	t.Recent[id] = img
}

// loadNext loads what is in the queue, a few at a time.
func (t *thumbnails) loadNext() {
	for len(t.Queue) > 0 && len(t.Loading) < thumbnailLoaders {
		id := t.Queue[0]
		t.Queue = t.Queue[1:]
		t.Loading[id] = true
		fetch, before := t.mayFetch(), t.forgotten
		t.shell.Go(func() {
			img := t.load(t.shell.Ctx, id, fetch)
			if t.shell.Ctx.Err() == nil {
				t.shell.Do(func() {
					if before == t.forgotten {
						t.loaded(id, img)
					}
				})
			}
		})
	}
}

func (t *thumbnails) loaded(id int64, img image.Image) {
	delete(t.Loading, id)
	t.store(id, img)
	if img != nil {
		t.changed()
	}
	t.loadNext()
}

// load returns the first image of an article from the cache on disk or, if fetch is true, from its server; nil if it
// cannot be had.
func (t *thumbnails) load(ctx context.Context, id int64, fetch bool) image.Image {
	rows, err := t.shell.Home.Store.Articles.Load(ctx, []int64{id})
	if err != nil || len(rows) == 0 {
		return nil
	}
	html, _, err := t.shell.Home.Store.Articles.Body(ctx, id)
	if err != nil {
		return nil
	}
	if html, err = t.shell.Home.Column.FitHTML(ctx, html); err != nil {
		return nil
	}
	address := content.LeadPicture(html)
	if address == "" {
		return nil
	}
	get := t.shell.Home.Poller.Pictures(rows[0].Feed)
	if !fetch {
		get = nil
	}
	pic, err := t.shell.Home.Album.Load(ctx, address, image.Pt(2*thumbnailPixels, thumbnailPixels), get)
	if err != nil || pic.Image == nil {
		return nil
	}
	return pic.Image
}
