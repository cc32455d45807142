package timeline

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"kairos/app/async"
	"kairos/app/dialogs"
	"kairos/app/language"
	"kairos/app/shell"
	"kairos/app/widgets"
	"kairos/useraccess/taste"
)

// Learned shows what was learned of what the user reads. Each part of it can be removed, and what was removed learned again.
type Learned struct {
	Shell   *shell.Shell
	request async.Request
	rows    *fyne.Container
}

// maxLearned is how much is listed, the surest of it.
const maxLearned = 100

type lessons struct {
	learned []taste.Learned
	ignored []taste.Named
}

// Open shows it in a dialog.
func (l *Learned) Open() {
	l.rows = widgets.NewColumn(6)
	l.load(func() {
		l.Shell.Dialogs.Show(&dialogs.Dialog{Title: lang.L("What you like to read"), Content: l.rows, Width: 620,
			Buttons: []*dialogs.Button{dialogs.Do(lang.L("Close"), l.Shell.Dialogs.CloseTop)}})
	})
}

// load reads what was learned, shows it and then calls shown.
func (l *Learned) load(shown func()) {
	async.Load(l.Shell.Jobs, &l.request, func(ctx context.Context) (all lessons, err error) {
		all.learned, all.ignored, err = l.Shell.Home.Likely.Learned(ctx)
		return all, err
	}, func(all lessons) {
		l.show(all)
		shown()
	})
}

func (l *Learned) show(all lessons) {
	words := language.Printer()
	l.rows.RemoveAll()
	for _, one := range all.learned[:min(maxLearned, len(all.learned))] {
		l.add(words.Learned(one), lang.L("Remove"), func() { l.ignore(one.Named, true) })
	}
	for _, f := range all.ignored {
		l.add(lang.L("Removed: {{.Feature}}", map[string]any{"Feature": words.Feature(f)}), lang.L("Learn again"), func() { l.ignore(f, false) })
	}
	if len(l.rows.Objects) == 0 {
		l.rows.Add(widgets.NewText(lang.L("Nothing yet. Kairos learns it as you read and pass over articles. Press + or - on an article to ask for more or fewer like it."), widgets.Plain))
	}
	l.rows.Refresh()
}

func (l *Learned) add(text, button string, tapped func()) {
	l.rows.Add(container.NewBorder(nil, nil, nil, container.NewCenter(widgets.NewDialogButton(button, tapped)), widgets.NewInset(widgets.NewText(text, widgets.Plain))))
}

// ignore learns nothing more of a feature, or learns it again. It can be undone.
func (l *Learned) ignore(f taste.Named, on bool) {
	set := func(ctx context.Context, on bool) error { return l.Shell.Home.Likely.Ignore(ctx, f.Feature, on) }
	l.Shell.Work(func(ctx context.Context) error { return set(ctx, on) }, func(err error) {
		if err != nil {
			l.Shell.Fail(err)
			return
		}
		said := lang.L("Removed: {{.Feature}}", map[string]any{"Feature": language.Printer().Feature(f)})
		if !on {
			said = lang.L("Learned again: {{.Feature}}", map[string]any{"Feature": language.Printer().Feature(f)})
		}
		l.Shell.AddUndoRedo(said, func(ctx context.Context) error { return set(ctx, !on) }, func(ctx context.Context) error { return set(ctx, on) })
		l.load(func() {})
	})
}
