// Package greader speaks the protocol of Google Reader as FreshRSS, Miniflux, BazQux, The Old Reader and Inoreader do.
// There is no standard; https://feedhq.readthedocs.io/en/latest/api/ describes it best. It keeps to what all of them
// have: lists of ids, bodies by ids, tags.
package greader

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	stdsync "sync"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/sync"
	"kairos/poller/sync/call"
)

// Ids and bodies a request. Servers cut off what is above their limit, and say where to go on; of bodies
// The Old Reader and Inoreader take 250, and FreshRSS on a small machine runs out of memory above that.
const (
	page    = 500
	idsPage = 1000
	longIDs = 10_000 // at FreshRSS, which has no limit, and Miniflux
	bodies  = 100
	marks   = 250
	maxRefs = 100_000 // ids an answer: some servers send more than they are asked for
	maxTags = 100_000 // they are not kept
)

// Streams of the protocol.
const (
	readingList = "user/-/state/com.google/reading-list"
	read        = "user/-/state/com.google/read"
	starred     = "user/-/state/com.google/starred"
	labels      = "user/-/label/"
	longID      = "tag:google.com,2005:reader/item/"
)

// Client is a sync.Service.
type Client struct {
	caller         *call.Caller
	user, password string

	mu      stdsync.Mutex
	session string   // the login; "" before it
	token   string   // allows changes; "" where there is none yet
	labels  []string // of the last list
}

// New returns a client for the server at base, the address below which accounts/ and reader/ lie.
func New(base, user, password string, client *fetch.Client) (*Client, error) {
	caller, err := call.New(base, client)
	if err != nil {
		return nil, err
	}
	c := &Client{caller: caller, user: user, password: password}
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
	var feeds []sync.Feed
	err := c.subscriptions(ctx, func(s *call.Stream) (err error) {
		feeds, err = call.Feeds(s, func(one subscription) sync.Feed { return one.service(c.dialect()) })
		return err
	})
	if err != nil {
		return nil, err
	}
	return feeds, nil
}

// Page implements sync.Service. A cursor has the continuation of the server.
func (c *Client) Page(ctx context.Context, text string, back time.Time) (sync.Page, error) {
	cursor, err := call.ParseCursor(text)
	if err != nil {
		return sync.Page{}, err
	}
	query := url.Values{"s": {readingList}, "xt": {read}}
	switch cursor.Stage {
	case call.Starred:
		query = url.Values{"s": {starred}}
	case call.Read:
		// FreshRSS knows no stream of what was read
		query = url.Values{"s": {read}, "it": {read}, "ot": {strconv.FormatInt(back.Unix(), 10)}}
	}
	for limit := cursor.Limit(page); ; limit = max(1, limit/8) {
		query.Set("n", strconv.Itoa(limit))
		list, err := c.idsPage(ctx, query, cursor.After, c.caller.Paging())
		if err != nil {
			return sync.Page{}, fmt.Errorf("list %s articles: %w", cursor.Stage, err)
		}
		var result sync.Page
		size := 0
		err = c.Articles(ctx, list.ids, func(articles []sync.Article) error {
			for _, a := range articles {
				size += a.Size()
			}
			if size > maxPage && limit > 1 {
				return errLongPage
			}
			result.Articles = append(result.Articles, articles...)
			return nil
		})
		if errors.Is(err, errLongPage) {
			continue
		}
		if list.refs == 0 {
			list.continuation = ""
		}
		result.Next = cursor.Next(list.continuation)
		return result, err
	}
}

// maxPage is how many bytes of articles a page may have, unless one alone has more. errLongPage ends a page that has more: fewer
// are asked for instead.
const maxPage = 8 << 20

var errLongPage = errors.New("the page is too long")

// perList is how many ids a list is asked for at once.
func (c *Client) perList() int {
	if c.dialect() == plainDialect {
		return idsPage
	}
	return longIDs
}

// readWindow is how old by its own date an article may be that came to Miniflux since, and was read elsewhere before it was here.
const readWindow = 90 * 24 * time.Hour

// newSince asks for what came since an instant, whatever its marks. Miniflux compares that with the date of an article, not with when
// it came: what is new and unread is in the list of those, what was read meanwhile among all that were.
func (c *Client) newSince(since time.Time) url.Values {
	query := url.Values{"s": {readingList}}
	if c.dialect() == minifluxDialect {
		query.Set("s", read)
		since = since.Add(-readWindow)
	}
	query.Set("ot", strconv.FormatInt(max(0, since.Unix()), 10))
	return query
}

