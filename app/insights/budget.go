package insights

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/budget"
)

// budgetSection shows what budgets are expected to bring, and sets one or a goal.
type budgetSection struct {
	part
	view *budget.View
}

func newBudget(p *Page) *budgetSection {
	s := &budgetSection{view: budget.New(budget.Host{Jobs: p.Jobs, Home: p.Home, Chart: p.charts(), Changed: p.OnBudget, Fail: p.Fail, Leave: func() { p.Focus(nil) }, AddUndo: p.AddUndo})}
	s.part = newPart(p, lang.L("The budget"), s.view.Content)
	return s
}

func (s *budgetSection) focusable() fyne.Focusable {
	if !s.view.Content.Visible() {
		return nil
	}
	return s.view.Focusable()
}

func (s *budgetSection) clear() { s.view.Clear() }

func (s *budgetSection) load(next func()) {
	s.view.Load(func() {
		if s.view.Content.Visible() {
			s.say(lang.L("What a budget of requests a day is expected to bring, as learned today."), "")
		} else {
			s.say(s.view.Without(), "")
		}
		s.refresh()
		next()
	})
}
