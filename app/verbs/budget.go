package verbs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kairos/app/home"
	"kairos/app/text"
	"kairos/poller"
	"kairos/poller/schedule"
)

// budgetVerb shows or sets the budget.
type budgetVerb struct{ *env }

func (v budgetVerb) command() *cobra.Command {
	ceiling := 0
	c := &cobra.Command{Use: "budget [fresh|balanced|N|goal [95%|10min|off]|saver on|off|auto]", Short: "Show or set the number of fetches per day",
		Long: "Shows the budget, or sets it: fresh and balanced are 24 and 8 fetches per feed and day, N is a number\nper day for all feeds, 0 pauses fetching. goal 95% is the least budget with which 95 % of new articles are\nthere when you come, goal 10min the least with which a typical one waits at most 10 minutes; Kairos adjusts\nit every week, up to that of fresh or --ceiling. goal shows the goal; goal off goes\nback to the budget before it; any other budget leaves it, too. Battery saver limits each to 2 per feed and day: on, off,\nor auto (on battery, in power-saving mode or on a metered network).",
		Args: cobra.MaximumNArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			given := cmd.Flags().Changed("ceiling")
			if given && (len(args) < 2 || args[0] != "goal" || args[1] == "off" || ceiling < 1) {
				return fmt.Errorf("--ceiling is the most fetches a day that a goal may cost, 1 or more")
			}
			if len(args) == 0 {
				return v.reading(cmd.Context(), v.show)
			}
			if len(args) == 1 && args[0] == "goal" {
				return v.reading(cmd.Context(), v.showGoal)
			}
			return v.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				if err := setBudget(ctx, h, args, ceiling); err != nil {
					return err
				}
				return v.show(ctx, h)
			})
		}}
	c.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		var unknown *pflag.NotExistError
		if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() == "" || !strings.ContainsAny(unknown.GetSpecifiedShortnames()[:1], ".0123456789") {
			return err
		}
		if number := unknown.GetSpecifiedShortnames(); strings.TrimLeft(number, ".0123456789") != "" {
			return poller.ErrGoal
		}
		return errors.New("a budget cannot be less than 0, which pauses fetching")
	})
	c.Flags().IntVar(&ceiling, "ceiling", 0, "the most fetches `N` a day that a goal may cost")
	return c
}

func setBudget(ctx context.Context, h *home.Home, args []string, ceiling int) error {
	switch {
	case args[0] == "goal" && len(args) == 2 && args[1] == "off":
		return h.Poller.LeaveGoal(ctx)
	case args[0] == "goal":
		g, err := poller.ParseGoal(strings.Join(args[1:], ""))
		if err != nil {
			return err
		}
		g.Ceiling = ceiling
		return h.Poller.SetGoal(ctx, g)
	case args[0] == "saver" && len(args) == 2:
		return h.Poller.SetSaver(ctx, poller.Saver(args[1]))
	case args[0] == "saver":
		return fmt.Errorf("battery saver needs on, off or auto")
	case len(args) > 1:
		return fmt.Errorf("%q is not a budget", strings.Join(args, " "))
	}
	return h.Poller.SetBudget(ctx, args[0])
}

// showGoal shows the goal that is set, and how to leave it.
func (v budgetVerb) showGoal(ctx context.Context, h *home.Home) error {
	set, err := h.Poller.Budget(ctx)
	if err != nil {
		return err
	}
	type line struct {
		Goal *goalLine `json:"goal"`
	}
	if _, ok := set.Goal(); !ok {
		return v.print(line{}, "No goal is set. Set one such as: kairos budget goal 95%%")
	}
	f, err := h.Poller.Forecast(ctx)
	if err != nil {
		return err
	}
	return v.print(line{toGoal(set, &f)}, "%s\nLeave it by: kairos budget goal off", text.English().Promise(set, &f))
}

