// Package takealong brings the articles of a place whole, for reading without a network: it tells how much that is before it starts,
// shows how far it has come, and tells what came of it.
package takealong

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/dialogs"
	"kairos/app/language"
	"kairos/app/shell"
	"kairos/app/widgets"
	"kairos/poller/preparer"
	"kairos/reader"
)

// TakeAlong brings articles. It belongs to the window's goroutine.
type TakeAlong struct {
	Shell *shell.Shell

	under *underWay // nil: nothing is being brought
}

// offer is what can be brought.
type offer struct {
	preparer.Estimate
	ids []int64
}

// Ask tells how much the articles of a place would be, and brings them if the user wants that: the unread ones, where the place is
// not one that the user has made, such as what is starred.
func (t *TakeAlong) Ask(place string, q reader.Query) {
	if t.under != nil {
		t.Shell.Say(lang.L("Articles are being brought already."))
		return
	}
	if q.View == reader.All && q.Label == 0 && !q.Queued {
		q.View = reader.Unread
	}
	q.Since = t.Shell.Midnight()
	var o offer
	t.Shell.Work(func(ctx context.Context) (err error) {
		if o.ids, err = t.Shell.Home.Store.Articles.IDs(ctx, q); err == nil {
			o.Estimate, err = t.Shell.Home.Preparer.Estimate(ctx, o.ids)
		}
		return err
	}, func(err error) {
		switch {
		case err != nil:
			t.Shell.Fail(err)
		case o.Articles == 0:
			t.Shell.Say(lang.L("There is nothing unread to take along here."))
		default:
			t.confirm(place, o)
		}
	})
}

func (t *TakeAlong) confirm(place string, o offer) {
	words := language.Printer()
	text := lang.L("{{.Place}}: {{.Size}} Texts and pictures are then there without a network.", map[string]any{"Place": place,
		"Size": words.N("{{.PluralCount}} articles, about {{.Size}}.", o.Articles, map[string]any{"Size": words.Size(o.Bytes)})})
	if o.Requests == 0 {
		text = lang.L("{{.Place}}: all of it is there already.", map[string]any{"Place": place})
	}
	rows := []fyne.CanvasObject{widgets.NewText(text, widgets.Plain)}
	files := false
	if o.Files > 0 {
		check := widgets.NewCheck(words.N("{{.PluralCount}} files to be heard or seen, too, about {{.Size}}", o.Files, map[string]any{"Size": words.Size(o.FileSize)}))
		check.OnChanged = func(on bool) { files = on }
		rows = append(rows, check)
	}
	d := &dialogs.Dialog{Title: lang.L("Take along"), Content: widgets.NewColumn(10, rows...)}
	d.Buttons = []*dialogs.Button{dialogs.Cancel(), dialogs.Do(lang.L("Take along"), func() {
		d.Hide()
		t.start(o, files)
	})}
	t.Shell.Dialogs.Show(d)
}

// underWay is articles being brought, with a row of its own in the status bar.
type underWay struct {
	of    *TakeAlong
	all   int // articles
	trip  preparer.Trip
	label *widget.Label
	pause *widgets.Button
	row   *fyne.Container
	ended bool
}

// progressEvery is how often the status bar shows the progress.
const progressEvery = 500 * time.Millisecond

func (t *TakeAlong) start(o offer, files bool) {
	ctx, cancel := context.WithCancel(t.Shell.Ctx)
	u := &underWay{of: t, all: o.Articles, label: widget.NewLabel("")}
	t.under = u
	u.label.SizeName = theme.SizeNameCaptionText
	u.pause = widgets.NewButton(lang.L("Pause"), u.togglePause)
	stop := widgets.NewButton(lang.L("Cancel"), cancel)
	u.pause.Importance, stop.Importance = widget.LowImportance, widget.LowImportance
	u.row = container.NewHBox(u.label, u.pause, stop)
	t.Shell.ShowProgress(u.row)
	u.showProgress()
	t.Shell.Go(func() {
		defer cancel()
		err := t.Shell.Home.Preparer.Take(ctx, o.ids, files, &u.trip)
		if canceled := ctx.Err() != nil; t.Shell.Ctx.Err() == nil {
			t.Shell.Do(func() { u.end(canceled, err) })
		}
	})
}

func (u *underWay) togglePause() {
	u.trip.Pause(!u.trip.Paused())
	if u.trip.Paused() {
		u.pause.SetText(lang.L("Continue"))
	} else {
		u.pause.SetText(lang.L("Pause"))
	}
	u.show()
}

// showProgress shows how far it has come, until it has ended.
func (u *underWay) showProgress() {
	if u.ended || u.of.Shell.Ctx.Err() != nil {
		return
	}
	u.show()
	time.AfterFunc(progressEvery, func() { u.of.Shell.Do(u.showProgress) })
}

func (u *underWay) show() {
	done := u.trip.Taken()
	facts := map[string]any{"Done": done.Done, "All": u.all, "Size": language.Printer().Size(done.Bytes)}
	if u.trip.Paused() {
		u.label.SetText(lang.L("Taking along, paused: {{.Done}} of {{.All}} articles, {{.Size}}", facts))
		return
	}
	u.label.SetText(lang.L("Taking along: {{.Done}} of {{.All}} articles, {{.Size}}", facts))
}

func (u *underWay) end(canceled bool, err error) {
	u.ended, u.of.under = true, nil
	u.of.Shell.HideProgress(u.row)
	words := language.Printer()
	taken := words.Taken(u.trip.Taken())
	switch {
	case err == nil:
		u.of.Shell.Say(lang.L("Taken along: {{.What}}", map[string]any{"What": taken}))
	case canceled:
		u.of.Shell.Say(lang.L("Canceled. Taken along so far: {{.What}}", map[string]any{"What": taken}))
	default:
		u.of.Shell.Say(words.Sentences(language.Error(err), lang.L("Taken along so far: {{.What}}", map[string]any{"What": taken})))
	}
}
