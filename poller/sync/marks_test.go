package sync

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/reader"
)

// What the user does last stands, whether a request before it took effect or not.
func TestLastWordAfterLostRequests(t *testing.T) {
	for _, after := range []bool{false, true} {
		t.Run(fmt.Sprint("took effect ", after), func(t *testing.T) {
			scenes(t, func(s *scene) {
				lost := func(method string) {
					s.failing(method, after)
					if _, err := s.try(); err == nil {
						t.Fatalf("%s was not lost", method)
					}
					s.failing("", false)
				}
				s.mark(0, reader.FlagRead, true)
				lost("read")
				s.mark(0, reader.FlagRead, false)

				zero := s.feed(0)
				zero.OwnTitle, zero.Folder = "Mine", "Fun"
				s.update(zero)
				lost("edit")
				zero.OwnTitle, zero.Folder = "", "News"
				s.update(zero)

				one := s.feed(1)
				s.write(func(tx *sql.Tx) error { return reader.Unsubscribe(t.Context(), tx, one.ID, s.clock) })
				lost("unsubscribe")
				s.write(func(tx *sql.Tx) error { return reader.Resubscribe(t.Context(), tx, one.ID) })

				s.write(func(tx *sql.Tx) error {
					_, err := reader.Subscribe(t.Context(), tx, reader.Feed{URL: modelAddress(2), Account: s.d.account}, s.clock)
					return err
				})
				lost("subscribe")
				s.sync()
				s.sync()
				s.equal()
				if s.has("read true") || !s.has("| Zero | News") || s.feed(1).ID != one.ID || len(s.feeds) != 3 {
					t.Errorf("%s", strings.Join(s.state(), "\n"))
				}
			})
		})
	}
}

// A mark made while the request for another one is under way is not lost, nor confirmed by its answer.
func TestMarkDuringItsRequest(t *testing.T) {
	scenes(t, func(s *scene) {
		s.mark(0, reader.FlagRead, true)
		once := true
		s.between = func() {
			if once && len(s.requests) == 0 {
				once = false
				s.mark(0, reader.FlagRead, false)
				s.mark(1, reader.FlagStarred, true)
			}
		}
		s.sync()
		s.between = nil
		s.sync()
		s.equal()
		if s.has("read true") || !s.has("starred true") {
			t.Errorf("%s", strings.Join(s.state(), "\n"))
		}
	})
}

func TestOutboxBeatsTheServer(t *testing.T) {
	scenes(t, func(s *scene) {
		s.mark(0, reader.FlagRead, true)
		s.mark(1, reader.FlagStarred, true)
		s.failing("read", false)
		if _, err := s.try(); err == nil {
			t.Fatal("it was sent")
		}
		s.set([]string{s.items[0].ID, s.items[1].ID, s.items[2].ID}, func(a *Article) *bool { return &a.Starred }, true)
		s.failing("", false)
		s.sync()
		s.equal()
		if !s.has("read true") {
			t.Error("the mark was lost")
		}
	})
}

// A mark that the server does not accept waits for a day, or until the user syncs. It keeps no other from being sent, nor anything from
// coming.
func TestRejectedMarks(t *testing.T) {
	scenes(t, func(s *scene) {
		bad := s.items[1].ID
		s.model.refuses = func(ids []string) bool { return slices.Contains(ids, bad) }
		for n := range 3 {
			s.mark(n, reader.FlagRead, true)
		}
		s.post(modelAddress(0))
		r, err := s.try()
		if err != nil || r.New != 1 || r.Sent != 2 || len(r.Refused) != 1 || r.Refused[0].Feed != s.feed(0).ID {
			t.Errorf("%+v, %v", r, err)
		}
		automatically := func() []string {
			s.clock, s.requests = s.clock.Add(10*time.Minute), nil
			if _, err := s.d.engine.Send(t.Context(), s.d.account); err != nil {
				t.Fatal(err)
			}
			return s.requests
		}
		if asked := automatically(); len(asked) != 0 {
			t.Errorf("sent again: %v", asked)
		}
		s.mark(0, reader.FlagRead, false)
		if asked := automatically(); !slices.Equal(asked, []string{"read", "articles"}) { // whether it is there
			t.Errorf("another mark is sent by %v", asked)
		}
		if n, err := s.d.engine.Waiting(t.Context(), s.d.account); n != 1 || err != nil {
			t.Errorf("%d wait, %v", n, err)
		}
		s.model.refuses = nil
		s.clock = s.clock.Add(askAgain)
		automatically()
		s.equal()
	})
}

// A server that accepts nothing is not asked for each of many marks.
func TestManyRejectedMarks(t *testing.T) {
	scenes(t, func(s *scene) {
		for range 200 {
			s.post(modelAddress(0))
		}
		s.sync()
		s.model.refuses = func([]string) bool { return true }
		for n := range 200 {
			s.mark(n, reader.FlagRead, true)
		}
		s.requests = nil
		r, err := s.d.engine.Send(t.Context(), s.d.account)
		if err != nil || r.Sent != 0 || len(s.requests) > 60 {
			t.Errorf("%d sent by %d requests, %v", r.Sent, len(s.requests), err)
		}
		s.model.refuses = nil
		s.sync()
		s.equal()
	})
}

func TestMarksOfOthersAreTimed(t *testing.T) {
	scenes(t, func(s *scene) {
		s.mark(1, reader.FlagRead, true)
		s.sync()
		s.set([]string{s.items[0].ID}, func(a *Article) *bool { return &a.Read }, true)
		at := s.model.clock()
		r := s.sync()
		if r.Marked != 1 || r.Elsewhere != 1 || !s.lists && (len(r.MarkedAt) != 1 || !r.MarkedAt[0].Equal(at)) {
			t.Errorf("%+v", r)
		}
		if len(r.Read) != 1 || r.Read[0].ID != s.items[0].ID || !s.lists && !r.Read[0].At.Equal(at) {
			t.Errorf("read elsewhere: %+v", r.Read)
		}
		// What was read there before it was ever seen here was read elsewhere, too. A server whose clock is wrong tells the right time.
		s.model.skew = 3 * time.Hour
		s.post(modelAddress(0))
		s.set([]string{s.items[len(s.items)-1].ID}, func(a *Article) *bool { return &a.Read }, true)
		at = s.clock
		if r = s.sync(); r.Elsewhere != 1 || !s.lists && (len(r.MarkedAt) != 1 || r.MarkedAt[0].Sub(at).Abs() > time.Minute) {
			t.Errorf("read before it came: %+v, at %s", r, at)
		}
		if r = s.sync(); r.Elsewhere != 0 || len(r.MarkedAt) != 0 || len(r.Read) != 0 {
			t.Errorf("nothing happened: %+v", r)
		}
	})
}
