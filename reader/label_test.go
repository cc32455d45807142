package reader

import (
	"database/sql"
	"errors"
	"slices"
	"strings"
	"testing"

	"kairos/reader/export"
	"kairos/reader/parse"
	"kairos/reader/rule"
)

// saveLabel stores a label and returns its id.
func saveLabel(t testing.TB, s *Store, l Label) (id int64) {
	t.Helper()
	write(t, s, func(tx *sql.Tx) (err error) {
		id, err = SaveLabel(t.Context(), tx, l)
		return err
	})
	return id
}

// putLabel puts a label on articles, or takes it off, and returns the ids it changed.
func putLabel(t testing.TB, s *Store, label int64, ids []int64, on bool) (changed []int64) {
	t.Helper()
	write(t, s, func(tx *sql.Tx) (err error) {
		changed, err = PutLabel(t.Context(), tx, label, ids, on)
		return err
	})
	return changed
}

func labels(t testing.TB, s *Store) []Label {
	t.Helper()
	all, err := s.Labels.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestLabelsAreListedWithTheirArticles(t *testing.T) {
	s := open(t, t.TempDir())
	feed := subscribeFeeds(t, s, 1)[0]
	save(t, s, feed, items(5))
	ids := list(t, s, Query{})
	later, zeug := saveLabel(t, s, Label{Name: "  Read \t later ", Color: 2}), saveLabel(t, s, Label{Name: "Übung"})
	if got := putLabel(t, s, later, ids[:3], true); !slices.Equal(sorted(got), sorted(ids[:3])) {
		t.Errorf("labeled %v of %v", got, ids[:3])
	}
	if got := putLabel(t, s, later, ids, true); len(got) != 2 {
		t.Errorf("labeled %v again", got)
	}
	if got := putLabel(t, s, later, ids[3:], false); len(got) != 2 {
		t.Errorf("took the label off %v", got)
	}
	if got := putLabel(t, s, 999, ids, true); len(got) != 0 {
		t.Errorf("an unknown label was put on %v", got)
	}
	putLabel(t, s, zeug, ids[:1], true)
	mark(t, s, ids, FlagRead, false)
	mark(t, s, ids[:2], FlagRead, true)
	want := []Label{{later, "Read later", 2, 3, 1}, {zeug, "Übung", 0, 1, 0}}
	if got := labels(t, s); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := list(t, s, Query{Label: later}); !slices.Equal(got, ids[:3]) {
		t.Errorf("%v, want %v", got, ids[:3])
	}
	if got, err := s.Labels.Counts(t.Context(), ids[:2]); err != nil || got[later] != 2 || got[zeug] != 1 {
		t.Errorf("%v (%v)", got, err)
	}
	rows, err := s.Articles.Load(t.Context(), ids[:2])
	if err != nil || !slices.Equal(rows[0].Labels, sorted([]int64{later, zeug})) || !slices.Equal(rows[1].Labels, []int64{later}) {
		t.Errorf("%+v (%v)", rows, err)
	}
	if l, err := s.Labels.Find(t.Context(), "ubung"); err != nil || l.ID != zeug {
		t.Errorf("%+v (%v)", l, err)
	}
	mark(t, s, ids[:1], FlagDeleted, true)
	if got := labels(t, s); got[0].Articles != 2 || got[1].Articles != 0 {
		t.Errorf("with a deleted article: %+v", got)
	}
}

func sorted(ids []int64) []int64 {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return ids
}

func TestNamesOfLabels(t *testing.T) {
	s := open(t, t.TempDir())
	id := saveLabel(t, s, Label{Name: "Work"})
	other := saveLabel(t, s, Label{Name: "Home"})
	for _, c := range []struct {
		label Label
		want  error
	}{
		{Label{Name: " "}, ErrLabelName},
		{Label{Name: strings.Repeat("x", MaxLabelName+1)}, ErrLabelName},
		{Label{Name: "a\x00b"}, ErrLabelName},
		{Label{Name: "WORK"}, ErrLabelExists},
		{Label{ID: other, Name: "wörk"}, ErrLabelExists},
		{Label{ID: 999, Name: "New"}, ErrUnknown},
		{Label{ID: id, Name: "WORK", Color: 3}, nil},
	} {
		err := s.Write(t.Context(), func(tx *sql.Tx) error {
			_, err := SaveLabel(t.Context(), tx, c.label)
			return err
		})
		if !errors.Is(err, c.want) {
			t.Errorf("%+v: %v, want %v", c.label, err, c.want)
		}
	}
	if got := labels(t, s)[1]; got.Name != "WORK" || got.Color != 3 {
		t.Errorf("renamed to %+v", got)
	}
	if c := NextLabelColor([]Label{{Color: 0}, {Color: 1}, {Color: 0}}); c != 2 {
		t.Errorf("the next color is %d", c)
	}
}

func TestADeletedLabelComesBackWithItsArticlesAndRules(t *testing.T) {
	s := open(t, t.TempDir())
	feed := subscribeFeeds(t, s, 1)[0]
	save(t, s, feed, items(3))
	ids := list(t, s, Query{})
	id := saveLabel(t, s, Label{Name: "Later", Color: 4})
	putLabel(t, s, id, ids[1:], true)
	saveRule(t, s, rule.Rule{Enabled: true, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "lamp"}}, Actions: rule.Actions{Label: id}})
	var deleted DeletedLabel
	write(t, s, func(tx *sql.Tx) (err error) {
		deleted, err = DeleteLabel(t.Context(), tx, id)
		return err
	})
	if len(labels(t, s)) != 0 || len(list(t, s, Query{})) != 3 || len(deleted.Articles) != 2 {
		t.Errorf("deleted %+v", deleted)
	}
	save(t, s, feed, []parse.Article{{Key: "a", Title: "A lamp", Published: epoch}})
	if n := queryInt(t, s, "SELECT count(*) FROM labelled"); n != 0 {
		t.Errorf("the rule has set a deleted label %d times", n)
	}
	write(t, s, func(tx *sql.Tx) error { return RestoreLabel(t.Context(), tx, deleted) })
	save(t, s, feed, []parse.Article{{Key: "b", Title: "Another lamp", Published: epoch}})
	if got := labels(t, s); len(got) != 1 || got[0].ID != id || got[0].Color != 4 || got[0].Articles != 3 {
		t.Errorf("restored %+v", got)
	}
}

