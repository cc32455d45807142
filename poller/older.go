package poller

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"maps"
	"sync"
	"time"

	"kairos/poller/dispatch"
	"kairos/poller/fetch"
	"kairos/poller/icons"
	"kairos/reader"
	"kairos/reader/older"
	"kairos/reader/parse"
)

// OlderLimits bound how far back pages of a feed are read at once. Zero fields take those of LoadOlder.
type OlderLimits struct {
	Pages    int
	Articles int
	Days     int // no articles from before so many days; 0: however old they are
}

// What is read at once: when somebody asks for older articles, when a subscription begins with its archive, and after a loss.
var (
	LoadOlder   = OlderLimits{Pages: 10, Articles: 300}
	withArchive = OlderLimits{Pages: 100, Articles: 5000}
	afterLoss   = OlderLimits{Pages: 5, Articles: 500}
)

const (
	// olderGap is the time between two pages of a feed that nobody waits for.
	olderGap = 30 * time.Second
	// olderPerDay is how many pages are read in 24 hours that nobody waits for, of all feeds: their budget.
	olderPerDay = 200
	// olderAtOnce is how many feeds' pages are read at once.
	olderAtOnce = 2
	// olderRetry is how long to wait after a failure, and as many times that as there were.
	olderRetry = 20 * time.Minute
	// olderFailures is after how many of them in a row it is given up.
	olderFailures = 4
	// olderIdle is how long to wait where nothing is due or no budget is left.
	olderIdle = time.Hour
	// olderLook is how long to wait where pages are due and may not be asked for.
	olderLook = 10 * time.Minute
	// olderAgain is how long nothing is asked for again once all pages were read.
	olderAgain = 24 * time.Hour
)

// OlderPage is what one page with older articles has brought, and how it stands then.
type OlderPage struct {
	Feed    int64     `json:"feed"`
	Title   string    `json:"title"`
	New     int       `json:"new"`
	Found   int       `json:"found"` // new articles so far, since the first page
	Oldest  time.Time `json:"oldest"`
	End     OlderEnd  `json:"end,omitempty"` // "" while it goes on
	Message Message   `json:"-"`
}

// olderPages reads the pages of feeds with older articles, one at a time for each feed.
type olderPages struct {
	*env
	queue     *dispatch.Queue
	requests  *requests
	documents *documents
	hosts     *hosts
	network   *network
	signals   *signals
	secrets   Secrets
	allowed   func(ctx context.Context, now time.Time) bool

	mu       sync.Mutex // guards what follows
	running  map[int64]bool
	nextLook time.Time
}

// olderAllowed reports whether pages may be read that nobody waits for: there is a network, fetching is not paused, and battery
// saver is off.
func (p *Poller) olderAllowed(ctx context.Context, _ time.Time) bool {
	if p.network.isDown() {
		return false
	}
	b, feeds, err := p.budget.read(ctx)
	return err == nil && !b.Saving() && b.PerDay(feeds) > 0
}

// begin notes that a feed's pages are read now; false if they are already.
func (p *olderPages) begin(feed int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running[feed] {
		return false
	}
	p.running[feed] = true
	return true
}

func (p *olderPages) end(feed int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.running, feed)
	p.nextLook = time.Time{}
}

// wanted makes the loop look for pages to be read.
func (p *olderPages) wanted() {
	p.mu.Lock()
	p.nextLook = time.Time{}
	p.mu.Unlock()
	p.signals.fetchEnded()
}

// want stores that older articles of a feed are wanted. What was read of it before counts.
func (p *olderPages) want(ctx context.Context, tx *sql.Tx, f reader.Feed, limits OlderLimits, now time.Time) (olderRow, error) {
	r, _, err := readOlder(ctx, tx, f)
	if err != nil {
		return r, err
	}
	if r.ended == OlderAll && now.Sub(r.at) < olderAgain {
		return r, nil
	}
	if r.ended != OlderPaused && r.ended != OlderReached && r.ended != "" {
		r = olderRow{feed: f.ID, address: f.URL}
	}
	r.pages, r.articles = max(r.pages, cmp.Or(limits.Pages, LoadOlder.Pages)), max(r.articles, cmp.Or(limits.Articles, LoadOlder.Articles))
	if r.until = (time.Time{}); limits.Days > 0 {
		r.until = now.AddDate(0, 0, -limits.Days)
	}
	r.ended, r.message, r.failures, r.notBefore, r.at = "", Message{}, 0, time.Time{}, now
	return r, r.write(ctx, tx)
}

