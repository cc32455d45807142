package imports

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"path"
	"path/filepath"
	"strings"

	"kairos/reader/opml"
)

// freshRSSFormat reads the zip that FreshRSS exports, and others like it, such as a Takeout of Google Reader: lists of
// subscriptions as OPML, and articles as Google Reader's API returns them. Nothing is unpacked onto the disk.
var freshRSSFormat = format{reader: FreshRSS, open: openZip, is: func(b *beginning) bool { return bytes.HasPrefix(b.bytes, []byte("PK\x03\x04")) }}

const (
	// maxZipEntries is how many files of an archive are read.
	maxZipEntries = 20_000
	// maxUnpacked is how much is read of an archive, and maxRatio how many times its own size: what unpacks to more is no export.
	maxUnpacked = 16 << 30
	maxRatio    = 200
)

// leastUnpacked is how much is read of any archive. Tests make it smaller.
var leastUnpacked int64 = 64 << 20

// errBomb says that an archive unpacks to more than any export does.
var errBomb = errors.New("unpacks to more than any export does")

// archiveReader reads the files of an archive, and counts what they unpack to.
type archiveReader struct {
	*file
	articles []*zip.File
	left     int64
}

func openZip(ctx context.Context, s *file) error {
	archive, err := zip.OpenReader(s.Path)
	if err != nil {
		return &Error{Code: Damaged, File: s.Path, Err: err}
	}
	s.close = archive.Close
	r := &archiveReader{file: s}
	size := int64(0)
	for k, f := range archive.File {
		if k == maxZipEntries {
			s.Problems = append(s.Problems, Problem{Code: TooMany, File: s.Path, Count: len(archive.File) - k})
			break
		}
		size += int64(f.CompressedSize64)
		r.sort(f)
	}
	if len(r.articles)+len(s.Feeds) == 0 {
		return &Error{Code: NotKnown, File: s.Path}
	}
	limit := min(maxUnpacked, max(leastUnpacked, maxRatio*size))
	problems := s.Problems
	return s.readEntries(ctx, func(ctx context.Context, yield func(entry) error) error {
		r.left, s.Problems = limit, append([]Problem(nil), problems...)
		for _, f := range r.articles {
			name := path.Base(f.Name)
			err := s.streamFile(ctx, filepath.Join(s.Path, filepath.FromSlash(f.Name)), func() (io.ReadCloser, error) { return r.open(f) }, false, func(e entry) error {
				if strings.HasPrefix(name, "starred") {
					e.Starred = true
				}
				return yield(e)
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// sort reads a list of subscriptions, and keeps files of articles for later.
func (r *archiveReader) sort(f *zip.File) {
	place := filepath.Join(r.Path, filepath.FromSlash(f.Name))
	lower := strings.ToLower(f.Name)
	switch {
	case f.FileInfo().IsDir():
	case !filepath.IsLocal(filepath.FromSlash(f.Name)) || strings.Contains(f.Name, `\`):
		r.Problems = append(r.Problems, Problem{Code: LeadsOut, File: r.Path, Place: f.Name})
	case strings.HasSuffix(lower, ".opml"), strings.HasSuffix(lower, ".opml.xml"), path.Base(lower) == "subscriptions.xml":
		r.left = 256 << 20
		list, err := r.list(f)
		if err != nil {
			r.Problems = append(r.Problems, damaged(place, "", err))
			return
		}
		r.addList(list)
	case strings.HasSuffix(lower, ".json"):
		r.articles = append(r.articles, f)
	}
}

func (r *archiveReader) list(f *zip.File) (opml.List, error) {
	in, err := r.open(f)
	if err != nil {
		return opml.List{}, err
	}
	defer in.Close()
	return opml.Read(in)
}

// open opens a file of the archive; it fails when the archive unpacks to more than an export does.
func (r *archiveReader) open(f *zip.File) (io.ReadCloser, error) {
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{unpacked{in, &r.left}, in}, nil
}

type unpacked struct {
	r    io.Reader
	left *int64
}

func (u unpacked) Read(p []byte) (int, error) {
	if *u.left <= 0 {
		return 0, errBomb
	}
	n, err := u.r.Read(p[:min(int64(len(p)), cmp.Or(*u.left, 1))])
	*u.left -= int64(n)
	return n, err
}
