package reader

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// EndsChoice is a choice of when unread articles end: for a feed, else for a folder and all in it, else for all feeds.
type EndsChoice struct {
	Feed   int64
	Folder Place // without a path: none
	Ends   Ends
}

// feedEnds is a feed with when its unread articles end.
type feedEnds struct {
	Feed
	ends Ends
}

// feedsOf returns the feeds that a choice is for, as if it were stored.
func (c EndsChoice) feedsOf(ctx context.Context, db *database) (within []feedEnds, err error) {
	feeds, err := Feeds{db}.List(ctx)
	if err != nil {
		return nil, err
	}
	folders, err := Feeds{db}.Folders(ctx)
	if err != nil {
		return nil, err
	}
	general, err := Settings{db}.Ends(ctx)
	if err != nil {
		return nil, err
	}
	switch chosen := c.Ends.normalized(); {
	case c.Feed != 0:
		feeds = slices.DeleteFunc(feeds, func(f Feed) bool { return f.ID != c.Feed })
		for i := range feeds {
			feeds[i].Ends = chosen
		}
	case c.Folder.Path != "":
		feeds = slices.DeleteFunc(feeds, func(f Feed) bool { return !slices.Contains(enclosingFolders(Place{f.Account, f.Folder}), c.Folder) })
		of := folders[c.Folder]
		of.Ends = chosen
		folders[c.Folder] = of
	default:
		general = Ends{max(chosen.Days, 0), max(chosen.Number, 0)}
	}
	for _, f := range feeds {
		within = append(within, feedEnds{f, EndsOf(f, folders, general)})
	}
	return within, nil
}

// Ending counts the unread articles that would end at the instant now if this were chosen, and those that are unread where it holds.
func (a Articles) Ending(ctx context.Context, c EndsChoice, now time.Time) (ending, unread int, err error) {
	feeds, err := c.feedsOf(ctx, a.db)
	if err != nil {
		return 0, 0, err
	}
	for _, f := range feeds {
		unread += f.Unread
		if f.Unread == 0 {
			continue
		}
		where, args, err := anyEnd(ctx, a.db.read, f, now)
		if err != nil {
			return 0, 0, err
		}
		n := 0
		if err := a.db.read.QueryRowContext(ctx, "SELECT count(*) FROM status WHERE "+where+" AND "+endable, args...).Scan(&n); err != nil {
			return 0, 0, fmt.Errorf("count unread articles that would end: %w", classify(err))
		}
		ending += n
	}
	return ending, unread, nil
}

// anyEnd is the condition for an article of a feed to end if it is unread.
func anyEnd(ctx context.Context, db Querier, f feedEnds, now time.Time) (where string, args []any, err error) {
	conditions, err := f.ends.conditions(ctx, db, f.ID, now)
	if err != nil {
		return "", nil, err
	}
	all := []string{"0"}
	for _, c := range conditions {
		all, args = append(all, c.where), append(args, c.args...)
	}
	return "(" + strings.Join(all, " OR ") + ")", args, nil
}

// EndedBefore lists the articles that ended and would not end at the instant now if this were chosen.
func (a Articles) EndedBefore(ctx context.Context, c EndsChoice, now time.Time) (ids []int64, err error) {
	feeds, err := c.feedsOf(ctx, a.db)
	if err != nil {
		return nil, err
	}
	for _, f := range feeds {
		where, args, err := anyEnd(ctx, a.db.read, f, now)
		if err != nil {
			return nil, err
		}
		rows, err := a.db.read.QueryContext(ctx, "SELECT s.id FROM status s WHERE s.feed = ? AND s.deleted = 0 AND "+hasEnded+" AND NOT "+where, append([]any{f.ID}, args...)...)
		if err == nil {
			ids, err = scanIDs(ids, rows)
		}
		if err != nil {
			return nil, fmt.Errorf("list articles that ended: %w", classify(err))
		}
	}
	return ids, nil
}
