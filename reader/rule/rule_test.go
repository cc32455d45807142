package rule

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// article is one about lamps; asking for its text is counted.
func article(asked *int) *Article {
	return &Article{FeedNames: []string{"My evening paper", "The Daily Lamp", "https://lamp.test/feed"}, Author: "Ann B. Lamplighter",
		Title: "Seven  Lamps for ÄRGER – 漢字のテスト", Text: func() string {
			*asked++
			return "The lamplighter counted\nseven lamps. Version 2.1 is out."
		}}
}

func TestConditions(t *testing.T) {
	for _, c := range []struct {
		field   Field
		pattern string
		expr    bool
		want    bool
	}{
		{Title, "seven lamps", false, true},
		{Title, "  SEVEN \t lamps ", false, true},
		{Title, "ärger", false, true},
		{Title, "漢字", false, true},
		{Title, "even lam", false, true}, // contains is meant as it is said
		{Title, "lamps seven", false, false},
		{Title, "s.ven", false, false},
		{Title, "s.ven", true, true},
		{Title, "^seven", true, true},
		{Title, "ärger", true, true},
		{Title, "(?-i)seven", true, false},
		{Title, "a|lamps", true, true},
		{Title, `\blamp\b`, true, false},
		{Author, "lamplighter", false, true},
		{Author, "bob", false, false},
		{Feed, "daily lamp", false, true},
		{Feed, "evening", false, true},
		{Feed, "lamp.test", false, true},
		{Feed, "seven", false, false},
		{Text, "counted seven", false, true},
		{Text, `version \d+\.\d+`, true, true},
		{Text, "ärger", false, false},
	} {
		asked := 0
		s, err := Compile([]Rule{{Name: "r", Conditions: []Condition{{c.field, c.pattern, c.expr}}, Actions: Actions{Read: true}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Apply(article(&asked)).Read; got != c.want {
			t.Errorf("%s %q (expression: %t): %t", c.field, c.pattern, c.expr, got)
		}
		if asked != 0 && c.field != Text {
			t.Errorf("%s %q asked for the text", c.field, c.pattern)
		}
	}
}

func TestAllOrAny(t *testing.T) {
	yes, no := Condition{Field: Title, Pattern: "lamps"}, Condition{Field: Author, Pattern: "bob"}
	for _, c := range []struct {
		any        bool
		conditions []Condition
		want       bool
	}{
		{false, []Condition{yes, yes}, true}, {false, []Condition{yes, no}, false}, {false, []Condition{no, no}, false},
		{true, []Condition{no, yes}, true}, {true, []Condition{no, no}, false},
		{false, nil, false}, {true, nil, false},
	} {
		s, err := Compile([]Rule{{Any: c.any, Conditions: c.conditions, Actions: Actions{Star: true}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Apply(article(new(int))).Star; got != c.want {
			t.Errorf("any %t of %v: %t", c.any, c.conditions, got)
		}
	}
}

func TestRulesAddUp(t *testing.T) {
	on := func(id int64, a Actions, pattern string) Rule {
		return Rule{ID: id, Conditions: []Condition{{Field: Title, Pattern: pattern}, {Field: Text, Pattern: "lamplighter"}}, Actions: a}
	}
	asked := 0
	for _, c := range []struct {
		rules []Rule
		want  Verdict
	}{
		{nil, Verdict{}},
		{[]Rule{on(1, Actions{Read: true}, "lamps"), on(2, Actions{Notify: true}, "seven"), on(3, Actions{Star: true}, "none")}, Verdict{Actions: Actions{Read: true, Notify: true}}},
		{[]Rule{on(1, Actions{Hide: true}, "lamps"), on(2, Actions{Hide: true, Notify: true}, "seven")}, Verdict{Actions: Actions{Hide: true}, Hider: 1}},
		{[]Rule{on(1, Actions{Hide: true}, "lamps"), on(2, Actions{Star: true, Notify: true}, "seven")}, Verdict{Actions: Actions{Star: true, Notify: true}}},
	} {
		s, err := Compile(c.rules)
		if err != nil {
			t.Fatal(err)
		}
		a := article(&asked)
		if got := s.Apply(a); got != c.want {
			t.Errorf("%+v, want %+v", got, c.want)
		}
	}
	if asked != 3 {
		t.Errorf("the text was asked for %d times, want once an article", asked)
	}
	if v := (*Set)(nil).Apply(article(&asked)); v != (Verdict{}) {
		t.Errorf("no rules did %+v", v)
	}
}

func TestWhatIsWrongIsSaid(t *testing.T) {
	for pattern, want := range map[string]string{
		"(lamp": "opened and not closed", "lamp)": "was not opened", "[lamp": "opened and not closed", "*lamp": "Nothing stands before “*”",
		"a**": "follows another: “**”", "a{2000}": "too much at “{2000}”", "[z-a]": "range “z-a”", `\y`: `backslash in “\y”`, `a\`: "ends in a backslash",
		"(?=lamp)": "“(?=”", "(?<=lamp)": "“(?<=lamp)”", " ": "empty", "": "empty", strings.Repeat("(", 999): "not closed", strings.Repeat("x", 1001): "too long",
		strings.Repeat("(", 499) + strings.Repeat(")", 499): "", "a\xff": "cannot be read", "(((a{100}){100}){100}){100}": "too much", "[[:nope:]]": "range",
	} {
		good := Condition{Field: Title, Pattern: "lamp"}
		err := Rule{Conditions: []Condition{good, {Field: Text, Pattern: pattern, Regexp: true}}, Actions: Actions{Hide: true}}.Check()
		var e *Error
		switch {
		case want == "" && err == nil:
		case !errors.As(err, &e) || e.Condition != 1 || !strings.Contains(e.Said, want) || !strings.HasSuffix(e.Said, ".") || len(e.Said) > 300:
			t.Errorf("%.30q is wrong as %v, want it to say %q", pattern, err, want)
		}
	}
	for want, r := range map[string]Rule{
		"needs a condition": {Actions: Actions{Hide: true}},
		"something to do":   {Conditions: []Condition{{Field: Title, Pattern: "x"}}},
		"50 conditions":     {Conditions: make([]Condition, 51), Actions: Actions{Hide: true}},
		"name":              {Name: strings.Repeat("n", 201), Conditions: []Condition{{Field: Title, Pattern: "x"}}, Actions: Actions{Hide: true}},
		"“colour”":          {Conditions: []Condition{{Field: "colour", Pattern: "x"}}, Actions: Actions{Hide: true}},
	} {
		if err := r.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("says %v, want %q", err, want)
		}
	}
	s, err := Compile([]Rule{{Name: "bad", Conditions: []Condition{{Title, "(", true}}}, {ID: 2, Conditions: []Condition{{Title, "lamps", false}}, Actions: Actions{Read: true}}})
	if err == nil || !strings.Contains(err.Error(), `"bad"`) || !s.Apply(article(new(int))).Read {
		t.Errorf("one wrong rule stops the others: %v", err)
	}
}

// No pattern and no text makes a rule panic or look at more than its bound.
func FuzzRule(f *testing.F) {
	f.Add("(lamp", "The lamp", true)
	f.Add("漢", strings.Repeat("漢字", 70_000), false)
	f.Add(`\bx+y*\b`, strings.Repeat("x", 300_000), true)
	f.Fuzz(func(t *testing.T, pattern, text string, expr bool) {
		r := Rule{Conditions: []Condition{{Text, pattern, expr}}, Actions: Actions{Read: true}}
		s, err := Compile([]Rule{r})
		if (err == nil) != (r.Check() == nil) {
			t.Fatal("checked and compiled differ")
		}
		a := &Article{Text: func() string { return text }}
		s.Apply(a)
		if plain, _ := a.values(Text); len(plain[0]) > MaxText {
			t.Fatal(len(plain[0]))
		}
	})
}

func BenchmarkApply(b *testing.B) {
	var rules []Rule
	for i := range 20 {
		rules = append(rules, Rule{ID: int64(i + 1), Conditions: []Condition{
			{Fields[i%4], fmt.Sprintf("word%d", i), i%5 == 0}, {Title, "lamp", false}}, Any: i%2 == 0, Actions: Actions{Read: true}})
	}
	s, err := Compile(rules)
	if err != nil {
		b.Fatal(err)
	}
	text := strings.Repeat("The lamplighter counted seven lamps. ", 60)
	for b.Loop() {
		s.Apply(&Article{FeedNames: []string{"The Daily Lamp"}, Author: "Ann", Title: "Seven Lamps", Text: func() string { return text }})
	}
}
