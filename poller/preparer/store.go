package preparer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"

	"kairos/poller/prepare"
	"kairos/reader"
)

// store reads and writes the tables of what is prepared.
type store struct{ *reader.Store }

// settingJudged is the last article whose worth was noted.
const settingJudged = "poller.prepare.judged"

// historyDays is of how many days what came and was opened counts.
const historyDays = 30

func (s *store) judgedUpTo(ctx context.Context) (int64, error) {
	n, err := s.Settings.Int(ctx, settingJudged, 0)
	return int64(n), err
}

// noteJudged adds articles that came to the history.
func (s *store) noteJudged(ctx context.Context, upTo int64, h prepare.History, now time.Time) error {
	return s.Write(ctx, func(tx *sql.Tx) error {
		if err := addHistory(ctx, tx, h, now); err != nil {
			return err
		}
		return reader.SetSetting(ctx, tx, settingJudged, strconv.FormatInt(upTo, 10))
	})
}

// addHistory adds counts to those of the day, and forgets days long past.
func addHistory(ctx context.Context, tx *sql.Tx, h prepare.History, now time.Time) error {
	today := now.UTC().Format(time.DateOnly)
	for bin, c := range h {
		_, err := tx.ExecContext(ctx, `INSERT INTO prepare_worth (day, bin, articles, bytes, opened, whole) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET articles = articles + excluded.articles, bytes = bytes + excluded.bytes, opened = opened + excluded.opened, whole = whole + excluded.whole`,
			today, bin, c.Articles, int64(c.Bytes), c.Opened, c.Whole)
		if err != nil {
			return fmt.Errorf("note what articles are worth: %w", err)
		}
	}
	_, err := tx.ExecContext(ctx, "DELETE FROM prepare_worth WHERE day < ?", now.UTC().AddDate(0, 0, -2*historyDays).Format(time.DateOnly))
	return err
}

// history returns what came and was opened lately.
func (s *store) history(ctx context.Context, now time.Time) (prepare.History, error) {
	rows, err := s.Read().QueryContext(ctx, "SELECT bin, sum(articles), sum(bytes), sum(opened), sum(whole) FROM prepare_worth WHERE day >= ? GROUP BY bin",
		now.UTC().AddDate(0, 0, -historyDays).Format(time.DateOnly))
	if err != nil {
		return nil, fmt.Errorf("read what articles are worth: %w", err)
	}
	defer rows.Close()
	h := prepare.History{}
	for rows.Next() {
		var bin int
		var c prepare.Count
		if err := rows.Scan(&bin, &c.Articles, &c.Bytes, &c.Opened, &c.Whole); err != nil {
			return nil, fmt.Errorf("read what articles are worth: %w", err)
		}
		h.Add(bin, c)
	}
	return h, rows.Err()
}

// tried returns the articles that were prepared since a time, as far as they could be.
func (s *store) tried(ctx context.Context, since time.Time) (map[int64]bool, error) {
	return s.set(ctx, "SELECT article FROM prepared WHERE done <> 0 AND at >= ?", since.Unix())
}

// pagesAsked returns what came of the pages that were asked for, by article.
func (s *store) pagesAsked(ctx context.Context) (map[int64]PageResult, error) {
	rows, err := s.Read().QueryContext(ctx, "SELECT article, page FROM prepared WHERE page <> 0")
	if err != nil {
		return nil, fmt.Errorf("read what was prepared: %w", err)
	}
	defer rows.Close()
	pages := map[int64]PageResult{}
	for rows.Next() {
		var id int64
		var page PageResult
		if err := rows.Scan(&id, &page); err != nil {
			return nil, fmt.Errorf("read what was prepared: %w", err)
		}
		pages[id] = page
	}
	return pages, rows.Err()
}

func (s *store) set(ctx context.Context, query string, args ...any) (map[int64]bool, error) {
	rows, err := s.Read().QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("read what was prepared: %w", err)
	}
	defer rows.Close()
	set := map[int64]bool{}
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("read what was prepared: %w", err)
		}
		set[id] = true
	}
	return set, rows.Err()
}

// page returns what came of the page of an article.
func (s *store) page(ctx context.Context, id int64) (page PageResult, err error) {
	err = s.Read().QueryRowContext(ctx, "SELECT page FROM prepared WHERE article = ?", id).Scan(&page)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("read what was prepared: %w", err)
	}
	return page, nil
}

