package verbs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/text"
	"kairos/poller"
)

// budgetVerb shows or sets the budget.
type budgetVerb struct{ *env }

func (v budgetVerb) command() *cobra.Command {
	return &cobra.Command{Use: "budget [fresh|balanced|N|saver on|off|auto]", Short: "Show or set the number of fetches per day",
		Long: "Shows the budget, or sets it: fresh and balanced are 24 and 8 fetches per feed and day, N is a number\nper day for all feeds, 0 pauses fetching. Battery saver limits it to 2 per feed and day: on, off, or\nauto (on battery, in power-saving mode or on a metered network).",
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return v.reading(cmd.Context(), v.show)
			}
			return v.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				if err := setBudget(ctx, h, args); err != nil {
					return err
				}
				return v.show(ctx, h)
			})
		}}
}

func setBudget(ctx context.Context, h *home.Home, args []string) error {
	switch {
	case args[0] == "saver" && len(args) == 2:
		return h.Poller.SetSaver(ctx, poller.Saver(args[1]))
	case args[0] == "saver":
		return fmt.Errorf("battery saver needs on, off or auto")
	case len(args) == 2:
		return fmt.Errorf("%q is not a budget", strings.Join(args, " "))
	}
	return h.Poller.SetBudget(ctx, args[0])
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
	summary := fmt.Sprintf("%s: %d fetches a day; %d spent in the last 24 hours, %d left to spend; battery saver %s",
		s.Budget.Normal, s.PerDay, s.Spent, s.Left, text.English().Saver(s.Budget))
	if s.Offline {
		summary += "\nno network; fetching continues when it is back"
	}
	if !s.NextAt.IsZero() {
		summary += fmt.Sprintf("\nnext: %s at %s, %s", s.NextFeed, s.NextAt.Local().Format("15:04"), line.NextReason)
	}
	return v.print(line, "%s", summary)
}
