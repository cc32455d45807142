package feeds

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/async"
	"kairos/app/dialogs"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/poller/unopened"
)

// Unopened lists the feeds of which nothing was opened for long, with what they cost, and what can be done about each.
type Unopened struct {
	*Actions
	request async.Request
	about   *widgets.Text // hidden where none is listed
	Rows    *fyne.Container
}

// maxUnopened is how many feeds are listed, the most costly of them.
const maxUnopened = 100

// Open shows it in a dialog.
func (u *Unopened) Open() {
	u.Rows = widgets.NewColumn(10)
	u.about = widgets.NewText(lang.L("You opened no article of these for 90 days. Kairos never unsubscribes for you."), widgets.Muted)
	u.load(func() {
		u.Shell.Dialogs.Show(&dialogs.Dialog{Title: lang.L("Feeds you do not read"), Width: 680, Content: widgets.NewColumn(12, u.about, u.Rows),
			Buttons: []*dialogs.Button{dialogs.Do(lang.L("Close"), u.Shell.Dialogs.CloseTop)}})
	})
}

// load finds the feeds, lists them and then calls shown.
func (u *Unopened) load(shown func()) {
	async.Load(u.Shell.Jobs, &u.request, func(ctx context.Context) ([]unopened.Feed, error) { return u.Shell.Home.Unopened().Find(ctx) }, func(found []unopened.Feed) {
		u.show(found)
		shown()
	})
}

func (u *Unopened) show(found []unopened.Feed) {
	u.Rows.RemoveAll()
	for _, f := range found[:min(maxUnopened, len(found))] {
		u.Rows.Add(u.row(f))
	}
	if u.about.Hidden = len(found) == 0; u.about.Hidden {
		u.Rows.Add(widgets.NewText(lang.L("None. A feed is listed here, with what it costs, once you have opened none of its articles for 90 days. You can then unsubscribe from it, make it quiet or keep it."), widgets.Plain))
	}
	u.Rows.Refresh()
}

// row is a feed with what can be done about it.
func (u *Unopened) row(f unopened.Feed) fyne.CanvasObject {
	do := func(name string, act func()) fyne.CanvasObject {
		var b *widgets.DialogButton
		b = widgets.NewDialogButton(name, func() {
			b.Disable()
			act()
		})
		b.About = f.Title
		return b
	}
	feed := f.Feed
	return widgets.NewColumn(2, widgets.NewText(f.Title, widgets.Bold), widgets.NewText(language.Printer().Unopened(f, u.Shell.Now()), widgets.Muted),
		widgets.NewFlow(8,
			do(lang.L("Unsubscribe"), func() { u.Unsubscribe(&feed) }),
			do(lang.L("Make quiet"), func() { u.Quiet(true, feed) }),
			do(lang.L("Keep as it is"), func() { u.keep(feed.ID, f.Title) })))
}

// keep names a feed here no more, which can be undone.
func (u *Unopened) keep(feed int64, title string) {
	set := func(keep bool) func(context.Context) error {
		return func(ctx context.Context) error { return u.Shell.Home.Unopened().Keep(ctx, feed, keep) }
	}
	u.Shell.Work(set(true), func(err error) {
		if err != nil {
			u.Shell.Fail(err)
			return
		}
		u.Shell.AddUndoRedo(lang.L("{{.Feed}} is kept as it is", map[string]any{"Feed": title}), set(false), set(true))
	})
}
