package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"kairos/reader/content"
	"kairos/reader/imports"
	"kairos/reader/parse"
)

// Limits of one transaction of an import, for which other writers wait: some ten milliseconds.
const (
	importArticles = 256
	importBytes    = 2 << 20 // of HTML; a single article may have more
)

// importer stores one source.
type importer struct {
	db      *database
	source  *imports.Source
	options ImportOptions
	report  ImportReport
	feeds   map[string]*importFeed // by imports.Feed.ID
	hidden  int                    // feeds that were stored so far
}

// importFeed is a feed of the source and where its articles go.
type importFeed struct {
	of     *imports.Feed
	from   parse.Source
	same   string
	known  int64 // the feed it is here; 0: it is new
	hidden int64 // where its new articles wait; 0: nowhere yet
}

// importArticle is an article of the source as it will be stored.
type importArticle struct {
	parse.Article
	of   *imports.Article
	feed *importFeed
	ok   bool
}

// stage stores all of the source where nobody sees it.
func (s *importer) stage(ctx context.Context) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	if err := s.stageFeeds(ctx); err != nil {
		return err
	}
	reading, stop := context.WithCancel(ctx)
	defer stop()
	chunks, failed := make(chan []importArticle, 1), make(chan error, 1)
	go func() {
		defer close(chunks)
		failed <- s.compose(reading, chunks)
	}()
	for chunk := range chunks {
		if err := s.db.transactQuietly(ctx, func(tx *sql.Tx) error { return s.stageChunk(ctx, tx, chunk) }); err != nil {
			stop()
			for range chunks { // until the source is not read any more
			}
			return err
		}
		if s.options.Progress != nil {
			s.options.Progress(s.report.Read.Articles)
		}
	}
	if err := <-failed; err != nil {
		return err
	}
	if err := s.stageParts(ctx); err != nil {
		return err
	}
	s.report.Refused, s.report.Warnings, s.report.Problems = append(s.report.Refused, s.source.Refused...), s.source.Warnings, s.source.Problems
	return nil
}

func (s *importer) begin(ctx context.Context) error {
	s.report = ImportReport{At: s.options.Now.Truncate(time.Second).UTC(), Reader: s.source.Reader, Path: s.source.Path, Source: s.source.Counts, Ordered: s.source.Ordered}
	watched := s.source.Watched
	if watched.IsZero() || watched.After(s.options.Now) {
		watched = s.options.Now
	}
	return s.db.transactQuietly(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, "INSERT INTO import (at, watched, state, report) VALUES (?, ?, ?, '{}')", s.report.At.Unix(), watched.Unix(), importStaged)
		if err != nil {
			return fmt.Errorf("begin: %w", err)
		}
		s.report.ID, err = done.LastInsertId()
		return err
	})
}

