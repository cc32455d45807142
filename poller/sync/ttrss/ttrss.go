// Package ttrss speaks the JSON API of Tiny Tiny RSS (https://tt-rss.org/docs/ApiReference.html, level 15 or newer). It cannot rename
// feeds, move them or add folders, so what is told of a feed is as it is at the server.
package ttrss

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	stdsync "sync"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/sync"
	"kairos/poller/sync/call"
)

const (
	page   = 200 // the most that it lists
	bodies = 100
	marks  = 250
)

// Feeds and folders of its own.
const (
	allArticles  = -4
	starred      = -1
	recentlyRead = -6
	realFeeds    = -3 // as a folder: those that were subscribed to
)

// Client is a sync.Service and a sync.Refresher.
type Client struct {
	caller         *call.Caller
	user, password string

	mu      stdsync.Mutex
	session string // the login; "" before it
	reached []reached
	unread  map[string]bool // what was unread last, if there were many; whether it is of a feed
}

// New returns a client for the server at base, the address below which api/ lies.
func New(base, user, password string, client *fetch.Client) (*Client, error) {
	caller, err := call.New(base, client)
	if err != nil {
		return nil, err
	}
	return &Client{caller: caller, user: user, password: password}, nil
}

// Check logs in.
func (c *Client) Check(ctx context.Context) error {
	_, err := c.login(ctx)
	return err
}

// list is a list of articles, the newest first.
type list struct {
	feed    int
	unread  bool
	afterID int64     // only articles with greater ids
	since   time.Time // the list ends after a part of which all is older
}

func (l list) params(skip, limit int, content bool) params {
	p := params{"feed_id": l.feed, "view_mode": "all_articles", "order_by": "feed_dates", "skip": skip, "limit": limit,
		"show_content": content, "include_attachments": content, "sanitize": false}
	if l.unread {
		p["view_mode"] = "unread"
	}
	if l.feed == recentlyRead {
		delete(p, "order_by") // the last read first
	}
	if l.afterID > 0 {
		p["since_id"] = l.afterID
	}
	return p
}

// Page implements sync.Service. A cursor has the number of articles before.
func (c *Client) Page(ctx context.Context, text string, back time.Time) (sync.Page, error) {
	cursor, skip, err := call.ParseNumber(text)
	if err != nil {
		return sync.Page{}, err
	}
	l := map[string]list{call.Unread: {feed: allArticles, unread: true}, call.Starred: {feed: starred}, call.Read: {feed: allArticles, since: back}}[cursor.Stage]
	limit := cursor.Limit(page)
	var part call.Portion
	_, err = c.ask(ctx, "getHeadlines", l.params(int(skip), limit, true), func(s *call.Stream) error {
		part = call.Portion{Limit: limit}
		return call.Each(s, limit, func(a article) error { return part.Add(s, a.service()) })
	})
	if err != nil {
		return sync.Page{}, fmt.Errorf("list %s articles: %w", cursor.Stage, err)
	}
	old := func(a sync.Article) bool { return a.Published.Before(l.since) }
	listed := ""
	if part.More && slices.ContainsFunc(part.Articles, func(a sync.Article) bool { return !old(a) }) {
		listed = fmt.Sprint(int(skip) + len(part.Articles))
	}
	articles := slices.DeleteFunc(part.Articles, func(a sync.Article) bool { return a.Feed == "" || old(a) })
	return sync.Page{Articles: articles, Next: cursor.Next(listed)}, nil
}

// reached says that the articles that came after an instant of the server's clock have greater ids.
type reached struct {
	at time.Time
	id int64
}

const (
	// overlap is how much earlier a difference begins than the last one ended.
	overlap = 3 * time.Minute
	// late is how many ids before the greatest an article may have that the server shows later.
	late = 50
	// readWindow is how old by its own date an article may be that came, and was read elsewhere, while Kairos did not run.
	readWindow = 14 * 24 * time.Hour
	// maxReached is how many instants are remembered.
	maxReached = 8
)

// newSince is the list of what came since an instant, whatever its marks. The server tells by ids alone what is new.
func (c *Client) newSince(since time.Time) list {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range slices.Backward(c.reached) {
		if !r.at.After(since.Add(overlap)) {
			return list{feed: allArticles, afterID: r.id - late}
		}
	}
	return list{feed: allArticles, since: since.Add(-readWindow)}
}

// note notes the ids that were listed after an instant.
func (c *Client) note(at time.Time, lists ...[]string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := reached{at: at}
	if n := len(c.reached); n > 0 {
		now.id = c.reached[n-1].id
	}
	for _, id := range slices.Concat(lists...) {
		n, _ := strconv.ParseInt(id, 10, 64)
		now.id = max(now.id, n)
	}
	c.reached = append(c.reached[max(0, len(c.reached)-maxReached+1):], now)
}

