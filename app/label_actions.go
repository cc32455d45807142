package app

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/dialogs"
	"kairos/app/language"
	"kairos/app/library"
	"kairos/app/look"
	"kairos/app/shell"
	"kairos/app/widgets"
	"kairos/reader"
)

// labelActions puts labels on articles, and changes and deletes labels.
type labelActions struct {
	shell   *shell.Shell
	library *library.Library
	request async.Request
	chooser *labelChooser // that was opened last
}

// choose opens the chooser of labels for these articles.
func (a *labelActions) choose(articles []int64) {
	if len(articles) == 0 {
		a.shell.Say(lang.L("Select an article first."))
		return
	}
	async.Load(a.shell.Jobs, &a.request, func(ctx context.Context) (o labelOptions, err error) {
		o.articles = articles
		if o.labels, err = a.shell.Home.Store.Labels.List(ctx); err == nil {
			o.counts, err = a.shell.Home.Store.Labels.Counts(ctx, articles)
		}
		return o, err
	}, func(o labelOptions) {
		a.chooser = newLabelChooser(a, o)
		a.chooser.open()
	})
}

// put puts a label on articles, or takes it off, which can be undone; done is called when that is stored.
func (a *labelActions) put(l reader.Label, articles []int64, on bool, done func()) {
	var changed []int64
	a.shell.Work(func(ctx context.Context) (err error) {
		changed, err = a.shell.Home.Marks.Labels.Put(ctx, l.ID, articles, on)
		return err
	}, func(err error) {
		if err != nil {
			a.shell.Fail(err)
			return
		}
		if on {
			a.shell.NoteRead(changed...)
		}
		a.offerUndo(l, changed, on)
		done()
	})
}

// putNew creates a label and puts it on articles. Undoing takes it off, and leaves the label.
func (a *labelActions) putNew(l reader.Label, articles []int64, failed func(error), done func()) {
	a.shell.Work(func(ctx context.Context) (err error) {
		l.ID, err = a.shell.Home.Marks.Labels.PutNew(ctx, l, articles)
		return err
	}, func(err error) {
		if err != nil {
			failed(err)
			return
		}
		a.shell.NoteRead(articles...)
		a.offerUndo(l, articles, true)
		done()
	})
}

func (a *labelActions) offerUndo(l reader.Label, changed []int64, on bool) {
	if len(changed) == 0 {
		return
	}
	values := map[string]any{"Label": l.Name, "PluralCount": len(changed)}
	text := lang.N("Label “{{.Label}}” removed from {{.PluralCount}} articles", len(changed), values)
	if on {
		text = lang.N("Label “{{.Label}}” added to {{.PluralCount}} articles", len(changed), values)
	}
	a.shell.AddUndo(text, func(ctx context.Context) error {
		_, err := a.shell.Home.Marks.Labels.Put(ctx, l.ID, changed, !on)
		return err
	})
}

// remove deletes a label, which can be undone.
func (a *labelActions) remove(l reader.Label) {
	var deleted reader.DeletedLabel
	a.shell.Work(func(ctx context.Context) (err error) {
		deleted, err = a.shell.Home.Marks.Labels.Delete(ctx, l.ID)
		return err
	}, func(err error) {
		if err != nil {
			a.shell.Fail(err)
			return
		}
		a.shell.AddUndo(lang.L("Deleted the label “{{.Name}}”", map[string]any{"Name": l.Name}), func(ctx context.Context) error {
			return a.shell.Home.Marks.Labels.Restore(ctx, deleted)
		})
		a.library.Reload()
	})
}

// menu returns the entries of a label's context menu; export exports its articles.
func (a *labelActions) menu(l reader.Label, export func(reader.Label)) []*fyne.MenuItem {
	return []*fyne.MenuItem{
		fyne.NewMenuItem(lang.L("Edit label…"), func() { a.edit(l) }),
		fyne.NewMenuItem(lang.L("Export articles…"), func() { export(l) }),
		fyne.NewMenuItem(lang.L("Delete label"), func() { a.remove(l) }),
	}
}

