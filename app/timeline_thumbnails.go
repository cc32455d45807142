package app

import (
	"context"
	"image"
	"slices"

	"kairos/reader"
	"kairos/reader/content"
)

// prefThumbs is whether the list shows a picture of each article.
const prefThumbs = "list.pictures"

const (
	thumbSide   = 56  // units
	thumbPixels = 112 // as on a screen of twice the density
	maxThumbs   = 256 // kept decoded, twice: those shown lately and those before, 50 kB each
	maxAwaited  = 32  // wait to be loaded: what was scrolled past is no longer wanted
	thumbsBusy  = 4   // are loaded at once
)

// thumbs are small pictures of the articles on screen, where the user wants them. They
// belong to Fyne's goroutine.
type thumbs struct {
	w              *window
	on             bool
	lately, before map[int64]image.Image // by article; nil: it has none
	wanted         []int64               // the last one first
	loading        map[int64]bool
}

func newThumbs(w *window) *thumbs {
	return &thumbs{w: w, on: w.app.Preferences().Bool(prefThumbs), lately: map[int64]image.Image{}, loading: map[int64]bool{}}
}

// turn shows or hides them.
func (s *thumbs) turn(on bool) {
	s.on = on
	s.w.app.Preferences().SetBool(prefThumbs, on)
	s.w.timeline.list.Refresh()
}

// get is the picture of an article; nil if it has none, or it is still to be loaded, which
// then happens.
func (s *thumbs) get(a *reader.Article) image.Image {
	if !s.on || a == nil {
		return nil
	}
	for _, known := range []map[int64]image.Image{s.lately, s.before} {
		if img, ok := known[a.ID]; ok {
			s.keep(a.ID, img)
			return img
		}
	}
	if s.loading[a.ID] || slices.Contains(s.wanted, a.ID) {
		return nil
	}
	s.wanted = append([]int64{a.ID}, s.wanted...)
	s.wanted = s.wanted[:min(len(s.wanted), maxAwaited)]
	s.next()
	return nil
}

// forget lets those that could not be had be tried again.
func (s *thumbs) forget() {
	s.lately, s.before = map[int64]image.Image{}, nil
	if s.on {
		s.w.timeline.list.Refresh()
	}
}

func (s *thumbs) keep(id int64, img image.Image) {
	if len(s.lately) >= maxThumbs {
		s.lately, s.before = map[int64]image.Image{}, s.lately
	}
	s.lately[id] = img
}

// next loads what is wanted, a few at a time.
func (s *thumbs) next() {
	for len(s.wanted) > 0 && len(s.loading) < thumbsBusy {
		id := s.wanted[0]
		s.wanted = s.wanted[1:]
		s.loading[id] = true
		ask := s.w.pictures.automatic()
		s.w.Go(func() {
			img := s.load(s.w.Ctx, id, ask)
			if s.w.Ctx.Err() == nil {
				s.w.Do(func() { s.loaded(id, img) })
			}
		})
	}
}

func (s *thumbs) loaded(id int64, img image.Image) {
	delete(s.loading, id)
	s.keep(id, img)
	if img != nil {
		s.w.timeline.list.Refresh()
	}
	s.next()
}

// load reads which picture an article begins with, and gets it: from the cache, or if ask is true by a
// request. What cannot be had is none.
func (s *thumbs) load(ctx context.Context, id int64, ask bool) image.Image {
	rows, err := s.w.home.Store.Articles.Load(ctx, []int64{id})
	if err != nil || len(rows) == 0 {
		return nil
	}
	html, _, err := s.w.home.Store.Articles.Body(ctx, id)
	if err != nil {
		return nil
	}
	address := content.LeadPicture(html)
	if address == "" {
		return nil
	}
	get := s.w.home.Poller.Pictures(rows[0].Feed)
	if !ask {
		get = nil
	}
	pic, err := s.w.home.Album.Load(ctx, address, image.Pt(2*thumbPixels, thumbPixels), get)
	if err != nil || pic.Image == nil {
		return nil
	}
	return pic.Image
}
