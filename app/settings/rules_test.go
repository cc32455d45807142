package settings

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"kairos/app/home/hometest"
	"kairos/app/widgets"
	"kairos/reader"
	"kairos/reader/parse"
	"kairos/reader/rule"
)

func storedRules(t *testing.T, s *Settings) []rule.Rule {
	t.Helper()
	rules, err := s.Home.Store.Rules.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func TestRuleIsTriedWhileItIsEdited(t *testing.T) {
	s, _, q := newSettings(t)
	saved := 0
	e := s.editRule(rule.Rule{Enabled: true, Conditions: []rule.Condition{{Field: rule.Title}}, Actions: rule.Actions{Read: true}}, func() { saved++ })
	q.Until("the empty condition is named", func() bool { return strings.Contains(e.message.String(), "empty") && !e.save.Enabled() })
	e.firstPattern.SetText("ARTICLE 1")
	q.Until("it is tried", func() bool {
		return e.message.String() == "It would have matched 2 of 6 articles from the last 90 days." && len(e.matches.Objects) == 2 && e.save.Enabled()
	})
	e.rule.Conditions[0].Regexp = true
	e.firstPattern.SetText("article (1")
	q.Until("the error is named", func() bool { return strings.Contains(e.message.String(), "never closed") && !e.save.Enabled() })
	e.store(nil) // as Enter does
	q.Until("it is not stored", func() bool { return len(s.Dialogs.Open) == 1 && len(storedRules(t, s)) == 0 })
	e.firstPattern.SetText("article (1|2)")
	q.Until("it is tried again", func() bool { return strings.Contains(e.message.String(), "4 of 6") })
	e.store(nil)
	q.Until("it is stored", func() bool { return saved == 1 && len(s.Dialogs.Open) == 0 })
	if rules := storedRules(t, s); len(rules) != 1 || rules[0].Conditions[0].Pattern != "article (1|2)" || !rules[0].Enabled {
		t.Errorf("stored %+v", rules)
	}
}

func TestAddAndRemoveConditions(t *testing.T) {
	s, _, q := newSettings(t)
	r := rule.Rule{Conditions: []rule.Condition{{Field: rule.Title, Pattern: "a"}}, Actions: rule.Actions{Star: true}}
	e := s.editRule(r, func() {})
	test.Tap(e.addButton())
	if len(e.rule.Conditions) != 2 || len(e.conditions.Objects) != 2 {
		t.Fatalf("%d conditions in %d lines", len(e.rule.Conditions), len(e.conditions.Objects))
	}
	q.Until("the empty one is named", func() bool { return strings.HasPrefix(e.message.String(), "Condition 2:") })
	for _, o := range e.conditions.Objects[0].(*fyne.Container).Objects {
		if b, ok := o.(*widget.Button); ok {
			test.Tap(b)
		}
	}
	if len(e.rule.Conditions) != 1 || e.rule.Conditions[0].Pattern != "" || len(r.Conditions) != 1 || r.Conditions[0].Pattern != "a" {
		t.Errorf("left %+v; the stored rule %+v", e.rule.Conditions, r.Conditions)
	}
}

func TestRulesPage(t *testing.T) {
	s, w, q := newSettings(t)
	var ids []int64
	for _, pattern := range []string{"one", "two"} {
		id, err := s.Home.Rules.Save(t.Context(), rule.Rule{Enabled: true, Name: pattern, Conditions: []rule.Condition{
			{Field: rule.Title, Pattern: pattern}, {Field: rule.Author, Pattern: "^ann", Regexp: true}}, Actions: rule.Actions{Hide: true, Notify: true}})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	page := s.rulesPage().(*fyne.Container)
	q.Until("they are listed", func() bool { return len(page.Objects) == 2 })
	p := &rulesPage{Settings: s, content: page, list: page.Objects[0].(*fyne.Container).Objects[1].(*fyne.Container)}
	card := p.list.Objects[0]
	win := test.NewTempWindow(t, card)
	win.Resize(fyne.NewSize(600, 80))
	test.AssertObjectRendersToMarkup(t, "rulecard.xml", card)
	p.change(func(ctx context.Context) error { return s.Home.Rules.Move(ctx, ids[1], -1) })
	q.Until("it is moved", func() bool { rules := storedRules(t, s); return rules[0].ID == ids[1] })
	p.change(func(ctx context.Context) error { return s.Home.Rules.Delete(ctx, ids[0]) })
	q.Until("one is left", func() bool { return len(p.list.Objects) == 1 })
	p.change(func(ctx context.Context) error { return s.Home.Rules.Delete(ctx, ids[0]) })
	q.Until("there is a message", func() bool { return w.said != "" })
}

func TestUnhide(t *testing.T) {
	s, _, q := newSettings(t)
	if _, err := s.Home.Rules.Save(t.Context(), rule.Rule{Enabled: true, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "advert"}}, Actions: rule.Actions{Hide: true}}); err != nil {
		t.Fatal(err)
	}
	err := s.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, 1, []parse.Article{{Key: "x", Title: "An advert"}}, hometest.Noon, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	h := s.showHidden(func() { changed++ })
	q.Until("it is listed", func() bool { return len(h.articles) == 1 && h.articles[0].Title == "An advert" })
	item := h.list.CreateItem()
	h.update(0, item)
	test.Tap(item.(*fyne.Container).Objects[1].(*widget.Button))
	q.Until("it is unhidden", func() bool { return len(h.articles) == 0 && changed == 1 })
	if n := unread(t, s); n != 7 {
		t.Errorf("%d unread", n)
	}
}

