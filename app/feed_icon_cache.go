package app

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"maps"

	"kairos/app/look"
	"kairos/poller/icons"
)

// maxIcons is how many pictures are kept decoded, twice: those asked for lately and
// those before, 4 kB each.
const maxIcons = 512

// maxWanted is how many wait to be decoded: what was scrolled past is no longer wanted.
const maxWanted = 64

// iconCache holds the icons of feeds, decoded when a row first shows them. They belong to
// Fyne's goroutine.
type iconCache struct {
	w              *window
	of             map[int64]icons.Icon // by feed
	lately, before map[icons.Icon]*picture
	wanted         map[icons.Icon]bool
	queue          []icons.Icon // of those wanted, the ones nobody is loading yet
	loading        bool
}

// picture is a decoded icon, and whether it would not be seen on our grounds.
type picture struct {
	image.Image
	lostOnLight, lostOnDark bool
}

func newIconCache(w *window) *iconCache {
	return &iconCache{w: w, lately: map[icons.Icon]*picture{}, wanted: map[icons.Icon]bool{}}
}

// show puts what is known of icons in place of what was.
func (s *iconCache) show(of map[int64]icons.Icon) {
	if !maps.Equal(s.of, of) {
		s.of = of
		s.w.timeline.list.Refresh()
	}
}

// get is the picture of a feed; nil if it has none or it is still to be loaded, which
// then happens.
func (s *iconCache) get(feed int64) *picture {
	id, ok := s.of[feed]
	if !ok {
		return nil
	}
	if p, ok := s.lately[id]; ok {
		return p
	}
	if p, ok := s.before[id]; ok {
		s.keep(id, p)
		return p
	}
	if !s.wanted[id] {
		s.wanted[id] = true
		if s.queue = append(s.queue, id); len(s.queue) > maxWanted {
			delete(s.wanted, s.queue[0])
			s.queue = s.queue[1:]
		}
	}
	if !s.loading {
		s.loading = true
		s.w.Do(s.load) // when all rows on screen have said what they want
	}
	return nil
}

// keep remembers a picture and in time forgets those not shown for long.
func (s *iconCache) keep(id icons.Icon, p *picture) {
	if len(s.lately) >= maxIcons {
		s.lately, s.before = map[icons.Icon]*picture{}, s.lately
	}
	s.lately[id] = p
}

// load decodes what is wanted, off Fyne's goroutine.
func (s *iconCache) load() {
	ids := s.queue
	s.queue = nil
	s.w.Go(func() {
		loaded := make([]*picture, len(ids))
		for i, id := range ids {
			loaded[i] = s.decode(s.w.Ctx, id)
		}
		if s.w.Ctx.Err() == nil {
			s.w.Do(func() { s.loaded(ids, loaded) })
		}
	})
}

// loaded shows what was wanted and goes on with what is wanted meanwhile.
func (s *iconCache) loaded(ids []icons.Icon, pictures []*picture) {
	for i, id := range ids {
		delete(s.wanted, id)
		s.keep(id, pictures[i])
	}
	s.w.sidebar.list.Refresh()
	s.w.timeline.list.Refresh()
	if s.loading = len(s.queue) > 0; s.loading {
		s.load()
	}
}

// decode reads a picture; nil if there is none any more.
func (s *iconCache) decode(ctx context.Context, id icons.Icon) *picture {
	raw, err := s.w.home.Poller.Icons().PNG(ctx, id)
	if err != nil {
		return nil
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil
	}
	return newPicture(img)
}

func newPicture(img image.Image) *picture {
	ground := func(v look.Variant) color.Color { return look.New(v).Color(look.ColorSidebar, 0) }
	return &picture{img, lostOn(img, ground(look.Light)), lostOn(img, ground(look.Dark))}
}

// lostOn reports whether a picture with a transparent ground hardly differs from what it
// stands on: black marks in the dark, white ones in the light.
func lostOn(img image.Image, ground color.Color) bool {
	const seen, enough = 1.6, 0.15 // contrast, share of what is painted
	b := img.Bounds()
	painted, visible := 0, 0
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			if c.A < 0x60 {
				continue
			}
			if painted++; look.Contrast(c, ground) >= seen {
				visible++
			}
		}
	}
	transparent := painted < b.Dx()*b.Dy()*9/10
	return transparent && float64(visible) < enough*float64(painted)
}
