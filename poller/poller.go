// Package poller decides when to fetch feeds, and fetches them politely: it carries out
// the plan of poller/schedule within a daily budget, and stores what the feeds bring
// together with its own state. This file is its public face, with subscribe.go.
package poller

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"kairos/poller/dispatch"
	"kairos/poller/fetch"
	"kairos/poller/icons"
	"kairos/poller/plan"
	"kairos/poller/schedule"
	"kairos/reader"
	"kairos/reader/picture"
	"kairos/useraccess"
	"kairos/useraccess/rate"
)

// Secrets returns the user and password of a feed that needs a login.
type Secrets func(ctx context.Context, feed int64) (user, password string, err error)

// Options are what a Poller needs from outside. Zero values get defaults.
type Options struct {
	Version  string
	Website  string
	Now      func() time.Time
	Secrets  Secrets
	Client   *fetch.Client
	Logger   *slog.Logger
	Accounts Accounts // nil: there are none
	Parallel int      // fetches in flight
	Icons    bool     // fetch the icons of sites, at most once a month
	Gentle   bool     // leave a processor to a window

	Prepare Preparing // brings articles before they are read

	// Learning reports whether the user's habits may be learned; nil: always.
	Learning func(ctx context.Context) (bool, error)

	// Realized tells what was realized in the last days, by which the budget of a goal is adjusted; nil: nothing is
	// known of that.
	Realized func(ctx context.Context, days int) (Realized, error)

	// After calls f in d, for tests that drive the clock; nil means time.AfterFunc.
	After func(d time.Duration, f func())
}

// Poller fetches feeds. Its methods are safe for concurrent use.
type Poller struct {
	*env
	queue     *dispatch.Queue
	signals   *signals
	network   *network
	hosts     *hosts
	activity  *activity
	failure   *storeFailure
	requests  *requests
	documents *documents
	jobs      *jobs
	budget    *budget
	goal      *goalKeeper
	planner   *planner
	media     *media
	older     *olderPages
	loop      *loop
}

