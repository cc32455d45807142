package imports

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"kairos/reader/archive"
	"kairos/reader/opml"
)

// exportFormat reads the folder that Kairos exports everything into, by the manifest in it.
var exportFormat = format{reader: KairosExport, find: in(archive.ManifestFile), open: openExportFolder,
	is: func(b *beginning) bool { return b.isJSON() && b.has(`"kairos_export"`) }}

// exportZipFormat reads such a folder in a zip, as people carry it.
var exportZipFormat = format{reader: KairosExport, open: openExportZip, is: isExportZip}

// Export is what an export of Kairos has beside feeds and articles.
type Export struct {
	Manifest archive.Manifest
	open     func(name string) (io.ReadCloser, error)
}

// Open opens a file of the export by its path in the folder, with slashes. Names and links do not lead out of that.
func (e *Export) Open(name string) (io.ReadCloser, error) { return e.open(name) }

func openExportFolder(ctx context.Context, s *file) error {
	root, err := os.OpenRoot(filepath.Dir(s.Path))
	if err != nil {
		return &Error{Code: Damaged, File: s.Path, Err: err}
	}
	s.close = root.Close
	return s.openExport(ctx, func(name string) (io.ReadCloser, error) { return root.Open(filepath.FromSlash(name)) })
}

func isExportZip(b *beginning) bool {
	if !b.isZip() {
		return false
	}
	zipped, err := openArchive(b.path)
	if err != nil {
		return false
	}
	defer zipped.Close()
	_, found := zipped.exportFolder()
	return found
}

// exportFolder returns the folder of an archive that has the manifest, with a slash at its end unless it is the outermost one: people
// zip a folder, or what is in it.
func (a *zipArchive) exportFolder() (folder string, found bool) {
	for _, f := range a.File {
		name, within := pathOf(f)
		if dir, base := path.Split(name); within && base == archive.ManifestFile && (!found || len(dir) < len(folder)) {
			folder, found = dir, true
		}
	}
	return folder, found
}

func openExportZip(ctx context.Context, s *file) error {
	zipped, err := openArchive(s.Path)
	if err != nil {
		return err
	}
	s.close = zipped.Close
	folder, _ := zipped.exportFolder()
	files := map[string]*zip.File{}
	for _, f := range zipped.File {
		name, within := pathOf(f)
		inside, is := strings.CutPrefix(name, folder)
		switch {
		case !within:
			s.note(Problem{Code: LeadsOut, File: s.Path, Place: f.Name})
		case is && files[inside] == nil:
			files[inside] = f
		}
	}
	err = s.openExport(ctx, func(name string) (io.ReadCloser, error) {
		f := files[name]
		if f == nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		return zipped.open(f)
	})
	articles := s.articles
	s.articles = func(ctx context.Context, yield func(Article) error) error {
		zipped.rewind()
		return articles(ctx, yield)
	}
	return err
}

