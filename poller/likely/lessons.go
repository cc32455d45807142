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

// evidence is what there is to learn from beside the readings themselves.
type evidence struct {
	readings int
	likings  []useraccess.Liking
	ignored  []useraccess.Ignored
}

func readEvidence(ctx context.Context, log *useraccess.Log) (e evidence, err error) {
	if e.readings, err = log.CountReadings(ctx); err != nil {
		return e, err
	}
	if e.likings, err = log.Likings(ctx); err != nil {
		return e, err
	}
	e.ignored, err = log.Ignored(ctx)
	return e, err
}

// begin returns lessons of which nothing is learned yet.
func (e evidence) begin() lessons {
	return lessons{model: taste.NewModel(features(e.ignored)...), interests: map[int64]rate.Interest{}, likings: e.likings, ignored: e.ignored}
}

// goesOn reports whether what was learned can be added to: nothing of it is gone, liked or ignored otherwise.
func (l *lessons) goesOn(e evidence) bool {
	return l.model != nil && e.readings >= l.readings && slices.Equal(e.likings, l.likings) && slices.Equal(e.ignored, l.ignored)
}

// update learns of readings that are new, or from the beginning where they cannot be added.
func (l *lessons) update(ctx context.Context, store *reader.Store, log *useraccess.Log, feeds map[int64]poller.FeedInterest, now time.Time) error {
	e, err := readEvidence(ctx, log)
	if err != nil {
		return err
	}
	next, goesOn := *l, l.goesOn(e)
	if !goesOn {
		next = e.begin()
	}
	fresh, err := next.unlearned(ctx, log)
	if late := goesOn && len(fresh) < e.readings-l.readings; err == nil && late { // another device told about them only now
		next, goesOn = e.begin(), false
		fresh, err = next.unlearned(ctx, log)
	}
	if err != nil {
		return err
	}
	var likings []useraccess.Liking
	if !goesOn {
		likings = e.likings
	}
	articles, err := articlesOf(ctx, store, fresh, likings)
	if err != nil {
		return err
	}
	next.learnAll(fresh, likings, articles, feeds, now)
	next.readings = e.readings
	*l = next
	return nil
}

// unlearned returns the readings after those that were learned.
func (l *lessons) unlearned(ctx context.Context, log *useraccess.Log) ([]useraccess.Reading, error) {
	readings, err := log.Readings(ctx, l.upTo)
	return slices.DeleteFunc(readings, func(r useraccess.Reading) bool { return r.At.Equal(l.upTo) && l.last[r.Article] }), err
}

// learnAll learns of readings and likings in the order of time.
func (l *lessons) learnAll(readings []useraccess.Reading, likings []useraccess.Liking, articles map[int64]taste.Article, feeds map[int64]poller.FeedInterest, now time.Time) {
	for _, r := range readings {
		for len(likings) > 0 && !likings[0].At.After(r.At) {
			l.like(likings[0], articles, feeds, now)
			likings = likings[1:]
		}
		l.learn(r, articles, feeds[r.Feed].PerDay, now)
	}
	for _, like := range likings {
		l.like(like, articles, feeds, now)
	}
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
		l.model.Ask(a, origin, at, like.More)
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
