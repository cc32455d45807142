// Package greader speaks the protocol of Google Reader as FreshRSS, Miniflux, BazQux, The Old Reader and Inoreader do.
// There is no standard; https://feedhq.readthedocs.io/en/latest/api/ describes it best. It keeps to what all of them
// have: lists of ids, bodies by ids, tags.
package greader

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	stdsync "sync"
	"time"

	"kairos/poller/sync"
	"kairos/poller/sync/call"
)

// Ids and bodies a request. Servers cut off what is above their limit, and say where to go on; of bodies
// The Old Reader and Inoreader take 250, and FreshRSS on a small machine runs out of memory above that.
const (
	firstPage = 100 // articles of the first page: something to read at once
	page      = 500
	idsPage   = 1000
	freshIDs  = 10_000 // at FreshRSS, which has no limit
	bodies    = 100
	marks     = 250
)

// Streams of the protocol.
const (
	readingList = "user/-/state/com.google/reading-list"
	read        = "user/-/state/com.google/read"
	starred     = "user/-/state/com.google/starred"
	labels      = "user/-/label/"
	longID      = "tag:google.com,2005:reader/item/"
)

// uncategorized is the name of the category in which FreshRSS and Miniflux put feeds that are in none.
var uncategorized = map[string]bool{"Uncategorized": true, "All": true}

// Client is a sync.Service.
type Client struct {
	caller         *call.Caller
	user, password string
	perList        int // ids a request

	mu      stdsync.Mutex
	session string // the login; "" before it
	token   string // allows changes; "" where there is none yet
}

// New returns a client for the server at base, the address below which accounts/ and reader/ lie.
func New(base, user, password, agent string) (*Client, error) {
	caller, err := call.New(base, agent)
	if err != nil {
		return nil, err
	}
	c := &Client{caller: caller, user: user, password: password, perList: idsPage}
	if strings.HasSuffix(caller.Base(), "/greader.php") {
		c.perList = freshIDs
	}
	caller.Authorize = func(r *http.Request) {
		if session := c.currentSession(); session != "" {
			r.Header.Set("Authorization", "GoogleLogin auth="+session)
		}
	}
	return c, nil
}

// Check logs in.
func (c *Client) Check(ctx context.Context) error { return c.login(ctx) }

// Feeds implements sync.Service.
func (c *Client) Feeds(ctx context.Context) ([]sync.Feed, error) {
	list, err := c.subscriptions(ctx)
	if err != nil {
		return nil, err
	}
	feeds := make([]sync.Feed, len(list))
	for i, s := range list {
		feeds[i] = s.service()
	}
	return feeds, nil
}

// The stages of the first synchronization, in their order.
var stages = []string{"unread", "starred", "read"}

// Page implements sync.Service. A cursor is a stage and the continuation of the server, joined by a colon.
func (c *Client) Page(ctx context.Context, cursor string, back time.Time) (sync.Page, error) {
	name, continuation, _ := strings.Cut(cursor, ":")
	limit, stage := page, 0
	if cursor == "" {
		limit, name = firstPage, stages[0]
	}
	for stage < len(stages) && stages[stage] != name {
		stage++
	}
	query := url.Values{"n": {strconv.Itoa(limit)}}
	switch name {
	case "unread":
		query.Set("s", readingList)
		query.Set("xt", read)
	case "starred":
		query.Set("s", starred)
	case "read":
		query.Set("s", read)
		query.Set("it", read) // FreshRSS knows no stream of what was read
		query.Set("ot", strconv.FormatInt(back.Unix(), 10))
	default:
		return sync.Page{}, fmt.Errorf("cursor %q is not of this protocol", cursor)
	}
	ids, next, err := c.idsPage(ctx, query, continuation)
	if err != nil {
		return sync.Page{}, fmt.Errorf("list %s articles: %w", name, err)
	}
	var result sync.Page
	err = c.Articles(ctx, ids, func(articles []sync.Article) error {
		result.Articles = append(result.Articles, articles...)
		return nil
	})
	switch {
	case next != "" && len(ids) > 0:
		result.Next = name + ":" + next
	case stage+1 < len(stages):
		result.Next = stages[stage+1] + ":"
	}
	return result, err
}