// labelDialog edits the name and the color of a label.
type labelDialog struct {
	*labelActions
	before, label reader.Label
	dialog        *dialogs.Dialog
	name          *widgets.Entry
	message       *widgets.Text
}

// edit asks for the name and the color of a label.
func (a *labelActions) edit(l reader.Label) *labelDialog {
	d := &labelDialog{labelActions: a, before: l, label: l}
	d.name = widgets.NewEntry(d.close)
	d.name.SetText(l.Name)
	d.message = widgets.NewText("", widgets.Warning)
	icon := widget.NewIcon(labelIcon(l))
	var colors []widgets.Option
	for i, name := range labelColors() {
		colors = append(colors, widgets.Opt(string(rune('0'+i)), name))
	}
	color := widgets.NewChoice(colors, string(rune('0'+l.Color)), func(value string) {
		d.label.Color = int(value[0] - '0')
		icon.SetResource(labelIcon(d.label))
	})
	form := widgets.NewForm(widget.NewFormItem(lang.L("Name"), d.name),
		widget.NewFormItem(lang.L("Color"), container.NewBorder(nil, nil, nil, icon, color)))
	d.dialog = &dialogs.Dialog{Title: lang.L("Edit the label"), Content: widgets.NewColumn(8, form, d.message), Width: 400, Focus: d.name,
		Buttons: []*dialogs.Button{dialogs.Cancel(), dialogs.Do(lang.L("Save"), d.save)}}
	a.shell.Dialogs.Show(d.dialog)
	d.name.TypedShortcut(&fyne.ShortcutSelectAll{})
	return d
}

func (d *labelDialog) close() { d.dialog.Hide() }

// save stores the label, which can be undone.
func (d *labelDialog) save() {
	l := d.label
	l.Name = d.name.Text
	d.shell.Work(func(ctx context.Context) error {
		_, err := d.shell.Home.Marks.Labels.Save(ctx, l)
		return err
	}, func(err error) {
		if err != nil {
			d.message.SetText(language.Error(err), widgets.Warning)
			return
		}
		d.close()
		d.shell.AddUndo(lang.L("Changed the label “{{.Name}}”", map[string]any{"Name": d.before.Name}), func(ctx context.Context) error {
			_, err := d.shell.Home.Marks.Labels.Save(ctx, d.before)
			return err
		})
		d.library.Reload()
	})
}

// labelColors names the colors of labels, in the order of their numbers.
func labelColors() []string {
	return []string{lang.L("Teal"), lang.L("Brown"), lang.L("Blue"), lang.L("Rose"), lang.L("Olive"), lang.L("Violet"), lang.L("Rust"), lang.L("Gray")}
}

// labelColor is the color of a label.
func labelColor(l reader.Label) fyne.ThemeColorName { return look.Tile(int64(l.Color)) }

// tagIcon is a tag with a hole.
var tagIcon = svg("tag", `<path fill-rule="evenodd" d="M4 3h7.2c.5 0 1 .2 1.4.6l7.8 7.8a2 2 0 0 1 0 2.8l-6.2 6.2a2 2 0 0 1-2.8 0L3.6 12.6A2 2 0 0 1 3 11.2V4a1 1 0 0 1 1-1zM7.5 6a1.5 1.5 0 1 0 0 3a1.5 1.5 0 1 0 0-3z"/>`)

// labelIcon is a tag in the color of a label.
func labelIcon(l reader.Label) fyne.Resource {
	return theme.NewColoredResource(tagIcon, labelColor(l))
}

// labelNames returns the names of the labels with these ids.
func labelNames(labels []reader.Label, ids []int64) string {
	var names []string
	for _, l := range labels {
		if slices.Contains(ids, l.ID) {
			names = append(names, l.Name)
		}
	}
	return strings.Join(names, lang.X("join.parts", ", "))
}
