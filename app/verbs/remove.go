package verbs

import (
	"context"

	"github.com/spf13/cobra"

	"kairos/app/home"
)

// removeVerb unsubscribes from a feed.
type removeVerb struct{ *env }

func (v removeVerb) command() *cobra.Command {
	return &cobra.Command{Use: "remove FEED", Short: "Unsubscribe from a feed", Args: cobra.ExactArgs(1), Long: "Unsubscribes from a feed. " + feedHelp,
		RunE: func(cmd *cobra.Command, args []string) error {
			return v.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				f, err := findFeed(ctx, h, args[0])
				if err != nil {
					return err
				}
				if err := h.Subscriptions.Remove(ctx, f.ID); err != nil {
					return unknown("feed", args[0], err)
				}
				return v.print(struct {
					ID    int64  `json:"id"`
					Title string `json:"title"`
				}{f.ID, f.Title}, "unsubscribed from %s", f.Title)
			})
		}}
}
