package poller

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"kairos/reader"
)

// The feeds of an account are its server's business: they are not fetched, planned, probed or paid for here.
func TestAccountFeedsAreLeftAlone(t *testing.T) {
	w := newIconWorld(t)
	w.web.posting("/local", time.Hour)
	w.web.posting("/there", time.Hour)
	local := w.subscribePaths("/local")[0]
	var there int64
	w.write(func(tx *sql.Tx) error {
		account, err := reader.AddAccount(t.Context(), tx, reader.Account{Kind: "test", URL: w.web.address("/"), User: "ann"}, monday)
		if err == nil {
			there, err = reader.AddServerFeed(t.Context(), tx, account, "1", reader.Feed{URL: w.web.address("/there"), Title: "There"}, monday)
		}
		return err
	})
	w.Changed()
	w.live(12 * time.Hour)
	for _, o := range w.outcomes() {
		if o.Feed != local.ID {
			t.Errorf("%s of feed %d", o.Reason, o.Feed)
		}
	}
	for _, i := range w.instants() {
		if i.Feed != local.ID {
			t.Errorf("an instant of feed %d", i.Feed)
		}
	}
	for _, f := range w.plan().Feeds {
		if f.Feed.ID != local.ID {
			t.Errorf("a plan for feed %d", f.Feed.ID)
		}
	}
	if outcomes := w.byHand(); len(outcomes) != 1 || outcomes[0].Feed != local.ID {
		t.Errorf("by hand: %+v", outcomes)
	}
	if _, err := w.Fetch(t.Context(), []int64{there}, nil); !errors.Is(err, ErrOfAccount) {
		t.Errorf("by its id: %v", err)
	}
	if _, feeds, err := w.budget.read(t.Context()); err != nil || feeds != 1 {
		t.Errorf("the budget is for %d feeds, %v", feeds, err)
	}
	w.exec("UPDATE feed SET removed = 1 WHERE id = ?", local.ID)
	if need, err := w.planner.needNetwork(t.Context()); err != nil || need {
		t.Errorf("the network is needed: %t, %v", need, err)
	}
}
