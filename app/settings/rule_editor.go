package settings

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
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
	trialDays      = 90                     // a rule is tried on articles no older than this
	trialShown     = 12                     // how many of the newest matches are listed
	trialDelay     = 300 * time.Millisecond // after the last key press
	ruleLabelWidth = 70
	allMatch       = "all"
	anyMatches     = "any"
	containsText   = "text"
	matchesRegexp  = "regexp"
	alreadyTold    = "told"
	not            = "not-" // before one of these three
)

// ruleEditor edits a rule and shows what it would have done with the stored articles.
type ruleEditor struct {
	*settingsDialog
	rule rule.Rule
	was  rule.Rule   // when the editor was opened
	id   int64       // of the rule, once it is stored
	back func(int64) // gets id when the rules are shown again
	page *subpage

	name         *widgets.Entry
	conditions   *fyne.Container
	message      *widgets.Text
	matches      *fyne.Container
	save         *widgets.DialogButton
	saveAndApply *widgets.DialogButton
	fields       []*widgets.Select // of the conditions
	firstPattern *widgets.Entry    // of the first condition; the name if that has none
	revealed     bool              // the field that has the focus at first
	keyPresses   int               // so far, in patterns
	request      async.Request
	label        *widgets.SelectEntry // names a label to set
	labels       []reader.Label
}

// editRule opens the editor; back is called when the rules are shown again, with the id of the rule if it was stored.
func editRule(d *settingsDialog, r rule.Rule, back func(id int64)) *ruleEditor {
	r.Conditions = slices.Clone(r.Conditions)
	was := r
	was.Conditions = slices.Clone(r.Conditions)
	e := &ruleEditor{settingsDialog: d, rule: r, was: was, back: back, conditions: widgets.NewColumn(6), message: widgets.NewText("", widgets.Plain), matches: widgets.NewColumn(3)}
	e.name = widgets.NewEntry(e.close)
	e.name.SetText(r.Name)
	e.name.SetPlaceHolder(lang.L("optional"))
	e.name.OnChanged = func(text string) { e.rule.Name = strings.TrimSpace(text) }
	e.save = d.subpageButton(lang.L("Save"), true, func() { e.store(nil) })
	e.saveAndApply = d.subpageButton(lang.L("Save and apply…"), false, func() {
		e.store(func(r rule.Rule) { applyRule(d, r, func() { back(r.ID) }) })
	})
	e.listConditions()
	body := widgets.NewColumn(14,
		widgets.LabeledRow(ruleLabelWidth, lang.L("Name"), e.name, ""),
		widgets.LabeledRow(ruleLabelWidth, lang.L("If"), widgets.NewColumn(6, e.allOrAny(), e.conditions, container.NewHBox(e.addButton())), ""),
		widgets.LabeledRow(ruleLabelWidth, lang.L("Then"), e.actions(),
			lang.L("Hidden articles are in no list, but you can look at them and unhide them for a month. No rule hides an article that another rule stars or labels. Read and hidden articles are not snoozed.")),
		widgets.NewColumn(6, e.message, e.matches))
	title := lang.L("Edit the rule")
	if r.ID == 0 {
		title = lang.L("New rule")
	}
	e.page = &subpage{title: title, content: widgets.NewVScroll(widgets.NewPage(720, body)), focus: e.firstPattern,
		buttons: []*widgets.DialogButton{e.saveAndApply, e.save}, main: e.save, keep: e.keep, left: e.request.Stop, back: func() { back(e.id) }}
	d.openSubpage(e.page)
	e.loadLabels()
	e.try()
	return e
}

func (e *ruleEditor) close() { e.leaveSubpage(e.page) }

// keep asks before a rule that is not saved is lost, and reports whether it asks.
func (e *ruleEditor) keep(leave func()) bool {
	if reflect.DeepEqual(e.rule, e.was) {
		return false
	}
	e.Dialogs.ConfirmLoss(lang.L("Discard the changes to this rule?"), lang.L("They are not saved."), lang.L("Keep editing"), lang.L("Discard"), leave)
	return true
}

// allOrAny chooses whether all conditions have to match.
func (e *ruleEditor) allOrAny() fyne.CanvasObject {
	now := allMatch
	if e.rule.Any {
		now = anyMatches
	}
	return widgets.NewChoice([]widgets.Option{widgets.Opt(allMatch, lang.L("all conditions match")), widgets.Opt(anyMatches, lang.L("any condition matches"))}, now, func(value string) {
		e.rule.Any = value == anyMatches
		e.try()
	})
}

// addButton adds a condition.
func (e *ruleEditor) addButton() *widgets.DialogButton {
	b := e.subpageButton(lang.L("Add condition"), false, func() {
		if len(e.rule.Conditions) < rule.MaxConditions {
			e.rule.Conditions = append(e.rule.Conditions, rule.Condition{Field: rule.Title})
			e.listConditions()
			e.try()
		}
	})
	b.Icon, b.Importance = theme.ContentAddIcon(), widget.LowImportance
	return b
}

