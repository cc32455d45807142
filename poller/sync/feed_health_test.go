package sync

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	"kairos/reader"
)

// The server's failures are known here with its words and since when, and forgotten when it has fetched the feed again.
func TestFeedHealth(t *testing.T) {
	scenes(t, func(s *scene) {
		health := func() FeedHealth {
			s.Helper()
			all, err := s.d.engine.FeedHealth(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return all[s.feed(0).ID]
		}
		if h := health(); h != (FeedHealth{}) {
			t.Errorf("a server that does not tell: %+v", h)
		}
		there := &s.feeds[0].Health
		first := s.clock.Add(-time.Minute)
		*there = Health{Checked: first, Failures: 1, Message: "Not\n found\u202e \x1b[31m" + strings.Repeat("!", 5000)}
		s.sync()
		h := health()
		if !h.Since.Equal(first) || !h.Checked.Equal(first) || h.Failures != 1 || !h.Articles || len(h.Message) > maxWords+3 ||
			!strings.HasPrefix(h.Message, "Not found") || strings.ContainsAny(h.Message, "\n\x1b\u202e") {
			t.Errorf("it fails once: %+v", h)
		}
		there.Checked, there.Failures = s.clock.Add(24*time.Hour), 2 // its clock is wrong
		s.sync()
		if h := health(); !h.Since.Equal(first) || h.Failures != 2 || h.Checked.After(s.clock) {
			t.Errorf("it fails again: %+v", h)
		}
		*there = Health{Checked: s.clock, Failures: -3, Message: "nonsense"}
		s.sync()
		if h := health(); !h.Since.IsZero() || h.Failures != 0 || h.Message != "" {
			t.Errorf("it works again: %+v", h)
		}
		*there = Health{Checked: s.clock, Failures: 7}
		s.sync()
		if h := health(); !h.Since.Equal(there.Checked) || h.Failures != 7 || h.Message != "" {
			t.Errorf("it has failed several times since the last list: %+v", h)
		}
		f := s.feed(0)
		s.write(func(tx *sql.Tx) error { _, err := reader.MoveFeed(t.Context(), tx, f.ID, 0); return err })
		if h := health(); h != (FeedHealth{}) {
			t.Errorf("it has left the account: %+v", h)
		}
	})
}

// Since when a feed fails is not known where it failed several times before the server was first asked.
func TestFailedBeforeItWasKnown(t *testing.T) {
	scenes(t, func(s *scene) {
		s.feeds[0].Health = Health{Checked: s.clock, Failures: 4, Message: "gone"}
		s.sync()
		all, err := s.d.engine.FeedHealth(t.Context())
		if h := all[s.feed(0).ID]; err != nil || !h.Since.IsZero() || h.Failures != 4 || len(all) != 1 {
			t.Errorf("%+v, %v", all, err)
		}
	})
}
