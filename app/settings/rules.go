package settings

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"kairos/app/async"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/reader"
	"kairos/reader/rule"
)

// rulesValues is what the page loads.
type rulesValues struct {
	rules  []rule.Rule
	labels []reader.Label
	hidden int // articles
	dedupe reader.DedupeSettings
}

// rulesPage lists the rules and the settings of duplicate stories.
type rulesPage struct {
	*settingsDialog
	content *fyne.Container
	list    cardList
	request async.Request
	back    backTo
	buttons map[int64]*widgets.DialogButton // edit a rule, by its id
	beyond  int                             // rules that are listed beyond the first portion
	more    *widgets.DialogButton           // lists more of them; nil if all are listed
}

// rulesPortion is how many rules are listed at a time: thousands, as a file of somebody else may have, would take a minute.
const rulesPortion = 50

// backTo is where the focus goes when the page is listed again after a subpage.
type backTo struct {
	to   control
	rule int64 // its id
}

// control is what opens a subpage of the rules.
type control int

const (
	nowhere control = iota
	toRule          // the button that edits a rule
	toAdd
	toHidden
)

// rulesPage returns the page, which loads its content.
func (d *settingsDialog) rulesPage() fyne.CanvasObject {
	p := &rulesPage{settingsDialog: d, content: widgets.NewColumn(20), list: newCardList(d)}
	p.reload()
	return p.content
}

func (p *rulesPage) reload() {
	async.Load(p.Jobs, &p.request, func(ctx context.Context) (v rulesValues, err error) {
		if v.rules, err = p.Home.Store.Rules.List(ctx); err != nil {
			return v, err
		}
		if v.labels, err = p.Home.Store.Labels.List(ctx); err != nil {
			return v, err
		}
		if v.dedupe, err = p.Home.Store.Duplicates.Settings(ctx); err != nil {
			return v, err
		}
		hidden, err := p.Home.Store.Articles.IDs(ctx, reader.Query{Hidden: true})
		v.hidden = len(hidden)
		return v, err
	}, p.show)
}

func (p *rulesPage) show(v rulesValues) {
	p.buttons, p.more = map[int64]*widgets.DialogButton{}, nil
	if p.back.to == toRule {
		at := slices.IndexFunc(v.rules, func(r rule.Rule) bool { return r.ID == p.back.rule })
		p.beyond = max(p.beyond, at+1-rulesPortion)
	}
	listed := min(rulesPortion+p.beyond, len(v.rules))
	defer p.list.fill(func() {
		for i, r := range v.rules[:listed] {
			p.list.Add(p.card(r, v.labels, i == 0, i == len(v.rules)-1))
		}
	})()
	add := widgets.NewDialogButton(lang.L("Add rule…"), func() {
		p.Keys.Used()
		p.edit(rule.Rule{Enabled: true, Conditions: []rule.Condition{{Field: rule.Title}}, Actions: rule.Actions{Read: true}}, toAdd)
	})
	add.Icon = theme.ContentAddIcon()
	hidden := widgets.NewDialogButton(lang.L("Hidden articles…"), func() {
		p.Keys.Used()
		showHidden(p.settingsDialog, func() { p.returnTo(backTo{to: toHidden}) })
	})
	if v.hidden == 0 {
		hidden.Disable()
	}
	buttons := widgets.NewFlow(8, add, hidden)
	if left := min(len(v.rules)-listed, rulesPortion); left > 0 {
		p.more = widgets.NewDialogButton(lang.N("Show {{.PluralCount}} more rules", left, map[string]any{"PluralCount": left}), func() {
			p.Keys.Used()
			p.back, p.beyond = backTo{toRule, v.rules[listed].ID}, listed
			p.reload()
		})
		buttons.Objects = slices.Insert(buttons.Objects, 0, fyne.CanvasObject(p.more))
	}
	about := widgets.NewText(lang.L("Rules check every new article, in this order. They can hide it, mark it read, snooze it, star it, label it or notify you."), widgets.Muted)
	p.content.Objects = []fyne.CanvasObject{
		widgets.NewColumn(10, about, p.list.Container, buttons),
		p.dedupeRow(v.dedupe),
	}
	p.content.Refresh()
	if p.back.to == nowhere || p.closed || p.subpage != nil || p.body.Objects[0] != p.content || p.Dialogs.Canvas().Focused() != p.names {
		return
	}
	switch {
	case p.back.to == toRule && p.buttons[p.back.rule] != nil:
		p.focus(p.buttons[p.back.rule])
	case p.back.to == toHidden && !hidden.Disabled():
		p.focus(hidden)
	default:
		p.focus(add)
	}
	p.back = backTo{}
}

// edit opens the editor of a rule; the focus returns to what opened it, or to the rule that is stored.
func (p *rulesPage) edit(r rule.Rule, from control) {
	editRule(p.settingsDialog, r, func(id int64) {
		b := backTo{from, r.ID}
		if id != 0 {
			b = backTo{toRule, id}
		}
		p.returnTo(b)
	})
}