// Difference implements sync.Service in three requests, if no list has more than a part: what came, what is unread, what is starred.
// What came is asked for first, so that what came in between is not taken for read.
func (c *Client) Difference(ctx context.Context, since time.Time) (sync.Difference, error) {
	l := c.newSince(since)
	if since.IsZero() {
		l = list{feed: allArticles, since: onePart}
	}
	came, err := c.ids(ctx, l)
	if err != nil {
		return sync.Difference{}, fmt.Errorf("list new articles: %w", err)
	}
	d := sync.Difference{Now: came.now}
	if since.IsZero() {
		c.note(d.Now, came.ids)
		return d, nil
	}
	unread, err := c.stillUnread(ctx, came)
	if err != nil {
		return d, err
	}
	m, err := c.marks(ctx, unread)
	if err != nil {
		return d, err
	}
	d.New, d.Marks = came.ids, &m
	c.note(d.Now, came.ids, m.Unread, m.Starred)
	return d, nil
}

// onePart ends a list after its first part.
var onePart = time.Unix(1<<40, 0)

// Marks implements sync.Service. Parts of a list go by the number of articles before, which changes when one is read meanwhile, so a
// list in several parts is not whole.
func (c *Client) Marks(ctx context.Context) (sync.Marks, error) {
	unread, err := c.allUnread(ctx)
	if err != nil {
		return sync.Marks{}, err
	}
	return c.marks(ctx, unread)
}

func (c *Client) marks(ctx context.Context, unread idList) (sync.Marks, error) {
	stars, err := c.ids(ctx, list{feed: starred})
	if err != nil {
		return sync.Marks{}, fmt.Errorf("list starred articles: %w", err)
	}
	return sync.Marks{Unread: unread.ids, Starred: stars.ids, Whole: unread.parts == 1 && stars.parts == 1}, nil
}

// idList are the ids of a list.
type idList struct {
	ids   []string
	all   map[string]bool // also those that outlived their feeds: whether it is of a feed
	read  []string        // those of ids that are read
	parts int
	now   time.Time // of the server's clock, at the first part
}

// ids gets the ids of a list.
func (c *Client) ids(ctx context.Context, l list) (idList, error) {
	result := idList{ids: []string{}, all: map[string]bool{}}
	paging := c.caller.Paging()
	for {
		if err := paging.Next(); err != nil {
			return result, err
		}
		n, old, before := 0, 0, len(result.all)
		answer, err := c.ask(ctx, "getHeadlines", l.params(result.parts*page, page, false), func(s *call.Stream) error {
			return call.Each(s, page, func(a article) error {
				n++
				if a.published().Before(l.since) {
					old++
				}
				id := a.ID.String()
				if _, twice := result.all[id]; twice {
					return nil
				}
				if result.all[id] = a.Feed > 0; a.Feed > 0 {
					result.ids = append(result.ids, id)
				}
				if !a.Unread {
					result.read = append(result.read, id)
				}
				return paging.Keep(id)
			})
		})
		if err != nil {
			return result, err
		}
		if result.parts++; result.parts == 1 {
			result.now = answer.Date
		}
		switch {
		case n < page || old == n:
			return result, nil
		case len(result.all) == before:
			return result, c.caller.Garbled("a list goes on where it was")
		}
	}
}

// Articles implements sync.Service.
func (c *Client) Articles(ctx context.Context, ids []string, page func([]sync.Article) error) error {
	handOn := func(list []sync.Article) error {
		return page(slices.DeleteFunc(list, func(a sync.Article) bool { return a.Feed == "" }))
	}
	for chunk := range slices.Chunk(numbers(ids), bodies) {
		var rest []sync.Article
		_, err := c.ask(ctx, "getArticle", params{"article_id": strings.Join(chunk, ","), "sanitize": false}, func(s *call.Stream) (err error) {
			rest, err = call.EachArticle(s, 10*bodies, article.service, handOn)
			return err
		})
		if err != nil {
			return fmt.Errorf("get articles: %w", err)
		}
		if err := handOn(rest); err != nil {
			return err
		}
	}
	return nil
}

// numbers returns the ids that are some of this server.
func numbers(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		n, err := strconv.ParseInt(id, 10, 64)
		return err != nil || n <= 0
	})
}

// Fields of an article that can be changed.
const (
	fieldStarred = 0
	fieldUnread  = 2
)

// SetRead implements sync.Service.
func (c *Client) SetRead(ctx context.Context, ids []string, read bool) error {
	return c.set(ctx, ids, fieldUnread, !read)
}

// SetStarred implements sync.Service.
func (c *Client) SetStarred(ctx context.Context, ids []string, starred bool) error {
	return c.set(ctx, ids, fieldStarred, starred)
}

func (c *Client) set(ctx context.Context, ids []string, field int, on bool) error {
	mode := 0
	if on {
		mode = 1
	}
	for chunk := range slices.Chunk(numbers(ids), marks) {
		if err := c.do(ctx, "updateArticle", params{"article_ids": strings.Join(chunk, ","), "field": field, "mode": mode}); err != nil {
			return fmt.Errorf("mark articles: %w", err)
		}
		if field == fieldUnread {
			c.noteUnread(chunk, on)
		}
	}
	return nil
}
