package home

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"kairos/poller/unopened"
	"kairos/reader"
)

// The settings of what is offered about feeds that are not read.
const (
	settingUnopenedAt  = "app.unopened_offered" // when it was offered last, as Unix seconds
	settingKept        = "app.unopened_kept"    // feeds that the user wants as they are, as a JSON list
	settingEndsOffered = "app.ends_offered"     // feeds of which it was offered that their articles end, as a JSON list
)

// offerEvery is how long after an offer the next one is made.
const offerEvery = 30 * 24 * time.Hour

// Unopened finds the feeds that the user does not read, and remembers what was offered about them.
type Unopened struct{ home *Home }

// Unopened returns what finds the feeds that the user does not read.
func (h *Home) Unopened() Unopened { return Unopened{h} }

// Find returns the feeds of which nothing was opened for long.
func (u Unopened) Find(ctx context.Context) ([]unopened.Feed, error) {
	k, err := u.known(ctx)
	return k.Find(u.home.Now()), err
}

func (u Unopened) known(ctx context.Context) (k unopened.Known, err error) {
	h := u.home
	if k.Feeds, err = h.Store.Feeds.List(ctx); err != nil {
		return k, err
	}
	if k.Folders, err = h.Store.Feeds.Folders(ctx); err != nil {
		return k, err
	}
	if k.LastRead, err = h.Log.LastRead(ctx); err != nil {
		return k, err
	}
	if k.Since, err = h.Log.Since(ctx); err != nil {
		return k, err
	}
	if k.Costs, err = h.Insights.Costs(ctx, unopened.CostDays); err != nil {
		return k, err
	}
	k.Kept, err = u.list(ctx, settingKept)
	return k, err
}

// list reads a set of feeds; one that cannot be read is empty.
func (u Unopened) list(ctx context.Context, key string) (map[int64]bool, error) {
	stored, err := u.home.Store.Settings.Get(ctx, key, "")
	var ids []int64
	if stored != "" && json.Unmarshal([]byte(stored), &ids) != nil {
		ids = nil
	}
	feeds := map[int64]bool{}
	for _, id := range ids {
		feeds[id] = true
	}
	return feeds, err
}

func (u Unopened) setList(ctx context.Context, key string, feeds map[int64]bool) error {
	ids := []int64{}
	for id, in := range feeds {
		if in {
			ids = append(ids, id)
		}
	}
	text, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	return u.home.Store.Settings.Set(ctx, key, string(text))
}

// Keep leaves a feed out of what Find returns, or not any more.
func (u Unopened) Keep(ctx context.Context, feed int64, keep bool) error {
	kept, err := u.list(ctx, settingKept)
	if err != nil {
		return err
	}
	kept[feed] = keep
	return u.setList(ctx, settingKept, kept)
}

// Offer is what may be offered now: that feeds are not read, or that articles of a feed end.
type Offer struct {
	Unread int         // feeds that are not read; 0: none, or it was offered less than a month ago
	Piling reader.Feed // with many unread articles of which none was ever opened; ID 0: none
}

// Next returns what may be offered now. While learning is off nothing is.
func (u Unopened) Next(ctx context.Context) (o Offer, err error) {
	h := u.home
	if learning, err := h.Visits.learning(ctx); err != nil || !learning {
		return o, err
	}
	k, err := u.known(ctx)
	if err != nil {
		return o, err
	}
	stored, err := h.Store.Settings.Get(ctx, settingUnopenedAt, "0")
	if err != nil {
		return o, err
	}
	at, _ := strconv.ParseInt(stored, 10, 64) //nolint:errcheck // what cannot be read is never
	if h.Now().Sub(time.Unix(at, 0)).Abs() >= offerEvery {
		o.Unread = len(k.Find(h.Now()))
	}
	offered, err := u.list(ctx, settingEndsOffered)
	if err != nil {
		return o, err
	}
	general, err := h.Store.Settings.Ends(ctx)
	if err != nil {
		return o, err
	}
	if f, ok := k.Piling(h.Now(), general, offered); ok {
		o.Piling = f
	}
	return o, nil
}

// OfferedUnread remembers that it was offered what feeds are not read.
func (u Unopened) OfferedUnread(ctx context.Context) error {
	return u.home.Store.Settings.Set(ctx, settingUnopenedAt, strconv.FormatInt(u.home.Now().Unix(), 10))
}

// OfferedEnds remembers that it was offered that unread articles of a feed end.
func (u Unopened) OfferedEnds(ctx context.Context, feed int64) error {
	offered, err := u.list(ctx, settingEndsOffered)
	if err != nil {
		return err
	}
	offered[feed] = true
	return u.setList(ctx, settingEndsOffered, offered)
}
