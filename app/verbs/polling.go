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
	said := newFollower(ctx, e, h)
	defer h.Poller.OnOutcome(said.outcome)()
	defer h.Poller.OnActivity(said.activity)()
	if e.home != nil {
		// The owner fetches already; its fetches are told until the asker leaves.
		said.remark(h.Now(), "another Kairos fetches already; this is what it does")
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

// follower prints what the loop does as it does it: a line a fetch, and for people
// what it plans and waits for.
type follower struct {
	ctx  context.Context
	e    *env
	home *home.Home
	talk io.Writer // for what is no fetch; nil if nobody wants to read it
	live bool      // talk is a terminal, where a line can be taken back

	mu    sync.Mutex
	begun bool // a line stands there that goes away with the next one
}

func newFollower(ctx context.Context, e *env, h *home.Home) *follower {
	// What came is told also when the time is up.
	f := &follower{ctx: context.WithoutCancel(ctx), e: e, home: h, talk: e.out, live: isTerminal(e.out)}
	if e.json {
		// Lines of JSON are fetches; the rest is for whoever looks on.
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
		Result: string(o.Result), New: o.New, Spent: spent, Budget: budget, messageLine: messageLineOf(o.Message), Asks: []string{}}
	next := ""
	// A feed that is gone meanwhile has no next fetch.
	if r, err := f.home.Poller.Brief(f.ctx, o.Feed); err == nil {
		l.NextFetch, l.nextReason, l.Asks = stamp(r.Next.At), toNextReason(r.Next.Reason, r.At.Location()), append(l.Asks, r.Asks...)
		if !r.Next.At.IsZero() {
			next = "; next " + poller.When(r.Next.At, r.At)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.clear()
	//nolint:errcheck // a reader that went away ends us through ctx
	f.e.print(l, "%s  %-30s %s (%s: %s)  %d of %d%s", o.At.Local().Format(time.TimeOnly), cut(o.Title, 30), text.English().Outcome(&o), o.Reason, why,
		spent, budget, next)
}

// liveWidth is what of a line that is to be taken back surely fits on a terminal.
const liveWidth = 60

// activity prints what the loop does beside fetches, and what it waits for. The beginning of a fetch is shown until
// there is more to tell.
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
	fmt.Fprint(f.talk, cut(words, liveWidth)+"…")
	f.begun = true
}

// remark prints a line that is no fetch.
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
	if f.begun {
		fmt.Fprint(f.talk, "\r\033[K")
	}
	f.begun = false
}
