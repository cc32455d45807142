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

	"kairos/app/atomicfile"
	"kairos/poller/lab"
	"kairos/poller/lab/papers"
	"kairos/poller/lab/picture"
	"kairos/poller/lab/policy"
	"kairos/poller/lab/traces"
)

// labFlags are the flags of `lab`.
type labFlags struct {
	files             traces.Files
	budgets, policies string
	warmup, relearn   string
	weeks, users      int
	window, half      int
	frozen, laptop    bool
	awake, presence   string
	readings          string
	table, picture    string
}

// tableWeeks is how long a synthetic set has to be for the longest of the papers' tables.
const tableWeeks = 26

// labVerb compares fetching policies.
type labVerb struct{ *env }

func (v labVerb) command() *cobra.Command {
	var f labFlags
	c := &cobra.Command{Use: "lab", Short: "Compare fetching policies on recorded traces", Args: cobra.NoArgs,
		Long: "Replays when feeds posted and when people read under several fetching policies, each with the same\n" +
			"number of fetches, and prints how each would have done. Without files it replays a small synthetic set.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return v.run(cmd.Context(), &f)
		}}
	flags := c.Flags()
	flags.StringVar(&f.files.Posts, "posts", "", "when feeds posted: a `FILE` of feed_id,unix_seconds (.csv or .csv.gz)")
	flags.StringVar(&f.files.Access, "access", "", "when people read: a `FILE` of user_id,unix_seconds")
	flags.StringVar(&f.files.Panel, "panel", "", "which feeds each person reads: a `FILE` of user_id,feed_id (default: everyone reads all)")
	flags.StringVar(&f.files.Users, "users", "", "time zones of people: a `FILE` of user_id,utc_offset_minutes (default: UTC)")
	flags.StringVar(&f.awake, "awake", "", "when machines are awake: a `FILE` of user_id,from,to in Unix seconds (default: always)")
	flags.BoolVar(&f.laptop, "laptop", false, "give everybody a laptop that mostly sleeps when it is not used")
	flags.StringVar(&f.presence, "presence", "", "signs that people are about to come: a `FILE` of user_id,unix_seconds,kind (unlock, return, resume or plugged), or dealt")
	flags.StringVar(&f.budgets, "budgets", "", "fetches per feed and day, like 0.5,1,2,4,8,24")
	flags.StringVar(&f.policies, "policies", "", "policies to compare, or all: "+strings.Join(policy.Names(), ", "))
	flags.StringVar(&f.warmup, "warmup", "", "how much of the past is known at the start, like 14d")
	flags.StringVar(&f.relearn, "relearn", "", "how often policies learn again, like 24h; he-parker, too, which learns once without this")
	flags.IntVar(&f.weeks, "weeks", 0, "replay the last `N` weeks")
	flags.IntVar(&f.window, "window", lab.DefaultWindow, "a feed shows its last `N` items; what has left them before a fetch is lost")
	flags.IntVar(&f.users, "sample", 0, "replay only `N` of the users, evenly spaced")
	flags.IntVar(&f.half, "half", 0, "replay only half `N`, 1 or 2, of the users, with the feeds of that half: choose on one, measure on the other")
	flags.StringVar(&f.readings, "readings", "", "deal who reads what: a post with probability min(1, (1 a day/rate)^`E`), E 0, 0.5 or 1 (default 1), times a taste")
	flags.BoolVar(&f.frozen, "frozen", false, "learn from the warm-up only")
	flags.StringVar(&f.table, "table", "", "replay a table of a paper by its own protocol instead: "+papers.Names())
	flags.StringVar(&f.picture, "picture", "", "also draw delay and readiness by budget into a `FILE` (.png)")
	return c
}

func (v labVerb) run(ctx context.Context, f *labFlags) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	if f.picture != "" {
		if err := f.checkPicture(v.env, o); err != nil {
			return err
		}
	}
	set, err := f.traces(v.env)
	if err == nil {
		err = f.machines(v.env, set)
	}
	if err == nil {
		err = f.signs(v.env, set)
	}
	if err != nil {
		return err
	}
	for _, note := range set.Notes {
		v.complain("%s", note)
	}
	bar := newProgress(v.env)
	what := "users"
	if f.table != "" {
		what = "replays"
	}
	o.Progress = func(done, all int) {
		if bar.on {
			clearLine(v.err)
			fmt.Fprintf(v.err, "%d of %d %s", done, all, what)
			bar.done = done
		}
	}
	if f.table != "" {
		report, err := papers.Run(ctx, f.table, set, o.Protocol, o.Progress)
		bar.clear()
		return v.printReport(report, err)
	}
	rows, err := lab.Run(ctx, set, o)
	bar.clear()
	if err != nil {
		return err
	}
	write := lab.WriteTable
	if v.json {
		write = lab.WriteJSON
	}
	if err := write(v.out, rows); err != nil || f.picture == "" {
		return err
	}
	drawn, err := picture.PNG(lab.Summarize(rows))
	if err == nil {
		err = atomicfile.Write(f.picture, drawn)
	}
	if err != nil {
		return fmt.Errorf("cannot write the picture: %w", err)
	}
	return nil
}

// checkPicture finds before the replay what would keep the picture from being drawn.
func (f *labFlags) checkPicture(e *env, o lab.Options) error {
	if f.table != "" {
		return errors.New("--picture cannot be used with --table")
	}
	f.picture = e.path(f.picture)
	if err := picture.Check(o); err != nil {
		return err
	}
	if err := atomicfile.Check(f.picture); err != nil {
		return fmt.Errorf("cannot write the picture: %w", err)
	}
	return nil
}

