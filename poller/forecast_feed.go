package poller

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"kairos/poller/schedule"
	"kairos/reader"
)

// FeedForecast is what is expected of a feed, why it is fetched when it is, and what changes would do to it.
type FeedForecast struct {
	Weight   float64
	Interest FeedInterest
	Counts   float64           // what one of its articles counts, relative to the mean of the feeds
	Window   int               // articles it shows; 0: it is not known to lose any
	Posts    []time.Time       // of the last weeks, oldest first
	Fetched  []time.Time       // in the last week, oldest first
	From     time.Time         // of the rates
	Day      FeedRates         // of the coming day
	Week     FeedRates         // of the coming week
	Instants []Instant         // planned for the coming two days
	Balance  *schedule.Balance // of the next; nil if too little is planned
	Effects  []Effect          // the first is what is expected as things are
	Now      float64           // fetches a day by the plan in force; 0 if there is none yet
	NowCause schedule.NowCause // why Now is not what Effects expect
	Evidence
}

// FeedRates are the rates of a feed over a span.
type FeedRates struct {
	Bin     time.Duration
	Posting []float64 // λp in each bin, articles an hour
	Access  []float64 // λc, visits an hour
}

// Effect is what a change would do to a feed.
type Effect struct {
	schedule.Change
	schedule.FeedForecast
}

const (
	postsShown = 28 * day // how far back the posts of a feed are shown
	weekHours  = 7 * 24
)

// FeedForecast forecasts one feed. It takes some tenths of a second with hundreds of feeds. Errors:
// schedule.ErrNotPlanned, reader.ErrUnknown.
func (p *Poller) FeedForecast(ctx context.Context, feed int64) (f FeedForecast, err error) {
	method, err := p.planner.method(ctx)
	if err != nil {
		return f, err
	}
	if !method.TakesCharges() {
		method = Methods[0] // the papers' methods have no price that a change could be forecast at
	}
	pl, err := p.planner.preview(ctx, method)
	if err != nil {
		return f, err
	}
	at := slices.IndexFunc(pl.Feeds, func(f FeedPlan) bool { return f.Feed.ID == feed })
	if at < 0 {
		return f, schedule.ErrNotPlanned
	}
	planned := &pl.Feeds[at]
	known := planned.FeedPlan.Feed
	f = FeedForecast{Weight: known.Weight, Window: known.Posts.Window.Items(), From: pl.From,
		Day: FeedRates{Bin: schedule.Bin, Posting: planned.Expected, Access: pl.Expected}, Instants: planned.FeedPlan.Instants}
	outlook, err := p.planner.log.Outlook(ctx, pl.Made)
	if err != nil {
		return f, err
	}
	f.Week = FeedRates{Bin: time.Hour, Posting: known.Posts.Rate().Sample(f.From, time.Hour, weekHours, time.UTC),
		Access: outlook.Sample(f.From, time.Hour, weekHours, pl.Made.Location())}
	in, err := p.planner.inputs(ctx, pl.Made)
	if err != nil {
		return f, err
	}
	if f.Balance, err = p.planner.balance(ctx, known, comingOf(&in, known.ID, planned.FeedPlan.Instants), pl.Made); err != nil {
		return f, err
	}
	if f.Fetched, err = p.times(ctx, "SELECT at FROM ledger WHERE subject = ? AND at BETWEEN ? AND ? ORDER BY at", known.ID, pl.Made.Add(-7*day).Unix(), pl.Made.Unix()); err != nil {
		return f, err
	}
	if f.Posts, err = p.times(ctx, "SELECT published FROM reader_article WHERE feed = ? AND published BETWEEN ? AND ? ORDER BY published", feed, pl.Made.Add(-postsShown).Unix(), pl.Made.Unix()); err != nil {
		return f, err
	}
	if f.Visits, err = p.planner.log.Known(ctx); err != nil {
		return f, err
	}
	interest, err := p.planner.log.Interest(ctx, feed)
	if err != nil {
		return f, err
	}
	f.Interest = interestOf(planned.Feed.Interest, &known.Posts, interest, pl.Made)
	f.Counts = planned.FeedPlan.Counts() / max(pl.MeanWeight(), 1e-9)
	if f.Effects, err = p.planner.effects(ctx, in, known, pl.Budget); err != nil {
		return f, err
	}
	shares, err := p.planner.shares(ctx, feed)
	f.Now = shares[feed].Fetches
	f.NowCause = schedule.CauseNow(&known.Posts, outlook, f.Now > f.Effects[0].Fetches)
	return f, err
}

// comingOf returns the coming instants of a feed by the plan in force, which the user is told, else those of a preview.
func comingOf(in *schedule.Inputs, subject int64, preview []Instant) (instants []Instant) {
	for _, i := range in.Instants {
		if i.Feed == subject && i.At.After(in.Now) {
			instants = append(instants, i)
		}
	}
	if len(instants) < 2 {
		return preview
	}
	return instants
}

// balance returns both sides of (6) at the first of some instants; nil if none comes within a day, or it has none after
// it and no fetch before it within a week.
func (p *planner) balance(ctx context.Context, f *schedule.Feed, instants []Instant, now time.Time) (*schedule.Balance, error) {
	begin := f.Fetched
	if len(instants) < 2 || instants[0].At.Sub(now) >= day || begin.IsZero() || !instants[0].At.After(begin) || instants[1].At.Sub(begin) > 7*day {
		return nil, nil
	}
	outlook, err := p.log.Outlook(ctx, now)
	if err != nil {
		return nil, err
	}
	from, end := begin.UTC().Truncate(schedule.Bin), instants[1].At
	n := int(end.Sub(from)/schedule.Bin) + 1
	b := schedule.NewBalance(outlook.Sample(from, schedule.Bin, n, now.Location()), f.Posts.Rate().Sample(from, schedule.Bin, n, time.UTC),
		from, begin, instants[0].At, end)
	return &b, nil
}

// effects forecasts a feed as things are and after changes that a user may think of.
func (p *planner) effects(ctx context.Context, in schedule.Inputs, f *schedule.Feed, budget float64) ([]Effect, error) {
	changes := []schedule.Change{{}}
	for _, w := range []float64{0.5, 1, 2} {
		if w != f.Weight {
			changes = append(changes, schedule.Change{Weight: w})
		}
	}
	for _, every := range []time.Duration{time.Hour, 6 * time.Hour, day} {
		if f.Every == 0 || every < f.Every {
			changes = append(changes, schedule.Change{Every: every})
		}
	}
	changes = append(changes, schedule.Change{Budget: budget / 2}, schedule.Change{Budget: 2 * budget})
	results, err := p.scheduler.ForecastFeed(ctx, in, f.ID, changes)
	if err != nil {
		return nil, err
	}
	var effects []Effect
	for k, c := range changes {
		if c.Every == 0 || results[k] != results[0] { // it is fetched that often anyway
			effects = append(effects, Effect{c, results[k]})
		}
	}
	return effects, nil
}

// times returns the times that a query finds.
func (r *records) times(ctx context.Context, query string, args ...any) ([]time.Time, error) {
	return reader.Collect(ctx, r.store.Read(), "read times", func(row *sql.Rows, one *time.Time) error {
		var at int64
		err := row.Scan(&at)
		*one = time.Unix(at, 0)
		return err
	}, query, args...)
}
