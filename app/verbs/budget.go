package verbs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/text"
	"kairos/poller"
	"kairos/poller/plan"
	"kairos/poller/schedule"
)

func (e *env) budgetCommand() *cobra.Command {
	return &cobra.Command{Use: "budget [fresh|balanced|N|saver on|off|auto]", Short: "Show or set how many fetches a day may be made",
		Long: "Shows the budget, or sets it: fresh and balanced are 24 and 8 fetches a feed a day,\nN is a number a day in all, 0 pauses. Battery saver makes it 2 a feed a day: on, off, or auto\n(on battery, when the desktop is set to save power, on a metered network).",
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return e.reading(cmd.Context(), e.budget)
			}
			return e.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				if err := setBudget(ctx, h, args); err != nil {
					return err
				}
				return e.budget(ctx, h)
			})
		}}
}

func setBudget(ctx context.Context, h *home.Home, args []string) error {
	switch {
	case args[0] == "saver" && len(args) == 2:
		return h.Poller.SetSaver(ctx, poller.Saver(args[1]))
	case args[0] == "saver":
		return fmt.Errorf("say whether battery saver shall be on, off or auto")
	case len(args) == 2:
		return fmt.Errorf("%q is not a budget", strings.Join(args, " "))
	}
	return h.Poller.SetBudget(ctx, args[0])
}

func (e *env) budget(ctx context.Context, h *home.Home) error {
	s, err := h.Poller.Status(ctx)
	if err != nil {
		return err
	}
	reasons := []string{}
	for _, r := range s.Budget.SavingReasons() {
		reasons = append(reasons, text.English().SavingReason(r))
	}
	line := struct {
		Normal   string                `json:"normal"`
		Saver    string                `json:"saver"`
		Saving   bool                  `json:"saving"`
		Reasons  []string              `json:"savingReasons"`
		Codes    []poller.SavingReason `json:"savingReasonCodes"`
		Offline  bool                  `json:"offline"`
		Budget   int                   `json:"budget"`
		Spent    int                   `json:"spent"`
		Left     int                   `json:"left"`
		MoreAt   string                `json:"moreAt"`
		Planned  int                   `json:"planned"`
		NextAt   string                `json:"nextFetch"`
		NextFeed string                `json:"nextFeed"`
		nextReason
	}{s.Budget.Normal, string(s.Budget.Saver), s.Budget.Saving(), reasons, append([]poller.SavingReason{}, s.Budget.SavingReasons()...), s.Offline,
		s.PerDay, s.Spent, s.Left, stamp(s.MoreAt), s.Planned, stamp(s.NextAt), s.NextFeed, toNextReason(s.NextReason, time.Local)}
	said := fmt.Sprintf("%s: %d fetches a day; %d spent in the last 24 hours, %d left to spend; battery saver %s",
		s.Budget.Normal, s.PerDay, s.Spent, s.Left, text.English().Saver(s.Budget))
	if s.Offline {
		said += "\nno network: fetching goes on when it is back"
	}
	if !s.NextAt.IsZero() {
		said += fmt.Sprintf("\nnext: %s at %s, %s", s.NextFeed, s.NextAt.Local().Format("15:04"), line.NextReason)
	}
	return e.print(line, "%s", said)
}

type planFeed struct {
	ID       int64         `json:"id"`
	Title    string        `json:"title"`
	Posting  float64       `json:"postsPerDay"`
	Share    float64       `json:"share"`
	Fetches  float64       `json:"fetchesPerDay"`
	Every    int           `json:"every"`
	Cycle    []int         `json:"cycle"`
	Residual []float64     `json:"residual,omitempty"`
	Delay    float64       `json:"delay"`
	Instants []planInstant `json:"instants"`
}

type planInstant struct {
	At     string        `json:"at"`
	Why    string        `json:"reason"`
	Code   schedule.Code `json:"reasonCode"`
	Values reasonValues  `json:"reasonValues"`
	Posts  float64       `json:"posts"`
	Value  float64       `json:"value"`
}

