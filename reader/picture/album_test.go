package picture

import (
	"context"
	"encoding/base64"
	"errors"
	"image"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestAlbumRequestsOnce(t *testing.T) {
	dir, body := t.TempDir(), encoded(t, quarters(60, 40), "png")
	now := func() time.Time { return noon }
	a := NewAlbum(NewCache(dir, 1<<20, now), nil)
	var requests atomic.Int32
	get := func(context.Context, string) ([]byte, error) {
		requests.Add(1)
		return body, nil
	}
	if _, err := a.Load(t.Context(), "http://a/", image.Point{}, nil); !errors.Is(err, ErrNotCached) {
		t.Errorf("without a request: %v", err)
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			p, err := a.Load(t.Context(), "http://a/", image.Pt(30, 0), get)
			if err != nil || p.Image.Bounds().Dx() != 30 {
				t.Errorf("%v, %v", p.Image, err)
			}
		})
	}
	all.Wait()
	if n := requests.Load(); n != 1 {
		t.Errorf("%d requests", n)
	}
	a = NewAlbum(NewCache(dir, 1<<20, now), nil) // after a restart
	if _, err := a.Load(t.Context(), "http://a/", image.Point{}, nil); err != nil {
		t.Errorf("from the cache: %v", err)
	}
}

func TestAlbumFailure(t *testing.T) {
	a := NewAlbum(NewCache(t.TempDir(), 1<<20, time.Now), nil)
	no := errors.New("no")
	_, err := a.Load(t.Context(), "http://a/", image.Point{}, func(context.Context, string) ([]byte, error) { return nil, no })
	if !errors.Is(err, no) {
		t.Error(err)
	}
	_, err = a.Load(t.Context(), "http://a/", image.Point{}, func(context.Context, string) ([]byte, error) { return []byte("page"), nil })
	if !isUnusable(err) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = a.Load(ctx, "http://b/", image.Point{}, func(ctx context.Context, _ string) ([]byte, error) { return nil, ctx.Err() })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// What a server has said of a picture is the answer to all who wait for it; who gives up is no answer.
func TestAlbumAsksOnceForWhatIsNotThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := NewAlbum(NewCache(t.TempDir(), 1<<20, time.Now), nil)
		no := errors.New("no")
		requests, answer := 0, make(chan struct{})
		get := func(ctx context.Context, _ string) ([]byte, error) {
			requests++
			select {
			case <-answer:
				return nil, no
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		gone, leave := context.WithCancel(t.Context())
		go a.Load(gone, "http://a/", image.Point{}, get) //nolint:errcheck // it is left
		synctest.Wait()
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				if _, err := a.Load(t.Context(), "http://a/", image.Point{}, get); !errors.Is(err, no) {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		leave()
		synctest.Wait()
		close(answer)
		all.Wait()
		if requests != 2 {
			t.Errorf("%d requests", requests)
		}
	})
}

// A picture that takes long does not hold up another one; leaving ends the wait for one that takes much memory.
func TestAlbumBusy(t *testing.T) {
	a := NewAlbum(NewCache(t.TempDir(), 1<<20, time.Now), nil)
	body := encoded(t, quarters(60, 40), "png")
	get := func(context.Context, string) ([]byte, error) { return body, nil }
	a.decoders <- struct{}{}
	if _, err := a.Load(t.Context(), "http://a/", image.Point{}, get); err != nil {
		t.Error(err)
	}
	if !a.memory.TryAcquire(maxMemory) {
		t.Fatal("memory is still held")
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := a.Load(ctx, "http://a/", image.Point{}, get); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}

// A folder that cannot be written to only costs the cache.
func TestAlbumWithoutCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	a := NewAlbum(NewCache(dir, 1<<20, time.Now), nil)
	body := encoded(t, quarters(60, 40), "png")
	if _, err := a.Load(t.Context(), "http://a/", image.Point{}, func(context.Context, string) ([]byte, error) { return body, nil }); err != nil {
		t.Error(err)
	}
}

func TestAlbumDataURL(t *testing.T) {
	a := NewAlbum(NewCache(t.TempDir(), 1<<20, time.Now), nil)
	text := base64.StdEncoding.EncodeToString(encoded(t, quarters(60, 40), "png"))
	if _, err := a.Load(t.Context(), "data:image/png;base64,"+text, image.Point{}, nil); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"data:image/png", "data:image/png;base64,%%%", "data:image/png;base64,!", "data:,text"} {
		if _, err := a.Load(t.Context(), bad, image.Point{}, nil); !isUnusable(err) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
