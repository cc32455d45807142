package reader

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// dedupedIDs lists the articles that a query selects, of each story only the one that came first:
// then a list does not move when another feed brings the story, too. The first article stands for
// the story. Once it is read, no other article of the story in the same place is listed as unread.
func (a Articles) dedupedIDs(ctx context.Context, q Query) ([]int64, error) {
	limit := q.Limit
	q.Dedupe, q.Limit = false, 0
	ids, err := a.IDs(ctx, q)
	if err != nil {
		return nil, err
	}
	stories, err := a.stories(ctx)
	if err == nil && len(stories) > 0 {
		first := firstOfStories(ids, stories)
		if q.View == Unread || q.HideRead {
			err = a.dropReadStories(ctx, q, first, stories)
		}
		ids = slices.DeleteFunc(ids, func(id int64) bool {
			story, ok := stories[id]
			return ok && first[story] != id
		})
	}
	if err != nil {
		return nil, fmt.Errorf("list stories once: %w", classify(err))
	}
	if limit > 0 {
		ids = ids[:min(limit, len(ids))]
	}
	return ids, nil
}

// firstOfStories returns the first article of each story among these.
func firstOfStories(ids []int64, stories map[int64]int64) map[int64]int64 {
	first := map[int64]int64{}
	for _, id := range ids {
		if story, ok := stories[id]; ok && (first[story] == 0 || id < first[story]) {
			first[story] = id
		}
	}
	return first
}

// dropReadStories removes from first the stories with an earlier article in the same place: that
// article is not among the unread ones, so it has been read.
func (a Articles) dropReadStories(ctx context.Context, q Query, first, stories map[int64]int64) error {
	var earlier idList
	for id, story := range stories {
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
	q.HideRead, q.AlsoList = false, nil
	sel, err := q.selects(ctx, a.db.read, a.search.cache)
	if err != nil {
		return err
	}
	sel.add("s.id IN " + earlier.sql())
	wanted := sel.takeFilter(manyIDs)
	where, args := sel.where()
	ids, err := queryIDs(ctx, a.db.read, "SELECT s.id FROM status s WHERE "+where, args...)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if wanted == nil || wanted(id) {
			delete(first, stories[id])
		}
	}
	return nil
}

// stories returns the story of each article that shares one with others. The pairs come as one
// text: a row for each would take three times as long, for every list that is shown.
func (a Articles) stories(ctx context.Context) (map[int64]int64, error) {
	var text sql.NullString
	var n int
	err := a.db.read.QueryRowContext(ctx, "SELECT group_concat(id || ' ' || story, ' '), count(*) FROM status WHERE story <> 0 AND deleted = 0").Scan(&text, &n)
	if err != nil {
		return nil, err
	}
	stories := make(map[int64]int64, n)
	for rest := text.String; rest != ""; {
		var pair [2]int64
		if rest, err = cutNumbers(rest, pair[:]); err != nil {
			return nil, err
		}
		stories[pair[0]] = pair[1]
	}
	return stories, nil
}

// cutNumbers reads numbers from the start of a text of numbers separated by blanks.
func cutNumbers(text string, into []int64) (rest string, err error) {
	for i := range into {
		var number string
		number, text, _ = strings.Cut(text, " ")
		if into[i], err = strconv.ParseInt(number, 10, 64); err != nil {
			return "", err
		}
	}
	return text, nil
}

// subtractDuplicates subtracts what addUnread has counted of a story beside its first article in a
// place: that article stands for the story there, as in dedupedIDs. The numbers come as one text,
// as in stories.
func (c *Counts) subtractDuplicates(ctx context.Context, db Querier, folders map[int64][]Place, quiet map[int64]bool, midnight time.Time) error {
	var text sql.NullString
	err := db.QueryRowContext(ctx, `SELECT group_concat(story || ' ' || feed || ' ' || read || ' ' || (published >= ?), ' ') FROM
		(SELECT story, feed, read, published FROM status WHERE story <> 0 AND deleted = 0 AND story IN
			(SELECT story FROM status WHERE story <> 0 AND deleted = 0 AND read = 0) ORDER BY story, id)`, midnight.Unix()).Scan(&text)
	if err != nil {
		return err
	}
	counter := duplicateCounter{counts: c}
	for rest := text.String; rest != ""; {
		var row [4]int64
		if rest, err = cutNumbers(rest, row[:]); err != nil {
			return err
		}
		story, feed, unread, today := row[0], row[1], row[2] == 0, row[3] == 1
		if within, subscribed := folders[feed]; subscribed {
			counter.add(story, within, unread, today, quiet[feed])
		}
	}
	return nil
}

// duplicateCounter is given the articles story by story, those of a story in the order they came.
type duplicateCounter struct {
	counts     *Counts
	story      int64
	all, today bool    // the story has been counted in All, in Today
	folders    []Place // in which it has been counted
}

func (d *duplicateCounter) add(story int64, within []Place, unread, today, quiet bool) {
	if story != d.story {
		*d = duplicateCounter{counts: d.counts, story: story, folders: d.folders[:0]}
	}
	if !quiet {
		d.addToViews(unread, today)
	}
	for _, folder := range within {
		switch counted := slices.Contains(d.folders, folder); {
		case !counted:
			d.folders = append(d.folders, folder)
		case unread:
			d.counts.Folders[folder]--
		}
	}
}

// addToViews counts an article in All and Today.
func (d *duplicateCounter) addToViews(unread, today bool) {
	if d.all && unread {
		d.counts.Total--
	}
	d.all = true
	if d.today && unread && today {
		d.counts.Today--
	}
	d.today = d.today || today
}

// SameStories returns the other articles of the stories of these, if the user wants them marked
// read together; else none.
func SameStories(ctx context.Context, db Querier, ids []int64) (others []int64, err error) {
	if s, err := readDedupeSettings(ctx, db); err != nil || !s.Once || !s.ReadTogether {
		return nil, err
	}
	for chunk := range slices.Chunk(ids, maxPlaceholders) {
		marks, args := placeholders(chunk)
		rows, err := db.QueryContext(ctx, `SELECT id FROM status WHERE story <> 0 AND deleted = 0 AND story IN
			(SELECT story FROM status WHERE story <> 0 AND id IN `+marks+`)`, args...)
		if err != nil {
			return nil, fmt.Errorf("find the same stories: %w", err)
		}
		if others, err = scanIDs(others, rows); err != nil {
			return nil, fmt.Errorf("find the same stories: %w", err)
		}
	}
	given := make(map[int64]bool, len(ids))
	for _, id := range ids {
		given[id] = true
	}
	return slices.DeleteFunc(others, func(id int64) bool { return given[id] }), nil
}
