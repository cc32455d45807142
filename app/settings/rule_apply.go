package settings

import (
	"context"
	"errors"
	"strconv"

	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/dialogs"
	"kairos/app/widgets"
	"kairos/reader"
	"kairos/reader/rule"
)

// ruleApply applies a stored rule to the stored articles: it finds what would change, shows it,
// and changes it when the user says so. Closing the dialog stops it; what has changed by then
// can be undone like the whole.
type ruleApply struct {
	*Settings
	ctx     context.Context // ends with the dialog
	stop    context.CancelFunc
	changes reader.RuleChanges

	dialog   *dialogs.Dialog
	message  *widgets.Text
	progress *widget.ProgressBar
	apply    *dialogs.Button
	open     bool
}

// applyRule opens the dialog for a rule that is stored.
func (s *Settings) applyRule(r rule.Rule) *ruleApply {
	a := &ruleApply{Settings: s, message: widgets.NewText("", widgets.Plain), progress: widget.NewProgressBar(), open: true}
	a.ctx, a.stop = context.WithCancel(s.Ctx)
	a.progress.Hide()
	a.apply = dialogs.Do(lang.L("Apply"), a.run)
	a.dialog = &dialogs.Dialog{Title: lang.L("Apply to stored articles"), Width: 480,
		Content: widgets.NewColumn(12, widgets.NewText(ruleName(r), widgets.Bold), a.message, a.progress),
		Buttons: []*dialogs.Button{dialogs.Cancel(), a.apply},
		Closed: func() {
			a.open = false
			a.stop()
		}}
	s.Dialogs.Show(a.dialog)
	a.apply.SetEnabled(false)
	a.find(r)
	return a
}

func (a *ruleApply) close() { a.dialog.Hide() }

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
				a.apply.SetEnabled(true)
			}
		}
	})
}

// show shows a message while the dialog is open.
func (a *ruleApply) show(text string, style widgets.Style) {
	if a.open {
		a.message.SetText(text, style)
	}
}

// run changes what was found.
func (a *ruleApply) run() {
	a.apply.SetEnabled(false)
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
		a.AddUndo(lang.N("The rule changed {{.PluralCount}} articles", n), func(ctx context.Context) error { return a.Home.Rules.Undo(ctx, applied) })
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
