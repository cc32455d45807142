package poller

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sync"
	"time"

	"kairos/poller/fetch"
)

// A host is down if so many of its feeds fail alike, their first failures within alikeWithin of one another, and none of its feeds
// has come since.
const (
	leastAlike  = 3
	alikeWithin = time.Hour
)

// A host that is down is asked again after a third of the time for which it has been down.
const (
	firstCanary   = 15 * time.Minute
	slowestCanary = 6 * time.Hour
)

// outageKinds are the kinds of failures that a whole platform has, by what is alike: it cannot be reached, or it fails.
var outageKinds = map[FailureKind]string{
	FailureKind(fetch.Refused): "unreachable", FailureKind(fetch.Timeout): "unreachable", FailureKind(fetch.TooSlow): "unreachable",
	FailureKind(fetch.TLS): "unreachable", FailureKind(fetch.Reset): "unreachable", FailureKind(fetch.DNS): "unreachable",
	FailureKind(fetch.ServerError): "server", FailureKind(fetch.Busy): "server",
}

// outages lets one feed of a host that is down find out when it is over, in place of the back-off of each of its feeds. That a host
// is down follows from the poll states alone, so it outlives a restart.
type outages struct {
	*env
	signals *signals
	jobs    *jobs
	network *network

	mu     sync.Mutex           // guards all that follows
	stale  bool                 // a feed has failed or recovered since the last check
	down   map[string]outage    // by group of hosts
	probed map[string]time.Time // by group: the last canary begun
}

// outage is that of one group of hosts.
type outage struct {
	kind   string    // of outageKinds
	since  time.Time // the first failure
	tried  time.Time // the last attempt of a feed that fails
	canary int64     // the feed to ask with next: the one that was not for longest
	host   string    // of the canary
	feeds  []int64   // of the group, those that fail otherwise left out
}

// fetchState is what the outages ask of a feed.
type fetchState struct {
	subject               int64
	url                   string
	tried, fetched, since time.Time
	kind                  FailureKind
	failures              int
}

// changed notes that a feed has failed or recovered.
func (o *outages) changed() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stale = true
}

// check looks for hosts that are down if something has changed: their feeds wait for the canary. Those of a host that is back may be
// fetched at once; then a new plan is due, which spaces them.
func (o *outages) check(ctx context.Context) error {
	o.mu.Lock()
	stale, before := o.stale, o.down
	o.stale = false
	o.mu.Unlock()
	if !stale {
		return nil
	}
	feeds, err := o.fetchStates(ctx)
	if err == nil {
		down := findOutages(feeds)
		if err = o.hold(ctx, down, before); err == nil {
			o.mu.Lock()
			o.down = down
			o.mu.Unlock()
			return nil
		}
	}
	o.changed()
	return err
}

