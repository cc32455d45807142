package sync

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"kairos/reader/parse"
)

// model is a server in memory: a Service that loses requests and answers, and what its users do elsewhere.
type model struct {
	mu      sync.Mutex
	r       *rand.Rand
	now     func() time.Time
	skew    time.Duration             // of its clock
	lists   bool                      // it can only list ids, as Google Reader servers do; else it tells changes by article, as Miniflux does
	loss    float64                   // the share of requests that are lost, half of them after they took effect
	fault   func(method string) error // nil: none
	lose    func(method string) bool  // its answer; nil: by chance
	refuses func(ids []string) bool   // marks of these articles; nil: none
	labels  []string                  // that it has; nil: it keeps none
	labelOf func(label string) error  // what it answers to requests of a label; nil: it does them
	between func()                    // what happens while a request is under way; nil: nothing

	feeds    []*modelFeed
	items    []*modelItem
	numbers  int
	renamed  int                     // times that it was set up again, which may use numbers again
	posted   map[string][]parse.Item // by the address of a feed: what it has
	requests []string
}

type modelFeed struct {
	Feed
}

type modelItem struct {
	Article
	arrived, changed time.Time
	labels           []string
}

func newModel(seed uint64, now func() time.Time, lists bool) *model {
	return &model{r: rand.New(rand.NewPCG(seed, 7)), now: now, lists: lists, posted: map[string][]parse.Item{}}
}

func (m *model) clock() time.Time { return m.now().Add(m.skew) }

func (m *model) number() string {
	m.numbers++
	return strconv.Itoa(m.numbers)
}

var errLost = errors.New("lost")

// request begins a request; done ends it. Between them the server is locked.
func (m *model) request(ctx context.Context, method string) (done func(*error), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if m.between != nil {
		m.between()
	}
	m.mu.Lock()
	m.requests = append(m.requests, method)
	if m.fault != nil {
		if err := m.fault(method); err != nil {
			m.mu.Unlock()
			return nil, err
		}
	}
	lost, after := m.r.Float64() < m.loss, m.r.IntN(2) == 0
	if m.lose != nil && m.lose(method) {
		lost, after = true, true
	}
	if lost && !after {
		m.mu.Unlock()
		return nil, &Error{Code: Unreachable, Err: errLost}
	}
	return func(err *error) {
		if lost {
			*err = &Error{Code: Unreachable, Err: errLost}
		}
		m.mu.Unlock()
	}, nil
}

func (m *model) Feeds(ctx context.Context) (feeds []Feed, err error) {
	done, err := m.request(ctx, "feeds")
	if err != nil {
		return nil, err
	}
	defer done(&err)
	for _, f := range m.feeds {
		feeds = append(feeds, f.Feed)
	}
	m.r.Shuffle(len(feeds), func(i, j int) { feeds[i], feeds[j] = feeds[j], feeds[i] })
	return feeds, nil
}

const modelPage = 7

// Page pages by number, so that what is marked or posted between two requests shifts the pages.
func (m *model) Page(ctx context.Context, cursor string, back time.Time) (p Page, err error) {
	done, err := m.request(ctx, "page")
	if err != nil {
		return Page{}, err
	}
	defer done(&err)
	part, from := 0, 0
	if cursor != "" {
		if _, err := fmt.Sscanf(cursor, "%d %d", &part, &from); err != nil {
			return Page{}, &Error{Code: Rejected}
		}
	}
	var all []Article
	for _, i := range slices.Backward(m.items) {
		if part == 0 && !i.Read || part == 1 && i.Starred || part == 2 && i.Read && !i.Published.Before(back) {
			all = append(all, m.tell(i))
		}
	}
	p.Articles = all[min(from, len(all)):min(from+modelPage, len(all))]
	switch {
	case from+modelPage < len(all):
		p.Next = fmt.Sprintf("%d %d", part, from+modelPage)
	case part < 2:
		p.Next = fmt.Sprintf("%d %d", part+1, 0)
	}
	return p, nil
}

// tell is an article as the server tells it.
func (m *model) tell(i *modelItem) Article {
	a := i.Article
	if m.lists {
		a.MarkedAt = time.Time{}
	}
	return a
}