func TestSearchForLabels(t *testing.T) {
	s, _ := searchStore(t)
	for name, key := range map[string]string{"Work": "flood", "Homework": "bees", "To do": "river"} {
		putLabel(t, s, saveLabel(t, s, Label{Name: name}), []int64{int64(queryInt(t, s, "SELECT id FROM status WHERE key = ?", key))}, true)
	}
	for search, want := range map[string]string{
		"label:work": "flood", "label:wor": "flood bees", "label:home": "bees", `label:"to do"`: "river", "label:none": "",
		"label:work OR label:homework": "flood bees", "-label:work label:work": "", "label:homework flowers": "bees",
	} {
		if got := keys(t, s, Query{Search: search}); got != want {
			t.Errorf("%s: %q, want %q", search, got, want)
		}
	}
}

// As starred articles, those with a label stay whatever is cleaned up, unsubscribed or merged.
func TestLabeledArticlesAreKept(t *testing.T) {
	s := open(t, t.TempDir())
	feeds := subscribeFeeds(t, s, 2)
	ids := saveUnlisted(t, s, feeds[0], 4)
	mark(t, s, ids, FlagRead, true)
	label := saveLabel(t, s, Label{Name: "Keep"})
	putLabel(t, s, label, ids[:1], true)
	setRetention(t, s, Retention{Keep: Keep{Days: 30}, Unread: true})
	c := findCleanup(t, s, day(99))
	if c.Articles != 3 {
		t.Errorf("%d would be cleaned up", c.Articles)
	}
	putLabel(t, s, label, ids[1:2], true) // between finding and deleting
	if done, err := s.Storage.CleanUp(t.Context(), c, day(99)); err != nil || done.Articles != 2 {
		t.Errorf("%+v (%v)", done, err)
	}
	if got := list(t, s, Query{Label: label}); !slices.Equal(got, ids[:2]) {
		t.Errorf("%v of %v are left", got, ids[:2])
	}
	mark(t, s, ids[:1], FlagDeleted, true)
	cleanUp(t, s, day(100))
	cleanUp(t, s, day(200))
	mark(t, s, ids[:1], FlagDeleted, false)
	if _, _, err := s.Articles.Body(t.Context(), ids[0]); err != nil {
		t.Errorf("the text of a deleted article with a label: %v", err)
	}
	write(t, s, func(tx *sql.Tx) error { return Unsubscribe(t.Context(), tx, feeds[0], epoch) })
	write(t, s, func(tx *sql.Tx) error { return PurgeFeeds(t.Context(), tx, day(1)) })
	if got := list(t, s, Query{Label: label}); !slices.Equal(got, ids[:2]) {
		t.Errorf("after unsubscribing %v of %v are left", got, ids[:2])
	}
	if got := list(t, s, Query{}); !slices.Equal(got, ids[:2]) {
		t.Errorf("of all, %v are listed", got)
	}
}

