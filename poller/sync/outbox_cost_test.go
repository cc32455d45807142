package sync_test

import (
	"database/sql"
	"slices"
	"testing"
	"time"

	"kairos/reader"
)

// What is marked after a while costs few requests more, also if it is much and the server has cleaned up some of it.
func TestMarksAfterAWhileCostFewRequests(t *testing.T) {
	eachProtocolWith(t, 300, func(t *testing.T, s *fakeSeat) {
		all, err := s.store.Articles.IDs(t.Context(), reader.Query{View: reader.Unread})
		s.check(err)
		slices.Sort(all)
		mark := func(ids []int64, read bool, most int) {
			t.Helper()
			*s.clock = s.clock.Add(15 * time.Minute)
			s.write(func(tx *sql.Tx) error {
				_, err := reader.Mark(t.Context(), tx, ids, reader.FlagRead, read)
				return err
			})
			before := s.server.Requests()
			_, err := s.engine.Send(t.Context(), s.account)
			s.check(err)
			n := s.server.Requests() - before
			t.Logf("%d marked %t: %d requests", len(ids), read, n)
			if n > most {
				t.Errorf("%d requests for %d marks, want at most %d", n, len(ids), most)
			}
		}
		mark(all[:1], true, 3)
		mark(all[:1], false, 4)
		mark(all[1:], true, 6)
		s.write(func(tx *sql.Tx) error {
			_, err := tx.ExecContext(t.Context(), "UPDATE status SET key = '99999999' WHERE id = ?", all[1])
			return err
		})
		mark(all[1:], false, 60)
	})
}
