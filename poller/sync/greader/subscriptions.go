package greader

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"kairos/poller/sync"
	"kairos/poller/sync/call"
)

// Subscribe implements sync.Service.
func (c *Client) Subscribe(ctx context.Context, address, title, folder string) (sync.Feed, error) {
	known, err := call.FindFeed(ctx, c, func(f sync.Feed) bool { return f.URL == address })
	if err != nil || known.ID != "" {
		return known, err
	}
	answer, err := c.change(ctx, "subscription/quickadd", url.Values{"quickadd": {address}})
	if err != nil {
		return sync.Feed{}, fmt.Errorf("subscribe: %w", call.NotAdded(err))
	}
	var added struct {
		Stream string `json:"streamId"`
		Reason string `json:"error"`
	}
	if err := c.caller.Decode(answer, &added); err != nil {
		return sync.Feed{}, fmt.Errorf("subscribe: %w", err)
	}
	if added.Stream == "" {
		return sync.Feed{}, &sync.Error{Code: sync.NotAdded, Host: c.caller.Host(), Words: sync.PlainWords(added.Reason), Err: errors.New("no feed in the answer")}
	}
	var chosen sync.Change
	if title != "" {
		chosen.Title = &title
	}
	if folder != "" {
		chosen.Folder = &folder
	}
	if chosen != (sync.Change{}) {
		if err := c.Edit(ctx, added.Stream, chosen); err != nil {
			return sync.Feed{}, err
		}
	}
	f, err := call.FindFeed(ctx, c, func(f sync.Feed) bool { return f.ID == added.Stream })
	if f.ID == "" {
		f = sync.Feed{ID: added.Stream, URL: address, Title: title, Folder: folder}
	}
	return f, err
}

// Unsubscribe implements sync.Service.
func (c *Client) Unsubscribe(ctx context.Context, feed string) error {
	err := c.changeOK(ctx, "subscription/edit", url.Values{"ac": {"unsubscribe"}, "s": {feed}})
	if call.IsStatus(err, http.StatusBadRequest) { // there is no such feed
		return nil
	}
	if err != nil {
		return fmt.Errorf("unsubscribe: %w", err)
	}
	return nil
}

// Edit implements sync.Service. A feed of this protocol may be in several folders: it leaves all but the new one.
func (c *Client) Edit(ctx context.Context, feed string, change sync.Change) error {
	form := url.Values{"ac": {"edit"}, "s": {feed}}
	if change.Title != nil {
		form.Set("t", *change.Title)
	}
	if change.Folder != nil {
		if err := c.move(ctx, form, feed, *change.Folder); err != nil {
			return err
		}
	}
	if err := c.changeOK(ctx, "subscription/edit", form); err != nil {
		return fmt.Errorf("change feed %s: %w", feed, err)
	}
	return nil
}

// move adds to a change of a feed that it goes to a folder.
func (c *Client) move(ctx context.Context, form url.Values, feed, folder string) error {
	before, err := c.folders(ctx, feed)
	if err != nil {
		return err
	}
	if folder == "" && len(before) > 0 {
		if folder, err = c.uncategorized(ctx); err != nil {
			return err
		}
	}
	if folder != "" {
		form.Set("a", labels+folder)
	}
	for _, f := range before {
		if f != folder {
			form.Add("r", labels+f)
		}
	}
	return nil
}

// folders returns the names of the folders that hold a feed.
func (c *Client) folders(ctx context.Context, feed string) (names []string, err error) {
	err = c.subscriptions(ctx, func(s *call.Stream) error {
		return call.Each(s, call.MaxFeeds, func(one subscription) error {
			if one.ID == feed {
				names = one.folders()
			}
			return nil
		})
	})
	return names, err
}

// subscriptions has read read the list of the account's feeds.
func (c *Client) subscriptions(ctx context.Context, read func(*call.Stream) error) error {
	_, err := c.stream(ctx, "subscription/list", nil, func(s *call.Stream) error {
		return s.Field("subscriptions", func() error { return read(s) })
	})
	if err != nil {
		return fmt.Errorf("list feeds: %w", err)
	}
	return nil
}

// uncategorized returns the name of the server's folder for feeds without one, or "" if it has none: Miniflux moves a
// feed only into another folder.
func (c *Client) uncategorized(ctx context.Context) (string, error) {
	name := ""
	_, err := c.stream(ctx, "tag/list", nil, func(s *call.Stream) error {
		return s.Object(map[string]func() error{"tags": func() error {
			return call.Each(s, maxTags, func(t category) error {
				if name == "" && uncategorized[t.name()] {
					name = t.name()
				}
				return nil
			})
		}})
	})
	if err != nil {
		return "", fmt.Errorf("list folders: %w", err)
	}
	return name, nil
}
