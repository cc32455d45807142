package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"kairos/reader/search"
)

// switchIn shows what was staged: the feeds that are new, with all their articles, and stars and labels. This takes a moment, as
// it changes rows of feeds and of marked articles only.
func (s *importer) switchIn(ctx context.Context) error {
	return s.db.transact(ctx, func(tx *sql.Tx) error {
		id := s.report.ID
		met, err := meetSubscribed(ctx, tx, id)
		if err != nil {
			return err
		}
		s.report.meet(met)
		for _, query := range []string{
			`UPDATE feed SET same = i.same, removed = i.removed FROM import_feed i WHERE i.import = ?1 AND i.known = 0 AND feed.id = i.feed`,
			`UPDATE feed SET removed = 0 WHERE id IN (SELECT known FROM import_feed WHERE import = ?1 AND known <> 0 AND removed <> 0)`,
			`DELETE FROM import_mark WHERE import = ?1 AND read = 0 AND article IN (SELECT id FROM status WHERE starred = 1)`,
			`UPDATE status SET starred = 1 WHERE id IN (SELECT article FROM import_mark WHERE import = ?1 AND starred = 1)`,
		} {
			if err := runIn(ctx, tx, query, id); err != nil {
				return err
			}
		}
		for _, do := range []func(context.Context, *sql.Tx) error{s.addLabels, s.putLabels, s.switchOwn} {
			if err := do(ctx, tx); err != nil {
				return err
			}
		}
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM import_mark WHERE import = ? AND starred = 1", id).Scan(&s.report.Stored.Starred); err != nil {
			return err
		}
		return s.report.store(ctx, tx, importSwitched)
	})
}

// meetSubscribed makes stand-ins of the feeds that somebody has subscribed to while they were imported, and returns their ids with
// those they stand in for.
func meetSubscribed(ctx context.Context, tx *sql.Tx, id int64) (met map[int64]int64, err error) {
	rows, err := tx.QueryContext(ctx, "SELECT i.feed, f.id FROM import_feed i JOIN feed f ON f.same = i.same WHERE i.import = ? AND i.known = 0 AND i.feed <> f.id", id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	met = map[int64]int64{}
	for rows.Next() {
		var hidden, known int64
		if err := rows.Scan(&hidden, &known); err != nil {
			return nil, err
		}
		met[hidden] = known
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	for hidden, known := range met {
		if err := runIn(ctx, tx, `UPDATE import_feed SET known = ?2, removed = (SELECT CASE WHEN i.removed = 0 THEN f.removed ELSE 0 END FROM feed f, import_feed i
			WHERE f.id = ?2 AND i.import = ?3 AND i.feed = ?1) WHERE import = ?3 AND feed = ?1`, hidden, known, id); err != nil {
			return nil, err
		}
	}
	return met, nil
}

// meet takes feeds that turned out to be known out of those that are new.
func (r *ImportReport) meet(met map[int64]int64) {
	for hidden, known := range met {
		is := func(id int64) bool { return id == hidden }
		if !slices.ContainsFunc(r.Added, is) {
			continue
		}
		r.Added, r.Local, r.Paused = slices.DeleteFunc(r.Added, is), slices.DeleteFunc(r.Local, is), slices.DeleteFunc(r.Paused, is)
		r.Logins = slices.DeleteFunc(r.Logins, func(l ImportedLogin) bool { return l.Feed == hidden })
		r.Merged = append(r.Merged, known)
		r.Stored.Feeds--
		r.KnownFeeds++
	}
}

// putLabels puts labels on articles, and makes those that are missing.
func (s *importer) putLabels(ctx context.Context, tx *sql.Tx) error {
	rows, err := tx.QueryContext(ctx, "SELECT DISTINCT name FROM import_label WHERE import = ? ORDER BY name", s.report.ID)
	if err != nil {
		return err
	}
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			rows.Close()
			return err
		}
		names = append(names, name)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for _, name := range names {
		label, err := s.labelNamed(ctx, tx, name)
		if err != nil {
			return fmt.Errorf("label %q: %w", name, err)
		}
		if err := runIn(ctx, tx, "UPDATE import_label SET label = ? WHERE import = ? AND name = ?", label, s.report.ID, name); err != nil {
			return err
		}
	}
	// A label that an article has already is not the import's, to be taken off when that is undone.
	err = errors.Join(
		runIn(ctx, tx, "DELETE FROM import_label WHERE import = ? AND (label, article) IN (SELECT label, article FROM labelled)", s.report.ID),
		runIn(ctx, tx, "INSERT OR IGNORE INTO labelled (label, article) SELECT label, article FROM import_label WHERE import = ? AND label <> 0", s.report.ID))
	if err != nil {
		return err
	}
	return tx.QueryRowContext(ctx, "SELECT count(*) FROM import_label WHERE import = ? AND label <> 0", s.report.ID).Scan(&s.report.Stored.Labels)
}

// labelNamed returns the label of a name, which it makes if there is none; 0 if the name is not valid.
func (s *importer) labelNamed(ctx context.Context, tx *sql.Tx, name string) (id int64, err error) {
	err = tx.QueryRowContext(ctx, "SELECT id FROM label WHERE same = ?", search.Plain(name)).Scan(&id)
	if err == nil || !errors.Is(err, sql.ErrNoRows) {
		return id, err
	}
	var count int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM label").Scan(&count); err != nil {
		return 0, err
	}
	id, err = SaveLabel(ctx, tx, Label{Name: name, Color: count % labelColors})
	if errors.Is(err, ErrLabelName) {
		return 0, nil
	}
	if err == nil {
		s.report.NewLabels = append(s.report.NewLabels, id)
	}
	return id, err
}