// New returns a poller over store that learns from log.
func New(store *reader.Store, log *useraccess.Log, o Options) *Poller {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Client == nil {
		o.Client = fetch.New(fetch.Options{Version: o.Version, Website: o.Website, Now: o.Now})
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Secrets == nil {
		o.Secrets = func(context.Context, int64) (string, string, error) { return "", "", nil }
	}
	if o.Learning == nil {
		o.Learning = func(context.Context) (bool, error) { return true, nil }
	}
	if o.Parallel == 0 {
		o.Parallel = 32
	}
	gc := newCollector()
	o.Client.Memory().OnPressure(gc.press)
	p := &Poller{
		env:     &env{records: records{store: store, db: store.Prepared()}, client: o.Client, now: o.Now, logger: o.Logger},
		signals: newSignals(), network: &network{}, failure: &storeFailure{},
	}
	p.queue = dispatch.New(dispatch.Options{Slots: o.Parallel, Spacing: p.spacing, Now: o.Now, After: o.After, Crowded: gc.crowded})
	p.hosts = &hosts{env: p.env}
	p.activity = &activity{signals: p.signals}
	p.requests = &requests{env: p.env, queue: p.queue, signals: p.signals, network: p.network, activity: p.activity}
	p.documents = newDocuments(o.Gentle, o.Client.Memory())
	p.jobs = &jobs{env: p.env, queue: p.queue, signals: p.signals, network: p.network, activity: p.activity, requests: p.requests,
		documents: p.documents, hosts: p.hosts, failure: p.failure, secrets: o.Secrets, accounts: o.Accounts, log: log, learning: o.Learning, running: map[int64]*call{},
		spending: map[int64]float64{}, failing: map[int64]serverFailure{}}
	p.jobs.mentions = &mentions{signals: p.signals}
	p.jobs.outages = &outages{env: p.env, signals: p.signals, jobs: p.jobs, network: p.network, stale: true}
	p.budget = &budget{env: p.env, signals: p.signals, jobs: p.jobs}
	awake := &awakeLog{log: log, network: p.network, learning: o.Learning}
	newPlanner := func() *planner {
		return &planner{env: p.env, log: log, awake: awake, signals: p.signals, activity: p.activity, network: p.network,
			jobs: p.jobs, budget: p.budget, scheduler: schedule.New(rules), row: newDueRow()}
	}
	p.planner = newPlanner()
	p.goal = &goalKeeper{env: p.env, planner: p.planner, budget: p.budget, signals: p.signals, realized: o.Realized}
	p.media = &media{env: p.env, requests: p.requests, hosts: p.hosts, memory: p.documents.memory}
	p.older = &olderPages{env: p.env, queue: p.queue, requests: p.requests, documents: p.documents, hosts: p.hosts, network: p.network, signals: p.signals,
		secrets: o.Secrets, allowed: p.olderAllowed, running: map[int64]bool{}}
	p.jobs.older = p.older
	p.jobs.robots = &robots{env: p.env, requests: p.requests, hosts: p.hosts, known: map[string]robotsRules{}}
	p.loop = &loop{env: p.env, queue: p.queue, signals: p.signals, network: p.network, hosts: p.hosts, activity: p.activity,
		failure: p.failure, jobs: p.jobs, budget: p.budget, goal: p.goal, planner: p.planner,
		servers: &servers{env: p.env, newPlanner: newPlanner}, awake: awake, outages: p.jobs.outages, older: p.older}
	if o.Icons {
		p.loop.icons = p.newIcons()
	}
	if o.Prepare.Album != nil {
		p.loop.preparer = p.newPreparer(o.Prepare)
	}
	return p
}

// Run carries the plan out until ctx ends, then waits for the fetches in flight.
func (p *Poller) Run(ctx context.Context) error { return p.loop.run(ctx) }

// Settle waits for the fetches in flight and brings the plan up to date if something
// changed it, for a process that does not run the loop. The plan is left to the next
// process if ctx ends.
func (p *Poller) Settle(ctx context.Context) error {
	p.queue.Wait()
	if !p.signals.hasChanged() || ctx.Err() != nil {
		return nil
	}
	if err := p.planner.replan(ctx, p.now(), ""); ctx.Err() == nil {
		return err
	}
	return nil
}

// OnOutcome calls f with every outcome, from the goroutine that fetched, until the
// returned function is called. f must be quick.
func (p *Poller) OnOutcome(f func(Outcome)) (stop func()) {
	return p.jobs.outcomes.add(func(o Outcome) {
		if !o.wasNotSent() {
			f(o)
		}
	})
}

// OnNotice calls f with the new articles that the user's rules notify of, once they are
// stored, from the goroutine that fetched, until the returned function is called. f must
// be quick.
func (p *Poller) OnNotice(f func(reader.Notice)) (stop func()) { return p.jobs.notices.add(f) }

// OnActivity calls f with what the loop does as it does it, and with what it waits for,
// until the returned function is called. Outcomes come by OnOutcome. f must be quick.
func (p *Poller) OnActivity(f func(Activity)) (stop func()) { return p.activity.follow(f) }

// Changed tells that feeds, the budget or what was learned have changed: the plan is made
// again and the loop looks at it at once.
func (p *Poller) Changed() { p.signals.feedsChanged() }

// Replaced tells that the whole store holds something else than before: what a backup
// held. What servers asked for in the meantime stands, and is stored again.
func (p *Poller) Replaced() {
	p.planner.scheduler.Forget()
	p.loop.servers.forget()
	p.hosts.replaced()
	p.signals.forgetBursts()
	p.Changed()
}

// Accessed tells that the user has come: accesses come in clusters, so the coming hours
// look different now and are replanned. How the budget is split stays.
func (p *Poller) Accessed() { p.signals.userCame() }

// Opened tells that the window was opened: what is worth more than the price now that it
// is in use is fetched, and accounts are synchronized.
func (p *Poller) Opened() {
	p.signals.windowOpened()
	p.signals.windowEntered(p.now())
}

// Returned tells that the user has come back to the window after a moment elsewhere: accounts are synchronized.
func (p *Poller) Returned() { p.signals.windowEntered(p.now()) }

// NoteSign notes a sign that the user may be about to come: it is logged, unless learning is off, and if such signs foretell
// visits, what is worth it is fetched before the next one. Signs of a kind that come in a swarm are one.
func (p *Poller) NoteSign(ctx context.Context, kind rate.Sign) error {
	learning, err := p.planner.awake.learning(ctx)
	if err != nil || !learning {
		return err
	}
	now := p.now()
	added, err := p.planner.log.RecordSign(ctx, kind, now)
	if err != nil || !added {
		return err
	}
	f, err := p.planner.log.Foretelling(ctx, now)
	if err != nil {
		return fmt.Errorf("read what a sign foretells: %w", err)
	}
	if f.Chance >= schedule.TellingSign && f.Sign.At.Unix() == now.Unix() {
		p.signals.visitForetold()
	}
	return nil
}

// SetPowerState tells the power and network state of the machine: the automatic battery saver
// follows it, and without a network nothing is tried. When the network is back one probe is
// sent at once.
func (p *Poller) SetPowerState(s PowerState) {
	now := p.now()
	before := p.budget.setPower(s)
	if s.NoNetwork != before.NoNetwork {
		p.network.setPlugged(!s.NoNetwork, now)
	}
	if s != before {
		p.Changed()
	}
}

// ErrOfAccount says that a feed is not fetched here but synced with a server.
var ErrOfAccount = errors.New("the feed is of an account")

// Fetch fetches these feeds now by the user's hand, or every feed that is fetched here if
// none are named, and returns their outcomes in the order the answers came. each, if not
// nil, is called with every one as it comes, from the caller's goroutine. When ctx ends it
// returns what came until then and ctx's error. Errors: reader.ErrUnknown, ErrOfAccount.
func (p *Poller) Fetch(ctx context.Context, ids []int64, each func(Outcome)) ([]Outcome, error) {
	if err := p.hosts.restore(ctx); err != nil {
		return nil, err
	}
	feeds, err := p.choose(ctx, ids)
	if err != nil {
		return nil, err
	}
	subjects, err := p.subjectsOf(ctx, feeds)
	if err != nil {
		return nil, err
	}
	all := make([]job, len(subjects))
	for i, s := range subjects {
		all[i] = job{subject: s, code: Manual}
	}
	return p.jobs.runAll(ctx, all, each), ctx.Err()
}

func (p *Poller) choose(ctx context.Context, ids []int64) ([]reader.Feed, error) {
	if len(ids) == 0 {
		return p.activeFeeds(ctx)
	}
	var feeds []reader.Feed
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			continue
		}
		f, err := p.store.Feeds.Get(ctx, id)
		if err == nil && f.Account != 0 {
			err = ErrOfAccount
		}
		if err != nil {
			return nil, fmt.Errorf("feed %d: %w", id, err)
		}
		feeds = append(feeds, f)
	}
	return feeds, nil
}

