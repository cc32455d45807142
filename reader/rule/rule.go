// Package rule decides what is done with an article when it arrives: whether it is hidden,
// marked read, starred or told of, by what its feed, author, title or text say. It is pure:
// it reads no clock and no file.
package rule

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Field is what a condition looks at.
type Field string

const (
	Feed   Field = "feed" // its title, as the user and as the feed says it, and its address
	Author Field = "author"
	Title  Field = "title"
	Text   Field = "text" // what the article says, without its title
)

// Fields are all of them, in the order they are offered.
var Fields = []Field{Feed, Author, Title, Text}

// Condition holds for an article whose field contains words as they are written or is
// matched by a regular expression (RE2), whatever the case of letters.
type Condition struct {
	Field   Field  `json:"field"`
	Pattern string `json:"pattern"`
	Regexp  bool   `json:"regexp,omitempty"`
}

// Actions are what is done with an article.
type Actions struct {
	Hide   bool `json:"hide,omitempty"` // out of every list; a starred article is never hidden
	Read   bool `json:"read,omitempty"`
	Star   bool `json:"star,omitempty"`
	Notify bool `json:"notify,omitempty"`
}

// Rule does something with every article that its conditions hold for.
type Rule struct {
	ID         int64       `json:"-"`
	Enabled    bool        `json:"-"`
	Name       string      `json:"name"`
	Any        bool        `json:"any,omitempty"` // one condition is enough, not all are needed
	Conditions []Condition `json:"conditions"`
	Actions    Actions     `json:"actions"`
}

// Bounds of a rule, so that no list of rules makes fetching slow.
const (
	MaxConditions = 50
	MaxPattern    = 1000 // bytes
	MaxName       = 200  // bytes
	// MaxText is how much of an article's text is looked at, in bytes.
	MaxText = 200_000
)

// Error says in a sentence why a rule cannot be used.
type Error struct {
	Condition int // the one that is wrong, from 0; -1: the rule as a whole
	Said      string
}

func (e *Error) Error() string { return e.Said }

const whole = -1

// Check says why a rule cannot be used; nil if it can. Errors: *Error.
func (r Rule) Check() error {
	switch {
	case len(r.Conditions) == 0:
		return &Error{whole, "A rule needs a condition: without one it would hold for every article."}
	case len(r.Conditions) > MaxConditions:
		return &Error{whole, fmt.Sprintf("A rule has %d conditions at most.", MaxConditions)}
	case r.Actions == Actions{}:
		return &Error{whole, "A rule needs something to do: hide, mark read, star or notify."}
	case len(r.Name) > MaxName || !utf8.ValidString(r.Name):
		return &Error{whole, "The name is too long."}
	}
	_, err := compile(r)
	return err
}

// Article is what conditions look at. The text is asked for only if a condition needs it.
type Article struct {
	FeedNames     []string // titles and address
	Author, Title string
	Text          func() string

	folded map[Field][]string
	plain  map[Field][]string
}

// values are what a field says, once as it is and once as plain words are looked for in it.
func (a *Article) values(f Field) (plain, folded []string) {
	if a.plain == nil {
		a.plain, a.folded = map[Field][]string{}, map[Field][]string{}
	}
	if _, known := a.plain[f]; !known {
		switch f {
		case Feed:
			a.plain[f] = a.FeedNames
		case Author:
			a.plain[f] = []string{a.Author}
		case Title:
			a.plain[f] = []string{a.Title}
		case Text:
			text := ""
			if a.Text != nil {
				text = a.Text()
			}
			a.plain[f] = []string{cut(text, MaxText)}
		}
	}
	return a.plain[f], a.folded[f]
}

// fold keeps what a field says in the form plain words are looked for in.
func (a *Article) fold(f Field) []string {
	plain, folded := a.values(f)
	if folded == nil {
		folded = make([]string, len(plain))
		for i, text := range plain {
			folded[i] = fold(text)
		}
		a.folded[f] = folded
	}
	return folded
}

// fold takes away what plain words do not differ in: the case of letters and how much
// space there is between words.
func fold(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

// cut shortens text to so many bytes, at the end of a letter.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// Set is rules ready to be applied, in their order.
type Set struct{ rules []*compiled }

// Verdict is what the rules of a set do with an article.
type Verdict struct {
	Actions
	Hider int64 // the first rule that hides it; 0: none
}

// Compile makes rules ready. Those that cannot be used are left out and told of.
func Compile(rules []Rule) (*Set, error) {
	s := &Set{}
	var wrong []error
	for _, r := range rules {
		c, err := compile(r)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("rule %q: %w", r.Name, err))
			continue
		}
		s.rules = append(s.rules, c)
	}
	return s, errors.Join(wrong...)
}

// Empty reports whether there is nothing to apply.
func (s *Set) Empty() bool { return s == nil || len(s.rules) == 0 }

// Apply says what is done with an article: what all the rules that hold for it do
// together. What one of them stars none of them hides.
func (s *Set) Apply(a *Article) (v Verdict) {
	if s.Empty() {
		return v
	}
	for _, r := range s.rules {
		if !r.holds(a) {
			continue
		}
		if r.Actions.Hide && v.Hider == 0 {
			v.Hider = r.ID
		}
		v.Hide = v.Hide || r.Actions.Hide
		v.Read = v.Read || r.Actions.Read
		v.Star = v.Star || r.Actions.Star
		v.Notify = v.Notify || r.Actions.Notify
	}
	if v.Star {
		v.Hide, v.Hider = false, 0
	}
	v.Notify = v.Notify && !v.Hide
	return v
}

// NeedsText reports whether a rule looks at the text of articles.
func (r Rule) NeedsText() bool {
	for _, c := range r.Conditions {
		if c.Field == Text {
			return true
		}
	}
	return false
}