// complete brings in what an import knows of feeds that were subscribed to before, in portions, and then calls the hooks.
func (i Imports) complete(ctx context.Context, id int64, hooks ImportHooks) error {
	standIns, err := i.standIns(ctx, id)
	if err != nil {
		return err
	}
	for _, s := range standIns {
		for moved := importArticles; moved == importArticles; {
			if err := i.db.transactQuietly(ctx, func(tx *sql.Tx) (err error) { moved, err = s.move(ctx, tx); return err }); err != nil {
				return err
			}
		}
	}
	if err := i.markRead(ctx, id); err != nil {
		return err
	}
	if err := i.eachPart(ctx, id, false, hooks); err != nil {
		return err
	}
	report, watched, err := i.report(ctx, id)
	if err != nil {
		return err
	}
	if hooks.Finish != nil {
		if err := hooks.Finish(ctx, report, watched); err != nil {
			return err
		}
	}
	return i.db.transact(ctx, func(tx *sql.Tx) error {
		return runIn(ctx, tx, "UPDATE import SET state = ? WHERE id = ?", importDone, id)
	})
}

// report reads what an import did, with its feeds.
func (i Imports) report(ctx context.Context, id int64) (r ImportReport, watched time.Time, err error) {
	var text string
	var until int64
	if err := i.db.read.QueryRowContext(ctx, "SELECT report, watched FROM import WHERE id = ?", id).Scan(&text, &until); err != nil {
		return r, watched, fmt.Errorf("read import %d: %w", id, err)
	}
	if r, err = readReport(id, text); err != nil {
		return r, watched, err
	}
	rows, err := i.db.read.QueryContext(ctx, "SELECT DISTINCT CASE WHEN known <> 0 THEN known ELSE feed END, known = 0 FROM import_feed WHERE import = ?", id)
	if err != nil {
		return r, watched, fmt.Errorf("read import %d: %w", id, classify(err))
	}
	defer rows.Close()
	for rows.Next() {
		var feed int64
		var added bool
		if err := rows.Scan(&feed, &added); err != nil {
			return r, watched, err
		}
		if added {
			r.Added = append(r.Added, feed)
		} else {
			r.Merged = append(r.Merged, feed)
		}
	}
	return r, time.Unix(until, 0), rows.Err()
}