// wantLost stores that the articles are wanted that a feed has lost, whose document says where older ones are.
func (p *olderPages) wantLost(ctx context.Context, tx *sql.Tx, f reader.Feed, from time.Time, a *answer, doc *parse.Feed) error {
	next, ok := documentOf(a, doc).After()
	if !ok {
		return nil
	}
	r, known, err := readOlder(ctx, tx, f)
	if err != nil || known && r.ended == "" {
		return err // it goes back as it is
	}
	r = olderRow{feed: f.ID, address: f.URL, next: next.URL, guessed: next.Guessed, until: from, pages: afterLoss.Pages, articles: afterLoss.Articles, at: a.at}
	return r.write(ctx, tx)
}

// documentOf is a document as package older sees it.
func documentOf(a *answer, doc *parse.Feed) older.Page {
	named := cmp.Or(a.resp.Link("prev-archive"), doc.Older, a.resp.Link("next"))
	return older.Page{URL: a.resp.URL, Named: named, Generator: doc.Generator, Items: len(doc.Articles)}
}

// read reads one page of a feed. ok is false if it was given up, which leaves no trace.
func (p *olderPages) read(ctx context.Context, f reader.Feed, r olderRow, byUser bool) (page OlderPage, ok bool) {
	page = OlderPage{Feed: f.ID, Title: f.Title}
	request := fetch.Request{URL: cmp.Or(r.next, f.URL), Local: fetch.IsLocal(f.URL), ByUser: byUser, Lease: p.documents.memory.NewLease()}
	var err error
	if f.Login && sameHost(f.URL, request.URL) {
		request.User, request.Password, err = p.secrets(ctx, f.ID)
	}
	a := &answer{resp: &fetch.Response{}, err: err, at: p.now(), lease: request.Lease}
	if err == nil {
		a = p.requests.do(ctx, request)
	}
	defer a.lease.Release()
	doc, done, err := p.documents.feed(ctx, a, 0, func() {})
	defer done()
	if ctx.Err() != nil {
		return page, false
	}
	o := Outcome{Feed: f.ID, Title: f.Title, At: a.at, Reason: Older, Cause: Cause{Site: icons.Site(request.URL)}, Result: Stored, Status: a.resp.Status,
		Bytes: a.resp.Bytes, Took: a.resp.Took, asked: a.wasAsked()}
	r.at = a.at
	first := r.next == ""
	if err == nil {
		r.advance(a, doc)
	} else {
		r.fail(a, err, &o)
	}
	ctx = context.WithoutCancel(ctx)
	err = p.hosts.commit(ctx, func(tx *sql.Tx) error {
		if doc != nil && !first { // the feed's own document comes by its plan
			stored, err := reader.StoreOlder(ctx, tx, f.ID, doc.Articles, a.at)
			if errors.Is(err, reader.ErrUnknown) {
				return nil
			}
			if err != nil {
				return err
			}
			o.New, o.Unread, page.New, page.Oldest = stored.New, stored.Unread, stored.New, stored.Oldest
			r.count(stored)
		}
		if !byUser && r.ended == "" {
			r.notBefore = later(r.notBefore, a.at.Add(olderGap))
		}
		if err := r.write(ctx, tx); err != nil {
			return err
		}
		if !o.asked {
			return nil
		}
		return o.write(ctx, tx)
	})
	if err != nil {
		p.logger.Error("older articles", "feed", f.ID, "err", err)
		r.ended, r.message = OlderFailed, messageOf(err)
	}
	page.Found, page.End, page.Message = r.found, r.ended, r.message
	return page, true
}

// advance goes on to the page after one that came.
func (r *olderRow) advance(a *answer, doc *parse.Feed) {
	first := r.next == ""
	r.failures, r.message = 0, Message{}
	next, ok := documentOf(a, doc).After()
	switch {
	case r.note(doc.Articles) || len(doc.Articles) == 0:
		r.ended = OlderAll
	case !ok && first:
		r.ended = OlderNone
	case !ok:
		r.ended = OlderAll
	default:
		r.next, r.guessed = next.URL, next.Guessed
	}
	if !first {
		r.pages = max(r.pages-1, 0)
	}
}

