package app

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/shell"
	"kairos/app/widgets"
)

// adviceHint is the line above the status bar that offers what can be done about feeds that are not read, until it is put away.
type adviceHint struct {
	shell   *shell.Shell
	resized func() // the line has appeared or gone
	pane    *fyne.Container
	text    *widgets.Text
	act     *widgets.Button
	request async.Request

	unopened func()           // lists the feeds that are not read
	ends     func(feed int64) // asks when unread articles of a feed end
}

func newAdviceHint(sh *shell.Shell, resized func()) *adviceHint {
	h := &adviceHint{shell: sh, resized: resized, text: widgets.NewText("", widgets.Plain)}
	h.act = widgets.NewButton(lang.L("Show"), func() {})
	h.act.Importance = widget.LowImportance
	h.pane = newHintPane(h.text, h.hide, h.act)
	return h
}

// adviceAfter is how long after the start it is looked whether anything can be offered: the start, and what came, come first.
const adviceAfter = 20 * time.Second

// look offers something if there is anything to offer, and remembers that it did: each is offered once, or once a month.
func (h *adviceHint) look() {
	if h.pane.Visible() {
		return
	}
	async.Load(h.shell.Jobs, &h.request, func(ctx context.Context) (home.Offer, error) { return h.shell.Home.Unopened().Next(ctx) }, func(o home.Offer) {
		words, advice := language.Printer(), h.shell.Home.Unopened()
		switch {
		case o.Unread > 0:
			h.show(words.Unread(o.Unread), lang.L("Show"), h.unopened, advice.OfferedUnread)
		case o.Piling.ID != 0:
			id := o.Piling.ID
			h.show(words.Piling(o.Piling.Title, o.Piling.Unread), lang.L("Choose"), func() { h.ends(id) },
				func(ctx context.Context) error { return advice.OfferedEnds(ctx, id) })
		}
	})
}

func (h *adviceHint) show(text, button string, do func(), offered func(ctx context.Context) error) {
	h.text.SetText(text, widgets.Plain)
	h.act.SetText(button)
	h.act.OnTapped = func() {
		h.hide()
		do()
	}
	h.pane.Show()
	h.resized()
	h.shell.Announce(text)
	h.shell.Work(offered, nil)
}

func (h *adviceHint) hide() {
	h.shell.Used()
	h.withdraw()
}

// withdraw takes back what is offered.
func (h *adviceHint) withdraw() {
	h.pane.Hide()
	h.resized()
}
