package verbs

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func planRates(t *testing.T, text, method string) (ratesPlan, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "rates.json")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	e := &env{json: true, out: &out, err: &out}
	err := (planVerb{e}).showRates(t.Context(), name, method)
	var got ratesPlan
	if err == nil {
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
	} else if out.Len() > 0 {
		t.Errorf("output in spite of an error: %s", out.String())
	}
	return got, err
}

// Two feeds with constant rates, one eight times the other: by the cube root it gets twice the
// fetches, D = λc λp T³/(6 m²).
func TestPlanRates(t *testing.T) {
	got, err := planRates(t, `{"period_h":12,"bins":12,"budget":6,"access":[1,1,1,1,1,1,1,1,1,1,1,1],"feeds":[
		{"id":"busy","weight":1,"posting":[8,8,8,8,8,8,8,8,8,8,8,8]},
		{"id":7,"weight":1,"posting":[1,1,1,1,1,1,1,1,1,1,1,1]}]}`, "")
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Feeds) != 2 || string(got.Feeds[0].ID) != `"busy"` || string(got.Feeds[1].ID) != "7" {
		t.Fatalf("%+v", got)
	}
	for i, want := range []int{4, 2} {
		f := got.Feeds[i]
		delay := []float64{8, 1}[i] * 12 * 12 * 12 / (6 * float64(want*want))
		if f.Every != 1 || len(f.At) != want || math.Abs(f.Delay-delay) > 1e-9 {
			t.Errorf("feed %s: %+v, want %d fetches and a delay of %v", f.ID, f, want, delay)
		}
	}
	if math.Abs(got.Delay-got.Feeds[0].Delay-got.Feeds[1].Delay) > 1e-9 || !(got.Price > 0) || got.Warnings == nil {
		t.Errorf("%+v", got)
	}
	for _, method := range []string{"he-parker", "sia", "uniform"} {
		if _, err := planRates(t, `{"period_h":2,"bins":2,"budget":1,"access":[1,1],"feeds":[{"id":1,"weight":1,"posting":[1,1]}]}`, method); err != nil {
			t.Errorf("%s: %v", method, err)
		}
	}
}

func TestPlanRatesErrors(t *testing.T) {
	feed := func(rest string) string {
		return `{"period_h":2,"bins":2,"budget":1,"access":[1,1],"feeds":[{"id":"f1","weight":1,` + rest + `}]}`
	}
	for name, c := range map[string]struct{ text, want string }{
		"negative":       {feed(`"posting":[1,-1]`), `feed "f1": the posting rate: bin 1 must be`},
		"wrong length":   {feed(`"posting":[1]`), `feed "f1": the posting rate has 1 bins`},
		"NaN":            {feed(`"posting":[1,NaN]`), "not valid"},
		"too large":      {feed(`"posting":[1,1e999]`), "not valid"},
		"gaps":           {feed(`"posting":[1,1],"min_gap_h":3,"max_gap_h":2`), `feed "f1": the shortest gap`},
		"forbidden":      {feed(`"posting":[1,1],"forbidden":[0,1]`), `feed "f1": every bin is forbidden`},
		"bins":           {`{"period_h":2,"bins":3,"budget":1,"access":[1,1],"feeds":[]}`, "has 2 bins, not the 3"},
		"no budget":      {`{"period_h":2,"access":[1,1],"feeds":[]}`, "budget"},
		"minus budget":   {`{"period_h":2,"budget":-1,"access":[1,1],"feeds":[]}`, "the budget must be"},
		"no period":      {`{"budget":2,"access":[1,1],"feeds":[]}`, "period_h"},
		"method":         {`{"period_h":2,"budget":1,"access":[1],"feeds":[],"method":"magic"}`, `"magic" is not a method`},
		"no id":          {`{"period_h":2,"budget":1,"access":[1],"feeds":[{"posting":[1]}]}`, "feed 1 of the file has no id"},
		"cut short":      {`{"period_h":2,`, "ends too early"},
		"more follows":   {`{"period_h":2,"budget":1,"access":[1],"feeds":[]} {}`, "rates.json:1: not valid: invalid character '{' after top-level value"},
		"not a number":   {`{"period_h":"2"}`, "period_h is string and should be a number"},
		"null":           {feed(`"posting":[1,null]`), `feed "f1": the posting rate: bin 1 is null`},
		"null access":    {`{"period_h":2,"budget":1,"access":[1,` + "\n" + `null],"feeds":[]}`, "rates.json:1: the access rate: bin 1 is null"},
		"forbid null":    {feed(`"posting":[1,1],"forbidden":[null]`), `feed "f1": forbidden bin 0 is null`},
		"forbid half":    {feed(`"posting":[1,1],"forbidden":[0.5]`), `forbidden is number 0.5 and should be a whole number`},
		"monstrous":      {feed(`"posting":[1,1e300]`), `feed "f1": the posting rate: bin 1 is 1e+300`},
		"an age":         {`{"period_h":1e300,"budget":1,"access":[1],"feeds":[]}`, "the period of 1e+300 h is longer"},
		"heavy":          {feed(`"posting":[1,1],"weight":1e300`), `feed "f1": the weight 1e+300 is larger`},
		"line of budget": {"{\"period_h\":2,\n\"access\":[1],\"feeds\":[],\n\"budget\":-1}", "rates.json:3: the budget must be"},
		"line of access": {"{\"feeds\":[],\n\"period_h\":2,\"budget\":1,\n\"access\":\n[-1]}", "rates.json:4: the access rate is not valid: bin 0"},
		"line of a feed": {"{\"period_h\":2,\"budget\":1,\"access\":[1],\"feeds\":[\n{\"id\":1,\"posting\":[1]},\n\n{\"id\":2,\"posting\":[-1]}\n]}", "rates.json:4: feed 2: the posting rate"},
		"line of a word": {"{\"period_h\":2,\n\"budget\":\n\nfew}", "rates.json:4: not valid"},
		"empty":          {"", "rates.json:1: not valid: the file ends too early"},
		"binary":         {"\x1f\x8b\x08\x00\xff", "rates.json:1: not valid"},
		"not an object":  {`[1]`, "the file is array and should be an object"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := planRates(t, c.text, ""); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func TestPlanRatesAtTheEdges(t *testing.T) {
	for name, text := range map[string]string{
		"no budget":   `{"period_h":24,"budget":0,"access":[1,1],"feeds":[{"id":1,"weight":1,"posting":[1,1]}]}`,
		"all zero":    `{"period_h":24,"budget":2,"access":[0,0],"feeds":[{"id":1,"weight":1,"posting":[0,0]}]}`,
		"more than n": `{"period_h":24,"budget":9,"access":[1,1],"feeds":[{"id":1,"weight":1,"posting":[1,1]}]}`,
		"no feeds":    `{"period_h":24,"budget":9,"access":[1,1],"feeds":[]}`,
	} {
		got, err := planRates(t, text, "")
		if err != nil || got.Feeds == nil || got.Warnings == nil {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		for _, f := range got.Feeds {
			if f.At == nil || len(f.At) > 2 {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}