// printReport prints a table of a paper.
func (v labVerb) printReport(r *papers.Report, err error) error {
	switch {
	case err != nil:
		return err
	case v.json:
		return r.WriteJSON(v.out)
	}
	return r.WriteTable(v.out)
}

// traces reads the files.
func (f *labFlags) traces(e *env) (*traces.Set, error) {
	for _, name := range []*string{&f.files.Posts, &f.files.Access, &f.files.Panel, &f.files.Users} {
		if *name != "" {
			*name = e.path(*name)
		}
	}
	switch {
	case f.users < 0:
		return nil, fmt.Errorf("--sample must be 0 or more, not %d", f.users)
	case f.half < 0 || f.half > 2:
		return nil, fmt.Errorf("--half must be 1 or 2, not %d", f.half)
	case f.files == traces.Files{}:
		e.complain("no traces given; using a small synthetic set")
		if f.table != "" {
			return traces.SyntheticWeeks(tableWeeks), nil
		}
		return traces.Synthetic(), nil
	case f.files.Posts == "" || f.files.Access == "":
		return nil, errors.New("--posts and --access must be given together")
	}
	set, err := traces.Read(f.files)
	if err != nil {
		return nil, unreadable(err)
	}
	if f.half > 0 {
		if set = set.Half(f.half); len(set.Users) == 0 {
			return nil, fmt.Errorf("half %d of these traces has no users with feeds", f.half)
		}
	}
	return set.Sample(f.users), nil
}

// machines sets when the machines of the people are awake.
func (f *labFlags) machines(e *env, set *traces.Set) error {
	switch {
	case f.awake != "" && f.laptop:
		return errors.New("--awake and --laptop cannot be used together")
	case f.table != "" && (f.awake != "" || f.laptop):
		return errors.New("--awake and --laptop cannot be used with --table, whose machines are always on")
	case f.laptop:
		set.UseLaptops()
	case f.awake != "":
		return unreadable(set.ReadAwake(e.path(f.awake)))
	}
	return nil
}

// dealtPresence is a file name that stands for signs made up.
const dealtPresence = "dealt"

// signs sets what tells that people are about to come; when their machines are awake is known.
func (f *labFlags) signs(e *env, set *traces.Set) error {
	switch {
	case f.presence == "":
	case f.table != "":
		return errors.New("--presence cannot be used with --table, whose people give no signs")
	case f.presence == dealtPresence:
		set.DealPresence(traces.UsualPresence)
	default:
		return unreadable(set.ReadPresence(e.path(f.presence)))
	}
	return nil
}

// unreadable phrases that a file could not be read.
func unreadable(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return fmt.Errorf("cannot read %s: %w", path.Path, path.Err)
	}
	return err
}

// defaults are the options before flags: with --table those of its paper.
func (f *labFlags) defaults() (lab.Options, error) {
	if f.table == "" {
		o := lab.Options{Protocol: lab.DefaultProtocol, Budgets: lab.DefaultBudgets, Policies: policy.Defaults()}
		if f.laptop || f.awake != "" {
			o.Policies = policy.DefaultsAsleep()
		}
		return o, nil
	}
	p, err := papers.Protocol(f.table)
	if err == nil && (f.budgets != "" || f.policies != "" || f.frozen) {
		err = errors.New("--budgets, --policies and --frozen cannot be used with --table, which sets them")
	}
	return lab.Options{Protocol: p}, err
}

func (f *labFlags) options() (lab.Options, error) {
	o, err := f.defaults()
	if err != nil {
		return o, err
	}
	if f.weeks != 0 {
		o.Weeks = f.weeks
	}
	o.Frozen = o.Frozen || f.frozen
	if o.Readings, err = f.readingsModel(); err != nil {
		return o, err
	}
	if o.Window = f.window; f.window < 1 {
		return o, fmt.Errorf("--window must be 1 or more, not %d", f.window)
	}
	if f.budgets != "" {
		o.Budgets = nil
		for s := range strings.SplitSeq(f.budgets, ",") {
			b, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
			if err != nil {
				return o, fmt.Errorf("%q is not a number of fetches per feed and day", s)
			}
			if !slices.Contains(o.Budgets, b) {
				o.Budgets = append(o.Budgets, b)
			}
		}
	}
	if f.policies != "" {
		names := policy.Names()
		if f.policies != "all" {
			names = nil
			for s := range strings.SplitSeq(f.policies, ",") {
				if s = strings.TrimSpace(s); !slices.Contains(names, s) {
					names = append(names, s)
				}
			}
		}
		if o.Policies, err = policy.ByName(names...); err != nil {
			return o, err
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
		o.Policies = policy.Relearning(o.Policies)
	}
	return o, nil
}

// readingsModel returns the model of who reads what.
func (f *labFlags) readingsModel() (*lab.Readings, error) {
	exponents := map[string]float64{"0": 0, "0.5": 0.5, "1": 1}
	model := lab.DefaultReadings
	if f.readings == "" {
		return &model, nil
	}
	exponent, ok := exponents[f.readings]
	switch {
	case !ok:
		return nil, fmt.Errorf("--readings must be 0, 0.5 or 1, not %s", f.readings)
	case f.table != "":
		return nil, errors.New("--readings cannot be used with --table, which counts every post alike")
	}
	model.Exponent = exponent
	return &model, nil
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
