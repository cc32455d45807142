package poller

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"kairos/poller/dispatch"
	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/icon"
)

// iconsLook is how often it is looked whether there are icons to look for, if nothing has
// changed.
const iconsLook = time.Hour

// iconTime is how long a request for an icon may take: it keeps its host's line.
const iconTime = 15 * time.Second

// iconHunt looks for a feed's icon, a request a turn, so that feeds come between.
type iconHunt struct {
	feed    reader.Feed
	sources []string // to be looked at yet
	entered string   // the one that is looked at
	row     iconRow  // of the one that is looked at
	search  *icon.Search
	brought fetch.Validators // by the last answer
	reached bool             // a server, whatever it answered
}

// huntState is how a hunt stands after a turn.
type huntState int

const (
	huntOver  huntState = iota
	huntOn              // another turn is wanted
	huntWaits           // for another hunt that looks at the same source
)

// next is where the next request goes.
func (h *iconHunt) next() string {
	switch {
	case h.search != nil:
		return h.search.Next()
	case len(h.sources) > 0:
		return h.sources[0]
	}
	return ""
}

// startIcons looks for the icons that are due, as far as there is nothing else to do.
// What goes wrong there is no fault of the loop's.
func (p *Poller) startIcons(ctx context.Context, now time.Time) {
	p.mu.Lock()
	early := now.Before(p.iconsNext)
	p.mu.Unlock()
	if early || !p.iconsWelcome(ctx, now) {
		return
	}
	p.mu.Lock()
	p.iconsNext = now.Add(iconsLook)
	p.mu.Unlock()
	ids, err := p.iconsDue(ctx, now)
	for _, id := range ids {
		if err == nil {
			err = p.startHunt(ctx, id)
		}
	}
	p.iconsFailed(ctx, err)
}

// iconsWelcome reports whether icons may be asked for: the network is there, as a
// server has just answered, and nothing is to be saved.
func (p *Poller) iconsWelcome(ctx context.Context, now time.Time) bool {
	p.mu.Lock()
	welcome := p.icons && !p.offline.down && now.Sub(p.lastAnswer) < recentAnswer && !now.Before(p.iconsHeld)
	p.mu.Unlock()
	if !welcome {
		return false
	}
	b, feeds, err := p.budget(ctx)
	return err == nil && !b.Saving() && b.PerDay(feeds) > 0
}

// holdIcons leaves icons alone for a while.
func (p *Poller) holdIcons() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.iconsHeld = p.now().Add(holdFor)
}

// iconsFailed keeps what cannot be read or stored from being asked for again and again.
func (p *Poller) iconsFailed(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		p.logger.Error("icons", "err", err)
		p.holdIcons()
	}
}

// startHunt begins to look for a feed's icon if that is not being done already.
func (p *Poller) startHunt(ctx context.Context, feed int64) error {
	p.mu.Lock()
	hunted := p.hunted[feed]
	p.mu.Unlock()
	if hunted {
		return nil
	}
	f, err := p.store.Feed(ctx, feed)
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.hunted[feed] = true
	p.mu.Unlock()
	p.hunt(ctx, &iconHunt{feed: f, sources: iconSources(f)})
	return nil
}

// hunt queues the next request with those to its host.
func (p *Poller) hunt(ctx context.Context, h *iconHunt) {
	group := groupOf(h.next())
	p.queue.Add(dispatch.Task{Context: ctx, Group: group, Priority: dispatch.Idle, Run: func() bool {
		state, asked := p.huntTurn(ctx, h, group)
		if state == huntWaits {
			return asked // whoever it waits for goes on with it
		}
		if state == huntOver || h.search == nil {
			p.leave(ctx, h)
		}
		if state == huntOn {
			p.hunt(ctx, h)
			return asked
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.hunted, h.feed.ID)
		return asked
	}})
}

// huntTurn does what is to be done when a group's turn has come, and reports whether a
// server was asked.
func (p *Poller) huntTurn(ctx context.Context, h *iconHunt, group string) (state huntState, asked bool) {
	now := p.now()
	if ctx.Err() != nil || !p.iconsWelcome(ctx, now) {
		return huntOver, false
	}
	if h.search == nil {
		state, err := p.aim(ctx, h, now)
		p.iconsFailed(ctx, err)
		if state != huntOn || groupOf(h.next()) != group {
			return state, false
		}
	}
	o := Outcome{Feed: h.feed.ID, Title: h.feed.Title, At: now, Reason: Icon, Why: "the icon of " + siteName(h.row.source)}
	err := h.search.Step(ctx, p.iconGetter(h, &o))
	if ctx.Err() != nil {
		return huntOver, o.asked
	}
	state, err = p.huntTook(context.WithoutCancel(ctx), h, &o, err)
	p.iconsFailed(ctx, err)
	return state, o.asked
}

// aim opens the search at the first source that was not looked at within the month. If
// one that was has the icon, or none is left, that is what the feed gets.
func (p *Poller) aim(ctx context.Context, h *iconHunt, now time.Time) (huntState, error) {
	for len(h.sources) > 0 {
		if !p.enter(h, h.sources[0]) {
			return huntWaits, nil
		}
		row, err := p.iconRow(ctx, h.sources[0])
		if err != nil {
			return huntOver, err
		}
		h.row, h.sources = row, h.sources[1:]
		if !row.fresh(now) {
			h.search = row.search(h.feed)
			return huntOn, nil
		}
		p.leave(ctx, h)
		if row.there {
			break
		}
	}
	return huntOver, p.store.Write(ctx, func(tx *sql.Tx) error { return h.end(ctx, tx, now) })
}

