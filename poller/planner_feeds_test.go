package poller

import (
	"context"
	"database/sql"
	"reflect"
	"testing"
	"time"

	"kairos/poller/schedule"
	"kairos/reader"
)

// A plan reads of a feed what its state says, but for the last loss, which is for people only; of a
// feed that has moved what holds at any address; of one never tried nothing.
func TestPlannedFeeds(t *testing.T) {
	w := newWorld(t)
	var ids []int64
	tried := monday.Add(-time.Hour)
	w.write(func(tx *sql.Tx) error {
		for _, address := range []string{"http://a.example/", "http://b.example/", "http://c.example/"} {
			id, err := reader.Subscribe(t.Context(), tx, reader.Feed{URL: address}, monday)
			if err != nil {
				return err
			}
			ids = append(ids, id)
			if len(ids) == 3 {
				return nil // never tried
			}
			s := State{subject: id, address: "http://a.example/", Tried: tried, Fetched: tried.Add(-day), Failures: 2, NotBefore: monday.Add(time.Hour), Gone: true,
				Limits: schedule.Limits{MaxAge: time.Minute, TTL: 2 * time.Minute, Skips: schedule.Skips{Hours: 3, Days: 5}}}
			s.posts.Document(tried, []time.Time{tried.Add(-time.Hour), tried.Add(-50 * time.Hour)}, 2)
			s.posts.Window.Turnover = schedule.Turning
			if err := s.write(t.Context(), tx); err != nil {
				return err
			}
		}
		return nil
	})
	feeds, err := w.planner.plannedFeeds(t.Context(), "true")
	if err != nil || len(feeds) != len(ids) {
		t.Fatalf("%d feeds, %v", len(feeds), err)
	}
	for i, id := range ids {
		feed, err := w.store.Feeds.Get(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		s, err := w.planner.state(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		s = s.For(feed)
		want := plannedFeed{s.scheduleFeed(), identity{feed: feed.ID}, feed.URL, s.Gone}
		want.Weight, want.Posts.Window.Loss = feed.Weight, schedule.Loss{}
		if !reflect.DeepEqual(feeds[i], want) {
			t.Errorf("read of feed %d:\n%+v\nits state says\n%+v", id, feeds[i], want)
		}
	}
	if !feeds[0].gone || feeds[1].gone || feeds[1].Failures != 0 || feeds[1].Tried.IsZero() {
		t.Error("what belongs to another address is believed of a feed that has moved")
	}
}

func (p *planner) plannedFeeds(ctx context.Context, condition string, args ...any) (feeds []plannedFeed, err error) {
	err = p.eachPlanned(ctx, condition, args, func(f *plannedFeed) { feeds = append(feeds, *f) })
	return feeds, err
}
