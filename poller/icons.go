package poller

import (
	"context"
	"database/sql"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/icons"
)

// newIcons returns what fetches icons.
func (p *Poller) newIcons() *icons.Fetcher {
	return icons.New(icons.Options{Store: p.store, Queue: p.queue, Group: groupOf, Now: p.now, Logger: p.logger, Changes: p.signals.version,
		Allowed: p.iconsAllowed, Commit: p.commitIcon,
		Get: func(ctx context.Context, r fetch.Request) icons.Response {
			a := p.requests.do(ctx, r)
			return icons.Response{Response: a.resp, Err: a.err, At: a.at, Portal: a.portal}
		}})
}

// iconsAllowed reports whether icons may be asked for: the network is there, as a server
// has just answered, and battery saver is off.
func (p *Poller) iconsAllowed(ctx context.Context, now time.Time) bool {
	if !p.network.isThere(now) {
		return false
	}
	b, feeds, err := p.budget.read(ctx)
	return err == nil && !b.Saving() && b.PerDay(feeds) > 0
}

// commitIcon stores what came of a request for an icon, with its line in the ledger.
func (p *Poller) commitIcon(ctx context.Context, l icons.Line, save func(tx *sql.Tx) error) error {
	o := Outcome{Feed: l.Feed, Title: l.Title, At: l.At, Reason: Icon, Cause: Cause{Site: l.Site}, Result: Result(l.Result),
		Status: l.Status, Bytes: l.Bytes, Took: l.Took}
	if l.Err != nil {
		o.Message = messageOf(l.Err)
	}
	return p.hosts.commit(ctx, func(tx *sql.Tx) error {
		if l.Asked {
			if err := o.write(ctx, tx); err != nil {
				return err
			}
		}
		return save(tx)
	})
}