func (e *ruleEditor) listConditions() {
	e.conditions.RemoveAll()
	e.fields = nil
	for i := range e.rule.Conditions {
		e.conditions.Add(e.condition(i))
	}
	e.conditions.Refresh()
}

// condition returns the controls of one condition.
func (e *ruleEditor) condition(i int) fyne.CanvasObject {
	c := &e.rule.Conditions[i]
	var fields []widgets.Option
	for _, f := range rule.Fields {
		fields = append(fields, widgets.Opt(string(f), fieldName(f)))
	}
	field := widgets.NewChoice(fields, string(c.Field), func(value string) {
		was := c.Field
		c.Field = rule.Field(value)
		if (was == rule.Story) != (c.Field == rule.Story) {
			e.listConditions() // it has no pattern
			e.focus(e.fields[i])
		}
		e.try()
	})
	e.fields = append(e.fields, field)
	remove := e.iconButton(theme.ContentRemoveIcon(), lang.L("Remove"), c.Pattern, func() {
		e.rule.Conditions = slices.Delete(e.rule.Conditions, i, i+1)
		e.listConditions()
		e.try()
	})
	if len(e.rule.Conditions) == 1 {
		remove.Disable()
	}
	if c.Field == rule.Story {
		if i == 0 {
			e.firstPattern = e.name
		}
		return widgets.NewColumn(conditionGap, container.NewBorder(nil, nil, field, remove, e.told(c)),
			widgets.NewText(lang.L("if stories are listed once"), widgets.Muted))
	}
	now := containsText
	if c.Regexp {
		now = matchesRegexp
	}
	if c.Not {
		now = not + now
	}
	how := widgets.NewChoice([]widgets.Option{
		widgets.Opt(containsText, lang.L("contains")), widgets.Opt(not+containsText, lang.L("does not contain")),
		widgets.Opt(matchesRegexp, lang.L("matches regular expression")), widgets.Opt(not+matchesRegexp, lang.L("does not match regular expression")),
	}, now, func(value string) {
		value, c.Not = strings.CutPrefix(value, not)
		c.Regexp = value == matchesRegexp
		e.try()
	})
	pattern := widgets.NewEntry(e.close)
	pattern.SetText(c.Pattern)
	pattern.OnChanged = func(text string) { c.Pattern = text; e.tryLater() }
	if i == 0 {
		e.firstPattern = pattern
	}
	return container.New(conditionRow{}, widgets.NewFlow(4, field, how), pattern, remove)
}

// told chooses whether another feed told the story already, or none.
func (e *ruleEditor) told(c *rule.Condition) *widgets.Select {
	now := alreadyTold
	if c.Not {
		now = not + now
	}
	return widgets.NewChoice([]widgets.Option{
		widgets.Opt(alreadyTold, lang.L("another feed carried it before")), widgets.Opt(not+alreadyTold, lang.L("no other feed carried it before")),
	}, now, func(value string) {
		c.Not = value != alreadyTold
		e.try()
	})
}

// conditionRow is the layout of a condition: what is compared and how, the pattern, and a button. Where the pattern would
// have little room it stands below.
type conditionRow struct{}

const (
	conditionGap = 4
	patternLeast = 140
)

func (conditionRow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	how, pattern, remove := objects[0], objects[1], objects[2]
	high, bare := pattern.MinSize().Height, remove.MinSize().Width
	at := fyne.Position{}
	if wide := conditionWidth(how); wide+patternLeast+bare+2*conditionGap <= size.Width {
		widgets.FitWidth(how, wide)
		at.X = wide + conditionGap
	} else {
		at.Y = widgets.FitWidth(how, size.Width) + conditionGap
	}
	pattern.Move(at)
	pattern.Resize(fyne.NewSize(size.Width-at.X-bare-conditionGap, high))
	remove.Move(fyne.NewPos(size.Width-bare, at.Y))
	remove.Resize(fyne.NewSize(bare, high))
}

// conditionWidth is the width of two fields beside each other.
func conditionWidth(fields fyne.CanvasObject) (width float32) {
	for _, o := range fields.(*fyne.Container).Objects {
		width += o.MinSize().Width + conditionGap
	}
	return width
}

func (conditionRow) MinSize(objects []fyne.CanvasObject) fyne.Size {
	how, pattern, remove := objects[0].MinSize(), objects[1].MinSize(), objects[2].MinSize()
	high := max(how.Height, pattern.Height)
	if objects[1].Position().Y > 0 {
		high = how.Height + conditionGap + pattern.Height
	}
	return fyne.NewSize(max(how.Width, pattern.Width+conditionGap+remove.Width), high)
}

func (e *ruleEditor) actions() fyne.CanvasObject {
	row := widgets.NewFlow(8)
	for _, a := range ruleActions(&e.rule.Actions) {
		row.Add(checkbox(a.name, *a.on, func(on bool) { *a.on = on; e.try() }))
	}
	e.label = widgets.NewSelectEntry(nil)
	e.label.SetPlaceHolder(lang.L("No label"))
	e.label.OnChanged = func(name string) {
		e.rule.Actions.Label = e.labelID(name)
		e.tryLater()
	}
	return widgets.NewColumn(6, row, container.NewBorder(nil, nil, widget.NewLabel(lang.L("label")), nil, e.label))
}

