package reader

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
)

// folds reports whether a query shows a story once: what was starred by hand and what
// one feed says are shown as they are.
func (q Query) folds() bool { return q.Fold && q.View != Starred && q.Feed == 0 && !q.Hidden }

// fold lists what a query selects and leaves of every story the article that came first,
// so that a list does not move when another feed carries it too. That one stands for the
// story: once it is read, no other of the same place is shown as unread.
func (s *Store) fold(ctx context.Context, q Query) ([]int64, error) {
	limit := q.Limit
	q.Fold, q.Limit = false, 0
	ids, err := s.IDs(ctx, q)
	if err != nil {
		return nil, err
	}
	of, err := s.storiesOf(ctx)
	if err == nil && len(of) > 0 {
		first := firstOf(ids, of)
		if q.View == Unread || q.HideRead {
			err = s.dropRead(ctx, q, first, of)
		}
		ids = slices.DeleteFunc(ids, func(id int64) bool {
			story, ok := of[id]
			return ok && first[story] != id
		})
	}
	if err != nil {
		return nil, fmt.Errorf("fold stories: %w", explain(err))
	}
	if limit > 0 {
		ids = ids[:min(limit, len(ids))]
	}
	return ids, nil
}

// firstOf is the first article of each story among these.
func firstOf(ids []int64, of map[int64]int64) map[int64]int64 {
	first := map[int64]int64{}
	for _, id := range ids {
		if story, ok := of[id]; ok && (first[story] == 0 || id < first[story]) {
			first[story] = id
		}
	}
	return first
}

// dropRead takes the stories out of first of which the place has an earlier article: it is
// none of the unread ones, so it has been read.
func (s *Store) dropRead(ctx context.Context, q Query, first, of map[int64]int64) error {
	var earlier idList
	for id, story := range of {
		if id < first[story] {
			earlier.ids = append(earlier.ids, id)
		}
	}
	if len(earlier.ids) == 0 {
		return nil
	}
	if q.View == Unread {
		q.View = All
	}
	q.HideRead, q.Keep = false, nil
	sel, err := q.selects(ctx, s.read, s.memo)
	if err != nil {
		return err
	}
	sel.add("s.id IN " + earlier.sql())
	has := sel.sieve(manyIDs)
	where, args := sel.where()
	ids, err := idsOf(ctx, s.read, "SELECT s.id FROM status s WHERE "+where, args...)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if has == nil || has(id) {
			delete(first, of[id])
		}
	}
	return nil
}

// storiesOf are the stories that more than one article tells, by article. They come as one
// text: a row for each would take three times as long, for every list that is shown.
func (s *Store) storiesOf(ctx context.Context) (map[int64]int64, error) {
	var text sql.NullString
	var n int
	err := s.read.QueryRowContext(ctx, "SELECT group_concat(id || ' ' || story, ' '), count(*) FROM status WHERE story <> 0 AND deleted = 0").Scan(&text, &n)
	if err != nil {
		return nil, err
	}
	of := make(map[int64]int64, n)
	for rest := text.String; rest != ""; {
		var pair [2]int64
		if rest, err = cutNumbers(rest, pair[:]); err != nil {
			return nil, err
		}
		of[pair[0]] = pair[1]
	}
	return of, nil
}

// SameStories returns the articles that tell the stories of these, themselves left out,
// if the user wants them marked read together; else none.
func SameStories(ctx context.Context, tx *sql.Tx, ids []int64) (others []int64, err error) {
	if _, together, err := foldSettings(ctx, tx); err != nil || !together {
		return nil, err
	}
	for chunk := range slices.Chunk(ids, 500) {
		marks, args := placeholders(chunk)
		rows, err := tx.QueryContext(ctx, `SELECT id FROM status WHERE story <> 0 AND deleted = 0 AND story IN
			(SELECT story FROM status WHERE story <> 0 AND id IN `+marks+`)`, args...)
		if err != nil {
			return nil, fmt.Errorf("look for the same stories: %w", err)
		}
		if others, err = appendIDs(others, rows); err != nil {
			return nil, fmt.Errorf("look for the same stories: %w", err)
		}
	}
	named := make(map[int64]bool, len(ids))
	for _, id := range ids {
		named[id] = true
	}
	return slices.DeleteFunc(others, func(id int64) bool { return named[id] }), nil
}
