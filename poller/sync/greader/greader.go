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
	"strconv"
	"strings"
	stdsync "sync"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/sync"
	"kairos/poller/sync/call"
)

// Ids and bodies a request. Servers cut off what is above their limit, and say where to go on; of bodies
// The Old Reader and Inoreader take 250, and FreshRSS on a small machine runs out of memory above that.
const (
	firstPage = 100 // articles of the first page: something to read at once
	page      = 500
	idsPage   = 1000
	longIDs   = 10_000 // at FreshRSS, which has no limit, and Miniflux
	bodies    = 100
	marks     = 250
	maxRefs   = 100_000 // ids an answer: some servers send more than they are asked for
	maxFeeds  = 20_000
	maxTags   = 100_000 // they are not kept

	idOverhead = 32 // bytes that an id in a list takes beyond its text
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
	feeds := []sync.Feed{}
	err := c.subscriptions(ctx, func(stream *call.Stream, s subscription) error {
		f := s.service(c.dialect())
		feeds = append(feeds, f)
		return stream.Keep(f.Size())
	})
	if err != nil {
		return nil, err
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
	query := url.Values{}
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
	for {
		query.Set("n", strconv.Itoa(limit))
		list, _, err := c.idsPage(ctx, query, continuation, c.caller.Paging())
		if err != nil {
			return sync.Page{}, fmt.Errorf("list %s articles: %w", name, err)
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
			limit = max(1, limit/8)
			continue
		}
		switch {
		case list.continuation != "" && list.refs > 0:
			result.Next = name + ":" + list.continuation
		case stage+1 < len(stages):
			result.Next = stages[stage+1] + ":"
		}
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
	query := url.Values{"s": {readingList}, "n": {strconv.Itoa(c.perList())}}
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
	query := url.Values{"s": {readingList}, "n": {"1"}} // for the clock alone
	if err := c.logIn(ctx); err != nil {
		return d, err
	}
	if !since.IsZero() {
		query = c.newSince(since)
	}
	paging := c.caller.Paging()
	list, answer, err := c.idsPage(ctx, query, "", paging)
	if err != nil {
		return d, fmt.Errorf("list new articles: %w", err)
	}
	if d.Now = answer.Date; since.IsZero() {
		return d, nil
	}
	more, err := c.rest(ctx, query, list, paging)
	if err != nil {
		return d, fmt.Errorf("list new articles: %w", err)
	}
	d.New = append(list.ids, more...)
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
	whole := true
	list := func(query url.Values) ([]string, error) {
		query.Set("n", strconv.Itoa(c.perList()))
		paging := c.caller.Paging()
		first, _, err := c.idsPage(ctx, query, "", paging)
		if err != nil {
			return nil, err
		}
		more, err := c.rest(ctx, query, first, paging)
		whole = whole && len(more) == 0
		return append(first.ids, more...), err
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
func (c *Client) rest(ctx context.Context, query url.Values, first idList, paging *call.Paging) ([]string, error) {
	var all []string
	seen := map[string]bool{}
	for next, n := first.continuation, first.refs; next != "" && n > 0; {
		list, _, err := c.idsPage(ctx, query, next, paging)
		if err != nil {
			return nil, err
		}
		if seen[next] = true; seen[list.continuation] {
			return nil, c.caller.Garbled("a list goes on where it was")
		}
		all, next, n = append(all, list.ids...), list.continuation, list.refs
	}
	return all, nil
}

// idsPage gets one page of a list of ids.
func (c *Client) idsPage(ctx context.Context, query url.Values, continuation string, paging *call.Paging) (idList, *call.Answer, error) {
	if err := paging.Next(); err != nil {
		return idList{}, nil, err
	}
	if continuation != "" {
		query.Set("c", continuation)
	}
	list := idList{ids: []string{}}
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
					return paging.Keep(idOverhead + len(id))
				})
			},
			"continuation": func() error { return s.Decode(&list.continuation) },
		})
	})
	if err == nil && len(list.continuation) > maxContinuation {
		err = c.caller.TooLarge()
	}
	return list, answer, err
}

// maxContinuation is how many bytes a continuation may have: it is sent in an address.
const maxContinuation = 4096

// Articles implements sync.Service.
func (c *Client) Articles(ctx context.Context, ids []string, page func([]sync.Article) error) error {
	for len(ids) > 0 {
		n := min(len(ids), bodies)
		form := url.Values{"output": {"json"}}
		for _, id := range ids[:n] {
			form.Add("i", longID+id)
		}
		ids = ids[n:]
		rest, err := c.contents(ctx, form, n, page)
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
		articles = nil
		found := false
		err := s.Object(map[string]func() error{"items": func() error {
			found = true
			var err error
			articles, err = call.EachArticle(s, 10*most, func(i item) sync.Article { return i.service(c.dialect()) }, page)
			return err
		}})
		if err == nil && !found {
			err = c.caller.Garbled("no list of articles")
		}
		return err
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
