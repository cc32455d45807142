// Package shell is what a pane may ask of the window around it: a few verbs. A pane knows neither that window nor another pane.
package shell

import (
	"context"
	"database/sql"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/async"
	"kairos/app/dialogs"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/preferences"
	"kairos/app/session"
	"kairos/app/widgets"
	"kairos/reader"
)

// Shell is what all panes of a window share: the data folder, work off the window's goroutine, and ways to tell and to ask the
// user something. It belongs to Fyne's goroutine.
type Shell struct {
	*async.Jobs
	Host
	App         fyne.App
	Home        *home.Home
	Dialogs     *dialogs.Stack
	Preferences *preferences.Preferences
	Keys        widgets.Keys // receive the keys and letters that widgets do not use
	Canvas      fyne.Canvas
	Now         func() time.Time
	History     session.History // what can be undone
	OnDamage    func(error)     // the database is damaged; nil: the user is told as of any error

	settingStored chan struct{} // closed when the last setting is stored
	undoneBefore  chan struct{} // closed when the last action is undone or redone
}

// Host is the window as its panes use it.
type Host interface {
	Used()                      // notes a key, a click or a choice of the user
	Say(text string)            // shows a message that needs no answer
	Show(text string)           // is Say without a screen reader saying it
	Retract(text string)        // removes a message if it is still shown
	Announce(text string)       // has a screen reader say something
	Hover(text string)          // says what is under the mouse; "" is nothing
	OfferUndo(text string)      // tells what was done, with a button to undo it
	WithdrawUndo()              // removes such a message if it is still shown
	ReloadStatus()              // shows what the poller does now
	CheckFonts(texts ...string) // reports scripts that no installed font has

	Offer(text, button string, do func()) // shows a message with a button that does something about it

	ShowProgress(o fyne.CanvasObject) // adds a row about work that takes long to the status bar
	HideProgress(o fyne.CanvasObject)
}

// MessageStays is how long a message, and the button to undo what it is about, are shown.
const MessageStays = 20 * time.Second

// Midnight is the beginning of the user's day.
func (s *Shell) Midnight() time.Time {
	now := s.Now()
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
}

// Focus moves the focus to an object of the window.
func (s *Shell) Focus(o fyne.Focusable) { s.Canvas.Focus(o) }

// Copy puts text on the clipboard.
func (s *Shell) Copy(text string) { s.App.Clipboard().SetContent(text) }

// Fail tells the user of an error. Damage to the database is left to OnDamage.
func (s *Shell) Fail(err error) {
	if fault := reader.FileError(err); fault != nil && fault.Code == reader.Damaged && s.OnDamage != nil {
		s.OnDamage(err)
		return
	}
	s.Say(language.Error(err))
}

// Polled reports an error of what the poller was asked for, if it is not nil, and shows what the poller does now.
func (s *Shell) Polled(err error) {
	if err != nil {
		s.Fail(err)
	}
	s.ReloadStatus()
}

// AddUndo remembers an action and tells the user that it is done and can be undone.
func (s *Shell) AddUndo(what string, undo func(ctx context.Context) error) {
	s.AddUndoOf(nil, what, undo, nil)
}

// AddUndoRedo is AddUndo for an action that can be redone after it was undone.
func (s *Shell) AddUndoRedo(what string, undo, redo func(ctx context.Context) error) {
	s.AddUndoOf(nil, what, undo, redo)
}

// RememberUndo is AddUndoRedo for what is plain to see: nothing is said of it.
func (s *Shell) RememberUndo(what string, undo, redo func(ctx context.Context) error) {
	s.History.Add(nil, what, undo, redo)
	s.WithdrawUndo() // its button would undo this instead
}

// AddUndoOf does so with an action that takes the place of the last one if that was of the same batch; redo may be nil.
func (s *Shell) AddUndoOf(batch any, what string, undo, redo func(ctx context.Context) error) {
	s.History.Add(batch, what, undo, redo)
	s.OfferUndo(what)
}

