package verbs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/poller/lab"
	"kairos/poller/lab/picture"
)

// labFlags are what `lab` is told.
type labFlags struct {
	files             lab.Files
	budgets, policies string
	warmup, relearn   string
	weeks, users      int
	frozen            bool
	table, picture    string
}

func (e *env) labCommand() *cobra.Command {
	var f labFlags
	c := &cobra.Command{Use: "lab", Short: "Replay traces under every policy of fetching", Args: cobra.NoArgs,
		Long: "Replays when feeds posted and when people read, under every policy at the same number of fetches,\n" +
			"and prints what each would have cost. Without files it replays a small synthetic set.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return e.lab(cmd.Context(), &f)
		}}
	flags := c.Flags()
	flags.StringVar(&f.files.Posts, "posts", "", "when feeds posted, a `FILE` of feed_id,unix_seconds (.csv or .csv.gz)")
	flags.StringVar(&f.files.Access, "access", "", "when people read, a `FILE` of user_id,unix_seconds")
	flags.StringVar(&f.files.Panel, "panel", "", "who reads what, a `FILE` of user_id,feed_id (without it everybody everything)")
	flags.StringVar(&f.files.Users, "users", "", "people's zones, a `FILE` of user_id,utc_offset_minutes (without it UTC)")
	flags.StringVar(&f.budgets, "budgets", "", "fetches a feed a day, like 0.5,1,2,4,8,24")
	flags.StringVar(&f.policies, "policies", "", "policies to compare, of "+lab.Names()+"; or all")
	flags.StringVar(&f.warmup, "warmup", "", "how much of the past is known at the start, like 14d")
	flags.StringVar(&f.relearn, "relearn", "", "time between two learnings, like 24h")
	flags.IntVar(&f.weeks, "weeks", 0, "the last `N` weeks are replayed")
	flags.IntVar(&f.users, "sample", 0, "replay `N` of the users only, evenly chosen")
	flags.BoolVar(&f.frozen, "frozen", false, "learn from the warm-up only")
	flags.StringVar(&f.table, "table", "", "replay a table of the papers instead, by its protocol: "+lab.Papers())
	flags.StringVar(&f.picture, "picture", "", "draw delay and ready against the budget, too, into a `FILE` (.png)")
	return c
}

func (e *env) lab(ctx context.Context, f *labFlags) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	if f.picture != "" {
		if err := f.fit(e, o); err != nil {
			return err
		}
	}
	set, err := f.traces(e)
	if err != nil {
		return err
	}
	for _, note := range set.Notes {
		e.complain("%s", note)
	}
	bar := newProgress(e)
	what := "users"
	if f.table != "" {
		what = "replays"
	}
	o.Progress = func(done, all int) {
		if bar.on {
			fmt.Fprintf(e.err, "\r\033[K%d of %d %s", done, all, what)
			bar.done = done
		}
	}
	if f.table != "" {
		report, err := lab.RunPaper(ctx, f.table, set, o)
		bar.clear()
		return e.report(report, err)
	}
	rows, err := lab.Run(ctx, set, o)
	bar.clear()
	if err != nil {
		return err
	}
	write := lab.WriteTable
	if e.json {
		write = lab.WriteJSON
	}
	if err := write(e.out, rows); err != nil || f.picture == "" {
		return err
	}
	drawn, err := picture.PNG(lab.Summarise(rows))
	if err == nil {
		err = home.WriteFile(f.picture, drawn)
	}
	if err != nil {
		return fmt.Errorf("the picture cannot be drawn: %w", err)
	}
	return nil
}

// fit finds out before the replay what would be in the picture's way.
func (f *labFlags) fit(e *env, o lab.Options) error {
	if f.table != "" {
		return errors.New("--picture draws the replay of policies and does not go with --table")
	}
	f.picture = e.path(f.picture)
	if err := picture.Fit(o); err != nil {
		return err
	}
	if err := home.CanWrite(f.picture); err != nil {
		return fmt.Errorf("the picture cannot be drawn: %w", err)
	}
	return nil
}

// report prints a paper's table.
func (e *env) report(r *lab.Report, err error) error {
	switch {
	case err != nil:
		return err
	case e.json:
		return r.WriteJSON(e.out)
	}
	return r.WriteTable(e.out)
}

// traces reads the files.
func (f *labFlags) traces(e *env) (*lab.Set, error) {
	for _, name := range []*string{&f.files.Posts, &f.files.Access, &f.files.Panel, &f.files.Users} {
		if *name != "" {
			*name = e.path(*name)
		}
	}
	switch {
	case f.users < 0:
		return nil, fmt.Errorf("%d users cannot be replayed", f.users)
	case f.files == lab.Files{}:
		e.complain("no traces given: this is a synthetic set")
		return lab.Synthetic(), nil
	case f.files.Posts == "" || f.files.Access == "":
		return nil, errors.New("--posts and --access belong together")
	}
	set, err := lab.Read(f.files)
	var path *os.PathError
	if errors.As(err, &path) {
		return nil, fmt.Errorf("%s cannot be read: %w", path.Path, path.Err)
	}
	if err == nil {
		set = set.Sample(f.users)
	}
	return set, err
}

// base are the options if none is given: a table's are its paper's.
func (f *labFlags) base() (lab.Options, error) {
	if f.table == "" {
		return lab.Defaults(), nil
	}
	o, err := lab.Protocol(f.table)
	if err == nil && (f.budgets != "" || f.policies != "" || f.frozen) {
		err = errors.New("--budgets, --policies and --frozen do not go with --table: it has its own")
	}
	return o, err
}

func (f *labFlags) options() (lab.Options, error) {
	o, err := f.base()
	if err != nil {
		return o, err
	}
	if f.weeks != 0 {
		o.Weeks = f.weeks
	}
	o.Frozen = o.Frozen || f.frozen
	if f.budgets != "" {
		o.Budgets = nil
		for s := range strings.SplitSeq(f.budgets, ",") {
			b, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
			if err != nil {
				return o, fmt.Errorf("%q is not a number of fetches a feed a day", s)
			}
			if !slices.Contains(o.Budgets, b) {
				o.Budgets = append(o.Budgets, b)
			}
		}
	}
	if f.policies == "all" {
		o.Policies = strings.Split(lab.Names(), ", ")
	} else if f.policies != "" {
		o.Policies = nil
		for s := range strings.SplitSeq(f.policies, ",") {
			if s = strings.TrimSpace(s); !slices.Contains(o.Policies, s) {
				o.Policies = append(o.Policies, s)
			}
		}
	}
	if f.warmup != "" {
		if o.Warmup, err = days(f.warmup); err != nil {
			return o, err
		}
	}
	if f.relearn != "" {
		if o.Relearn, err = days(f.relearn); err != nil {
			return o, err
		}
	}
	return o, nil
}

// days reads a duration that may be in days.
func days(s string) (time.Duration, error) {
	if n, ok := strings.CutSuffix(s, "d"); ok {
		if x, err := strconv.ParseFloat(n, 64); err == nil && math.Abs(x) < 1e5 {
			return time.Duration(x * 24 * float64(time.Hour)), nil
		}
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, fmt.Errorf("%q is not a time like 14d or 24h", s)
	}
	return d, nil
}