// noteTried notes what came of an article so far.
func noteTried(ctx context.Context, tx *sql.Tx, one item, r result, done bool, now time.Time) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO prepared (article, feed, at, page, done, chance, pictures, missing, bytes, text_size)
		SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 WHERE EXISTS (SELECT 1 FROM reader_article WHERE id = ?1)
		ON CONFLICT DO UPDATE SET at = excluded.at, page = CASE excluded.page WHEN 0 THEN page ELSE excluded.page END, done = max(done, excluded.done), chance = excluded.chance,
			pictures = excluded.pictures, missing = excluded.missing, bytes = CASE WHEN done = 0 THEN excluded.bytes ELSE bytes + excluded.bytes END,
			text_size = max(text_size, excluded.text_size)`,
		one.ID, one.Feed, now.Unix(), r.Page, done, one.chance, r.Pictures, r.Missing, r.Bytes, r.TextSize)
	if err != nil {
		return fmt.Errorf("note what was prepared: %w", err)
	}
	return nil
}

// noteDone notes that an article was prepared, and which files hold its pictures.
func (s *store) noteDone(ctx context.Context, one item, r result, files []string, now time.Time) error {
	return s.WriteAside(ctx, func(tx *sql.Tx) error {
		if err := errors.Join(noteTried(ctx, tx, one, r, true, now), reader.SetIncomplete(ctx, tx, one.ID, r.incomplete(now))); err != nil {
			return err
		}
		for _, file := range files {
			_, err := tx.ExecContext(ctx, "INSERT INTO prepared_picture (file, article) SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM prepared WHERE article = ?2) ON CONFLICT DO NOTHING", file, one.ID)
			if err != nil {
				return fmt.Errorf("note the pictures of an article: %w", err)
			}
		}
		return nil
	})
}

// noteIncomplete notes why an article is not whole, or that it is.
func (s *store) noteIncomplete(ctx context.Context, id int64, is reader.Incomplete) error {
	return s.WriteAside(ctx, func(tx *sql.Tx) error { return reader.SetIncomplete(ctx, tx, id, is) })
}

// notePage notes what came of the page of an article, in one transaction with what save stores of it.
func (s *store) notePage(ctx context.Context, one item, r result, bytes int64, now time.Time, save func(context.Context, *sql.Tx) error) error {
	return s.Write(ctx, func(tx *sql.Tx) error {
		if save != nil {
			if err := save(ctx, tx); err != nil {
				return err
			}
		}
		if err := noteTried(ctx, tx, one, r, false, now); err != nil {
			return err
		}
		return changeFeed(ctx, tx, one.Feed, func(f *feed) {
			switch r.Page {
			case Extracted:
				f.failures = 0
				f.cost.SawPage(bytes)
			case NoArticle:
				f.failures++
				f.cost.SawPage(bytes)
			}
		})
	})
}

// notePicture notes the size of a picture.
func (s *store) notePicture(ctx context.Context, feedID int64, bytes int64) error {
	return s.WriteAside(ctx, func(tx *sql.Tx) error {
		return changeFeed(ctx, tx, feedID, func(f *feed) { f.cost.SawPicture(bytes) })
	})
}

// stop leaves a host alone until a time.
func (s *store) stop(ctx context.Context, host string, until time.Time) error {
	return s.WriteAside(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO prepare_host (host, until) VALUES (?, ?) ON CONFLICT DO UPDATE SET until = excluded.until", host, until.Unix())
		if err == nil {
			_, err = tx.ExecContext(ctx, "DELETE FROM prepare_host WHERE until < ?", until.Add(-2*refusedFor).Unix())
		}
		if err != nil {
			return fmt.Errorf("note a refusal: %w", err)
		}
		return nil
	})
}

// isStopped reports whether a host is left alone. A time further ahead than any refusal reaches is of a clock that was wrong.
func (s *store) isStopped(ctx context.Context, host string, now time.Time) (stopped bool, err error) {
	err = s.Read().QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM prepare_host WHERE host = ? AND until > ? AND until <= ?)", host, now.Unix(), now.Add(refusedFor).Unix()).Scan(&stopped)
	if err != nil {
		return false, fmt.Errorf("read who refused: %w", err)
	}
	return stopped, nil
}
