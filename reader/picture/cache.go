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

// DefaultCache is how many bytes of pictures are kept where nobody says otherwise.
const DefaultCache = 256 << 20

// Cache keeps pictures as files in a folder, by address, and forgets those not looked at for longest when they take more
// than they may. It has no index: what is in the folder is in the cache, so that nothing can be at odds with it after a
// crash. Its methods may be called from any goroutine.
type Cache struct {
	dir  string
	most int64
	now  func() time.Time

	mu    sync.Mutex
	read  bool // the folder was
	files map[string]file
	bytes int64
}

type file struct {
	bytes int64
	used  time.Time
}

// NewCache returns a cache of at most so many bytes in a folder, which is made when it is needed.
func NewCache(dir string, most int64, now func() time.Time) *Cache {
	return &Cache{dir: dir, most: most, now: now, files: map[string]file{}}
}

// nameOf is the file of an address.
func nameOf(address string) string {
	sum := sha256.Sum256([]byte(address))
	return hex.EncodeToString(sum[:16])
}

const unfinished = ".part-" // begins the names of files that are being written

// open looks, once, at what is in the folder; what a crash left unfinished is removed. c.mu is held.
func (c *Cache) open() {
	if c.read {
		return
	}
	c.read = true
	entries, _ := os.ReadDir(c.dir) // a folder that is not there yet is empty
	for _, e := range entries {
		info, err := e.Info()
		switch {
		case err != nil || !info.Mode().IsRegular():
		case strings.HasPrefix(e.Name(), unfinished):
			os.Remove(filepath.Join(c.dir, e.Name())) //nolint:errcheck // it is tried again at the next start
		default:
			c.files[e.Name()] = file{info.Size(), info.ModTime()}
			c.bytes += info.Size()
		}
	}
}

// Read returns the picture of an address.
func (c *Cache) Read(address string) ([]byte, bool) {
	name := nameOf(address)
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
		c.Drop(address)
		return nil, false
	}
	c.touch(name, f)
	return body, true
}

// touch notes that a file was looked at, in the file itself at most once an hour.
func (c *Cache) touch(name string, f file) {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, there := c.files[name]; !there || now.Sub(f.used) < time.Hour {
		return
	}
	c.files[name] = file{f.bytes, now}
	os.Chtimes(filepath.Join(c.dir, name), now, now) //nolint:errcheck // it is then forgotten sooner
}

// Write keeps a picture: whole or not at all.
func (c *Cache) Write(address string, body []byte) error {
	if int64(len(body)) > c.most {
		return nil
	}
	c.mu.Lock()
	c.open()
	c.mu.Unlock()
	if err := c.put(nameOf(address), body); err != nil {
		return fmt.Errorf("keep a picture in %s: %w", c.dir, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shed()
}

func (c *Cache) put(name string, body []byte) error {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(c.dir, unfinished+"*")
	if err != nil {
		return err
	}
	_, err = f.Write(body)
	now := c.now()
	if err = errors.Join(err, f.Sync(), f.Close(), os.Chtimes(f.Name(), now, now)); err == nil {
		err = c.admit(f.Name(), name, int64(len(body)))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// admit gives a finished file its name.
func (c *Cache) admit(path, name string, bytes int64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := os.Rename(path, filepath.Join(c.dir, name)); err != nil {
		return err
	}
	c.bytes += bytes - c.files[name].bytes
	c.files[name] = file{bytes, c.now()}
	return nil
}

// shed forgets those not looked at for longest, a tenth more than it must so that it is not done for every picture.
// c.mu is held.
func (c *Cache) shed() (err error) {
	if c.bytes <= c.most {
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
		if c.bytes <= c.most-c.most/10 {
			break
		}
		err = errors.Join(err, c.remove(name))
	}
	return err
}

func (c *Cache) remove(name string) error {
	if err := os.Remove(filepath.Join(c.dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("forget a picture: %w", err)
	}
	c.bytes -= c.files[name].bytes
	delete(c.files, name)
	return nil
}

// Drop forgets the picture of an address.
func (c *Cache) Drop(address string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open()
	name := nameOf(address)
	if _, there := c.files[name]; there {
		c.remove(name) //nolint:errcheck // it is forgotten in its turn
	}
}

// Clear forgets all pictures.
func (c *Cache) Clear() (err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open()
	for name := range c.files {
		err = errors.Join(err, c.remove(name))
	}
	return err
}

// Size is how many bytes all pictures take.
func (c *Cache) Size() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open()
	return c.bytes
}
