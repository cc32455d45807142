package imports

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"kairos/reader/archive"
	"kairos/reader/opml"
)

// exportFormat reads the folder that Kairos exports everything into, by the manifest in it.
var exportFormat = format{reader: KairosExport, find: in(archive.ManifestFile), open: openExport,
	is: func(b *beginning) bool { return b.isJSON() && b.has(`"kairos_export"`) }}

// Export is what an export of Kairos has beside feeds and articles.
type Export struct {
	Manifest archive.Manifest
	root     *os.Root
}

// Open opens a file of the export by its path in the folder. Names and links do not lead out of that.
func (e *Export) Open(name string) (fs.File, error) { return e.root.Open(filepath.FromSlash(name)) }

func openExport(ctx context.Context, s *file) error {
	root, err := os.OpenRoot(filepath.Dir(s.Path))
	if err != nil {
		return &Error{Code: Damaged, File: s.Path, Err: err}
	}
	s.close = root.Close
	s.Export = &Export{root: root}
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
		if s.addArchived(name) {
			names = append(names, name)
		}
	}
	s.countFeeds()
	problems := s.Problems
	s.articles = func(ctx context.Context, yield func(Article) error) error {
		s.Problems = problems[:len(problems):len(problems)]
		for _, name := range names {
			if err := s.readArchived(name, &archived{ctx: ctx, feed: name, yield: yield}); err != nil {
				return err
			}
		}
		return nil
	}
	return nil
}

func (s *file) manifest() (m archive.Manifest, err error) {
	f, err := s.Export.Open(archive.ManifestFile)
	if err != nil {
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

// addArchived adds the feed of a file, and reports whether it has one.
func (s *file) addArchived(name string) bool {
	v := &archived{}
	if err := s.readArchived(name, v); err != nil || v.found == nil {
		return false
	}
	f := v.found
	o, refusal := opml.Check(opml.Outline{URL: f.URL, Title: plain(f.Title), Site: f.Site})
	if refusal != nil {
		s.Refused = append(s.Refused, *refusal)
		return false
	}
	if o.User != "" || o.Password != "" { // Kairos writes none
		f.URL = o.URL
	}
	o.Folder = f.Folder
	s.keepFeed(Feed{ID: name, Subscribed: !f.Unsubscribed, Outline: o, Own: f})
	return true
}

// readArchived reads a file as far as the visitor wants it. What is damaged becomes a problem. Errors: the visitor's.
func (s *file) readArchived(name string, v *archived) error {
	f, err := s.Export.Open(name)
	if err != nil {
		s.Problems = append(s.Problems, damaged(name, "", err))
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
		s.Problems = append(s.Problems, Problem{Code: TooLong, File: name, Place: fmt.Sprintf("byte %d", broken.Offset), Count: 1})
	default:
		place := ""
		if broken != nil {
			place = fmt.Sprintf("byte %d", broken.Offset)
		}
		s.Problems = append(s.Problems, damaged(name, place, err))
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
