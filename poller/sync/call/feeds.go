package call

import (
	"context"
	"slices"

	"kairos/poller/sync"
)

// MaxFeeds is how many feeds, or folders of them, an account has at most.
const MaxFeeds = 20_000

// Feeds reads a list of feeds.
func Feeds[T any](s *Stream, feed func(T) sync.Feed) ([]sync.Feed, error) {
	list := []sync.Feed{}
	err := Each(s, MaxFeeds, func(value T) error {
		f := feed(value)
		list = append(list, f)
		return s.Keep(f.Size())
	})
	return list, err
}

// FindFeed returns the first feed of an account that is as wanted, or an empty one.
func FindFeed(ctx context.Context, account sync.Service, isWanted func(sync.Feed) bool) (sync.Feed, error) {
	feeds, err := account.Feeds(ctx)
	if i := slices.IndexFunc(feeds, isWanted); i >= 0 {
		return feeds[i], nil
	}
	return sync.Feed{}, err
}
