package app

import (
	"context"
	"strings"

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

// rulesNow is what the page shows.
type rulesNow struct {
	rules  []rule.Rule
	hidden int
	dedupe reader.DedupeSettings
}

// rulesPage lists the rules, and what is done with a story that several feeds carry.
type rulesPage struct {
	w     *window
	whole *fyne.Container
	list  *fyne.Container
	want  async.Request
}

// rulesPage returns the page, which fills itself.
func (w *window) rulesPage() fyne.CanvasObject {
	p := &rulesPage{w: w, whole: widgets.NewColumn(20), list: widgets.NewColumn(8)}
	p.reload()
	return p.whole
}

func (p *rulesPage) reload() {
	async.Load(p.w.Jobs, &p.want, func(ctx context.Context) (now rulesNow, err error) {
		if now.rules, err = p.w.home.Store.Rules.List(ctx); err != nil {
			return now, err
		}
		if now.dedupe, err = p.w.home.Store.Duplicates.Settings(ctx); err != nil {
			return now, err
		}
		hidden, err := p.w.home.Store.Articles.IDs(ctx, reader.Query{Hidden: true})
		now.hidden = len(hidden)
		return now, err
	}, p.show)
}

func (p *rulesPage) show(now rulesNow) {
	p.list.RemoveAll()
	for i, r := range now.rules {
		p.list.Add(p.card(r, i == 0, i == len(now.rules)-1))
	}
	add := widget.NewButtonWithIcon(lang.L("Add a rule…"), theme.ContentAddIcon(), func() {
		p.w.used()
		p.w.editRule(rule.Rule{Enabled: true, Conditions: []rule.Condition{{Field: rule.Title}}, Actions: rule.Actions{Read: true}}, p.reload)
	})
	hidden := widget.NewButton(lang.L("Hidden articles…"), func() { p.w.used(); p.w.hiddenDialog(p.reload) })
	if now.hidden == 0 {
		hidden.Disable()
	}
	about := widgets.NewText(lang.L("Rules look at every new article in this order: they can hide it, mark it read, star it or notify you of it."), widgets.Muted)
	p.whole.Objects = []fyne.CanvasObject{
		widgets.NewColumn(10, about, p.list, container.NewHBox(add, hidden)),
		widgets.Rows(p.stories(now.dedupe)...),
	}
	p.whole.Refresh()
}

// card is a rule in the list.
func (p *rulesPage) card(r rule.Rule, first, last bool) fyne.CanvasObject {
	w := p.w
	on := widgets.NewCheck("")
	on.SetChecked(r.Enabled)
	on.OnChanged = func(on bool) {
		p.do(func(ctx context.Context) error { return w.home.Rules.Enable(ctx, r.ID, on) })
	}
	button := func(icon fyne.Resource, do func()) *widget.Button {
		b := widget.NewButtonWithIcon("", icon, func() { w.used(); do() })
		b.Importance = widget.LowImportance
		return b
	}
	move := func(by int) func() {
		return func() { p.do(func(ctx context.Context) error { return w.home.Rules.Move(ctx, r.ID, by) }) }
	}
	up, down := button(theme.MoveUpIcon(), move(-1)), button(theme.MoveDownIcon(), move(1))
	if first {
		up.Disable()
	}
	if last {
		down.Disable()
	}
	buttons := container.NewHBox(up, down, button(theme.DocumentCreateIcon(), func() { w.editRule(r, p.reload) }),
		button(theme.DeleteIcon(), func() { p.confirmDelete(r) }))
	said, tone := ruleText(r), widgets.Muted
	if err := r.Check(); err != nil {
		said, tone = language.Printer().Sentences(lang.L("This rule does nothing."), errorText(err)), widgets.Warning
	}
	if r.Name == "" && tone == widgets.Muted {
		tone = widgets.Plain
	}
	text := widgets.NewColumn(2, widgets.NewText(r.Name, widgets.Bold), widgets.NewText(said, tone))
	return widgets.NewPanel("", container.NewBorder(nil, nil, on, buttons, text))
}

// do changes a rule and shows what became of it.
func (p *rulesPage) do(f func(ctx context.Context) error) {
	p.w.used()
	p.w.Work(f, func(err error) {
		if err != nil {
			p.w.say(errorText(err))
		}
		p.reload()
	})
}

func (p *rulesPage) confirmDelete(r rule.Rule) {
	p.w.dialogs.Show(dialog.NewConfirm(lang.L("Delete the rule?"), ruleName(r)+"\n"+lang.L("What it has hidden stays hidden."), func(yes bool) {
		if yes {
			p.do(func(ctx context.Context) error { return p.w.home.Rules.Delete(ctx, r.ID) })
		}
	}, p.w.win), nil)
}

// stories are the switches for a story that several feeds carry.
func (p *rulesPage) stories(s reader.DedupeSettings) []fyne.CanvasObject {
	together := widgets.NewCheck(lang.L("Read in one feed, read in all"))
	together.SetChecked(s.ReadTogether)
	said := widgets.NewText("", widgets.Plain)
	set := func() {
		p.w.used()
		said.SetText(lang.L("Looking through what is stored…"), widgets.Muted)
		settings := s
		p.w.Work(func(ctx context.Context) error { return p.w.home.Duplicates.Set(ctx, settings) }, func(err error) {
			said.SetText("", widgets.Muted)
			if err != nil {
				said.SetText(errorText(err), widgets.Warning)
			}
			p.w.loadFoldStories()
		})
	}
	once := widgets.NewCheck(lang.L("Show it once"))
	once.SetChecked(s.Once)
	once.OnChanged = func(on bool) {
		s.Once = on
		together.Enable()
		if !on {
			together.Disable()
		}
		set()
	}
	together.OnChanged = func(on bool) { s.ReadTogether = on; set() }
	if !s.Once {
		together.Disable()
	}
	return []fyne.CanvasObject{
		widgets.SettingRow(lang.L("The same story"), widgets.NewColumn(2, once, together, said),
			lang.L("When several feeds carry it. It is recognised by its link, or by its title within two days. In one feed and among the starred articles it is always shown.")),
	}
}

// loadFoldStories reads whether each story is listed once.
func (w *window) loadFoldStories() {
	var s reader.DedupeSettings
	w.Work(func(ctx context.Context) (err error) {
		s, err = w.home.Store.Duplicates.Settings(ctx)
		return err
	}, func(err error) {
		if err != nil {
			w.say(errorText(err))
			return
		}
		if w.foldStories != s.Once {
			w.foldStories = s.Once
			w.timeline.reload()
			w.sidebar.reload()
		}
	})
}

// ruleName is what a rule is called: by its first condition if it was given no name.
func ruleName(r rule.Rule) string {
	switch {
	case r.Name != "":
		return r.Name
	case len(r.Conditions) > 0:
		return conditionText(r.Conditions[0])
	}
	return lang.L("A rule without a name")
}

// ruleText says what a rule does.
func ruleText(r rule.Rule) string {
	var conditions []string
	for _, c := range r.Conditions {
		conditions = append(conditions, conditionText(c))
	}
	between := lang.X("join.and", " and ")
	if r.Any {
		between = lang.X("join.or", " or ")
	}
	var does []string
	for _, a := range ruleActions(&r.Actions) {
		if *a.on {
			does = append(does, a.name)
		}
	}
	return lang.L("{{.Conditions}}: {{.Actions}}", map[string]any{"Conditions": strings.Join(conditions, between),
		"Actions": strings.Join(does, lang.X("join.parts", ", "))})
}

// ruleAction is something a rule can do.
type ruleAction struct {
	on   *bool
	name string
}

func ruleActions(a *rule.Actions) []ruleAction {
	return []ruleAction{{&a.Hide, lang.L("hide")}, {&a.Read, lang.L("mark read")}, {&a.Star, lang.L("star")}, {&a.Notify, lang.L("notify")}}
}

func conditionText(c rule.Condition) string {
	values := map[string]any{"Field": fieldName(c.Field), "Words": c.Pattern}
	if c.Regexp {
		return lang.L("{{.Field}} matches “{{.Words}}”", values)
	}
	return lang.L("{{.Field}} contains “{{.Words}}”", values)
}

func fieldName(f rule.Field) string {
	switch f {
	case rule.Feed:
		return lang.L("Feed")
	case rule.Author:
		return lang.L("Author")
	case rule.Title:
		return lang.L("Title")
	case rule.Text:
		return lang.L("Text")
	}
	return string(f)
}
