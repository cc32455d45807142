package app

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"kairos/app/widgets"
	"kairos/reader"
	"kairos/reader/parse"
	"kairos/reader/rule"
)

func storedRules(t *testing.T, w *window) []rule.Rule {
	t.Helper()
	rules, err := w.home.Store.Rules.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func TestARuleIsTriedWhileItIsWritten(t *testing.T) {
	w, q := newTestWindow(t)
	saved := 0
	e := w.editRule(rule.Rule{Enabled: true, Conditions: []rule.Condition{{Field: rule.Title}}, Actions: rule.Actions{Read: true}}, func() { saved++ })
	q.until("it says what is missing", func() bool { return strings.Contains(e.said.String(), "empty") && e.save.Disabled() })
	e.first.SetText("ARTICLE 1")
	q.until("it is tried", func() bool {
		return e.said.String() == "It would have matched 2 of 6 articles of the last 90 days." && len(e.found.Objects) == 2 && !e.save.Disabled()
	})
	e.rule.Conditions[0].Regexp = true
	e.first.SetText("article (1")
	q.until("it says what is wrong", func() bool { return strings.Contains(e.said.String(), "never closed") && e.save.Disabled() })
	e.submit() // as Enter in the field does
	q.until("it is not stored", func() bool { return len(w.dialogs.Open) == 1 && len(storedRules(t, w)) == 0 })
	e.first.SetText("article (1|2)")
	q.until("it is tried again", func() bool { return strings.Contains(e.said.String(), "4 of 6") })
	e.submit()
	q.until("it is stored", func() bool { return saved == 1 && len(w.dialogs.Open) == 0 })
	if rules := storedRules(t, w); len(rules) != 1 || rules[0].Conditions[0].Pattern != "article (1|2)" || !rules[0].Enabled {
		t.Errorf("stored %+v", rules)
	}
}

func TestConditionsComeAndGo(t *testing.T) {
	w, q := newTestWindow(t)
	r := rule.Rule{Conditions: []rule.Condition{{Field: rule.Title, Pattern: "a"}}, Actions: rule.Actions{Star: true}}
	e := w.editRule(r, func() {})
	test.Tap(e.more().(*widget.Button))
	if len(e.rule.Conditions) != 2 || len(e.conditions.Objects) != 2 {
		t.Fatalf("%d conditions in %d lines", len(e.rule.Conditions), len(e.conditions.Objects))
	}
	q.until("it says which is empty", func() bool { return strings.HasPrefix(e.said.String(), "Condition 2:") })
	for _, o := range e.conditions.Objects[0].(*fyne.Container).Objects {
		if b, ok := o.(*widget.Button); ok {
			test.Tap(b)
		}
	}
	if len(e.rule.Conditions) != 1 || e.rule.Conditions[0].Pattern != "" || len(r.Conditions) != 1 || r.Conditions[0].Pattern != "a" {
		t.Errorf("left %+v; the rule that is stored %+v", e.rule.Conditions, r.Conditions)
	}
}

func TestTheListOfRules(t *testing.T) {
	w, q := newTestWindow(t)
	var ids []int64
	for _, pattern := range []string{"one", "two"} {
		id, err := w.home.Rules.Save(t.Context(), rule.Rule{Enabled: true, Name: pattern, Conditions: []rule.Condition{
			{Field: rule.Title, Pattern: pattern}, {Field: rule.Author, Pattern: "^ann", Regexp: true}}, Actions: rule.Actions{Hide: true, Notify: true}})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	page := w.rulesPage().(*fyne.Container)
	q.until("they are listed", func() bool { return len(page.Objects) == 2 })
	p := &rulesPage{w: w, whole: page, list: page.Objects[0].(*fyne.Container).Objects[1].(*fyne.Container)}
	card := p.list.Objects[0]
	win := test.NewTempWindow(t, card)
	win.Resize(fyne.NewSize(600, 80))
	test.AssertObjectRendersToMarkup(t, "rulecard.xml", card)
	p.do(func(ctx context.Context) error { return w.home.Rules.Move(ctx, ids[1], -1) })
	q.until("it is moved", func() bool { rules := storedRules(t, w); return rules[0].ID == ids[1] })
	p.do(func(ctx context.Context) error { return w.home.Rules.Delete(ctx, ids[0]) })
	q.until("one is left", func() bool { return len(p.list.Objects) == 1 })
	p.do(func(ctx context.Context) error { return w.home.Rules.Delete(ctx, ids[0]) })
	q.until("it is said that there is none", func() bool { return w.status.message.Text != "" })
}

func TestHiddenArticlesAreBroughtBack(t *testing.T) {
	w, q := newTestWindow(t)
	if _, err := w.home.Rules.Save(t.Context(), rule.Rule{Enabled: true, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "advert"}}, Actions: rule.Actions{Hide: true}}); err != nil {
		t.Fatal(err)
	}
	err := w.home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := reader.StoreArticles(t.Context(), tx, w.sidebar.feeds[0].ID, []parse.Article{{Key: "x", Title: "An advert"}}, noon, time.Time{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	h := w.hiddenDialog(func() { changed++ })
	q.until("it is listed", func() bool { return len(h.rows) == 1 && h.rows[0].Title == "An advert" })
	item := h.list.CreateItem()
	h.update(0, item)
	test.Tap(item.(*fyne.Container).Objects[1].(*widget.Button))
	q.until("it is back", func() bool { return len(h.rows) == 0 && changed == 1 })
	w.timeline.reload()
	q.until("the list shows it", func() bool { return len(w.timeline.ids) == 7 })
}

// A story two feeds carry is in the list once as soon as that is wanted.
func TestStoriesAreFoldedAtOnce(t *testing.T) {
	w, q := newTestWindow(t)
	err := w.home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		for _, f := range w.sidebar.feeds {
			_, err := reader.StoreArticles(t.Context(), tx, f.ID, []parse.Article{{Key: "s", Title: "Seven", Link: "https://lamp.test/seven"}}, noon, time.Time{})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	w.reload()
	counted := func(shown int) bool {
		return len(w.timeline.ids) == shown && w.sidebar.unread.Total == shown && strings.HasPrefix(w.win.Title(), fmt.Sprintf("(%d) ", shown))
	}
	q.until("it is there twice", func() bool { return counted(8) })
	page := w.rulesPage().(*fyne.Container)
	q.until("the page is there", func() bool { return len(page.Objects) == 2 })
	checks := find[*widgets.Check](page.Objects[1])
	if len(checks) != 2 || !checks[1].Disabled() {
		t.Fatalf("%d switches", len(checks))
	}
	checks[0].SetChecked(true)
	q.until("it is there once", func() bool { return counted(7) && !checks[1].Disabled() })
	checks[0].SetChecked(false)
	q.until("it is there twice again", func() bool { return counted(8) && checks[1].Disabled() })
}

// find returns the objects of a type below another one.
func find[T fyne.CanvasObject](o fyne.CanvasObject) (found []T) {
	if t, ok := o.(T); ok {
		found = append(found, t)
	}
	if c, ok := o.(*fyne.Container); ok {
		for _, below := range c.Objects {
			found = append(found, find[T](below)...)
		}
	}
	return found
}