// count counts what a page brought, and ends where enough has come.
func (r *olderRow) count(stored reader.OlderArticles) {
	r.found += stored.New
	r.articles = max(r.articles-stored.New, 0)
	switch {
	case r.ended != "":
	case !r.until.IsZero() && !stored.Oldest.IsZero() && stored.Oldest.Before(r.until):
		r.ended = OlderReached
	case r.pages == 0 || r.articles == 0:
		r.ended, r.pages, r.articles = OlderPaused, 0, 0
	}
}

// fail notes that no page came. One that was only guessed need not be there: that is the end.
func (r *olderRow) fail(a *answer, err error, o *Outcome) {
	var fe *fetch.Error
	isFetch := errors.As(err, &fe)
	o.Result, o.Message = None, messageOf(err)
	switch {
	case isFetch && fe.Code == fetch.Waiting:
		r.notBefore = a.at.Add(fe.RetryAfter)
		return
	case noNetwork(err):
		o.Result = Offline
		r.notBefore = a.at.Add(olderRetry)
		return
	case r.guessed && (isMissing(err) || !isFetch):
		o.Message = Message{}
		r.ended = OlderAll
		return
	}
	r.failures++
	r.message = messageOf(err)
	r.notBefore = a.at.Add(max(olderRetry*time.Duration(r.failures), a.resp.RetryAfter))
	if r.failures >= olderFailures || isMissing(err) || !isFetch {
		r.ended = OlderFailed
	}
}

// start reads pages that are due, if that is allowed now, and returns when to look again.
func (p *olderPages) start(ctx context.Context, now time.Time) (next time.Time, err error) {
	running, early := p.look(now)
	if !early.IsZero() {
		return later(early, now.Add(olderGap)), nil
	}
	due, first, err := p.due(ctx, now, running)
	if err != nil || len(due) == 0 && first.IsZero() {
		return p.lookAt(now.Add(olderIdle)), err
	}
	if !first.IsZero() {
		next = p.lookAt(later(first, now.Add(time.Second)))
	}
	if len(due) == 0 {
		return next, nil
	}
	if !p.allowed(ctx, now) {
		return p.lookAt(now.Add(olderLook)), nil
	}
	left, err := p.budgetLeft(ctx, now)
	if err != nil || left <= 0 {
		return p.lookAt(now.Add(olderIdle)), err
	}
	for _, r := range due {
		p.startOne(ctx, r)
	}
	return p.lookAt(now.Add(olderIdle)), nil
}

// look returns the feeds whose pages are read now; if it is too early to look for more, or enough are, until when. A page that
// ends from here on makes the loop look again.
func (p *olderPages) look(now time.Time) (running map[int64]bool, early time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Before(p.nextLook) || len(p.running) >= olderAtOnce {
		return nil, later(p.nextLook, now)
	}
	p.nextLook = now.Add(olderIdle)
	return maps.Clone(p.running), time.Time{}
}

// lookAt makes the loop look no later than at an instant, and returns when it does.
func (p *olderPages) lookAt(at time.Time) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at.Before(p.nextLook) {
		p.nextLook = at
	}
	return p.nextLook
}

// due returns feeds whose next page is due and not being read, as many as may be, and when the next one after them is.
func (p *olderPages) due(ctx context.Context, now time.Time, running map[int64]bool) (due []olderRow, next time.Time, err error) {
	rows, err := p.store.Read().QueryContext(ctx, "SELECT "+olderColumns+` FROM older WHERE pages > 0 AND ended = ''
		AND EXISTS (SELECT 1 FROM reader_feed f WHERE f.id = older.feed AND f.url = older.address AND f.account = 0 AND f.paused = 0)
		ORDER BY not_before LIMIT ?`, olderAtOnce+1)
	if err != nil {
		return nil, next, err
	}
	defer rows.Close()
	for rows.Next() {
		var r olderRow
		if err := r.scan(rows); err != nil {
			return nil, next, err
		}
		switch {
		case running[r.feed]:
		case r.notBefore.After(now) || len(due)+len(running) == olderAtOnce:
			return due, r.notBefore, rows.Err()
		default:
			due = append(due, r)
		}
	}
	return due, next, rows.Err()
}

// budgetLeft is how many pages may be read that nobody waits for.
func (p *olderPages) budgetLeft(ctx context.Context, now time.Time) (left int, err error) {
	err = p.store.Read().QueryRowContext(ctx, "SELECT ?1 - count(*) FROM ledger WHERE at > ?2 AND reason = ?3", olderPerDay, now.AddDate(0, 0, -1).Unix(), string(Older)).Scan(&left)
	return left, err
}

