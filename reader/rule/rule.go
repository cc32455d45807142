// Package rule decides what happens to a new article: whether it is hidden, marked
// read, snoozed, starred, labeled or announced, by its feed, author, title, text, categories and
// address, and by whether another feed told its story already. It is pure: it reads no clock and no file.
package rule

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Field is a part of an article that a condition looks at.
type Field string

const (
	Feed   Field = "feed" // its title, as the user and as the feed has it, and its address
	Author Field = "author"
	Title  Field = "title"
	Text   Field = "text" // without the title

	Folder   Field = "folder"   // of the feed
	Address  Field = "address"  // of the article
	Category Field = "category" // one of those that the feed files it under

	Story Field = "story" // whether another feed carried it before; it has no pattern
)

// Fields lists all fields in the order in which they are offered.
var Fields = []Field{Feed, Author, Title, Text, Category, Folder, Address, Story}

// Condition matches an article if a field contains Pattern as it is written, or matches it as a
// regular expression (RE2); both ignore the case of letters. That on the Story matches if another
// feed carried it before. With Not it matches where it would not match without.
type Condition struct {
	Field   Field  `json:"field"`
	Pattern string `json:"pattern"`
	Regexp  bool   `json:"regexp,omitempty"`
	Not     bool   `json:"not,omitempty"`
}

// Actions say what happens to an article.
type Actions struct {
	Hide   bool  `json:"hide,omitempty"` // from every list; a starred or labeled article is never hidden
	Read   bool  `json:"read,omitempty"`
	Star   bool  `json:"star,omitempty"`
	Notify bool  `json:"notify,omitempty"`
	Snooze bool  `json:"snooze,omitempty"` // until the next visit, unless it is hidden or marked read
	Label  int64 `json:"label,omitempty"`  // id of a label to put on it; 0: none
}

// Snoozes reports whether an article is put away: not if it would come back only to be hidden or read.
func (a Actions) Snoozes() bool { return a.Snooze && !a.Hide && !a.Read }

// Rule applies Actions to every article that its conditions match.
type Rule struct {
	ID         int64       `json:"-"`
	Enabled    bool        `json:"-"`
	Name       string      `json:"name"`
	Any        bool        `json:"any,omitempty"` // one condition is enough; otherwise all must match
	Conditions []Condition `json:"conditions"`
	Actions    Actions     `json:"actions"`
}

// Limits of a rule, which keep fetching fast.
const (
	MaxConditions = 50
	maxPattern    = 1000 // bytes
	maxName       = 200  // bytes
	// MaxText is how much of an article's text is searched, in bytes.
	MaxText = 200_000
)

// Check returns why a rule cannot be used; nil if it can. Errors: *Error.
func (r Rule) Check() error {
	switch {
	case len(r.Conditions) == 0:
		return &Error{Code: NoCondition, Condition: WholeRule}
	case len(r.Conditions) > MaxConditions:
		return &Error{Code: TooManyConditions, Condition: WholeRule, Limit: MaxConditions}
	case r.Actions == Actions{}:
		return &Error{Code: NoAction, Condition: WholeRule}
	case len(r.Name) > maxName || !utf8.ValidString(r.Name):
		return &Error{Code: NameTooLong, Condition: WholeRule}
	}
	_, err := compileRule(r)
	return err
}

// NeedsText reports whether a condition looks at the text of articles.
func (r Rule) NeedsText() bool {
	return slices.ContainsFunc(r.Conditions, func(c Condition) bool { return c.Field == Text })
}

// Set is a list of rules that are ready to be applied, in their order.
type Set struct{ rules []*compiledRule }

// Verdict is what the rules of a set do to an article together.
type Verdict struct {
	Actions
	HiddenBy int64   // id of the first rule that hides it; 0 if none does
	Labels   []int64 // those of all rules, each once
}

// None reports whether no rule matches.
func (v Verdict) None() bool { return v.Actions == Actions{} }

// Compile prepares rules. It leaves out those that cannot be used; its error joins the reasons.
func Compile(rules []Rule) (*Set, error) {
	s := &Set{}
	var unusable []error
	for _, r := range rules {
		c, err := compileRule(r)
		if err != nil {
			unusable = append(unusable, fmt.Errorf("rule %q: %w", r.Name, err))
			continue
		}
		s.rules = append(s.rules, c)
	}
	return s, errors.Join(unusable...)
}

// Empty reports whether there are no rules.
func (s *Set) Empty() bool { return s == nil || len(s.rules) == 0 }

// Apply combines the actions of all rules that match an article. An article that
// one of them stars or labels is not hidden by the others.
func (s *Set) Apply(a *Article) (v Verdict) {
	if s.Empty() {
		return v
	}
	for _, r := range s.rules {
		if !r.matches(a) {
			continue
		}
		if r.Actions.Hide && v.HiddenBy == 0 {
			v.HiddenBy = r.ID
		}
		v.Hide = v.Hide || r.Actions.Hide
		v.Read = v.Read || r.Actions.Read
		v.Star = v.Star || r.Actions.Star
		v.Notify = v.Notify || r.Actions.Notify
		v.Snooze = v.Snooze || r.Actions.Snooze
		if label := r.Actions.Label; label != 0 && !slices.Contains(v.Labels, label) {
			v.Labels = append(v.Labels, label)
			v.Label = v.Labels[0]
		}
	}
	v.Snooze = v.Snoozes()
	if v.Star || len(v.Labels) > 0 {
		v.Hide, v.HiddenBy = false, 0
	}
	v.Notify = v.Notify && !v.Hide && !v.Snooze
	return v
}
