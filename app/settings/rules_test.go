package settings

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/home/hometest"
	"kairos/app/widgets"
	"kairos/app/widgets/widgetstest"
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
	d := openDialog(t, s, Rules)
	e := editRule(d, rule.Rule{Enabled: true, Conditions: []rule.Condition{{Field: rule.Title}}, Actions: rule.Actions{Read: true}}, func(id int64) { saved++ })
	if e.page.title != "New rule" {
		t.Errorf("the path ends in %q", e.page.title)
	}
	q.Until("the empty condition is named", func() bool { return strings.Contains(e.message.String(), "empty") && e.save.Disabled() })
	e.firstPattern.SetText("ARTICLE 1")
	q.Until("it is tried", func() bool {
		return e.message.String() == "It would have matched 2 of 6 articles from the last 90 days." && len(e.matches.Objects) == 2 && !e.save.Disabled()
	})
	e.rule.Conditions[0].Regexp = true
	e.firstPattern.SetText("article (1")
	q.Until("the error is named", func() bool { return strings.Contains(e.message.String(), "never closed") && e.save.Disabled() })
	e.store(nil) // as Enter does
	q.Until("it is not stored", func() bool { return d.subpage != nil && len(storedRules(t, s)) == 0 })
	e.firstPattern.SetText("article (1|2)")
	q.Until("it is tried again", func() bool { return strings.Contains(e.message.String(), "4 of 6") })
	e.store(nil)
	q.Until("it is stored", func() bool { return saved == 1 && d.subpage == nil && len(s.Dialogs.Open) == 1 })
	if rules := storedRules(t, s); len(rules) != 1 || rules[0].Conditions[0].Pattern != "article (1|2)" || !rules[0].Enabled {
		t.Errorf("stored %+v", rules)
	}
}

// Ten thousand rules, as a file may have that Kairos has not written, are listed in portions.
func TestManyRulesAreListedInPortions(t *testing.T) {
	s, _, q := newSettings(t)
	err := s.Home.Store.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) INSERT INTO rule (place, enabled, body) SELECT i, 1, '{\"name\":\"r\"}' FROM n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	d := openDialog(t, s, Rules)
	listed := func() (n int, more *widgets.DialogButton) {
		for _, b := range widgetstest.Find[*widgets.DialogButton](d.body) {
			if b.Text == "Show 50 more rules" {
				more = b
			}
		}
		if page := d.body.Objects[0].(*fyne.Container); len(page.Objects) == 2 {
			n = len(page.Objects[0].(*fyne.Container).Objects[1].(*fyne.Container).Objects)
		}
		return n, more
	}
	q.Until("the first are listed", func() bool { n, more := listed(); return n == rulesPortion && more != nil })
	_, more := listed()
	test.Tap(more)
	q.Until("more are listed", func() bool { n, more := listed(); return n == 2*rulesPortion && more != nil })
}

func TestAddAndRemoveConditions(t *testing.T) {
	s, _, q := newSettings(t)
	r := rule.Rule{Conditions: []rule.Condition{{Field: rule.Title, Pattern: "a"}}, Actions: rule.Actions{Star: true}}
	e := editRule(openDialog(t, s, Rules), r, func(int64) {})
	test.Tap(e.addButton())
	if len(e.rule.Conditions) != 2 || len(e.conditions.Objects) != 2 {
		t.Fatalf("%d conditions in %d lines", len(e.rule.Conditions), len(e.conditions.Objects))
	}
	q.Until("the empty one is named", func() bool { return strings.HasPrefix(e.message.String(), "Condition 2:") })
	for _, o := range e.conditions.Objects[0].(*fyne.Container).Objects {
		if b, ok := o.(*widgets.DialogButton); ok {
			test.Tap(b)
		}
	}
	if len(e.rule.Conditions) != 1 || e.rule.Conditions[0].Pattern != "" || len(r.Conditions) != 1 || r.Conditions[0].Pattern != "a" {
		t.Errorf("left %+v; the stored rule %+v", e.rule.Conditions, r.Conditions)
	}
}