func (m *model) Difference(ctx context.Context, since time.Time) (d Difference, err error) {
	done, err := m.request(ctx, "difference")
	if err != nil {
		return d, err
	}
	defer done(&err)
	d.Now = m.clock()
	if since.IsZero() {
		return d, nil
	}
	for _, i := range m.items {
		switch {
		case m.lists && !i.arrived.Before(since):
			d.New = append(d.New, i.ID)
		case !m.lists && !i.changed.Before(since):
			d.Articles = append(d.Articles, m.tell(i))
		}
	}
	if m.lists {
		marks := m.marks()
		d.Marks = &marks
	}
	return d, nil
}

func (m *model) Marks(ctx context.Context) (marks Marks, err error) {
	done, err := m.request(ctx, "marks")
	if err != nil {
		return Marks{}, err
	}
	defer done(&err)
	return m.marks(), nil
}

// marks lists ids, in any order; a list that is not whole lacks some of them and has others twice.
func (m *model) marks() (marks Marks) {
	marks.Whole = !m.lists || m.r.IntN(2) == 0
	add := func(to *[]string, id string) {
		n := 1
		if !marks.Whole {
			n = []int{0, 1, 1, 1, 2}[m.r.IntN(5)]
		}
		for range n {
			*to = append(*to, id)
		}
	}
	for _, i := range m.items {
		if !i.Read {
			add(&marks.Unread, i.ID)
		}
		if i.Starred {
			add(&marks.Starred, i.ID)
		}
	}
	m.r.Shuffle(len(marks.Unread), func(i, j int) { marks.Unread[i], marks.Unread[j] = marks.Unread[j], marks.Unread[i] })
	return marks
}

func (m *model) Articles(ctx context.Context, ids []string, page func([]Article) error) error {
	for chunk := range slices.Chunk(ids, modelPage) {
		articles, err := m.articles(ctx, chunk)
		if err != nil {
			return err
		}
		if err := page(articles); err != nil {
			return err
		}
	}
	return nil
}

func (m *model) articles(ctx context.Context, ids []string) (all []Article, err error) {
	done, err := m.request(ctx, "articles")
	if err != nil {
		return nil, err
	}
	defer done(&err)
	for _, i := range m.items {
		if slices.Contains(ids, i.ID) {
			all = append(all, m.tell(i))
		}
	}
	return all, nil
}

func (m *model) SetRead(ctx context.Context, ids []string, read bool) (err error) {
	done, err := m.request(ctx, "read")
	if err != nil {
		return err
	}
	defer done(&err)
	if m.refuses != nil && m.refuses(ids) {
		return &Error{Code: Rejected, Status: 400}
	}
	m.set(ids, func(a *Article) *bool { return &a.Read }, read)
	return nil
}

func (m *model) SetStarred(ctx context.Context, ids []string, starred bool) (err error) {
	done, err := m.request(ctx, "star")
	if err != nil {
		return err
	}
	defer done(&err)
	m.set(ids, func(a *Article) *bool { return &a.Starred }, starred)
	return nil
}

func (m *model) set(ids []string, flag func(*Article) *bool, on bool) {
	for _, i := range m.items {
		if slices.Contains(ids, i.ID) && *flag(&i.Article) != on {
			*flag(&i.Article) = on
			i.MarkedAt, i.changed = m.clock(), m.clock()
		}
	}
}

func (m *model) Labels(ctx context.Context) (names []string, keeps bool, err error) {
	if m.labels == nil {
		return nil, false, nil
	}
	done, err := m.request(ctx, "labels")
	if err != nil {
		return nil, false, err
	}
	defer done(&err)
	return slices.Clone(m.labels), true, nil
}

// Labeled lists ids; a list that is not whole lacks some of them.
func (m *model) Labeled(ctx context.Context, label string) (ids []string, whole bool, err error) {
	done, err := m.request(ctx, "labeled")
	if err != nil {
		return nil, false, err
	}
	defer done(&err)
	if m.labelOf != nil && m.labelOf(label) != nil {
		return nil, false, m.labelOf(label)
	}
	whole = m.loss == 0 || m.r.IntN(2) == 0
	for _, i := range m.items {
		if slices.Contains(i.labels, label) && (whole || m.r.IntN(2) == 0) {
			ids = append(ids, i.ID)
		}
	}
	return ids, whole, nil
}

func (m *model) SetLabel(ctx context.Context, ids []string, label string, on bool) (err error) {
	done, err := m.request(ctx, "label")
	if err != nil {
		return err
	}
	defer done(&err)
	if m.refuses != nil && m.refuses(ids) {
		return &Error{Code: Rejected, Status: 400}
	}
	if m.labelOf != nil && m.labelOf(label) != nil {
		return m.labelOf(label)
	}
	m.setLabel(ids, label, on)
	return nil
}