func TestMergedFeedsKeepLabels(t *testing.T) {
	s := open(t, t.TempDir())
	feeds := subscribeFeeds(t, s, 2)
	save(t, s, feeds[0], items(2))
	save(t, s, feeds[1], items(2))
	from, into := list(t, s, Query{Feed: feeds[0]}), list(t, s, Query{Feed: feeds[1]})
	one, two := saveLabel(t, s, Label{Name: "One"}), saveLabel(t, s, Label{Name: "Two"})
	putLabel(t, s, one, from[:1], true)
	putLabel(t, s, two, append(slices.Clone(from), into...), true)
	mark(t, s, into[:1], FlagDeleted, true)
	write(t, s, func(tx *sql.Tx) error { return MergeFeeds(t.Context(), tx, feeds[0], feeds[1]) })
	if got := list(t, s, Query{Label: one}); !slices.Equal(got, into[:1]) {
		t.Errorf("label one is on %v, want %v", got, into[:1])
	}
	if got := list(t, s, Query{Label: two}); !slices.Equal(got, into) {
		t.Errorf("label two is on %v, want %v", got, into)
	}
}

func TestRulesSetLabels(t *testing.T) {
	s := open(t, t.TempDir())
	feed := subscribeFeeds(t, s, 1)[0]
	save(t, s, feed, []parse.Article{{Key: "old", Title: "An old lamp", Published: epoch}, {Key: "dark", Title: "Dark", Published: epoch}})
	label := saveLabel(t, s, Label{Name: "Lamps"})
	r := rule.Rule{Enabled: true, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "lamp"}}, Actions: rule.Actions{Label: label}}
	r.ID = saveRule(t, s, r)
	hide := r
	hide.Actions = rule.Actions{Hide: true}
	hide.ID = 0
	hide.ID = saveRule(t, s, hide)
	save(t, s, feed, []parse.Article{{Key: "new", Title: "A new lamp", Published: epoch}})
	if got := keys(t, s, Query{Label: label}); got != "new" {
		t.Errorf("%q has the label", got)
	}
	changes, err := s.Rules.FindChanges(t.Context(), r, func(int) {})
	if err != nil || changes.ToLabel != 1 || len(changes.IDs) != 1 {
		t.Fatalf("%+v (%v)", changes, err)
	}
	var done AppliedRule
	write(t, s, func(tx *sql.Tx) (err error) {
		done, err = ApplyRule(t.Context(), tx, r, changes.IDs, epoch)
		return err
	})
	if got := keys(t, s, Query{Label: label}); got != "new old" || done.Articles() != 1 {
		t.Errorf("%q have the label after %+v", got, done)
	}
	if changes, err := s.Rules.FindChanges(t.Context(), hide, func(int) {}); err != nil || changes.ToHide != 0 {
		t.Errorf("a rule hides labelled articles: %+v (%v)", changes, err)
	}
	write(t, s, func(tx *sql.Tx) error { return UndoRule(t.Context(), tx, done) })
	if got := keys(t, s, Query{Label: label}); got != "new" {
		t.Errorf("%q have the label after undoing", got)
	}
}

func TestExportsNameLabels(t *testing.T) {
	s := open(t, t.TempDir())
	save(t, s, subscribeFeeds(t, s, 1)[0], items(2))
	label := saveLabel(t, s, Label{Name: "To do"})
	putLabel(t, s, label, list(t, s, Query{})[:1], true)
	for _, c := range []struct {
		format export.Format
		want   string
	}{{export.JSONFeed, `"tags":["To do"]`}, {export.Markdown, " · \\#To do*"}} {
		var b strings.Builder
		n, err := s.Articles.Export(t.Context(), &b, c.format, "To do", Query{Label: label})
		if err != nil || n != 1 || !strings.Contains(b.String(), c.want) {
			t.Errorf("%d (%v)\n%s", n, err, b.String())
		}
	}
}
