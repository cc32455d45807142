package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kairos/reader/parse"
	"kairos/reader/rule"
)

func saveRule(t testing.TB, s *Store, r rule.Rule) (id int64) {
	t.Helper()
	write(t, s, func(tx *sql.Tx) (err error) {
		id, err = SaveRule(t.Context(), tx, r)
		return err
	})
	return id
}

// ruleFor returns a rule with one pattern for one field.
func ruleFor(field rule.Field, pattern string, a rule.Actions) rule.Rule {
	return rule.Rule{Enabled: true, Name: pattern, Conditions: []rule.Condition{{Field: field, Pattern: pattern}}, Actions: a}
}

func rules(t testing.TB, s *Store) []rule.Rule {
	t.Helper()
	all, err := s.Rules.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestRulesApplyToNewArticles(t *testing.T) {
	s := open(t, t.TempDir())
	feed := subscribeFeeds(t, s, 1)[0]
	hider := saveRule(t, s, ruleFor(rule.Title, "Title 1", rule.Actions{Hide: true}))
	saveRule(t, s, ruleFor(rule.Text, "text 2", rule.Actions{Read: true, Notify: true}))
	saveRule(t, s, ruleFor(rule.Title, "3", rule.Actions{Star: true, Notify: true}))
	saveRule(t, s, ruleFor(rule.Title, "4", rule.Actions{Notify: true}))
	off := ruleFor(rule.Title, "title", rule.Actions{Hide: true})
	off.Enabled = false
	saveRule(t, s, off)
	saved := save(t, s, feed, items(5))
	if saved.New != 5 || saved.Unread != 3 || saved.Hidden != 1 || saved.Notice == nil || saved.Notice.Feed != feed {
		t.Fatalf("%+v", saved)
	}
	notified, err := s.Articles.Load(t.Context(), saved.Notice.Articles)
	if err != nil || len(notified) != 2 || notified[0].Title != "Title 3" || notified[1].Title != "Title 4" {
		t.Errorf("notifies of %+v (%v)", notified, err)
	}
	if got := titles(t, s, Query{View: Unread}); fmt.Sprint(got) != "[Title 5 Title 4 Title 3]" {
		t.Errorf("unread: %v", got)
	}
	if got := titles(t, s, Query{View: Starred}); fmt.Sprint(got) != "[Title 3]" {
		t.Errorf("starred: %v", got)
	}
	if got := titles(t, s, Query{Hidden: true}); fmt.Sprint(got) != "[Title 1]" {
		t.Errorf("hidden: %v", got)
	}
	if n := queryInt(t, s, "SELECT hidden FROM status WHERE deleted = 1"); int64(n) != hider {
		t.Errorf("hidden by %d, not %d", n, hider)
	}
	counts, err := s.Articles.Counts(t.Context(), epoch, false)
	if err != nil || counts.Total != 3 {
		t.Errorf("counts %+v (%v)", counts, err)
	}
	// A hidden article does not come back with the next fetch, edited or not.
	edited := items(5)
	edited[4].HTML = "<p>Another text</p>"
	if saved := save(t, s, feed, edited); saved != (ArticleChanges{}) || len(list(t, s, Query{})) != 4 {
		t.Errorf("%+v", saved)
	}
	// Unhiding brings it back, and nothing else.
	mark(t, s, list(t, s, Query{})[:1], FlagDeleted, true)
	every := list(t, s, Query{Hidden: true})
	for _, want := range []int{1, 0} {
		write(t, s, func(tx *sql.Tx) error {
			back, err := UnhideArticles(t.Context(), tx, append(every, 1, 2, 3, 4, 5, 99))
			if back.Count() != want || len(back[hider]) != want {
				t.Errorf("brought back %v, want %d", back, want)
			}
			return err
		})
	}
	if got := titles(t, s, Query{}); !slices.Contains(got, "Title 1") || len(got) != 4 {
		t.Errorf("lists %v", got)
	}
	// Undone, it is hidden by the same rule; and not while it is starred.
	for _, starred := range []bool{false, true} {
		write(t, s, func(tx *sql.Tx) error { return HideAgain(t.Context(), tx, Unhidden{hider: every}) })
		if got := list(t, s, Query{Hidden: true}); slices.Equal(got, every) == starred {
			t.Errorf("starred: %t; hidden: %v", starred, got)
		}
		if n := queryInt(t, s, "SELECT coalesce(max(hidden), 0) FROM status WHERE deleted = 1"); !starred && int64(n) != hider {
			t.Errorf("hidden by %d, not %d", n, hider)
		}
		write(t, s, func(tx *sql.Tx) error {
			_, err := UnhideArticles(t.Context(), tx, every)
			return err
		})
		mark(t, s, every, FlagStarred, true)
	}
}

func TestRulesMatchFeedNames(t *testing.T) {
	s := open(t, t.TempDir())
	feeds := subscribeFeeds(t, s, 2)
	f, err := s.Feeds.Get(t.Context(), feeds[1])
	if err != nil {
		t.Fatal(err)
	}
	f.OwnTitle = "Evening paper"
	write(t, s, func(tx *sql.Tx) error { return UpdateFeed(t.Context(), tx, f) })
	saveRule(t, s, ruleFor(rule.Feed, "evening", rule.Actions{Read: true}))
	if a, b := save(t, s, feeds[0], items(2)), save(t, s, feeds[1], items(2)); a.Unread != 2 || b.Unread != 0 {
		t.Errorf("%+v, %+v", a, b)
	}
}

func TestNoNotificationOfOldArticles(t *testing.T) {
	s := open(t, t.TempDir())
	saveRule(t, s, ruleFor(rule.Title, "title", rule.Actions{Notify: true}))
	saved := saveAt(t, s, subscribeFeeds(t, s, 1)[0], items(5), epoch, epoch.Add(-90*time.Minute))
	if saved.New != 5 || saved.Notice == nil || len(saved.Notice.Articles) != 2 {
		t.Errorf("%+v", saved)
	}
}

func TestRuleOrder(t *testing.T) {
	s := open(t, t.TempDir())
	var ids []int64
	for _, name := range []string{"a", "b", "c", "d"} {
		ids = append(ids, saveRule(t, s, ruleFor(rule.Title, name, rule.Actions{Read: true})))
	}
	order := func() (names string) {
		for _, r := range rules(t, s) {
			names += r.Name
			if !r.Enabled {
				names += "-"
			}
		}
		return names
	}
	var deleted DeletedRule
	for _, step := range []struct {
		do   func(ctx context.Context, tx *sql.Tx) error
		want string
	}{
		{func(ctx context.Context, tx *sql.Tx) error { return MoveRule(ctx, tx, ids[2], -1) }, "acbd"},
		{func(ctx context.Context, tx *sql.Tx) error { return MoveRule(ctx, tx, ids[0], 99) }, "cbda"},
		{func(ctx context.Context, tx *sql.Tx) error { return MoveRule(ctx, tx, ids[0], -99) }, "acbd"},
		{func(ctx context.Context, tx *sql.Tx) error { return EnableRule(ctx, tx, ids[3], false) }, "acbd-"},
		{func(ctx context.Context, tx *sql.Tx) (err error) {
			deleted, err = DeleteRule(ctx, tx, ids[3])
			return err
		}, "acb"},
		{func(ctx context.Context, tx *sql.Tx) error { return RestoreRule(ctx, tx, deleted) }, "acbd-"},
		{func(ctx context.Context, tx *sql.Tx) (err error) {
			deleted, err = DeleteRule(ctx, tx, ids[2])
			return err
		}, "abd-"},
		{func(ctx context.Context, tx *sql.Tx) error { return RestoreRule(ctx, tx, deleted) }, "acbd-"},
		{func(ctx context.Context, tx *sql.Tx) error { _, err := DeleteRule(ctx, tx, ids[2]); return err }, "abd-"},
		{func(ctx context.Context, tx *sql.Tx) error {
			r := ruleFor(rule.Author, "e", rule.Actions{Hide: true})
			r.ID = ids[1]
			_, err := SaveRule(ctx, tx, r)
			return err
		}, "aed-"},
	} {
		write(t, s, func(tx *sql.Tx) error { return step.do(t.Context(), tx) })
		if got := order(); got != step.want {
			t.Errorf("order is %s, want %s", got, step.want)
		}
	}
	if r := rules(t, s)[1]; r.Conditions[0] != (rule.Condition{Field: rule.Author, Pattern: "e"}) || r.Actions != (rule.Actions{Hide: true}) {
		t.Errorf("stored as %+v", r)
	}
	for name, do := range map[string]func(ctx context.Context, tx *sql.Tx) error{
		"move": func(ctx context.Context, tx *sql.Tx) error { return MoveRule(ctx, tx, 99, 1) }, "delete": func(ctx context.Context, tx *sql.Tx) error { _, err := DeleteRule(ctx, tx, 99); return err },
		"enable": func(ctx context.Context, tx *sql.Tx) error { return EnableRule(ctx, tx, 99, true) },
	} {
		err := s.Write(t.Context(), func(tx *sql.Tx) error { return do(t.Context(), tx) })
		if !errors.Is(err, ErrUnknown) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestInvalidRuleIsNotSavedAndDoesNoHarm(t *testing.T) {
	s := open(t, t.TempDir())
	wrong := rule.Rule{Enabled: true, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "(", Regexp: true}}, Actions: rule.Actions{Hide: true}}
	err := s.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := SaveRule(t.Context(), tx, wrong)
		return err
	})
	var e *rule.Error
	if !errors.As(err, &e) || len(rules(t, s)) != 0 {
		t.Error(err)
	}
	if _, err := s.Rules.Try(t.Context(), wrong, time.Time{}, 5); !errors.As(err, &e) {
		t.Errorf("tried: %v", err)
	}
	// A backup or another program may have stored an invalid rule all the same.
	execute(t, s, `INSERT INTO rule (place, enabled, body) VALUES (1, 1, 'nothing'), (2, 1, '{"name":"x","conditions":[{"field":"title","pattern":"(","regexp":true}],"actions":{"hide":true}}')`)
	saveRule(t, s, ruleFor(rule.Title, "title 1", rule.Actions{Read: true}))
	if saved := save(t, s, subscribeFeeds(t, s, 1)[0], items(2)); saved.New != 2 || saved.Unread != 1 {
		t.Errorf("%+v", saved)
	}
	if all := rules(t, s); len(all) != 3 || all[0].Check() == nil || all[1].Check() == nil || all[2].Check() != nil {
		t.Errorf("%+v", all)
	}
	execute(t, s, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO rule (place, enabled, body) SELECT i, 0, '{}' FROM n")
	err = s.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := SaveRule(t.Context(), tx, ruleFor(rule.Title, "one more", rule.Actions{Read: true}))
		return err
	})
	if !errors.As(err, &e) || e.Code != rule.TooManyRules || e.Limit != 500 {
		t.Error(err)
	}
}

