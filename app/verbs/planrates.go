package verbs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"kairos/app/text"
	"kairos/poller/plan"
)

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
	out, err := planFile(ctx, e.path(name), method)
	var f *fault
	switch {
	case err == nil:
		return e.printRates(out)
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

// warningTexts words the warnings of a plan.
func warningTexts(warnings []plan.Warning) []string {
	texts := []string{}
	for _, w := range warnings {
		texts = append(texts, text.English().PlanWarning(w))
	}
	return texts
}
