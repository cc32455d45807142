// Package miniflux speaks Miniflux' own protocol (https://miniflux.app/docs/api.html, version 2.0.49 or newer), with
// the user and password of its web page.
package miniflux

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/sync"
	"kairos/poller/sync/call"
)

const (
	page    = 250
	idsPage = 1000 // the most that Miniflux returns
	// unfiled is the name of the category that Miniflux gives a new user; feeds in it are in no folder here.
	unfiled = "All"
)

// Client is a sync.Service and a sync.Refresher.
type Client struct {
	caller *call.Caller
	recent recent
}

// New returns a client for the server at base.
func New(base, user, password string, client *fetch.Client) (*Client, error) {
	caller, err := call.New(base, client)
	if err != nil {
		return nil, err
	}
	caller.Authorize = func(r *http.Request) { r.SetBasicAuth(user, password) }
	return &Client{caller: caller}, nil
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
		return &sync.Error{Code: sync.NoAPI, Host: c.caller.Host(), Err: errors.New("no user in the answer")}
	}
	return nil
}

// Feeds implements sync.Service.
func (c *Client) Feeds(ctx context.Context) ([]sync.Feed, error) {
	var list []sync.Feed
	_, err := c.stream(ctx, "/v1/feeds", nil, func(s *call.Stream) (err error) {
		list, err = call.Feeds(s, feed.service)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list feeds: %w", err)
	}
	return list, nil
}

// Page implements sync.Service. A cursor has the id of the last article before.
func (c *Client) Page(ctx context.Context, text string, back time.Time) (sync.Page, error) {
	cursor, before, err := call.ParseNumber(text)
	if err != nil {
		return sync.Page{}, err
	}
	limit := cursor.Limit(page)
	query := url.Values{"order": {"id"}, "direction": {"desc"}, "limit": {strconv.Itoa(limit)}}
	if before > 0 {
		query.Set("before_entry_id", strconv.FormatInt(before, 10))
	}
	switch cursor.Stage {
	case call.Starred:
		query.Set("starred", "true")
	case call.Read:
		query.Set("published_after", strconv.FormatInt(back.Unix(), 10))
		fallthrough
	default:
		query.Set("status", cursor.Stage)
	}
	part, _, err := c.entries(ctx, query, limit)
	if err == nil && part.More && before > 0 && part.last >= before {
		err = c.caller.Garbled("a list goes on where it was")
	}
	if err != nil {
		return sync.Page{}, fmt.Errorf("list %s articles: %w", cursor.Stage, err)
	}
	last := ""
	if part.More {
		last = strconv.FormatInt(part.last, 10)
	}
	return sync.Page{Articles: part.Articles, Next: cursor.Next(last)}, nil
}

// Difference implements sync.Service: Miniflux notes when an article was marked.
func (c *Client) Difference(ctx context.Context, since time.Time) (sync.Difference, error) {
	var d sync.Difference
	windows := c.recent.windows(since.Unix())
	latest := windows[len(windows)-1]
	query := latest.query(page)
	if since.IsZero() {
		query = url.Values{"order": {"id"}, "direction": {"asc"}, "limit": {"1"}} // for the clock alone
	}
	part, answer, err := c.entries(ctx, query, page)
	if err != nil {
		return d, fmt.Errorf("list changes: %w", err)
	}
	if d.Now = answer.Date; since.IsZero() {
		c.recent.start(d.Now)
		return d, nil
	}
	d.Articles = part.Articles
	if !part.More && len(windows) == 1 {
		c.recent.end(since.Unix(), d.Now)
		return d, nil
	}
	d.Rest = func(ctx context.Context, handOn func([]sync.Article) error) error {
		err := c.changesAfter(ctx, query, part, handOn)
		for _, w := range windows[:len(windows)-1] {
			if err == nil {
				err = c.changesIn(ctx, w, handOn)
			}
		}
		if err != nil {
			return fmt.Errorf("list changes: %w", err)
		}
		c.recent.end(since.Unix(), d.Now)
		return nil
	}
	return d, nil
}

// query asks for the changes in a span; one that ends at 0 has no end.
func (s span) query(limit int) url.Values {
	query := url.Values{"order": {"id"}, "direction": {"asc"}, "limit": {strconv.Itoa(limit)}, "changed_after": {strconv.FormatInt(s.after, 10)}}
	if s.before > 0 {
		query.Set("changed_before", strconv.FormatInt(s.before, 10))
	}
	return query
}

// changesIn hands on the changes in a window, unless as many as the server has are known.
func (c *Client) changesIn(ctx context.Context, w window, handOn func([]sync.Article) error) error {
	if w.known {
		total, err := c.total(ctx, w.query(1))
		if err != nil || total == c.recent.count(w.span) {
			return err
		}
	}
	query := w.query(page)
	part, _, err := c.entries(ctx, query, page)
	if err == nil {
		err = handOn(part.Articles)
	}
	if err != nil {
		return err
	}
	return c.changesAfter(ctx, query, part, handOn)
}

// changesAfter hands on the changes after a part of a list, page by page.
func (c *Client) changesAfter(ctx context.Context, query url.Values, part entries, handOn func([]sync.Article) error) error {
	paging := c.caller.Paging()
	for part.More {
		err := paging.Next()
		if err == nil {
			err = c.goOn(query, part.last)
		}
		if err == nil {
			part, _, err = c.entries(ctx, query, page)
		}
		if err == nil {
			err = handOn(part.Articles)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// total returns how many articles a list has at the server, -1 if it does not say.
func (c *Client) total(ctx context.Context, query url.Values) (int, error) {
	total := -1
	_, err := c.stream(ctx, "/v1/entries", query, func(s *call.Stream) error {
		return s.Object(map[string]func() error{"total": func() error { return s.Decode(&total) }})
	})
	return total, err
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
	ids := []string{}
	paging := c.caller.Paging()
	for {
		n, last := 0, int64(0)
		_, err := entryList(ctx, c, query, idsPage, func(_ *call.Stream, e struct{ ID int64 }) error {
			id := strconv.FormatInt(e.ID, 10)
			ids, n, last = append(ids, id), n+1, e.ID
			return paging.Keep(id)
		})
		if err == nil && n < idsPage {
			return ids, nil
		}
		if err == nil {
			err = paging.Next()
		}
		if err == nil {
			err = c.goOn(query, last)
		}
		if err != nil {
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
		if err := page([]sync.Article{e.service()}); err != nil {
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
	_, err = c.change(ctx, http.MethodPut, "/v1/entries/"+url.PathEscape(id)+"/bookmark", nil)
	return err
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
	for chunk := range slices.Chunk(numbers, idsPage) {
		change["entry_ids"] = chunk
		start := time.Now()
		answer, err := c.change(ctx, http.MethodPut, "/v1/entries", call.JSON(change))
		if err != nil {
			return fmt.Errorf("mark articles: %w", err)
		}
		c.recent.noteSent(chunk, answer.Date, time.Since(start))
	}
	return nil
}

// Refresh implements sync.Refresher.
func (c *Client) Refresh(ctx context.Context, feed string) error {
	if _, err := c.change(ctx, http.MethodPut, "/v1/feeds/"+url.PathEscape(feed)+"/refresh", nil); err != nil {
		return fmt.Errorf("refresh feed %s: %w", feed, err)
	}
	return nil
}

// entries are a part of a list of articles.
type entries struct {
	call.Portion
	last int64 // id of the last of them
}

// entries gets the first articles of a list. The rest of the answer is left; it is asked for again.
func (c *Client) entries(ctx context.Context, query url.Values, limit int) (part entries, answer *call.Answer, err error) {
	part.Portion = call.Portion{Limit: limit, Articles: []sync.Article{}}
	answer, err = entryList(ctx, c, query, limit, func(s *call.Stream, e entry) error {
		before := len(part.Articles)
		err := part.Add(s, e.service())
		if len(part.Articles) > before {
			c.recent.noteRead(e.ID, e.Changed)
			part.last = e.ID
		}
		return err
	})
	return part, answer, err
}

// entryList hands on the elements of a list of articles, of which there may be no more than were asked for.
func entryList[T any](ctx context.Context, c *Client, query url.Values, limit int, keep func(*call.Stream, T) error) (*call.Answer, error) {
	return c.stream(ctx, "/v1/entries", query, func(s *call.Stream) error {
		return s.Field("entries", func() error {
			return call.Each(s, limit, func(e T) error { return keep(s, e) })
		})
	})
}

// change does what Miniflux answers with no more than that it was done. Anything else is somebody else's answer.
func (c *Client) change(ctx context.Context, method, path string, body *call.Body) (*call.Answer, error) {
	answer, err := c.caller.Do(ctx, method, path, body)
	if err == nil && (answer.Status != http.StatusNoContent || len(answer.Data) > 0) {
		err = c.caller.Garbled("the server does not say that it was done")
	}
	return answer, err
}

func (c *Client) get(ctx context.Context, path string, query url.Values, into any) (*call.Answer, error) {
	return c.stream(ctx, path, query, func(s *call.Stream) error { return s.DecodeWhole(into) })
}

func (c *Client) stream(ctx context.Context, path string, query url.Values, read func(*call.Stream) error) (*call.Answer, error) {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return c.caller.Stream(ctx, http.MethodGet, path, nil, read)
}
