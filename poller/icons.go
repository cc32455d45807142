package poller

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"kairos/poller/fetch"
	"kairos/poller/icons"
)

// Icons returns the icons of feeds.
func (p *Poller) Icons() *icons.Store { return icons.NewStore(p.store) }

// newIcons returns what fetches icons.
func (p *Poller) newIcons() *icons.Fetcher {
	return icons.New(icons.Options{Store: p.store, Queue: p.queue, Group: groupOf, Now: p.now, Logger: p.logger,
		Allowed: p.iconsAllowed, Commit: p.commitIcon,
		Get: func(ctx context.Context, r fetch.Request) icons.Response {
			a := p.request(ctx, r)
			return icons.Response{Response: a.resp, Err: a.err, At: a.at, Portal: a.portal}
		}})
}

// iconsAllowed reports whether icons may be asked for: the network is there, as a server
// has just answered, and battery saver is off.
func (p *Poller) iconsAllowed(ctx context.Context, now time.Time) bool {
	if !p.network.isThere(now) {
		return false
	}
	b, feeds, err := p.budget(ctx)
	return err == nil && !b.Saving() && b.PerDay(feeds) > 0
}

// commitIcon stores what came of a request for an icon, with its line in the ledger.
func (p *Poller) commitIcon(ctx context.Context, l icons.Line, save func(tx *sql.Tx) error) error {
	o := Outcome{Feed: l.Feed, Title: l.Title, At: l.At, Reason: Icon, Why: "the icon of " + l.Site, Result: Result(l.Result),
		Status: l.Status, Bytes: l.Bytes, Took: l.Took}
	if l.Err != nil {
		o.Said = Sentence(l.Err)
	}
	version := 0
	err := p.store.Write(ctx, func(tx *sql.Tx) (err error) {
		if l.Asked {
			if err := o.write(ctx, tx); err != nil {
				return err
			}
		}
		version, err = p.hosts.write(ctx, tx)
		return errors.Join(save(tx), err)
	})
	if err == nil {
		p.hosts.committed(version)
	}
	return err
}

// noNetwork reports whether a request failed because there is no network.
func noNetwork(err error) bool {
	var fe *fetch.Error
	return errors.As(err, &fe) && fe.BlamesMachine() && !fe.Code.Unresolved()
}