// enter takes a source to look at; it is false if another hunt has it, which this one
// then waits for: the feeds of one site do not ask it together.
func (p *Poller) enter(h *iconHunt, source string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	waiting, taken := p.looked[source]
	if taken {
		p.looked[source] = append(waiting, h)
		return false
	}
	p.looked[source], h.entered = nil, source
	return true
}

// leave gives a source up, if there is one, and lets those go on that wait for it.
func (p *Poller) leave(ctx context.Context, h *iconHunt) {
	p.mu.Lock()
	waiting := p.looked[h.entered]
	delete(p.looked, h.entered)
	h.entered = ""
	p.mu.Unlock()
	for _, other := range waiting {
		p.hunt(ctx, other)
	}
}

// end gives the feed the icon of the source looked at last.
func (h *iconHunt) end(ctx context.Context, tx *sql.Tx, now time.Time) error {
	if !h.row.there {
		return giveIcon(ctx, tx, h.feed.ID, 0, now)
	}
	return giveIcon(ctx, tx, h.feed.ID, h.row.id, now)
}

// iconGetter makes the requests of a hunt, and of an icon that is known a conditional
// one.
func (p *Poller) iconGetter(h *iconHunt, o *Outcome) icon.Get {
	return func(ctx context.Context, r icon.Request) (icon.Answer, error) {
		ctx, cancel := context.WithTimeout(ctx, iconTime)
		defer cancel()
		a := p.request(ctx, fetch.Request{URL: r.URL, Accept: r.Accept, MaxBody: r.MaxBody,
			Local:      fetch.IsLocal(h.feed.URL) && fetch.IsLocal(h.row.source), // a site of the web names no icon in the local network
			Validators: h.row.validators, Of: h.row.address})
		o.At, o.asked = a.at, !a.resp.At.IsZero()
		o.Status, o.Bytes, o.Took = a.resp.Status, a.resp.Bytes, a.resp.Took
		h.brought, h.reached = a.resp.Validators, h.reached || o.Status != 0
		var fe *fetch.Error
		switch {
		case errors.As(a.err, &fe) && (o.Status == 0 || fe.Kind == fetch.Busy):
			return icon.Answer{}, fmt.Errorf("%w: %w", icon.ErrUnreachable, a.err)
		case a.err != nil:
			return icon.Answer{}, a.err
		case a.portal:
			return icon.Answer{}, errors.New("a page of another site came, as where one has to sign in")
		case a.resp.NotModified:
			return icon.Answer{}, icon.ErrUnchanged
		}
		return icon.Answer{URL: a.resp.URL, Body: a.resp.Body, Truncated: a.resp.Truncated}, nil
	}
}

// huntTook stores what a request came to.
func (p *Poller) huntTook(ctx context.Context, h *iconHunt, o *Outcome, cause error) (huntState, error) {
	if o.Result = None; cause != nil {
		o.Said = Sentence(cause)
	}
	state, save := huntOver, func(*sql.Tx) error { return nil }
	switch found := h.search.Found(); {
	case gone(cause):
		o.Result = Offline
		p.holdIcons()
	case unasked(cause) && !h.reached && (h.row.there || len(h.sources) == 0):
		save = func(tx *sql.Tx) error { return postponeIcon(ctx, tx, h.feed.ID, o.At.Add(iconAgain-iconEvery)) }
	case unasked(cause) && !h.reached:
		h.search, state = nil, huntOn
	case found == nil && h.search.Next() != "":
		state = huntOn
	default:
		o.Result = iconResult(found)
		if found == nil && !h.row.there && len(h.sources) > 0 {
			state = huntOn
		}
		h.search = nil
		save = func(tx *sql.Tx) error {
			if err := h.row.write(ctx, tx, o.At, found, h.brought); err != nil || state == huntOn {
				return err
			}
			return h.end(ctx, tx, o.At)
		}
	}
	if err := p.writeIcon(ctx, o, save); err != nil {
		return huntOver, err
	}
	return state, nil
}

func iconResult(found *icon.Found) Result {
	switch {
	case found == nil:
		return None
	case found.Unchanged:
		return Unchanged
	}
	return Stored
}

// gone reports whether the network is, rather than what was asked for.
func gone(err error) bool {
	var fe *fetch.Error
	return errors.As(err, &fe) && fe.Machine() && !fe.Kind.Unresolved()
}

// unasked reports whether no server was asked: it wants to be left alone, or its name is
// not known right now.
func unasked(err error) bool {
	var fe *fetch.Error
	return errors.As(err, &fe) && (fe.Kind == fetch.Waiting || fe.Kind.Unresolved())
}

// writeIcon writes a request's line in the ledger, if there was one, and what it came to.
func (p *Poller) writeIcon(ctx context.Context, o *Outcome, save func(tx *sql.Tx) error) error {
	version := 0
	err := p.store.Write(ctx, func(tx *sql.Tx) (err error) {
		if o.asked {
			if err := o.write(ctx, tx); err != nil {
				return err
			}
		}
		version, err = p.keep(ctx, tx)
		return errors.Join(save(tx), err)
	})
	if err == nil {
		p.keptNow(version)
	}
	return err
}
