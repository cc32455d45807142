package app

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/reader"
	"kairos/reader/rule"
)

const (
	// A rule is tried on the articles of so many days, and the newest matches are shown.
	tryDays  = 90
	tryShown = 12
	// tryAfter is how long nothing is typed before a rule is tried.
	tryAfter = 300 * time.Millisecond
	// ruleWord is the width of the words before the parts of a rule.
	ruleWord = 70
)

// ruleEditor changes a rule, or makes one, and shows meanwhile what it would have done
// with what is stored.
type ruleEditor struct {
	w      *window
	rule   rule.Rule
	saved  func()
	dialog *dialog.CustomDialog

	name       *widgets.Entry
	conditions *fyne.Container
	said       *widgets.Text
	found      *fyne.Container
	save       *widget.Button
	apply      *widget.Button // saves, and goes on to what is stored
	first      *widgets.Entry // what the first condition looks for
	typed      int            // so far
	want       async.Request
}

// editRule opens the editor; saved is told when the rule was stored.
func (w *window) editRule(r rule.Rule, saved func()) *ruleEditor {
	r.Conditions = slices.Clone(r.Conditions)
	e := &ruleEditor{w: w, rule: r, saved: saved, conditions: widgets.NewColumn(6), said: widgets.NewText("", widgets.Plain), found: widgets.NewColumn(3)}
	e.name = widgets.NewEntry(e.close)
	e.name.SetText(r.Name)
	e.name.SetPlaceHolder(lang.L("if you want one"))
	e.name.OnChanged = func(text string) { e.rule.Name = strings.TrimSpace(text) }
	e.save, e.apply = widget.NewButton(lang.L("Save"), e.submit), widget.NewButton(lang.L("Save and apply…"), e.submitAndApply)
	e.save.Importance = widget.HighImportance
	e.listConditions()
	body := widgets.NewColumn(14,
		widgets.LabeledRow(ruleWord, lang.L("Name"), e.name, ""),
		widgets.LabeledRow(ruleWord, lang.L("If"), widgets.NewColumn(6, e.all(), e.conditions, container.NewHBox(e.more())), ""),
		widgets.LabeledRow(ruleWord, lang.L("Then"), e.actions(), lang.L("Hidden articles stand in no list but can be looked at and brought back for a month. What one rule stars no rule hides.")),
		widgets.NewColumn(6, e.said, e.found))
	scroll := container.NewVScroll(widgets.NewPage(720, body))
	e.dialog = dialog.NewCustomWithoutButtons(lang.L("Rule"), scroll, w.win)
	e.dialog.SetButtons([]fyne.CanvasObject{widget.NewButton(lang.L("Cancel"), e.close), e.apply, e.save})
	e.dialog.Resize(w.dialogs.Fit(760, 640))
	w.dialogs.Show(e.dialog, e.want.Stop)
	w.win.Canvas().Focus(e.first)
	e.try()
	return e
}

func (e *ruleEditor) close() { e.dialog.Hide() }

// all chooses whether all conditions are needed.
func (e *ruleEditor) all() fyne.CanvasObject {
	const any, all = "any", "all"
	now := all
	if e.rule.Any {
		now = any
	}
	return widgets.NewChoice([]widgets.Option{widgets.Opt(all, lang.L("all of these hold")), widgets.Opt(any, lang.L("one of these holds"))}, now, func(value string) {
		e.rule.Any = value == any
		e.try()
	})
}

func (e *ruleEditor) more() fyne.CanvasObject {
	b := widget.NewButtonWithIcon(lang.L("Another condition"), theme.ContentAddIcon(), func() {
		e.w.used()
		if len(e.rule.Conditions) < rule.MaxConditions {
			e.rule.Conditions = append(e.rule.Conditions, rule.Condition{Field: rule.Title})
			e.listConditions()
			e.try()
		}
	})
	b.Importance = widget.LowImportance
	return b
}

func (e *ruleEditor) listConditions() {
	e.conditions.RemoveAll()
	for i := range e.rule.Conditions {
		e.conditions.Add(e.condition(i))
	}
	e.conditions.Refresh()
}

