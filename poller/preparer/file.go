package preparer

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"kairos/poller/fetch"
	"kairos/reader"
)

// errOfServer says that a server did not give a file.
var errOfServer = errors.New("the server did not give it")

// usualFile is how many bytes a file counts for of which the feed does not tell.
const usualFile = 40_000_000

// file is something to be heard or seen that an article names.
type file struct {
	reader.EnclosureOf
}

func (f *file) size() int64 {
	if f.Length > 0 {
		return f.Length
	}
	return usualFile
}

// filesOf returns what can be heard or seen of these articles and is not on this computer.
func (p *Preparer) filesOf(ctx context.Context, ids []int64) (files []file, err error) {
	err = p.o.Store.Articles.Media(ctx, ids, func(e reader.EnclosureOf) {
		if !isThere(e.Saved) {
			files = append(files, file{e})
		}
	})
	return files, err
}

// isThere reports whether a file is stored at a path.
func isThere(name string) bool {
	if name == "" {
		return false
	}
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// fileName is the name that a file is stored under: its own, after what tells it from others of the same name.
func fileName(address string) string {
	sum := sha256.Sum256([]byte(address))
	ext := ""
	if u, err := url.Parse(address); err == nil {
		ext = strings.ToLower(path.Ext(u.Path))
	}
	if len(ext) > 6 || strings.ContainsFunc(ext, func(r rune) bool { return r != '.' && (r < '0' || r > '9' && r < 'a' || r > 'z') }) {
		ext = ""
	}
	return hex.EncodeToString(sum[:12]) + ext
}

// partPrefix is how the names of files begin that are still being written.
const partPrefix = ".part-"

// errTooLarge says that a file is larger than any that is brought before it is played.
var errTooLarge = errors.New("the file is too large")

// maxFile is how many bytes such a file has at most. Tests make it smaller.
var maxFile int64 = 4 << 30

// boundedWriter writes a file as long as that is none too large and leaves room on the disk, which is looked at every so many bytes.
type boundedWriter struct {
	to      io.Writer
	written int64
	checked int64 // of written, when the disk was looked at
	hasRoom func() error
}

// checkEvery is how many bytes are written until the disk is looked at again.
const checkEvery = 16 << 20

func (w *boundedWriter) Write(b []byte) (int, error) {
	if w.written+int64(len(b)) > maxFile {
		return 0, errTooLarge
	}
	if w.written-w.checked >= checkEvery {
		w.checked = w.written
		if err := w.hasRoom(); err != nil {
			return 0, err
		}
	}
	n, err := w.to.Write(b)
	w.written += int64(n)
	return n, err
}

// fetchFile brings a file and notes where it is, so that the player takes it. Errors: errOfServer, of one that is too large as well,
// those of the file system and the store, the context's.
func (p *Preparer) fetchFile(ctx context.Context, f file, byUser bool) (bytes int64, err error) {
	if err := os.MkdirAll(p.o.Files, 0o700); err != nil {
		return 0, err
	}
	part, err := os.CreateTemp(p.o.Files, partPrefix+"*")
	if err != nil {
		return 0, err
	}
	defer os.Remove(part.Name()) //nolint:errcheck // after the rename there is none
	bytes, err = p.o.Download(ctx, f.Feed, f.URL, &boundedWriter{to: part, hasRoom: p.hasRoom}, byUser)
	if err = errors.Join(err, part.Sync(), part.Close()); err != nil {
		var fe *fetch.Error
		switch {
		case ctx.Err() != nil:
			return bytes, ctx.Err()
		case errors.Is(err, errTooLarge):
			return bytes, errOfServer
		case errors.As(err, &fe) && fe.Code != fetch.Unwritable && !noNetwork(err):
			return bytes, errOfServer
		}
		return bytes, err
	}
	name := filepath.Join(p.o.Files, fileName(f.URL))
	if err := os.Rename(part.Name(), name); err != nil {
		return bytes, err
	}
	return bytes, p.store.Write(context.WithoutCancel(ctx), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO prepared_file (path, article, at) SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM reader_article WHERE id = ?2) ON CONFLICT DO UPDATE SET article = excluded.article, at = excluded.at",
			filepath.Base(name), f.Article, p.o.Now().Unix())
		if err != nil {
			return fmt.Errorf("note a file: %w", err)
		}
		return reader.SaveCopy(ctx, tx, f.Article, f.URL, name)
	})
}

// keptFor is how long a file is kept that was heard, or whose article was read or is gone.
const keptFor = 3 * 24 * time.Hour

// brought is a file that was brought before it was played.
type brought struct {
	path    string
	article int64
	at      time.Time
}

