package reader

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"kairos/reader/parse"
	"kairos/reader/rule"
)

// A rule puts new articles away until the next visit, but none that is read already, and none that was asked for.
func TestRuleSnoozes(t *testing.T) {
	s := open(t, t.TempDir())
	feed := subscribeFeeds(t, s, 1)[0]
	saveRule(t, s, ruleFor(rule.Title, "title 2", rule.Actions{Snooze: true, Notify: true}))
	fetched := items(5)
	saved := saveAt(t, s, feed, fetched, epoch, fetched[1].Published)
	if saved.New != 5 || saved.Unread != queryInt(t, s, "SELECT count(*) FROM status WHERE read = 0 AND deleted = 0") || saved.Notice != nil {
		t.Errorf("%+v", saved)
	}
	saveRule(t, s, ruleFor(rule.Title, "late", rule.Actions{Snooze: true}))
	late := func(key string, at time.Time) []parse.Article {
		return []parse.Article{{Key: key, Title: "Late " + key, Published: at}}
	}
	if saved := saveAt(t, s, feed, late("a", epoch), epoch, time.Time{}); saved.New != 1 || saved.Unread != 0 {
		t.Errorf("%+v", saved)
	}
	if saved := saveAt(t, s, feed, late("b", epoch.Add(-time.Hour)), epoch, epoch); saved.New != 1 { // as read
		t.Errorf("%+v", saved)
	}
	away, err := readSnoozed(t.Context(), s.Read(), "back = 0 ORDER BY until, article")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range away {
		if !a.Visit || !a.Until.Equal(epoch.Add(maxRuleSnooze)) {
			t.Errorf("%+v", a)
		}
	}
	if got := titles(t, s, Query{Snoozed: true}); len(got) != len(away) || got[0] != "Late a" {
		t.Errorf("away: %v", got)
	}
	before := len(list(t, s, Query{}))
	if c := wakeDue(t, s, epoch.Add(time.Hour), false); len(c.Articles) != 0 {
		t.Errorf("%v came back without a visit", c.Articles)
	}
	wakeDue(t, s, epoch.Add(time.Hour), true)
	if got := titles(t, s, Query{}); len(got) != before+len(away) || got[0] != "Late a" {
		t.Errorf("after the visit began: %v", got)
	}
}

func TestApplyRuleThatSnoozes(t *testing.T) {
	s := open(t, t.TempDir())
	save(t, s, subscribeFeeds(t, s, 1)[0], items(30))
	all := list(t, s, Query{})
	mark(t, s, all[2:4], FlagRead, true) // 28 and 27
	before := state(t, s)
	for _, c := range []struct {
		does                 rule.Actions
		touched, away, stars int
	}{
		{rule.Actions{Snooze: true}, 9, 9, 0}, // 2, 20 … 29 but the two that are read
		{rule.Actions{Snooze: true, Star: true}, 11, 9, 11},
		{rule.Actions{Snooze: true, Read: true}, 9, 0, 0},
		{rule.Actions{Snooze: true, Hide: true}, 11, 0, 0},
	} {
		r := ruleFor(rule.Title, "title 2", c.does)
		r.ID = 7
		if got := findChanges(t, s, r); len(got.IDs) != c.touched || got.ToSnooze != c.away || got.ToStar != c.stars {
			t.Errorf("%+v would change %+v", c, got)
		}
		done := applyRule(t, s, r)
		if n := len(list(t, s, Query{Snoozed: true})); done.Articles() != c.touched || n != c.away || len(done.Snoozed.Articles) != c.away {
			t.Errorf("%+v has changed %+v; %d are away", c, done, n)
		}
		if again := findChanges(t, s, r); len(again.IDs) != 0 {
			t.Errorf("%+v would change %+v again", c, again)
		}
		write(t, s, func(tx *sql.Tx) error { return UndoRule(t.Context(), tx, done) })
		if after := state(t, s); after != before || queryInt(t, s, "SELECT count(*) FROM snooze") != 0 {
			t.Errorf("%+v undone:\n%s\nbefore:\n%s", c, after, before)
		}
	}
}

// A condition on the story holds for what another feed told before, in whatever words if the user wants that, when it
// arrives as well as later.
func TestRuleOnStories(t *testing.T) {
	for _, on := range []bool{true, false} {
		s := open(t, t.TempDir())
		setDedupe(t, s, DedupeSettings{Once: on, Alike: on})
		told := rule.Rule{Enabled: true, Conditions: []rule.Condition{{Field: rule.Story}}, Actions: rule.Actions{Star: true}}
		saveRule(t, s, told)
		saveQuakes(t, s)
		want := "[]"
		if on {
			want = "[Two hurt as 6.2 quake shakes western Corvana]"
		}
		if got := fmt.Sprint(titles(t, s, Query{View: Starred})); got != want {
			t.Errorf("stories %t: starred %s", on, got)
		}
		told.Actions = rule.Actions{Read: true}
		trial, err := s.Rules.Try(t.Context(), told, time.Time{}, 9)
		changes := findChanges(t, s, told)
		if matched := len(titles(t, s, Query{View: Starred})); err != nil || trial.Matched != matched || len(changes.IDs) != matched {
			t.Errorf("stories %t: %+v, %+v (%v)", on, trial, changes, err)
		}
	}
}