// Pictures returns what gets the pictures of an article of a feed while it is shown. Such
// requests do not wait for those of feeds, nor those for them; they keep to Retry-After,
// lead into this machine's network only for a feed that is there itself, and are in the
// ledger but not paid for by the budget.
func (p *Poller) Pictures(feed int64) picture.Get { return p.media.pictures(feed) }

// Page gets the page of an article of a feed, for its full text: the body, its content
// type by HTTP, and the address that answered. Like Pictures otherwise. Errors:
// *fetch.Error, the context's.
func (p *Poller) Page(ctx context.Context, feed int64, address string) (body []byte, contentType, from string, err error) {
	return p.media.page(ctx, feed, address)
}

// Download writes the file at an address that an article of a feed names to to, by the
// user's hand. Like Pictures otherwise. Errors: *fetch.Error, the context's.
func (p *Poller) Download(ctx context.Context, feed int64, address string, to io.Writer, progress *Progress) error {
	return p.media.download(ctx, feed, File, address, to, progress)
}

// NoNetwork reports whether there is no network, as the system reports or as requests fail.
func (p *Poller) NoNetwork() bool { return p.network.isMissing() }

// Icons returns the icons of feeds.
func (p *Poller) Icons() *icons.Store { return icons.NewStore(p.store) }

