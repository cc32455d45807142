package verbs

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/text"
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

// fetchLine is what a fetch came to.
type fetchLine struct {
	poller.Outcome
	Why string `json:"why,omitempty"`
	messageLine
}

func (e *env) fetch(ctx context.Context, h *home.Home, ids []int64) error {
	bar := newProgress(e)
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
			e.complain("%s: %s", o.Title, text.English().Message(o.Message))
		}
		line := fetchLine{o, text.English().Cause(o.Reason, o.Cause, time.Local), messageLineOf(o.Message)}
		if err := e.print(line, "%s: %s", o.Title, text.English().Outcome(&o)); err != nil {
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

// progress counts on a terminal what has been done.
type progress struct {
	e    *env
	on   bool
	done int
}

func newProgress(e *env) *progress {
	return &progress{e: e, on: isTerminal(e.err)}
}

// isTerminal reports whether a person reads what is written.
func isTerminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
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

// messageLine is a message: its sentence, its code and its values.
type messageLine struct {
	Said   string          `json:"said,omitempty"`
	Code   string          `json:"saidCode,omitempty"`
	Values *poller.Message `json:"saidValues,omitempty"`
}

func messageLineOf(m poller.Message) messageLine {
	if m.IsZero() {
		return messageLine{}
	}
	return messageLine{text.English().Message(m), m.Reason(), &m}
}
