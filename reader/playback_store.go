package reader

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// playbackSteps store what the user has played of the files of articles. They hang on the status of
// an article and go by the file's address, since an edit stores the files of an article again.
const playbackSteps = `
CREATE TABLE playback (
	article  INTEGER NOT NULL REFERENCES status(id) ON DELETE CASCADE,
	url      TEXT    NOT NULL,
	position INTEGER NOT NULL DEFAULT 0, -- milliseconds
	length   INTEGER NOT NULL DEFAULT 0, -- milliseconds; 0: unknown
	heard    INTEGER NOT NULL DEFAULT 0,
	queued   INTEGER NOT NULL DEFAULT 0, -- place in the queue; 0: not in it
	PRIMARY KEY (article, url)
) WITHOUT ROWID;
CREATE INDEX playback_queue ON playback (queued) WHERE queued <> 0;
`

const savedFileSteps = `
ALTER TABLE playback ADD COLUMN saved TEXT NOT NULL DEFAULT ''; -- path of the copy that the user saved
`

const playingTimeSteps = `ALTER TABLE enclosure ADD COLUMN seconds INTEGER NOT NULL DEFAULT 0; -- how long it plays; 0: unknown`

// Playback is what the user has played of a file of an article.
type Playback struct {
	Position time.Duration // where to go on
	Length   time.Duration // 0: unknown
	Heard    bool          // to its end
	Queued   bool          // to be played after others
	Saved    string        // path of the copy that the user saved last, which may be gone; SaveCopy stores it
}

// Playable is a file of an article that can be played.
type Playable struct {
	Article int64
	Feed    int64
	URL     string
	Title   string // of the article
	Playback
}

// Playbacks returns what was played of an article's files, by their addresses.
func (a Articles) Playbacks(ctx context.Context, article int64) (map[string]Playback, error) {
	rows, err := a.db.read.QueryContext(ctx, "SELECT url, position, length, heard, queued <> 0, saved FROM playback WHERE article = ?", article)
	if err != nil {
		return nil, fmt.Errorf("load playback: %w", classify(err))
	}
	defer rows.Close()
	played := map[string]Playback{}
	for rows.Next() {
		var url string
		var p Playback
		var position, length int64
		if err := rows.Scan(&url, &position, &length, &p.Heard, &p.Queued, &p.Saved); err != nil {
			return nil, fmt.Errorf("load playback: %w", err)
		}
		p.Position, p.Length = time.Duration(position)*time.Millisecond, time.Duration(length)*time.Millisecond
		played[url] = p
	}
	return played, classify(rows.Err())
}

// loadPlayingTimes adds to articles how long they play, and whether they are in the queue. The player knows it better than the feed.
func (a Articles) loadPlayingTimes(ctx context.Context, ids []int64, byID map[int64]Article) error {
	marks, args := placeholders(ids)
	rows, err := a.db.read.QueryContext(ctx, `SELECT e.article, CASE WHEN p.length > 0 THEN p.length ELSE e.seconds * 1000 END, coalesce(p.position, 0), coalesce(p.queued, 0) <> 0
		FROM enclosure e LEFT JOIN playback p ON p.article = e.article AND p.url = e.url
		WHERE (e.seconds > 0 OR p.length > 0 OR p.queued <> 0) AND e.article IN `+marks+` ORDER BY e.rowid`, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id, length, position int64
		var queued bool
		if err := rows.Scan(&id, &length, &position, &queued); err != nil {
			return err
		}
		article, ok := byID[id]
		if !ok {
			continue
		}
		article.Queued = article.Queued || queued
		if article.Plays == 0 {
			article.Plays = time.Duration(length) * time.Millisecond
			if 0 < position && position < length {
				article.Left = article.Plays - time.Duration(position)*time.Millisecond
			}
		}
		byID[id] = article
	}
	return rows.Err()
}

// Queue returns the files to be played, in their order.
func (a Articles) Queue(ctx context.Context) ([]Playable, error) {
	rows, err := a.db.read.QueryContext(ctx, `SELECT p.article, s.feed, p.url, a.title, a.summary, a.link, p.position, p.length, p.heard, p.saved
		FROM playback p JOIN status s ON s.id = p.article JOIN article a ON a.id = p.article
		WHERE p.queued <> 0 AND s.deleted = 0 ORDER BY p.queued, p.article, p.url`)
	if err != nil {
		return nil, fmt.Errorf("load queue: %w", classify(err))
	}
	defer rows.Close()
	var queue []Playable
	for rows.Next() {
		var one Playable
		var of Article
		var position, length int64
		if err := rows.Scan(&one.Article, &one.Feed, &one.URL, &of.Title, &of.Summary, &of.Link, &position, &length, &one.Heard, &one.Saved); err != nil {
			return nil, fmt.Errorf("load queue: %w", err)
		}
		one.Title, one.Queued = title(of), true
		one.Position, one.Length = time.Duration(position)*time.Millisecond, time.Duration(length)*time.Millisecond
		queue = append(queue, one)
	}
	return queue, classify(rows.Err())
}

// SavePlayback stores what was played of a file. One that comes into the queue comes at its end.
func SavePlayback(ctx context.Context, tx *sql.Tx, article int64, url string, p Playback) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO playback (article, url, position, length, heard, queued)
		SELECT ?1, ?2, ?3, ?4, ?5, CASE WHEN ?6 THEN (SELECT coalesce(max(queued), 0) + 1 FROM playback) ELSE 0 END WHERE EXISTS (SELECT 1 FROM status WHERE id = ?1)
		ON CONFLICT (article, url) DO UPDATE SET position = excluded.position, length = excluded.length, heard = excluded.heard,
			queued = CASE WHEN ?6 AND playback.queued <> 0 THEN playback.queued ELSE excluded.queued END`,
		article, url, p.Position.Milliseconds(), p.Length.Milliseconds(), p.Heard, p.Queued)
	if err != nil {
		return fmt.Errorf("save playback: %w", err)
	}
	return nil
}

// SaveCopy stores where the user saved a copy of a file.
func SaveCopy(ctx context.Context, tx *sql.Tx, article int64, url, path string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO playback (article, url, saved) SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM status WHERE id = ?1)
		ON CONFLICT (article, url) DO UPDATE SET saved = excluded.saved`, article, url, path)
	if err != nil {
		return fmt.Errorf("save where a copy is: %w", err)
	}
	return nil
}
