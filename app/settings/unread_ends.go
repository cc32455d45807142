package settings

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"kairos/app/async"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/reader"
)

// NewEndsFields returns fields for when unread articles end, at first e. Those of a feed or folder also offer what is chosen around
// it. chosen is called with each choice.
func NewEndsFields(e reader.Ends, within bool, chosen func(reader.Ends)) (days, number *widgets.Select) {
	spans := append(unlimited(within, lang.L("Default time"), lang.L("Never by age")), limit{1, lang.L("After one day")})
	for _, n := range []int{2, 3, 7, 14, 30, 90} {
		spans = append(spans, limit{n, lang.N("After {{.PluralCount}} days", n)})
	}
	numbers := append(unlimited(within, lang.L("Default number"), lang.L("Never by number")), limit{1, lang.L("When a newer one comes")})
	for _, n := range []int{5, 10, 20, 50, 100} {
		numbers = append(numbers, limit{n, lang.N("Beyond the newest {{.PluralCount}}", n)})
	}
	days = newLimitSelect(spans, e.Days, func(n int) {
		e.Days = n
		chosen(e)
	})
	number = newLimitSelect(numbers, e.Number, func(n int) {
		e.Number = n
		chosen(e)
	})
	return days, number
}

// EndsNote says how many unread articles would end now by what is chosen.
type EndsNote struct {
	Text    *widgets.Text
	jobs    *async.Jobs
	home    *home.Home
	request async.Request
}

// NewEndsNote returns the note of a choice.
func NewEndsNote(jobs *async.Jobs, h *home.Home, c reader.EndsChoice) *EndsNote {
	n := &EndsNote{Text: widgets.NewText("", widgets.Muted), jobs: jobs, home: h}
	n.Tell(c)
	return n
}

// Tell says it of another choice.
func (n *EndsNote) Tell(c reader.EndsChoice) {
	async.Load(n.jobs, &n.request, func(ctx context.Context) (text string, err error) {
		ending, unread, err := n.home.Ending(ctx, c)
		return language.Printer().Ending(ending, unread), err
	}, func(text string) { n.Text.SetText(text, widgets.Muted) })
}

// unreadEnds are the fields of the general setting. What would end articles now is asked about before it is stored.
func (d *settingsDialog) unreadEnds() fyne.CanvasObject {
	fields := container.NewGridWithColumns(2)
	var fill func()
	fill = func() {
		days, number := NewEndsFields(d.ends, false, func(e reader.Ends) { d.askEnds(e, fill) })
		fields.Objects = []fyne.CanvasObject{days, number}
		fields.Refresh()
	}
	fill()
	return fields
}

// askEnds stores when unread articles end, after a question if some would now; fill shows what is stored.
func (d *settingsDialog) askEnds(e reader.Ends, fill func()) {
	var ending, unread int
	d.message.Clear()
	d.Work(func(ctx context.Context) (err error) {
		ending, unread, err = d.Home.Ending(ctx, reader.EndsChoice{Ends: e})
		return err
	}, func(err error) {
		switch {
		case err != nil:
			d.fail(err)
		case ending == 0:
			d.storeEnds(e, fill)
		case !d.closed:
			question := language.Printer().Sentences(language.Printer().Ending(ending, unread), lang.L("They are listed under Expired unread, and can be brought back."))
			saved := false
			d.Dialogs.Confirm(lang.L("Unread articles expire"), question, lang.L("Save"), func() {
				saved = true
				d.storeEnds(e, fill)
			}).Closed = func() {
				if !saved {
					fill()
				}
			}
		}
	})
}

// storeEnds stores when unread articles end, which can be undone together with what ends by it.
func (d *settingsDialog) storeEnds(e reader.Ends, fill func()) {
	before, stored := d.ends, false
	var ended []int64
	d.Work(func(ctx context.Context) (err error) {
		if err = d.Home.Subscriptions.SetEnds(ctx, e); err == nil {
			stored = true
			ended, err = d.Home.EndUnread(ctx)
		}
		return err
	}, func(err error) {
		d.fail(err)
		if stored {
			d.ends = e
		}
		fill()
		if !stored {
			return
		}
		d.undo.offer(lang.L("Changed when unread articles expire"), func(ctx context.Context) error {
			err := d.Home.Subscriptions.SetEndsAgain(ctx, before, ended, false)
			if err == nil {
				d.Do(func() {
					d.ends = before
					fill()
				})
			}
			return err
		})
	})
}
