package likely

import (
	"context"
	"time"

	"kairos/poller"
	"kairos/reader"
	"kairos/useraccess"
	"kairos/useraccess/rate"
	"kairos/useraccess/taste"
)

// lessons are what was learned of the readings so far. Nothing of it is stored: it is learned again from the readings, the
// same each time.
type lessons struct {
	model     *taste.Model
	interests map[int64]rate.Interest // as they were after the last reading
	readings  int                     // learned
	upTo      time.Time
	last      map[int64]bool // articles of the readings at upTo
}

// update learns of readings that are new, and again from the beginning where some are gone.
func (l *lessons) update(ctx context.Context, store *reader.Store, log *useraccess.Log, feeds map[int64]poller.FeedInterest, now time.Time) error {
	n, err := log.CountReadings(ctx)
	if err != nil {
		return err
	}
	next := *l
	if l.model == nil || n < l.readings {
		next = lessons{model: taste.NewModel(), interests: map[int64]rate.Interest{}}
	}
	readings, err := log.Readings(ctx, next.upTo)
	if err != nil {
		return err
	}
	fresh := readings[:0]
	for _, r := range readings {
		if !(r.At.Equal(next.upTo) && next.last[r.Article]) {
			fresh = append(fresh, r)
		}
	}
	articles, err := articlesOf(ctx, store, fresh)
	if err != nil {
		return err
	}
	for _, r := range fresh {
		next.learn(r, articles, feeds[r.Feed].PerDay, now)
	}
	next.readings = n
	*l = next
	return nil
}

// learn learns of one reading. The interest that its feed had at the time is the origin.
func (l *lessons) learn(r useraccess.Reading, articles map[int64]taste.Article, perDay float64, now time.Time) {
	if !r.At.Equal(l.upTo) {
		l.upTo, l.last = r.At, map[int64]bool{}
	}
	l.last[r.Article] = true
	at := r.At
	if at.After(now) { // the clock was wrong
		at = now
	}
	read, interest := r.Evidence != useraccess.Passed, l.interests[r.Feed]
	if a, there := articles[r.Article]; there {
		l.model.Learn(a, taste.Feed{Interest: interest.Chance(at, perDay)}, at, read)
	}
	if read {
		l.interests[r.Feed] = interest.After(at, 1, 0)
	} else {
		l.interests[r.Feed] = interest.After(at, 0, 1)
	}
}

// articlesOf returns what the articles of readings are like, but for those that were cleaned up.
func articlesOf(ctx context.Context, store *reader.Store, readings []useraccess.Reading) (map[int64]taste.Article, error) {
	ids := make([]int64, len(readings))
	for i, r := range readings {
		ids[i] = r.Article
	}
	articles := make(map[int64]taste.Article, len(ids))
	err := store.Articles.Facts(ctx, ids, func(f reader.Facts) { articles[f.ID] = articleOf(f) })
	return articles, err
}
