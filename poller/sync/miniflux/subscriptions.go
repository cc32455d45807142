package miniflux

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"kairos/poller/sync"
	"kairos/poller/sync/call"
)

// Subscribe implements sync.Service. Miniflux fetches the feed before it answers, and refuses one that it cannot fetch.
func (c *Client) Subscribe(ctx context.Context, address, title, folder string) (sync.Feed, error) {
	known, err := call.FindFeed(ctx, c, func(f sync.Feed) bool { return f.URL == address })
	if err != nil || known.ID != "" {
		return known, err
	}
	id, err := c.categoryID(ctx, folder)
	if err != nil {
		return sync.Feed{}, err
	}
	var created struct {
		ID int64 `json:"feed_id"`
	}
	body := call.JSON(map[string]any{"feed_url": address, "category_id": id})
	answer, err := c.caller.Do(ctx, http.MethodPost, "/v1/feeds", body)
	if err != nil {
		return sync.Feed{}, fmt.Errorf("subscribe: %w", call.NotAdded(err))
	}
	if err := c.decode(answer, &created, &created.ID); err != nil {
		return sync.Feed{}, fmt.Errorf("subscribe: %w", err)
	}
	if title != "" {
		return c.put(ctx, fmt.Sprint(created.ID), map[string]any{"title": title})
	}
	var f feed
	if answer, err = c.caller.Do(ctx, http.MethodGet, fmt.Sprintf("/v1/feeds/%d", created.ID), nil); err == nil {
		err = c.decode(answer, &f, &f.ID)
	}
	if err != nil {
		return sync.Feed{}, fmt.Errorf("subscribe: %w", err)
	}
	return f.service(), nil
}

// Unsubscribe implements sync.Service.
func (c *Client) Unsubscribe(ctx context.Context, feed string) error {
	_, err := c.change(ctx, http.MethodDelete, "/v1/feeds/"+url.PathEscape(feed), nil)
	if err != nil && !call.IsStatus(err, http.StatusNotFound) {
		return fmt.Errorf("unsubscribe: %w", err)
	}
	return nil
}

// decode decodes one feed or category, which has an id.
func (c *Client) decode(answer *call.Answer, into any, id *int64) error {
	if err := c.caller.Decode(answer, into); err != nil {
		return err
	}
	if *id <= 0 {
		return c.caller.Garbled("no id")
	}
	return nil
}

// Edit implements sync.Service.
func (c *Client) Edit(ctx context.Context, feed string, change sync.Change) error {
	fields := map[string]any{}
	if change.Title != nil {
		fields["title"] = *change.Title
	}
	if change.Folder != nil {
		id, err := c.categoryID(ctx, *change.Folder)
		if err != nil {
			return err
		}
		fields["category_id"] = id
	}
	_, err := c.put(ctx, feed, fields)
	return err
}

func (c *Client) put(ctx context.Context, id string, change map[string]any) (sync.Feed, error) {
	answer, err := c.caller.Do(ctx, http.MethodPut, "/v1/feeds/"+url.PathEscape(id), call.JSON(change))
	if err != nil {
		return sync.Feed{}, fmt.Errorf("change feed %s: %w", id, err)
	}
	var f feed
	if err := c.decode(answer, &f, &f.ID); err != nil {
		return sync.Feed{}, fmt.Errorf("change feed %s: %w", id, err)
	}
	return f.service(), nil
}

// categoryID returns the id of the category for a folder, which it creates where there is none. Without a folder
// it is the one that Miniflux gave the user.
func (c *Client) categoryID(ctx context.Context, folder string) (int64, error) {
	if folder == "" {
		folder = unfiled
	}
	categories, err := c.categories(ctx)
	if err != nil {
		return 0, err
	}
	for _, k := range categories {
		if strings.EqualFold(k.Title, folder) {
			return k.ID, nil
		}
	}
	answer, err := c.caller.Do(ctx, http.MethodPost, "/v1/categories", call.JSON(map[string]string{"title": folder}))
	if err != nil {
		return 0, fmt.Errorf("create category: %w", err)
	}
	var created category
	if err := c.decode(answer, &created, &created.ID); err != nil {
		return 0, fmt.Errorf("create category: %w", err)
	}
	return created.ID, nil
}

func (c *Client) categories(ctx context.Context) (list call.List[category], err error) {
	if _, err := c.get(ctx, "/v1/categories", nil, &list); err != nil {
		return nil, fmt.Errorf("list categories: %w", err)
	}
	return list, nil
}

// RenameFolder implements sync.FolderRenamer.
func (c *Client) RenameFolder(ctx context.Context, from, to string) (bool, error) {
	categories, err := c.categories(ctx)
	if err != nil {
		return false, err
	}
	id := int64(0)
	for _, k := range categories {
		switch {
		case k.Title == from:
			id = k.ID
		case strings.EqualFold(k.Title, to):
			return false, nil
		}
	}
	if id == 0 {
		return false, nil
	}
	answer, err := c.caller.Do(ctx, http.MethodPut, fmt.Sprintf("/v1/categories/%d", id), call.JSON(map[string]string{"title": to}))
	var renamed category
	if err == nil {
		err = c.decode(answer, &renamed, &renamed.ID)
	}
	if err != nil {
		return false, fmt.Errorf("rename category: %w", err)
	}
	return true, nil
}
