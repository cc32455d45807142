package imports

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kairos/reader/opml"
	"kairos/reader/parse"
)

// akregatorFormat reads feeds.opml of Akregator and the archives that it has of each feed, in the format of Metakit. An article
// that is marked important is starred.
var akregatorFormat = format{reader: Akregator, find: in("data/feeds.opml", "akregator/data/feeds.opml"), open: openAkregator,
	is: func(b *beginning) bool { return b.has("<opml") && akregatorArchive(b.path) != "" }}

// akregatorArchive returns the folder of the archives that belong to a list; "" if there is none.
func akregatorArchive(list string) string {
	dir := filepath.Dir(list)
	for _, folder := range []string{filepath.Join(filepath.Dir(dir), "Archive"), filepath.Join(dir, "Archive")} {
		if first(filepath.Join(folder, "archiveindex.mk4")) != "" {
			return folder
		}
	}
	return ""
}

func openAkregator(ctx context.Context, s *file) error {
	list, err := readList(s.Path)
	if err != nil {
		var of *Error
		if errors.As(err, &of) {
			return err
		}
		return &Error{Code: Damaged, File: s.Path, Err: err}
	}
	s.addList(list)
	archive := akregatorArchive(s.Path)
	problems := s.Problems
	s.Watched = modified(filepath.Join(archive, "archiveindex.mk4"))
	return s.readEntries(ctx, func(ctx context.Context, yield func(entry) error) error {
		s.Problems = append([]Problem(nil), problems...)
		for _, o := range list.Feeds {
			if err := s.readArchive(ctx, archive, o, yield); err != nil {
				return err
			}
		}
		return nil
	})
}

// Bits of the status of an article.
const (
	akregatorDeleted = 0x01
	akregatorTrash   = 0x02
	akregatorRead    = 0x08
	akregatorKeep    = 0x10
)

// readArchive reads the archive of a feed. Nothing has come of a feed without one.
func (s *file) readArchive(ctx context.Context, dir string, o opml.Outline, yield func(entry) error) error {
	name := archiveOf(dir, o.URL)
	if name == "" {
		return nil
	}
	root, err := readMetakit(name)
	if err != nil {
		s.note(damaged(name, "", err))
		return nil
	}
	for _, all := range root.views["articles"] {
		for row := range all.rows {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			e, ok := akregatorEntry(&all, row)
			if !ok {
				continue
			}
			e.feed, e.subscribed = o, true
			if err := yield(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// archiveOf returns the archive of a feed, which is named after its address.
func archiveOf(dir, address string) string {
	name := strings.NewReplacer("/", "_", ":", "_").Replace(address)
	if len(name) <= 255 {
		return first(filepath.Join(dir, name+".mk4"))
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), name[:200]) {
			return filepath.Join(dir, e.Name())
		}
	}
	return ""
}

func akregatorEntry(v *view, row int) (e entry, ok bool) {
	number := func(name string) int64 { return v.number(name, row) }
	text := func(name string) string { return v.text(name, row) }
	status := number("status")
	if status&(akregatorDeleted|akregatorTrash) != 0 {
		return e, false
	}
	e.Read, e.Starred = status&akregatorRead != 0, status&akregatorKeep != 0
	e.Item = parse.Item{Title: text("title"), Link: text("link"), HTML: cmp.Or(text("content"), text("description")), Author: text("authorName"), CommentsURL: text("commentsLink")}
	if number("guidIsHash") == 0 {
		e.Item.ID = text("guid")
	}
	if at := number("pubDate"); at > 0 {
		e.Item.Published = time.Unix(at, 0)
	}
	if address := text("enclosureUrl"); address != "" {
		e.Item.Enclosures = []parse.Enclosure{{URL: address, Type: text("enclosureType"), Length: max(0, number("enclosureLength"))}}
	}
	if views := v.views["categories"]; views != nil {
		for k := range views[row].rows {
			if name := cmp.Or(views[row].text("catName", k), views[row].text("catTerm", k)); name != "" {
				e.Item.Categories = append(e.Item.Categories, plain(name))
			}
		}
	}
	return e, true
}