// A condition on the story has no pattern: what is chosen is said instead, and the rule can be saved.
func TestConditionOnTheStory(t *testing.T) {
	s, _, q := newSettings(t)
	r := rule.Rule{Enabled: true, Conditions: []rule.Condition{{Field: rule.Story, Not: true}}, Actions: rule.Actions{Snooze: true}}
	saved := int64(0)
	e := editRule(openDialog(t, s, Rules), r, func(id int64) { saved = id })
	if s.Dialogs.Canvas().Focused() != fyne.Focusable(e.name) {
		t.Errorf("%T has the focus", s.Dialogs.Canvas().Focused())
	}
	q.Until("it is tried", func() bool { return strings.Contains(e.message.String(), "6 of 6") && !e.save.Disabled() })
	row := e.conditions.Objects[0].(*fyne.Container).Objects[0].(*fyne.Container)
	for _, o := range row.Objects {
		if told, ok := o.(*widgets.Select); ok && told != e.fields[0] {
			told.OnChanged("another feed carried it before")
		}
	}
	q.Until("no story is told twice", func() bool { return strings.Contains(e.message.String(), "0 of 6") })
	e.fields[0].OnChanged("Title")
	q.Until("the pattern is asked for", func() bool { return e.save.Disabled() })
	e.fields[0].OnChanged("Story")
	q.Until("it is tried again", func() bool { return !e.save.Disabled() })
	if s.Dialogs.Canvas().Focused() != fyne.Focusable(e.fields[0]) {
		t.Errorf("%T has the focus", s.Dialogs.Canvas().Focused())
	}
	e.store(nil)
	q.Until("it is stored", func() bool { return saved != 0 })
	if got := ruleText(storedRules(t, s)[0], nil); got != "another feed carried it before: snooze until the next visit" {
		t.Errorf("it says %q", got)
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
	d := openDialog(t, s, Rules)
	page := d.body.Objects[0].(*fyne.Container)
	q.Until("they are listed", func() bool { return len(page.Objects) == 2 })
	p := &rulesPage{settingsDialog: d, content: page, list: newCardList(d)}
	p.list.Container = page.Objects[0].(*fyne.Container).Objects[1].(*fyne.Container)
	card := p.list.Objects[0]
	win := test.NewTempWindow(t, card)
	win.Resize(fyne.NewSize(600, 80))
	widgetstest.AssertMarkup(t, "rulecard.xml", card)
	p.change(func(ctx context.Context) error { return s.Home.Rules.Move(ctx, ids[1], -1) }, nil)
	q.Until("it is moved", func() bool { rules := storedRules(t, s); return rules[0].ID == ids[1] })
	gone := storedRules(t, s)[1]
	p.remove(gone)
	q.Until("one is left", func() bool { return len(p.list.Objects) == 1 && d.undo.object.Visible() })
	if len(s.Dialogs.Open) != 1 || len(w.undo) != 1 || d.undo.what.String() != "Rule deleted: one" {
		t.Errorf("%d dialogs, told: %q", len(s.Dialogs.Open), d.undo.what.String())
	}
	d.undo.offer("Later", func(context.Context) error { return nil })
	d.undo.button.OnTapped()
	if d.undo.what.String() != "Rule deleted: one" || !d.undo.object.Visible() {
		t.Error("what was done before cannot be undone any more")
	}
	if !s.Dialogs.Undo() { // as by key
		t.Error("the key is not for the settings")
	}
	q.Until("it is back in its place", func() bool { return len(p.list.Objects) == 2 })
	if back := storedRules(t, s)[1]; back.ID != gone.ID || back.Name != "one" || d.undo.object.Visible() || s.Dialogs.Canvas().Focused() != fyne.Focusable(d.names) {
		t.Errorf("came back as %+v", back)
	}
	p.remove(gone)
	q.Until("it is gone", func() bool { return len(p.list.Objects) == 1 })
	p.remove(gone)
	q.Until("there is a message", func() bool { return d.message.String() != "" })
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
	d := openDialog(t, s, Rules)
	h := showHidden(d, func() {})
	q.Until("it is listed", func() bool { return len(h.articles) == 1 && h.articles[0].Title == "An advert" })
	if got := s.Dialogs.Canvas().Focused(); got != fyne.Focusable(h.list) || h.list.Chosen != 0 {
		t.Errorf("%T has the focus, row %d is chosen", got, h.list.Chosen)
	}
	h.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	q.Until("it is unhidden", func() bool { return len(h.articles) == 0 && h.none.Visible() })
	if d.undo.what.String() != "1 article unhidden" {
		t.Errorf("told: %q", d.undo.what.String())
	}
	if n := unread(t, s); n != 7 {
		t.Errorf("%d unread", n)
	}
	if !s.Dialogs.Undo() {
		t.Fatal("it cannot be undone")
	}
	q.Until("it is hidden again, and listed", func() bool { return len(h.articles) == 1 })
	if n := unread(t, s); n != 6 {
		t.Errorf("%d unread", n)
	}
}

func TestApplyRule(t *testing.T) {
	s, w, q := newSettings(t)
	d := openDialog(t, s, Rules)
	e := editRule(d, rule.Rule{Enabled: true, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "article 1"}}, Actions: rule.Actions{Hide: true, Read: true}}, func(int64) {})
	q.Until("it is tried", func() bool { return len(e.matches.Objects) == 2 })
	test.Tap(e.saveAndApply)
	q.Until("it is stored, and it asks whether to apply it", func() bool { return d.subpage != nil && d.subpage != e.page })
	d.closeSubpage(d.subpage)
	r := storedRules(t, s)[0]
	a := applyRule(d, r, func() {})
	q.Until("it says how many", func() bool {
		return a.message.String() == "2 of 6 stored articles would change. Hidden: 2. Marked read: 2." && !a.apply.Disabled()
	})
	if got := s.Dialogs.Canvas().Focused(); got != fyne.Focusable(a.apply) {
		t.Errorf("%T has the focus", got)
	}
	test.Tap(a.apply)
	q.Until("they are hidden", func() bool { return d.subpage == nil && len(w.undo) == 1 })
	if hidden, err := s.Home.Store.Articles.IDs(t.Context(), reader.Query{Hidden: true}); err != nil || len(hidden) != 2 {
		t.Errorf("hidden: %v (%v)", hidden, err)
	}
	if err := w.undo[0](t.Context()); err != nil || unread(t, s) != 6 {
		t.Errorf("undone, %d are unread (%v)", unread(t, s), err)
	}
}

