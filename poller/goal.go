package poller

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"kairos/poller/schedule"
)

// Goal is a promise in place of a number of fetches: the budget is the least that keeps it.
type Goal struct {
	Ready   float64       // share of the articles that are ready when the user comes; 0: Late is the goal
	Late    time.Duration // how late articles are at most, on average over all (schedule.Point.MeanLate)
	Ceiling int           // fetches a day that it may cost at most; 0: those of Fresh
}

// What a goal may ask.
const (
	leastReady, mostReady = 0.01, 0.999
	leastLate, mostLate   = time.Minute, 7 * day
)

// Errors of ParseGoal: ErrGoal says that a text is not a goal; ErrGoalUnit, which is one, that it is a number without a unit.
var (
	ErrGoal     = errors.New("not a goal")
	ErrGoalUnit = fmt.Errorf("%w: no unit", ErrGoal)
)

// ParseGoal reads "95%", or a mean lateness such as "10min" or "2h". Errors: ErrGoal; ErrGoalUnit, which is one.
func ParseGoal(text string) (g Goal, err error) {
	text = strings.ToLower(strings.ReplaceAll(text, " ", ""))
	if number, ok := strings.CutSuffix(text, "%"); ok {
		x, err := strconv.ParseFloat(strings.Replace(number, ",", ".", 1), 64)
		if g.Ready = roundShare(x / 100); err != nil || !(g.Ready >= leastReady && g.Ready <= mostReady) {
			return Goal{}, ErrGoal
		}
		return g, nil
	}
	if n, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64); err == nil && n > 0 {
		return Goal{}, ErrGoalUnit
	}
	text = strings.Replace(text, "min", "m", 1)
	if g.Late, err = time.ParseDuration(text); err != nil || g.Late < leastLate || g.Late > mostLate {
		return Goal{}, ErrGoal
	}
	return g, nil
}

