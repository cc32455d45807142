package feeds

import (
	"context"
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/reader"
)

// LoadOlder loads articles of a feed that its document no longer lists. A button in the status bar ends it; what came stays.
func (a *Actions) LoadOlder(f *reader.Feed) {
	switch {
	case f == nil:
		a.Shell.Say(lang.L("Select a feed first."))
		return
	case f.Account != 0:
		a.Shell.Say(lang.L("The server of its account fetches this feed. Kairos cannot load older articles of it."))
		return
	}
	id, title := f.ID, f.Title
	ctx, cancel := context.WithCancel(a.Shell.Ctx)
	label := widget.NewLabel(lang.L("Loading older articles of {{.Feed}}…", map[string]any{"Feed": title}))
	label.SizeName = theme.SizeNameCaptionText
	stop := widgets.NewButton(lang.L("Cancel"), cancel)
	stop.Importance = widget.LowImportance
	var row fyne.CanvasObject = widgets.NewProgressRow(label, stop)
	a.Shell.ShowProgress(row)
	var last poller.OlderPage
	a.Shell.Work(func(context.Context) (err error) {
		defer cancel()
		last, err = a.Shell.Home.Poller.FetchOlder(ctx, id, poller.LoadOlder, func(p poller.OlderPage) {
			a.Shell.Do(func() {
				label.SetText(lang.L("Older articles of {{.Feed}}: {{.N}}", map[string]any{"Feed": title, "N": p.Found}))
			})
		})
		return err
	}, func(err error) {
		a.Shell.HideProgress(row)
		switch {
		case errors.Is(err, context.Canceled):
			a.Shell.Say(language.Printer().Sentences(lang.L("Canceled."), language.Printer().OlderEnd(poller.OlderPage{Found: last.Found, End: poller.OlderPaused})))
		case errors.Is(err, poller.ErrOlderRunning):
			a.Shell.Say(lang.L("Older articles of this feed are being loaded already."))
		case err != nil:
			a.Shell.Fail(err)
		default:
			a.Shell.Say(language.Printer().OlderEnd(last))
			if last.End == poller.OlderNone || last.End == poller.OlderAll {
				a.OlderEnded(id)
			}
		}
	})
}
