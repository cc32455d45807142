// Package miniflux speaks Miniflux' own protocol (https://miniflux.app/docs/api.html, version 2.0.49 or newer), with
// the user and password of its web page.
package miniflux

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"kairos/poller/sync"
	"kairos/poller/sync/call"
)

const (
	firstPage = 100 // articles of the first page: something to read at once
	page      = 250
	idsPage   = 1000 // the most that Miniflux returns
	// unfiled is the name of the category that Miniflux gives a new user; feeds in it are in no folder here.
	unfiled = "All"
)

// Client is a sync.Service and a sync.Refresher.
type Client struct{ caller *call.Caller }

// New returns a client for the server at base.
func New(base, user, password, agent string) (*Client, error) {
	caller, err := call.New(base, agent)
	if err != nil {
		return nil, err
	}
	caller.Authorize = func(r *http.Request) { r.SetBasicAuth(user, password) }
	return &Client{caller}, nil
}

// Check asks the server who the user is.
func (c *Client) Check(ctx context.Context) error {
	var me struct {
		Name string `json:"username"`
	}
	if _, err := c.get(ctx, "/v1/me", nil, &me); err != nil {
		return err
	}
	if me.Name == "" {
		return &sync.Error{Code: sync.NoAPI, Host: c.caller.Base(), Err: errors.New("no user in the answer")}
	}
	return nil
}

// Feeds implements sync.Service.
func (c *Client) Feeds(ctx context.Context) ([]sync.Feed, error) {
	var feeds []feed
	if _, err := c.get(ctx, "/v1/feeds", nil, &feeds); err != nil {
		return nil, fmt.Errorf("list feeds: %w", err)
	}
	list := make([]sync.Feed, len(feeds))
	for i, f := range feeds {
		list[i] = f.service()
	}
	return list, nil
}

// The stages of the first synchronization, in their order.
var stages = []string{"unread", "starred", "read"}

// Page implements sync.Service. A cursor is a stage and the id of the last article before, joined by a colon.
func (c *Client) Page(ctx context.Context, cursor string, back time.Time) (sync.Page, error) {
	stage, before, err := parseCursor(cursor)
	if err != nil {
		return sync.Page{}, err
	}
	limit := page
	if cursor == "" {
		limit = firstPage
	}
	query := url.Values{"order": {"id"}, "direction": {"desc"}, "limit": {strconv.Itoa(limit)}}
	if before > 0 {
		query.Set("before_entry_id", strconv.FormatInt(before, 10))
	}
	switch stages[stage] {
	case "starred":
		query.Set("starred", "true")
	case "read":
		query.Set("published_after", strconv.FormatInt(back.Unix(), 10))
		fallthrough
	default:
		query.Set("status", stages[stage])
	}
	entries, _, err := c.entries(ctx, query)
	if err != nil {
		return sync.Page{}, fmt.Errorf("list %s articles: %w", stages[stage], err)
	}
	result := sync.Page{Articles: articles(entries)}
	switch {
	case len(entries) == limit:
		result.Next = fmt.Sprintf("%s:%d", stages[stage], entries[len(entries)-1].ID)
	case stage+1 < len(stages):
		result.Next = stages[stage+1] + ":0"
	}
	return result, nil
}

func parseCursor(cursor string) (stage int, before int64, err error) {
	if cursor == "" {
		return 0, 0, nil
	}
	name, number, _ := strings.Cut(cursor, ":")
	before, err = strconv.ParseInt(number, 10, 64)
	for i, s := range stages {
		if s == name && err == nil {
			return i, before, nil
		}
	}
	return 0, 0, fmt.Errorf("cursor %q is not of Miniflux", cursor)
}

// Difference implements sync.Service: Miniflux notes when an article was marked.
func (c *Client) Difference(ctx context.Context, since time.Time) (sync.Difference, error) {
	var d sync.Difference
	query := url.Values{"order": {"id"}, "direction": {"asc"}, "limit": {strconv.Itoa(page)}}
	if since.IsZero() {
		query.Set("limit", "1") // for the clock alone
	} else {
		query.Set("changed_after", strconv.FormatInt(since.Unix(), 10))
	}
	for {
		entries, answer, err := c.entries(ctx, query)
		if err != nil {
			return sync.Difference{}, fmt.Errorf("list changes: %w", err)
		}
		if d.Now.IsZero() {
			d.Now = answer.Date()
		}
		if since.IsZero() {
			return d, nil
		}
		d.Articles = append(d.Articles, articles(entries)...)
		if len(entries) < page {
			return d, nil
		}
		if err := c.goOn(query, entries[len(entries)-1].ID); err != nil {
			return sync.Difference{}, fmt.Errorf("list changes: %w", err)
		}
	}
}

// goOn makes a query ask for what comes after an id. A server that does not know how to would send the same for ever.
func (c *Client) goOn(query url.Values, last int64) error {
	before, _ := strconv.ParseInt(query.Get("after_entry_id"), 10, 64)
	if last <= before {
		return c.caller.Garbled("a list goes on where it was")
	}
	query.Set("after_entry_id", strconv.FormatInt(last, 10))
	return nil
}