// trimFiles removes files that nobody is going to hear: those whose articles were read or are gone, after a while, and what an
// interrupted download has left. Articles that the user keeps, keep their files.
func (p *Preparer) trimFiles(ctx context.Context) error {
	if left, err := filepath.Glob(filepath.Join(p.o.Files, partPrefix+"*")); err == nil && p.firstTrim() {
		for _, name := range left {
			os.Remove(name) //nolint:errcheck // the next start tries again
		}
	}
	files, err := p.store.files(ctx)
	if err != nil || len(files) == 0 {
		return err
	}
	ids := make([]int64, len(files))
	for i, f := range files {
		ids[i] = f.article
	}
	keeps := map[int64]bool{}
	if err := p.o.Store.Articles.Standings(ctx, ids, func(id int64, s reader.Standing) { keeps[id] = s.Kept || !s.Read }); err != nil {
		return err
	}
	for _, f := range files {
		if keeps[f.article] || p.o.Now().Sub(f.at) < keptFor {
			continue
		}
		if err := os.Remove(filepath.Join(p.o.Files, f.path)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if err := p.store.forgetFile(ctx, f.path); err != nil {
			return err
		}
	}
	return nil
}

// firstTrim reports whether it is called for the first time.
func (p *Preparer) firstTrim() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	first := !p.trimmed
	p.trimmed = true
	return first
}

func (s *store) files(ctx context.Context) ([]brought, error) {
	return reader.Collect(ctx, s.Read(), "read which files were brought", func(row *sql.Rows, f *brought) error {
		var at int64
		err := row.Scan(&f.path, &f.article, &at)
		f.at = time.Unix(at, 0)
		return err
	}, "SELECT path, article, at FROM prepared_file")
}

func (s *store) forgetFile(ctx context.Context, path string) error {
	return s.WriteAside(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "DELETE FROM prepared_file WHERE path = ?", path); err != nil {
			return fmt.Errorf("forget a file: %w", err)
		}
		return nil
	})
}

// episodes brings the next episodes of the feeds whose user wants that.
func (p *Preparer) episodes(ctx context.Context, goesOn func() bool) error {
	feeds, err := p.feeds(ctx)
	if err != nil {
		return err
	}
	for id, f := range feeds {
		if f.episodes == 0 || !goesOn() {
			continue
		}
		next, err := p.nextEpisodes(ctx, id, f.episodes)
		if err != nil {
			return err
		}
		for _, one := range next {
			if p.missing.cause(one.URL, p.o.Now(), refusedFor) != Nothing {
				continue
			}
			switch _, err := p.fetchFile(ctx, one, false); {
			case errors.Is(err, errOfServer):
				p.missing.note(one.URL, RefusedByServer, p.o.Now())
			case reader.IsFull(err): // what there is no room for now is not brought again and again
				p.missing.note(one.URL, NoRoom, p.o.Now())
				return err
			case err != nil:
				return err
			}
		}
	}
	return nil
}

// nextEpisodes returns those of the newest n unread articles of a feed that are not on this computer.
func (p *Preparer) nextEpisodes(ctx context.Context, feed int64, n int) ([]file, error) {
	ids, err := p.o.Store.Articles.IDs(ctx, reader.Query{Feed: feed, View: reader.Unread, Limit: n})
	if err != nil {
		return nil, err
	}
	return p.filesOf(ctx, ids[:min(n, len(ids))])
}

// HasEpisodes reports whether the latest articles of a feed have something to be heard or seen.
func (p *Preparer) HasEpisodes(ctx context.Context, feed int64) (has bool, err error) {
	ids, err := p.o.Store.Articles.IDs(ctx, reader.Query{Feed: feed, Limit: looked})
	if err != nil {
		return false, err
	}
	err = p.o.Store.Articles.Media(ctx, ids[:min(looked, len(ids))], func(reader.EnclosureOf) { has = true })
	return has, err
}

// Episodes returns how many of a feed's next episodes are brought before they are played.
func (p *Preparer) Episodes(ctx context.Context, feed int64) (int, error) {
	f, err := p.feed(ctx, feed)
	return f.episodes, err
}

// FillEpisodes sets how many of a feed's next episodes are brought, unless that was set, and reports whether it did.
func FillEpisodes(ctx context.Context, tx *sql.Tx, feedID int64, n int) (filled bool, err error) {
	err = changeFeed(ctx, tx, feedID, func(f *feed) {
		if filled = f.episodes == 0; filled {
			f.episodes = min(max(n, 0), MostEpisodes)
		}
	})
	return filled, err
}

// ClearEpisodes brings no episodes of a feed before they are played.
func ClearEpisodes(ctx context.Context, tx *sql.Tx, feedID int64) error {
	return changeFeed(ctx, tx, feedID, func(f *feed) { f.episodes = 0 })
}

// MostEpisodes is the most episodes of a feed that are brought before they are played.
const MostEpisodes = 50

// SetEpisodes sets how many of a feed's next episodes are brought before they are played.
func (p *Preparer) SetEpisodes(ctx context.Context, feedID int64, n int) error {
	err := p.changeFeed(ctx, feedID, func(f *feed) { f.episodes = min(max(n, 0), MostEpisodes) })
	p.mu.Lock()
	defer p.mu.Unlock()
	p.nextLook = time.Time{}
	return err
}
