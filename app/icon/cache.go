package icon

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"maps"

	"kairos/app/async"
	"kairos/app/look"
	"kairos/poller/icons"
)

// maxCached is how many icons each of the two generations of the cache holds, 4 kB each.
const maxCached = 512

// maxQueue is how many icons wait to be decoded: what was scrolled past is not wanted any more.
const maxQueue = 64

// Cache decodes the icons of feeds when a row first shows them. It belongs to Fyne's goroutine.
type Cache struct {
	*async.Jobs
	read            func(context.Context, icons.Icon) ([]byte, error) // an icon as PNG
	ofFeed          map[int64]icons.Icon
	recent, earlier map[icons.Icon]*Image // in two generations
	wanted          map[icons.Icon]bool
	queue           []icons.Icon // the wanted icons that are not being loaded yet
	loading         bool
	changed         func() // called when there are other icons to show
}

// Image is a decoded icon. It is lost on a background on which it would hardly be seen.
type Image struct {
	image.Image
	LostOnLight, lostOnDark bool
}

func NewCache(j *async.Jobs, read func(context.Context, icons.Icon) ([]byte, error), changed func()) *Cache {
	return &Cache{Jobs: j, read: read, recent: map[icons.Icon]*Image{}, wanted: map[icons.Icon]bool{}, changed: changed}
}

// SetFeeds says which icon each feed has.
func (s *Cache) SetFeeds(ofFeed map[int64]icons.Icon) {
	if !maps.Equal(s.ofFeed, ofFeed) {
		s.ofFeed = ofFeed
		s.changed()
	}
}

// Get returns the icon of a feed. It is nil if the feed has none or it is not loaded yet; it then is.
func (s *Cache) Get(feed int64) *Image {
	id, ok := s.ofFeed[feed]
	if !ok {
		return nil
	}
	if p, ok := s.recent[id]; ok {
		return p
	}
	if p, ok := s.earlier[id]; ok {
		s.store(id, p)
		return p
	}
	if !s.wanted[id] {
		s.wanted[id] = true
		if s.queue = append(s.queue, id); len(s.queue) > maxQueue {
			delete(s.wanted, s.queue[0])
			s.queue = s.queue[1:]
		}
	}
	if !s.loading {
		s.loading = true
		s.Do(s.load) // when all rows on screen have asked for theirs
	}
	return nil
}

// store puts an icon into the cache. Icons that were not shown for long leave it.
func (s *Cache) store(id icons.Icon, p *Image) {
	if len(s.recent) >= maxCached {
		s.recent, s.earlier = map[icons.Icon]*Image{}, s.recent
	}
	s.recent[id] = p
}

// load decodes the wanted icons off Fyne's goroutine.
func (s *Cache) load() {
	ids := s.queue
	s.queue = nil
	s.Go(func() {
		loaded := make([]*Image, len(ids))
		for i, id := range ids {
			loaded[i] = s.decode(s.Ctx, id)
		}
		if s.Ctx.Err() == nil {
			s.Do(func() { s.loaded(ids, loaded) })
		}
	})
}

// loaded shows the icons, and loads what is wanted by now.
func (s *Cache) loaded(ids []icons.Icon, icons []*Image) {
	for i, id := range ids {
		delete(s.wanted, id)
		s.store(id, icons[i])
	}
	s.changed()
	if s.loading = len(s.queue) > 0; s.loading {
		s.load()
	}
}

// decode reads an icon; nil if it does not exist any more.
func (s *Cache) decode(ctx context.Context, id icons.Icon) *Image {
	raw, err := s.read(ctx, id)
	if err != nil {
		return nil
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil
	}
	return newImage(img)
}

func newImage(img image.Image) *Image {
	background := func(v look.Variant) color.Color { return look.New(v).Color(look.ColorSidebar, 0) }
	return &Image{img, lostOn(img, background(look.Light)), lostOn(img, background(look.Dark))}
}

// lostOn reports whether an icon with transparent parts hardly differs from the background: black on dark, or white on
// light.
func lostOn(img image.Image, background color.Color) bool {
	const seen, enough = 1.6, 0.15 // contrast, share of what is painted
	b := img.Bounds()
	painted, visible := 0, 0
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			if c.A < 0x60 {
				continue
			}
			if painted++; look.Contrast(c, background) >= seen {
				visible++
			}
		}
	}
	transparent := painted < b.Dx()*b.Dy()*9/10
	return transparent && float64(visible) < enough*float64(painted)
}