// roundShare rounds a share to a hundredth of a per cent, so that what is written and read again is the same.
func roundShare(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// String is the text that ParseGoal reads, without the ceiling.
func (g Goal) String() string {
	switch {
	case g.Ready > 0:
		return strconv.FormatFloat(math.Round(g.Ready*1e4)/100, 'f', -1, 64) + "%"
	case g.Late%time.Hour == 0:
		return fmt.Sprintf("%dh", g.Late/time.Hour)
	}
	return fmt.Sprintf("%gmin", g.Late.Minutes())
}

// keeps reports whether a goal is kept.
func (g Goal) keeps(p schedule.Point) bool {
	if g.Ready > 0 {
		return p.Ready >= g.Ready
	}
	return p.MeanLate() <= g.Late
}

// NearlyKept reports whether a point keeps a goal as far as words tell it: to a point of a per cent, or a tenth of the lateness.
func (g Goal) NearlyKept(p schedule.Point) bool {
	p.Ready += 0.005
	p.Late -= p.Late / 10
	return g.keeps(p)
}

// Promise is a goal with the budget found for it.
type Promise struct {
	Goal     Goal
	PerFeed  float64       // fetches a feed a day
	Expected float64       // share of the articles ready with it
	Late     time.Duration // of those that are not ready
	Kept     bool          // the goal is within the ceiling; otherwise the budget is the ceiling
	At       time.Time     // when it was found

	// Worth is how much more or less than forecast the fetches of this user have brought: a factor of the budget.
	Worth float64
}

// goalPrefix begins a normal budget that is a goal: "goal 95%" or "goal 95% 500", the ceiling.
const goalPrefix = "goal "

// Goal returns the goal that is set; ok is false if a number is.
func (b Budget) Goal() (g Goal, ok bool) {
	text, ok := strings.CutPrefix(b.Normal, goalPrefix)
	if !ok {
		return g, false
	}
	text, ceiling, _ := strings.Cut(text, " ")
	g, err := ParseGoal(text)
	g.Ceiling, _ = strconv.Atoi(ceiling) //nolint:errcheck // 0: none is set
	return g, err == nil
}

// Uncorrected is the budget that the goal would take, a day in all, if fetches had brought what was forecast.
func (b Budget) Uncorrected(feeds int) int {
	if b.Promise.Worth > 0 {
		b.Promise.PerFeed *= b.Promise.Worth
	}
	return b.NormalPerDay(feeds)
}

// setting is the normal budget that asks for a goal.
func (g Goal) setting() string {
	if g.Ceiling > 0 {
		return fmt.Sprintf("%s%s %d", goalPrefix, g, g.Ceiling)
	}
	return goalPrefix + g.String()
}

const (
	settingPromise = "poller.promise"
	// settingBeforeGoal is the normal budget that was set before a goal.
	settingBeforeGoal = "poller.budget_before_goal"
	// adjustEvery is how often the budget of a goal is found again.
	adjustEvery = 7 * day
	// leastJudged is the least number of articles that tell how well a budget does: then 95 % ready is
	// known to about 3 points.
	leastJudged = 50
	// correctBy is how many days' realized figures correct the forecast.
	correctBy = 30
	// mostWorth bounds the factor learned from that.
	mostWorth = 4
)

// goalKeeper finds the budget of a goal.
type goalKeeper struct {
	*env
	planner *planner
	budget  *budget
	signals *signals

	realized func(ctx context.Context, days int) (Realized, error) // in the last days; nil: not known
}

// set sets a goal and finds its budget.
func (k *goalKeeper) set(ctx context.Context, g Goal) error {
	g.Ready = roundShare(g.Ready)
	if g.Ceiling < 0 || g.Ceiling > 1_000_000 || !(g.Ready >= leastReady && g.Ready <= mostReady) && !(g.Late >= leastLate && g.Late <= mostLate) {
		return ErrGoal
	}
	before, _, err := k.budget.read(ctx)
	if err != nil {
		return err
	}
	if _, ok := before.Goal(); !ok {
		if err := k.store.Settings.Set(ctx, settingBeforeGoal, before.Normal); err != nil {
			return err
		}
	}
	if err := k.store.Settings.Set(ctx, settingNormal, g.setting()); err != nil {
		return err
	}
	if err := k.find(ctx, g, k.now()); err != nil {
		return err
	}
	k.signals.feedsChanged()
	return nil
}

// leave leaves the goal that is set for the budget before it.
func (k *goalKeeper) leave(ctx context.Context) error {
	set, _, err := k.budget.read(ctx)
	if err != nil {
		return err
	}
	if _, ok := set.Goal(); !ok {
		return nil
	}
	before, err := k.store.Settings.Get(ctx, settingBeforeGoal, Balanced)
	if err != nil {
		return err
	}
	return k.budget.set(ctx, before)
}

// adjust finds the budget again if a goal is set and a week has passed.
func (k *goalKeeper) adjust(ctx context.Context, now time.Time) error {
	a, err := k.budget.allowed(ctx)
	if err != nil || a.feeds == 0 || a.adjust.IsZero() || now.Before(a.adjust) {
		return err
	}
	set, _, err := k.budget.read(ctx)
	if err != nil {
		return err
	}
	g, ok := set.Goal()
	if !ok {
		return nil
	}
	if err := k.find(ctx, g, now); err != nil {
		return err
	}
	k.signals.feedsChanged()
	return nil
}

// forecast is what the planner forecasts, corrected by what was realized in the last weeks.
func (k *goalKeeper) forecast(ctx context.Context, now time.Time, worth float64, ceiling int) (c schedule.Curve, feeds int, err error) {
	var seen schedule.Seen
	if k.realized != nil {
		r, err := k.realized(ctx, correctBy)
		if err != nil {
			return nil, 0, err
		}
		if r.Posts >= leastJudged {
			seen = schedule.Seen{Days: r.Days, Visits: r.Visits, Fetches: r.Fetches, Ready: r.Ready}
		}
	}
	if _, feeds, err = k.budget.read(ctx); err != nil {
		return nil, 0, err
	}
	c, err = k.planner.forecast(ctx, now, worth, ceiling, feeds, seen)
	return c, feeds, err
}

// find finds the budget of a goal and stores it.
func (k *goalKeeper) find(ctx context.Context, g Goal, now time.Time) error {
	before, err := k.budget.promise(ctx)
	if err != nil {
		return err
	}
	worth := cmp.Or(before.Worth, 1)
	curve, feeds, err := k.forecast(ctx, now, worth, g.Ceiling)
	if err != nil || len(curve) == 0 {
		return err // without feeds it is found when there are some
	}
	if before.PerFeed > 0 && now.Sub(before.At) >= adjustEvery && k.realized != nil {
		seen, err := k.realized(ctx, int(adjustEvery/day))
		if err != nil {
			return err
		}
		if by := seen.worth(curve, g); by != 1 {
			worth = min(mostWorth, max(1/float64(mostWorth), worth*by))
			if curve, _, err = k.forecast(ctx, now, worth, g.Ceiling); err != nil {
				return err
			}
		}
	}
	at, kept := curve.Least(g.keeps)
	return k.budget.storePromise(ctx, Promise{Goal: g, PerFeed: at.Budget / float64(feeds), Expected: at.Ready, Late: at.Late,
		Kept: kept, At: now, Worth: worth})
}

// promise reads what was found for a goal; it is zero if nothing was.
func (b *budget) promise(ctx context.Context) (p Promise, err error) {
	text, err := b.store.Settings.Get(ctx, settingPromise, "")
	if err != nil || text == "" {
		return p, err
	}
	if json.Unmarshal([]byte(text), &p) != nil {
		return Promise{}, nil // another version wrote it; it is found again
	}
	return p, nil
}

func (b *budget) storePromise(ctx context.Context, p Promise) error {
	text, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("store the budget of the goal: %w", err)
	}
	return b.store.Settings.Set(ctx, settingPromise, string(text))
}

// Realized is what was realized in some time.
type Realized struct {
	Days    float64 // that are known
	Visits  int
	Posts   int
	Ready   float64       // share
	Late    time.Duration // mean over all articles, as Goal.Late
	Fetches float64       // a day
}

// worth returns by what factor the fetches were worth more than by the curve, in the unit of the goal; 1 if there were
// too few articles to tell.
func (w *Realized) worth(c schedule.Curve, g Goal) float64 {
	if w.Posts < leastJudged {
		return 1
	}
	return c.Worth(w.Fetches, w.Visits, func(p schedule.Point) bool {
		if g.Ready > 0 {
			return p.Ready >= w.Ready
		}
		return p.MeanLate() <= w.Late
	})
}
