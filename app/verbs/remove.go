package verbs

import (
	"context"

	"github.com/spf13/cobra"

	"kairos/app/home"
)

// removeVerb unsubscribes from a feed.
type removeVerb struct{ *env }

func (v removeVerb) command() *cobra.Command {
	return &cobra.Command{Use: "remove ID", Short: "Unsubscribe from a feed", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := parseID(args[0])
			if err != nil {
				return err
			}
			return v.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				f, err := h.Store.Feeds.Get(ctx, id)
				if err == nil {
					err = h.Subscriptions.Remove(ctx, id)
				}
				if err != nil {
					return unknown("feed", args[0], err)
				}
				return v.print(struct {
					ID    int64  `json:"id"`
					Title string `json:"title"`
				}{f.ID, f.Title}, "unsubscribed from %s", f.Title)
			})
		}}
}