func TestTryRule(t *testing.T) {
	s := open(t, t.TempDir())
	feed := subscribeFeeds(t, s, 1)[0]
	saveRule(t, s, ruleFor(rule.Title, "title 30", rule.Actions{Hide: true}))
	save(t, s, feed, items(30)) // an hour apart
	mark(t, s, list(t, s, Query{})[:1], FlagDeleted, true)
	for _, c := range []struct {
		r           rule.Rule
		hours       int
		matched, of int
		newest      string
	}{
		{ruleFor(rule.Title, "title 2", rule.Actions{Hide: true}), 99, 10, 29, "[Title 28 Title 27 Title 26]"},
		{ruleFor(rule.Text, "text 2", rule.Actions{Read: true}), 99, 10, 29, "[Title 28 Title 27 Title 26]"},
		{ruleFor(rule.Title, "title", rule.Actions{Read: true}), 5, 5, 5, "[Title 30 Title 28 Title 27]"},
		{ruleFor(rule.Title, "nothing", rule.Actions{Read: true}), 5, 0, 5, "[]"},
	} {
		trial, err := s.Rules.Try(t.Context(), c.r, epoch.Add(-time.Duration(c.hours)*time.Hour), 3)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, a := range trial.Newest {
			got = append(got, a.Title)
		}
		if trial.Matched != c.matched || trial.Examined != c.of || fmt.Sprint(got) != c.newest {
			t.Errorf("%v: %d of %d, %v; want %d of %d, %s", c.r.Conditions, trial.Matched, trial.Examined, got, c.matched, c.of, c.newest)
		}
	}
	execute(t, s, "UPDATE feed SET removed = 1")
	if trial, err := s.Rules.Try(t.Context(), ruleFor(rule.Title, "title", rule.Actions{Read: true}), time.Time{}, 3); err != nil || trial.Examined != 0 {
		t.Errorf("of a feed that is unsubscribed from: %+v, %v", trial, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := s.Rules.Try(ctx, ruleFor(rule.Title, "x", rule.Actions{Read: true}), time.Time{}, 3); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestHiddenArticlesUseTheirIndex(t *testing.T) {
	s, _ := bigStore(t, 5, 20)
	sel, err := Query{Hidden: true}.selects(t.Context(), s.Read(), nil)
	if err != nil {
		t.Fatal(err)
	}
	where, args := sel.where()
	if plan := queryPlan(t, s, listQuery(where, NewestFirst, 0), args...); !strings.Contains(plan, "INDEX status_hidden") || strings.Contains(plan, "TEMP B-TREE") {
		t.Error(plan)
	}
}

// Thirty new articles under twenty rules, of which four match the text and four are expressions.
func BenchmarkStoreUnderRules(b *testing.B) {
	for _, n := range []int{0, 20, 500} {
		b.Run(fmt.Sprint(n, " rules"), func(b *testing.B) {
			s := open(b, b.TempDir())
			for i := range n {
				r := ruleFor(rule.Fields[i%4], fmt.Sprintf("word%d", i), rule.Actions{Read: true, Notify: true})
				r.Conditions[0].Regexp = i%5 == 0
				saveRule(b, s, r)
			}
			feed := subscribe(b, s, Feed{URL: "https://a.test/"})
			text := "<p>" + strings.Repeat("words ", 2048/6) + "</p>"
			for k := 0; b.Loop(); k++ {
				articles := make([]parse.Article, 30)
				for i := range articles {
					articles[i] = parse.Article{Key: fmt.Sprint(k, "-", i), Title: fmt.Sprint("Title ", k, i), HTML: text,
						Published: epoch.Add(time.Duration(30*k+i) * time.Second)}
				}
				if saved := save(b, s, feed, articles); saved.New != 30 {
					b.Fatal(saved)
				}
			}
		})
	}
}

func BenchmarkTryRule(b *testing.B) {
	s, _ := bigStore(b, 500, 200)
	for _, field := range []rule.Field{rule.Title, rule.Text} {
		b.Run(string(field), func(b *testing.B) {
			for b.Loop() {
				if trial, err := s.Rules.Try(b.Context(), ruleFor(field, "words", rule.Actions{Read: true}), time.Time{}, 50); err != nil || trial.Examined != 100_000 {
					b.Fatal(trial, err)
				}
			}
		})
	}
}
