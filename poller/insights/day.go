package insights

import (
	"context"
	"time"

	"kairos/poller"
	"kairos/useraccess/rate"
)

// Day is what happened in the last 24 hours, and what is to come in the next.
type Day struct {
	From, Now, To time.Time
	Fetches       []poller.Outcome // oldest first, of feeds subscribed to and of accounts
	Planned       []Planned        // in order of time
	Most          float64          // the largest value among the planned
	Visits        []Visit          // oldest first
	Asleep        []Span           // when the machine slept, and when it probably will, in order of time
	Saved         []Span           // when battery saver made a difference, in order of time
	Saving        bool             // it does now
	Paused        bool             // nothing is fetched in the background
}

// shortestSaved is the shortest time of battery saver that is told: less is not seen on two days.
const shortestSaved = 10 * time.Minute

// Planned is a fetch to come.
type Planned struct {
	poller.Instant
	Title string // of the feed or account
}

// Day reads what happened and what is planned.
func (in *Insights) Day(ctx context.Context, p *poller.Poller) (Day, error) {
	now := in.now()
	d := Day{From: now.Add(-day), Now: now, To: now.Add(day)}
	lines, err := p.LedgerSince(ctx, 0, d.From)
	if err != nil {
		return d, err
	}
	for i := len(lines) - 1; i >= 0; i-- {
		if o := &lines[i]; !o.At.After(now) && !o.Reason.IsAuxiliary() && o.Result != poller.Dropped {
			d.Fetches = append(d.Fetches, *o)
		}
	}
	if err := in.readPlanned(ctx, p, &d); err != nil {
		return d, err
	}
	log, err := in.log.List(ctx)
	if err != nil {
		return d, err
	}
	for _, a := range log {
		if a.At.After(d.From) && !a.At.After(now) {
			d.Visits = append(d.Visits, Visit{a.At, a.Until})
		}
	}
	wakings, err := in.log.Wakings(ctx, now)
	if err != nil {
		return d, err
	}
	d.Asleep = asleep(wakings, &d)
	saved, err := p.SavingSince(ctx, d.From)
	if err != nil {
		return d, err
	}
	for _, s := range saved {
		span := Span{later(s.From, d.From).In(now.Location()), s.To.In(now.Location())}
		if s.To.IsZero() || s.To.After(now) { // it lasts, or the clock was set back
			span.To = now
		}
		if span.To.Sub(span.From) >= shortestSaved {
			d.Saved = append(d.Saved, span)
		}
	}
	status, err := p.Status(ctx)
	d.Saving, d.Paused = status.Budget.Reduced(status.Feeds), status.Budget.Paused()
	if d.Paused { // what was planned before is not made
		d.Planned, d.Most = nil, 0
	}
	return d, err
}

func (in *Insights) readPlanned(ctx context.Context, p *poller.Poller, d *Day) error {
	instants, err := p.Instants(ctx)
	if err != nil {
		return err
	}
	titles, err := p.Titles(ctx)
	if err != nil {
		return err
	}
	for _, i := range instants {
		if title, ok := titles[i.Feed]; ok && i.At.Before(d.To) && i.At.After(d.Now.Add(-time.Hour)) {
			d.Planned = append(d.Planned, Planned{i, title})
			d.Most = max(d.Most, i.Value)
		}
	}
	return nil
}

// asleep returns when the machine slept in the last 24 hours and when it probably will in the next;
// what is shorter than half an hour is left out.
func asleep(wakings []rate.Waking, d *Day) (spans []Span) {
	if len(wakings) == 0 {
		return nil
	}
	const short = 30 * time.Minute
	add := func(from, to time.Time) {
		if to.Sub(from) >= short {
			spans = append(spans, Span{from.In(d.Now.Location()), to.In(d.Now.Location())})
		}
	}
	for _, w := range wakings {
		if w.From.After(d.From) && w.Since.Before(w.From) {
			add(later(w.Since, d.From), w.From)
		}
	}
	chances := rate.NewAwake(wakings, d.Now.Location()).Chances()
	least := rate.AwakeThreshold(chances[:])
	from := time.Time{}
	for at := d.Now; ; at = at.Add(15 * time.Minute) {
		sleeps := at.Before(d.To) && chances.At(at) < least
		switch {
		case sleeps && from.IsZero():
			from = at
		case !sleeps && !from.IsZero():
			add(from, at)
			from = time.Time{}
		}
		if !at.Before(d.To) {
			return spans
		}
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