// startOne reads a page when its host allows it.
func (p *olderPages) startOne(ctx context.Context, r olderRow) {
	f, err := p.store.Feeds.Get(ctx, r.feed)
	if err != nil || p.network.holdsBack(f.URL) || !p.begin(r.feed) {
		return
	}
	p.queue.Add(dispatch.Task{Context: ctx, Group: groupOf(cmp.Or(r.next, f.URL)), Priority: dispatch.Normal, Run: func() bool {
		defer p.signals.fetchEnded()
		defer p.end(f.ID)
		if ctx.Err() != nil {
			return false
		}
		page, ok := p.read(ctx, f, r, false)
		return ok && page.End != OlderFailed
	}})
}

// ErrOlderRunning says that older articles of a feed are being loaded already.
var ErrOlderRunning = errors.New("older articles of this feed are being loaded already")

// FetchOlder reads the pages of a feed with older articles by the user's hand, further back than they were read before, within
// limits. each, if not nil, is called with every page as it comes, from the caller's goroutine; the last one is returned. When ctx
// ends, what came stays, and asked again it goes on from there. Errors: reader.ErrUnknown, ErrOfAccount, ErrOlderRunning, the
// context's.
func (p *Poller) FetchOlder(ctx context.Context, feed int64, limits OlderLimits, each func(OlderPage)) (last OlderPage, err error) {
	if err := p.hosts.restore(ctx); err != nil {
		return last, err
	}
	feeds, err := p.choose(ctx, []int64{feed})
	if err != nil {
		return last, err
	}
	f := feeds[0]
	if !p.older.begin(feed) {
		return last, ErrOlderRunning
	}
	defer p.older.end(feed)
	var r olderRow
	if err := p.store.Write(ctx, func(tx *sql.Tx) (err error) {
		r, err = p.older.want(ctx, tx, f, limits, p.now())
		return err
	}); err != nil {
		return last, err
	}
	last = OlderPage{Feed: feed, Title: f.Title, Found: r.found, End: r.ended, Message: r.message}
	for last.End == "" {
		if last, err = p.older.inTurn(ctx, f, r); err != nil {
			return last, p.older.pause(context.WithoutCancel(ctx), f, err)
		}
		if each != nil {
			each(last)
		}
		var ok bool
		if r, ok, err = readOlder(ctx, p.store.Read(), f); err != nil || !ok {
			return last, err
		}
		if r.failures > 0 || r.notBefore.After(p.now()) { // the loop tries again
			last.Message = r.message
			return last, nil
		}
	}
	return last, nil
}

// inTurn reads a page when the spacing of its host allows it.
func (p *olderPages) inTurn(ctx context.Context, f reader.Feed, r olderRow) (OlderPage, error) {
	type result struct {
		page OlderPage
		ok   bool
	}
	done := make(chan result, 1)
	p.queue.Add(dispatch.Task{Context: ctx, Group: groupOf(cmp.Or(r.next, f.URL)), Priority: dispatch.ByUser, Run: func() bool {
		if ctx.Err() != nil {
			done <- result{}
			return false
		}
		page, ok := p.read(ctx, f, r, true)
		done <- result{page, ok}
		return ok
	}})
	got := <-done
	if !got.ok {
		return got.page, ctx.Err()
	}
	return got.page, nil
}

// pause notes that nobody waits for more pages of a feed, and returns the error that said so.
func (p *olderPages) pause(ctx context.Context, f reader.Feed, cause error) error {
	return errors.Join(cause, p.store.Write(ctx, func(tx *sql.Tx) error {
		r, ok, err := readOlder(ctx, tx, f)
		if err != nil || !ok || r.ended != "" {
			return err
		}
		r.pages, r.articles, r.ended = 0, 0, OlderPaused
		return r.write(ctx, tx)
	}))
}

// WantArchive has the archive of a feed loaded in the background, as far back as its pages lead within withArchive.
func (p *Poller) WantArchive(ctx context.Context, feed int64) error {
	f, err := p.store.Feeds.Get(ctx, feed)
	if err != nil || f.Account != 0 {
		return err
	}
	err = p.store.Write(ctx, func(tx *sql.Tx) error {
		_, err := p.older.want(ctx, tx, f, withArchive, p.now())
		return err
	})
	if err == nil {
		p.older.wanted()
	}
	return err
}
