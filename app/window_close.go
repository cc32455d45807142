package app

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/dialogs"
	"kairos/app/language"
	"kairos/app/settings"
	"kairos/app/shell"
	"kairos/app/widgets"
)

// closing decides what closing the window does, and ends the program.
type closing struct {
	shell    *shell.Shell
	end      func() // ends all that runs, and then Fyne's loop
	onHide   func() // before the window disappears
	win      fyne.Window
	left     func() // after it was hidden: the system does not always tell that it has lost the focus
	asking   bool   // the question is on screen
	quitting bool   // the program ends once the work under way is done

	restarting bool // the program starts again when it has ended
}

func newClosing(sh *shell.Shell, win fyne.Window, onHide, left func()) *closing {
	c := &closing{shell: sh, end: sh.App.Quit, onHide: onHide, win: win, left: left}
	sh.OnWorkDone = c.endIfDone
	return c
}

// quitWithin is how long the end of the program waits for work under way.
const quitWithin = 2 * time.Second

// quit ends the program once the work under way is done.
func (c *closing) quit() {
	c.onHide()
	c.win.Hide()
	c.quitting = true
	time.AfterFunc(quitWithin, func() { c.shell.Do(c.end) })
	c.endIfDone()
}

// restart ends the program and starts it again.
func (c *closing) restart() {
	c.restarting = true
	c.quit()
}

func (c *closing) endIfDone() {
	if c.quitting && c.shell.Pending() == 0 {
		c.end()
	}
}

// closed hides the window or ends the program, as the user chose; the first time it asks.
func (c *closing) closed() {
	c.onHide()
	var keep string
	c.shell.Work(func(ctx context.Context) (err error) {
		keep, err = c.shell.Home.Store.Settings.Get(ctx, settings.KeepRunning, "")
		return err
	}, func(err error) {
		switch {
		case err != nil || keep == "no":
			c.quit()
		case keep == "yes":
			c.hide()
		default:
			c.ask()
		}
	})
}

// ask asks what closing the window should do from now on.
func (c *closing) ask() {
	if c.asking {
		return
	}
	c.asking = true
	login := widgets.NewCheck(lang.L("Start Kairos when I log in, without its window"))
	text := widgets.NewText(lang.L("Kairos can keep fetching while the window is closed, so that new articles are ready when you come back. Start Kairos again to reopen the window; press Ctrl+Q to quit."), widgets.Plain)
	d := &dialogs.Dialog{Title: lang.L("Keep fetching in the background?"), Content: widgets.NewColumn(12, text, login), Closed: func() { c.asking = false }}
	d.Buttons = []*dialogs.Button{
		{Text: lang.L("Quit"), Do: func() {
			d.Hide()
			c.answer("no", false)
		}},
		dialogs.Do(lang.L("Keep fetching"), func() {
			d.Hide()
			c.answer("yes", login.Checked)
		}),
	}
	c.shell.Dialogs.Show(d)
}

// answer stores the user's answer and acts on it.
func (c *closing) answer(keep string, atLogin bool) {
	c.shell.Work(func(ctx context.Context) error {
		if keep == "yes" && !atLogin { // else the one question is about both
			if err := settings.AllowBackground(c.shell.Home.Dir); err != nil {
				return err
			}
		}
		if err := settings.SetAutostart(c.shell.Home.Dir, atLogin); err != nil {
			return err
		}
		return c.shell.Home.Store.Settings.Set(ctx, settings.KeepRunning, keep)
	}, func(err error) {
		if err != nil {
			c.shell.Dialogs.Inform("Kairos", language.Error(err))
			return
		}
		if keep == "no" {
			c.quit()
			return
		}
		c.hide()
	})
}

// hide hides the window.
func (c *closing) hide() {
	c.win.Hide()
	c.left()
}
