package poller

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"kairos/poller/schedule"
	"kairos/poller/sync"
	"kairos/reader"
	"kairos/reader/parse"
)

// accountWorld is a world with an account. Its server has one feed, which posts every so often, and has fetched at once what is
// posted.
type accountWorld struct {
	*world
	account, subject int64 // the account, and as what is polled
	feed             int64 // of the account
	every            time.Duration
	upTo             time.Time // what was posted before has been got
	fault            error     // of every synchronization
	notBefore        time.Time
	syncs            atomic.Int32
	notices          []reader.Notice
	elsewhere        int
	read             []sync.ReadThere
	markedAt         []time.Time
	refreshed        map[string][]time.Time // by the server's id of the feed
	refuse           func(feed string) error
	health           map[int64]sync.FeedHealth
}

func newAccountWorld(t *testing.T, every time.Duration) *accountWorld {
	t.Helper()
	w := &accountWorld{world: &world{t: t, space: -1, icons: true}, every: every, upTo: monday.Add(-30 * day)}
	if every < time.Hour/3 {
		w.upTo = monday.Add(-day)
	}
	w.world.syncs = w
	w.begin()
	w.write(func(tx *sql.Tx) (err error) {
		w.account, err = reader.AddAccount(t.Context(), tx, reader.Account{Kind: "test", Name: "Mine", URL: w.web.address("/"), User: "ann"}, monday)
		if err == nil {
			w.feed, err = reader.AddServerFeed(t.Context(), tx, w.account, "1", reader.Feed{URL: w.web.address("/there"), Title: "There"}, monday)
		}
		return err
	})
	w.subject = int64(w.number("SELECT id FROM subject WHERE account = ?", w.account))
	w.Changed()
	return w
}

