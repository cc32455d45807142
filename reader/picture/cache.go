package picture

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// DefaultCacheSize is the limit of a cache without a setting, in bytes.
const DefaultCacheSize = 500_000_000

// ErrCacheFull says that a cache holds nothing that may go for a picture to have room.
var ErrCacheFull = errors.New("the cache of pictures is full")

// Values tells what files of a cache, by their FileName, are worth: from 0, as of those that it does not name, to infinity, with
// which a file is never removed for lack of room.
type Values func() map[string]float64

// Cache stores pictures as files in a folder, by address, and never takes more than its limit: the files of the least value make
// room, of equal ones the least recently used. It has no index: what is in the folder is in the cache, so that a crash leaves
// nothing inconsistent. Its methods may be called from any goroutine.
type Cache struct {
	dir string
	now func() time.Time

	folder sync.Once // is read

	mu       sync.Mutex
	limit    int64  // bytes
	values   Values // may be nil
	opened   bool   // the folder was read
	files    map[string]file
	bytes    int64
	reserved int64 // bytes of files that are being written
}

type file struct {
	bytes int64
	used  time.Time
}

// NewCache returns a cache of at most limit bytes in a folder, which is created when it is needed.
func NewCache(dir string, limit int64, now func() time.Time) *Cache {
	return &Cache{dir: dir, limit: limit, now: now, files: map[string]file{}}
}

// SetValues sets what tells which files are worth more than others.
func (c *Cache) SetValues(values Values) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.values = values
}

// SetLimit changes the limit, in bytes. What exceeds it is removed at once, as far as it may go.
func (c *Cache) SetLimit(limit int64) error {
	c.open()
	c.mu.Lock()
	c.limit = max(0, limit)
	fits := c.bytes+c.reserved <= c.limit
	c.mu.Unlock()
	if fits {
		return nil
	}
	values := c.valuesNow()
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.evict(0, values); err != nil && !errors.Is(err, ErrCacheFull) {
		return err
	}
	return nil
}

// valuesNow returns what files are worth, nil if that is not known. It takes no lock while it asks.
func (c *Cache) valuesNow() map[string]float64 {
	c.mu.Lock()
	values := c.values
	c.mu.Unlock()
	if values == nil {
		return nil
	}
	return values()
}

// Has reports whether the picture of an address is stored.
func (c *Cache) Has(address string) bool {
	name := FileName(address)
	if _, there, known := c.file(name); known {
		return there
	}
	info, err := os.Lstat(filepath.Join(c.dir, name))
	return err == nil && info.Mode().IsRegular()
}

// file returns what is known of a file. While the folder was not read, known is false: who wants one picture of many looks on the disk
// for it instead of waiting until all are read.
func (c *Cache) file(name string) (f file, there, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f, there = c.files[name]
	return f, there, c.opened
}

// FileName returns the name of the file of an address.
func FileName(address string) string {
	sum := sha256.Sum256([]byte(address))
	return hex.EncodeToString(sum[:16])
}

const tempPrefix = ".part-" // of the names of files that are being written

// open reads the folder once and removes the unfinished files that a crash left. c.mu is not held.
func (c *Cache) open() {
	c.folder.Do(func() {
		files, bytes := map[string]file{}, int64(0)
		entries, _ := os.ReadDir(c.dir) // a missing folder is empty
		for _, e := range entries {
			info, err := e.Info()
			switch {
			case err != nil || !info.Mode().IsRegular():
			case strings.HasPrefix(e.Name(), tempPrefix):
				os.Remove(filepath.Join(c.dir, e.Name())) //nolint:errcheck // the next start tries again
			default:
				files[e.Name()] = file{info.Size(), info.ModTime()}
				bytes += info.Size()
			}
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.files, c.bytes, c.opened = files, bytes, true
	})
}

// Read returns the picture of an address.
func (c *Cache) Read(address string) ([]byte, bool) {
	name := FileName(address)
	f, there, known := c.file(name)
	if known && !there {
		return nil, false
	}
	path := filepath.Join(c.dir, name)
	body, err := os.ReadFile(path)
	switch {
	case err != nil && known:
		c.Remove(address)
		fallthrough
	case err != nil:
		return nil, false
	case known:
		c.touch(name, f)
	default:
		now := c.now()
		os.Chtimes(path, now, now) //nolint:errcheck // it is then removed sooner
	}
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

// Write stores a picture, atomically. One larger than the cache is not stored. Errors: ErrCacheFull, those of the file system.
func (c *Cache) Write(address string, body []byte) error {
	size := int64(len(body))
	if reserved, err := c.reserve(size); err != nil || !reserved {
		return err
	}
	if err := c.writeFile(FileName(address), body); err != nil {
		c.unreserve(size)
		return fmt.Errorf("cache a picture in %s: %w", c.dir, err)
	}
	return nil
}

// reserve makes room for so many bytes; reserved is false if they are more than the cache holds at all.
func (c *Cache) reserve(size int64) (reserved bool, err error) {
	c.open()
	c.mu.Lock()
	tooLarge, fits := size > c.limit, c.bytes+c.reserved+size <= c.limit
	if !tooLarge && fits {
		c.reserved += size
	}
	c.mu.Unlock()
	if tooLarge || fits {
		return !tooLarge, nil
	}
	values := c.valuesNow()
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.evict(size, values); err != nil {
		return false, err
	}
	c.reserved += size
	return true, nil
}

func (c *Cache) unreserve(size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reserved -= size
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
	c.reserved -= bytes
	c.files[name] = file{bytes, c.now()}
	return nil
}

// evict makes room for so many bytes. If there is none it removes files until a tenth of the limit is free besides, so that not every
// picture causes it. c.mu is held. Errors: ErrCacheFull.
func (c *Cache) evict(size int64, values map[string]float64) (err error) {
	if c.bytes+c.reserved+size <= c.limit {
		return nil
	}
	names := make([]string, 0, len(c.files))
	for name := range c.files {
		if !math.IsInf(values[name], 1) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(values[a], values[b]), c.files[a].used.Compare(c.files[b].used), cmp.Compare(a, b))
	})
	for _, name := range names {
		if c.bytes+c.reserved+size <= c.limit-c.limit/10 {
			break
		}
		err = errors.Join(err, c.remove(name))
	}
	if err == nil && c.bytes+c.reserved+size > c.limit {
		return ErrCacheFull
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
	c.open()
	c.mu.Lock()
	defer c.mu.Unlock()
	name := FileName(address)
	if _, there := c.files[name]; there {
		c.remove(name) //nolint:errcheck // it is evicted in time
	}
}

// Size returns how many bytes all pictures take.
func (c *Cache) Size() int64 {
	c.open()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}
