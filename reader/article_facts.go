package reader

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"
)

// Facts are what an article is like, without its text.
type Facts struct {
	ID        int64
	Feed      int64
	Title     string // the article's own, at most story.MaxTitle characters; may be empty
	Link      string
	Author    string
	Published time.Time
	Size      int   // of its sanitized HTML, in bytes
	Story     int64 // it belongs to, if stories are listed once; 0: none
	Carriers  int   // feeds that carry the story, this one among them

	Categories []string // as the feed files it
}

// Facts calls f with what each of these articles is like, in any order. Articles that are gone are left out.
func (a Articles) Facts(ctx context.Context, ids []int64, f func(Facts)) error {
	for chunk := range slices.Chunk(ids, maxPlaceholders) {
		if err := a.factsOf(ctx, chunk, f); err != nil {
			return fmt.Errorf("read what articles are like: %w", classify(err))
		}
	}
	return nil
}

// Carriers returns of each article of a story how many feeds carry that.
func (a Articles) Carriers(ctx context.Context) (map[int64]int, error) {
	var text sql.NullString
	err := a.db.read.QueryRowContext(ctx, `SELECT group_concat(story || ' ' || id || ' ' || feed, ' ') FROM
		(SELECT story, id, feed FROM status WHERE story <> 0 AND deleted = 0 ORDER BY story, id)`).Scan(&text)
	if err != nil {
		return nil, fmt.Errorf("count the feeds of stories: %w", classify(err))
	}
	carriers := map[int64]int{}
	var story, feeds []int64
	of := int64(0)
	set := func() {
		for _, id := range story {
			carriers[id] = len(feeds)
		}
		story, feeds = story[:0], feeds[:0]
	}
	for rest := text.String; rest != ""; {
		var row [3]int64
		if rest, err = cutNumbers(rest, row[:]); err != nil {
			return nil, err
		}
		if row[0] != of {
			set()
			of = row[0]
		}
		story = append(story, row[1])
		if !slices.Contains(feeds, row[2]) {
			feeds = append(feeds, row[2])
		}
	}
	set()
	return carriers, nil
}

func (a Articles) factsOf(ctx context.Context, ids []int64, f func(Facts)) error {
	marks, args := placeholders(ids)
	// octet_length reads no text. Of a title of a megabyte nobody looks at more than the beginning, and callers keep thousands.
	rows, err := a.db.read.QueryContext(ctx, `SELECT s.id, s.feed, `+titleStart+`, a.link, s.story, substr(a.author, 1, 1000), substr(a.categories, 1, 4000), s.published, coalesce(octet_length(b.html), 0),
			CASE s.story WHEN 0 THEN 1 ELSE (SELECT count(DISTINCT o.feed) FROM status o WHERE o.story = s.story AND o.story <> 0 AND o.deleted = 0) END
		FROM status s JOIN article a USING (id) LEFT JOIN body b USING (id) WHERE s.id IN `+marks, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var one Facts
		var published int64
		var categories string
		if err := rows.Scan(&one.ID, &one.Feed, &one.Title, &one.Link, &one.Story, &one.Author, &categories, &published, &one.Size, &one.Carriers); err != nil {
			return err
		}
		one.Published = time.Unix(published, 0).UTC()
		one.Categories = splitCategories(categories)
		f(one)
	}
	return rows.Err()
}
