package rule

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// article returns one about lamps that counts how often its text is read.
func article(textReads *int) *Article {
	return &Article{FeedNames: []string{"My evening paper", "The Daily Lamp", "https://lamp.test/feed"}, Folder: "Papers", Address: "https://lamp.test/7", Categories: []string{"City life", "Sport"}, Author: "Ann B. Lamplighter",
		Title: "Seven  Lamps for ÄRGER – 漢字のテスト", Text: func() string {
			*textReads++
			return "The lamplighter counted\nseven lamps. Version 2.1 is out."
		}}
}

func TestConditions(t *testing.T) {
	for _, c := range []struct {
		field        Field
		pattern      string
		isExpression bool
		want         bool
	}{
		{Title, "seven lamps", false, true},
		{Title, "  SEVEN \t lamps ", false, true},
		{Title, "ärger", false, true},
		{Title, "漢字", false, true},
		{Title, "even lam", false, true}, // also within words
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
		{Folder, "papers", false, true},
		{Folder, "lamp", false, false},
		{Address, "lamp.test/7", false, true},
		{Category, "sport", false, true},
		{Category, "city life sport", false, false},
		{Category, "^sport$", true, true},
		{Category, "^life", true, false},
		{Address, `/\d+$`, true, true},
		{Text, "counted seven", false, true},
		{Text, `version \d+\.\d+`, true, true},
		{Text, "ärger", false, false},
	} {
		textReads := 0
		s, err := Compile([]Rule{{Name: "r", Conditions: []Condition{{Field: c.field, Pattern: c.pattern, Regexp: c.isExpression}}, Actions: Actions{Read: true}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Apply(article(&textReads)).Read; got != c.want {
			t.Errorf("%s %q (expression: %t): %t", c.field, c.pattern, c.isExpression, got)
		}
		if textReads != 0 && c.field != Text {
			t.Errorf("%s %q read the text", c.field, c.pattern)
		}
	}
}

// A condition with Not matches what it would not match otherwise, in all of its names.
func TestNot(t *testing.T) {
	for _, c := range []struct {
		condition Condition
		want      bool
	}{
		{Condition{Field: Title, Pattern: "lamps", Not: true}, false},
		{Condition{Field: Title, Pattern: "candles", Not: true}, true},
		{Condition{Field: Title, Pattern: "^seven", Regexp: true, Not: true}, false},
		{Condition{Field: Feed, Pattern: "daily", Not: true}, false},
		{Condition{Field: Text, Pattern: "candles", Not: true}, true},
	} {
		s, err := Compile([]Rule{{Conditions: []Condition{c.condition}, Actions: Actions{Star: true}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Apply(article(new(int))).Star; got != c.want {
			t.Errorf("%+v: %t", c.condition, got)
		}
	}
}

// A condition on the story looks at no text, and needs no pattern.
func TestStory(t *testing.T) {
	for _, told := range []bool{false, true} {
		for _, not := range []bool{false, true} {
			s, err := Compile([]Rule{{Conditions: []Condition{{Field: Story, Not: not, Regexp: true, Pattern: "("}}, Actions: Actions{Read: true}}})
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Apply(&Article{Title: "Seven lamps", Told: told}).Read; got != (told != not) {
				t.Errorf("told: %t, not: %t: %t", told, not, got)
			}
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

func TestRulesCombine(t *testing.T) {
	on := func(id int64, a Actions, pattern string) Rule {
		return Rule{ID: id, Conditions: []Condition{{Field: Title, Pattern: pattern}, {Field: Text, Pattern: "lamplighter"}}, Actions: a}
	}
	textReads := 0
	for _, c := range []struct {
		rules []Rule
		want  Verdict
	}{
		{nil, Verdict{}},
		{[]Rule{on(1, Actions{Read: true}, "lamps"), on(2, Actions{Notify: true}, "seven"), on(3, Actions{Star: true}, "none")}, Verdict{Actions: Actions{Read: true, Notify: true}}},
		{[]Rule{on(1, Actions{Hide: true}, "lamps"), on(2, Actions{Hide: true, Notify: true}, "seven")}, Verdict{Actions: Actions{Hide: true}, HiddenBy: 1}},
		{[]Rule{on(1, Actions{Hide: true}, "lamps"), on(2, Actions{Star: true, Notify: true}, "seven")}, Verdict{Actions: Actions{Star: true, Notify: true}}},
		{[]Rule{on(1, Actions{Hide: true}, "lamps"), on(2, Actions{Label: 7}, "seven"), on(3, Actions{Label: 5}, "lamps"), on(4, Actions{Label: 7, Read: true}, "lamps")},
			Verdict{Actions: Actions{Read: true, Label: 7}, Labels: []int64{7, 5}}},
		{[]Rule{on(1, Actions{Snooze: true, Notify: true}, "lamps"), on(2, Actions{Star: true}, "seven")}, Verdict{Actions: Actions{Snooze: true, Star: true}}},
		{[]Rule{on(1, Actions{Snooze: true}, "lamps"), on(2, Actions{Read: true}, "seven")}, Verdict{Actions: Actions{Read: true}}},
		{[]Rule{on(1, Actions{Hide: true}, "lamps"), on(2, Actions{Snooze: true}, "seven")}, Verdict{Actions: Actions{Hide: true}, HiddenBy: 1}},
	} {
		s, err := Compile(c.rules)
		if err != nil {
			t.Fatal(err)
		}
		a := article(&textReads)
		if got := s.Apply(a); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v, want %+v", got, c.want)
		}
	}
	if textReads != 7 {
		t.Errorf("the text was read %d times, want once per article", textReads)
	}
	if v := (*Set)(nil).Apply(article(&textReads)); !v.None() {
		t.Errorf("no rules did %+v", v)
	}
}

func TestErrorsOfConditions(t *testing.T) {
	for pattern, want := range map[string]Error{
		"(lamp":      {Code: UnclosedParenthesis, Text: "(lamp"},
		"lamp)":      {Code: UnopenedParenthesis, Text: "lamp)"},
		"[lamp":      {Code: UnclosedBracket, Text: "[lamp"},
		"*lamp":      {Code: NothingToRepeat, Text: "*"},
		"a**":        {Code: RepeatedRepetition, Text: "**"},
		"a{2000}":    {Code: TooManyRepetitions, Text: "{2000}"},
		"[z-a]":      {Code: BadRange, Text: "z-a"},
		"[[:nope:]]": {Code: BadRange, Text: "[:nope:]"},
		`\y`:         {Code: BadEscape, Text: `\y`},
		`a\`:         {Code: TrailingBackslash},
		"(?=lamp)":   {Code: UnsupportedGroup, Text: "(?="},
		"(?<=lamp)":  {Code: UnsupportedGroup, Text: "(?<=lamp)"},
		" ":          {Code: EmptyCondition},
		"":           {Code: EmptyCondition},
		"a\xff":      {Code: InvalidText},

		strings.Repeat("x", 1001):     {Code: ConditionTooLong, Limit: 1000},
		strings.Repeat("(", 999):      {Code: UnclosedParenthesis, Text: strings.Repeat("(", 60)},
		"(((a{100}){100}){100}){100}": {Code: TooManyRepetitions, Text: "{100}"},
	} {
		good := Condition{Field: Title, Pattern: "lamp"}
		err := Rule{Conditions: []Condition{good, {Field: Text, Pattern: pattern, Regexp: true}}, Actions: Actions{Hide: true}}.Check()
		var got *Error
		errors.As(err, &got)
		if want.Condition = 1; got == nil || *got != want {
			t.Errorf("%.30q: %+v, want %+v", pattern, got, want)
		}
	}
	deep := strings.Repeat("(", 499) + strings.Repeat(")", 499)
	if err := (Rule{Conditions: []Condition{{Title, deep, true, false}}, Actions: Actions{Hide: true}}).Check(); err != nil {
		t.Error(err)
	}
}

func TestErrorsOfRules(t *testing.T) {
	one := []Condition{{Field: Title, Pattern: "x"}}
	for _, c := range []struct {
		rule Rule
		want Error
	}{
		{Rule{Actions: Actions{Hide: true}}, Error{Code: NoCondition, Condition: WholeRule}},
		{Rule{Conditions: one}, Error{Code: NoAction, Condition: WholeRule}},
		{Rule{Conditions: make([]Condition, 51), Actions: Actions{Hide: true}}, Error{Code: TooManyConditions, Condition: WholeRule, Limit: 50}},
		{Rule{Name: strings.Repeat("n", 201), Conditions: one, Actions: Actions{Hide: true}}, Error{Code: NameTooLong, Condition: WholeRule}},
		{Rule{Conditions: []Condition{{Field: "colour", Pattern: "x"}}, Actions: Actions{Hide: true}}, Error{Code: UnknownField, Text: "colour"}},
	} {
		var got *Error
		if errors.As(c.rule.Check(), &got); got == nil || *got != c.want {
			t.Errorf("%+v, want %+v", got, c.want)
		}
	}
}

func TestCompileLeavesOutUnusableRules(t *testing.T) {
	s, err := Compile([]Rule{{Name: "bad", Conditions: []Condition{{Title, "(", true, false}}}, {ID: 2, Conditions: []Condition{{Title, "lamps", false, false}}, Actions: Actions{Read: true}}})
	if err == nil || !strings.Contains(err.Error(), `"bad"`) || !s.Apply(article(new(int))).Read {
		t.Errorf("one unusable rule stops the others: %v", err)
	}
}

// No pattern and no text makes a rule panic or read more than its limit.
func FuzzRule(f *testing.F) {
	f.Add("(lamp", "The lamp", true)
	f.Add("漢", strings.Repeat("漢字", 70_000), false)
	f.Add(`\bx+y*\b`, strings.Repeat("x", 300_000), true)
	f.Fuzz(func(t *testing.T, pattern, text string, expr bool) {
		r := Rule{Conditions: []Condition{{Text, pattern, expr, false}}, Actions: Actions{Read: true}}
		s, err := Compile([]Rule{r})
		if (err == nil) != (r.Check() == nil) {
			t.Fatal("checked and compiled differ")
		}
		a := &Article{Text: func() string { return text }}
		s.Apply(a)
		if plain := a.plainText(Text); len(plain[0]) > MaxText {
			t.Fatal(len(plain[0]))
		}
	})
}

func BenchmarkApply(b *testing.B) {
	var rules []Rule
	for i := range 20 {
		rules = append(rules, Rule{ID: int64(i + 1), Conditions: []Condition{
			{Fields[i%4], fmt.Sprintf("word%d", i), i%5 == 0, false}, {Title, "lamp", false, false}}, Any: i%2 == 0, Actions: Actions{Read: true}})
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

// Expressions of a few letters that repeat each other would take hundreds of megabytes, and hours for an article.
func TestExpressionTooLarge(t *testing.T) {
	one := func(patterns ...string) Rule {
		r := Rule{Actions: Actions{Hide: true}}
		for _, p := range patterns {
			r.Conditions = append(r.Conditions, Condition{Field: Text, Pattern: p, Regexp: true})
		}
		return r
	}
	for name, r := range map[string]Rule{
		"nested": one("(?:" + strings.Repeat("[ab]c?", 160) + "){1000}"),
		"many":   one(slices.Repeat([]string{"x", ".{1,900}y"}, 10)...),
		"long":   one("(?:[a-c]x?y?z?w?){1000}"),
	} {
		var e *Error
		if err := r.Check(); !errors.As(err, &e) || e.Code != ExpressionTooLarge {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := one(".{1,1000}x", `(?:\pL+ ){200}`, strings.Repeat("a", maxPattern)).Check(); err != nil {
		t.Error(err)
	}
}