// Difference implements sync.Service in three requests, if nothing is new: what came, what is unread, what is starred.
// What came is asked for first, so that what came in between is not taken for read.
func (c *Client) Difference(ctx context.Context, since time.Time) (sync.Difference, error) {
	var d sync.Difference
	if err := c.logIn(ctx); err != nil {
		return d, err
	}
	var list idList
	var err error
	if since.IsZero() { // for the clock alone
		list, err = c.idsPage(ctx, url.Values{"s": {readingList}, "n": {"1"}}, "", c.caller.Paging())
	} else {
		list, err = c.ids(ctx, c.newSince(since))
	}
	if err != nil {
		return d, fmt.Errorf("list new articles: %w", err)
	}
	if d.Now = list.now; since.IsZero() {
		return d, nil
	}
	d.New = list.ids
	m, err := c.Marks(ctx)
	d.Marks = &m
	return d, err
}

// Marks implements sync.Service. Continuations may be numbers of articles, which shift when one is read meanwhile, so
// a list of several pages is not whole.
func (c *Client) Marks(ctx context.Context) (sync.Marks, error) {
	if err := c.logIn(ctx); err != nil {
		return sync.Marks{}, err
	}
	unread, err := c.ids(ctx, url.Values{"s": {readingList}, "xt": {read}})
	if err != nil {
		return sync.Marks{}, fmt.Errorf("list unread articles: %w", err)
	}
	stars, err := c.ids(ctx, url.Values{"s": {starred}})
	if err != nil {
		return sync.Marks{}, fmt.Errorf("list starred articles: %w", err)
	}
	return sync.Marks{Unread: unread.ids, Starred: stars.ids, Whole: unread.whole && stars.whole}, nil
}

// ids gets a list of ids.
func (c *Client) ids(ctx context.Context, query url.Values) (idList, error) {
	query.Set("n", strconv.Itoa(c.perList()))
	paging := c.caller.Paging()
	list, err := c.idsPage(ctx, query, "", paging)
	seen := map[string]bool{}
	for part := list; err == nil && part.continuation != "" && part.refs > 0; {
		seen[part.continuation] = true
		if part, err = c.idsPage(ctx, query, part.continuation, paging); seen[part.continuation] {
			err = c.caller.Garbled("a list goes on where it was")
		}
		list.ids, list.whole = append(list.ids, part.ids...), list.whole && len(part.ids) == 0
	}
	return list, err
}

// idsPage gets one part of a list of ids.
func (c *Client) idsPage(ctx context.Context, query url.Values, continuation string, paging *call.Paging) (idList, error) {
	if err := paging.Next(); err != nil {
		return idList{}, err
	}
	if continuation != "" {
		query.Set("c", continuation)
	}
	list := idList{ids: []string{}, whole: true}
	answer, err := c.stream(ctx, "stream/items/ids", query, func(s *call.Stream) error {
		return s.Object(map[string]func() error{
			"itemRefs": func() error {
				return call.Each(s, maxRefs, func(r ref) error {
					list.refs++
					id := call.ID(canonicalID(r.ID))
					if id == "" {
						return nil
					}
					list.ids = append(list.ids, id)
					return paging.Keep(id)
				})
			},
			"continuation": func() error { return s.Decode(&list.continuation) },
		})
	})
	if err != nil {
		return idList{}, err
	}
	if list.now = answer.Date; len(list.continuation) > maxContinuation {
		return idList{}, c.caller.TooLarge()
	}
	return list, nil
}

// maxContinuation is how many bytes a continuation may have: it is sent in an address.
const maxContinuation = 4096

// Articles implements sync.Service.
func (c *Client) Articles(ctx context.Context, ids []string, page func([]sync.Article) error) error {
	for chunk := range slices.Chunk(ids, bodies) {
		form := url.Values{"output": {"json"}}
		addIDs(form, chunk)
		rest, err := c.contents(ctx, form, len(chunk), page)
		if err != nil {
			return fmt.Errorf("get articles: %w", err)
		}
		if err := page(rest); err != nil {
			return err
		}
	}
	return nil
}

// contents hands on articles as they come, as many at once as are good to have in memory, and returns the last of them.
func (c *Client) contents(ctx context.Context, form url.Values, most int, page func([]sync.Article) error) ([]sync.Article, error) {
	var articles []sync.Article
	err := c.changeAnswered(ctx, "stream/items/contents", form, func(s *call.Stream) error {
		return s.Field("items", func() (err error) {
			articles, err = call.EachArticle(s, 10*most, func(i item) sync.Article { return i.service(c.dialect()) }, page)
			return err
		})
	})
	return articles, err
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
	for chunk := range slices.Chunk(ids, marks) {
		form := url.Values{key: {tag}}
		addIDs(form, chunk)
		if err := c.changeOK(ctx, "edit-tag", form); err != nil {
			return fmt.Errorf("mark articles: %w", err)
		}
	}
	return nil
}

func addIDs(form url.Values, ids []string) {
	for _, id := range ids {
		form.Add("i", longID+id)
	}
}