func (e *env) planCommand() *cobra.Command {
	var method, rates string
	var use bool
	c := &cobra.Command{Use: "plan", Short: "Show the fetches of the coming 24 hours and why", Args: cobra.NoArgs,
		Long: "Shows the fetches of the coming 24 hours and why. With --method it shows what another method would plan\n" +
			"(he-parker, sia and uniform are the papers', exact is the default); with --use it is planned with from now on.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			given := cmd.Flags().Changed("method")
			switch {
			case given && !slices.Contains(poller.Methods, plan.Method(method)):
				return fmt.Errorf("%q is not a method: give exact, he-parker, sia or uniform", method)
			case use && !given:
				return errors.New("say with --method which method to use")
			case use && cmd.Flags().Changed("rates"):
				return errors.New("--use is for what was learned, not for rates from a file")
			case cmd.Flags().Changed("rates"):
				return e.planRates(cmd.Context(), rates, method)
			case use:
				return e.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
					if err := h.Poller.SetMethod(ctx, plan.Method(method)); err != nil {
						return err
					}
					return e.plan(ctx, h, "")
				})
			}
			return e.reading(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				return e.plan(ctx, h, plan.Method(method))
			})
		}}
	c.Flags().StringVar(&method, "method", "", "exact, he-parker, sia or uniform; without it the one in force")
	c.Flags().BoolVar(&use, "use", false, "plan with the method from now on")
	c.Flags().StringVar(&rates, "rates", "", "plan from the rates in `FILE` (JSON) instead of what was learned")
	return c
}

// plan shows the plan under a method; "" stands for the one in force.
func (e *env) plan(ctx context.Context, h *home.Home, method plan.Method) error {
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
		Made     string     `json:"made"`
		Method   string     `json:"method"`
		InForce  string     `json:"inForce"`
		Budget   int        `json:"budget"`
		Access   float64    `json:"accessesPerDay"`
		Delay    float64    `json:"delay"`
		Price    float64    `json:"price"`
		Now      float64    `json:"priceNow"`
		Warnings []string   `json:"warnings"`
		Feeds    []planFeed `json:"feeds"`
	}{stamp(p.Made), string(p.Method), string(used), int(p.Budget), p.Access, p.Delay, p.Price, p.PriceNow, warningTexts(p.Warnings), []planFeed{}}
	for _, f := range p.Feeds {
		out.Feeds = append(out.Feeds, toPlanFeed(f, until))
	}
	if e.json {
		return e.print(out, "")
	}
	fmt.Fprintf(e.out, "method %s\n", said(method, used))
	fmt.Fprintf(e.out, "%d fetches a day, %.1f readings a day, expected delay %.1f h a day, price %.3g h a fetch (now %.3g)\n",
		int(p.Budget), p.Access, p.Delay, p.Price, p.PriceNow)
	for _, f := range out.Feeds {
		fmt.Fprintf(e.out, "%4d  %s: %.2g articles and %.2g fetches a day\n", f.ID, f.Title, f.Posting, f.Fetches)
		for _, i := range f.Instants {
			fmt.Fprintf(e.out, "      %s  %s\n", i.At, i.Why)
		}
	}
	for _, w := range out.Warnings {
		e.complain("%s", w)
	}
	return nil
}

// said names a method and, if it is another, the one in force.
func said(method, used plan.Method) string {
	if method == used {
		return string(method)
	}
	return fmt.Sprintf("%s, to compare; %s is in force", method, used)
}

func toPlanFeed(f poller.FeedPlan, until time.Time) planFeed {
	out := planFeed{ID: f.Feed.ID, Title: f.Feed.Title, Posting: f.Posting, Share: f.FeedPlan.Feed.Share, Every: f.Cycle.Every,
		Cycle: append([]int{}, f.Cycle.At...), Residual: f.Residual, Delay: f.Cycle.Delay, Instants: []planInstant{}}
	if f.Cycle.Every > 0 {
		out.Fetches = float64(len(f.Cycle.At)) / float64(f.Cycle.Every)
	}
	for _, i := range f.Instants {
		if i.At.Before(until) {
			out.Instants = append(out.Instants, planInstant{stamp(i.At), text.English().Reason(i.Reason, until.Location()), i.Reason.Code, toReasonValues(i.Reason), i.Reason.Posts, i.Value})
		}
	}
	return out
}
