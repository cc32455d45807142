package verbs

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/reader"
)

// markVerb sets the status of articles.
type markVerb struct{ *env }

func (v markVerb) command() *cobra.Command {
	return &cobra.Command{Use: "mark ID… read|unread|starred|unstarred", Short: "Mark articles as read, unread, starred or unstarred", Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			status := args[len(args)-1]
			flag, on, err := parseStatus(status)
			if err != nil {
				return err
			}
			ids, err := parseIDs(args[:len(args)-1])
			if err != nil {
				return err
			}
			return v.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				return v.mark(ctx, h, ids, flag, on)
			})
		}}
}

func (v markVerb) mark(ctx context.Context, h *home.Home, ids []int64, flag reader.Flag, on bool) error {
	known, err := h.Store.Articles.Load(ctx, ids)
	if err != nil {
		return err
	}
	if len(known) == 0 {
		return fmt.Errorf("there is no article %s", joinIDs(ids))
	}
	changed, err := h.Marks.Set(ctx, ids, flag, on)
	if err != nil {
		return err
	}
	return v.printChanged(len(changed), ids, known)
}

func parseStatus(text string) (reader.Flag, bool, error) {
	switch text {
	case "read":
		return reader.FlagRead, true, nil
	case "unread":
		return reader.FlagRead, false, nil
	case "starred":
		return reader.FlagStarred, true, nil
	case "unstarred":
		return reader.FlagStarred, false, nil
	}
	return "", false, fmt.Errorf("%q is not a status; use read, unread, starred or unstarred", text)
}
