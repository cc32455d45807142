package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"kairos/reader/rule"
)

func findChanges(t testing.TB, s *Store, r rule.Rule) RuleChanges {
	t.Helper()
	touched, err := s.Rules.FindChanges(t.Context(), r, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	return touched
}

func applyRule(t testing.TB, s *Store, r rule.Rule) (all AppliedRule) {
	t.Helper()
	for _, ids := range findChanges(t, s, r).Batches() {
		write(t, s, func(tx *sql.Tx) error {
			done, err := ApplyRule(t.Context(), tx, r, ids, epoch)
			all.Add(done)
			return err
		})
	}
	return all
}

func state(t testing.TB, s *Store) string {
	t.Helper()
	var text string
	err := s.Read().QueryRowContext(t.Context(), "SELECT group_concat(id || ':' || read || starred || deleted || hidden, ' ') FROM (SELECT * FROM status ORDER BY id)").Scan(&text)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestApplyRuleToStoredArticles(t *testing.T) {
	s := open(t, t.TempDir())
	feeds := subscribeFeeds(t, s, 2)
	save(t, s, feeds[0], items(30)) // Title 1 … Title 30
	save(t, s, feeds[1], items(1))
	write(t, s, func(tx *sql.Tx) error { return Unsubscribe(t.Context(), tx, feeds[1], epoch) })
	all := list(t, s, Query{}) // Title 30 is the first
	mark(t, s, all[:1], FlagDeleted, true)
	mark(t, s, all[1:2], FlagStarred, true) // 29
	mark(t, s, all[2:3], FlagRead, true)    // 28
	before := state(t, s)
	for _, c := range []struct {
		field                     rule.Field
		words                     string
		does                      rule.Actions
		touched, stars, reads, hs int
	}{
		{rule.Title, "title 2", rule.Actions{Hide: true}, 10, 0, 0, 10}, // 2, 20 … 28: not the starred one
		{rule.Text, "text 2", rule.Actions{Read: true, Hide: true}, 11, 0, 10, 10},
		{rule.Title, "title 2", rule.Actions{Star: true, Hide: true}, 10, 10, 0, 0},
		{rule.Title, "title 2", rule.Actions{Star: true, Read: true}, 11, 10, 10, 0},
		{rule.Title, "title 2", rule.Actions{Notify: true}, 0, 0, 0, 0},
		{rule.Title, "nowhere", rule.Actions{Read: true}, 0, 0, 0, 0},
	} {
		r := ruleFor(c.field, c.words, c.does)
		r.ID = 7
		got := findChanges(t, s, r)
		if got.Examined != 29 || len(got.IDs) != c.touched || got.ToStar != c.stars || got.ToMarkRead != c.reads || got.ToHide != c.hs {
			t.Errorf("%+v would change %+v", c, got)
		}
		done := applyRule(t, s, r)
		if done.Articles() != c.touched || len(done.Starred) != c.stars || len(done.Read) != c.reads || len(done.Hidden) != c.hs {
			t.Errorf("%+v has changed %+v", c, done)
		}
		if n := len(list(t, s, Query{Hidden: true})); n != c.hs {
			t.Errorf("%+v: %d hidden articles are listed", c, n)
		}
		if again := findChanges(t, s, r); len(again.IDs) != 0 {
			t.Errorf("%+v would change %+v again", c, again)
		}
		write(t, s, func(tx *sql.Tx) error { return UndoRule(t.Context(), tx, done) })
		if after := state(t, s); after != before {
			t.Errorf("%+v undone:\n%s\nbefore:\n%s", c, after, before)
		}
	}
}

func TestApplyInvalidRule(t *testing.T) {
	s := open(t, t.TempDir())
	save(t, s, subscribeFeeds(t, s, 1)[0], items(3))
	var wrong *rule.Error
	if _, err := s.Rules.FindChanges(t.Context(), ruleFor(rule.Title, "", rule.Actions{Read: true}), func(int) {}); !errors.As(err, &wrong) {
		t.Error(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := s.Rules.FindChanges(ctx, ruleFor(rule.Title, "x", rule.Actions{Read: true}), func(int) {}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	// An article that was starred between finding and changing is not hidden.
	r := ruleFor(rule.Title, "title", rule.Actions{Hide: true})
	touched := findChanges(t, s, r)
	mark(t, s, touched.IDs[:1], FlagStarred, true)
	write(t, s, func(tx *sql.Tx) error {
		done, err := ApplyRule(t.Context(), tx, r, touched.IDs, epoch)
		if done.Articles() != 2 {
			t.Errorf("hid %+v", done)
		}
		return err
	})
}

func BenchmarkApplyRule(b *testing.B) {
	s, _ := bigStore(b, 500, 200)
	for _, field := range []rule.Field{rule.Title, rule.Text} {
		b.Run(fmt.Sprint("find by ", field), func(b *testing.B) {
			for b.Loop() {
				if t, err := s.Rules.FindChanges(b.Context(), ruleFor(field, "words", rule.Actions{Read: true}), func(int) {}); err != nil || t.Examined != 100_000 {
					b.Fatal(t.Examined, err)
				}
			}
		})
	}
	b.Run("a batch", func(b *testing.B) {
		r := ruleFor(rule.Title, "title", rule.Actions{Read: true})
		ids := findChanges(b, s, r).Batches()[0]
		for b.Loop() {
			write(b, s, func(tx *sql.Tx) error {
				done, err := ApplyRule(b.Context(), tx, r, ids, epoch)
				if err == nil {
					err = UndoRule(b.Context(), tx, done)
				}
				return err
			})
		}
	})
}
