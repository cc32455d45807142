package verbs

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/reader/snooze"
)

// snoozeLine is what `snooze` prints.
type snoozeLine struct {
	Articles []int64 `json:"articles"` // that were put away, those of the same story included
	Until    string  `json:"until"`    // "" if they came back
	Visit    bool    `json:"visit"`    // or at the next visit, if that is earlier
	Synced   bool    `json:"synced"`   // one is of an account, whose server does not know of it
}

// snoozeVerb puts articles away and brings them back.
type snoozeVerb struct{ *env }

func (v snoozeVerb) command() *cobra.Command {
	return &cobra.Command{Use: "snooze ID… WHEN", Short: "Put articles away until later, or bring them back", Args: cobra.MinimumNArgs(2),
		Long: "Puts articles away. They come back unread, at the top of their lists. WHEN is evening, tomorrow, weekend, visit (the\n" +
			"next one, as learned), a time of day (18:30), a day (2026-12-24), both (\"2026-12-24 18:30\"), a span (3h, 2d, 1w), or\n" +
			"now to bring them back. Articles of an account are away on this computer only.\n" +
			"`kairos articles --search is:snoozed` lists what is away.",
		RunE: func(cmd *cobra.Command, args []string) error {
			ids, err := parseIDs(args[:len(args)-1])
			if err != nil {
				return err
			}
			return v.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error { return v.snooze(ctx, h, ids, args[len(args)-1]) })
		}}
}

func (v snoozeVerb) snooze(ctx context.Context, h *home.Home, ids []int64, when string) error {
	if when == "now" {
		change, err := h.Snoozes.Wake(ctx, ids)
		if err == nil && len(change.Articles) == 0 {
			err = fmt.Errorf("article %s is not away", joinIDs(ids))
		}
		if err != nil {
			return err
		}
		return v.print(snoozeLine{Articles: change.Articles}, "%s back", articlesAre(len(change.Articles)))
	}
	until, visit, err := parseSnooze(ctx, h, when)
	if err != nil {
		return fmt.Errorf("%q is %w", when, err)
	}
	change, err := h.Snoozes.Put(ctx, ids, until, visit)
	if err != nil {
		return err
	}
	if len(change.Articles) == 0 {
		return fmt.Errorf("there is no article %s", joinIDs(ids))
	}
	synced, err := anySynced(ctx, h, change.Articles)
	if err != nil {
		return err
	}
	format := "%s away until %s"
	if synced {
		format += ", on this computer only"
	}
	return v.print(snoozeLine{change.Articles, stamp(until), visit, synced}, format, articlesAre(len(change.Articles)), until.Local().Format("Monday, 2006-01-02 15:04"))
}

func parseSnooze(ctx context.Context, h *home.Home, when string) (until time.Time, visit bool, err error) {
	until, visit, err = snooze.Parse(when, h.Now())
	if err == nil && visit {
		return h.Snoozes.Until(ctx, snooze.Visit)
	}
	return until, visit, err
}

// anySynced reports whether one of these articles is of an account.
func anySynced(ctx context.Context, h *home.Home, ids []int64) (bool, error) {
	feeds, err := h.Store.Articles.FeedsOf(ctx, ids)
	if err != nil {
		return false, err
	}
	all, err := h.Store.Feeds.List(ctx)
	if err != nil {
		return false, err
	}
	synced := map[int64]bool{}
	for _, f := range all {
		synced[f.ID] = f.Account != 0
	}
	for _, feed := range feeds {
		if synced[feed] {
			return true, nil
		}
	}
	return false, nil
}

func articlesAre(n int) string {
	if n == 1 {
		return "1 article is"
	}
	return fmt.Sprintf("%d articles are", n)
}
