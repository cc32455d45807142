package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"kairos/reader/imports"
)

// Undo takes an import back: the feeds that it has brought with all their articles, also those that came since, the articles it
// has added to other feeds, and the marks and labels it has set. All of it is out of sight at once; deleting it takes as long as
// the import did, and goes on at the next start if ctx ends. Errors: ErrUnknown, ErrImportRunning.
func (i Imports) Undo(ctx context.Context, id int64, hooks ImportHooks) error {
	if !i.turn.TryLock() {
		return ErrImportRunning
	}
	defer i.turn.Unlock()
	if err := i.db.transact(ctx, func(tx *sql.Tx) error { return hideImport(ctx, tx, id) }); err != nil {
		return fmt.Errorf("undo import %d: %w", id, err)
	}
	if err := i.discard(ctx, id, hooks); err != nil && ctx.Err() == nil {
		return fmt.Errorf("undo import %d: %w", id, err)
	}
	return nil
}

// Amend stores the report of an import again, after some of its feeds were refused.
func (i Imports) Amend(ctx context.Context, r *ImportReport) error {
	if r.ID == 0 {
		return nil
	}
	return i.db.transactQuietly(ctx, func(tx *sql.Tx) error { return r.store(ctx, tx, importDone) })
}

// hideImport puts all that an import did out of sight.
func hideImport(ctx context.Context, tx *sql.Tx, id int64) error {
	var text string
	err := tx.QueryRowContext(ctx, "SELECT report FROM import WHERE id = ? AND state IN (?, ?)", id, importSwitched, importDone).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return ErrUnknown
	}
	if err != nil {
		return err
	}
	report, err := readReport(id, text)
	if err != nil {
		return err
	}
	for _, query := range []string{
		`UPDATE feed SET removed = -3, same = 'import ' || ?1 || ' ' || id WHERE id IN (SELECT feed FROM import_feed WHERE import = ?1 AND known = 0)`,
		`UPDATE feed SET removed = i.removed FROM import_feed i WHERE i.import = ?1 AND i.known = feed.id AND i.removed <> 0`,
		`UPDATE status SET starred = 0 WHERE starred = 1 AND (id IN (SELECT article FROM import_mark WHERE import = ?1 AND starred = 1)
			OR feed IN (SELECT feed FROM import_feed WHERE import = ?1 AND known = 0))`,
		"DELETE FROM delivery WHERE ?1 > 0 AND " + isTakenBack,
		`UPDATE status SET read = 0 WHERE read = 1 AND id IN (SELECT article FROM import_mark WHERE import = ?1 AND read = 1)`,
		`DELETE FROM labelled WHERE (label, article) IN (SELECT label, article FROM import_label WHERE import = ?1)`,
		`DELETE FROM playback WHERE (article, url) IN (SELECT article, url FROM import_playback WHERE import = ?1)`,
		`DELETE FROM snooze WHERE article IN (SELECT id FROM status WHERE feed IN (SELECT feed FROM import_feed WHERE import = ?1 AND known = 0))`,
	} {
		if err := runIn(ctx, tx, query, id); err != nil {
			return err
		}
	}
	if err := report.dropLabels(ctx, tx); err != nil {
		return err
	}
	return runIn(ctx, tx, "UPDATE import SET state = ? WHERE id = ?", importUndone, id)
}

// dropLabels deletes the labels that an import has made, as far as nothing has them.
func (r *ImportReport) dropLabels(ctx context.Context, tx *sql.Tx) error {
	for _, label := range r.NewLabels {
		used, err := LabelUsed(ctx, tx, label)
		if err != nil {
			return err
		}
		if !used {
			if err := runIn(ctx, tx, "DELETE FROM label WHERE id = ?", label); err != nil {
				return err
			}
		}
	}
	return nil
}

// discard deletes what is stored of an import that is out of sight, in portions.
func (i Imports) discard(ctx context.Context, id int64, hooks ImportHooks) error {
	if id == 0 {
		return nil
	}
	if err := i.eachPart(ctx, id, true, hooks); err != nil {
		return err
	}
	rows, err := i.db.read.QueryContext(ctx, "SELECT f.id FROM import_feed i JOIN feed f ON f.id = i.feed WHERE i.import = ? AND f.removed = ?", id, hiddenFeed)
	if err != nil {
		return fmt.Errorf("read import %d: %w", id, classify(err))
	}
	feeds, err := scanIDs(nil, rows)
	if err != nil {
		return fmt.Errorf("read import %d: %w", id, classify(err))
	}
	for _, feed := range feeds {
		if err := i.deleteSome(ctx, "SELECT id FROM status WHERE feed = ? LIMIT ?", feed, importArticles); err != nil {
			return err
		}
		if err := i.db.transactQuietly(ctx, func(tx *sql.Tx) error { return runIn(ctx, tx, "DELETE FROM feed WHERE id = ?", feed) }); err != nil {
			return err
		}
	}
	report, _, err := i.report(ctx, id)
	if err != nil {
		return err
	}
	if err := i.deleteRanges(ctx, &report); err != nil {
		return err
	}
	return i.db.transact(ctx, func(tx *sql.Tx) error { // rules of an export had labels until now
		return errors.Join(report.dropLabels(ctx, tx), runIn(ctx, tx, "DELETE FROM import WHERE id = ?", id))
	})
}

// deleteRanges deletes what an import has added to feeds that stay.
func (i Imports) deleteRanges(ctx context.Context, report *ImportReport) error {
	// An id may be given again. An article of another reader was first seen at the import, one of an export before that.
	seen := "seen = ?"
	if report.Reader == imports.KairosExport {
		seen = "seen <= ?"
	}
	rows, err := i.db.read.QueryContext(ctx, "SELECT r.first, r.last, i.at FROM import_range r JOIN import i ON i.id = r.import WHERE i.id = ?", report.ID)
	if err != nil {
		return fmt.Errorf("read import %d: %w", report.ID, classify(err))
	}
	var ranges [][3]int64
	for rows.Next() {
		var r [3]int64
		if err := rows.Scan(&r[0], &r[1], &r[2]); err != nil {
			rows.Close()
			return err
		}
		ranges = append(ranges, r)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for _, r := range ranges {
		if err := i.deleteSome(ctx, "SELECT id FROM status WHERE id BETWEEN ? AND ? AND "+seen+" LIMIT ?", r[0], r[1], r[2], importArticles); err != nil {
			return err
		}
	}
	return nil
}

// deleteSome deletes the articles that a query selects, a portion at a time, until it selects none.
func (i Imports) deleteSome(ctx context.Context, query string, args ...any) error {
	for n := 1; n > 0; {
		var found bool
		if err := i.db.read.QueryRowContext(ctx, "SELECT EXISTS ("+query+")", args...).Scan(&found); err != nil || !found {
			return err
		}
		err := i.db.transactQuietly(ctx, func(tx *sql.Tx) error {
			done, err := tx.ExecContext(ctx, "DELETE FROM status WHERE id IN ("+query+")", args...)
			if err != nil {
				return err
			}
			deleted, err := done.RowsAffected()
			n = int(deleted)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
