// Package likely orders articles by the probability that they are read, and tells why: useraccess/taste learns it from what
// was read and passed over, beginning with the interest in each feed.
package likely

import (
	"context"
	"fmt"
	"sync"
	"time"

	"kairos/poller"
	"kairos/reader"
	"kairos/reader/story"
	"kairos/useraccess"
	"kairos/useraccess/taste"
)

// Likely orders the articles of a store. It is safe for concurrent use.
type Likely struct {
	store     *reader.Store
	log       *useraccess.Log
	interests func(context.Context) (map[int64]poller.FeedInterest, error)
	now       func() time.Time

	mu       sync.Mutex
	lessons  lessons
	articles *taste.Collection
	feeds    map[int64]poller.FeedInterest
	feedsAt  time.Time
	lists    int64 // of the store, when the carriers of stories were read
}

// New returns what orders the articles of a store by what a log tells. interests returns the interest in each feed.
func New(store *reader.Store, log *useraccess.Log, interests func(context.Context) (map[int64]poller.FeedInterest, error), now func() time.Time) *Likely {
	return &Likely{store: store, log: log, interests: interests, now: now, articles: taste.NewCollection(), lists: -1}
}

const (
	// feedsAge is how long the interest in feeds is used: it changes by little with each article.
	feedsAge = time.Minute
	// maxArticles bounds the memory of what is known of articles, some 80 MB.
	maxArticles = 1_000_000
)

// Order returns articles with the likeliest first; equals stay in their order. Those of shown, which is an order from before,
// stay as they were, and stand below the others: a list does not change under the eyes of who reads it.
func (l *Likely) Order(ctx context.Context, ids, shown []int64) ([]int64, error) {
	fresh, old := split(ids, shown)
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(fresh) == 0 {
		return old, nil
	}
	if err := l.prepare(ctx, fresh); err != nil {
		return nil, err
	}
	return append(l.articles.Order(l.lessons.model, l.origins(), fresh, l.now()), old...), nil
}

// split returns the ids that were not shown, and those that were, in the order shown.
func split(ids, shown []int64) (fresh, old []int64) {
	if len(shown) == 0 {
		return ids, nil
	}
	was := make(map[int64]bool, len(shown))
	for _, id := range shown {
		was[id] = true
	}
	still := make(map[int64]bool, len(ids))
	for _, id := range ids {
		if was[id] {
			still[id] = true
		} else {
			fresh = append(fresh, id)
		}
	}
	for _, id := range shown {
		if still[id] {
			old = append(old, id)
			delete(still, id)
		}
	}
	return fresh, old
}

// prepare brings all that an order of these articles depends on up to date.
func (l *Likely) prepare(ctx context.Context, ids []int64) error {
	now := l.now()
	if age := now.Sub(l.feedsAt); l.feeds == nil || age < 0 || age > feedsAge {
		feeds, err := l.interests(ctx)
		if err != nil {
			return err
		}
		l.feeds, l.feedsAt = feeds, now
	}
	if err := l.lessons.update(ctx, l.store, l.log, l.feeds, now); err != nil {
		return fmt.Errorf("learn what is read: %w", err)
	}
	return l.collect(ctx, ids)
}

// collect reads what the articles are like that are not known yet.
func (l *Likely) collect(ctx context.Context, ids []int64) error {
	if l.articles.Len() > maxArticles {
		l.articles, l.lists = taste.NewCollection(), -1
	}
	lists := l.store.Lists()
	var unknown []int64
	for _, id := range ids {
		if !l.articles.Has(id) {
			unknown = append(unknown, id)
		}
	}
	err := l.store.Articles.Facts(ctx, unknown, func(f reader.Facts) {
		if !l.articles.Has(f.ID) {
			l.articles.Add(f.ID, articleOf(f))
		}
	})
	if err != nil || lists == l.lists {
		return err
	}
	carriers, err := l.store.Articles.Carriers(ctx)
	if err != nil {
		return err
	}
	l.articles.SetCarriers(carriers)
	l.lists = lists
	return nil
}

// bytesPerWord is about how much HTML a word takes.
const bytesPerWord = 8