// AddUndoAsked is AddUndo for an action that takes much with it: ask asks before it is undone.
func (s *Shell) AddUndoAsked(what string, undo func(ctx context.Context) error, ask func(undo func())) {
	s.History.AddAsked(what, undo, ask)
	s.OfferUndo(what)
}

// UndoLast undoes the last action, once the user has agreed where that is asked.
func (s *Shell) UndoLast() {
	switch last := s.History.Last(); {
	case last == nil:
		s.Say(lang.L("There is nothing to undo."))
	case last.Ask != nil:
		last.Ask(func() { s.undo(last) }) // others may have come meanwhile
	default:
		s.undo(last)
	}
}

func (s *Shell) undo(a *session.Action) {
	if !s.History.Take(a) {
		return
	}
	s.Work(s.afterOthers(a.Undo), func(err error) {
		if err != nil {
			s.History.ForgetUndone()
			s.Fail(err)
			return
		}
		s.Say(lang.L("Undone: {{.What}}", map[string]any{"What": a.What}))
	})
}

// afterOthers returns do so that it waits for what is undone or redone before it: several actions may concern the same thing.
func (s *Shell) afterOthers(do func(context.Context) error) func(context.Context) error {
	before, done := s.undoneBefore, make(chan struct{})
	s.undoneBefore = done
	return func(ctx context.Context) error {
		defer close(done)
		if before != nil {
			select {
			case <-before:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		return do(ctx)
	}
}

// RedoLast does again what was undone last.
func (s *Shell) RedoLast() {
	last := s.History.TakeUndone()
	if last == nil {
		s.Say(lang.L("There is nothing to redo."))
		return
	}
	s.Work(s.afterOthers(last.Redo), func(err error) {
		if err != nil {
			s.Fail(err)
			return
		}
		s.OfferUndo(lang.L("Redone: {{.What}}", map[string]any{"What": last.What}))
	})
}

// StoreSetting stores a setting and then calls done, if it is not nil. Settings are stored in the order of the calls, so the
// last of two calls about the same setting counts.
func (s *Shell) StoreSetting(key, value string, done func(error)) {
	s.storeInOrder(func(ctx context.Context) error {
		if key == home.SettingLearn {
			return s.Home.Visits.SetLearning(ctx, value)
		}
		return s.Home.Store.Settings.Set(ctx, key, value)
	}, done)
}

// storeInOrder runs store after those before it and then calls done. The end of the program does not cut it short.
func (s *Shell) storeInOrder(store func(ctx context.Context) error, done func(error)) {
	before, stored := s.settingStored, make(chan struct{})
	s.settingStored = stored
	s.Work(func(ctx context.Context) error {
		defer close(stored)
		if before != nil {
			<-before
		}
		return store(context.WithoutCancel(ctx))
	}, done)
}

// BindPreferences has each change of the preferences stored in the data folder.
func (s *Shell) BindPreferences(p *preferences.Preferences) {
	s.Preferences = p
	err := p.Bind(s.Ctx, s.Home.Store, func(key, value string) {
		s.storeInOrder(func(ctx context.Context) error {
			return s.Home.Store.WriteAside(ctx, func(tx *sql.Tx) error { return reader.SetSetting(ctx, tx, key, value) })
		}, nil)
	})
	if err != nil {
		s.Fail(err)
	}
}

// NoteRead notes that articles were read: they stayed open, or the user did something with them.
func (s *Shell) NoteRead(articles ...int64) {
	s.Work(func(ctx context.Context) error { return s.Home.Visits.Read(ctx, articles...) }, nil)
}

// NotePassed notes that the user passed over an article.
func (s *Shell) NotePassed(article int64) {
	s.Work(func(ctx context.Context) error { return s.Home.Visits.Passed(ctx, article) }, nil)
}
