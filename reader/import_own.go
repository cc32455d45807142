package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kairos/reader/archive"
	"kairos/reader/content"
	"kairos/reader/parse"
)

// fromArchive returns a feed as an export of Kairos has it.
func fromArchive(f *archive.Feed) Feed {
	feed := Feed{URL: f.URL, Title: f.Title, OwnTitle: f.OwnTitle, Site: f.Site, Folder: f.Folder, Weight: min(f.Weight, MaxWeight), Interest: f.Interest,
		Paused: f.Paused, FullText: f.FullText, Notify: f.Notify, Keep: Keep{Days: boundKeep(f.KeepDays), Number: boundKeep(f.KeepNumber)},
		Quiet: f.Quiet, Ends: Ends{Days: boundKeep(f.EndDays), Number: boundKeep(f.EndNumber)}, Source: Source(f.Source)}
	if f.Every > 0 {
		feed.Every = min(max(f.Every, minEvery), maxEvery)
	}
	return feed
}

func boundKeep(n int) int { return min(max(n, KeepAll), maxKeep) }

// composeOwn prepares an article of an export to be stored as it was. Its HTML is sanitized again.
func (a *importArticle) composeOwn() {
	a.ok = true
	if gone := a.of.Gone; gone != nil {
		a.Key = gone.Key
		return
	}
	own := a.of.Own
	origin := content.Origin{Base: own.Link, Local: isLocalFeed(a.feed.of.URL)}
	a.Article = parse.Article{Key: own.Key, Title: lineAgain(own.Title), Link: origin.Link(own.Link), Author: lineAgain(own.Author), Summary: lineAgain(own.Summary),
		HTML: content.SanitizeAgain(own.HTML, origin), Published: own.Published, Categories: oneLineEach(own.Categories)}
	for _, e := range own.Enclosures {
		if isWebAddress(e.URL) {
			a.Enclosures = append(a.Enclosures, parse.Enclosure{URL: e.URL, Type: e.Type, Length: max(e.Length, 0), Seconds: parse.PlayingTime(float64(e.Seconds))})
		}
	}
	if t := own.FullText; t != nil {
		t.HTML = content.SanitizeAgain(t.HTML, origin)
	}
	if c := own.Chapters; c != nil {
		c.HTML = content.SanitizeAgain(c.HTML, origin)
		a.Chapters = c.Address
	}
	own.HTML = ""
}

// lineAgain returns a text that is one line as it is, also with a blank at its end, and another as one.
func lineAgain(s string) string {
	if line := content.Line(s); line != strings.TrimSpace(s) {
		return line
	}
	return s
}

// oneLineEach makes categories of an export, which may have line ends, lines.
func oneLineEach(categories []string) (lines []string) {
	for _, c := range categories {
		if c = strings.Join(strings.Fields(c), " "); c != "" {
			lines = append(lines, c)
		}
	}
	return lines
}

func isWebAddress(address string) bool {
	return strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}

// rulePending - n stands for the rule n of an export until that has an id.
const rulePending = -1000

// status are the values of the row of status of a new article.
func (a *importArticle) status(w *importWriter) []any {
	own := a.of.Own
	if own == nil {
		return []any{a.feed.hidden, a.Key, w.published(a).Unix(), w.report.At.Unix(), a.of.Read, false, false, 0, 0}
	}
	hidden, ended := 0, secondsOf(own.Ended)
	switch {
	case own.Hidden > 0:
		hidden = rulePending - own.Hidden
	case own.Hidden < 0:
		hidden = archive.UnknownRule
	}
	if own.EndsNoMore {
		ended = -1
	}
	away := own.Snooze != nil && own.Snooze.Back == nil
	return []any{a.feed.hidden, a.Key, own.Published.Unix(), min(own.Seen.Unix(), w.report.At.Unix()), own.Read, own.Listed, hidden != 0 || away, hidden, ended}
}