// standIn is a hidden feed whose articles go to a known one.
type standIn struct {
	hidden, known int64
	same          string
}

func (i Imports) standIns(ctx context.Context, id int64) ([]standIn, error) {
	return Collect(ctx, i.db.read, fmt.Sprintf("read import %d", id), func(row *sql.Rows, s *standIn) error {
		return row.Scan(&s.hidden, &s.known, &s.same)
	}, "SELECT feed, known, same FROM import_feed WHERE import = ? AND known <> 0 AND feed <> 0", id)
}

// move moves some articles, and returns how many. An article that the known feed has got meanwhile gets the marks of both.
func (s *standIn) move(ctx context.Context, tx *sql.Tx) (int, error) {
	there, err := s.find(ctx, tx)
	if err != nil || !there {
		return 0, err
	}
	rows, err := tx.QueryContext(ctx, "SELECT id FROM status WHERE feed = ? LIMIT ?", s.hidden, importArticles)
	if err != nil {
		return 0, err
	}
	ids, err := scanIDs(nil, rows)
	if err != nil {
		return 0, err
	}
	if len(ids) == 0 {
		return 0, errors.Join(runIn(ctx, tx, "DELETE FROM feed WHERE id = ?", s.hidden), runIn(ctx, tx, "UPDATE import_feed SET feed = 0 WHERE feed = ?", s.hidden))
	}
	marks, args := placeholders(ids)
	for _, query := range []string{
		"UPDATE OR IGNORE status SET feed = ? WHERE id IN " + marks,
		"UPDATE status AS b SET read = max(b.read, a.read), starred = max(b.starred, a.starred) FROM status AS a WHERE b.feed = ? AND b.key = a.key AND b.id <> a.id AND a.id IN " + marks,
		"INSERT OR IGNORE INTO labelled (label, article) SELECT l.label, b.id FROM status a JOIN labelled l ON l.article = a.id JOIN status b ON b.key = a.key AND b.id <> a.id WHERE b.feed = ? AND a.id IN " + marks,
		"DELETE FROM status WHERE feed <> ? AND id IN " + marks,
	} {
		if err := runIn(ctx, tx, query, append([]any{s.known}, args...)...); err != nil {
			return 0, err
		}
	}
	return importArticles, nil // there may be more, and at last the hidden feed goes
}

// find finds the known feed again if it has another id by now, or is gone: then the stand-in takes its place.
func (s *standIn) find(ctx context.Context, tx *sql.Tx) (there bool, err error) {
	if err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM feed WHERE id = ?)", s.known).Scan(&there); err != nil || there {
		return there, err
	}
	err = tx.QueryRowContext(ctx, "SELECT id FROM feed WHERE same = ?", s.same).Scan(&s.known)
	if errors.Is(err, sql.ErrNoRows) {
		return false, errors.Join(runIn(ctx, tx, "UPDATE feed SET same = ?, removed = 0 WHERE id = ?", s.same, s.hidden),
			runIn(ctx, tx, "UPDATE import_feed SET known = 0, removed = 0 WHERE feed = ?", s.hidden))
	}
	if err != nil {
		return false, err
	}
	return true, runIn(ctx, tx, "UPDATE import_feed SET known = ? WHERE feed = ?", s.known, s.hidden)
}

// markRead marks articles as read that were known, in portions.
func (i Imports) markRead(ctx context.Context, id int64) error {
	for after := int64(0); ; {
		var ids []int64
		err := i.db.transactQuietly(ctx, func(tx *sql.Tx) error {
			rows, err := tx.QueryContext(ctx, "SELECT article FROM import_mark WHERE import = ? AND read = 1 AND article > ? ORDER BY article LIMIT ?", id, after, maxPlaceholders)
			if err != nil {
				return err
			}
			if ids, err = scanIDs(nil, rows); err != nil {
				return err
			}
			_, err = Mark(ctx, tx, ids, FlagRead, true)
			return err
		})
		if err != nil || len(ids) == 0 {
			return err
		}
		after = ids[len(ids)-1]
	}
}