// Difference implements sync.Service in three requests, if nothing is new: what came, what is unread, what is starred.
// What came is asked for first, so that what came in between is not taken for read.
func (c *Client) Difference(ctx context.Context, since time.Time) (sync.Difference, error) {
	var d sync.Difference
	query := url.Values{"s": {readingList}, "n": {"1"}} // for the clock alone
	if !since.IsZero() {
		query.Set("ot", strconv.FormatInt(max(0, since.Unix()), 10))
		query.Set("n", strconv.Itoa(c.perList))
	}
	var list idList
	answer, err := c.get(ctx, "stream/items/ids", query, &list)
	if err != nil {
		return d, fmt.Errorf("list new articles: %w", err)
	}
	if d.Now = answer.Date(); since.IsZero() {
		return d, nil
	}
	more, err := c.rest(ctx, query, list)
	if err != nil {
		return d, fmt.Errorf("list new articles: %w", err)
	}
	d.New = append(list.ids(), more...)
	m, err := c.Marks(ctx)
	d.Marks = &m
	return d, err
}

// Marks implements sync.Service. Continuations may be numbers of articles, which shift when one is read meanwhile, so
// a list of several pages is not whole.
func (c *Client) Marks(ctx context.Context) (sync.Marks, error) {
	whole := true
	list := func(query url.Values) ([]string, error) {
		query.Set("n", strconv.Itoa(c.perList))
		var first idList
		if _, err := c.get(ctx, "stream/items/ids", query, &first); err != nil {
			return nil, err
		}
		more, err := c.rest(ctx, query, first)
		whole = whole && len(more) == 0
		return append(first.ids(), more...), err
	}
	unread, err := list(url.Values{"s": {readingList}, "xt": {read}})
	if err != nil {
		return sync.Marks{}, fmt.Errorf("list unread articles: %w", err)
	}
	stars, err := list(url.Values{"s": {starred}})
	if err != nil {
		return sync.Marks{}, fmt.Errorf("list starred articles: %w", err)
	}
	return sync.Marks{Unread: unread, Starred: stars, Whole: whole}, nil
}

// rest returns the ids after the first page of a list.
func (c *Client) rest(ctx context.Context, query url.Values, first idList) ([]string, error) {
	var all []string
	seen := map[string]bool{}
	for next, n := first.Continuation, len(first.Refs); next != "" && n > 0; {
		ids, more, err := c.idsPage(ctx, query, next)
		if err != nil {
			return nil, err
		}
		if seen[next] = true; seen[more] {
			return nil, c.caller.Garbled("a list goes on where it was")
		}
		all, next, n = append(all, ids...), more, len(ids)
	}
	return all, nil
}

func (c *Client) idsPage(ctx context.Context, query url.Values, continuation string) (ids []string, next string, err error) {
	if continuation != "" {
		query.Set("c", continuation)
	}
	var list idList
	_, err = c.get(ctx, "stream/items/ids", query, &list)
	return list.ids(), list.Continuation, err
}

// Articles implements sync.Service.
func (c *Client) Articles(ctx context.Context, ids []string, page func([]sync.Article) error) error {
	for len(ids) > 0 {
		n := min(len(ids), bodies)
		form := url.Values{"output": {"json"}}
		for _, id := range ids[:n] {
			form.Add("i", longID+id)
		}
		ids = ids[n:]
		var list struct {
			Items []item `json:"items"`
		}
		answer, err := c.change(ctx, "stream/items/contents", form)
		if err == nil {
			err = c.caller.Decode(answer, &list)
		}
		if err == nil && list.Items == nil {
			err = c.caller.Garbled("no list of articles")
		}
		if err != nil {
			return fmt.Errorf("get articles: %w", err)
		}
		articles := make([]sync.Article, len(list.Items))
		for i, it := range list.Items {
			articles[i] = it.service()
		}
		if err := page(articles); err != nil {
			return err
		}
	}
	return nil
}

// SetRead implements sync.Service.
func (c *Client) SetRead(ctx context.Context, ids []string, on bool) error {
	return c.tag(ctx, ids, read, on)
}

// SetStarred implements sync.Service.
func (c *Client) SetStarred(ctx context.Context, ids []string, on bool) error {
	return c.tag(ctx, ids, starred, on)
}

func (c *Client) tag(ctx context.Context, ids []string, tag string, on bool) error {
	key := "r"
	if on {
		key = "a"
	}
	for len(ids) > 0 {
		n := min(len(ids), marks)
		form := url.Values{key: {tag}}
		for _, id := range ids[:n] {
			form.Add("i", longID+id)
		}
		if err := c.changeOK(ctx, "edit-tag", form); err != nil {
			return fmt.Errorf("mark articles: %w", err)
		}
		ids = ids[n:]
	}
	return nil
}