// newLabel stands for a label that is created when the rule is stored.
const newLabel = -1

// labelID is the label with this name, 0 for no name.
func (e *ruleEditor) labelID(name string) int64 {
	if strings.TrimSpace(name) == "" {
		return 0
	}
	if i := slices.IndexFunc(e.labels, func(l reader.Label) bool { return l.Same(name) }); i >= 0 {
		return e.labels[i].ID
	}
	return newLabel
}

// loadLabels offers the labels there are, and names the one that the rule sets.
func (e *ruleEditor) loadLabels() {
	async.Load(e.Jobs, new(async.Request), e.Home.Store.Labels.List, func(all []reader.Label) {
		e.labels = all
		var names []string
		now := ""
		for _, l := range all {
			names = append(names, l.Name)
			if l.ID == e.rule.Actions.Label {
				now = l.Name
			}
		}
		e.label.SetOptions(names)
		if e.label.Text == "" {
			e.label.SetText(now)
		}
	})
}

// tryLater tries the rule once the user stops typing.
func (e *ruleEditor) tryLater() {
	e.keyPresses++
	presses := e.keyPresses
	time.AfterFunc(trialDelay, func() {
		if e.Ctx.Err() != nil {
			return
		}
		e.Do(func() {
			if e.keyPresses == presses {
				e.try()
			}
		})
	})
}

// trial is the result of trying a rule, or why it cannot be used.
type trial struct {
	result  reader.Trial
	problem *rule.Error
}

// try shows what the rule would have done.
func (e *ruleEditor) try() {
	r := e.rule
	r.Conditions = slices.Clone(r.Conditions)
	async.Load(e.Jobs, &e.request, func(ctx context.Context) (t trial, err error) {
		t.result, err = e.Home.Store.Rules.Try(ctx, r, e.Home.Now().AddDate(0, 0, -trialDays), trialShown)
		if errors.As(err, &t.problem) {
			err = nil
		}
		return t, err
	}, func(t trial) {
		e.show(t)
		if c := e.Dialogs.Canvas(); !e.revealed && c.Focused() == fyne.Focusable(e.firstPattern) {
			widgets.Reveal(c, e.firstPattern) // now that all of the page has its size
		}
		e.revealed = true
	})
}

func (e *ruleEditor) show(t trial) {
	e.matches.RemoveAll()
	if t.problem != nil {
		style := widgets.Warning
		if e.untouched() {
			style = widgets.Muted
		}
		e.refuse(t.problem, style)
		e.matches.Refresh()
		return
	}
	e.save.Enable()
	e.saveAndApply.Enable()
	e.message.SetText(trialText(t.result, trialDays), widgets.Bold)
	p := language.Printer()
	for _, a := range t.result.Newest {
		e.matches.Add(widgets.NewRichText(widgets.Plain.Span(p.ArticleTitle(a.Title)), widgets.Muted.Span("   "+a.FeedTitle+", "+p.Age(a.Published, e.Home.Now()))))
	}
	if len(t.result.Newest) < t.result.Matched {
		e.matches.Add(widgets.NewText(lang.L("and older ones"), widgets.Muted))
	}
	e.matches.Refresh()
}

// refuse shows why the rule cannot be saved.
func (e *ruleEditor) refuse(problem *rule.Error, style widgets.Style) {
	e.save.Disable()
	e.saveAndApply.Disable()
	e.message.SetText(problemText(problem, len(e.rule.Conditions)), style)
}

// untouched reports whether the user has entered nothing yet.
func (e *ruleEditor) untouched() bool {
	return len(e.rule.Conditions) == 1 && e.rule.Conditions[0].Pattern == "" && e.rule.Conditions[0].Field != rule.Story
}

// store stores the rule and closes the editor; then, if not nil, gets the stored rule.
func (e *ruleEditor) store(then func(rule.Rule)) {
	r := e.rule
	r.Conditions = slices.Clone(r.Conditions)
	label := reader.Label{Name: e.label.Text, Color: reader.NextLabelColor(e.labels)}
	e.Work(func(ctx context.Context) (err error) {
		if r.Actions.Label == newLabel {
			if r.Actions.Label, err = e.Home.Marks.Labels.Save(ctx, label); err != nil {
				return err
			}
		}
		r.ID, err = e.Home.Rules.Save(ctx, r)
		return err
	}, func(err error) {
		var problem *rule.Error
		switch {
		case errors.As(err, &problem):
			e.refuse(problem, widgets.Warning)
		case err != nil:
			e.message.SetText(errorText(err), widgets.Warning)
		default:
			e.id = r.ID
			if !e.closeSubpage(e.page) {
				e.back(r.ID) // it was left meanwhile
			} else if then != nil {
				then(r)
			}
		}
	})
}
