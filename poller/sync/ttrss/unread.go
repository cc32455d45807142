package ttrss

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"kairos/poller/sync/call"
)

// manyParts is from how many parts on a list of unread articles is not got again where what has changed explains their number: the
// server takes longer for each part the longer the list is.
const manyParts = 3

// allUnread lists the unread articles.
func (c *Client) allUnread(ctx context.Context) (idList, error) {
	l, err := c.ids(ctx, list{feed: allArticles, unread: true})
	if err != nil {
		return l, fmt.Errorf("list unread articles: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.unread = nil; l.parts >= manyParts {
		c.unread = l.all
	}
	return l, nil
}

// noteUnread notes that articles were marked from here.
func (c *Client) noteUnread(ids []string, unread bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, id := range ids {
		if c.unread == nil {
			return
		}
		if delete(c.unread, id); unread {
			c.unread[id] = true
		}
	}
}

// stillUnread returns what is unread after some articles came: if there were many before, those without what was read lately, where
// that is as many as the server has. Else, and with every reconciliation, they are listed.
func (c *Client) stillUnread(ctx context.Context, came idList) (idList, error) {
	c.mu.Lock()
	now := maps.Clone(c.unread)
	c.mu.Unlock()
	if now == nil {
		return c.allUnread(ctx)
	}
	maps.Copy(now, came.all)
	lately, err := c.ids(ctx, list{feed: recentlyRead, since: onePart})
	if err != nil {
		return lately, fmt.Errorf("list articles read lately: %w", err)
	}
	for _, id := range slices.Concat(came.read, lately.read) {
		delete(now, id)
	}
	var there struct{ Unread call.Number }
	if _, err := c.ask(ctx, "getUnread", params{}, func(s *call.Stream) error { return s.DecodeWhole(&there) }); err != nil {
		return lately, fmt.Errorf("count unread articles: %w", err)
	}
	if int(there.Unread) != len(now) {
		return c.allUnread(ctx)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unread = now
	result := idList{ids: []string{}, parts: manyParts}
	for _, id := range slices.Sorted(maps.Keys(now)) {
		if now[id] {
			result.ids = append(result.ids, id)
		}
	}
	return result, nil
}
