// Package labels puts labels on articles, and changes and deletes labels.
package labels

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/dialogs"
	"kairos/app/icon"
	"kairos/app/language"
	"kairos/app/library"
	"kairos/app/shell"
	"kairos/app/widgets"
	"kairos/reader"
)

// Actions puts labels on articles, and changes and deletes labels.
type Actions struct {
	Shell   *shell.Shell
	Library *library.Library
	request async.Request
	Chooser *chooser // that was opened last
}

// Choose opens the chooser of labels for these articles.
func (a *Actions) Choose(articles []int64) {
	if len(articles) == 0 {
		a.Shell.Say(lang.L("Select an article first."))
		return
	}
	async.Load(a.Shell.Jobs, &a.request, func(ctx context.Context) (o options, err error) {
		o.articles = articles
		if o.labels, err = a.Shell.Home.Store.Labels.List(ctx); err == nil {
			o.counts, err = a.Shell.Home.Store.Labels.Counts(ctx, articles)
		}
		return o, err
	}, func(o options) {
		a.Chooser = newChooser(a, o)
		a.Chooser.open()
	})
}

// put puts a label on articles, or takes it off, which can be undone; done is called when that is stored.
func (a *Actions) put(l reader.Label, articles []int64, on bool, done func()) {
	var changed []int64
	a.Shell.Work(func(ctx context.Context) (err error) {
		changed, err = a.Shell.Home.Marks.Labels.Put(ctx, l.ID, articles, on)
		return err
	}, func(err error) {
		if err != nil {
			a.Shell.Fail(err)
			return
		}
		if on {
			a.Shell.NoteRead(changed...)
		}
		a.offerUndo(l, changed, on)
		done()
	})
}

// PutNew creates a label and puts it on articles. Undoing takes it off, and deletes the label unless it is used elsewhere by then.
func (a *Actions) PutNew(l reader.Label, articles []int64, failed func(error), done func()) {
	a.Shell.Work(func(ctx context.Context) (err error) {
		l.ID, err = a.Shell.Home.Marks.Labels.PutNew(ctx, l, articles)
		return err
	}, func(err error) {
		if err != nil {
			failed(err)
			return
		}
		a.Shell.NoteRead(articles...)
		a.Shell.AddUndoRedo(putText(l, len(articles), true), func(ctx context.Context) error {
			return a.Shell.Home.Marks.Labels.UndoNew(ctx, l.ID, articles)
		}, func(ctx context.Context) (err error) {
			again := l
			again.ID = 0
			l.ID, err = a.Shell.Home.Marks.Labels.PutNew(ctx, again, articles)
			return err
		})
		done()
	})
}

func (a *Actions) offerUndo(l reader.Label, changed []int64, on bool) {
	if len(changed) == 0 {
		return
	}
	put := func(on bool) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			_, err := a.Shell.Home.Marks.Labels.Put(ctx, l.ID, changed, on)
			return err
		}
	}
	a.Shell.AddUndoRedo(putText(l, len(changed), on), put(!on), put(on))
}

// putText says that a label was put on articles, or taken off them.
func putText(l reader.Label, articles int, on bool) string {
	values := map[string]any{"Label": l.Name, "PluralCount": articles}
	if on {
		return lang.N("Label “{{.Label}}” added to {{.PluralCount}} articles", articles, values)
	}
	return lang.N("Label “{{.Label}}” removed from {{.PluralCount}} articles", articles, values)
}

// Remove deletes a label, which can be undone.
func (a *Actions) Remove(l reader.Label) {
	var deleted reader.DeletedLabel
	a.Shell.Work(func(ctx context.Context) (err error) {
		deleted, err = a.Shell.Home.Marks.Labels.Delete(ctx, l.ID)
		return err
	}, func(err error) {
		if err != nil {
			a.Shell.Fail(err)
			return
		}
		a.Shell.AddUndoRedo(lang.L("Deleted the label “{{.Name}}”", map[string]any{"Name": l.Name}), func(ctx context.Context) error {
			return a.Shell.Home.Marks.Labels.Restore(ctx, deleted)
		}, func(ctx context.Context) (err error) {
			deleted, err = a.Shell.Home.Marks.Labels.Delete(ctx, l.ID)
			return err
		})
		a.Library.Reload()
	})
}

// Menu returns the entries of a label's context menu; export exports its articles.
func (a *Actions) Menu(l reader.Label, export func(reader.Label)) []*fyne.MenuItem {
	return []*fyne.MenuItem{
		fyne.NewMenuItem(lang.L("Edit label…"), func() { a.Edit(l) }),
		fyne.NewMenuItem(lang.L("Export articles…"), func() { export(l) }),
		fyne.NewMenuItem(lang.L("Delete label"), func() { a.Remove(l) }),
	}
}

// dialog edits the name and the color of a label.
type dialog struct {
	*Actions
	before, Label reader.Label
	dialog        *dialogs.Dialog
	Name          *widgets.Entry
	Message       *widgets.Text
}

// Edit asks for the name and the color of a label.
func (a *Actions) Edit(l reader.Label) *dialog {
	d := &dialog{Actions: a, before: l, Label: l}
	d.Name = widgets.NewEntry(d.close)
	d.Name.SetText(l.Name)
	d.Message = widgets.NewText("", widgets.Warning)
	tag := widget.NewIcon(icon.Label(l))
	var colors []widgets.Option
	for i, name := range labelColors() {
		colors = append(colors, widgets.Opt(string(rune('0'+i)), name))
	}
	color := widgets.NewChoice(colors, string(rune('0'+l.Color)), func(value string) {
		d.Label.Color = int(value[0] - '0')
		tag.SetResource(icon.Label(d.Label))
	})
	form := widgets.NewForm(widget.NewFormItem(lang.L("Name"), d.Name),
		widget.NewFormItem(lang.L("Color"), container.NewBorder(nil, nil, nil, tag, color)))
	d.dialog = &dialogs.Dialog{Title: lang.L("Edit the label"), Content: widgets.NewColumn(8, form, d.Message), Width: 400, Focus: d.Name,
		Buttons: []*dialogs.Button{dialogs.Cancel(), dialogs.Do(lang.L("Save"), d.Save)}}
	a.Shell.Dialogs.Show(d.dialog)
	d.Name.TypedShortcut(&fyne.ShortcutSelectAll{})
	return d
}

func (d *dialog) close() { d.dialog.Hide() }

// Save stores the label, which can be undone.
func (d *dialog) Save() {
	l := d.Label
	l.Name = d.Name.Text
	save := func(l reader.Label) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			_, err := d.Shell.Home.Marks.Labels.Save(ctx, l)
			return err
		}
	}
	d.Shell.Work(save(l), func(err error) {
		if err != nil {
			d.Message.SetText(language.Error(err), widgets.Warning)
			return
		}
		d.close()
		d.Shell.AddUndoRedo(lang.L("Changed the label “{{.Name}}”", map[string]any{"Name": d.before.Name}), save(d.before), save(l))
		d.Library.Reload()
	})
}

// labelColors names the colors of labels, in the order of their numbers.
func labelColors() []string {
	return []string{lang.L("Teal"), lang.L("Brown"), lang.L("Blue"), lang.L("Rose"), lang.L("Olive"), lang.L("Violet"), lang.L("Rust"), lang.L("Gray")}
}
