package verbs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/text"
	"kairos/poller"
	"kairos/poller/plan"
	"kairos/poller/schedule"
)

type planFeed struct {
	ID       int64         `json:"id"`                // of the feed; 0: an account is synced
	Account  int64         `json:"account,omitempty"` // that is
	Title    string        `json:"title"`
	PerDay   float64       `json:"postsPerDay"`
	Posting  []float64     `json:"posting"` // per hour, in each bin of the coming day
	Interest float64       `json:"interest"`
	Fetches  float64       `json:"fetchesPerDay"`
	Every    int           `json:"every"`
	Cycle    []int         `json:"cycle"`
	Residual []float64     `json:"residual,omitempty"`
	Delay    float64       `json:"delay"`
	Instants []planInstant `json:"instants"`
}

// name is the number of a feed, or which account it is.
func (f *planFeed) name() string {
	if f.Account != 0 {
		return fmt.Sprintf("account %d", f.Account)
	}
	return strconv.FormatInt(f.ID, 10)
}

type planInstant struct {
	At     string        `json:"at"`
	Why    string        `json:"reason"`
	Code   schedule.Code `json:"reasonCode"`
	Values reasonValues  `json:"reasonValues"`
	Posts  float64       `json:"posts"`
	Value  float64       `json:"value"`
	// Residual of He–Parker (6) between the instants beside it.
	Residual float64 `json:"residual"`

	at time.Time
}

// planVerb shows the plan, or the plan for rates in a file.
type planVerb struct{ *env }

func (v planVerb) command() *cobra.Command {
	var method, rates string
	var use bool
	c := &cobra.Command{Use: "plan", Short: "Show the fetches planned for the next 24 hours, and why", Args: cobra.NoArgs,
		Long: "Shows the fetches planned for the next 24 hours, and why. --method shows the plan of another method\n" +
			"(kairos is the default, exact the delay alone; he-parker, sia and uniform are from the papers); --use switches to that method.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			given := cmd.Flags().Changed("method")
			switch {
			case given && !slices.Contains(poller.Methods, plan.Method(method)):
				return fmt.Errorf("%q is not a method; use kairos, exact, he-parker, sia or uniform", method)
			case use && !given:
				return errors.New("--use needs --method")
			case use && cmd.Flags().Changed("rates"):
				return errors.New("--use cannot be used with --rates")
			case cmd.Flags().Changed("rates"):
				return v.showRates(cmd.Context(), rates, method)
			case use:
				return v.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
					if err := h.Poller.SetMethod(ctx, plan.Method(method)); err != nil {
						return err
					}
					return v.show(ctx, h, "")
				})
			}
			return v.reading(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				return v.show(ctx, h, plan.Method(method))
			})
		}}
	c.Flags().StringVar(&method, "method", "", "kairos, exact, he-parker, sia or uniform (default: the method in use)")
	c.Flags().BoolVar(&use, "use", false, "use the method from now on")
	c.Flags().StringVar(&rates, "rates", "", "plan for the rates in `FILE` (JSON) instead of those learned")
	return c
}