// The question names what changes with the articles, too.
func TestChangesOfStories(t *testing.T) {
	newSettings(t)
	for want, c := range map[string]reader.RuleChanges{
		"43 of 600 stored articles would change, and 250 more of the same stories. Marked read: 293.": {IDs: make([]int64, 43), Examined: 600, More: 250, ToMarkRead: 293},
		"1 of 600 stored articles would change, and 2 more of the same story. Snoozed: 3.":            {IDs: make([]int64, 1), Examined: 600, More: 2, ToSnooze: 3},
	} {
		if got := changesText(c); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Closing the dialog stops the rule; what it has done can be undone.
func TestClosingStopsApplyRule(t *testing.T) {
	s, w, q := newSettings(t)
	d := openDialog(t, s, Rules)
	a := applyRule(d, rule.Rule{ID: 1, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "article"}}, Actions: rule.Actions{Read: true}}, func() {})
	q.Until("it says how many", func() bool { return !a.apply.Disabled() })
	a.stop() // as closing does
	a.run()
	q.Until("it has ended", func() bool { return d.subpage == nil })
	if len(w.undo) != 0 || unread(t, s) != 6 {
		t.Errorf("%d undo actions, %d unread", len(w.undo), unread(t, s))
	}
	a = applyRule(d, rule.Rule{ID: 1, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "nowhere"}}, Actions: rule.Actions{Read: true}}, func() {})
	q.Until("nothing would change", func() bool { return strings.HasPrefix(a.message.String(), "None of 6") })
	if !a.apply.Disabled() {
		t.Error("it can be applied")
	}
}

