// Package takealong brings the articles of a place whole, for reading without a network: it tells how much that is before it starts,
// shows how far it has come, and tells what came of it.
package takealong

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
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
	Show  func(search string) // lists the articles that a search finds

	under *underWay       // nil: nothing is being brought
	ended *fyne.Container // tells in the status bar what was not brought the last time; nil: all was, or the user has seen it
}

// incomplete is the search for articles that could not be brought whole.
const incomplete = "is:incomplete"

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
		q, err := t.Shell.Home.Duplicates.AsListed(ctx, q)
		if err != nil {
			return err
		}
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

// confirm tells how much is missing, and brings it if the user wants that.
func (t *TakeAlong) confirm(place string, o offer) {
	words := language.Printer()
	rows := lines(words.TakeOffer(place, o.Estimate))
	files := false
	take := dialogs.Do(lang.L("Take along"), nil)
	onlyFiles := o.Lacking() == 0
	if o.Files > 0 {
		check := widgets.NewCheck(words.TakeFiles(o.Estimate))
		check.OnChanged = func(on bool) {
			files = on
			take.SetEnabled(on || !onlyFiles)
		}
		rows = append(rows, check)
	}
	d := &dialogs.Dialog{Title: lang.L("Take along"), Content: widgets.NewColumn(10, rows...)}
	take.Do = func() {
		d.Hide()
		t.start(o, files)
	}
	d.Buttons = []*dialogs.Button{dialogs.Cancel(), take}
	if onlyFiles && o.Files == 0 {
		d.Buttons = t.closing(d, o.Left)
		t.Shell.Dialogs.Show(d)
		return
	}
	take.Off = onlyFiles // until its files are wanted
	t.Shell.Dialogs.Show(d)
}

func lines(sentences []string) (rows []fyne.CanvasObject) {
	for _, s := range sentences {
		rows = append(rows, widgets.NewText(s, widgets.Plain))
	}
	return rows
}

// closing are the buttons of a dialog that only tells something, and leads to the articles that are not whole if there are any.
func (t *TakeAlong) closing(d *dialogs.Dialog, left preparer.Causes) []*dialogs.Button {
	if left.Sum() == 0 {
		return []*dialogs.Button{dialogs.Do(lang.L("Close"), d.Hide)}
	}
	return []*dialogs.Button{{Text: lang.L("Close")}, dialogs.Do(lang.L("Show them"), func() {
		d.Hide()
		t.Show(incomplete)
	})}
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
	t.hideEnd()
	ctx, cancel := context.WithCancel(t.Shell.Ctx)
	u := &underWay{of: t, all: o.Articles, label: widget.NewLabel("")}
	t.under = u
	u.label.SizeName = theme.SizeNameCaptionText
	u.pause = widgets.NewButton(lang.L("Pause"), u.togglePause)
	stop := widgets.NewButton(lang.L("Cancel"), cancel)
	u.pause.Importance, stop.Importance = widget.LowImportance, widget.LowImportance
	u.row = widgets.NewProgressRow(u.label, u.pause, stop)
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
	words, got := language.Printer(), u.trip.Taken()
	switch {
	case canceled:
		u.of.Shell.Say(lang.L("Canceled. Taken along so far: {{.What}}", map[string]any{"What": words.Taken(got)}))
	case err != nil:
		u.of.Shell.Say(words.Sentences(language.Error(err), lang.L("Taken along so far: {{.What}}", map[string]any{"What": words.Taken(got)})))
	case len(words.NotTaken(got)) == 0:
		u.of.Shell.Say(lang.L("Taken along: {{.What}}", map[string]any{"What": words.TakenShort(got)}))
	default:
		u.of.tell(got)
	}
}

// tell shows what was brought in the status bar, until the user has seen why the rest was not.
func (t *TakeAlong) tell(got preparer.Taken) {
	words := language.Printer()
	said := lang.L("Taken along: {{.What}}", map[string]any{"What": words.TakenShort(got)})
	if left := got.Left.Sum(); left > 0 {
		said = words.Sentences(said, words.LeftIncomplete(left))
	}
	label := widget.NewLabel(said)
	label.SizeName = theme.SizeNameCaptionText
	why := widgets.NewButton(lang.L("Why…"), func() {
		t.hideEnd()
		t.explain(got)
	})
	seen := widgets.NewButton(lang.L("Close"), t.hideEnd)
	why.Importance, seen.Importance = widget.LowImportance, widget.LowImportance
	t.ended = widgets.NewProgressRow(label, why, seen)
	t.Shell.ShowProgress(t.ended)
	t.Shell.Announce(said)
}

func (t *TakeAlong) hideEnd() {
	if t.ended != nil {
		t.Shell.HideProgress(t.ended)
		t.ended = nil
	}
}

// explain tells why articles were not brought whole, by cause.
func (t *TakeAlong) explain(got preparer.Taken) {
	words := language.Printer()
	d := &dialogs.Dialog{Title: lang.L("Taken along"), Content: widgets.NewColumn(10, lines(append([]string{words.TakenShort(got)}, words.NotTaken(got)...))...)}
	d.Buttons = t.closing(d, got.Left)
	t.Shell.Dialogs.Show(d)
}