// show prints the plan of a method; "" is the one in use.
func (v planVerb) show(ctx context.Context, h *home.Home, method plan.Method) error {
	used, err := h.Poller.Method(ctx)
	if err != nil {
		return err
	}
	if method == "" {
		method = used
	}
	p, err := h.Poller.Plan(ctx, method)
	if err != nil {
		return err
	}
	until := p.Made.Add(24 * time.Hour)
	out := struct {
		Made     string         `json:"made"`
		Method   string         `json:"method"`
		InForce  string         `json:"inForce"`
		Budget   int            `json:"budget"`
		PerDay   float64        `json:"accessesPerDay"`
		From     string         `json:"from"`   // the start of the coming day
		Access   []float64      `json:"access"` // per hour, in each bin of the coming day
		Delay    float64        `json:"delay"`
		Price    float64        `json:"price"`
		Now      float64        `json:"priceNow"`
		Unit     string         `json:"unit"`  // of the prices, the value and the bound: articles or hours
		Value    float64        `json:"value"` // what the cycles cost, a day
		Bound    float64        `json:"bound"` // what any cycles cost at least
		Warnings []string       `json:"warnings"`
		Facts    []plan.Warning `json:"warningFacts"`
		Feeds    []planFeed     `json:"feeds"`
	}{stamp(p.Made), string(p.Method), string(used), int(p.Budget), p.Access, stamp(p.From), p.Expected,
		p.Delay, p.Price, p.PriceNow, unitOf(p), p.Value, p.Bound, warningTexts(p.Warnings), append([]plan.Warning{}, p.Warnings...), []planFeed{}}
	for _, f := range p.Feeds {
		out.Feeds = append(out.Feeds, toPlanFeed(f, until))
	}
	if v.json {
		return v.print(out, "")
	}
	words := text.English()
	if p.Budget == 0 && len(p.Feeds) > 0 {
		fmt.Fprintln(v.out, paused+".")
		for _, f := range out.Feeds {
			fmt.Fprintf(v.out, "%4s  %s: articles %s\n", f.name(), f.Title, words.Rate(f.PerDay))
		}
		return nil
	}
	fmt.Fprintf(v.out, "method %s\n", methodText(method, used))
	fmt.Fprintf(v.out, "%d fetches a day, %s visits a day; a fetch of a typical feed must %s (now %s)\n",
		int(p.Budget), words.Amount(p.Access), mustBring(p, words), priceText(p, words, p.PriceNow))
	for k, f := range out.Feeds {
		fetches := "fetches " + words.Rate(f.Fetches)
		if p.Feeds[k].FeedPlan.Feed.Failures > 0 {
			fetches = "tried again now and then, until it answers" // the plan is for later
		}
		fmt.Fprintf(v.out, "%4s  %s: articles %s, %s\n", f.name(), f.Title, words.Rate(f.PerDay), fetches)
		for _, i := range f.Instants {
			fmt.Fprintf(v.out, "      %s  %s\n", i.at.Format("2006-01-02 15:04"), i.Why)
		}
	}
	for _, w := range out.Warnings {
		v.complain("%s", w)
	}
	return nil
}

// unitOf is what the objective of a plan is counted in.
func unitOf(p *poller.Plan) string {
	if p.Method == plan.Kairos {
		return "articles"
	}
	return "hours"
}

// mustBring says what a fetch has to be worth.
func mustBring(p *poller.Plan, words *text.Printer) string {
	if p.Method == plan.Kairos {
		return "make at least " + priceText(p, words, p.Price) + " articles ready"
	}
	return "make articles " + priceText(p, words, p.Price) + " less late in all"
}

func priceText(p *poller.Plan, words *text.Printer, price float64) string {
	if p.Method == plan.Kairos {
		return fmt.Sprintf("%.2g", typicalPrice(p, price).Hours())
	}
	return words.Span(typicalPrice(p, price))
}

// typicalPrice is a price, in weighted hours (articles for the method kairos), for a feed of the mean weight and interest.
func typicalPrice(p *poller.Plan, price float64) time.Duration {
	mean := p.MeanWeight()
	if mean == 0 {
		return 0
	}
	return hours(price / mean)
}

// hours returns a duration, at most a century.
func hours(h float64) time.Duration { return time.Duration(min(h, 876_000) * float64(time.Hour)) }

// methodText names a method and, if it differs, the one in use.
func methodText(method, used plan.Method) string {
	if method == used {
		return string(method)
	}
	return fmt.Sprintf("%s, for comparison; %s is in use", method, used)
}

func toPlanFeed(f poller.FeedPlan, until time.Time) planFeed {
	out := planFeed{ID: f.Feed.ID, Account: f.Account, Title: f.Title, PerDay: f.Posting, Posting: f.Expected, Interest: f.FeedPlan.Feed.Interest, Every: f.Cycle.Every,
		Cycle: append([]int{}, f.Cycle.At...), Residual: f.Residual, Delay: f.Cycle.Delay, Instants: []planInstant{}}
	if f.Cycle.Every > 0 {
		out.Fetches = float64(len(f.Cycle.At)) / float64(f.Cycle.Every)
	}
	for _, i := range f.Instants {
		if i.At.Before(until) {
			out.Instants = append(out.Instants, planInstant{stamp(i.At), text.English().Reason(i.Reason, until.Location()), i.Reason.Code, toReasonValues(i.Reason), i.Reason.Posts, i.Value, i.Residual, i.At.Local()})
		}
	}
	return out
}