// Progress that arrives after the result does not replace it on screen.
func TestLateProgressDoesNotReplaceResult(t *testing.T) {
	s, _, q := newSettings(t)
	q.Until("nothing is running", func() bool { return s.Pending() == 0 && q.Len() == 0 })
	d := openDialog(t, s, Rules)
	a := applyRule(d, rule.Rule{ID: 1, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "article"}}, Actions: rule.Actions{Read: true}}, func() {})
	progress := q.Next() // is run late: the answer may be in a frame that waited for it
	q.Until("it says how many", func() bool { return !a.apply.Disabled() })
	found := a.message.String()
	progress()
	q.Until("everything is done", func() bool { return s.Pending() == 0 && q.Len() == 0 })
	if got := a.message.String(); got != found || !strings.HasPrefix(got, "6 of 6") {
		t.Errorf("%q is shown after %q", got, found)
	}
}

// A rule that ends after its dialog was closed does not move the focus.
func TestClosedApplyRuleKeepsFocus(t *testing.T) {
	s, w, q := newSettings(t)
	d := openDialog(t, s, Rules)
	a := applyRule(d, rule.Rule{ID: 1, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "article"}}, Actions: rule.Actions{Read: true}}, func() {})
	q.Until("it says how many", func() bool { return !a.apply.Disabled() })
	test.Tap(a.apply)
	d.dialog.Hide()
	field := widgets.NewEntry(func() {})
	w.win.SetContent(field)
	s.focus(field)
	q.Until("everything is done", func() bool { return s.Pending() == 0 })
	a.close()
	if got := s.Dialogs.Canvas().Focused(); got != fyne.Focusable(field) {
		t.Errorf("%T has the focus", got)
	}
}

// A rule may set a label, also one that it is the first to name.
func TestRuleSetsALabel(t *testing.T) {
	s, _, q := newSettings(t)
	saved := 0
	d := openDialog(t, s, Rules)
	e := editRule(d, rule.Rule{Enabled: true, Conditions: []rule.Condition{{Field: rule.Title, Pattern: "article 1"}}}, func(id int64) { saved++ })
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
	e = editRule(d, rules[0], func(id int64) { saved++ })
	q.Until("it names the label", func() bool { return e.label.Text == "Lamps" })
	e.label.SetText("lamps")
	e.store(nil)
	q.Until("it is stored again", func() bool { return saved == 2 })
	if labels, err := s.Home.Store.Labels.List(t.Context()); err != nil || len(labels) != 1 {
		t.Errorf("%+v (%v)", labels, err)
	}
}

// Rules are edited in their page of the settings: Enter saves, Escape leaves the editor and then the settings, and the keys
// return to the rule, or to what opened the editor.
func TestRulesAreEditedInTheirPage(t *testing.T) {
	s, _, q := newSettings(t)
	s.Dialogs.Canvas().SetOnTypedKey(func(ev *fyne.KeyEvent) { s.Dialogs.Key(ev.Name) })
	d := openDialog(t, s, Rules)
	focused := func() fyne.Focusable { return s.Dialogs.Canvas().Focused() }
	press := func(key fyne.KeyName) { focused().TypedKey(&fyne.KeyEvent{Name: key}) }
	buttons := func() []*widgets.DialogButton { return widgetstest.Find[*widgets.DialogButton](d.body) }
	add := func() *widgets.DialogButton {
		for _, b := range buttons() {
			if strings.HasPrefix(b.Text, "Add rule") {
				return b
			}
		}
		return nil
	}
	q.Until("the page is listed", func() bool { return add() != nil })
	test.Tap(add())
	if _, ok := focused().(*widgets.Entry); !ok || d.subpage == nil || len(s.Dialogs.Open) != 1 {
		t.Fatalf("%T has the focus, %d dialogs", focused(), len(s.Dialogs.Open))
	}
	press(fyne.KeyEscape)
	q.Until("the focus is back", func() bool { return d.subpage == nil && focused() == fyne.Focusable(add()) })
	if len(storedRules(t, s)) != 0 {
		t.Error("a rule is stored")
	}

	press(fyne.KeyReturn)
	focused().(*widgets.Entry).SetText("article 1")
	q.Until("it can be saved", func() bool { return !d.subpage.main.Disabled() })
	press(fyne.KeyReturn)
	q.Until("the rule is focused", func() bool {
		b, ok := focused().(*widgets.DialogButton)
		return ok && d.subpage == nil && b.Text == ""
	})
	if rules := storedRules(t, s); len(rules) != 1 || rules[0].Conditions[0].Pattern != "article 1" {
		t.Errorf("stored %+v", rules)
	}
	edit := focused()
	press(fyne.KeyReturn)
	press(fyne.KeyEscape)
	q.Until("the rule is focused again", func() bool {
		b, ok := focused().(*widgets.DialogButton)
		return ok && b != edit && b.Text == "" && s.Pending() == 0
	})
	if press(fyne.KeyEscape); len(s.Dialogs.Open) != 0 {
		t.Error("Escape does not close the settings")
	}
}

