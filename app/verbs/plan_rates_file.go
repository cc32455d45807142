package verbs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"kairos/poller/plan"
)

// ratesFile is the input of `plan --rates`: rates per hour in equal bins of a period. Numbers are
// pointers where null would otherwise count as 0.
type ratesFile struct {
	Period *float64    `json:"period_h"`
	Bins   *int        `json:"bins"`
	Budget *float64    `json:"budget"` // fetches per period
	Access []*float64  `json:"access"`
	Feeds  []ratesFeed `json:"feeds"`
	Method string      `json:"method"`

	text []byte
}

type ratesFeed struct {
	ID        json.RawMessage `json:"id"` // printed as given
	Weight    *float64        `json:"weight"`
	Posting   []*float64      `json:"posting"`
	MinGap    float64         `json:"min_gap_h"`
	MaxGap    float64         `json:"max_gap_h"`
	Forbidden []*int          `json:"forbidden"`
}

// ratesError is an error at a line of the file.
type ratesError struct {
	line int
	text string
}

func (e *ratesError) Error() string { return e.text }

// maxRatesFile is more than the largest problem needs, in bytes.
const maxRatesFile = 1 << 28

// readRates reads a file of rates. Errors in its content are *ratesError.
func readRates(path string) (*ratesFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, withoutPath(err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxRatesFile+1))
	if err != nil {
		return nil, withoutPath(err)
	}
	if len(text) > maxRatesFile {
		return nil, errors.New("the file is too large")
	}
	file := &ratesFile{text: text}
	if err := json.Unmarshal(text, file); err != nil {
		offset, text := jsonError(err)
		return nil, &ratesError{file.lineAt(offset), "not valid: " + text}
	}
	return file, nil
}

// withoutPath returns an error of a file without its name.
func withoutPath(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// jsonError returns where the decoder failed, and why in the terms of JSON.
func jsonError(err error) (offset int64, text string) {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &kind):
		field := kind.Field
		if field == "" {
			field = "the file"
		}
		return kind.Offset, fmt.Sprintf("%s is %s and should be %s", field, kind.Value, jsonKind(kind.Type))
	case errors.As(err, &syntax) && strings.HasPrefix(syntax.Error(), "unexpected end"):
		return syntax.Offset, "the file ends too early"
	case errors.As(err, &syntax):
		return syntax.Offset, syntax.Error()
	}
	return 0, err.Error()
}

// jsonKind names a type in the terms of JSON.
func jsonKind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct:
		return "an object"
	case reflect.Slice:
		return "an array"
	case reflect.String:
		return "a string"
	case reflect.Int:
		return "a whole number"
	}
	return "a number"
}

func (f *ratesFile) lineAt(offset int64) int {
	return 1 + bytes.Count(f.text[:min(max(0, int(offset)), len(f.text))], []byte("\n"))
}

// lineOf returns the line of the value of a key, or for the key "feeds" that of the i-th feed; 1 if
// there is none.
func (f *ratesFile) lineOf(key string, i int) int {
	dec := json.NewDecoder(bytes.NewReader(f.text))
	skip := func() bool { return dec.Decode(new(json.RawMessage)) == nil }
	dec.Token() //nolint:errcheck // the opening brace; the file is valid JSON
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return 1
		}
		if name != key {
			skip()
			continue
		}
		if key == "feeds" {
			dec.Token() //nolint:errcheck // the opening bracket
			for ; i > 0 && skip(); i-- {
			}
		}
		rest := f.text[dec.InputOffset():]
		return f.lineAt(int64(len(f.text) - len(bytes.TrimLeft(rest, " \t\r\n:,"))))
	}
	return 1
}

// problem converts the file to a problem. It checks what is not part of the problem; package plan
// checks the rest.
func (f *ratesFile) problem() (p plan.Problem, err error) {
	switch plan.Method(f.Method) {
	case plan.Exact, plan.HeParker, plan.Sia, plan.Uniform:
	case "":
		f.Method = string(plan.Exact)
	default:
		return p, &ratesError{f.lineOf("method", 0), fmt.Sprintf("%q is not a method; use exact, he-parker, sia or uniform", f.Method)}
	}
	switch {
	case f.Period == nil:
		return p, &ratesError{1, "period_h (the period in hours) is missing"}
	case f.Budget == nil:
		return p, &ratesError{1, "budget (fetches per period) is missing"}
	case f.Bins != nil && *f.Bins != len(f.Access):
		return p, &ratesError{f.lineOf("access", 0), fmt.Sprintf("the access rate has %d bins, not the %d of the file", len(f.Access), *f.Bins)}
	}
	p = plan.Problem{Period: *f.Period, Budget: *f.Budget}
	if p.Access, err = numbers(f.Access, "the access rate: bin"); err != nil {
		return p, &ratesError{f.lineOf("access", 0), err.Error()}
	}
	for i := range f.Feeds {
		q, err := f.Feeds[i].feed(i)
		if err != nil {
			return p, &ratesError{f.lineOf("feeds", i), err.Error()}
		}
		p.Feeds = append(p.Feeds, q)
	}
	return p, nil
}

// feed converts the i-th feed.
func (f *ratesFeed) feed(i int) (q plan.Feed, err error) {
	q = plan.Feed{ID: int64(i), Weight: 1, MinGap: f.MinGap, MaxGap: f.MaxGap, Day: -1}
	if f.Weight != nil {
		q.Weight = *f.Weight
	}
	if len(f.ID) == 0 {
		return q, fmt.Errorf("feed %d of the file has no id", i+1)
	}
	if q.Posting, err = numbers(f.Posting, fmt.Sprintf("feed %s: the posting rate: bin", f.ID)); err != nil {
		return q, err
	}
	q.Forbidden, err = numbers(f.Forbidden, fmt.Sprintf("feed %s: forbidden bin", f.ID))
	return q, err
}

// numbers returns the values; null is an error.
func numbers[T any](given []*T, name string) ([]T, error) {
	all := make([]T, len(given))
	for k, x := range given {
		if x == nil {
			return nil, fmt.Errorf("%s %d is null, not a number", name, k)
		}
		all[k] = *x
	}
	return all, nil
}

// planError adds the line, and the ID of a feed, to what the planner reports.
func (f *ratesFile) planError(err error) error {
	var wrong *plan.ProblemError
	if !errors.As(err, &wrong) {
		return err
	}
	key := map[plan.Field]string{plan.PeriodField: "period_h", plan.AccessField: "access", plan.BudgetField: "budget"}[wrong.Field]
	if wrong.Field == plan.FeedField {
		return &ratesError{f.lineOf("feeds", wrong.Feed), fmt.Sprintf("feed %s: %v", f.Feeds[wrong.Feed].ID, wrong.Err)}
	}
	return &ratesError{f.lineOf(key, 0), fmt.Sprintf("the %s %v", wrong.Field, wrong.Err)}
}
