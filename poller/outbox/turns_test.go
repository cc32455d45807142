package outbox

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

// A turn is waited for until it is given on, or the wait is canceled; servers do not wait for each other.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var turns Turns
		done, err := turns.Take(t.Context(), 1)
		if err != nil || !turns.Taken(1) || turns.Taken(2) {
			t.Fatalf("%v, taken: %v, %v", err, turns.Taken(1), turns.Taken(2))
		}
		if other, err := turns.Take(t.Context(), 2); err != nil {
			t.Error(err)
		} else {
			other()
		}
		canceled, cancel := context.WithCancel(t.Context())
		failed := make(chan error, 1)
		go func() {
			_, err := turns.Take(canceled, 1)
			failed <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		next := make(chan func(), 1)
		go func() {
			done, _ := turns.Take(t.Context(), 1)
			next <- done
		}()
		synctest.Wait()
		if len(next) > 0 {
			t.Error("two have the turn")
		}
		done()
		(<-next)()
		if turns.Taken(1) {
			t.Error("the turn was not given back")
		}
	})
}
