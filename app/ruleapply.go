package app

import (
	"context"
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/reader"
	"kairos/reader/rule"
)

// ruleRun applies a stored rule to the articles that are stored: it looks what would change,
// says so, and changes it when told to. Who closes it ends it; what was changed by then can
// be undone as the whole can.
type ruleRun struct {
	w       *window
	ctx     context.Context
	stop    context.CancelFunc
	touched reader.RuleChanges

	dialog *dialog.CustomDialog
	said   *widgets.Text
	bar    *widget.ProgressBar
	apply  *widget.Button
	open   bool
}

// applyRule opens it for a rule that has been saved.
func (w *window) applyRule(r rule.Rule) *ruleRun {
	a := &ruleRun{w: w, said: widgets.NewText("", widgets.Plain), bar: widget.NewProgressBar(), open: true}
	a.ctx, a.stop = context.WithCancel(w.Ctx)
	a.bar.Hide()
	a.apply = widget.NewButton(lang.L("Apply"), a.run)
	a.apply.Importance = widget.HighImportance
	a.apply.Disable()
	a.dialog = dialog.NewCustomWithoutButtons(lang.L("Apply to stored articles"),
		widgets.NewColumn(12, widgets.NewText(ruleName(r), widgets.Bold), a.said, a.bar), w.win)
	a.dialog.SetButtons([]fyne.CanvasObject{widget.NewButton(lang.L("Cancel"), a.close), a.apply})
	a.dialog.Resize(w.dialogs.Fit(520, 240))
	w.dialogs.Show(a.dialog, func() {
		a.open = false
		a.stop()
	})
	a.look(r)
	return a
}

func (a *ruleRun) close() { a.dialog.Hide() }

// look counts what the rule would change.
func (a *ruleRun) look(r rule.Rule) {
	a.said.SetText(lang.L("Looking through what is stored…"), widgets.Muted)
	var found reader.RuleChanges
	looking := true
	a.w.Work(func(context.Context) (err error) {
		found, err = a.w.home.Store.Rules.FindChanges(a.ctx, r, func(n int) {
			a.w.Do(func() {
				if looking {
					a.say(lang.L("Looking through what is stored…")+" "+countText(n), widgets.Muted)
				}
			})
		})
		return err
	}, func(err error) {
		looking = false
		switch {
		case errors.Is(err, context.Canceled):
		case err != nil:
			a.say(errorText(err), widgets.Warning)
		default:
			a.touched = found
			a.say(touchedText(found), widgets.Plain)
			if len(found.IDs) > 0 {
				a.apply.Enable()
			}
		}
	})
}

// say says something as long as somebody looks.
func (a *ruleRun) say(text string, t widgets.Style) {
	if a.open {
		a.said.SetText(text, t)
	}
}

// run changes what was found.
func (a *ruleRun) run() {
	a.w.used()
	a.apply.Disable()
	a.bar.Max = float64(len(a.touched.IDs))
	a.bar.Show()
	var done reader.AppliedRule
	a.w.Work(func(context.Context) (err error) {
		done, err = a.w.home.Rules.Apply(a.ctx, a.touched, func(n int) {
			a.w.Do(func() { a.bar.SetValue(float64(n)) })
		})
		return err
	}, func(err error) { a.ended(done, err) })
}

// ended says what was changed, and offers to undo it.
func (a *ruleRun) ended(done reader.AppliedRule, err error) {
	w := a.w
	if n := done.Articles(); n > 0 {
		w.undo.add(lang.N("The rule has changed {{.PluralCount}} articles", n), func(ctx context.Context) error { return w.home.Rules.Undo(ctx, done) })
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		if !a.open {
			w.say(errorText(err))
		}
		a.say(errorText(err), widgets.Warning)
		return
	}
	if a.open {
		a.close()
	}
}

// touchedText says how much a rule would change, and how.
func touchedText(t reader.RuleChanges) string {
	of := map[string]any{"PluralCount": len(t.IDs), "Of": t.Examined}
	if len(t.IDs) == 0 {
		return lang.L("None of {{.Of}} stored articles would change.", of)
	}
	text := lang.N("{{.PluralCount}} of {{.Of}} stored articles would change.", len(t.IDs), of)
	for _, does := range []struct {
		n    int
		text string
	}{
		{t.ToHide, lang.L("Hidden: {{.Count}}.", map[string]any{"Count": t.ToHide})},
		{t.ToMarkRead, lang.L("Marked read: {{.Count}}.", map[string]any{"Count": t.ToMarkRead})},
		{t.ToStar, lang.L("Starred: {{.Count}}.", map[string]any{"Count": t.ToStar})},
	} {
		if does.n > 0 {
			text = language.Printer().Sentences(text, does.text)
		}
	}
	return text
}