// Marks implements sync.Service. Pages follow ids, so none is missed.
func (c *Client) Marks(ctx context.Context) (sync.Marks, error) {
	unread, err := c.ids(ctx, url.Values{"status": {"unread"}})
	if err != nil {
		return sync.Marks{}, fmt.Errorf("list unread articles: %w", err)
	}
	starred, err := c.ids(ctx, url.Values{"starred": {"true"}})
	if err != nil {
		return sync.Marks{}, fmt.Errorf("list starred articles: %w", err)
	}
	return sync.Marks{Unread: unread, Starred: starred, Whole: true}, nil
}

func (c *Client) ids(ctx context.Context, query url.Values) ([]string, error) {
	query.Set("order", "id")
	query.Set("direction", "asc")
	query.Set("limit", strconv.Itoa(idsPage))
	var ids []string
	for {
		var list struct {
			Entries []struct {
				ID int64 `json:"id"`
			} `json:"entries"`
		}
		if _, err := c.get(ctx, "/v1/entries", query, &list); err != nil {
			return nil, err
		}
		for _, e := range list.Entries {
			ids = append(ids, strconv.FormatInt(e.ID, 10))
		}
		if list.Entries == nil {
			return nil, c.caller.Garbled("no list of articles")
		}
		if len(list.Entries) < idsPage {
			return ids, nil
		}
		if err := c.goOn(query, list.Entries[len(list.Entries)-1].ID); err != nil {
			return nil, err
		}
	}
}

// Articles implements sync.Service, one request an article: Miniflux has no list by ids.
func (c *Client) Articles(ctx context.Context, ids []string, page func([]sync.Article) error) error {
	for _, id := range ids {
		if _, err := strconv.ParseInt(id, 10, 64); err != nil {
			continue
		}
		e, err := c.entry(ctx, id)
		if call.IsStatus(err, http.StatusNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if err := page(articles([]entry{e})); err != nil {
			return err
		}
	}
	return nil
}

// SetRead implements sync.Service.
func (c *Client) SetRead(ctx context.Context, ids []string, read bool) error {
	status := "unread"
	if read {
		status = "read"
	}
	return c.setEntries(ctx, ids, map[string]any{"status": status})
}

// SetStarred implements sync.Service. Miniflux before 2.2.14 can only turn the star of one article over.
func (c *Client) SetStarred(ctx context.Context, ids []string, starred bool) error {
	err := c.setEntries(ctx, ids, map[string]any{"starred": starred})
	if !call.IsStatus(err, http.StatusBadRequest) {
		return err
	}
	for _, id := range ids {
		if err := c.turnStar(ctx, id, starred); err != nil {
			return err
		}
	}
	return nil
}

func (c *Client) turnStar(ctx context.Context, id string, starred bool) error {
	e, err := c.entry(ctx, id)
	if call.IsStatus(err, http.StatusNotFound) || err == nil && e.Starred == starred {
		return nil
	}
	if err != nil {
		return err
	}
	return c.change(ctx, http.MethodPut, "/v1/entries/"+url.PathEscape(id)+"/bookmark", nil)
}

func (c *Client) entry(ctx context.Context, id string) (e entry, err error) {
	_, err = c.get(ctx, "/v1/entries/"+url.PathEscape(id), nil, &e)
	if err == nil && strconv.FormatInt(e.ID, 10) != id {
		err = c.caller.Garbled("another article")
	}
	if err != nil {
		err = fmt.Errorf("get article %s: %w", id, err)
	}
	return e, err
}

func (c *Client) setEntries(ctx context.Context, ids []string, change map[string]any) error {
	numbers := make([]int64, 0, len(ids))
	for _, id := range ids {
		if n, err := strconv.ParseInt(id, 10, 64); err == nil {
			numbers = append(numbers, n)
		}
	}
	for len(numbers) > 0 {
		n := min(len(numbers), idsPage)
		change["entry_ids"] = numbers[:n]
		if err := c.change(ctx, http.MethodPut, "/v1/entries", call.JSON(change)); err != nil {
			return fmt.Errorf("mark articles: %w", err)
		}
		numbers = numbers[n:]
	}
	return nil
}

// Refresh implements sync.Refresher.
func (c *Client) Refresh(ctx context.Context, feed string) error {
	if err := c.change(ctx, http.MethodPut, "/v1/feeds/"+url.PathEscape(feed)+"/refresh", nil); err != nil {
		return fmt.Errorf("refresh feed %s: %w", feed, err)
	}
	return nil
}

func (c *Client) entries(ctx context.Context, query url.Values) ([]entry, *call.Answer, error) {
	var list struct {
		Entries []entry `json:"entries"`
	}
	answer, err := c.get(ctx, "/v1/entries", query, &list)
	if err == nil && list.Entries == nil {
		err = c.caller.Garbled("no list of articles")
	}
	return list.Entries, answer, err
}

// change does what Miniflux answers with no more than that it was done. Anything else is somebody else's answer.
func (c *Client) change(ctx context.Context, method, path string, body *call.Body) error {
	answer, err := c.caller.Do(ctx, method, path, body)
	if err == nil && len(answer.Data) > 0 {
		err = c.caller.Garbled("the server does not say that it was done")
	}
	return err
}

func (c *Client) get(ctx context.Context, path string, query url.Values, into any) (*call.Answer, error) {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	answer, err := c.caller.Do(ctx, http.MethodGet, path, nil)
	if err != nil {
		return nil, err
	}
	return answer, c.caller.Decode(answer, into)
}
