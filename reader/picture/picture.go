// Package picture gets the pictures of articles, from a cache on disk or through the Get of whoever makes requests, and
// makes of each what fits its place in the window.
package picture

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"net/url"
	"runtime/debug"
	"strings"
	"sync"
)

// MaxBody is how long a picture may be, in bytes.
const MaxBody = 20 << 20

// Errors a caller tells apart. ErrPicture comes wrapped with why, as a sentence could end.
var (
	ErrPicture = errors.New("this picture cannot be shown")
	ErrNotHere = errors.New("the picture is not stored on this machine")
)

// Get asks for the picture at an address and returns its bytes, MaxBody of them at most.
type Get func(ctx context.Context, address string) ([]byte, error)

// Picture is a picture in the size it is shown in. Width and Height are those it has by itself, upright, in pixels.
type Picture struct {
	Image         *image.RGBA
	Width, Height int
	Opaque        bool // nothing behind it is seen
}

// Bytes is the memory a picture takes.
func (p Picture) Bytes() int {
	if p.Image == nil {
		return 0
	}
	return len(p.Image.Pix)
}

const (
	requests = 6         // under way at once
	decoders = 1         // at once: one picture may take much memory
	large    = 8_000_000 // pixels of one that does
)

// Album has the pictures of articles. Its methods may be called from any goroutine.
type Album struct {
	cache  *Cache
	logger *slog.Logger
	lines  chan struct{} // a place for every request
	desks  chan struct{} // and for every decoder

	mu      sync.Mutex
	flights map[string]chan struct{} // closed when what is asked for has come, or has not
}

// NewAlbum returns an album over a cache. logger may be nil.
func NewAlbum(cache *Cache, logger *slog.Logger) *Album {
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	return &Album{cache: cache, logger: logger, lines: make(chan struct{}, requests), desks: make(chan struct{}, decoders),
		flights: map[string]chan struct{}{}}
}

// Cache is where the album keeps its pictures.
func (a *Album) Cache() *Cache { return a.cache }

// Load returns the picture at an address in a size that fits into box, in pixels; a zero side of it does not bind. What
// is not in the cache is asked for with get; without a get it is ErrNotHere. Errors: ErrPicture, ErrNotHere, get's, the
// context's.
func (a *Album) Load(ctx context.Context, address string, box image.Point, get Get) (Picture, error) {
	body, err := a.Body(ctx, address, get)
	if err != nil {
		return Picture{}, err
	}
	if err := enter(ctx, a.desks); err != nil {
		return Picture{}, err
	}
	defer leave(a.desks)
	p, err := Decode(body, box)
	if p.Width*p.Height > large {
		debug.FreeOSMemory() // what it took is needed no more, and would be kept for the next
	}
	return p, err
}

// Body returns the bytes of the picture at an address, as its server has them. Errors: those of Load.
func (a *Album) Body(ctx context.Context, address string, get Get) ([]byte, error) {
	if strings.HasPrefix(address, "data:") {
		return inline(address)
	}
	for {
		flight, mine := a.depart(address)
		if mine {
			defer a.land(address)
			return a.fetch(ctx, address, get)
		}
		select {
		case <-flight:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// depart begins to look for an address, unless that is being done.
func (a *Album) depart(address string) (flight chan struct{}, mine bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if flight, under := a.flights[address]; under {
		return flight, false
	}
	flight = make(chan struct{})
	a.flights[address] = flight
	return flight, true
}

func (a *Album) land(address string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	close(a.flights[address])
	delete(a.flights, address)
}

func (a *Album) fetch(ctx context.Context, address string, get Get) ([]byte, error) {
	if body, ok := a.cache.Read(address); ok {
		return body, nil
	}
	if get == nil {
		return nil, ErrNotHere
	}
	if err := enter(ctx, a.lines); err != nil {
		return nil, err
	}
	defer leave(a.lines)
	body, err := get(ctx, address)
	if err != nil {
		return nil, err
	}
	if err := a.cache.Write(address, body); err != nil {
		a.logger.Error("keep a picture", "err", err) // it is shown all the same
	}
	return body, nil
}

func enter(ctx context.Context, room chan struct{}) error {
	select {
	case room <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func leave(room chan struct{}) { <-room }

// inline returns the picture that an address holds itself (RFC 2397).
func inline(address string) ([]byte, error) {
	kind, data, ok := strings.Cut(address, ",")
	if !ok {
		return nil, fmt.Errorf("%w: its address is broken off", ErrPicture)
	}
	data, err := url.PathUnescape(data)
	if err != nil {
		return nil, fmt.Errorf("%w: its address is broken: %w", ErrPicture, err)
	}
	if !strings.HasSuffix(kind, ";base64") {
		return []byte(data), nil
	}
	data = strings.TrimRight(strings.Join(strings.Fields(data), ""), "=")
	body, err := base64.RawStdEncoding.DecodeString(data)
	if err != nil {
		return nil, fmt.Errorf("%w: its address is broken: %w", ErrPicture, err)
	}
	return body, nil
}