// A rule that is not saved is left only when the user says so, by whichever way; one that was not changed is left at once.
func TestAChangedRuleIsKept(t *testing.T) {
	s, _, _ := newSettings(t)
	c := s.Dialogs.Canvas()
	c.SetOnTypedKey(func(ev *fyne.KeyEvent) { s.Dialogs.Key(ev.Name) })
	d := openDialog(t, s, Rules)
	escape := func() { c.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape}) }
	e := editRule(d, rule.Rule{Conditions: []rule.Condition{{Field: rule.Title}}}, func(int64) {})
	e.firstPattern.SetText("half")
	for name, leave := range map[string]func(){
		"Escape":       escape,
		"another page": func() { d.names.Select(slices.Index(Pages, General)) },
	} {
		c.Focus(e.firstPattern)
		if leave(); len(s.Dialogs.Open) != 2 || d.subpage != e.page || d.page != Rules || d.names.Chosen != slices.Index(Pages, Rules) {
			t.Fatalf("%s: it does not ask", name)
		}
		if escape(); len(s.Dialogs.Open) != 1 || d.pane.Objects[0] != e.page.object || c.Focused() != fyne.Focusable(e.firstPattern) {
			t.Errorf("%s: %T has the focus", name, c.Focused())
		}
	}
	escape()
	if s.Dialogs.Open[1].Buttons[1].Do(); d.subpage != nil || len(s.Dialogs.Open) != 1 {
		t.Error("it is still there")
	}
}

// Tab goes from the content of a rule to its main button first, and to the way back last.
func TestTabOfASubpage(t *testing.T) {
	s, _, q := newSettings(t)
	c := s.Dialogs.Canvas()
	e := editRule(openDialog(t, s, Rules), rule.Rule{Conditions: []rule.Condition{{Field: rule.Title, Pattern: "a"}}, Actions: rule.Actions{Star: true}}, func(int64) {})
	q.Until("it can be saved", func() bool { return !e.save.Disabled() && e.message.Visible() })
	c.Focus(e.label)
	for _, want := range []*widgets.DialogButton{e.save, e.saveAndApply} {
		if c.FocusNext(); c.Focused() != fyne.Focusable(want) {
			t.Errorf("Tab goes to %T, not to %s", c.Focused(), want.Text)
		}
	}
	if e.save.Position().X < e.saveAndApply.Position().X {
		t.Error("the main button is not the last in the row")
	}
}

// Another page takes the place of a subpage; what it leaves does not take the focus.
func TestAnotherPageLeavesTheEditor(t *testing.T) {
	s, _, q := newSettings(t)
	d := openDialog(t, s, Rules)
	e := editRule(d, rule.Rule{Conditions: []rule.Condition{{Field: rule.Title, Pattern: "a"}}, Actions: rule.Actions{Star: true}}, func(int64) { t.Error("the rules are shown again") })
	d.names.Select(slices.Index(Pages, General))
	q.Until("everything is done", func() bool { return s.Pending() == 0 && q.Len() == 0 })
	if d.subpage != nil || d.pane.Objects[0] != fyne.CanvasObject(d.scroll) || d.closeSubpage(e.page) {
		t.Error("the editor is still open")
	}
}

