package reader

import (
	"fmt"
	"slices"
	"testing"

	"kairos/reader/rule"
)

// TestCategoriesAreStored stores what articles are filed under, also of those that an earlier version stored without, and rules
// look at it.
func TestCategoriesAreStored(t *testing.T) {
	s := open(t, t.TempDir())
	feed := subscribeFeeds(t, s, 1)[0]
	saveRule(t, s, ruleFor(rule.Category, "sport", rule.Actions{Star: true}))
	articles := items(3)
	save(t, s, feed, articles)
	articles = append(articles, items(4)[0])
	articles[0].Categories, articles[3].Categories = []string{"Sport", "Rivers"}, []string{"Motor sport"}
	if saved := save(t, s, feed, articles); saved.New != 1 || saved.Updated != 0 {
		t.Errorf("%+v", saved)
	}
	ids, err := s.Articles.IDs(t.Context(), Query{})
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := s.Articles.Load(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, a := range loaded {
		got[a.Title] = a.Categories
		if a.Starred != (a.Title == articles[3].Title) {
			t.Errorf("%q is starred: %v", a.Title, a.Starred)
		}
	}
	if want := map[string][]string{articles[0].Title: {"Sport", "Rivers"}, articles[1].Title: nil, articles[2].Title: nil, articles[3].Title: {"Motor sport"}}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	facts := 0
	if err := s.Articles.Facts(t.Context(), ids, func(f Facts) {
		if facts++; !slices.Equal(f.Categories, got[f.Title]) {
			t.Errorf("facts of %q: %v", f.Title, f.Categories)
		}
	}); err != nil || facts != 4 {
		t.Errorf("%d facts (%v)", facts, err)
	}
	c, err := s.Rules.FindChanges(t.Context(), ruleFor(rule.Category, "^sport$", rule.Actions{Read: true}), func(int) {})
	if err != nil || len(c.IDs) != 0 {
		t.Errorf("as words: %+v (%v)", c, err)
	}
	exact := ruleFor(rule.Category, "^sport$", rule.Actions{Read: true})
	exact.Conditions[0].Regexp = true
	if c, err = s.Rules.FindChanges(t.Context(), exact, func(int) {}); err != nil || len(c.IDs) != 1 {
		t.Errorf("as an expression: %+v (%v)", c, err)
	}
}

// TestSearchCategories finds articles by a part of one of their categories, without regard to case and accents.
func TestSearchCategories(t *testing.T) {
	s := open(t, t.TempDir())
	feed := subscribeFeeds(t, s, 1)[0]
	articles := items(3)
	articles[0].Categories, articles[1].Categories = []string{"Sport", "Café culture"}, []string{"Motor sport"}
	save(t, s, feed, articles)
	for typed, want := range map[string]int{"category:sport": 2, `category:"motor sport"`: 1, "category:CAFE": 1, "-category:sport": 1, "category:sport category:cafe": 1,
		"category:motor OR category:cafe": 2, "category:river": 0, `category:"sport cafe"`: 0} {
		if ids, err := s.Articles.IDs(t.Context(), Query{Search: typed}); err != nil || len(ids) != want {
			t.Errorf("%s: %d articles (%v), want %d", typed, len(ids), err, want)
		}
	}
}