func TestApplyRule(t *testing.T) {
	s, w, q := newSettings(t)
	e := s.editRule(rule.Rule{Enabled: true, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "article 1"}}, Actions: rule.Actions{Hide: true, Read: true}}, func() {})
	q.Until("it is tried", func() bool { return len(e.matches.Objects) == 2 })
	e.dialog.Press("Save and apply…")
	q.Until("it is stored, and the next dialog is open", func() bool { return len(s.Dialogs.Open) == 1 && s.Dialogs.Open[0] != e.dialog })
	s.Dialogs.Open[0].Hide()
	r := storedRules(t, s)[0]
	a := s.applyRule(r)
	q.Until("it says how many", func() bool {
		return a.message.String() == "2 of 6 stored articles would change. Hidden: 2. Marked read: 2." && a.apply.Enabled()
	})
	a.dialog.Press("Apply")
	q.Until("they are hidden", func() bool { return len(s.Dialogs.Open) == 0 && len(w.undo) == 1 })
	if hidden, err := s.Home.Store.Articles.IDs(t.Context(), reader.Query{Hidden: true}); err != nil || len(hidden) != 2 {
		t.Errorf("hidden: %v (%v)", hidden, err)
	}
	if err := w.undo[0](t.Context()); err != nil || unread(t, s) != 6 {
		t.Errorf("undone, %d are unread (%v)", unread(t, s), err)
	}
}

// Closing the dialog stops the rule; what it has done can be undone.
func TestClosingStopsApplyRule(t *testing.T) {
	s, w, q := newSettings(t)
	a := s.applyRule(rule.Rule{ID: 1, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "article"}}, Actions: rule.Actions{Read: true}})
	q.Until("it says how many", func() bool { return a.apply.Enabled() })
	a.stop() // as closing does
	a.run()
	q.Until("it has ended", func() bool { return len(s.Dialogs.Open) == 0 })
	if len(w.undo) != 0 || unread(t, s) != 6 {
		t.Errorf("%d undo actions, %d unread", len(w.undo), unread(t, s))
	}
	a = s.applyRule(rule.Rule{ID: 1, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "nowhere"}}, Actions: rule.Actions{Read: true}})
	q.Until("nothing would change", func() bool { return strings.HasPrefix(a.message.String(), "None of 6") })
	if a.apply.Enabled() {
		t.Error("it can be applied")
	}
}

// Progress that arrives after the result does not replace it on screen.
func TestLateProgressDoesNotReplaceResult(t *testing.T) {
	s, _, q := newSettings(t)
	q.Until("nothing is running", func() bool { return s.Pending() == 0 && q.Len() == 0 })
	a := s.applyRule(rule.Rule{ID: 1, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "article"}}, Actions: rule.Actions{Read: true}})
	progress := q.Next() // is run late: the answer may be in a frame that waited for it
	q.Until("it says how many", func() bool { return a.apply.Enabled() })
	found := a.message.String()
	progress()
	q.Until("everything is done", func() bool { return s.Pending() == 0 && q.Len() == 0 })
	if got := a.message.String(); got != found || !strings.HasPrefix(got, "6 of 6") {
		t.Errorf("%q is shown after %q", got, found)
	}
}

// A rule that ends after its dialog was closed does not move the focus.
func TestClosedApplyRuleKeepsFocus(t *testing.T) {
	s, _, q := newSettings(t)
	a := s.applyRule(rule.Rule{ID: 1, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "article"}}, Actions: rule.Actions{Read: true}})
	q.Until("it says how many", func() bool { return a.apply.Enabled() })
	a.dialog.Press("Apply")
	a.close()
	field := widgets.NewEntry(func() {})
	s.Dialogs.Window.SetContent(field)
	s.focus(field)
	q.Until("everything is done", func() bool { return s.Pending() == 0 })
	a.dialog.Hide()
	if got := s.Dialogs.Window.Canvas().Focused(); got != fyne.Focusable(field) {
		t.Errorf("%T has the focus", got)
	}
}

// A rule may set a label, also one that it is the first to name.
func TestRuleSetsALabel(t *testing.T) {
	s, _, q := newSettings(t)
	saved := 0
	e := s.editRule(rule.Rule{Enabled: true, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "article 1"}}}, func() { saved++ })
	e.label.SetText("Lamps")
	e.store(nil)
	q.Until("it is stored", func() bool { return saved == 1 })
	labels, err := s.Home.Store.Labels.List(t.Context())
	if err != nil || len(labels) != 1 || labels[0].Name != "Lamps" {
		t.Fatalf("%+v (%v)", labels, err)
	}
	rules, err := s.Home.Store.Rules.List(t.Context())
	if err != nil || len(rules) != 1 || rules[0].Actions.Label != labels[0].ID {
		t.Fatalf("%+v (%v)", rules, err)
	}
	if text := ruleText(rules[0], labels); !strings.Contains(text, "label “Lamps”") {
		t.Error(text)
	}
	e = s.editRule(rules[0], func() { saved++ })
	q.Until("it names the label", func() bool { return e.label.Text == "Lamps" })
	e.label.SetText("lamps")
	e.store(nil)
	q.Until("it is stored again", func() bool { return saved == 2 })
	if labels, err := s.Home.Store.Labels.List(t.Context()); err != nil || len(labels) != 1 {
		t.Errorf("%+v (%v)", labels, err)
	}
}
