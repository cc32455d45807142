package ttrss

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kairos/poller/sync"
	"kairos/poller/sync/call"
)

// Feeds implements sync.Service.
func (c *Client) Feeds(ctx context.Context) ([]sync.Feed, error) {
	feeds, _, err := c.lists(ctx)
	return feeds, err
}

// lists gets the feeds, and the names of the folders by their ids.
func (c *Client) lists(ctx context.Context) (feeds []sync.Feed, folders map[call.Number]string, err error) {
	if folders, err = c.folders(ctx); err != nil {
		return nil, nil, err
	}
	_, err = c.ask(ctx, "getFeeds", params{"cat_id": realFeeds}, func(s *call.Stream) (err error) {
		feeds, err = call.Feeds(s, func(f feed) sync.Feed { return f.service(folders) })
		return err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("list feeds: %w", err)
	}
	return feeds, folders, nil
}

func (c *Client) folders(ctx context.Context) (map[call.Number]string, error) {
	names := map[call.Number]string{}
	_, err := c.ask(ctx, "getCategories", params{"include_empty": true}, func(s *call.Stream) error {
		return call.Each(s, call.MaxFeeds, func(k category) error {
			if k.ID <= 0 { // its own: labels, what is in no folder
				return nil
			}
			names[k.ID] = call.Text(k.Title)
			return s.KeepText(k.Title)
		})
	})
	if err != nil {
		return nil, fmt.Errorf("list folders: %w", err)
	}
	return names, nil
}

// Subscribe implements sync.Service. The title stays the feed's own, and the feed goes to a folder only if there is one of that name.
func (c *Client) Subscribe(ctx context.Context, address, _, folder string) (sync.Feed, error) {
	feeds, folders, err := c.lists(ctx)
	if err != nil {
		return sync.Feed{}, err
	}
	if i := slices.IndexFunc(feeds, func(f sync.Feed) bool { return f.URL == address }); i >= 0 {
		return feeds[i], nil
	}
	category := call.Number(0)
	for id, name := range folders {
		if strings.EqualFold(name, folder) {
			category = id
		}
	}
	var added struct {
		Status struct {
			Code    int         `json:"code"`
			Feed    call.Number `json:"feed_id"`
			Message string      `json:"message"`
		} `json:"status"`
	}
	_, err = c.ask(ctx, "subscribeToFeed", params{"feed_url": address, "category_id": category},
		func(s *call.Stream) error { return s.DecodeWhole(&added) })
	switch {
	case err != nil:
		return sync.Feed{}, fmt.Errorf("subscribe: %w", call.NotAdded(err))
	case added.Status.Code > 1: // 0: it was there, 1: it is now
		return sync.Feed{}, &sync.Error{Code: sync.NotAdded, Host: c.caller.Host(), Words: sync.PlainWords(added.Status.Message),
			Err: fmt.Errorf("it was answered with %d", added.Status.Code)}
	case added.Status.Feed <= 0:
		return sync.Feed{}, fmt.Errorf("subscribe: %w", c.caller.Garbled("no id"))
	}
	f, err := c.fetch(ctx, fmt.Sprint(added.Status.Feed))
	if err == nil && f.ID == "" {
		err = c.caller.Garbled("the list does not have the new feed")
	}
	return f, err
}

// fetch makes the server fetch a feed and returns how it is then, or an empty one if it is not there. Whether it could be fetched, the
// list alone tells.
func (c *Client) fetch(ctx context.Context, id string) (sync.Feed, error) {
	if err := c.do(ctx, "updateFeed", params{"feed_id": id}); err != nil {
		return sync.Feed{}, fmt.Errorf("fetch feed %s: %w", id, err)
	}
	return c.find(ctx, id)
}

// find returns the feed with an id, or an empty one.
func (c *Client) find(ctx context.Context, id string) (sync.Feed, error) {
	return call.FindFeed(ctx, c, func(f sync.Feed) bool { return f.ID == id })
}

// Refresh implements sync.Refresher.
func (c *Client) Refresh(ctx context.Context, feed string) error {
	f, err := c.fetch(ctx, feed)
	if err == nil && (f.ID == "" || f.Health.Failures > 0) {
		err = &sync.Error{Code: sync.Rejected, Host: c.caller.Host(), Words: sync.PlainWords(f.Health.Message), Err: errors.New("the feed could not be fetched")}
	}
	return err
}

// Unsubscribe implements sync.Service. What the server answers where there is no such feed is called differently by its versions.
func (c *Client) Unsubscribe(ctx context.Context, feed string) error {
	err := c.do(ctx, "unsubscribeFeed", params{"feed_id": feed})
	var fault *sync.Error
	if errors.As(err, &fault) && fault.Code == sync.Rejected {
		if f, listErr := c.find(ctx, feed); listErr == nil && f.ID == "" {
			return nil
		}
	}
	if err != nil {
		return fmt.Errorf("unsubscribe: %w", err)
	}
	return nil
}