// storeOwn stores what only an export of Kairos has of a new article.
func (w *importWriter) storeOwn(ctx context.Context, id int64, a *importArticle) error {
	own := a.of.Own
	if own == nil {
		return nil
	}
	if t := own.FullText; t != nil {
		if err := runIn(ctx, w.tx, "INSERT INTO full_text (id, html, at, shown) VALUES (?, ?, ?, ?)", id, t.HTML, t.At.Unix(), t.Shown); err != nil {
			return err
		}
	}
	if c := own.Chapters; c != nil {
		if err := runIn(ctx, w.tx, "INSERT INTO chapters (id, address, html, at) VALUES (?, ?, ?, ?)", id, c.Address, c.HTML, secondsOf(c.At)); err != nil {
			return err
		}
	}
	if s := own.Snooze; s != nil {
		back := int64(0)
		if s.Back != nil {
			back = s.Back.Unix()
		}
		if err := runIn(ctx, w.tx, "INSERT INTO import_snooze (import, article, since, until, visit, back) VALUES (?, ?, ?, ?, ?, ?)", w.report.ID, id, s.Since.Unix(), s.Until.Unix(), s.Visit, back); err != nil {
			return err
		}
	}
	return w.stagePlayback(ctx, id, a)
}

// stagePlayback stages what was played of an article.
func (w *importWriter) stagePlayback(ctx context.Context, id int64, a *importArticle) error {
	if a.of.Own == nil {
		return nil
	}
	for _, p := range a.of.Own.Playback {
		if err := runIn(ctx, w.tx, `INSERT INTO import_playback (import, article, url, position, length, heard, queued, saved) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			w.report.ID, id, p.URL, max(p.Position, 0).Milliseconds(), max(p.Length, 0).Milliseconds(), p.Heard, max(p.Queued, 0), p.Saved); err != nil {
			return err
		}
	}
	return nil
}

// storeGone stores an article that was deleted or cleaned up, unless it is there.
func (w *importWriter) storeGone(ctx context.Context, a *importArticle) error {
	if a.feed.known != 0 {
		if id, err := w.findKnown(ctx, a); err != nil || id != 0 {
			return err
		}
	}
	if !a.feed.of.Subscribed {
		return nil
	}
	if a.feed.hidden == 0 {
		if err := w.hide(ctx, w.tx, a.feed); err != nil {
			return err
		}
	}
	g := a.of.Gone
	done, err := w.insertStatus.ExecContext(ctx, a.feed.hidden, g.Key, g.Published.Unix(), min(g.Seen.Unix(), w.report.At.Unix()), g.Read, g.Listed, g.Deleted, 0, 0)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return err
	}
	return w.note(done)
}

// note notes the id of a new row of status.
func (w *importWriter) note(done sql.Result) (err error) {
	w.last, err = done.LastInsertId()
	if w.first == 0 {
		w.first = w.last
	}
	return err
}

// switchOwn snoozes what was snoozed, and stores what was played.
func (s *importer) switchOwn(ctx context.Context, tx *sql.Tx) error {
	for _, query := range []string{
		`INSERT OR IGNORE INTO snooze (article, since, until, visit, back) SELECT article, since, until, visit, back FROM import_snooze WHERE import = ?1`,
		`DELETE FROM import_snooze WHERE import = ?1`,
		// What was played here already is not the import's, to be forgotten when that is undone.
		`DELETE FROM import_playback WHERE import = ?1 AND (article, url) IN (SELECT article, url FROM playback)`,
		`INSERT INTO playback (article, url, position, length, heard, queued, saved) SELECT article, url, position, length, heard, queued, saved FROM import_playback WHERE import = ?1`,
	} {
		if err := runIn(ctx, tx, query, s.report.ID); err != nil {
			return err
		}
	}
	return nil
}

// addLabels makes the labels of an export that are not there, with their colors.
func (s *importer) addLabels(ctx context.Context, tx *sql.Tx) error {
	if s.source.Export == nil {
		return nil
	}
	all, err := labelsIn(ctx, tx)
	if err != nil {
		return err
	}
	for _, l := range s.source.Export.Manifest.Labels {
		if slices.ContainsFunc(all, func(one Label) bool { return one.Same(l.Name) }) {
			continue
		}
		if l.Color < 0 || l.Color >= labelColors {
			l.Color = NextLabelColor(all)
		}
		id, err := SaveLabel(ctx, tx, Label{Name: l.Name, Color: l.Color})
		if errors.Is(err, ErrLabelName) {
			continue
		}
		if err != nil {
			return err
		}
		s.report.NewLabels = append(s.report.NewLabels, id)
		all = append(all, Label{ID: id, Name: l.Name, Color: l.Color})
	}
	return nil
}

// ListLabels returns the labels within a transaction, without counts.
func ListLabels(ctx context.Context, tx *sql.Tx) ([]Label, error) { return labelsIn(ctx, tx) }

func labelsIn(ctx context.Context, tx *sql.Tx) ([]Label, error) {
	return Collect(ctx, tx, "list labels", func(row *sql.Rows, l *Label) error { return row.Scan(&l.ID, &l.Name, &l.Color) }, "SELECT id, name, color FROM label")
}

// ImportedRules stores by which rules the articles of an export were hidden: rules has the ids by the numbers in the export, 0 for a
// rule that could not be stored.
func ImportedRules(ctx context.Context, tx *sql.Tx, rules []int64) error {
	for i, id := range rules {
		if id == 0 {
			continue
		}
		if err := runIn(ctx, tx, "UPDATE status SET hidden = ? WHERE deleted = 1 AND hidden <> 0 AND hidden = ?", id, rulePending-i-1); err != nil {
			return fmt.Errorf("import rules: %w", err)
		}
	}
	if err := runIn(ctx, tx, "UPDATE status SET hidden = ? WHERE deleted = 1 AND hidden <> 0 AND hidden < ?", archive.UnknownRule, rulePending); err != nil {
		return fmt.Errorf("import rules: %w", err)
	}
	return nil
}

// stageParts stores the parts of an import, each in a transaction.
func (s *importer) stageParts(ctx context.Context) error {
	if s.options.Parts == nil {
		return nil
	}
	place := 0
	for part, err := range s.options.Parts {
		if err != nil {
			return err
		}
		place++
		err := s.db.transactQuietly(ctx, func(tx *sql.Tx) error {
			return runIn(ctx, tx, "INSERT INTO import_part (import, place, name, content) VALUES (?, ?, ?, ?)", s.report.ID, place, part.Name, part.Content)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// eachPart stores the parts of an import where they belong, in their order, or with undo takes those back that were stored, the last
// first. Each takes a transaction of its own.
func (i Imports) eachPart(ctx context.Context, id int64, undo bool, hooks ImportHooks) error {
	order := "place"
	if undo {
		order = "place DESC"
	}
	for {
		var place int64
		var part ImportPart
		err := i.db.read.QueryRowContext(ctx, "SELECT place, name, content FROM import_part WHERE import = ? AND done = ? ORDER BY "+order+" LIMIT 1", id, undo).Scan(&place, &part.Name, &part.Content)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read import %d: %w", id, classify(err))
		}
		err = i.db.transactQuietly(ctx, func(tx *sql.Tx) (err error) {
			if undo {
				if hooks.Revert != nil && part.Content != "" {
					err = hooks.Revert(ctx, tx, part)
				}
				return errors.Join(err, runIn(ctx, tx, "DELETE FROM import_part WHERE import = ? AND place = ?", id, place))
			}
			back := ""
			if hooks.Apply != nil {
				back, err = hooks.Apply(ctx, tx, id, part)
			}
			return errors.Join(err, runIn(ctx, tx, "UPDATE import_part SET done = 1, content = ? WHERE import = ? AND place = ?", back, id, place))
		})
		if err != nil {
			return fmt.Errorf("part %s of import %d: %w", part.Name, id, err)
		}
	}
}

// ImportedFeed returns the id of the feed that an import has brought at an address; 0 if that was here before, or is not.
func ImportedFeed(ctx context.Context, tx *sql.Tx, id int64, address string) (feed int64, err error) {
	return findID(tx.QueryRowContext(ctx, "SELECT f.id FROM feed f JOIN import_feed i ON i.feed = f.id WHERE f.same = ? AND i.import = ? AND i.known = 0", sameOf(0, "", address), id))
}
