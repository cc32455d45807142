package picture

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// DefaultCacheSize is the limit of a cache without a setting, in bytes.
const DefaultCacheSize = 256 << 20

// Cache stores pictures as files in a folder, by address, and removes the least recently used ones when it exceeds its
// limit. It has no index: what is in the folder is in the cache, so that a crash leaves nothing inconsistent. Its methods
// may be called from any goroutine.
type Cache struct {
	dir   string
	limit int64 // bytes
	now   func() time.Time

	mu     sync.Mutex
	opened bool // the folder was read
	files  map[string]file
	bytes  int64
}

type file struct {
	bytes int64
	used  time.Time
}

// NewCache returns a cache of at most limit bytes in a folder, which is created when it is needed.
func NewCache(dir string, limit int64, now func() time.Time) *Cache {
	return &Cache{dir: dir, limit: limit, now: now, files: map[string]file{}}
}

// fileName returns the name of the file of an address.
func fileName(address string) string {
	sum := sha256.Sum256([]byte(address))
	return hex.EncodeToString(sum[:16])
}

const tempPrefix = ".part-" // of the names of files that are being written

// open reads the folder once and removes the unfinished files that a crash left. c.mu is held.
func (c *Cache) open() {
	if c.opened {
		return
	}
	c.opened = true
	entries, _ := os.ReadDir(c.dir) // a missing folder is empty
	for _, e := range entries {
		info, err := e.Info()
		switch {
		case err != nil || !info.Mode().IsRegular():
		case strings.HasPrefix(e.Name(), tempPrefix):
			os.Remove(filepath.Join(c.dir, e.Name())) //nolint:errcheck // the next start tries again
		default:
			c.files[e.Name()] = file{info.Size(), info.ModTime()}
			c.bytes += info.Size()
		}
	}
}

// Read returns the picture of an address.
func (c *Cache) Read(address string) ([]byte, bool) {
	name := fileName(address)
	c.mu.Lock()
	c.open()
	f, ok := c.files[name]
	c.mu.Unlock()
	if !ok {
		return nil, false
	}
	path := filepath.Join(c.dir, name)
	body, err := os.ReadFile(path)
	if err != nil {
		c.Remove(address)
		return nil, false
	}
	c.touch(name, f)
	return body, true
}

// touch notes that a file was read, in the file system at most once an hour.
func (c *Cache) touch(name string, f file) {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, there := c.files[name]; !there || now.Sub(f.used) < time.Hour {
		return
	}
	c.files[name] = file{f.bytes, now}
	os.Chtimes(filepath.Join(c.dir, name), now, now) //nolint:errcheck // it is then removed sooner
}

// Write stores a picture, atomically. One larger than the cache is not stored.
func (c *Cache) Write(address string, body []byte) error {
	if int64(len(body)) > c.limit {
		return nil
	}
	c.mu.Lock()
	c.open()
	c.mu.Unlock()
	if err := c.writeFile(fileName(address), body); err != nil {
		return fmt.Errorf("cache a picture in %s: %w", c.dir, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.evict()
}

func (c *Cache) writeFile(name string, body []byte) error {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(c.dir, tempPrefix+"*")
	if err != nil {
		return err
	}
	_, err = f.Write(body)
	now := c.now()
	if err = errors.Join(err, f.Sync(), f.Close(), os.Chtimes(f.Name(), now, now)); err == nil {
		err = c.rename(f.Name(), name, int64(len(body)))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// rename gives a finished file its name.
func (c *Cache) rename(path, name string, bytes int64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := os.Rename(path, filepath.Join(c.dir, name)); err != nil {
		return err
	}
	c.bytes += bytes - c.files[name].bytes
	c.files[name] = file{bytes, c.now()}
	return nil
}

// evict removes the least recently used files until a tenth of the limit is free, so that not every picture causes it.
// c.mu is held.
func (c *Cache) evict() (err error) {
	if c.bytes <= c.limit {
		return nil
	}
	names := make([]string, 0, len(c.files))
	for name := range c.files {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(c.files[a].used.Compare(c.files[b].used), cmp.Compare(a, b))
	})
	for _, name := range names {
		if c.bytes <= c.limit-c.limit/10 {
			break
		}
		err = errors.Join(err, c.remove(name))
	}
	return err
}

func (c *Cache) remove(name string) error {
	if err := os.Remove(filepath.Join(c.dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove a cached picture: %w", err)
	}
	c.bytes -= c.files[name].bytes
	delete(c.files, name)
	return nil
}

// Remove removes the picture of an address.
func (c *Cache) Remove(address string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open()
	name := fileName(address)
	if _, there := c.files[name]; there {
		c.remove(name) //nolint:errcheck // it is evicted in time
	}
}

// Clear removes all pictures.
func (c *Cache) Clear() (err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open()
	for name := range c.files {
		err = errors.Join(err, c.remove(name))
	}
	return err
}

// Size returns how many bytes all pictures take.
func (c *Cache) Size() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open()
	return c.bytes
}
