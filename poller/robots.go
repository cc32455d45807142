package poller

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/icons"
	"kairos/reader"
	"kairos/reader/scrape"
)

// robotsSteps keep what sites ask of programs.
const robotsSteps = `
CREATE TABLE robots (
	origin TEXT PRIMARY KEY,
	at     INTEGER NOT NULL,
	status INTEGER NOT NULL, -- HTTP; 0: the site could not be asked
	body   BLOB    NOT NULL
) WITHOUT ROWID;
`

// ErrRobots says that the site of a page asks programs not to read it.
var ErrRobots = errors.New("robots.txt forbids it")

const (
	// robotsFor is how long a robots.txt is not asked for again (RFC 9309 §2.4), and robotsRetry how long if it could not be had.
	robotsFor   = 24 * time.Hour
	robotsRetry = time.Hour
	// maxRobotsBody is how much of it is read, in bytes (RFC 9309 §2.5).
	maxRobotsBody = 512 << 10
	// robotsProduct is what Kairos is called in it.
	robotsProduct = "Kairos"
)

// robotsRules are what a site asks for.
type robotsRules struct {
	at     time.Time
	status int
	rules  scrape.Robots
}

// robots asks sites whether pages may be read. It is only for web pages that are no feeds: a feed is there to be fetched.
type robots struct {
	*env
	requests *requests
	hosts    *hosts

	mu    sync.Mutex // guards what follows
	known map[string]robotsRules
}

// isPage reports whether a feed is a web page.
func isPage(f reader.Feed) bool {
	_, ok := f.Source.Page()
	return ok
}

// check returns why a page may not be read; nil if it may. Errors: ErrRobots, that of a site that cannot be asked.
func (r *robots) check(ctx context.Context, address string, byUser bool) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil // the request says what is wrong
	}
	rules, err := r.of(ctx, u.Scheme+"://"+u.Host, fetch.IsLocal(address), byUser)
	if err != nil {
		return err
	}
	if !rules.Allow(u.EscapedPath() + query(u)) {
		return ErrRobots
	}
	return nil
}

func query(u *url.URL) string {
	if u.RawQuery == "" {
		return ""
	}
	return "?" + u.RawQuery
}

// of returns the rules of an origin, as they were asked for within a day. A site without them allows all, one that fails allows
// nothing (RFC 9309 §2.3.1) unless its rules are known.
func (r *robots) of(ctx context.Context, origin string, local, byUser bool) (scrape.Robots, error) {
	r.mu.Lock()
	known, ok := r.known[origin]
	r.mu.Unlock()
	if !ok {
		var err error
		if known, ok, err = r.stored(ctx, origin); err != nil {
			return scrape.Robots{}, err
		}
	}
	now := r.now()
	if ok && known.status != 0 && now.Sub(known.at) < robotsFor {
		return known.rules, nil
	}
	lease := r.client.Memory().NewLease()
	defer lease.Release()
	a := r.requests.do(ctx, fetch.Request{URL: origin + "/robots.txt", Accept: "text/plain, */*;q=0.1", MaxBody: maxRobotsBody, Local: local, ByUser: byUser, Lease: lease})
	if a.err != nil && !isMissing(a.err) {
		if ok && known.status != 0 && ctx.Err() == nil {
			return known.rules, nil
		}
		return scrape.Robots{}, a.err
	}
	body := a.resp.Body
	if a.err != nil || a.portal {
		body = nil
	}
	fresh := robotsRules{now, a.resp.Status, scrape.ParseRobots(body, robotsProduct)}
	r.mu.Lock()
	r.known[origin] = fresh
	r.mu.Unlock()
	o := Outcome{At: a.at, Reason: Robots, Cause: Cause{Site: icons.Site(origin)}, Result: Stored, Status: a.resp.Status, Bytes: a.resp.Bytes, Took: a.resp.Took}
	return fresh.rules, r.hosts.commit(context.WithoutCancel(ctx), func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "REPLACE INTO robots (origin, at, status, body) VALUES (?, ?, ?, ?)", origin, now.Unix(), fresh.status, string(body)); err != nil {
			return fmt.Errorf("store robots.txt: %w", err)
		}
		return o.write(ctx, tx)
	})
}

// stored reads the rules of an origin.
func (r *robots) stored(ctx context.Context, origin string) (known robotsRules, ok bool, err error) {
	var at int64
	var body []byte
	err = r.store.Read().QueryRowContext(ctx, "SELECT at, status, body FROM robots WHERE origin = ?", origin).Scan(&at, &known.status, &body)
	if errors.Is(err, sql.ErrNoRows) {
		return known, false, nil
	}
	if err != nil {
		return known, false, fmt.Errorf("read robots.txt: %w", err)
	}
	known.at, known.rules = instant(at), scrape.ParseRobots(body, robotsProduct)
	return known, true, nil
}
