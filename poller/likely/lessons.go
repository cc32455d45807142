package likely

import (
	"context"
	"slices"
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
	likings   []useraccess.Liking     // learned
	ignored   []useraccess.Ignored    // not learned
	upTo      time.Time
	last      map[int64]bool // articles of the readings at upTo
}

// update learns of readings that are new, and again from the beginning where some are gone.
func (l *lessons) update(ctx context.Context, store *reader.Store, log *useraccess.Log, feeds map[int64]poller.FeedInterest, now time.Time) error {
	n, err := log.CountReadings(ctx)
	if err != nil {
		return err
	}
	likings, err := log.Likings(ctx)
	if err != nil {
		return err
	}
	ignored, err := log.Ignored(ctx)
	if err != nil {
		return err
	}
	next := *l
	var pending []useraccess.Liking
	if l.model == nil || n < l.readings || !slices.Equal(likings, l.likings) || !slices.Equal(ignored, l.ignored) {
		next = lessons{model: taste.NewModel(features(ignored)...), interests: map[int64]rate.Interest{}, likings: likings, ignored: ignored}
		pending = likings
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
	articles, err := articlesOf(ctx, store, fresh, pending)
	if err != nil {
		return err
	}
	for _, r := range fresh {
		for len(pending) > 0 && !pending[0].At.After(r.At) {
			next.like(pending[0], articles, feeds, now)
			pending = pending[1:]
		}
		next.learn(r, articles, feeds[r.Feed].PerDay, now)
	}
	for _, like := range pending {
		next.like(like, articles, feeds, now)
	}
	next.readings = n
	*l = next
	return nil
}

// features returns what is ignored as the model names it. What another version stored may not be among it.
func features(ignored []useraccess.Ignored) (all []taste.Feature) {
	for _, i := range ignored {
		if kind, known := taste.KindOf(i.Kind); known {
			all = append(all, taste.Feature{Kind: kind, Text: i.Text})
		}
	}
	return all
}

// likingWeight is how many readings it counts for that the user wants more like an article, or fewer.
const likingWeight = 3

// like learns that the user wants more like an article, or fewer.
func (l *lessons) like(like useraccess.Liking, articles map[int64]taste.Article, feeds map[int64]poller.FeedInterest, now time.Time) {
	a, there := articles[like.Article]
	if !there {
		return
	}
	at := notAfter(like.At, now)
	origin := taste.Feed{Interest: l.interests[like.Feed].Chance(at, feeds[like.Feed].PerDay)}
	for range likingWeight {
		l.model.Learn(a, origin, at, like.More)
	}
}

// notAfter returns a time, or now if a wrong clock noted a later one.
func notAfter(at, now time.Time) time.Time {
	if at.After(now) {
		return now
	}
	return at
}

// learn learns of one reading. The interest that its feed had at the time is the origin.
func (l *lessons) learn(r useraccess.Reading, articles map[int64]taste.Article, perDay float64, now time.Time) {
	if !r.At.Equal(l.upTo) {
		l.upTo, l.last = r.At, map[int64]bool{}
	}
	l.last[r.Article] = true
	at := notAfter(r.At, now)
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

// articlesOf returns what these articles are like, but for those that were cleaned up.
func articlesOf(ctx context.Context, store *reader.Store, readings []useraccess.Reading, likings []useraccess.Liking) (map[int64]taste.Article, error) {
	ids := make([]int64, 0, len(readings)+len(likings))
	for _, r := range readings {
		ids = append(ids, r.Article)
	}
	for _, like := range likings {
		ids = append(ids, like.Article)
	}
	articles := make(map[int64]taste.Article, len(ids))
	err := store.Articles.Facts(ctx, ids, func(f reader.Facts) { articles[f.ID] = articleOf(f) })
	return articles, err
}
