package settings

import (
	"context"
	"errors"
	"strconv"

	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/widgets"
	"kairos/reader"
	"kairos/reader/rule"
)

// ruleApply applies a stored rule to the stored articles: it finds what would change, shows it,
// and changes it when the user says so. Leaving it stops it; what has changed by then
// can be undone like the whole.
type ruleApply struct {
	*settingsDialog
	ctx     context.Context // ends when it is left
	stop    context.CancelFunc
	changes reader.RuleChanges

	page     *subpage
	message  *widgets.Text
	progress *widget.ProgressBar
	apply    *widgets.DialogButton
	open     bool
}

// applyRule asks for a rule that is stored; back is called when the rules are shown again.
func applyRule(d *settingsDialog, r rule.Rule, back func()) *ruleApply {
	a := &ruleApply{settingsDialog: d, message: widgets.NewText("", widgets.Plain), progress: widget.NewProgressBar(), open: true}
	a.ctx, a.stop = context.WithCancel(d.Ctx)
	a.progress.Hide()
	a.apply = d.subpageButton(lang.L("Apply"), true, a.run)
	a.apply.Disable()
	a.page = &subpage{title: lang.L("Apply to stored articles"),
		content: widgets.NewVScroll(widgets.NewPage(620, widgets.NewColumn(12, widgets.NewText(ruleName(r), widgets.Bold), a.message, a.progress))),
		buttons: []*widgets.DialogButton{a.apply}, main: a.apply, back: back,
		left: func() {
			a.open = false
			a.stop()
		}}
	d.openSubpage(a.page)
	a.find(r)
	return a
}

func (a *ruleApply) close() { a.closeSubpage(a.page) }

// find finds what the rule would change.
func (a *ruleApply) find(r rule.Rule) {
	a.message.SetText(lang.L("Checking stored articles…"), widgets.Muted)
	var found reader.RuleChanges
	finding := true
	a.Work(func(context.Context) (err error) {
		found, err = a.Home.Store.Rules.FindChanges(a.ctx, r, func(n int) {
			a.Do(func() {
				if finding { // else the answer was in a frame that waited for it
					a.show(lang.L("Checking stored articles…")+" "+strconv.Itoa(n), widgets.Muted)
				}
			})
		})
		return err
	}, func(err error) {
		finding = false
		switch {
		case errors.Is(err, context.Canceled):
		case err != nil:
			a.show(errorText(err), widgets.Warning)
		default:
			a.changes = found
			a.show(changesText(found), widgets.Plain)
			if len(found.IDs) > 0 {
				a.apply.Enable()
				a.offer()
			}
		}
	})
}

// offer gives the focus to the button that applies the rule, unless it was taken elsewhere meanwhile.
func (a *ruleApply) offer() {
	if a.open && a.Dialogs.Canvas().Focused() == a.page.focus {
		a.focus(a.apply)
	}
}

// show shows a message until it is left.
func (a *ruleApply) show(text string, style widgets.Style) {
	if a.open {
		a.message.SetText(text, style)
	}
}

// run changes what was found.
func (a *ruleApply) run() {
	a.apply.Disable()
	a.progress.Max = float64(len(a.changes.IDs))
	a.progress.Show()
	var applied reader.AppliedRule
	a.Work(func(context.Context) (err error) {
		applied, err = a.Home.Rules.Apply(a.ctx, a.changes, func(n int) {
			a.Do(func() { a.progress.SetValue(float64(n)) })
		})
		return err
	}, func(err error) { a.ended(applied, err) })
}

// ended says what has changed and offers to undo it.
func (a *ruleApply) ended(applied reader.AppliedRule, err error) {
	if n := applied.Articles(); n > 0 {
		a.undo.offer(lang.N("The rule changed {{.PluralCount}} articles", n), func(ctx context.Context) error { return a.Home.Rules.Undo(ctx, applied) })
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		if !a.open {
			a.Say(errorText(err))
		}
		a.show(errorText(err), widgets.Warning)
		return
	}
	if a.open {
		a.close()
	}
}
