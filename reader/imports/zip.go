package imports

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

const (
	// maxUnpacked is how much is read of an archive, and maxRatio how many times its own size: what unpacks to more is no export.
	maxUnpacked = 16 << 30
	maxRatio    = 200
	// maxDirectory is how many bytes the list of an archive's files may have, which is held in memory: some 500,000 files.
	maxDirectory = 48 << 20
)

// leastUnpacked is how much is read of any archive. Tests make it smaller.
var leastUnpacked int64 = 64 << 20

// errBomb says that an archive unpacks to more than any export does.
var errBomb = errors.New("unpacks to more than any export does")

func (b *beginning) isZip() bool { return bytes.HasPrefix(b.bytes, []byte("PK\x03\x04")) }

// zipArchive reads the files of an archive, and counts what they unpack to. Nothing is unpacked onto the disk.
type zipArchive struct {
	*zip.Reader
	file *os.File
	most int64 // bytes that may be unpacked
	left int64 // of them, still
}

// openArchive opens an archive. Errors: *Error.
func openArchive(name string) (*zipArchive, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, &Error{Code: Damaged, File: name, Err: err}
	}
	info, err := f.Stat()
	if err == nil {
		a := &zipArchive{file: f, most: min(maxUnpacked, max(leastUnpacked, maxRatio*min(info.Size(), maxUnpacked)))}
		directory := &directoryReader{r: f, left: maxDirectory}
		if a.Reader, err = zip.NewReader(directory, info.Size()); err == nil {
			directory.left = -1
			a.rewind()
			return a, nil
		}
	}
	code := Damaged
	if errors.Is(err, errDirectory) {
		code = TooLarge
	}
	return nil, errors.Join(&Error{Code: code, File: name, Err: err}, f.Close())
}

// Close closes the archive.
func (a *zipArchive) Close() error { return a.file.Close() }

// rewind lets the archive be read again from its start.
func (a *zipArchive) rewind() { a.left = a.most }

// pathOf returns the path of an entry, with slashes, and whether that stays within the archive. Windows writes backslashes.
func pathOf(f *zip.File) (name string, within bool) {
	name = strings.ReplaceAll(f.Name, `\`, "/")
	return name, filepath.IsLocal(filepath.FromSlash(name))
}

// open opens a file of the archive. Reading fails when the archive unpacks to more than an export does.
func (a *zipArchive) open(f *zip.File) (io.ReadCloser, error) {
	if isEncrypted(f) {
		return nil, fmt.Errorf("%s: %w", f.Name, errEncrypted)
	}
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{unpacked{in, &a.left}, in}, nil
}

// isEncrypted reports whether a file of an archive needs a password (APPNOTE.TXT §4.4.4).
func isEncrypted(f *zip.File) bool { return f.Flags&1 != 0 }

// errEncrypted says that a file of an archive needs a password.
var errEncrypted = errors.New("is encrypted")

type unpacked struct {
	r    io.Reader
	left *int64
}

func (u unpacked) Read(p []byte) (int, error) {
	if *u.left <= 0 {
		return 0, errBomb
	}
	n, err := u.r.Read(p[:min(int64(len(p)), *u.left)])
	*u.left -= int64(n)
	return n, err
}

// errDirectory says that the list of an archive's files is too long.
var errDirectory = errors.New("lists too many files")

// directoryReader reads no more than a number of bytes, unless that is negative.
type directoryReader struct {
	r    io.ReaderAt
	left int64
}

// ReadAt implements io.ReaderAt.
func (d *directoryReader) ReadAt(p []byte, at int64) (int, error) {
	if d.left >= 0 {
		if d.left -= int64(len(p)); d.left < 0 {
			d.left = 0
			return 0, errDirectory
		}
	}
	return d.r.ReadAt(p, at)
}
