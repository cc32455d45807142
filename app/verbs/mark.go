package verbs

import (
	"context"
	"fmt"
	"slices"
	"strings"

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
			var ids []int64
			for _, arg := range args[:len(args)-1] {
				id, err := parseID(arg)
				if err != nil {
					return err
				}
				ids = append(ids, id)
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
		return fmt.Errorf("there is no article %s", strings.Trim(fmt.Sprint(ids), "[]"))
	}
	changed, err := h.Marks.Set(ctx, ids, flag, on)
	if err != nil {
		return err
	}
	err = v.print(struct {
		Changed int `json:"changed"`
	}{len(changed)}, "%d changed", len(changed))
	if len(known) == len(ids) || err != nil {
		return err
	}
	for _, id := range ids {
		if !slices.ContainsFunc(known, func(a reader.Article) bool { return a.ID == id }) {
			v.complain("there is no article %d", id)
		}
	}
	return someFailed
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