// In a small window the editor of a rule keeps within it, and Tab brings every control of it in sight.
func TestRuleEditorInASmallWindow(t *testing.T) {
	s, w, q := newSettings(t)
	win := w.win
	win.Resize(fyne.NewSize(533, 400))
	d := openDialog(t, s, Rules)
	r := rule.Rule{Conditions: []rule.Condition{{Field: rule.Author, Pattern: "a", Regexp: true}, {Field: rule.Text, Pattern: "b"}}, Actions: rule.Actions{Star: true}}
	e := editRule(d, r, func(int64) {})
	if d.subpage.content.(*widgets.Scroll).Offset.Y == 0 {
		t.Error("the field that has the focus is out of sight")
	}
	scroll := d.subpage.content.(*widgets.Scroll)
	scroll.ScrollToTop() // as if the page had got its size only now
	q.Until("it is tried", func() bool { return e.message.Visible() })
	if scroll.Offset.Y == 0 {
		t.Error("the field that has the focus is out of sight once it is tried")
	}
	for _, width := range []float32{533, 900, 533} {
		win.Resize(fyne.NewSize(width, 400))
		body := d.pane
		if least, has := body.MinSize().Width, body.Size().Width; least > has {
			t.Errorf("at %v: %v wide, with room for %v", width, least, has)
		}
		driver := fyne.CurrentApp().Driver()
		at, in := driver.AbsolutePositionForObject(body), win.Canvas().Size()
		if at.X < 0 || at.X+body.Size().Width > in.Width || body.Size().Height < 220 {
			t.Errorf("at %v: the page stands at %v, %v large", width, at, body.Size())
		}
	}
	seen := 0
	for win.Canvas().Focus(e.name); seen < 30; seen++ {
		o := win.Canvas().Focused().(fyne.CanvasObject)
		driver := fyne.CurrentApp().Driver()
		at, bottom := driver.AbsolutePositionForObject(o).Y, driver.AbsolutePositionForObject(d.pane).Y+d.pane.Size().Height
		if o == fyne.CanvasObject(e.save) {
			break
		}
		if at < 0 || at+o.Size().Height > bottom {
			t.Errorf("%T stands at %v, the page ends at %v", o, at, bottom)
		}
		win.Canvas().FocusNext()
	}
	if seen < 12 || seen == 30 {
		t.Errorf("%d controls", seen)
	}
}

// A card keeps its text readable in a narrow window: its buttons stand below it.
func TestNarrowCard(t *testing.T) {
	s, _, _ := newSettings(t)
	b := s.iconButton(nil, "", "", func() {})
	text := cardText(rule.Rule{Conditions: []rule.Condition{{Field: rule.Title, Pattern: "a pattern of several words"}}, Actions: rule.Actions{Read: true}}, nil)
	for width, below := range map[float32]bool{600: false, 255: true} {
		c := card(checkbox("", true, nil), text, b, s.iconButton(nil, "", "", func() {}), s.iconButton(nil, "", "", func() {}))
		win := test.NewTempWindow(t, widgets.NewColumn(0, c))
		win.SetPadded(false)
		win.Resize(fyne.NewSize(width, 300))
		driver := fyne.CurrentApp().Driver()
		end, from := driver.AbsolutePositionForObject(text).Y+text.Size().Height, driver.AbsolutePositionForObject(b).Y
		if text.Size().Width < cardTextLeast || from >= end != below || c.Size().Height < from+b.Size().Height-driver.AbsolutePositionForObject(c).Y {
			t.Errorf("at %v the text is %v, ends at %v; the buttons stand at %v, the card is %v", width, text.Size(), end, from, c.Size())
		}
	}
}

// Undo stands at the other side of the page than the buttons that do what it undoes.
func TestUndoIsNotWhereSaveWas(t *testing.T) {
	s, w, q := newSettings(t)
	d := openDialog(t, s, Rules)
	q.Until("the rules are there", func() bool { return len(d.body.Objects) > 0 })
	at := func(o fyne.CanvasObject) float32 { return fyne.CurrentApp().Driver().AbsolutePositionForObject(o).X }
	e := editRule(d, rule.Rule{Conditions: []rule.Condition{{Field: rule.Title, Pattern: "x"}}, Actions: rule.Actions{Read: true}}, func(int64) {})
	w.win.Resize(fyne.NewSize(1000, 700))
	leftOfSave := at(e.saveAndApply)
	e.close()
	d.undo.offer("Something was done", func(context.Context) error { return nil })
	if right := at(d.undo.button) + d.undo.button.Size().Width; d.undo.button.Size().IsZero() || right > leftOfSave {
		t.Errorf("undo ends at %v, and what saves starts at %v", right, leftOfSave)
	}
}
