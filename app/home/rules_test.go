package home

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"kairos/reader"
	"kairos/reader/parse"
	"kairos/reader/rule"
)

// Apply returns its changes also if it is canceled, so that they can be undone.
func TestCanceledApplyCanBeUndone(t *testing.T) {
	h := openHome(t, t.TempDir(), clockAt(noon))
	feeds, _ := withArticles(t, h)
	err := h.Store.Write(t.Context(), func(tx *sql.Tx) error {
		var many []parse.Article
		for i := range 1200 {
			many = append(many, parse.Article{Key: fmt.Sprint(i), Title: fmt.Sprint("Lamp ", i), Published: noon})
		}
		_, err := reader.StoreArticles(t.Context(), tx, feeds[0], many, noon, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	id, err := h.Rules.Save(t.Context(), rule.Rule{Conditions: []rule.Condition{{Field: rule.Title, Pattern: "lamp"}}, Actions: rule.Actions{Hide: true}})
	if err != nil {
		t.Fatal(err)
	}
	hidden := func() int {
		ids, err := h.Store.Articles.IDs(t.Context(), reader.Query{Hidden: true})
		if err != nil {
			t.Fatal(err)
		}
		return len(ids)
	}
	rules, err := h.Store.Rules.List(t.Context())
	if err != nil || rules[0].ID != id {
		t.Fatal(rules, err)
	}
	touched, err := h.Store.Rules.FindChanges(t.Context(), rules[0], func(int) {})
	if err != nil || len(touched.IDs) != 1200 {
		t.Fatal(len(touched.IDs), err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done, err := h.Rules.Apply(ctx, touched, func(n int) {
		if n == 1000 {
			stop()
		}
	})
	if !errors.Is(err, context.Canceled) || done.Articles() != 1000 || hidden() != 1000 {
		t.Errorf("changed %d articles, %d are hidden (%v)", done.Articles(), hidden(), err)
	}
	if err := h.Rules.Undo(t.Context(), done); err != nil || hidden() != 0 {
		t.Errorf("after Undo %d are hidden (%v)", hidden(), err)
	}
}

// What a rule is said to change is what it changes, with the other articles of the same stories.
func TestRuleChangesWhatItAnnounces(t *testing.T) {
	for name, actions := range map[string]rule.Actions{"read": {Read: true}, "read and hidden": {Read: true, Hide: true}, "snoozed": {Snooze: true}, "starred": {Star: true}} {
		h := openHome(t, t.TempDir(), clockAt(noon))
		feeds, _ := withArticles(t, h)
		if err := h.Duplicates.Set(t.Context(), reader.DedupeSettings{Once: true, ReadTogether: true}); err != nil {
			t.Fatal(err)
		}
		for i, feed := range feeds {
			err := h.Store.Write(t.Context(), func(tx *sql.Tx) error {
				stories := []parse.Article{{Key: "a", Title: "Seven lamps", Link: "https://lamp.test/seven", Published: noon}, {Key: "b", Title: "Fog", Link: "https://lamp.test/fog", Published: noon}}
				if i > 0 { // another word for the same
					stories[0].Title = "The fog"
				}
				_, err := reader.StoreArticles(t.Context(), tx, feed, stories, noon, time.Time{})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		one := rule.Rule{Conditions: []rule.Condition{{Field: rule.Title, Pattern: "seven lamps"}}, Actions: actions}
		found, err := h.Store.Rules.FindChanges(t.Context(), one, func(int) {})
		if err != nil || len(found.IDs) != 1 {
			t.Fatal(found, err)
		}
		done, err := h.Rules.Apply(t.Context(), found, func(int) {})
		if n := len(found.IDs) + found.More; err != nil || n != done.Articles() || (found.More == 1) == actions.Star {
			t.Errorf("%s: %d and %d more were announced, %d changed (%v)", name, len(found.IDs), found.More, done.Articles(), err)
		}
		if found.ToMarkRead != len(done.Read) || found.ToSnooze != len(done.Snoozed.Articles) {
			t.Errorf("%s: announced %+v, changed %+v", name, found, done)
		}
	}
}

func labeling(label int64) rule.Rule {
	return rule.Rule{Enabled: true, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "x"}}, Actions: rule.Actions{Label: label}}
}