// openExport reads what an export has before the articles; open opens a file of it.
func (s *file) openExport(ctx context.Context, open func(name string) (io.ReadCloser, error)) (err error) {
	s.Export = &Export{open: open}
	if s.Export.Manifest, err = s.manifest(); err != nil {
		return err
	}
	m := &s.Export.Manifest
	s.Watched = m.Written
	s.Counts = Counts{Articles: m.Articles, Read: m.Read, Starred: m.Starred}
	var names []string // of files that have a feed
	for _, name := range m.Feeds {
		if err := ctx.Err(); err != nil {
			return err
		}
		name = path.Join(archive.FeedsFolder, name)
		added, err := s.addArchived(name)
		if err != nil { // the rest could not be read either
			break
		}
		if added {
			names = append(names, name)
		}
	}
	s.countFeeds()
	problems := s.Problems
	s.articles = func(ctx context.Context, yield func(Article) error) error {
		s.Problems = problems[:len(problems):len(problems)]
		for _, name := range names {
			err := s.readArchived(name, &archived{ctx: ctx, feed: name, yield: yield})
			if errors.Is(err, errBomb) {
				break
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return nil
}

func (s *file) manifest() (m archive.Manifest, err error) {
	f, err := s.Export.Open(archive.ManifestFile)
	switch {
	case errors.Is(err, errEncrypted):
		return m, &Error{Code: Encrypted, File: s.Path, Err: err}
	case err != nil:
		return m, &Error{Code: Damaged, File: s.Path, Err: err}
	}
	defer f.Close()
	m, err = archive.ReadManifest(f)
	var broken *archive.Error
	switch {
	case errors.As(err, &broken) && broken.Code == archive.Newer:
		return m, &Error{Code: OtherVersion, File: s.Path, Err: err}
	case err != nil:
		return m, &Error{Code: Damaged, File: s.Path, Err: err}
	}
	return m, nil
}

// errFeedRead ends reading a file behind what it says of its feed.
var errFeedRead = errors.New("the feed was read")

// addArchived adds the feed of a file, and reports whether it has one. Errors: errBomb.
func (s *file) addArchived(name string) (bool, error) {
	v := &archived{}
	if err := s.readArchived(name, v); err != nil || v.found == nil {
		return false, err
	}
	f := v.found
	o, refusal := opml.Check(opml.Outline{URL: f.URL, Title: plain(cmp.Or(f.OwnTitle, f.Title)), Site: f.Site})
	if refusal != nil {
		s.Refused = append(s.Refused, *refusal)
		return false, nil
	}
	if o.User != "" || o.Password != "" { // Kairos writes none
		f.URL = o.URL
	}
	o.Folder = f.Folder
	s.keepFeed(Feed{ID: name, Subscribed: !f.Unsubscribed, Outline: o, Own: f})
	return true, nil
}

// maxProblems is how many problems are named. Those beyond it are counted.
const maxProblems = 1000

// note notes a problem.
func (s *file) note(p Problem) {
	switch n := len(s.Problems); {
	case n < maxProblems:
		s.Problems = append(s.Problems, p)
	case s.Problems[n-1].Code == TooMany:
		s.Problems[n-1].Count++
	default:
		s.Problems = append(s.Problems, Problem{Code: TooMany, File: s.Path, Count: 1})
	}
}

// readArchived reads a file as far as the visitor wants it. What is damaged becomes a problem. Errors: the visitor's, errBomb.
func (s *file) readArchived(name string, v *archived) error {
	f, err := s.Export.Open(name)
	if err != nil {
		s.note(damaged(name, "", err))
		return nil
	}
	defer f.Close()
	err = archive.Read(f, v)
	var broken *archive.Error
	switch {
	case err == nil || errors.Is(err, errFeedRead):
		return nil
	case v.failed != nil:
		return v.failed
	case errors.As(err, &broken) && broken.Code == archive.TooLarge:
		s.note(Problem{Code: TooLong, File: name, Place: fmt.Sprintf("byte %d", broken.Offset), Count: 1})
	default:
		place := ""
		if broken != nil {
			place = fmt.Sprintf("byte %d", broken.Offset)
		}
		s.note(damaged(name, place, err))
	}
	if errors.Is(err, errBomb) {
		return errBomb
	}
	return nil
}

// archived hands on the articles of a file; without yield it takes the feed alone.
type archived struct {
	ctx    context.Context
	feed   string // ID
	yield  func(Article) error
	found  *archive.Feed
	failed error
}

// Feed implements archive.Visitor.
func (v *archived) Feed(f archive.Feed) error {
	if v.found = &f; v.yield == nil {
		return errFeedRead
	}
	return nil
}

// Article implements archive.Visitor.
func (v *archived) Article(a archive.Article) error {
	return v.pass(Article{Feed: v.feed, Key: a.Key, Read: a.Read, Starred: a.Starred, Labels: a.Labels, Own: &a})
}

// Gone implements archive.Visitor.
func (v *archived) Gone(g archive.Gone) error {
	return v.pass(Article{Feed: v.feed, Key: g.Key, Gone: &g})
}

func (v *archived) pass(a Article) error {
	if v.failed = v.ctx.Err(); v.failed == nil {
		v.failed = v.yield(a)
	}
	return v.failed
}
