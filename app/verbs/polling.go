package verbs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/owner"
	"kairos/poller"
)

func (e *env) fetchCommand() *cobra.Command {
	return &cobra.Command{Use: "fetch [ID…]", Short: "Fetch feeds now",
		RunE: func(cmd *cobra.Command, args []string) error {
			var ids []int64
			for _, arg := range args {
				id, err := parseID(arg)
				if err != nil {
					return err
				}
				ids = append(ids, id)
			}
			return e.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				return e.fetch(ctx, h, ids)
			})
		}}
}

func (e *env) fetch(ctx context.Context, h *home.Home, ids []int64) error {
	bar := newProgress(e)
	failed := false
	for _, id := range ids {
		if _, err := h.Store.Feed(ctx, id); err != nil {
			return unknown("feed", strconv.FormatInt(id, 10), err)
		}
	}
	outcomes, err := h.Poller.Fetch(ctx, ids, func(o poller.Outcome) {
		bar.clear()
		if o.Result != poller.Stored && o.Result != poller.Unchanged {
			failed = true
			e.complain("%s: %s", o.Title, o.Said)
		}
		if err := e.print(o, "%s: %s", o.Title, summary(o)); err != nil {
			failed = true
		}
		bar.step()
	})
	bar.clear()
	if err != nil {
		return err
	}
	if len(outcomes) == 0 && !e.json {
		fmt.Fprintln(e.out, "no feeds yet")
	}
	if failed {
		return someFailed
	}
	return nil
}

// summary says an outcome in a few words.
func summary(o poller.Outcome) string {
	switch o.Result {
	case poller.Stored:
		if o.Updated > 0 {
			return fmt.Sprintf("%d new, %d edited", o.New, o.Updated)
		}
		return fmt.Sprintf("%d new", o.New)
	case poller.Unchanged:
		if o.Said != "" {
			return o.Said
		}
		return "nothing new"
	}
	return o.Said
}

// progress counts on a terminal what has been done.
type progress struct {
	e    *env
	on   bool
	done int
}

func newProgress(e *env) *progress {
	info, err := os.Stderr.Stat()
	return &progress{e: e, on: e.err == os.Stderr && err == nil && info.Mode()&os.ModeCharDevice != 0}
}

func (p *progress) clear() {
	if p.on && p.done > 0 {
		fmt.Fprint(p.e.err, "\r\033[K")
	}
}

func (p *progress) step() {
	p.done++
	if p.on {
		fmt.Fprintf(p.e.err, "%d feeds done", p.done)
	}
}

// pollLine is a fetch as `poll` prints it.
type pollLine struct {
	Time   string `json:"time"`
	Feed   int64  `json:"feed"`
	Title  string `json:"title"`
	Reason string `json:"reason"`
	Why    string `json:"why"`
	Status int    `json:"status"`
	Result string `json:"result"`
	New    int    `json:"new"`
	Spent  int    `json:"spent"`
	Budget int    `json:"budget"`
	Said   string `json:"said,omitempty"`
}

func (e *env) pollCommand() *cobra.Command {
	var length time.Duration
	c := &cobra.Command{Use: "poll", Short: "Fetch in the background, without a window", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			if length < 0 {
				return fmt.Errorf("%v is no time to poll for", length)
			}
			if length > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, length)
				defer cancel()
			}
			return e.keepPolling(ctx)
		}}
	c.Flags().DurationVar(&length, "for", 0, "end after `D` (like 90s or 8h)")
	return c
}

// keepPolling polls until ctx ends, also when an owner that was listened to ends
// before.
func (e *env) keepPolling(ctx context.Context) error {
	for {
		err := e.owning(ctx, e.poll)
		// The end of the time given is the end that was asked for; so is Ctrl+C.
		if ctx.Err() != nil && e.home == nil {
			return nil
		}
		var code *codeError
		left := errors.Is(err, owner.ErrLeft) || errors.As(err, &code) && code.code == exitSome
		if e.home != nil || !left {
			return err
		}
	}
}

func (e *env) poll(ctx context.Context, h *home.Home) error {
	var mu sync.Mutex
	stop := h.Poller.Tell(func(o poller.Outcome) {
		mu.Lock()
		defer mu.Unlock()
		spent, budget, err := h.Poller.Spent(ctx, o.At)
		if err != nil {
			e.complain("%s", poller.Sentence(err))
		}
		l := pollLine{Time: stamp(o.At), Feed: o.Feed, Title: o.Title, Reason: string(o.Reason), Why: o.Why, Status: o.Status,
			Result: string(o.Result), New: o.New, Spent: spent, Budget: budget, Said: o.Said}
		//nolint:errcheck // a reader that went away ends us through ctx
		e.print(l, "%s  %-30s %s (%s: %s)  %d of %d", o.At.Local().Format("15:04:05"), cut(o.Title, 30), summary(o), o.Reason, o.Why, spent, budget)
	})
	defer stop()
	if e.home != nil {
		// The owner fetches already; its fetches are told until the asker leaves.
		select {
		case <-ctx.Done():
		case <-e.leaving:
		}
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return nil
		}
		return someFailed
	}
	return h.Run(ctx)
}
