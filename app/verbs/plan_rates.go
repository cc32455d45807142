package verbs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"kairos/app/text"
	"kairos/poller/plan"
)

// ratesPlan is the plan for a file of rates, for JSON.
type ratesPlan struct {
	Delay    float64      `json:"delay"` // Σ w D, h per period
	Price    float64      `json:"price"` // h per fetch
	Feeds    []ratesCycle `json:"feeds"`
	Warnings []string     `json:"warnings"`
}

type ratesCycle struct {
	ID    json.RawMessage `json:"id"`
	Every int             `json:"every"`
	At    []int           `json:"at"`
	Delay float64         `json:"delay"` // D, h per period
}

// showRates prints the plan for the rates in a file. A method, if not "", replaces the file's.
func (v planVerb) showRates(ctx context.Context, name, method string) error {
	out, err := planFile(ctx, v.path(name), method)
	var f *ratesError
	switch {
	case err == nil:
		return v.printRates(out)
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &f):
		return fmt.Errorf("%s:%d: %w", name, f.line, err)
	}
	return fmt.Errorf("%s: %w", name, err)
}

func planFile(ctx context.Context, path, method string) (out ratesPlan, err error) {
	file, err := readRates(path)
	if err != nil {
		return out, err
	}
	if method != "" {
		file.Method = method
	}
	problem, err := file.problem()
	if err != nil {
		return out, err
	}
	result, err := plan.Solve(ctx, problem, plan.Method(file.Method))
	if err != nil {
		return out, file.planError(err)
	}
	out = ratesPlan{Delay: result.Delay, Price: result.Price, Feeds: []ratesCycle{}, Warnings: warningTexts(result.Warnings)}
	for i, c := range result.Feeds {
		out.Feeds = append(out.Feeds, ratesCycle{ID: file.Feeds[i].ID, Every: c.Every, At: append([]int{}, c.At...), Delay: c.Delay})
	}
	return out, nil
}

func (v planVerb) printRates(out ratesPlan) error {
	if v.json {
		return v.print(out, "")
	}
	fmt.Fprintf(v.out, "expected delay %.4g h per period, price %.3g h per fetch\n", out.Delay, out.Price)
	for _, c := range out.Feeds {
		every := "every period"
		if c.Every != 1 {
			every = fmt.Sprintf("every %d periods", c.Every)
		}
		if c.Every == 0 {
			every = "never"
		}
		fmt.Fprintf(v.out, "%s: %s, at bins %v, delay %.4g h per period\n", c.ID, every, c.At, c.Delay)
	}
	for _, w := range out.Warnings {
		v.complain("%s", w)
	}
	return nil
}

// warningTexts describes the warnings of a plan.
func warningTexts(warnings []plan.Warning) []string {
	texts := []string{}
	for _, w := range warnings {
		texts = append(texts, text.English().PlanWarning(w))
	}
	return texts
}