func (w *accountWorld) accountState() State {
	w.t.Helper()
	s, err := w.state(w.t.Context(), w.subject)
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// Sync implements Accounts.
func (w *accountWorld) Sync(ctx context.Context, account int64, _ bool) (r sync.Result, err error) {
	w.syncs.Add(1)
	r.Requests, r.NotBefore, r.Notices, r.Elsewhere, r.MarkedAt, r.Read = 3, w.notBefore, w.notices, w.elsewhere, w.markedAt, w.read
	if w.fault != nil {
		return r, w.fault
	}
	now := w.clock.Now()
	var articles []reader.ServerArticle
	for at := now.Truncate(w.every); at.After(w.upTo); at = at.Add(-w.every) {
		articles = append(articles, reader.ServerArticle{Article: parse.Article{Key: fmt.Sprint(at.Unix()), Title: at.String(), Published: at}})
	}
	w.upTo = now
	return r, w.store.Write(ctx, func(tx *sql.Tx) error {
		c, err := reader.StoreServerArticles(ctx, tx, account, w.feed, articles, now)
		r.New, r.Unread = c.New, c.Unread
		return err
	})
}

// Refresh implements Accounts.
func (w *accountWorld) Refresh(_ context.Context, _ int64, feed string) error {
	if w.refreshed == nil {
		w.refreshed = map[string][]time.Time{}
	}
	w.refreshed[feed] = append(w.refreshed[feed], w.clock.Now())
	if w.refuse != nil {
		return w.refuse(feed)
	}
	return nil
}

// FeedHealth implements Accounts.
func (w *accountWorld) FeedHealth(context.Context) (map[int64]sync.FeedHealth, error) {
	return maps.Clone(w.health), nil
}

// reads lets the user come at these hours of every day.
func (w *accountWorld) reads(days int, hours ...int) {
	w.t.Helper()
	var times []time.Time
	for d := range days {
		for _, h := range hours {
			times = append(times, monday.Truncate(day).AddDate(0, 0, -d-1).Add(time.Duration(h)*time.Hour))
		}
	}
	if _, err := w.planner.log.Import(w.t.Context(), times, w.clock.Now()); err != nil {
		w.t.Fatal(err)
	}
	w.Changed()
}

// The feeds of an account are its server's business: they are not fetched, planned, probed or paid for here. Only the account is.
func TestAccountFeedsAreLeftAlone(t *testing.T) {
	w := newAccountWorld(t, 2*time.Hour)
	w.web.posting("/local", time.Hour)
	w.web.posting("/there", time.Hour)
	local := w.subscribePaths("/local")[0]
	w.live(12 * time.Hour)
	known := func(subject int64) bool { return subject == w.subjectOf(local.ID) || subject == w.subject }
	for _, o := range w.outcomes() {
		if o.Feed != local.ID && o.Account != w.account || (o.Account != 0) == (o.Feed != 0) {
			t.Errorf("%s of feed %d, account %d", o.Reason, o.Feed, o.Account)
		}
	}
	for _, i := range w.instants() {
		if !known(i.Feed) {
			t.Errorf("an instant of feed %d", i.Feed)
		}
	}
	for _, f := range w.plan().Feeds {
		if !known(f.FeedPlan.Feed.ID) || f.Feed.ID != local.ID && f.Account != w.account {
			t.Errorf("a plan for feed %d, account %d", f.Feed.ID, f.Account)
		}
	}
	if outcomes := w.byHand(); len(outcomes) != 1 || outcomes[0].Feed != local.ID {
		t.Errorf("by hand: %+v", outcomes)
	}
	if _, err := w.Fetch(t.Context(), []int64{w.feed}, nil); !errors.Is(err, ErrOfAccount) {
		t.Errorf("by its id: %v", err)
	}
	if _, feeds, err := w.budget.read(t.Context()); err != nil || feeds != 1+rules.AccountRequests {
		t.Errorf("the budget is for %d feeds, %v", feeds, err)
	}
	for _, list := range [][]reader.Feed{must(w.store.Feeds.List(t.Context()))(t)} {
		if len(list) != 2 || slices.ContainsFunc(list, func(f reader.Feed) bool { return f.ID <= 0 }) {
			t.Errorf("the list of feeds is %+v", list)
		}
	}
}

func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// An account is synced at once, and then by the plan: before its reader comes, within the budget, whose requests are counted.
func TestAccountIsPlanned(t *testing.T) {
	w := newAccountWorld(t, 20*time.Minute)
	w.reads(28, 8, 20)
	w.live(5 * time.Minute)
	if o := w.outcomes(); len(o) != 1 || o[0].Reason != First || o[0].New < 1000 || o[0].Result != Stored {
		t.Fatalf("at first: %+v", o)
	}
	state := w.accountState()
	if perHour := postsPerHour(state); perHour < 2 || perHour > 4 {
		t.Errorf("it is believed to post %.1f an hour", perHour)
	}
	w.live(2 * day) // the first days also spend what was there at the start
	w.outcomes()
	const days = 5
	w.live(days * day)
	requests, before := 0, 0
	for _, o := range w.outcomes() {
		if o.Account != w.account || o.Requests != 3 || !o.Reason.Background() {
			t.Errorf("%+v", o)
		}
		requests += o.Requests
		if h := o.At.Hour(); h == 7 || h == 19 {
			before++
		}
	}
	if most := 8 * 3 * (days + 2); requests > most || requests < most/4 {
		t.Errorf("%d requests in %d days", requests, days)
	}
	if before < 2*days {
		t.Errorf("%d synchronizations in the hour before somebody comes", before)
	}
	spent, perDay, err := w.Spent(t.Context(), w.clock.Now())
	if err != nil || perDay != 24 || spent == 0 || spent%3 != 0 {
		t.Errorf("%d of %d spent, %v", spent, perDay, err)
	}
	if s := must(w.Status(t.Context()))(t); s.Spent != spent || s.NextFeed != "Mine" {
		t.Errorf("the status tells %d, and %q is next", s.Spent, s.NextFeed)
	}
	lines := must(w.Ledger(t.Context(), 0, 1))(t)
	if len(lines) != 1 || lines[0].Account != w.account || lines[0].Requests != 3 {
		t.Errorf("the ledger has %+v", lines)
	}
}

// Battery saver, a budget of nothing and a paused account hold for accounts, too.
func TestAccountIsSpared(t *testing.T) {
	w := newAccountWorld(t, 20*time.Minute)
	w.live(day)
	perDay := func(d time.Duration) float64 {
		before := w.syncs.Load()
		w.live(d)
		return float64(w.syncs.Load()-before) / (d.Hours() / 24)
	}
	usual := perDay(4 * day)
	if err := w.SetSaver(t.Context(), SaverOn); err != nil {
		t.Fatal(err)
	}
	w.live(2 * day)
	if saving := perDay(4 * day); saving > 3 || saving > usual/2 {
		t.Errorf("%.1f a day with battery saver, %.1f without", saving, usual)
	}
	w.setBudget("0")
	if n := perDay(day); n != 0 {
		t.Errorf("%.1f a day without a budget", n)
	}
	w.setBudget(Fresh)
	w.write(func(tx *sql.Tx) error {
		return reader.UpdateAccount(t.Context(), tx, reader.Account{ID: w.account, Name: "Mine", Paused: true})
	})
	w.Changed()
	if n := perDay(day); n != 0 {
		t.Errorf("%.1f a day while it is paused", n)
	}
}

// Accounts are synchronized when the window is opened, and every few minutes while it is in use, whatever the plan has left to spend.
func TestAccountIsSyncedWhileTheWindowIsInUse(t *testing.T) {
	w := newAccountWorld(t, time.Hour)
	w.live(day)
	inUse := func(minutes int) (at []time.Time) {
		w.outcomes()
		for range minutes {
			w.clock.add(time.Minute)
			w.Used()
			w.settled()
		}
		for _, o := range w.outcomes() {
			if o.Reason.Background() {
				t.Errorf("at %s: %s", o.At, o.Reason)
			}
			at = append(at, o.At)
		}
		for i := range at[:max(0, len(at)-1)] {
			if gap := at[i+1].Sub(at[i]); gap < rules.AccountGap {
				t.Errorf("two synchronizations within %s", gap)
			}
		}
		return at
	}
	w.exec("DELETE FROM agenda")
	w.exec("UPDATE bucket SET days = 0")
	w.clock.add(rules.AccountGap + time.Minute)
	w.outcomes()
	w.Opened()
	w.settled()
	if o := w.outcomes(); len(o) != 1 || o[0].Reason != InUse {
		t.Fatalf("after the window was opened: %+v", o)
	}
	if at := inUse(30); len(at) < 5 || len(at) > 6 {
		t.Errorf("synchronized in half an hour at the window: %v", at)
	}
	w.clock.add(2 * time.Minute)
	w.outcomes()
	w.Returned()
	w.settled()
	if o := w.outcomes(); len(o) != 1 || o[0].Reason != InUse {
		t.Errorf("after the user came back: %+v", o)
	}
	w.Returned()
	w.settled()
	if o := w.outcomes(); len(o) != 0 {
		t.Errorf("at once again: %+v", o)
	}
	if err := w.SetSaver(t.Context(), SaverOn); err != nil {
		t.Fatal(err)
	}
	w.exec("UPDATE bucket SET days = 0")
	if at := inUse(60); len(at) < 3 || len(at) > 4 {
		t.Errorf("synchronized in an hour with battery saver: %v", at)
	}
	w.clock.add(inUseFor + time.Minute)
	w.settled()
	w.setBudget("0")
	if at := inUse(20); len(at) != 0 {
		t.Errorf("synchronized though fetching is paused: %v", at)
	}
}

// A server that fails is left alone as long as the engine says, one that cannot be reached for want of a network is not blamed.
func TestAccountFails(t *testing.T) {
	w := newAccountWorld(t, time.Hour)
	w.live(time.Hour)
	w.outcomes()
	w.fault, w.notBefore = &sync.Error{Code: sync.Busy, Host: "rss.test", Status: 429, RetryAfter: 5 * time.Hour}, w.clock.Now().Add(5*time.Hour)
	before := w.syncs.Load()
	_, err := w.byHandAccount()
	if fault := new(sync.Error); !errors.As(err, &fault) || fault.Code != sync.Busy {
		t.Errorf("by hand: %v", err)
	}
	w.live(4*time.Hour + 50*time.Minute)
	if n := w.syncs.Load() - before; n != 1 {
		t.Errorf("it was asked %d times", n)
	}
	s := w.accountState()
	if s.Failures != 1 || s.Message.Code != NotSynced || s.Message.Sync.RetryAfter != 5*time.Hour {
		t.Errorf("its state is %+v", s)
	}
	w.fault, w.notBefore = nil, time.Time{}
	w.outcomes()
	w.live(time.Hour)
	if o := w.outcomes(); len(o) == 0 || o[0].Reason != Retry || w.accountState().Failures != 0 {
		t.Errorf("afterwards: %+v", o)
	}
}

// byHandAccount syncs the account by hand.
func (w *accountWorld) byHandAccount() (sync.Result, error) {
	type answer struct {
		r   sync.Result
		err error
	}
	done := make(chan answer, 1)
	go func() {
		r, err := w.Poller.Sync(w.t.Context(), w.account)
		done <- answer{r, err}
	}()
	for {
		select {
		case a := <-done:
			return a.r, a.err
		default:
			w.drain()
		}
	}
}

// An account that is restored after it was removed is synced again by its plan.
func TestRestoredAccount(t *testing.T) {
	w := newAccountWorld(t, time.Hour)
	w.live(2 * time.Hour)
	w.write(func(tx *sql.Tx) error { return reader.RemoveAccount(t.Context(), tx, w.account, false, w.now()) })
	w.Changed()
	w.outcomes()
	w.live(day)
	if o := w.outcomes(); len(o) > 0 {
		t.Errorf("while it is removed: %+v", o)
	}
	w.write(func(tx *sql.Tx) error { return reader.RestoreAccount(t.Context(), tx, w.account) })
	w.Changed()
	w.live(day)
	if o := w.outcomes(); len(o) == 0 || o[0].Account != w.account {
		t.Errorf("restored: %+v", o)
	}
}

// The user's rules notify of synchronized articles, too; an account that is removed while it syncs leaves nothing.
func TestAccountNoticesAndRemoval(t *testing.T) {
	w := newAccountWorld(t, time.Hour)
	w.notices = []reader.Notice{{Feed: w.feed}}
	var told []reader.Notice
	defer w.OnNotice(func(n reader.Notice) { told = append(told, n) })()
	if r, err := w.byHandAccount(); err != nil || r.New == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	if len(told) != 1 || told[0].Feed != w.feed {
		t.Errorf("told about %+v", told)
	}
	w.fault = reader.ErrUnknown
	w.write(func(tx *sql.Tx) error { return reader.RemoveAccount(t.Context(), tx, w.account, false, monday) })
	w.Changed()
	w.live(time.Hour)
	if _, err := w.byHandAccount(); !errors.Is(err, reader.ErrUnknown) {
		t.Errorf("by hand: %v", err)
	}
	if n := w.number("SELECT (SELECT count(*) FROM agenda) + (SELECT count(*) FROM poll) + (SELECT count(*) FROM subject WHERE feed IS NULL)"); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}

// What was read on other devices is an access of the person, if learning is on.
func TestAccountTellsOfAccessesElsewhere(t *testing.T) {
	w := newAccountWorld(t, time.Hour)
	w.elsewhere = 3
	known := func() (n int) { return must(w.planner.log.Known(t.Context()))(t) }
	sync := func() {
		t.Helper()
		if _, err := w.byHandAccount(); err != nil {
			t.Fatal(err)
		}
		w.settled()
	}
	sync()
	if n := known(); n != 0 {
		t.Errorf("%d accesses of some time in the past", n)
	}
	w.clock.add(time.Hour)
	sync()
	if n := known(); n != 1 {
		t.Errorf("%d accesses since the last synchronization", n)
	}
	w.clock.add(time.Hour)
	now := w.clock.Now()
	w.markedAt = []time.Time{now.Add(-50 * time.Minute), now.Add(-48 * time.Minute), now.Add(-10 * time.Minute)}
	sync()
	log := must(w.planner.log.List(t.Context()))(t)
	if len(log) != 3 || !log[2].At.Equal(now.Add(-10*time.Minute)) || !log[2].Elsewhere {
		t.Errorf("%+v", log)
	}
}

// What was read on other devices tells what its reader is interested in, unless it was marked in bulk.
func TestAccountTellsWhatWasReadElsewhere(t *testing.T) {
	w := newAccountWorld(t, time.Hour)
	again := func() {
		t.Helper()
		if _, err := w.byHandAccount(); err != nil {
			t.Fatal(err)
		}
		w.settled()
	}
	again()
	keys := func(n int) (read []sync.ReadThere) {
		for k := range n {
			read = append(read, sync.ReadThere{ID: fmt.Sprint(w.clock.Now().Truncate(time.Hour).Add(time.Duration(-k) * time.Hour).Unix())})
		}
		return read
	}
	expect := func(what string, read float64) {
		t.Helper()
		w.clock.add(time.Hour)
		again()
		if i := must(w.planner.log.Interest(t.Context(), w.feed))(t); math.Abs(i.Read-read) > 0.1 || i.Passed != 0 {
			t.Errorf("%s: %+v, want %v read", what, i, read)
		}
	}
	w.elsewhere, w.read = 50, keys(50)
	expect("fifty at once", 0)
	w.read = append(keys(3), sync.ReadThere{ID: "unheard of"})
	expect("three of some time, and one that is not there", 3)
	w.read = keys(30)
	for k := range w.read {
		w.read[k].At = w.clock.Now().Add(time.Duration(-k) * time.Minute)
	}
	expect("thirty one by one", 30)
	w.planner.jobs.learning = func(context.Context) (bool, error) { return false, nil }
	w.read = keys(40)[31:]
	expect("while learning is off", 30)
}

// Insights and forecasts are of feeds that are fetched here: whether the articles of an account are there depends on its server.
func TestAccountsAreNoPartOfForecasts(t *testing.T) {
	w := newAccountWorld(t, 10*time.Minute)
	w.reads(14, 8)
	w.live(day)
	if f := must(w.Forecast(t.Context()))(t); len(f.Curve) != 0 {
		t.Errorf("a forecast for an account alone: %+v", f)
	}
	w.web.posting("/local", 2*time.Hour)
	w.subscribePaths("/local")
	w.live(2 * day)
	f := must(w.Forecast(t.Context()))(t)
	if p := f.Curve.At(32); f.Feeds != 4 || p.Posts < 5 || p.Posts > 16 {
		t.Errorf("for %d feeds %+v", f.Feeds, p)
	}
	e := must(Expectations(t.Context(), w.store, monday.Add(-day)))(t)
	if len(e) == 0 || e[len(e)-1].Articles > 20 {
		t.Errorf("expected: %+v", e)
	}
	if schedule.Default().AccountRequests != 3 {
		t.Error("a synchronization takes another number of requests")
	}
}

// What its server says of a feed is told with the states of the feeds, and does not make it a feed of this computer.
func TestStatesTellWhatFailsThere(t *testing.T) {
	w := newAccountWorld(t, 2*time.Hour)
	since := monday.Add(-time.Hour)
	w.health = map[int64]sync.FeedHealth{w.feed: {Health: sync.Health{Checked: monday, Failures: 2, Message: "gone"}, Since: since}}
	w.live(time.Hour)
	states, err := w.States(t.Context())
	if s := states[w.feed]; err != nil || s.Failures != 2 || !s.Since.Equal(since) || s.Message.Code != ServerFailed || s.Message.Text != "gone" || s.There == nil {
		t.Errorf("%+v, %v", s, err)
	}
	snapshot, err := w.Snapshot(t.Context(), w.feed)
	if s := snapshot.States[w.feed]; err != nil || s.Failures != 2 || s.Fetched.IsZero() {
		t.Errorf("%+v, %v", s, err)
	}
	for _, o := range w.outcomes() {
		if o.Feed == w.feed {
			t.Errorf("it was fetched: %+v", o)
		}
	}
}

// What is planned and was done for an account is told by its name, and by none of a feed that has the same number.
func TestAccountIsNamedInThePlanAndTheLedger(t *testing.T) {
	w := newAccountWorld(t, 2*time.Hour)
	w.web.posting("/local", time.Hour)
	w.subscribePaths("/local")
	w.live(12 * time.Hour)
	titles, err := w.Titles(t.Context())
	if err != nil || titles[w.subject] != "Mine" || len(titles) != 2 {
		t.Errorf("%v, %v", titles, err)
	}
	lines, err := w.LedgerSince(t.Context(), 0, monday)
	if err != nil || !slices.ContainsFunc(lines, func(o Outcome) bool { return o.Account == w.account && o.Title == "Mine" }) {
		t.Errorf("%v, %v", lines, err)
	}
}