// hold lets the feeds of hosts that are down wait, and those of hosts that were no longer.
func (o *outages) hold(ctx context.Context, down, before map[string]outage) error {
	var back []int64
	for group, was := range before {
		if _, still := down[group]; !still {
			back = append(back, was.feeds...)
		}
	}
	if len(down) == 0 && len(back) == 0 {
		return nil
	}
	err := o.store.Write(ctx, func(tx *sql.Tx) error {
		for _, d := range down {
			for _, feed := range d.feeds {
				// The canary fails again before that, and they wait on. If nothing asks, they try by themselves.
				if _, err := tx.ExecContext(ctx, "UPDATE poll SET not_before = max(not_before, ?) WHERE subject = ? AND gone = 0",
					ceilUnix(d.tried.Add(maxBackOff)), feed); err != nil {
					return err
				}
			}
		}
		for _, feed := range back {
			if _, err := tx.ExecContext(ctx, "UPDATE poll SET not_before = 0 WHERE subject = ? AND gone = 0", feed); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("store which hosts are down: %w", err)
	}
	if len(back) > 0 {
		o.signals.feedsChanged()
	}
	return nil
}

// findOutages returns the groups of hosts that are down.
func findOutages(feeds []fetchState) map[string]outage {
	byGroup := map[string][]fetchState{}
	for _, f := range feeds {
		group := groupOf(f.url)
		byGroup[group] = append(byGroup[group], f)
	}
	down := map[string]outage{}
	for group, all := range byGroup {
		if len(all) < leastAlike {
			continue
		}
		if d, ok := outageOf(all); ok {
			down[group] = d
		}
	}
	return down
}

// outageOf returns the outage of a group, given its feeds; not ok if there is none.
func outageOf(feeds []fetchState) (d outage, ok bool) {
	last, alike := time.Time{}, map[string][]fetchState{}
	for _, f := range feeds {
		last = later(last, f.fetched)
		if kind := outageKinds[f.kind]; f.failures > 0 && kind != "" {
			alike[kind] = append(alike[kind], f)
		}
	}
	for kind, failing := range alike {
		slices.SortFunc(failing, func(a, b fetchState) int { return a.since.Compare(b.since) })
		for i := 0; i+leastAlike <= len(failing); i++ {
			since := failing[i].since
			if since.Before(last) || failing[i+leastAlike-1].since.Sub(since) > alikeWithin || ok && !since.Before(d.since) {
				continue
			}
			d, ok = outage{kind: kind, since: since}, true
			break
		}
	}
	if ok {
		d.add(feeds)
	}
	return d, ok
}

// add adds the feeds of the group that the outage concerns.
func (d *outage) add(feeds []fetchState) {
	var longest fetchState
	for _, f := range feeds {
		isDown := f.failures > 0 && outageKinds[f.kind] == d.kind && !f.since.Before(d.since)
		if f.failures > 0 && !isDown {
			continue
		}
		d.feeds = append(d.feeds, f.subject)
		if !isDown {
			continue
		}
		d.tried = later(d.tried, f.tried)
		if longest.subject == 0 || cmp.Or(f.tried.Compare(longest.tried), cmp.Compare(f.subject, longest.subject)) < 0 {
			longest = f
		}
	}
	d.canary, d.host = longest.subject, fetch.Host(longest.url)
}

// next is when the host is to be asked again.
func (d *outage) next() time.Time {
	return d.tried.Add(min(max(d.tried.Sub(d.since)/3, firstCanary), slowestCanary))
}

// awaited returns when the hosts of the feeds that wait for a canary are asked again.
func (e *env) awaited(ctx context.Context) (map[int64]time.Time, error) {
	feeds, err := e.fetchStates(ctx)
	if err != nil {
		return nil, err
	}
	awaited := map[int64]time.Time{}
	for _, d := range findOutages(feeds) {
		at := later(d.next(), e.client.BlockedUntil(d.host))
		for _, feed := range d.feeds {
			awaited[feed] = at
		}
	}
	return awaited, nil
}

// ask sends the canaries that are due, and returns when the next one is; zero if no host is down.
func (o *outages) ask(ctx context.Context, now time.Time) (next time.Time, err error) {
	if o.network.isDown() {
		return time.Time{}, nil // nothing is known of any host
	}
	o.mu.Lock()
	down, probed := o.down, o.probed
	o.mu.Unlock()
	for group, d := range down {
		at := later(d.next(), o.client.BlockedUntil(d.host))
		if last := probed[group]; !last.IsZero() {
			at = later(at, last.Add(firstCanary)) // one that was not sent after all changed nothing
		}
		if at.After(now) {
			if next.IsZero() || at.Before(next) {
				next = at
			}
			continue
		}
		s, err := o.subject(ctx, d.canary)
		if err != nil {
			o.changed() // it is no longer subscribed to
			continue
		}
		o.noteAsked(group, now)
		o.jobs.start(ctx, job{subject: s, code: Probe}, nil)
	}
	return next, nil
}

func (o *outages) noteAsked(group string, now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.probed == nil {
		o.probed = map[string]time.Time{}
	}
	o.probed[group] = now
}

// setBack mends what lies ahead of a clock that was set back.
func (o *outages) setBack() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stale, o.probed = true, nil
}

// fetchStates returns those of all feeds that are fetched here from the web.
func (r *records) fetchStates(ctx context.Context) (feeds []fetchState, err error) {
	rows, err := r.db.Rows(ctx, "SELECT p.id, p.url, s.tried, s.fetched, s.since, s.failures, s.fault FROM "+polled+` p JOIN poll s ON s.subject = p.id
		WHERE p.account = 0 AND s.gone = 0 AND s.address = p.url`)
	if err != nil {
		return nil, fmt.Errorf("read which feeds fail: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var f fetchState
		var tried, fetched, since int64
		if err := rows.Scan(&f.subject, &f.url, &tried, &fetched, &since, &f.failures, &f.kind); err != nil {
			return nil, fmt.Errorf("read which feeds fail: %w", err)
		}
		f.tried, f.fetched, f.since = instant(tried), instant(fetched), instant(since)
		if !isFile(f.url) {
			feeds = append(feeds, f)
		}
	}
	return feeds, rows.Err()
}
