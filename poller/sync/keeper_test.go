package sync

import (
	"context"
	"database/sql"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"kairos/reader"
)

// watch is a keeper of a device, in a bubble whose time passes only while everything rests.
type watch struct {
	*scene
	keeper *Keeper
}

func keeping(t *testing.T, f func(w *watch)) {
	synctest.Test(t, func(t *testing.T) {
		w := &watch{scene: &scene{T: t}}
		w.model = newModel(1, time.Now, false)
		w.model.subscribe(modelAddress(0), "Zero", "News")
		w.post(modelAddress(0))
		w.d = openDevice(t, "d", t.TempDir(), w.model, rand.New(rand.NewPCG(1, 1)), time.Now)
		if _, err := w.d.engine.Sync(t.Context(), w.d.account, false); err != nil {
			t.Fatal(err)
		}
		w.requests = nil
		w.keeper = NewKeeper(w.d.engine)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); w.keeper.Run(ctx) }()
		f(w)
		stop()
		<-ended
		w.d.store.Close()
	})
}

// pass lets time pass and returns the requests that were sent since it was called last.
func (w *watch) pass(d time.Duration) (sent []string) {
	<-time.After(d)
	synctest.Wait()
	w.model.mu.Lock()
	defer w.model.mu.Unlock()
	sent, w.requests = w.requests, nil
	return sent
}

// fail makes every request fail; nil: none any more.
func (w *watch) fail(err *Error) {
	w.model.mu.Lock()
	defer w.model.mu.Unlock()
	w.fault = nil
	if err != nil {
		w.fault = func(string) error { return err }
	}
}

func (w *watch) expect(what string, got []string, some bool) {
	w.Helper()
	if (len(got) > 0) != some {
		w.Errorf("%s: requests %v", what, got)
	}
}

func TestKeeperSendsMarksWithinSeconds(t *testing.T) {
	keeping(t, func(w *watch) {
		w.pass(10 * time.Second)
		w.mark(0, reader.FlagRead, true)
		w.expect("right after a mark", w.pass(sendAfter/2), false)
		if got := w.pass(sendAfter); !slices.Equal(got, []string{"read"}) {
			t.Errorf("after a mark: %v", got)
		}
		w.expect("when it is sent", w.pass(time.Minute), false)
	})
}

// When accounts are synced is for the poller's plan to say.
func TestKeeperSendsNothingElse(t *testing.T) {
	keeping(t, func(w *watch) {
		w.expect("without marks", w.pass(24*time.Hour), false)
	})
}

func TestKeeperWaitsAfterFailures(t *testing.T) {
	keeping(t, func(w *watch) {
		w.pass(10 * time.Second)
		w.fail(&Error{Code: Faulty, Status: 500})
		w.mark(0, reader.FlagStarred, true)
		w.expect("failing", w.pass(10*time.Second), true)
		if got := w.pass(time.Hour); len(got) < 3 || len(got) > 8 {
			t.Errorf("an hour of failures has %d requests", len(got))
		}
		w.fail(nil)
		if got := w.pass(2 * time.Hour); !slices.Contains(got, "star") {
			t.Errorf("afterwards: %v", got)
		}
	})
}

func TestKeeperTriesAgainWhenTheNetworkIsBack(t *testing.T) {
	keeping(t, func(w *watch) {
		w.pass(10 * time.Second)
		w.fail(&Error{Code: Unreachable})
		w.mark(0, reader.FlagRead, true)
		w.pass(24 * time.Hour)
		w.expect("off line", w.pass(time.Minute), false)
		w.fail(nil)
		w.keeper.Connected()
		if got := w.pass(time.Second); !slices.Contains(got, "read") {
			t.Errorf("back on line: %v", got)
		}
	})
}

func TestKeeperLeavesPausedAccountsAlone(t *testing.T) {
	keeping(t, func(w *watch) {
		w.pass(10 * time.Second)
		w.pause(true)
		w.mark(0, reader.FlagRead, true)
		w.expect("paused", w.pass(10*time.Hour), false)
		w.pause(false)
		w.keeper.Changed()
		w.expect("resumed", w.pass(2*sendAfter), true)
	})
}

func (w *watch) pause(paused bool) {
	w.write(func(tx *sql.Tx) error {
		a, err := reader.GetAccount(w.Context(), tx, w.d.account)
		if err != nil {
			return err
		}
		a.Paused = paused
		return reader.UpdateAccount(w.Context(), tx, a)
	})
}