// condition is the line of one.
func (e *ruleEditor) condition(i int) fyne.CanvasObject {
	c := &e.rule.Conditions[i]
	var fields []widgets.Option
	for _, f := range rule.Fields {
		fields = append(fields, widgets.Opt(string(f), fieldName(f)))
	}
	where := widgets.NewChoice(fields, string(c.Field), func(value string) { c.Field = rule.Field(value); e.try() })
	const words, expression = "words", "expression"
	now := words
	if c.Regexp {
		now = expression
	}
	how := widgets.NewChoice([]widgets.Option{widgets.Opt(words, lang.L("contains")), widgets.Opt(expression, lang.L("matches the expression"))}, now, func(value string) {
		c.Regexp = value == expression
		e.try()
	})
	pattern := widgets.NewEntry(e.close)
	pattern.SetText(c.Pattern)
	pattern.OnChanged = func(text string) { c.Pattern = text; e.tryLater() }
	if i == 0 {
		e.first = pattern
	}
	pattern.OnSubmitted = func(string) { e.submit() }
	drop := widget.NewButtonWithIcon("", theme.ContentRemoveIcon(), func() {
		e.w.used()
		e.rule.Conditions = slices.Delete(e.rule.Conditions, i, i+1)
		e.listConditions()
		e.try()
	})
	drop.Importance = widget.LowImportance
	if len(e.rule.Conditions) == 1 {
		drop.Disable()
	}
	return container.NewBorder(nil, nil, container.NewHBox(where, how), drop, pattern)
}

func (e *ruleEditor) actions() fyne.CanvasObject {
	row := widgets.NewFlow(8)
	for _, a := range ruleActions(&e.rule.Actions) {
		check := widgets.NewCheck(a.name)
		check.SetChecked(*a.on)
		check.OnChanged = func(on bool) { *a.on = on; e.try() }
		row.Add(check)
	}
	return row
}

// tryLater tries the rule once nothing has been typed for a while.
func (e *ruleEditor) tryLater() {
	e.typed++
	typed := e.typed
	time.AfterFunc(tryAfter, func() {
		if e.w.Ctx.Err() != nil {
			return
		}
		e.w.Do(func() {
			if e.typed == typed {
				e.try()
			}
		})
	})
}

// tried is what came of trying a rule, or why it cannot be used.
type tried struct {
	trial reader.Trial
	wrong *rule.Error
}

// try shows what the rule would have done.
func (e *ruleEditor) try() {
	r := e.rule
	r.Conditions = slices.Clone(r.Conditions)
	async.Load(e.w.Jobs, &e.want, func(ctx context.Context) (t tried, err error) {
		t.trial, err = e.w.home.Store.Rules.Try(ctx, r, e.w.now().AddDate(0, 0, -tryDays), tryShown)
		if errors.As(err, &t.wrong) {
			err = nil
		}
		return t, err
	}, e.show)
}

func (e *ruleEditor) show(t tried) {
	e.found.RemoveAll()
	if t.wrong != nil {
		e.save.Disable()
		e.apply.Disable()
		tone := widgets.Warning
		if e.untouched() {
			tone = widgets.Muted
		}
		e.said.SetText(wrongText(t.wrong, len(e.rule.Conditions)), tone)
		e.found.Refresh()
		return
	}
	e.save.Enable()
	e.apply.Enable()
	e.said.SetText(triedText(t.trial, tryDays), widgets.Bold)
	for _, a := range t.trial.Newest {
		e.found.Add(widgets.NewRichText(widgets.Plain.Span(language.Printer().ArticleTitle(a.Title)), widgets.Muted.Span("   "+a.FeedTitle+", "+language.Printer().Age(a.Published, e.w.now()))))
	}
	if len(t.trial.Newest) < t.trial.Matched {
		e.found.Add(widgets.NewText(lang.L("and older ones"), widgets.Muted))
	}
	e.found.Refresh()
}

// untouched reports whether nothing was written yet.
func (e *ruleEditor) untouched() bool {
	return len(e.rule.Conditions) == 1 && e.rule.Conditions[0].Pattern == ""
}

// wrongText says what is wrong and, among several conditions, with which.
func wrongText(err *rule.Error, conditions int) string {
	reason := language.Printer().RuleError(err)
	if err.Condition == rule.WholeRule || conditions < 2 {
		return reason
	}
	return lang.L("Condition {{.Number}}: {{.Reason}}", map[string]any{"Number": err.Condition + 1, "Reason": reason})
}

func (e *ruleEditor) submit() { e.store(func(rule.Rule) {}) }

// submitAndApply stores the rule and then asks whether it shall hold for what is stored, too.
func (e *ruleEditor) submitAndApply() { e.store(func(r rule.Rule) { e.w.applyRule(r) }) }

// store stores the rule and closes; then is told which it is now.
func (e *ruleEditor) store(then func(rule.Rule)) {
	e.w.used()
	r := e.rule
	r.Conditions = slices.Clone(r.Conditions)
	e.w.Work(func(ctx context.Context) (err error) {
		r.ID, err = e.w.home.Rules.Save(ctx, r)
		return err
	}, func(err error) {
		var wrong *rule.Error
		switch {
		case errors.As(err, &wrong):
			e.save.Disable()
			e.apply.Disable()
			e.said.SetText(wrongText(wrong, len(r.Conditions)), widgets.Warning)
		case err != nil:
			e.said.SetText(errorText(err), widgets.Warning)
		default:
			e.close()
			e.saved()
			then(r)
		}
	})
}