// stageFeeds finds out which feeds are known and stores the others, in the order of the source.
func (s *importer) stageFeeds(ctx context.Context) error {
	bySame := map[string]*importFeed{}
	for start := 0; start < len(s.source.Feeds); start += importArticles {
		err := s.db.transactQuietly(ctx, func(tx *sql.Tx) error {
			for k := start; k < min(start+importArticles, len(s.source.Feeds)); k++ {
				if err := s.stageFeed(ctx, tx, &s.source.Feeds[k], bySame); err != nil {
					return fmt.Errorf("feed %s: %w", s.source.Feeds[k].URL, err)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *importer) stageFeed(ctx context.Context, tx *sql.Tx, of *imports.Feed, bySame map[string]*importFeed) error {
	if of.Subscribed {
		s.report.Read.Feeds++
	}
	f := &importFeed{of: of, same: sameOf(0, "", of.URL), from: parse.Source{URL: of.URL, Site: of.Site, Now: s.options.Now}}
	if twin := bySame[f.same]; twin != nil {
		if of.Subscribed && !twin.of.Subscribed {
			return s.subscribeTwin(ctx, tx, twin, of)
		}
		s.feeds[of.ID] = twin
		if of.Subscribed {
			s.report.KnownFeeds++
		}
		return nil
	}
	bySame[f.same], s.feeds[of.ID] = f, f
	var removed int64
	err := tx.QueryRowContext(ctx, "SELECT id, removed FROM feed WHERE same = ?", f.same).Scan(&f.known, &removed)
	switch {
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return err
	case f.known == 0 && (of.Subscribed || of.Own != nil):
		return s.hide(ctx, tx, f)
	case f.known == 0 || !of.Subscribed:
		return nil // until there is an article to keep
	case removed == 0:
		s.report.KnownFeeds++
		return nil
	}
	// It was unsubscribed, and comes back with what is left of it.
	s.report.Stored.Feeds++
	s.report.Added = append(s.report.Added, f.known)
	_, err = tx.ExecContext(ctx, "INSERT INTO import_feed (import, feed, known, same, removed) VALUES (?, 0, ?, ?, ?)", s.report.ID, f.known, f.same, removed)
	return err
}

// subscribeTwin makes a feed of which the source named articles first, a subscription.
func (s *importer) subscribeTwin(ctx context.Context, tx *sql.Tx, f *importFeed, of *imports.Feed) error {
	f.of, s.feeds[of.ID] = of, f
	if f.known != 0 {
		s.report.KnownFeeds++
		return nil
	}
	return s.hide(ctx, tx, f)
}

// hide stores a hidden feed: a new one, or the stand-in of one that is known.
func (s *importer) hide(ctx context.Context, tx *sql.Tx, f *importFeed) error {
	feed, added := fromOutline(f.of.Outline), s.options.Now
	if own := f.of.Own; own != nil {
		feed, added = fromArchive(own), own.Added
	}
	local := !s.options.Local && isLocalFeed(feed.URL) // also if the source has it paused, so that it is not fetched
	feed.Paused = feed.Paused || local
	s.hidden++
	id, err := insertFeed(ctx, tx, feed, fmt.Sprintf("import %d %d", s.report.ID, s.hidden), added)
	if err != nil {
		return err
	}
	f.hidden = id
	if own := f.of.Own; own != nil && own.Icon != "" {
		if err := DescribeFeed(ctx, tx, id, "", "", own.Icon); err != nil {
			return err
		}
	}
	removed := 0
	switch {
	case f.known != 0:
	case f.of.Subscribed:
		s.report.Stored.Feeds++
		s.report.Added = append(s.report.Added, id)
		switch {
		case local:
			s.report.Local = append(s.report.Local, id)
		case feed.Paused:
			s.report.Paused = append(s.report.Paused, id)
		}
		if f.of.User != "" || f.of.Password != "" {
			s.report.Logins = append(s.report.Logins, ImportedLogin{id, f.of.Outline})
		}
	default:
		removed = purged
	}
	return errors.Join(
		runIn(ctx, tx, "UPDATE feed SET removed = ? WHERE id = ?", hiddenFeed, id),
		runIn(ctx, tx, "INSERT INTO import_feed (import, feed, known, same, removed) VALUES (?, ?, ?, ?, ?)", s.report.ID, id, f.known, f.same, removed))
}

func runIn(ctx context.Context, tx *sql.Tx, query string, args ...any) error {
	_, err := tx.ExecContext(ctx, query, args...)
	return err
}

// compose reads the source and hands on its articles in chunks, ready to be stored.
func (s *importer) compose(ctx context.Context, chunks chan<- []importArticle) error {
	var chunk []importArticle
	size := 0
	flush := func() error {
		composeAll(chunk)
		select {
		case chunks <- chunk:
		case <-ctx.Done():
			return ctx.Err()
		}
		chunk, size = nil, 0
		return nil
	}
	missing := 0
	err := s.source.Articles(ctx, func(a imports.Article) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		feed := s.feeds[a.Feed]
		if feed == nil {
			missing++
			return nil
		}
		chunk = append(chunk, importArticle{of: &a, feed: feed})
		if size += a.Size(); len(chunk) < importArticles && size < importBytes {
			return nil
		}
		return flush()
	})
	if err == nil && len(chunk) > 0 {
		err = flush()
	}
	if missing > 0 {
		s.source.Problems = append(s.source.Problems, imports.Problem{Code: imports.NoFeed, File: s.source.Path, Count: missing})
	}
	return err
}

// composeAll makes of items what is stored, on all processors: cleaning HTML takes most of the time of an import.
func composeAll(chunk []importArticle) {
	var wait sync.WaitGroup
	n := runtime.GOMAXPROCS(0)
	for k := range n {
		wait.Go(func() {
			for i := k; i < len(chunk); i += n {
				a := &chunk[i]
				if a.of.Own != nil || a.of.Gone != nil {
					a.composeOwn()
					continue
				}
				if a.Article, a.ok = parse.ComposeKeyed(a.of.Item, a.feed.from); a.of.Key != "" {
					a.Key = a.of.Key
				}
				a.of.Item.HTML = ""
			}
		})
	}
	wait.Wait()
}

// importWriter stores the articles of one chunk.
type importWriter struct {
	*importer
	tx          *sql.Tx
	first, last int64 // ids of new articles

	find, findAlike, insertStatus, insertArticle, insertBody, insertEnclosure *sql.Stmt
}

func (s *importer) stageChunk(ctx context.Context, tx *sql.Tx, chunk []importArticle) error {
	w := &importWriter{importer: s, tx: tx}
	for _, p := range []struct {
		into **sql.Stmt
		text string
	}{
		{&w.find, `SELECT id FROM status WHERE feed = ? AND key = ?`},
		{&w.findAlike, findByIdentity},
		{&w.insertStatus, `INSERT INTO status (feed, key, published, seen, read, listed, deleted, hidden, ended) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`},
		{&w.insertArticle, `INSERT INTO article (id, title, link, author, summary, digest, categories) VALUES (?, ?, ?, ?, ?, ?, ?)`},
		{&w.insertBody, `INSERT INTO body (id, html) VALUES (?, ?)`},
		{&w.insertEnclosure, `INSERT INTO enclosure (article, url, type, length, seconds) VALUES (?, ?, ?, ?, ?)`},
	} {
		stmt, err := tx.PrepareContext(ctx, p.text)
		if err != nil {
			return fmt.Errorf("prepare: %w", err)
		}
		defer stmt.Close()
		*p.into = stmt
	}
	for i := range chunk {
		if err := w.store(ctx, &chunk[i]); err != nil {
			return fmt.Errorf("article %q: %w", chunk[i].Key, err)
		}
	}
	if w.first == 0 {
		return nil
	}
	return runIn(ctx, tx, "INSERT INTO import_range (import, first, last) VALUES (?, ?, ?)", s.report.ID, w.first, w.last)
}

func (w *importWriter) store(ctx context.Context, a *importArticle) error {
	if a.of.Gone != nil {
		return w.storeGone(ctx, a)
	}
	w.count(a)
	if !a.ok {
		w.report.Empty++
		return nil
	}
	if a.feed.known != 0 {
		if id, err := w.findKnown(ctx, a); err != nil || id != 0 {
			return errors.Join(err, w.markKnown(ctx, a, id))
		}
	}
	if !a.feed.of.Subscribed && !a.of.Starred && len(a.of.Labels) == 0 {
		w.report.Unfollowed++
		return nil
	}
	if a.feed.hidden == 0 {
		if err := w.hide(ctx, w.tx, a.feed); err != nil {
			return err
		}
		if a.feed.known != 0 {
			w.report.Merged = append(w.report.Merged, a.feed.known)
		}
	}
	return w.insert(ctx, a)
}

// count counts what was read.
func (w *importWriter) count(a *importArticle) {
	r := &w.report
	r.Read.Articles++
	if a.of.Read {
		r.Read.Read++
	}
	if a.of.Starred {
		r.Read.Starred++
	}
	r.Read.Labels += len(a.of.Labels)
	if at := a.of.Item.Published; !at.IsZero() && (at.Unix() < int64(3*24*time.Hour/time.Second) || at.After(w.options.Now)) {
		r.BadDates++
	}
}

func (w *importWriter) published(a *importArticle) time.Time {
	for _, at := range []time.Time{a.Published, a.of.Seen, w.source.Watched} {
		if at.Unix() > 0 && !at.After(w.options.Now) {
			return at
		}
	}
	return w.options.Now
}

func (w *importWriter) insert(ctx context.Context, a *importArticle) error {
	status := a.status(w)
	done, err := w.insertStatus.ExecContext(ctx, status...)
	if err != nil {
		return err
	}
	if n, _ := done.RowsAffected(); n == 0 {
		return w.repeat(ctx, a)
	}
	if err := w.note(done); err != nil {
		return err
	}
	id := w.last
	if _, err := w.insertArticle.ExecContext(ctx, id, a.Title, a.Link, a.Author, a.Summary, digest(a.Article), joinCategories(a.Categories)); err != nil {
		return err
	}
	if _, err := w.insertBody.ExecContext(ctx, id, a.HTML); err != nil {
		return err
	}
	for _, e := range a.Enclosures {
		if _, err := w.insertEnclosure.ExecContext(ctx, id, e.URL, e.Type, e.Length, e.Seconds); err != nil {
			return err
		}
	}
	w.report.Stored.Articles++
	if a.of.Read {
		w.report.Stored.Read++
	}
	if err := w.storeOwn(ctx, id, a); err != nil {
		return err
	}
	return w.mark(ctx, id, false, a.of.Starred, a.of.Labels)
}

// repeat adds the marks of an article that the source has twice to the first.
func (w *importWriter) repeat(ctx context.Context, a *importArticle) error {
	w.report.Repeated++
	var id int64
	if err := w.find.QueryRowContext(ctx, a.feed.hidden, a.Key).Scan(&id); err != nil {
		return err
	}
	if a.of.Read {
		if err := runIn(ctx, w.tx, "UPDATE status SET read = 1 WHERE id = ?", id); err != nil {
			return err
		}
	}
	return w.mark(ctx, id, false, a.of.Starred, a.of.Labels)
}

// findKnown finds an article in the feed that it belongs to here: under its key, else with its title and date, if just one has
// them. 0: there is none.
func (w *importWriter) findKnown(ctx context.Context, a *importArticle) (id int64, err error) {
	err = w.find.QueryRowContext(ctx, a.feed.known, a.Key).Scan(&id)
	if err == nil || !errors.Is(err, sql.ErrNoRows) {
		return id, err
	}
	as, ok := identityOf(a.Article)
	if !ok || !hasTimeOfDay(a.Published) {
		return 0, nil
	}
	rows, err := w.findAlike.QueryContext(ctx, a.feed.known, as.published, as.title)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var one int64
		var aside sql.RawBytes
		if err := rows.Scan(&one, &aside, &aside, &aside, &aside, &aside, &aside); err != nil {
			return 0, err
		}
		ids = append(ids, one)
	}
	if len(ids) != 1 {
		return 0, rows.Err()
	}
	return ids[0], rows.Err()
}

// markKnown stages the marks that an article lacks which is stored already. One that was deleted gets none.
func (w *importWriter) markKnown(ctx context.Context, a *importArticle, id int64) error {
	if id == 0 {
		return nil
	}
	w.report.KnownArticles++
	var read, starred, deleted bool
	if err := w.tx.QueryRowContext(ctx, "SELECT read, starred, deleted FROM status WHERE id = ?", id).Scan(&read, &starred, &deleted); err != nil || deleted {
		return err
	}
	if a.of.Read && !read {
		w.report.Stored.Read++
	}
	if err := w.stagePlayback(ctx, id, a); err != nil {
		return err
	}
	return w.mark(ctx, id, a.of.Read && !read, a.of.Starred && !starred, a.of.Labels)
}

// mark stages marks and labels of an article.
func (w *importWriter) mark(ctx context.Context, id int64, read, starred bool, labels []string) error {
	if read || starred {
		if err := runIn(ctx, w.tx, `INSERT INTO import_mark (import, article, read, starred) VALUES (?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET read = max(read, excluded.read), starred = max(starred, excluded.starred)`, w.report.ID, id, read, starred); err != nil {
			return err
		}
	}
	for _, name := range labels {
		if name = labelName(name); name == "" {
			continue
		}
		if err := runIn(ctx, w.tx, "INSERT INTO import_label (import, article, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", w.report.ID, id, name); err != nil {
			return err
		}
	}
	return nil
}

// labelName makes the name of a label of what another reader allows; "" if nothing is left.
func labelName(name string) string {
	return content.Cut(content.Line(name), MaxLabelName)
}