// States returns what is known of every feed, by feed. A feed never tried has no entry, nor has one of an account whose server does
// not tell how it fares.
func (p *Poller) States(ctx context.Context) (map[int64]State, error) {
	states, err := p.states(ctx, "")
	if err != nil {
		return nil, err
	}
	return states, p.addThere(ctx, states)
}

// Ledger returns the lines of one feed, or of all if feed is 0, newest first.
func (p *Poller) Ledger(ctx context.Context, feed int64, limit int) ([]Outcome, error) {
	return p.ledger(ctx, feed, limit)
}

// Instants returns what is planned, in order of time. What has come stays until it is
// done.
func (p *Poller) Instants(ctx context.Context) ([]Instant, error) { return p.instants(ctx) }

// Titles returns the titles of what this computer polls, feeds and accounts, by what instants name it with.
func (p *Poller) Titles(ctx context.Context) (map[int64]string, error) {
	rows, err := p.db.Rows(ctx, "SELECT id, title FROM "+polled)
	if err != nil {
		return nil, fmt.Errorf("read what is polled: %w", err)
	}
	defer rows.Close()
	titles := map[int64]string{}
	for rows.Next() {
		var id int64
		var title string
		if err := rows.Scan(&id, &title); err != nil {
			return nil, fmt.Errorf("read what is polled: %w", err)
		}
		titles[id] = title
	}
	return titles, rows.Err()
}

// Plan makes the plan as it would be now under a method, without storing it.
func (p *Poller) Plan(ctx context.Context, method plan.Method) (*Plan, error) {
	return p.planner.preview(ctx, method)
}

// Method is the one the plan in force is made with.
func (p *Poller) Method(ctx context.Context) (plan.Method, error) { return p.planner.method(ctx) }

// SetMethod sets it, to one of Methods.
func (p *Poller) SetMethod(ctx context.Context, m plan.Method) error {
	return p.planner.setMethod(ctx, m)
}

// Budget reads the budget that is set.
func (p *Poller) Budget(ctx context.Context) (Budget, error) {
	b, _, err := p.budget.read(ctx)
	return b, err
}

// SetBudget sets the normal budget: Fresh, Balanced or a whole number ≥ 0.
func (p *Poller) SetBudget(ctx context.Context, normal string) error {
	return p.budget.set(ctx, normal)
}

// SetGoal sets a goal in place of a normal budget, and finds the budget that keeps it. Errors: ErrGoal.
func (p *Poller) SetGoal(ctx context.Context, g Goal) error { return p.goal.set(ctx, g) }

// LeaveGoal sets the budget again that was set before the goal; without a goal it does nothing.
func (p *Poller) LeaveGoal(ctx context.Context) error { return p.goal.leave(ctx) }

// SetSaver sets battery saver.
func (p *Poller) SetSaver(ctx context.Context, s Saver) error { return p.budget.setSaver(ctx, s) }

// Spent is how many background fetches there were in the 24 hours before an instant, those
// in flight included, and how many there may be a day.
func (p *Poller) Spent(ctx context.Context, at time.Time) (spent, perDay int, err error) {
	if spent, err = p.budget.spent(ctx, at); err != nil {
		return 0, 0, err
	}
	perDay, err = p.budget.perDay(ctx)
	return spent, perDay, err
}

// ForgetForeseen deletes which visits plans were made for: the log of visits was cleared.
func (p *Poller) ForgetForeseen(ctx context.Context) error {
	err := p.store.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM foreseen")
		return err
	})
	if err != nil {
		return fmt.Errorf("forget which visits were foreseen: %w", err)
	}
	return nil
}
