package verbs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/text"
	"kairos/poller"
	"kairos/reader"
)

// fetchVerb fetches feeds now.
type fetchVerb struct{ *env }

func (v fetchVerb) command() *cobra.Command {
	var older bool
	var limits poller.OlderLimits
	c := &cobra.Command{Use: "fetch [FEED…]", Short: "Fetch all feeds and sync all accounts now, or only some feeds, or older articles of them",
		Long: "Fetch all feeds and sync all accounts now, or only some feeds. " + feedHelp + "\nA feed that fails at the server of its account is fetched there\n" +
			"first, where the server can be told so (Miniflux, Tiny Tiny RSS).\n\nWith --older, load articles that these feeds no longer list, from the pages that lead back (RFC 5005, JSON Feed, WordPress,\n" +
			"Blogger). It prints a line a page; called again, it goes on from there.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if older && len(args) == 0 {
				return errors.New("--older needs feeds")
			}
			return v.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				ids, err := findFeeds(ctx, h, args...)
				if err != nil {
					return err
				}
				if older {
					return v.older(ctx, h, ids, limits)
				}
				return v.fetch(ctx, h, ids)
			})
		}}
	c.Flags().BoolVar(&older, "older", false, "load older articles")
	c.Flags().IntVar(&limits.Pages, "pages", poller.LoadOlder.Pages, "with --older: at most `N` pages a feed")
	c.Flags().IntVar(&limits.Articles, "articles", poller.LoadOlder.Articles, "with --older: stop after `N` new articles a feed")
	c.Flags().IntVar(&limits.Days, "days", 0, "with --older: none from more than `N` days ago")
	return c
}

// older loads older articles of feeds, one feed after the other.
func (v fetchVerb) older(ctx context.Context, h *home.Home, ids []int64, limits poller.OlderLimits) error {
	failed := false
	for _, id := range ids {
		last, err := h.Poller.FetchOlder(ctx, id, limits, func(p poller.OlderPage) {
			if v.json {
				v.print(olderLine{p, toMessageLine(p.Message)}, "") //nolint:errcheck // the next line reports it
			}
		})
		switch {
		case errors.Is(err, reader.ErrUnknown):
			return unknown("feed", strconv.FormatInt(id, 10), err)
		case err != nil:
			return err
		case last.End == poller.OlderFailed || last.End == "":
			failed = true
			v.complain("%s: %s", last.Title, text.English().OlderEnd(last))
		case !v.json:
			fmt.Fprintf(v.out, "%s: %s\n", last.Title, text.English().OlderEnd(last))
		}
	}
	if failed {
		return someFailed
	}
	return nil
}

// olderLine is a page with older articles, for JSON.
type olderLine struct {
	poller.OlderPage
	messageLine
}

// fetchLine is the result of a fetch, for JSON.
type fetchLine struct {
	poller.Outcome
	Why string `json:"why,omitempty"`
	messageLine
}

// fetch fetches feeds. For feeds of accounts it syncs these; servers are told to fetch those that fail there.
func (v fetchVerb) fetch(ctx context.Context, h *home.Home, ids []int64) error {
	here, accounts, err := v.split(ctx, h, ids)
	if err != nil {
		return err
	}
	if len(here) > 0 || len(ids) == 0 {
		err = v.fetchHere(ctx, h, here, len(accounts) > 0)
	}
	if err != nil && !errors.Is(err, someFailed) {
		return err
	}
	again, fault := v.fetchThere(ctx, h, ids)
	if fault != nil {
		return fault
	}
	if later := (&accountSync{v.env}).all(ctx, h, accounts); later != nil {
		err = later
	}
	if later := v.reportFailing(ctx, h, again); later != nil {
		err = later
	}
	return err
}

// fetchThere tells servers to fetch those of the feeds that fail there, and returns them.
func (v fetchVerb) fetchThere(ctx context.Context, h *home.Home, ids []int64) (again []reader.Feed, err error) {
	states, err := h.Poller.States(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if s := states[id]; s.There == nil || s.Failures == 0 {
			continue
		}
		f, err := h.Store.Feeds.Get(ctx, id)
		if err != nil {
			return nil, unknown("feed", strconv.FormatInt(id, 10), err)
		}
		if err := h.Subscriptions.Accounts.FetchThere(ctx, f); err != nil {
			v.complain("%s", about(f.Title, errorText(err))) // the synchronization says the same where the server is away
		}
		again = append(again, f)
	}
	return again, nil
}

// reportFailing complains of feeds that still fail at their servers.
func (v fetchVerb) reportFailing(ctx context.Context, h *home.Home, feeds []reader.Feed) (failing error) {
	states, err := h.Poller.States(ctx)
	if err != nil {
		return err
	}
	for _, f := range feeds {
		if s := states[f.ID]; s.Failures > 0 {
			v.complain("%s: %s", f.Title, text.English().Message(s.Message))
			failing = someFailed
		}
	}
	return failing
}

// split returns which of these feeds are fetched here, and the accounts of the others; for no feeds, all accounts.
func (v fetchVerb) split(ctx context.Context, h *home.Home, ids []int64) (here []int64, accounts []reader.Account, err error) {
	if len(ids) == 0 {
		accounts, err = activeAccounts(ctx, h)
		return nil, accounts, err
	}
	for _, id := range ids {
		f, err := h.Store.Feeds.Get(ctx, id)
		switch {
		case err != nil:
			return nil, nil, unknown("feed", strconv.FormatInt(id, 10), err)
		case f.Account == 0:
			here = append(here, id)
		case !slices.ContainsFunc(accounts, func(a reader.Account) bool { return a.ID == f.Account }):
			a, err := h.Store.Accounts.Get(ctx, f.Account)
			if err != nil {
				return nil, nil, err
			}
			accounts = append(accounts, a)
		}
	}
	return here, accounts, nil
}

func (v fetchVerb) fetchHere(ctx context.Context, h *home.Home, ids []int64, more bool) error {
	bar := newProgress(v.env)
	failed := false
	var unread []string // titles of feeds that could not be read
	outcomes, err := h.Poller.Fetch(ctx, ids, func(o poller.Outcome) {
		bar.clear()
		if o.Result != poller.Stored && o.Result != poller.Unchanged {
			failed = true
			unread = append(unread, o.Title)
			hint := ""
			if o.Message.Fetch != nil {
				hint = trustHint(o.Message.Fetch)
			}
			v.complain("%s: %s%s", o.Title, text.English().Message(o.Message), hint)
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
	if len(outcomes) == 0 && !more && !v.json {
		feeds, err := h.Store.Feeds.List(ctx)
		if err != nil {
			return err
		}
		if len(feeds) == 0 {
			fmt.Fprintln(v.out, "no feeds yet")
		} else {
			fmt.Fprintln(v.out, "all feeds are paused: name those to fetch, or resume them with kairos set")
		}
	}
	if len(unread) > 0 && len(outcomes) > 1 {
		v.complain("%d of %d feeds could not be read: %s", len(unread), len(outcomes), strings.Join(unread, ", "))
	}
	if failed {
		return someFailed
	}
	return nil
}
