package verbs

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/text"
	"kairos/poller"
)

// fetchVerb fetches feeds now.
type fetchVerb struct{ *env }

func (v fetchVerb) command() *cobra.Command {
	return &cobra.Command{Use: "fetch [ID…]", Short: "Fetch all feeds now, or only some",
		RunE: func(cmd *cobra.Command, args []string) error {
			var ids []int64
			for _, arg := range args {
				id, err := parseID(arg)
				if err != nil {
					return err
				}
				ids = append(ids, id)
			}
			return v.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				return v.fetch(ctx, h, ids)
			})
		}}
}

// fetchLine is the result of a fetch, for JSON.
type fetchLine struct {
	poller.Outcome
	Why string `json:"why,omitempty"`
	messageLine
}

func (v fetchVerb) fetch(ctx context.Context, h *home.Home, ids []int64) error {
	bar := newProgress(v.env)
	failed := false
	for _, id := range ids {
		if _, err := h.Store.Feeds.Get(ctx, id); err != nil {
			return unknown("feed", strconv.FormatInt(id, 10), err)
		}
	}
	outcomes, err := h.Poller.Fetch(ctx, ids, func(o poller.Outcome) {
		bar.clear()
		if o.Result != poller.Stored && o.Result != poller.Unchanged {
			failed = true
			v.complain("%s: %s", o.Title, text.English().Message(o.Message))
		}
		line := fetchLine{o, text.English().Cause(o.Reason, o.Cause, time.Local), toMessageLine(o.Message)}
		if err := v.print(line, "%s: %s", o.Title, text.English().Outcome(&o)); err != nil {
			failed = true
		}
		bar.step()
	})
	bar.clear()
	if err != nil {
		return err
	}
	if len(outcomes) == 0 && !v.json {
		fmt.Fprintln(v.out, "no feeds yet")
	}
	if failed {
		return someFailed
	}
	return nil
}
