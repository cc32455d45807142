package imports

import (
	"archive/zip"
	"context"
	"io"
	"path"
	"path/filepath"
	"strings"

	"kairos/reader/opml"
)

// freshRSSFormat reads the zip that FreshRSS exports, and others like it, such as a Takeout of Google Reader: lists of
// subscriptions as OPML, and articles as Google Reader's API returns them. Nothing is unpacked onto the disk.
var freshRSSFormat = format{reader: FreshRSS, open: openZip, is: (*beginning).isZip}

// maxZipEntries is how many files of an archive are read.
const maxZipEntries = 20_000

// archiveReader sorts the files of an archive.
type archiveReader struct {
	*file
	*zipArchive
	articles []*zip.File
	locked   bool // a file that would be read has a password
}

func openZip(ctx context.Context, s *file) error {
	archive, err := openArchive(s.Path)
	if err != nil {
		return err
	}
	s.close = archive.Close
	r := &archiveReader{file: s, zipArchive: archive}
	for k, f := range archive.File {
		if k == maxZipEntries {
			s.Problems = append(s.Problems, Problem{Code: TooMany, File: s.Path, Count: len(archive.File) - k})
			break
		}
		r.sort(f)
	}
	switch {
	case len(r.articles)+len(s.Feeds) > 0:
	case r.locked:
		return &Error{Code: Encrypted, File: s.Path, Err: errEncrypted}
	default:
		return &Error{Code: NotKnown, File: s.Path}
	}
	problems := s.Problems
	return s.readEntries(ctx, func(ctx context.Context, yield func(entry) error) error {
		r.rewind()
		s.Problems = append([]Problem(nil), problems...)
		for _, f := range r.articles {
			inside, _ := pathOf(f)
			err := s.streamFile(ctx, filepath.Join(s.Path, filepath.FromSlash(inside)), func() (io.ReadCloser, error) { return r.open(f) }, false, func(e entry) error {
				if strings.HasPrefix(path.Base(inside), "starred") {
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
	inside, within := pathOf(f)
	place := filepath.Join(r.Path, filepath.FromSlash(inside))
	lower := strings.ToLower(inside)
	isList := strings.HasSuffix(lower, ".opml") || strings.HasSuffix(lower, ".opml.xml") || path.Base(lower) == "subscriptions.xml"
	isStream := strings.HasSuffix(lower, ".json")
	switch {
	case f.FileInfo().IsDir():
	case !within:
		r.note(Problem{Code: LeadsOut, File: r.Path, Place: f.Name})
	case (isList || isStream) && isEncrypted(f):
		r.locked = true
		r.note(damaged(place, "", errEncrypted))
	case isList:
		r.rewind()
		list, err := r.list(f)
		if err != nil {
			r.note(damaged(place, "", err))
			return
		}
		r.addList(list)
	case isStream:
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
