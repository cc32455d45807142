package verbs

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kairos/app/home"
)

// accessVerb logs when the user reads.
type accessVerb struct{ *env }

func (v accessVerb) command() *cobra.Command {
	var at, file string
	var list, clear bool
	c := &cobra.Command{Use: "access", Short: "Log that you are reading now, or show or clear the log", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if list {
				return v.reading(cmd.Context(), v.list)
			}
			return v.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				switch {
				case clear:
					return v.clear(ctx, h)
				case file != "":
					return v.importFile(ctx, h, v.path(file))
				}
				return v.record(ctx, h, at)
			})
		}}
	c.Flags().StringVar(&at, "at", "", "log an access at time `T` (RFC 3339) instead of now")
	c.Flags().StringVar(&file, "import", "", "log the accesses in `FILE`, one RFC 3339 time per line")
	c.Flags().BoolVar(&list, "list", false, "print the log, accesses on other devices marked (with --json also when this computer was awake, unlocked, woken or plugged in)")
	c.Flags().BoolVar(&clear, "clear", false, "delete the log and everything learned from it")
	c.MarkFlagsMutuallyExclusive("at", "import", "list", "clear")
	c.AddCommand(accessHintVerb(v).command(), accessForgetVerb(v).command())
	return c
}

func (v accessVerb) record(ctx context.Context, h *home.Home, text string) error {
	at, logged := h.Now(), false
	var err error
	if text == "" {
		logged, err = h.Visits.Record(ctx, at)
	} else if at, err = parseAccess(text, h.Now()); err == nil {
		var n int
		n, err = h.Log.Import(ctx, []time.Time{at}, h.Now())
		logged = n > 0
		h.Poller.Changed()
	}
	if err != nil {
		return err
	}
	format := "logged %s"
	if !logged {
		format = "%s was not logged: it is in the log already, or learning is off"
	}
	return v.print(struct {
		At     string `json:"at"`
		Logged bool   `json:"logged"`
	}{at.Format(time.RFC3339), logged}, format, at.Format(time.RFC3339))
}

func (v accessVerb) clear(ctx context.Context, h *home.Home) error {
	log, err := h.Log.List(ctx)
	if err != nil {
		return err
	}
	if err := h.Visits.Clear(ctx); err != nil {
		return err
	}
	return v.print(struct {
		Cleared int `json:"cleared"`
	}{len(log)}, "%d accesses deleted", len(log))
}

func parseAccess(text string, now time.Time) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, fmt.Errorf("%q is not a time like 2026-01-31T08:15:00+01:00", text)
	}
	if at.Year() < 1990 || at.After(now.Add(time.Minute)) {
		return at, fmt.Errorf("%s is not a possible time of an access", text)
	}
	return at, nil
}

func (v accessVerb) importFile(ctx context.Context, h *home.Home, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("cannot read the file: %w", err)
	}
	defer f.Close()
	var times []time.Time
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if text == "" {
			continue
		}
		at, err := parseAccess(text, h.Now())
		if err != nil {
			return fmt.Errorf("%s line %d: %w", name, n, err)
		}
		times = append(times, at)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	added, err := h.Log.Import(ctx, times, h.Now())
	if err != nil {
		return err
	}
	h.Poller.Changed()
	return v.print(struct {
		Added int `json:"added"`
		Known int `json:"known"`
	}{added, len(times) - added}, "%d added, %d already in the log", added, len(times)-added)
}

func (v accessVerb) list(ctx context.Context, h *home.Home) error {
	log, err := h.Log.List(ctx)
	if err != nil {
		return err
	}
	for _, a := range log {
		l := struct {
			At        string `json:"at"`
			Until     string `json:"until"`
			Elsewhere bool   `json:"elsewhere,omitempty"`
		}{a.At.Format(time.RFC3339), a.Until.Format(time.RFC3339), a.Elsewhere}
		line := l.At
		if a.Elsewhere {
			line += "  elsewhere"
		}
		if err := v.print(l, "%s", line); err != nil {
			return err
		}
	}
	if !v.json {
		return nil
	}
	if err := v.listAwake(ctx, h); err != nil {
		return err
	}
	return v.listSigns(ctx, h)
}

// listSigns prints when the user came back to the machine.
func (v accessVerb) listSigns(ctx context.Context, h *home.Home) error {
	signs, err := h.Log.Signs(ctx)
	if err != nil {
		return err
	}
	for _, s := range signs {
		l := struct {
			Sign string `json:"sign"`
			At   string `json:"signAt"`
		}{string(s.Kind), s.At.Format(time.RFC3339)}
		if err := v.print(l, ""); err != nil {
			return err
		}
	}
	return nil
}

// listAwake prints when the machine was awake, as the log of accesses is: the other thing that is
// learned of the user's habits.
func (v accessVerb) listAwake(ctx context.Context, h *home.Home) error {
	wakings, err := h.Log.Wakings(ctx, h.Now())
	if err != nil {
		return err
	}
	for _, w := range wakings {
		l := struct {
			From string `json:"awakeFrom"`
			To   string `json:"awakeTo"`
		}{w.From.Format(time.RFC3339), w.To.Format(time.RFC3339)}
		if err := v.print(l, ""); err != nil {
			return err
		}
	}
	return nil
}