func (v budgetVerb) show(ctx context.Context, h *home.Home) error {
	s, err := h.Poller.Status(ctx)
	if err != nil {
		return err
	}
	reasons := []string{}
	for _, r := range s.Budget.SavingReasons() {
		reasons = append(reasons, text.English().SavingReason(r))
	}
	var forecast poller.Forecast
	if _, ok := s.Budget.Goal(); ok {
		if forecast, err = h.Poller.Forecast(ctx); err != nil {
			return err
		}
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
		Goal     *goalLine             `json:"goal"` // null if none is set
		nextReason
	}{s.Budget.Normal, string(s.Budget.Saver), s.Budget.Saving(), reasons, append([]poller.SavingReason{}, s.Budget.SavingReasons()...), s.Offline,
		s.PerDay, s.Spent, s.Left, stamp(s.MoreAt), s.Planned, stamp(s.NextAt), s.NextFeed, toGoal(s.Budget, &forecast), toNextReason(s.NextReason, time.Local)}
	summary := fmt.Sprintf("%s: %d fetches a day; %d made in the last 24 hours; %s; battery saver %s",
		s.Budget.Normal, s.PerDay, s.Spent, savedUp(&s), text.English().Saver(s.Budget))
	if s.Budget.Paused() {
		summary = fmt.Sprintf("%s; %d made in the last 24 hours; battery saver %s", paused, s.Spent, text.English().Saver(s.Budget))
	}
	if line.Goal != nil {
		summary += "\n" + text.English().Promise(s.Budget, &forecast)
	}
	if s.Offline {
		summary += "\nno network; fetching continues when it is back"
	}
	if !s.NextAt.IsZero() {
		summary += "\n" + text.English().NextFetchOf(s.NextFeed, s.NextAt.Local().Format("15:04"), s.NextReason, time.Local)
	}
	return v.print(line, "%s", summary)
}

// paused is what is told in place of a plan.
const paused = "Fetching is paused: nothing is fetched by itself until a budget or a goal is set"

// savedUp tells how many fetches may be made at once: the budget is earned evenly over the day, and what was not used is kept.
func savedUp(s *poller.Status) string {
	if s.Left == 0 && !s.MoreAt.IsZero() {
		return fmt.Sprintf("the next one may be made at %s", s.MoreAt.Local().Format("15:04"))
	}
	return fmt.Sprintf("%d saved up that may be made at any time", s.Left)
}

// goalLine is a goal and what was found for it.
type goalLine struct {
	Goal     string  `json:"goal"`
	Ready    float64 `json:"ready"`               // share asked for; 0: lateSeconds is
	Late     float64 `json:"lateSeconds"`         // asked for, the mean over all, ready ones counted as on time; 0: a share is
	Ceiling  int     `json:"ceiling"`             // fetches a day; 0: 24 a feed
	PerFeed  float64 `json:"perFeed"`             // fetches a feed a day found; 0: none yet
	Kept     bool    `json:"kept"`                // within the ceiling
	Expected float64 `json:"expectedReady"`       // with the budget in force
	Behind   float64 `json:"expectedLateSeconds"` // of those not ready
	Low      float64 `json:"expectedLow"`         // four times in five it is from here
	High     float64 `json:"expectedHigh"`
	Guess    bool    `json:"guess"` // too few visits are known
	Found    string  `json:"foundAt"`
}

func toGoal(b poller.Budget, f *poller.Forecast) *goalLine {
	g, ok := b.Goal()
	if !ok {
		return nil
	}
	p := b.Promise
	if len(f.Curve) > 0 {
		at := f.Curve.At(float64(b.PerDay(f.Feeds)))
		p.Expected, p.Late = at.Ready, at.Late
	}
	low, high := schedule.Point{Ready: p.Expected}.Range()
	return &goalLine{g.String(), g.Ready, g.Late.Seconds(), g.Ceiling, p.PerFeed, p.Kept, p.Expected, p.Late.Seconds(), low, high, f.Guess(), stamp(p.At)}
}
