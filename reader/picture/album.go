// Package picture loads the pictures of articles, from a cache on disk or through a Get that makes requests, and scales
// each to its place in the window.
package picture

import (
	"context"
	"errors"
	"image"
	"log/slog"
	"runtime/debug"
	"sync"

	"golang.org/x/sync/semaphore"

	"kairos/reader/imaging"
)

// MaxBody is the largest size of a picture's file, in bytes.
const MaxBody = 20 << 20

// ErrNotCached says that a picture is not stored on this machine, and was not to be requested.
var ErrNotCached = errors.New("the picture is not stored on this machine")

// Get requests the picture at an address and returns its bytes, at most MaxBody of them.
type Get func(ctx context.Context, address string) ([]byte, error)

// Picture is a picture in the size it is shown in. Width and Height are its own, upright, in pixels.
type Picture struct {
	Image         *image.RGBA
	Width, Height int
	Opaque        bool    // no pixel is transparent
	Motion        *Motion // nil: it stands still
}

// Bytes returns the memory a picture takes.
func (p Picture) Bytes() int {
	if p.Image == nil {
		return 0
	}
	if p.Motion != nil {
		return p.Motion.Bytes() // Image is its first frame
	}
	return len(p.Image.Pix)
}

const (
	maxRequests = 6         // at once
	maxDecoders = 2         // at once, while their memory allows: one that takes long does not hold up the others
	largePixels = 8_000_000 // of a picture whose memory is given back at once
)

// Album loads pictures. Its methods may be called from any goroutine.
type Album struct {
	cache    *Cache
	logger   *slog.Logger
	requests chan struct{} // semaphores
	decoders chan struct{}
	memory   *semaphore.Weighted // bytes, for all decoders

	mu      sync.Mutex
	loading map[string]*loading // by address
}

// loading is the load of a picture, which others wait for.
type loading struct {
	done chan struct{} // closed when it ends
	err  error         // why nobody is to ask again at once; nil: the picture is there, or was not asked for
}

// NewAlbum returns an album with a cache. logger may be nil.
func NewAlbum(cache *Cache, logger *slog.Logger) *Album {
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	return &Album{cache: cache, logger: logger, requests: make(chan struct{}, maxRequests), decoders: make(chan struct{}, maxDecoders),
		memory:  semaphore.NewWeighted(maxMemory),
		loading: map[string]*loading{}}
}

// Cache returns the album's cache.
func (a *Album) Cache() *Cache { return a.cache }

// Load returns the picture at an address, scaled down to fit into box, in pixels; a side of 0 sets no limit. What is not
// cached is requested with get, if that is not nil. Errors: *imaging.Error, ErrNotCached, get's, the context's.
func (a *Album) Load(ctx context.Context, address string, box image.Point, get Get) (Picture, error) {
	return a.load(ctx, address, box, false, get)
}

// LoadMoving is Load with all frames of an animated picture, where they are within the limits.
func (a *Album) LoadMoving(ctx context.Context, address string, box image.Point, get Get) (Picture, error) {
	return a.load(ctx, address, box, true, get)
}

func (a *Album) load(ctx context.Context, address string, box image.Point, moving bool, get Get) (Picture, error) {
	body, err := a.Body(ctx, address, get)
	if err != nil {
		return Picture{}, err
	}
	if err := acquire(ctx, a.decoders); err != nil {
		return Picture{}, err
	}
	defer release(a.decoders)
	p, err := decode(ctx, body, box, moving, a.memory)
	if p.Width*p.Height > largePixels {
		debug.FreeOSMemory()
	}
	return p, err
}

// Body returns the bytes of the picture at an address, as its server sent them. Errors: those of Load.
func (a *Album) Body(ctx context.Context, address string, get Get) ([]byte, error) {
	if body, isData, err := imaging.DataURL(address); isData {
		return body, err
	}
	for {
		l, first := a.begin(address)
		if first {
			body, err := a.readOrRequest(ctx, address, get)
			a.end(ctx, address, err)
			return body, err
		}
		if err := l.wait(ctx); err != nil {
			return nil, err
		}
	}
}

// wait returns why a picture cannot be had, when its load has ended, or the error of the context.
func (l *loading) wait(ctx context.Context) error {
	select {
	case <-l.done:
		return l.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Store requests the picture at an address and stores it in the cache, unless it is there. It returns how many bytes were stored.
// Errors: get's, those of Cache.Write, the context's.
func (a *Album) Store(ctx context.Context, address string, get Get) (bytes int64, err error) {
	for !a.cache.Has(address) {
		l, first := a.begin(address)
		if first {
			body, err := get(ctx, address)
			if err == nil {
				err = a.cache.Write(address, body)
			}
			a.end(ctx, address, err)
			if err != nil {
				return 0, err
			}
			return int64(len(body)), nil
		}
		if err := l.wait(ctx); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// begin notes that an address is being loaded, and reports whether it was not already.
func (a *Album) begin(address string) (l *loading, first bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if l := a.loading[address]; l != nil {
		return l, false
	}
	l = &loading{done: make(chan struct{})}
	a.loading[address] = l
	return l, true
}

// end ends the load of an address. What its server said is the answer to all who wait; what was not asked for, or given up, they ask
// for themselves.
func (a *Album) end(ctx context.Context, address string, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	l := a.loading[address]
	if ctx.Err() == nil && !errors.Is(err, ErrNotCached) {
		l.err = err
	}
	close(l.done)
	delete(a.loading, address)
}

func (a *Album) readOrRequest(ctx context.Context, address string, get Get) ([]byte, error) {
	if body, ok := a.cache.Read(address); ok {
		return body, nil
	}
	if get == nil {
		return nil, ErrNotCached
	}
	if err := acquire(ctx, a.requests); err != nil {
		return nil, err
	}
	defer release(a.requests)
	body, err := get(ctx, address)
	if err != nil {
		return nil, err
	}
	if err := a.cache.Write(address, body); err != nil {
		a.logger.Error("cache a picture", "err", err) // it is shown all the same
	}
	return body, nil
}

func acquire(ctx context.Context, semaphore chan struct{}) error {
	select {
	case semaphore <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func release(semaphore chan struct{}) { <-semaphore }
