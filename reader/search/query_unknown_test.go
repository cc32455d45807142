package search

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnknowns(t *testing.T) {
	for text, want := range map[string][]Unknown{
		"":                                    nil,
		"river is:unread before:2026 title:a": nil,
		"is:foo":                              {{"is", "foo"}},
		"since:yesterday newer:7d is:begun":   nil,
		"older:soon":                          {{"older", "soon"}},
		"-is:foo river":                       {{"is", "foo"}},
		"before:hello after:2026-02-31":       {{"before", "hello"}, {"after", "2026-02-31"}},
		`from:mary colour:"deep red"`:         {{"from", "mary"}},
		"10:30 https://a.test :x a: \"b:c\"":  nil,
	} {
		if d := cmp.Diff(want, Unknowns(text)); d != "" {
			t.Errorf("%s: %s", text, d)
		}
	}
}
