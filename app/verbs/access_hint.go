package verbs

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/text"
	"kairos/useraccess"
)

// accessHintVerb lists, adds and removes hints of when the user reads.
type accessHintVerb struct{ *env }

func (v accessHintVerb) command() *cobra.Command {
	remove := int64(0)
	c := &cobra.Command{Use: "hint [TIME DAYS]", Short: "Say when you read, or list what you said",
		Long: "Says when you read, such as 7:30 workdays or at 7:30 on workdays; the days are workdays, weekends, everyday or a day of the week.\nIt counts as two weeks of such visits and fades as Kairos sees when you come. Without a time it lists the hints.",
		Args: cobra.MaximumNArgs(8),
		RunE: func(cmd *cobra.Command, args []string) error {
			removing := cmd.Flags().Changed("remove")
			switch {
			case removing && len(args) > 0:
				return fmt.Errorf("give a hint or --remove, not both")
			case removing:
				return v.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
					if err := h.Visits.RemoveHint(ctx, remove); err != nil {
						return err
					}
					return v.print(struct {
						Removed int64 `json:"removed"`
					}{remove}, "hint %d removed", remove)
				})
			case len(args) == 0:
				return v.reading(cmd.Context(), v.list)
			}
			hint, err := useraccess.ParseHint(strings.Join(args, " "))
			if err != nil {
				return err
			}
			return v.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				added, err := h.Visits.AddHint(ctx, hint)
				if err != nil {
					return err
				}
				return v.show(added)
			})
		}}
	c.Flags().Int64Var(&remove, "remove", 0, "remove hint `ID`")
	return c
}

func (v accessHintVerb) list(ctx context.Context, h *home.Home) error {
	hints, err := h.Log.Hints(ctx)
	if err != nil {
		return err
	}
	if len(hints) == 0 && !v.json {
		return v.print(nil, "There are no hints. Give one such as: kairos access hint 7:30 workdays")
	}
	for _, hint := range hints {
		if err := v.show(hint); err != nil {
			return err
		}
	}
	return nil
}

func (v accessHintVerb) show(h useraccess.Hint) error {
	return v.print(struct {
		ID    int64  `json:"id"`
		Hint  string `json:"hint"`
		Given string `json:"given"`
	}{h.ID, h.String(), stamp(h.Given)}, "%d  %s", h.ID, text.English().Hint(h))
}

// accessForgetVerb forgets when the user read in a span.
type accessForgetVerb struct{ *env }

func (v accessForgetVerb) command() *cobra.Command {
	return &cobra.Command{Use: "forget FROM TO", Short: "Forget when you read on some days, such as a holiday",
		Long: "Forgets when you read from FROM to TO and what was learned from it: these days count neither as days with\nvisits nor as days without. Both are days such as 2026-07-31, both included, or RFC 3339 times.",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return v.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				from, to, err := useraccess.ParseDays(args[0], args[1], h.Now())
				if err != nil {
					return err
				}
				n, err := h.Visits.Forget(ctx, from, to)
				if err != nil {
					return err
				}
				return v.print(struct {
					Forgotten int    `json:"forgotten"`
					From      string `json:"from"`
					To        string `json:"to"`
				}{n, stamp(from), stamp(to)}, "%d accesses forgotten", n)
			})
		}}
}
