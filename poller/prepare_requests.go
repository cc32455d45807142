package poller

import (
	"context"
	"fmt"
	"io"
	"time"

	"kairos/poller/dispatch"
	"kairos/poller/fetch"
	"kairos/poller/preparer"
	"kairos/poller/schedule"
	"kairos/reader/content"
	"kairos/reader/picture"
)

// Preparing is what articles are prepared with.
type Preparing struct {
	Album *picture.Album // holds their pictures; nil: no article is prepared
	Files string         // the folder for what can be heard or seen
	// LeastFree is how many bytes of its disk are left to others; 0: the usual, < 0: none.
	LeastFree int64
	// Chances returns the probability that each of these articles is read.
	Chances func(ctx context.Context, ids []int64) (map[int64]float64, error)
	// Pictures reports whether the user wants pictures without asking for them.
	Pictures func(ctx context.Context) (bool, error)
	// Column returns the column that pictures are going to be shown in; nil: the usual one.
	Column func(ctx context.Context) (content.Column, error)
}

// Preparer returns what prepares articles; nil if none are prepared.
func (p *Poller) Preparer() *preparer.Preparer { return p.loop.preparer }

// newPreparer returns what prepares articles.
func (p *Poller) newPreparer(o Preparing) *preparer.Preparer {
	return preparer.New(preparer.Options{Store: p.store, Album: o.Album, Now: p.now, Logger: p.logger, Chances: o.Chances, Pictures: o.Pictures, Column: o.Column, LeastFree: o.LeastFree,
		Visits: p.visitsSince, Expected: p.expectedVisits, Allowed: p.preparingAllowed, Spent: p.spentPreparing, InTurn: p.media.inTurn, Files: o.Files, Download: p.media.downloadAhead})
}

// visitsSince returns the visits since a time.
func (p *Poller) visitsSince(ctx context.Context, since time.Time) (at []time.Time, err error) {
	log, err := p.planner.log.List(ctx)
	for _, a := range log {
		if a.At.After(since) {
			at = append(at, a.At)
		}
	}
	return at, err
}

// expectedVisits returns how many visits are expected until a time.
func (p *Poller) expectedVisits(ctx context.Context, until time.Time) (visits float64, err error) {
	now := p.now()
	outlook, err := p.planner.log.Outlook(ctx, now)
	if err != nil {
		return 0, err
	}
	for _, perHour := range outlook.Starts(now, schedule.Bin, max(1, int(until.Sub(now)/schedule.Bin)), now.Location()) {
		visits += perHour * schedule.Bin.Hours()
	}
	return visits, nil
}

// preparingAllowed reports whether articles may be prepared: the network is there, as a server has just answered, fetching is not
// paused and, unless they are always to be prepared, the machine has nothing to save.
func (p *Poller) preparingAllowed(ctx context.Context, now time.Time, always bool) bool {
	if !p.network.isThere(now) {
		return false
	}
	b, feeds, err := p.budget.read(ctx)
	if err != nil || b.PerDay(feeds) == 0 {
		return false
	}
	return always || !b.Saving() && !b.Power.Battery && !b.Power.PowerSaver && !b.Power.Metered
}

// spentPreparing returns what preparing took since a time.
func (p *Poller) spentPreparing(ctx context.Context, since time.Time) (requests int, bytes int64, err error) {
	err = p.db.Row(ctx, "SELECT count(*), coalesce(sum(bytes), 0) FROM ledger WHERE at >= ? AND reason = 'prepare'", []any{since.Unix()}, &requests, &bytes)
	if err != nil {
		return 0, 0, fmt.Errorf("count what preparing took: %w", err)
	}
	return requests, bytes, nil
}

// inTurn calls do once the host of an address may be asked, with what makes requests for an article that is not shown yet.
func (m *media) inTurn(ctx context.Context, feed int64, address string, byUser bool, do func(get func(fetch.Request) preparer.Response)) {
	code := Prepare
	if byUser {
		code = Take
	}
	done := make(chan struct{})
	m.requests.queue.Add(dispatch.Task{Context: ctx, Group: groupOf(address), Priority: dispatch.Idle, Run: func() (asked bool) {
		defer close(done)
		do(func(r fetch.Request) (answer preparer.Response) {
			answer, asked = m.getNow(ctx, feed, code, r)
			return answer
		})
		return asked
	}})
	<-done
}

func (m *media) getNow(ctx context.Context, feed int64, code Code, r fetch.Request) (answer preparer.Response, asked bool) {
	answer = preparer.Response{Response: &fetch.Response{URL: r.URL}, Err: ctx.Err()}
	if answer.Err != nil {
		return answer, false
	}
	ctx, cancel := context.WithTimeout(ctx, mediaTimeout)
	defer cancel()
	r.Lease = m.memory.NewLease()
	defer r.Lease.Release()
	a, err := m.get(ctx, feed, code, r)
	if answer.Err = err; a != nil {
		answer.Response, asked = a.resp, a.wasAsked()
	}
	return answer, asked
}

// downloadAhead writes a file of an article that is not played yet. What the budget of preparing may take does not count it: how
// many there are is the user's choice.
func (m *media) downloadAhead(ctx context.Context, feed int64, address string, to io.Writer, byUser bool) (bytes int64, err error) {
	code := Episode
	if byUser {
		code = Take
	}
	var progress Progress
	err = m.download(ctx, feed, code, address, to, &progress)
	bytes, _ = progress.Bytes()
	return bytes, err
}