// returnTo lists the rules again and gives the focus to a control of the page.
func (p *rulesPage) returnTo(b backTo) {
	p.back = b
	p.reload()
}

// card shows a rule in the list.
func (p *rulesPage) card(r rule.Rule, labels []reader.Label, first, last bool) fyne.CanvasObject {
	enabled := checkbox("", r.Enabled, func(on bool) {
		p.change(func(ctx context.Context) error { return p.Home.Rules.Enable(ctx, r.ID, on) }, nil)
	})
	move := func(by int) func() {
		return func() { p.change(func(ctx context.Context) error { return p.Home.Rules.Move(ctx, r.ID, by) }, nil) }
	}
	up, down := p.iconButton(theme.MoveUpIcon(), lang.L("Move up"), r.Name, move(-1)), p.iconButton(theme.MoveDownIcon(), lang.L("Move down"), r.Name, move(1))
	if first {
		up.Disable()
	}
	if last {
		down.Disable()
	}
	edit := p.iconButton(theme.DocumentCreateIcon(), lang.L("Edit"), r.Name, func() { p.edit(r, toRule) })
	p.buttons[r.ID] = edit
	remove := p.iconButton(theme.DeleteIcon(), lang.L("Remove"), r.Name, func() { p.remove(r) })
	p.list.control(enabled, up, down, edit, remove)
	return card(enabled, cardText(r, labels), up, down, edit, remove)
}

// cardText is the name of a rule and what it does, or why it does nothing.
func cardText(r rule.Rule, labels []reader.Label) fyne.CanvasObject {
	text, style := ruleText(r, labels), widgets.Muted
	if r.Name == "" {
		style = widgets.Plain
	}
	if err := r.Check(); err != nil {
		text, style = language.Printer().Sentences(lang.L("This rule does nothing."), errorText(err)), widgets.Warning
	}
	return widgets.NewColumn(2, widgets.NewText(r.Name, widgets.Bold), widgets.NewText(text, style))
}

// change changes a rule and lists the rules again; done, if not nil, is called when it is stored.
func (p *rulesPage) change(f func(ctx context.Context) error, done func()) {
	p.Keys.Used()
	p.Work(f, func(err error) {
		p.fail(err)
		if err == nil && done != nil {
			done()
		}
		p.reload()
	})
}

// remove deletes a rule, which can be undone.
func (p *rulesPage) remove(r rule.Rule) {
	var deleted reader.DeletedRule
	p.change(func(ctx context.Context) (err error) {
		deleted, err = p.Home.Rules.Delete(ctx, r.ID)
		return err
	}, func() {
		p.undo.offer(lang.L("Rule deleted: {{.Name}}", map[string]any{"Name": ruleName(r)}), func(ctx context.Context) error {
			err := p.Home.Rules.Restore(ctx, deleted)
			p.Do(p.reload)
			return err
		})
	})
}

// dedupeRow is the setting of duplicate stories.
func (p *rulesPage) dedupeRow(s reader.DedupeSettings) fyne.CanvasObject {
	message := widgets.NewText("", widgets.Plain)
	store := func() {
		p.Keys.Used()
		message.SetText(lang.L("Checking stored articles…"), widgets.Muted)
		settings := s
		p.Work(func(ctx context.Context) error { return p.Home.Duplicates.Set(ctx, settings) }, func(err error) {
			message.Clear()
			if err != nil {
				message.SetText(errorText(err), widgets.Warning)
			}
			p.OnDedupe()
		})
	}
	together := checkbox(lang.L("Mark duplicates as read together"), s.ReadTogether, func(on bool) { s.ReadTogether = on; store() })
	once := widgets.NewChoice([]widgets.Option{
		widgets.Opt(storiesApart, lang.L("Show every article")),
		widgets.Opt(storiesExact, lang.L("Once, by link or title")),
		widgets.Opt(storiesAlike, lang.L("Once, by content")),
	}, storiesOf(s), func(value string) {
		s.Once, s.Alike = value != storiesApart, value == storiesAlike
		together.Enable()
		if !s.Once {
			together.Disable()
		}
		store()
	})
	if !s.Once {
		together.Disable()
	}
	return widgets.SettingRow(lang.L("Stories that several feeds carry"), widgets.NewColumn(2, once, together, message),
		lang.L("The list shows the first article of a story, with the number of others; a click on it or the key “.” opens them. A story is recognized by its link, or by its title within two days, within minutes where a feed repeats its titles; by content, if titles and texts of two days have much in common. In a single feed and in Starred, all articles are shown."))
}

// What a story that several feeds carry is recognized by.
const (
	storiesApart = "apart"
	storiesExact = "exact"
	storiesAlike = "alike"
)

func storiesOf(s reader.DedupeSettings) string {
	switch {
	case s.Once && s.Alike:
		return storiesAlike
	case s.Once:
		return storiesExact
	}
	return storiesApart
}