func (m *model) setLabel(ids []string, label string, on bool) {
	for _, i := range m.items {
		if !slices.Contains(ids, i.ID) {
			continue
		}
		i.labels = slices.DeleteFunc(i.labels, func(other string) bool { return other == label })
		if on {
			i.labels = append(i.labels, label)
		}
		slices.Sort(i.labels)
	}
	if on && !slices.Contains(m.labels, label) {
		m.labels = append(m.labels, label)
	}
}

func (m *model) Subscribe(ctx context.Context, url, title, folder string) (f Feed, err error) {
	done, err := m.request(ctx, "subscribe")
	if err != nil {
		return f, err
	}
	defer done(&err)
	return m.subscribe(url, title, folder), nil
}

func (m *model) subscribe(url, title, folder string) Feed {
	for _, f := range m.feeds {
		if f.URL == url {
			return f.Feed
		}
	}
	if title == "" {
		title = "Feed " + url
	}
	f := &modelFeed{Feed: Feed{ID: "feed/" + m.number(), URL: url, Title: title, Site: url, Folder: folder}}
	m.feeds = append(m.feeds, f)
	for _, a := range m.posted[url] {
		m.deliver(f.Feed, a)
	}
	return f.Feed
}

func (m *model) deliver(f Feed, i parse.Item) {
	i.ID = m.number()
	m.items = append(m.items, &modelItem{Article: Article{Item: i, Feed: f.ID}, arrived: m.clock(), changed: m.clock()})
}

// post publishes an article, which the server gets if it has the feed.
func (m *model) post(url string) {
	n := m.number()
	if m.renamed > 0 {
		n += fmt.Sprintf("%03d", m.renamed)
	}
	a := parse.Item{Title: "Article " + n, Link: url + n, HTML: "<p>Text of " + n + "</p>", Published: m.now().Add(-time.Hour)}
	m.posted[url] = append(m.posted[url], a)
	for _, f := range m.feeds {
		if f.URL == url {
			m.deliver(f.Feed, a)
		}
	}
}

func (m *model) Unsubscribe(ctx context.Context, feed string) (err error) {
	done, err := m.request(ctx, "unsubscribe")
	if err != nil {
		return err
	}
	defer done(&err)
	m.unsubscribe(feed)
	return nil
}

func (m *model) unsubscribe(feed string) {
	m.feeds = slices.DeleteFunc(m.feeds, func(f *modelFeed) bool { return f.ID == feed })
	m.items = slices.DeleteFunc(m.items, func(i *modelItem) bool { return i.Feed == feed })
}

func (m *model) Edit(ctx context.Context, feed string, change Change) (err error) {
	done, err := m.request(ctx, "edit")
	if err != nil {
		return err
	}
	defer done(&err)
	for _, f := range m.feeds {
		if f.ID == feed {
			if change.Title != nil {
				f.Title = *change.Title
			}
			if change.Folder != nil {
				f.Folder = *change.Folder
			}
			return nil
		}
	}
	return &Error{Code: Rejected, Status: 404}
}

// RenameFolder renames a folder at a server that tells changes by article, as Miniflux.
func (m *model) RenameFolder(ctx context.Context, from, to string) (renamed bool, err error) {
	if m.lists {
		return false, nil
	}
	done, err := m.request(ctx, "rename")
	if err != nil {
		return false, err
	}
	defer done(&err)
	if slices.ContainsFunc(m.feeds, func(f *modelFeed) bool { return f.Folder == to }) {
		return false, nil
	}
	for _, f := range m.feeds {
		if f.Folder == from {
			f.Folder, renamed = to, true
		}
	}
	return renamed, nil
}

// state is what the server has, one line for each feed and article.
func (m *model) state() (lines []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range m.feeds {
		lines = append(lines, strings.Join([]string{"feed", f.ID, f.URL, f.Title, f.Folder}, " | "))
	}
	for _, i := range m.items {
		line := fmt.Sprintf("article %s of %s: %s, read %t, starred %t", i.ID, i.Feed, i.Title, i.Read, i.Starred)
		if len(i.labels) > 0 && m.labels != nil {
			line += ", labeled " + strings.Join(i.labels, " ")
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}
