package app

import (
	"context"
	"fmt"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/poller"
)

// statusBar is the line at the bottom: what the poller does and will do, and
// what was just done with an offer to undo it.
type statusBar struct {
	w     *window
	pane  fyne.CanvasObject
	text  *widget.Label
	note  *widget.Label
	undo  *widget.Button
	jobs  *fyne.Container // what is under way and can be cancelled
	notes int             // said so far
	about string          // what the poller says, under a link that is hovered over
}

func newStatusBar(w *window) *statusBar {
	s := &statusBar{w: w, text: widget.NewLabel(""), note: widget.NewLabel(""), jobs: container.NewHBox()}
	s.text.Truncation = fyne.TextTruncateEllipsis
	s.text.SizeName, s.note.SizeName = theme.SizeNameCaptionText, theme.SizeNameCaptionText
	s.undo = widget.NewButton("Undo", w.undoLast)
	s.undo.Importance = widget.LowImportance
	s.undo.Hide()
	s.pane = container.NewBorder(widget.NewSeparator(), nil, nil, container.NewHBox(s.jobs, s.note, s.undo), s.text)
	return s
}

// hover shows where a link leads.
func (s *statusBar) hover(link string) {
	if link == "" {
		link = s.about
	}
	s.text.SetText(link)
}

// say tells the person something that needs no answer.
func (w *window) say(text string) {
	w.status.note.SetText(text)
	w.status.undo.Hide()
	w.status.fade()
}

// offerUndo tells what was done and offers to undo it.
func (w *window) offerUndo(text string) {
	w.status.note.SetText(text)
	w.status.undo.Show()
	w.status.fade()
}

// noteStays is how long a note is shown.
const noteStays = 20 * time.Second

// fade takes the note away after a while; undo stays possible.
func (s *statusBar) fade() {
	s.notes++
	number := s.notes
	time.AfterFunc(noteStays, func() {
		if s.w.ctx.Err() != nil {
			return
		}
		s.w.do(func() {
			if s.notes == number {
				s.note.SetText("")
				s.undo.Hide()
			}
		})
	})
}

// reloadStatus renews what the poller says.
func (w *window) reloadStatus() {
	ask(w, &w.wantStatus, w.home.Poller.Status, func(s poller.Status) {
		w.status.about = statusText(s, w.now())
		w.status.text.SetText(w.status.about)
		w.saver.SetText("Battery saver: " + saverText(s.Budget))
		w.pictures.set(w.pictures.load, s.Budget.Saving())
		if s.Busy > 0 {
			// What is in flight changes without a commit.
			time.AfterFunc(500*time.Millisecond, func() { w.do(w.reloadStatus) })
		}
	})
}

// saverText is for the toolbar, where there is room for one reason; the line at the
// bottom has them all.
func saverText(b poller.Budget) string {
	if why := b.Reasons(); len(why) > 1 {
		return "automatic (" + why[0] + ", …)"
	}
	return b.Said()
}

// savingText says why fewer fetches are made, if they are.
func savingText(b poller.Budget) string {
	switch why := b.Reasons(); {
	case len(why) > 0:
		return " (" + strings.Join(why, ", ") + ")"
	case b.Saving():
		return " (battery saver)"
	}
	return ""
}

// statusText says what is left of the budget, when more comes free, and what is
// fetched next and why.
func statusText(s poller.Status, now time.Time) string {
	var parts []string
	clock := func(t time.Time) string { return t.In(now.Location()).Format("15:04") }
	switch {
	case s.Held != "":
		parts = append(parts, "Nothing is fetched for now: "+strings.TrimSuffix(s.Held, "."))
	case s.Offline:
		parts = append(parts, "No network; fetching goes on when it is back")
	case s.Busy > 0:
		parts = append(parts, doingText(s))
	}
	switch {
	case s.PerDay == 0 && s.Budget.Normal != "0":
		return "Nothing to fetch yet"
	case s.PerDay == 0:
		parts = append(parts, "Fetching is paused")
	case s.Left > 0:
		parts = append(parts, fmt.Sprintf("%d fetches left, %d a day%s", s.Left, s.PerDay, savingText(s.Budget)))
	default:
		parts = append(parts, fmt.Sprintf("All fetches spent, %d a day%s; the next at %s", s.PerDay, savingText(s.Budget), clock(s.MoreAt)))
	}
	if !s.NextAt.IsZero() && s.PerDay > 0 {
		at := clock(s.NextAt)
		if s.NextAt.Sub(now) > 20*time.Hour {
			at = s.NextAt.In(now.Location()).Format("Mon 15:04")
		}
		parts = append(parts, fmt.Sprintf("next %s at %s, %s", s.NextFeed, at, s.NextWhy))
	}
	return strings.Join(parts, "  ·  ")
}

// doingText says what is being fetched and why, for whoever has not asked for it.
func doingText(s poller.Status) string {
	feeds := plural(s.Busy, "feed")
	switch s.Doing {
	case poller.TopUp:
		return "Looking for what is new since you were here: " + feeds
	case poller.CatchUp:
		return "Catching up: " + feeds
	case poller.Burst:
		return "Much is being posted: looking at " + feeds
	case poller.Probe:
		return "Trying whether the network is back"
	case poller.First:
		return "Fetching " + feeds + " for the first time"
	}
	return "Fetching " + feeds
}

// watchOutcomes tells of fetches as they come.
func (w *window) watchOutcomes() {
	stop := w.home.Poller.Tell(func(o poller.Outcome) {
		if o.Result == poller.Fault && (o.Reason == poller.Manual || o.Reason == poller.First) {
			w.do(func() { w.say(o.Title + ": " + o.Said) })
		}
	})
	defer stop()
	<-w.ctx.Done()
}

// undoStack is what can be undone, the last thing first.
type undoStack []undoable

type undoable struct {
	what string
	undo func(ctx context.Context) error
}

// maxUndo is how far back undo goes.
const maxUndo = 50

// done remembers something that can be undone and says so.
func (w *window) done(what string, undo func(ctx context.Context) error) {
	w.undo = append(w.undo, undoable{what, undo})
	w.undo = w.undo[max(0, len(w.undo)-maxUndo):]
	w.offerUndo(what)
}

func (w *window) undoLast() {
	if len(w.undo) == 0 {
		w.say("There is nothing to undo.")
		return
	}
	last := w.undo[len(w.undo)-1]
	w.undo = w.undo[:len(w.undo)-1]
	w.work(last.undo, func(err error) {
		if err != nil {
			w.say(errorText(err))
			return
		}
		w.say("Undone: " + last.what)
	})
}