// articleOf returns what is learned of an article. Words that every title has say nothing of taste.
func articleOf(f reader.Facts) taste.Article {
	return taste.Article{Feed: f.Feed, Title: story.WithoutStopWords(f.Title), Author: f.Author, Published: f.Published, Words: f.Size / bytesPerWord, Carriers: f.Carriers, Categories: f.Categories}
}

func (l *Likely) origins() map[int64]taste.Feed {
	origins := make(map[int64]taste.Feed, len(l.feeds))
	for id, i := range l.feeds {
		origins[id] = originOf(i)
	}
	return origins
}

func originOf(i poller.FeedInterest) taste.Feed {
	return taste.Feed{Interest: i.Chance, Uncertain: i.Spread}
}

// Reason is why an article is likely to be read, or is not.
type Reason struct {
	Chance   float64 // that it is read
	Feed     poller.FeedInterest
	Features []taste.Reason // by the size of the effect
}

// Reasons returns the reason of each of these articles that exist.
func (l *Likely) Reasons(ctx context.Context, ids ...int64) (map[int64]Reason, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.prepare(ctx, nil); err != nil {
		return nil, err
	}
	now, reasons := l.now(), make(map[int64]Reason, len(ids))
	err := l.store.Articles.Facts(ctx, ids, func(f reader.Facts) {
		interest, article := l.feeds[f.Feed], articleOf(f)
		origin := originOf(interest)
		reasons[f.ID] = Reason{Chance: l.lessons.model.Chance(article, origin, now), Feed: interest, Features: l.lessons.model.Reasons(article, origin, now)}
	})
	return reasons, err
}

// Chances returns the probability that each of these articles is read, of those that exist.
func (l *Likely) Chances(ctx context.Context, ids []int64) (map[int64]float64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.prepare(ctx, nil); err != nil {
		return nil, err
	}
	now, chances := l.now(), make(map[int64]float64, len(ids))
	err := l.store.Articles.Facts(ctx, ids, func(f reader.Facts) {
		chances[f.ID] = l.lessons.model.Chance(articleOf(f), originOf(l.feeds[f.Feed]), now)
	})
	return chances, err
}

// Liked is what it changes that the user wants more like an article, or fewer.
type Liked struct {
	Before, After float64                         // probability that the article itself is read
	Again         bool                            // the user had asked for that before
	Undo          func(ctx context.Context) error // takes it back
}

// Like notes that the user wants more like an article, or fewer. Errors: reader.ErrUnknown.
func (l *Likely) Like(ctx context.Context, article int64, more bool) (Liked, error) {
	before, err := l.Reasons(ctx, article)
	if err != nil {
		return Liked{}, err
	}
	feeds, err := l.store.Articles.FeedsOf(ctx, []int64{article})
	if err != nil {
		return Liked{}, err
	}
	feed, there := feeds[article]
	if !there {
		return Liked{}, reader.ErrUnknown
	}
	was, err := l.log.Like(ctx, useraccess.Liking{At: l.now(), Feed: feed, Article: article, More: more})
	if err != nil {
		return Liked{}, err
	}
	after, err := l.Reasons(ctx, article)
	undo := func(ctx context.Context) error {
		if was == nil {
			return l.log.Unlike(ctx, article)
		}
		_, err := l.log.Like(ctx, *was)
		return err
	}
	return Liked{before[article].Chance, after[article].Chance, was != nil && was.More == more, undo}, err
}

// Learned returns what was learned of what articles have in common, the surest first, and what is ignored.
func (l *Likely) Learned(ctx context.Context) (learned []taste.Learned, ignored []taste.Named, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.prepare(ctx, nil); err != nil {
		return nil, nil, err
	}
	for _, f := range features(l.lessons.ignored) {
		ignored = append(ignored, l.lessons.model.Named(f))
	}
	return l.lessons.model.Learned(l.now()), ignored, nil
}

// Ignore learns nothing more of a feature, or learns it again.
func (l *Likely) Ignore(ctx context.Context, f taste.Feature, on bool) error {
	return l.log.Ignore(ctx, useraccess.Ignored{Kind: f.Kind.Code(), Text: f.Text}, on)
}
