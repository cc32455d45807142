package imports

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Options say how a source is opened.
type Options struct {
	From Reader    // "": by what is there
	Temp string    // folder for copies; "": that of the system
	Now  time.Time // articles are not read later than this
}

// format is one kind of source.
type format struct {
	reader Reader
	find   func(dir string) string            // the file of a source in a folder; "" if there is none
	is     func(b *beginning) bool            // reports whether a file is of this kind
	open   func(context.Context, *file) error // reads what there is before the articles
}

// formats are tried in this order.
var formats = []format{exportFormat, newsboatFormat, lifereaFormat, rssGuardFormat, quiteRSSFormat, netNewsWireFormat, thunderbirdFormat, akregatorFormat, exportZipFormat, freshRSSFormat, kairosFormat, feedlyFormat, minifluxFormat, streamFormat, ttrssFormat, listFormat}

// file is a source that is being opened.
type file struct {
	*Source
	options Options
	head    *beginning
	db      *database // of those that have one

	index     map[string]int    // of Feeds by ID
	addresses map[string]string // IDs of feeds by addresses as they are written
}

// beginning is what the kind of a file is told by.
type beginning struct {
	path   string
	bytes  []byte
	db     *database       // if it is one
	tables map[string]bool // of a database, by their names in lower case
}

func (b *beginning) close() error {
	if b.db == nil {
		return nil
	}
	return b.db.Close()
}

// headSize is how much of a file its kind is told by.
const headSize = 256 << 10

// Open opens a file, or a folder with files, of another reader. The source has to be closed. Errors: *Error, the context's.
func Open(ctx context.Context, path string, o Options) (*Source, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &Error{Code: Missing, File: path}
	case err != nil:
		return nil, &Error{Code: Damaged, File: path, Err: err}
	case info.IsDir():
		return openFolder(ctx, path, o)
	case !info.Mode().IsRegular():
		return nil, &Error{Code: NotKnown, File: path}
	}
	head, err := readBeginning(ctx, path, o)
	if err != nil {
		return nil, err
	}
	for _, f := range formats {
		if (o.From == "" || o.From == f.reader) && f.is(head) {
			return f.openFile(ctx, head, o)
		}
	}
	return nil, errors.Join(&Error{Code: NotKnown, File: path}, head.close())
}

// ReaderOf returns which reader a file or a folder seems to be of, by its beginning alone: Open may still refuse it. It returns
// Database of any database, and "" of what seems to be of no reader.
func ReaderOf(path string) Reader {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	if info.IsDir() {
		return formatOf(func(f format) bool { return f.find != nil && f.find(path) != "" })
	}
	if !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	b := &beginning{path: path, bytes: make([]byte, headSize)}
	n, _ := io.ReadFull(f, b.bytes)
	b.bytes = b.bytes[:n]
	if b.isDatabase() {
		return Database
	}
	return formatOf(func(f format) bool { return f.is(b) })
}

func formatOf(is func(format) bool) Reader {
	if at := slices.IndexFunc(formats, is); at >= 0 {
		return formats[at].reader
	}
	return ""
}

func openFolder(ctx context.Context, dir string, o Options) (*Source, error) {
	for _, f := range formats {
		if o.From != "" && o.From != f.reader || f.find == nil {
			continue
		}
		if name := f.find(dir); name != "" {
			head, err := readBeginning(ctx, name, o)
			if err != nil {
				return nil, err
			}
			if f.is(head) {
				return f.openFile(ctx, head, o)
			}
			if err := head.close(); err != nil {
				return nil, err
			}
		}
	}
	return nil, &Error{Code: NotKnown, File: dir}
}

func (f format) openFile(ctx context.Context, head *beginning, o Options) (*Source, error) {
	src := &file{Source: &Source{Reader: f.reader, Path: head.path, close: head.close}, options: o, head: head, db: head.db}
	src.Watched = modified(head.path)
	if err := f.open(ctx, src); err != nil {
		return nil, errors.Join(err, src.Close())
	}
	return src.Source, nil
}

// modified returns when a file was written last: a reader writes its database whenever it fetches.
func modified(name string) time.Time {
	latest := time.Time{}
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(name + suffix); err == nil && info.ModTime().After(latest) {
			latest = info.ModTime()
		}
	}
	return latest
}

// readBeginning reads what the kind of a file is told by. Of a database it reads the names of the tables from a copy.
func readBeginning(ctx context.Context, path string, o Options) (*beginning, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &Error{Code: Damaged, File: path, Err: err}
	}
	defer f.Close()
	b := &beginning{path: path, bytes: make([]byte, headSize)}
	n, err := io.ReadFull(f, b.bytes)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, &Error{Code: Damaged, File: path, Err: err}
	}
	b.bytes = b.bytes[:n]
	if !b.isDatabase() {
		return b, nil
	}
	if b.db, err = openDatabase(ctx, path, o); err != nil {
		return nil, err
	}
	if err = b.db.findComputed(ctx); err == nil {
		b.tables, err = b.db.tables(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b, nil
}

func (b *beginning) isDatabase() bool { return bytes.HasPrefix(b.bytes, []byte("SQLite format 3\x00")) }

func (b *beginning) hasTables(names ...string) bool {
	for _, name := range names {
		if !b.tables[name] {
			return false
		}
	}
	return true
}

// first returns the first of these files that is there; "" if none is.
func first(names ...string) string {
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			return name
		}
	}
	return ""
}

// in returns a function that finds one of these files in a folder.
func in(names ...string) func(dir string) string {
	return func(dir string) string {
		for _, name := range names {
			if found := first(filepath.Join(dir, filepath.FromSlash(name))); found != "" {
				return found
			}
		}
		return ""
	}
}

// beside returns a file that belongs to another one: in its folder, or in the folder for settings that belongs to its folder for
// data (XDG base directories, also those of Flatpak and Snap).
func beside(path, name string) string {
	dir := filepath.Dir(path)
	app := filepath.Base(dir)
	up := filepath.Dir(dir)
	return first(filepath.Join(dir, name), filepath.Join(filepath.Dir(up), ".config", app, name), filepath.Join(filepath.Dir(filepath.Dir(up)), ".config", app, name),
		filepath.Join(filepath.Dir(up), "config", app, name), filepath.Join(filepath.Dir(dir), "config", app, name))
}

// damaged wraps an error of reading a part of a source as a problem.
func damaged(name, place string, err error) Problem {
	code := DamagedPart
	if errors.Is(err, errEncrypted) {
		code = Locked
	}
	return Problem{Code: code, File: name, Place: place, Detail: fmt.Sprint(err)}
}
