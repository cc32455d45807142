package verbs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"kairos/poller/plan"
)

// ratesFile is what `plan --rates` reads: rates per hour in equal bins of a period.
type ratesFile struct {
	Period *float64    `json:"period_h"`
	Bins   *int        `json:"bins"`
	Budget *float64    `json:"budget"` // fetches a period
	Access []float64   `json:"access"`
	Feeds  []ratesFeed `json:"feeds"`
	Method string      `json:"method"`
}

type ratesFeed struct {
	ID        json.RawMessage `json:"id"` // given back as it came
	Weight    *float64        `json:"weight"`
	Posting   []float64       `json:"posting"`
	MinGap    float64         `json:"min_gap_h"`
	MaxGap    float64         `json:"max_gap_h"`
	Forbidden []int           `json:"forbidden"`
}

// ratesPlan is what it prints.
type ratesPlan struct {
	Delay    float64      `json:"delay"` // Σ w D, h a period
	Price    float64      `json:"price"` // h a fetch
	Feeds    []ratesCycle `json:"feeds"`
	Warnings []string     `json:"warnings"`
}

type ratesCycle struct {
	ID    json.RawMessage `json:"id"`
	Every int             `json:"every"`
	At    []int           `json:"at"`
	Delay float64         `json:"delay"` // D, h a period
}

// planRates plans from given rates. method, if not "", is used instead of the file's.
func (e *env) planRates(ctx context.Context, name, method string) error {
	file, err := readRates(e.path(name))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if method != "" {
		file.Method = method
	}
	problem, err := file.problem()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	result, err := plan.Solve(ctx, problem, plan.Method(file.Method))
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%s: %s", name, file.trouble(err))
	}
	out := ratesPlan{Delay: result.Delay, Price: result.Price, Feeds: []ratesCycle{}, Warnings: append([]string{}, result.Warnings...)}
	for i, c := range result.Feeds {
		out.Feeds = append(out.Feeds, ratesCycle{ID: file.Feeds[i].ID, Every: c.Every, At: append([]int{}, c.At...), Delay: c.Delay})
	}
	return e.printRates(out)
}

func (e *env) printRates(out ratesPlan) error {
	if e.json {
		return e.print(out, "")
	}
	fmt.Fprintf(e.out, "expected delay %.4g h a period, price %.3g h a fetch\n", out.Delay, out.Price)
	for _, c := range out.Feeds {
		every := "every period"
		if c.Every != 1 {
			every = fmt.Sprintf("every %d periods", c.Every)
		}
		if c.Every == 0 {
			every = "never"
		}
		fmt.Fprintf(e.out, "%s: %s at bins %v, delay %.4g h a period\n", c.ID, every, c.At, c.Delay)
	}
	for _, w := range out.Warnings {
		e.complain("%s", w)
	}
	return nil
}

func readRates(path string) (*ratesFile, error) {
	f, err := os.Open(path)
	if err != nil {
		var p *os.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return nil, err
	}
	defer f.Close()
	dec := json.NewDecoder(f)
	var file ratesFile
	if err := dec.Decode(&file); err != nil {
		return nil, fmt.Errorf("this is not the JSON that is wanted: %s", jsonTrouble(err))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows after the JSON object")
	}
	return &file, nil
}

func jsonTrouble(err error) string {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Sprintf("%s at byte %d is a %s, not a %s", kind.Field, kind.Offset, kind.Value, kind.Type)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "it ends too early"
	}
	return err.Error()
}

// problem checks what only the file has; the rest is checked by the planner.
func (f *ratesFile) problem() (p plan.Problem, err error) {
	switch plan.Method(f.Method) {
	case plan.Exact, plan.HeParker, plan.Sia, plan.Uniform:
	case "":
		f.Method = string(plan.Exact)
	default:
		return p, fmt.Errorf("%q is not a method: give exact, he-parker, sia or uniform", f.Method)
	}
	switch {
	case f.Period == nil:
		return p, errors.New("period_h, the length of the period in hours, is missing")
	case f.Budget == nil:
		return p, errors.New("budget, the fetches a period, is missing")
	case f.Bins != nil && *f.Bins != len(f.Access):
		return p, fmt.Errorf("the access rate has %d bins, not the %d of the file", len(f.Access), *f.Bins)
	}
	p = plan.Problem{Period: *f.Period, Access: f.Access, Budget: *f.Budget}
	for i, feed := range f.Feeds {
		q := plan.Feed{ID: int64(i), Weight: 1, Posting: feed.Posting,
			MinGap: feed.MinGap, MaxGap: feed.MaxGap, Forbidden: feed.Forbidden, Day: -1}
		if feed.Weight != nil {
			q.Weight = *feed.Weight
		}
		if len(feed.ID) == 0 {
			return p, fmt.Errorf("feed %d of the file has no id", i+1)
		}
		p.Feeds = append(p.Feeds, q)
	}
	return p, nil
}

// trouble is the planner's sentence about the problem, with the file's names of
// feeds instead of their places.
func (f *ratesFile) trouble(err error) string {
	said := strings.TrimPrefix(err.Error(), "plan: ")
	for i, feed := range f.Feeds {
		if rest, ok := strings.CutPrefix(said, fmt.Sprintf("feed %d: ", i)); ok {
			return fmt.Sprintf("feed %s: %s", feed.ID, rest)
		}
	}
	return said
}
