package verbs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/owner"
	"kairos/app/text"
	"kairos/poller"
	"kairos/poller/report"
	"kairos/reader/content"
)

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
	messageLine

	NextFetch string `json:"nextFetch"`
	nextReason
	Asks []string `json:"asks"` // what the server does, as far as it is heeded
}

// pollVerb fetches in the background, or follows the Kairos that does.
type pollVerb struct{ *env }

func (v pollVerb) command() *cobra.Command {
	var length time.Duration
	c := &cobra.Command{Use: "poll", Short: "Fetch in the background, without a window", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			if length < 0 {
				return fmt.Errorf("--for must not be negative: %v", length)
			}
			if length > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, length)
				defer cancel()
			}
			return v.run(ctx)
		}}
	c.Flags().DurationVar(&length, "for", 0, "stop after `D`, like 90s or 8h")
	return c
}

// run polls until ctx ends. If the Kairos that it follows ends before, it goes on by itself.
func (v pollVerb) run(ctx context.Context) error {
	for {
		err := v.owning(ctx, v.poll)
		// The time given is over, or it was interrupted.
		if ctx.Err() != nil && v.home == nil {
			return nil
		}
		var code *codeError
		left := errors.Is(err, owner.ErrOwnerEnded) || errors.As(err, &code) && code.code == exitSome
		if v.home != nil || !left {
			return err
		}
	}
}

func (v pollVerb) poll(ctx context.Context, h *home.Home) error {
	f := newFollower(ctx, v.env, h)
	if v.home != nil {
		// Said before the first event can come.
		f.remark(h.Now(), "Kairos is already fetching; this is what it does")
	}
	defer h.Poller.OnOutcome(f.outcome)()
	defer h.Poller.OnActivity(f.activity)()
	if v.home != nil {
		// The owner is fetching already: print its fetches until the caller leaves.
		select {
		case <-ctx.Done():
		case <-v.leaving:
		}
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return nil
		}
		return someFailed
	}
	return h.Run(ctx)
}

// follower prints what the loop does: a line for each fetch, and on a terminal its plans and waits.
type follower struct {
	ctx  context.Context
	e    *env
	home *home.Home
	talk io.Writer // for everything but fetches; nil for nowhere
	live bool      // talk is a terminal, on which a line can be replaced

	mu          sync.Mutex
	replaceable bool // the last line is replaced by the next one
}

func newFollower(ctx context.Context, e *env, h *home.Home) *follower {
	// A fetch that ends after the time is up is printed, too.
	f := &follower{ctx: context.WithoutCancel(ctx), e: e, home: h, talk: e.out, live: isTerminal(e.out)}
	if e.json {
		// JSON has only fetches; the rest goes to the terminal.
		f.talk, f.live = e.err, isTerminal(e.err)
		if !f.live {
			f.talk = nil
		}
	}
	return f
}

// outcome prints a fetch.
func (f *follower) outcome(o poller.Outcome) {
	spent, budget, err := f.home.Poller.Spent(f.ctx, o.At)
	if err != nil {
		f.e.complain("%s", errorText(err))
	}
	why := text.English().Cause(o.Reason, o.Cause, time.Local)
	l := pollLine{Time: stamp(o.At), Feed: o.Feed, Title: o.Title, Reason: string(o.Reason), Why: why, Status: o.Status,
		Result: string(o.Result), New: o.New, Spent: spent, Budget: budget, messageLine: toMessageLine(o.Message), Asks: []string{}}
	next := ""
	// A feed that was removed meanwhile has no next fetch.
	if r, err := report.Brief(f.ctx, f.home.Poller, o.Feed); err == nil {
		l.NextFetch, l.nextReason = stamp(r.Next.At), toNextReason(r.Next.Reason, r.At.Location())
		for _, limit := range r.Limits {
			l.Asks = append(l.Asks, text.English().Limit(limit, r.At))
		}
		if !r.Next.At.IsZero() {
			next = "; next " + text.English().When(r.Next.At, r.At)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.clear()
	//nolint:errcheck // if the output is closed, ctx ends
	f.e.print(l, "%s  %-30s %s (%s: %s)  %d of %d%s", o.At.Local().Format(time.TimeOnly), content.Cut(o.Title, 30), text.English().Outcome(&o), o.Reason, why,
		spent, budget, next)
}

// liveWidth is the length of replaceable lines, which must fit on a terminal.
const liveWidth = 60

// activity prints what the loop does besides fetches, and what it waits for. The start of a fetch is
// shown until the next line.
func (f *follower) activity(a poller.Activity) {
	words := text.English().Activity(a)
	if a.Code != poller.Fetching {
		f.remark(a.At, words)
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.talk == nil || !f.live {
		return
	}
	f.clear()
	fmt.Fprint(f.talk, content.Cut(words, liveWidth)+"…")
	f.replaceable = true
}

// remark prints a line that is not a fetch.
func (f *follower) remark(at time.Time, words string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.talk == nil {
		return
	}
	f.clear()
	fmt.Fprintf(f.talk, "%s  %s\n", at.Local().Format(time.TimeOnly), words)
}

func (f *follower) clear() {
	if f.replaceable {
		clearLine(f.talk)
	}
	f.replaceable = false
}
