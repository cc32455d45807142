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
	c.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		if invalid := (*pflag.InvalidValueError)(nil); errors.As(err, &invalid) && invalid.GetFlag().Name == "remove" {
			return useraccess.ErrNoHint
		}
		return err
	})
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

// accessForgetVerb forgets when the user read in a span, lists such spans and takes them back.
type accessForgetVerb struct{ *env }

func (v accessForgetVerb) command() *cobra.Command {
	restore := ""
	c := &cobra.Command{Use: "forget [FROM TO]", Short: "Forget when you read on some days, such as a holiday, or list what you forgot",
		Long: "Forgets when you read from FROM to TO and what was learned from it: these days count neither as days with\nvisits nor as days without. Both are days such as 2026-07-31, both included, or RFC 3339 times.\nThe record is set aside until --restore takes it back or access --clear deletes it. Without days it lists what is forgotten.",
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case restore != "" && len(args) > 0 || len(args) == 1:
				return fmt.Errorf("give the first and the last day, or --restore with the first day of a forgotten period")
			case restore != "":
				return v.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error { return v.restore(ctx, h, restore) })
			case len(args) == 0:
				return v.reading(cmd.Context(), v.list)
			}
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
	c.Flags().StringVar(&restore, "restore", "", "count the forgotten period again that begins at `FROM`")
	return c
}

func (v accessForgetVerb) list(ctx context.Context, h *home.Home) error {
	spans, err := h.Log.Forgotten(ctx)
	if err != nil {
		return err
	}
	if len(spans) == 0 && !v.json {
		return v.print(nil, "Nothing is forgotten.")
	}
	for _, s := range spans {
		err := v.print(struct {
			From     string `json:"from"`
			To       string `json:"to"`
			Accesses int    `json:"accesses"`
		}{stamp(s.From), stamp(s.To), s.Accesses}, "%s  %s", s.From.In(h.Now().Location()).Format(time.RFC3339), text.English().Forgotten(s, h.Now()))
		if err != nil {
			return err
		}
	}
	return nil
}

func (v accessForgetVerb) restore(ctx context.Context, h *home.Home, first string) error {
	from, _, err := useraccess.ParseDays(first, first, h.Now())
	if err != nil {
		return err
	}
	n, err := h.Visits.Restore(ctx, from)
	if err != nil {
		return err
	}
	return v.print(struct {
		Restored int    `json:"restored"`
		From     string `json:"from"`
	}{n, stamp(from)}, "%d accesses count again", n)
}
